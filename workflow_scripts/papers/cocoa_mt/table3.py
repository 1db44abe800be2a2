"""Command: Table 3 of CoCoA-MT, phrases and tokens labelled for formality. It needs spaCy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.core.provenance import versions
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.text.markers import is_malformed, phrases

# The universal parts of speech of the columns %VB and %PR.
VERBS = ("VERB", "AUX")
PRONOUNS = ("PRON", "DET")
# "Nouns or adjectives": the text gives their share for Japanese, and the mean share for the others.
NOMINAL = ("NOUN", "ADJ")
OTHERS = "others"
# The paper's languages except Japanese, which the row `others` averages.
PAPER = ("de", "es", "fr", "hi", "it")
# The paper's taggers: spaCy's large pipelines, whose version it does not give, and stanza for Hindi.
TAGGERS = {language: f"{language}_core_news_lg" for language in (*PAPER, "ja")} | {"hi": "stanza"}
# Packages besides spaCy that affect the tokens.
TOKENIZERS = {"ja": ("sudachipy", "sudachidict-core")}
DECIMALS = {
    **dict.fromkeys(("phrases_unique", "phrases_total", "tokens_unique", "tokens_total"), 0),
    **dict.fromkeys(("verbs", "pronouns"), 1),
    "nouns_adjectives": 0,
}


@leaf("lang", "metric", scaled=False)
def table3(
    *, corpora: list[Path], languages: list[str], pipelines: list[str] | None = None, threads: int
) -> Table:
    """Write the numbers of marked phrases and of their tokens, and the shares of verbs and pronouns.

    Phrases are the well-formed marked ones of the formal training references; unique phrases are
    case-sensitive. spaCy's blank tokenizer splits each phrase alone. Shares are in per cent of all tokens:
    verbs are VERB and AUX, pronouns PRON and DET, nouns and adjectives NOUN and ADJ, as the pipeline tags
    each phrase alone; the row `others` has the mean share of nouns and adjectives over the paper's languages
    except Japanese, as in the text. Without a pipeline, Japanese has the parts of speech of its tokenizer,
    which looks words up in a dictionary; other languages have no shares. Shares by a tagger other than the
    paper's cannot be compared. Raises InputError if spaCy or a pipeline is not installed.

    :param table: CSV to write: lang, phrases_unique, phrases_total, tokens_unique, tokens_total, verbs,
        pronouns, nouns_adjectives
    :param corpora: the canonical folder of each language
    :param pipelines: installed spaCy pipelines with a tagger, by language, each by its name or its folder:
        de=de_core_news_lg
    :param threads: threads of the pipelines
    """
    fix_threads(threads)
    tagged = _by_language(pipelines or [], languages)
    cells: Cells = {}
    nominal: dict[str, Share] = {}
    for language, files in by_language(languages, corpora=corpora).items():
        (references,) = read_texts(files["corpora"], "train", ("formal.annotated",))
        counts, nominal[language] = count_phrases(references, language, tagged.get(language))
        cells |= {(language, metric): cell for metric, cell in counts.items()}
    cells[OTHERS, "nouns_adjectives"] = mean_of_others(nominal)
    return Table(cells, DECIMALS)


@dataclass(frozen=True)
class Share:
    """The share of nouns and adjectives in a language, in per cent, not rounded; None without tags."""

    value: float | None
    caveat: str
    """Why it cannot be compared with the paper's, or why it is missing."""


def mean_of_others(shares: Mapping[str, Share]) -> Cell:
    """The mean share of the paper's languages except Japanese; an empty cell if one of them is missing."""
    known = {language: shares[language] for language in PAPER if language in shares}
    values = [share.value for share in known.values() if share.value is not None]
    if len(values) < len(PAPER):
        without = [language for language in PAPER if language not in known or known[language].value is None]
        return Cell("", "", f"no tagger for {'+'.join(without)}")
    facts = f"mean of {'+'.join(PAPER)}|{'+'.join(NOMINAL)}"
    caveats = ", ".join(filter(None, (share.caveat for share in known.values())))
    return Cell(rounded(fmean(values), DECIMALS["nouns_adjectives"], "half-up"), facts, caveats)


def _by_language(pipelines: Sequence[str], languages: Sequence[str]) -> dict[str, str]:
    """The pipeline of each language that has one."""
    pipeline_of: dict[str, str] = {}
    for text in pipelines:
        language, _, name = text.partition("=")
        if not name or language not in languages or language in pipeline_of:
            raise InputError(
                f"--pipelines {text}: not one pipeline for one language",
                fix=f"write, for example, {languages[0]}=NAME",
            )
        pipeline_of[language] = name
    return pipeline_of


