"""Command: count the strategies in requests, by every matching rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import progress
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import (
    ENGLISH,
    Lexicon,
    Request,
    english_lexicon,
    lexicon_file,
    parts,
    read_lexicon,
    read_requests,
    requests_file,
)
from workflow_scripts.politeness.matching import RULES, Matcher, Rule
from workflow_scripts.politeness.quartiles import Quartiles, quartiles

HEADER = (
    "rule",
    "lang",
    "strategy",
    "words",
    "flagged",
    "mapped",
    "requests",
    "mean",
    "first",
    "fourth",
    "signature",
)


@dataclass
class Count:
    """The requests with a strategy: number, sum of scores, and numbers in the outer quartiles."""

    requests: int = 0
    total: float = 0.0
    first: int = 0
    fourth: int = 0


def strategies(
    table: Path,
    *,
    corpus: Path,
    languages: list[str],
    lexicons: Path | None = None,
    first_rule: bool = False,
) -> None:
    """Write, per rule, language and strategy, how many requests contain it and how polite they are.

    All requests of a language count; English has both of its parts, and the English words themselves as its
    lexicon. Quartiles are those of the binary split. Rules are `matching.RULES`, the figures' rule first.

    :param table: CSV to write: rule, lang, strategy, words (of the English lexicon), flagged (with the
        lexicon's flag), mapped (with a sequence), requests (with the strategy), mean (of their scores, empty
        for none), first and fourth (how many of them are in the first and fourth quartile), signature
    :param corpus: folder with TyDiP in its official layout
    :param lexicons: folder with other lexicons in the layout of the corpus; by default the corpus' own
    :param first_rule: use only the rule of the figures
    """
    files = {lang: lexicon_file(lexicons or corpus, lang) for lang in languages if lang != ENGLISH}
    read = {language: read_lexicon(path) for language, path in files.items()}
    if ENGLISH in languages:
        read[ENGLISH] = english_lexicon([(path, read[language]) for language, path in files.items()])
    rules = RULES[: 1 if first_rule else None]
    write_csv(table, HEADER, _rows(corpus, languages, read, files, rules))


def _rows(
    corpus: Path,
    languages: Sequence[str],
    lexicons: dict[str, Lexicon],
    files: dict[str, Path],
    rules: Sequence[Rule],
) -> Iterator[list[object]]:
    work = [(rule, language) for rule in rules for language in languages]
    requests = {
        language: [
            request
            for part in parts(language)
            for request in read_requests(requests_file(corpus, language, part))
        ]
        for language in languages
    }
    marks = {
        language: "+".join(
            signature(file)
            for file in (
                *(requests_file(corpus, language, part) for part in parts(language)),
                *([files[language]] if language in files else []),
            )
        )
        for language in languages
    }
    for rule, language in progress(work, "strategies", len(work), "rule and language"):
        lexicon = lexicons[language]
        bounds = quartiles([request.score for request in requests[language]])
        counts = count(Matcher(lexicon, rule), requests[language], bounds, list(lexicon))
        for strategy, words in lexicon.items():
            counted = counts[strategy]
            mean = rounded(counted.total / counted.requests, 6) if counted.requests else ""
            yield [
                *(rule.name, language, strategy, len(words)),
                sum(word.flag for word in words),
                sum(bool(word.sequences) for word in words),
                *(counted.requests, mean, counted.first, counted.fourth),
                f"{marks[language]}|n:{len(requests[language])}|rule:{rule.name}",
            ]


def count(
    matcher: Matcher, requests: Sequence[Request], bounds: Quartiles, names: Sequence[str]
) -> dict[str, Count]:
    """Strategy -> counts of the requests that contain it, each once, among those that the rule includes."""
    counts = {name: Count() for name in names}
    for request in requests:
        side = bounds.side(request.score)
        if not side and matcher.rule.requests == "outer":
            continue
        for strategy in matcher.strategies(request.text):
            counted = counts[strategy]
            counted.requests += 1
            counted.total += request.score
            counted.first += side < 0
            counted.fourth += side > 0
    return counts


if __name__ == "__main__":
    run(strategies)
