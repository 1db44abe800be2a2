"""Command: ask a language model whether requests are polite (TyDiP, Section 3)."""

import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines, writing_folder
from workflow_scripts.politeness.thresholds import is_polite
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.prompting.job import ask
from workflow_scripts.prompting.models import backend_of, signature_of
from workflow_scripts.prompting.templates import read_template, without_thoughts
from workflow_scripts.seq2seq.device import Device, Precision

# The number of likeliest first tokens to ask for: the largest that OpenAI's chat and older completions give.
# Local models give more, since small models seldom have yes or no among the likeliest.
OF_CHAT, OF_COMPLETIONS, OF_LOCAL = 20, 5, 200
# Every spelling of an answer counts, with the space or line feed that many vocabularies have before a word.
SPELLINGS = {
    word: [
        before + form for before in ("", " ", "\n", "▁", "Ġ") for form in (word, word.title(), word.upper())
    ]
    for word in ("yes", "no")
}
COLUMNS = ("input", "lang", "line", "yes", "no", "score")
SIGNATURE = "signature.txt"


def prompted(
    out: Path,
    *,
    sentences: list[Path],
    gold: list[Path],
    inputs: list[str],
    languages: list[str],
    template: Path,
    model: Model,
    settings: Prompting,
    cache: Path,
    seed: int,
    precision: Precision,
    device: Device,
    threads: int,
    sample: int | None = None,
    fetched: Path | None = None,
) -> None:
    """Write the politeness of each request: the log odds of `yes` against `no` as the next token.

    Probabilities of spellings (`yes`, `Yes`, `YES`, with or without a space or line feed before) are summed.
    A word that is not among the likeliest tokens, the only ones that a model reports, gets the probability
    of the last of them. If a model gives no probabilities, or neither word is among the tokens, or it thinks
    before it answers, the answer's first word counts: 1 for yes, -1 for no, 0 for anything else or a refused
    answer. Above 0 is polite.

    :param out: folder to write: `{input}.{lang}.txt`, a score per request; `gold.{lang}.txt`, its politeness;
        `answers.csv`: input, lang, line (of the request, from 1), yes, no (log-probabilities), score;
        `signature.txt`: model and prompt
    :param sentences: requests, a file for each input and language
    :param gold: their politeness, parallel
    :param inputs: whether requests are as written (target) or in English (en), parallel
    :param languages: the language of each file, parallel
    :param template: the prompt, with {source}; a line feed is added at its end for a model that is not a chat
        model
    :param model: JSON: the model that answers, a section of the configuration
    :param settings: JSON: limits on requests and cost, a section of the configuration
    :param seed: of the draw, and of sampled answers
    :param precision: transformers: number format of matrix products
    :param device: transformers: where to compute
    :param sample: number of requests to draw per language; all if not given
    """
    fix_threads(threads)
    if not len(sentences) == len(gold) == len(inputs) == len(languages):
        raise InputError("not as many files, inputs and languages")
    form = read_template(template, ("source",), ())
    end = "" if model.chat else "\n"
    backend = backend_of(
        model,
        settings,
        seed=seed,
        fetched=fetched,
        precision=precision,
        device=device,
        threads=threads,
        probabilities=likeliest(model),
    )
    chosen, truths, prompts = [], [], []
    for path, true, language in zip(sentences, gold, languages, strict=True):
        texts, values = read_lines(path, filled=True), read_numbers(true)
        if len(texts) != len(values):
            raise InputError(f"{len(values)} scores but {len(texts)} requests in {path}", path=true)
        # The same requests of a language for every input, and of both classes if possible.
        lines = _drawn(values, sample, f"{seed} {language}")
        chosen.append(lines)
        truths.append([values[line] for line in lines])
        prompts.append([form.filled({"source": texts[line]}, []) + end for line in lines])
    answers = ask(backend, list(dict.fromkeys(text for part in prompts for text in part)), cache, settings)
    rows = []
    with writing_folder(out) as folder:
        for read_as, language, lines, true_ones, asked in zip(
            inputs, languages, chosen, truths, prompts, strict=True
        ):
            scores = [odds(answers[prompt]) for prompt in asked]
            write_lines(folder / f"{read_as}.{language}.txt", (f"{score:.6f}" for *_, score in scores))
            write_lines(folder / f"gold.{language}.txt", map(repr, true_ones))
            for line, (yes, no, score) in zip(lines, scores, strict=True):
                known = ["" if value is None else f"{value:.6f}" for value in (yes, no)]
                rows.append((read_as, language, line + 1, *known, f"{score:.6f}"))
        write_csv(folder / "answers.csv", COLUMNS, rows)
        write_lines(folder / SIGNATURE, [signature_of(backend, model.name, form.prompt)])
    by_text = sum(row[3] == row[4] == "" for row in rows)
    print(f"{len(rows)} answers, {by_text} of them read as text", file=sys.stderr)


def likeliest(model: Model) -> int:
    """The number of likeliest first tokens requested from a model."""
    return OF_LOCAL if model.kind != "endpoint" else OF_CHAT if model.chat else OF_COMPLETIONS


def _drawn(values: Sequence[float], sample: int | None, seed: str) -> list[int]:
    """The lines of a sample in their order, half of them polite if there are enough of both classes."""
    if sample is None or sample >= len(values):
        return list(range(len(values)))
    rng = random.Random(f"prompted {seed}")
    sides = [
        [line for line, value in enumerate(values) if is_polite(value) == side] for side in (True, False)
    ]
    mixed = [rng.sample(side, len(side)) for side in sides]
    half = sample // 2
    first = mixed[0][:half]
    return sorted([*first, *mixed[1][: sample - len(first)]])


def odds(answer: Answer) -> tuple[float | None, float | None, float]:
    """The log-probabilities of yes and no (None if unknown), and the logarithm of their odds."""
    yes, no = (answer.log_probability(SPELLINGS[word]) for word in ("yes", "no"))
    said = without_thoughts(answer.text)
    # The first token of a thought is no answer.
    if (yes is None and no is None) or not answer.first or said != answer.text:
        word = re.match(r"\W*(yes|no)\b", said, re.IGNORECASE)
        score = 0.0 if answer.refused or not word else 1.0 if word[1].lower() == "yes" else -1.0
        return None, None, score
    least = min(answer.first.values())
    return yes, no, (least if yes is None else yes) - (least if no is None else no)


if __name__ == "__main__":
    run(prompted)