def count_phrases(
    references: Sequence[str], language: str, pipeline: str | None
) -> tuple[dict[str, Cell], Share]:
    """The cells of a language, and its share of nouns and adjectives before rounding.

    The cells count phrases and tokens, and parts of speech if a pipeline or the tokenizer tags them.
    """
    marked = [phrase for line in references for phrase in phrases(line)]
    malformed = sum(map(is_malformed, references))
    tokenizer, tokenizer_version = _load(language, None)
    texts = [token.text for doc in _documents(tokenizer, marked) for token in doc if not token.is_space]
    tagger, tagger_version = _load(language, pipeline) if pipeline else (tokenizer, tokenizer_version)
    tags = [token.pos_ for doc in _documents(tagger, marked) for token in doc if not token.is_space]
    where = f"references:train.formal|case:mixed|n:{len(references)}|malformed:{malformed}"
    tokens = f"{where}|tok:{tokenizer_version}"
    cells = {
        "phrases_unique": Cell(str(len(set(marked))), where),
        "phrases_total": Cell(str(len(marked)), where),
        "tokens_unique": Cell(str(len(set(texts))), tokens),
        "tokens_total": Cell(str(len(texts)), tokens),
    }
    caveat = tagged_otherwise(language, tagger_version) if any(tags) else _no_tagger(language)
    for name, parts in (("verbs", VERBS), ("pronouns", PRONOUNS), ("nouns_adjectives", NOMINAL)):
        share = _share(tags, parts)
        facts = f"{where}|pos:{tagger_version}|{'+'.join(parts)}"
        cells[name] = (
            Cell("", "", caveat)
            if share is None
            else Cell(rounded(share, DECIMALS[name], "half-up"), facts, caveat)
        )
    return cells, Share(_share(tags, NOMINAL), caveat)


def tagged_otherwise(language: str, tagger: str) -> str:
    """The caveat of a tagger, named as in a signature, that is not the paper's; otherwise empty."""
    named = tagger.partition("+")[2]
    theirs = TAGGERS.get(language, "")
    if not theirs or named.rpartition("-")[0] == theirs:
        return ""
    return f"tagged by {named}, not by {theirs}"


def _no_tagger(language: str) -> str:
    """Why there are no parts of speech, and the spaCy pipeline that gives them, if there is one."""
    theirs = TAGGERS.get(language, "")
    if theirs and not theirs.startswith(f"{language}_"):
        return f"no tagger: the paper's is {theirs}, which is not run here"
    return f"no tagger: name {theirs or 'a pipeline'} of spaCy in control.pipelines"


def _share(tags: Sequence[str], parts: Sequence[str]) -> float | None:
    """The share of some parts of speech in per cent; None if nothing is tagged."""
    if not any(tags):
        return None
    return 100 * sum(tag in parts for tag in tags) / len(tags)


def _documents(model: Any, texts: list[str]) -> Iterable[Any]:
    return model.pipe(progress(texts, "phrases", total=len(texts), unit="phrase"))


def _load(language: str, pipeline: str | None) -> tuple[Any, str]:
    """A blank tokenizer or an installed pipeline, and its name in a signature."""
    try:
        import spacy
    except ImportError:
        raise InputError("spaCy is not installed here", fix="run this in its own environment") from None
    try:
        model = spacy.load(pipeline) if pipeline else spacy.blank(language)
    except (ImportError, OSError, ValueError) as error:
        model_name = f"pipeline {pipeline}" if pipeline else f"the tokenizer of '{language}'"
        reason = str(error).split("\n")[0]
        raise InputError(
            f"spaCy cannot load {model_name} ({reason})", fix="install it beside spaCy, or name its folder"
        ) from None
    if pipeline and model.lang != language:
        raise InputError(f"spaCy's pipeline {pipeline} is for '{model.lang}', not for '{language}'")
    packages = [f"{name}-{version}" for name, version in versions(*TOKENIZERS.get(language, ())).items()]
    if pipeline:
        packages = [f"{model.meta['lang']}_{model.meta['name']}-{model.meta['version']}"]
    return model, "+".join([f"spacy-{spacy.__version__}", *(packages or [f"blank-{language}"])])


if __name__ == "__main__":
    run(table3)
