"""Command: a language model that is asked to rate outputs, as raters are (XFORMAL, Section 5.4)."""

import re
import sys
from pathlib import Path
from typing import Literal

from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import check_targets, read_parallel, write_lines
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.prompting.job import ask
from workflow_scripts.prompting.models import backend_of, signature_of
from workflow_scripts.prompting.templates import one_line, read_template
from workflow_scripts.seq2seq.device import Device, Precision
from workflow_scripts.statistics.metrics import METRICS, Judged

FACTS = ("task", "signature", "prompts", "unread")
SCALES = {metric.task: metric.bounds for metric in METRICS.values() if issubclass(metric, Judged)}
_NUMBER = re.compile(r"(?<![\w.])[-+\u2212\u2013]?\d+(?:[.,]\d+)?(?![\w%]|[.,]\d)")
# Signs and commas as Python reads them.
_PLAIN = str.maketrans({"\u2212": "-", "\u2013": "-", ",": "."})
# From which share of unread answers on the ratings say little.
MANY = 0.05


def judge(
    facts: Path,
    *,
    task: Literal["formality", "meaning", "fluency"],
    informal: Path,
    sources: list[Path],
    targets: list[Path],
    template: Path,
    language: str,
    model: Model,
    settings: Prompting,
    cache: Path,
    seed: int,
    precision: Precision,
    device: Device,
    threads: int,
    fetched: Path | None = None,
) -> None:
    """Write a rating of every output: the number in the first line of the answer.

    An answer without exactly one number of the scale in that line is not a rating: the output then has the
    middle of the scale, and `facts` and the log say how many there are. Equal outputs for equal sentences are
    rated once; answers are kept in the cache, and a run that was stopped goes on with the others.

    :param facts: CSV to write, one row: task, signature (model and prompt), prompts (different ones),
        unread (answers without a rating)
    :param task: what is rated: formality (-3 to 3), meaning (1 to 6), fluency (1 to 5)
    :param informal: the sentences that the outputs rewrite
    :param sources: files of outputs, parallel to `informal`
    :param targets: files to write, a rating a line, parallel to the sources
    :param template: the prompt, with {output}, and maybe {source} and {language}
    :param language: its name in English
    :param model: JSON: the language model, a section of the configuration
    :param settings: JSON: how much is asked and paid at most, a section of the configuration
    :param seed: of answers that are drawn
    :param precision: transformers: number format of matrix products
    :param device: transformers: where to compute
    """
    fix_threads(threads)
    check_targets(sources, targets)
    form = read_template(template, ("output", "source", "language"), ())
    sentences, *outputs = read_parallel(informal, *sources)
    prompts = [
        [
            form.filled({"language": language, "source": sentence, "output": output}, [])
            for sentence, output in zip(sentences, texts, strict=True)
        ]
        for texts in outputs
    ]
    backend = backend_of(
        model, settings, seed=seed, fetched=fetched, precision=precision, device=device, threads=threads
    )
    answers = ask(
        backend, list(dict.fromkeys(prompt for part in prompts for prompt in part)), cache, settings
    )
    found = {prompt: rating(answer, form.label, SCALES[task]) for prompt, answer in answers.items()}
    unread = sum(value is None for value in found.values())
    print(
        f"{len(found)} different prompts; {unread} answers are no rating: the middle of the scale counts",
        file=sys.stderr,
    )
    if unread > MANY * len(found):
        print(f"warning: {unread} of {len(found)} answers are no rating of {task}", file=sys.stderr)
    middle = sum(SCALES[task]) / 2
    write_csv(facts, FACTS, [(task, signature_of(backend, model.name, form.prompt), len(found), unread)])
    for target, part in zip(targets, prompts, strict=True):
        values = (found[prompt] for prompt in part)
        write_lines(target, (f"{middle if value is None else value:.4f}" for value in values))


def rating(answer: Answer, label: str, scale: tuple[float, float]) -> float | None:
    """The only number of a scale in the line of an answer; None if there is none, or more than one."""
    if answer.refused:
        return None
    line = one_line(answer.text, label, "")
    numbers = [float(text.translate(_PLAIN)) for text in _NUMBER.findall(line)]
    if len(numbers) != 1 or not scale[0] <= numbers[0] <= scale[1]:
        return None
    return numbers[0]


if __name__ == "__main__":
    run(judge)
