"""Command: a language model that is asked to rewrite each sentence, with examples of the dev set."""

import random
import sys
from itertools import chain
from pathlib import Path

from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import LONGEST_LINE, read_lines, read_parallel, write_lines
from workflow_scripts.prompting.job import ask
from workflow_scripts.prompting.models import backend_of, signature_of
from workflow_scripts.prompting.templates import one_line, read_template
from workflow_scripts.seq2seq.device import Device, Precision

FACTS = ("system", "signature", "sentences", "empty", "refused", "cut")


def prompt(
    source: Path,
    target: Path,
    facts: Path,
    *,
    system: str,
    template: Path,
    language: str,
    model: Model,
    settings: Prompting,
    cache: Path,
    examples: int,
    informal: list[Path] | None = None,
    formal: list[Path] | None = None,
    sides: list[str] | None = None,
    fetched: Path | None = None,
    seed: int,
    precision: Precision,
    device: Device,
    threads: int,
) -> None:
    """Ask a model for each distinct sentence, and write the first line of its answers.

    An answer without any text (a model that refuses, or says nothing) is replaced by the source sentence, as
    a user would be left with it; the log and `facts` say how many there are. Answers are kept in the cache;
    a run that was stopped goes on with the others.

    :param source: informal sentences, one a line, none empty
    :param target: the outputs, parallel to `source`
    :param facts: CSV to write: system, signature (model and prompt), sentences, empty (answers without
        text), refused (of these), cut (answers that reached the most tokens)
    :param system: its name
    :param template: the form of an example, a line ---, and the prompt, with {source}, {language}, {examples}
    :param language: its name in English
    :param model: JSON: the language model, a section of the configuration
    :param settings: JSON: how much is asked and paid at most, a section of the configuration
    :param examples: pairs in the prompt, the same for all sentences
    :param informal: the files with the sentences of the examples
    :param formal: their rewrites: as many files for each set of rewrites
    :param sides: the template's names for both sides of an example; informal and formal if not given
    :param seed: of the examples, and of answers that are drawn
    :param precision: transformers: number format of matrix products
    :param device: transformers: where to compute
    """
    fix_threads(threads)
    sentences = read_lines(source, filled=True)
    names = sides or ["informal", "formal"]
    if len(names) != 2:
        raise InputError(f"{len(names)} --sides", fix="give the names of both")
    form = read_template(template, ("source", "language"), names)
    if examples and "{examples}" not in form.prompt:
        raise InputError("a template without {examples}", path=template, fix="or set examples to 0")
    shown = [
        dict(zip(names, pair, strict=True)) for pair in _drawn(examples, informal or [], formal or [], seed)
    ]
    whole = form.filled({"language": language}, shown)
    prompts = {text: form.filled({"language": language, "source": text}, shown) for text in sentences}
    backend = backend_of(
        model, settings, seed=seed, fetched=fetched, precision=precision, device=device, threads=threads
    )
    answers = ask(backend, list(prompts.values()), cache, settings)

    outputs, empty, refused, cut = [], 0, 0, 0
    for sentence in sentences:
        answer = answers[prompts[sentence]]
        line = "" if answer.refused else one_line(answer.text, form.label, sentence)
        if len(line.encode()) > LONGEST_LINE:
            raise InputError(f"an answer of more than {LONGEST_LINE} bytes to '{sentence[:60]}'", path=source)
        empty, refused, cut = empty + (not line), refused + answer.refused, cut + (answer.finish == "length")
        outputs.append(line or sentence)
    print(
        f"{len(sentences)} sentences: {empty} answers without text, of them {refused} refused: the source is"
        f" used instead; {cut} answers reached {model.max_tokens} tokens",
        file=sys.stderr,
    )
    write_csv(
        facts,
        FACTS,
        [(system, signature_of(backend, model.name, whole), len(sentences), empty, refused, cut)],
    )
    write_lines(target, outputs)


def _drawn(count: int, informal: list[Path], formal: list[Path], seed: int) -> list[tuple[str, str]]:
    """Pairs of the files: different sentences, each with one of its rewrites."""
    if not count:
        return []
    if not informal or not formal or len(formal) % len(informal):
        raise InputError(
            "--examples needs --informal, and as many files of --formal for each set of rewrites"
        )
    columns = [
        read_parallel(path, *formal[place :: len(informal)], filled=True)
        for place, path in enumerate(informal)
    ]
    sentences, *rewrites = [list(chain.from_iterable(parts)) for parts in zip(*columns, strict=True)]
    first = {sentence: number for number, sentence in reversed(list(enumerate(sentences)))}
    if len(first) < count:
        raise InputError(
            f"{len(first)} different sentences, but {count} examples are asked for", path=informal[0]
        )
    draw = random.Random(seed)
    places = draw.sample(sorted(first.values()), count)
    return [(sentences[place], draw.choice(rewrites)[place]) for place in places]


if __name__ == "__main__":
    run(prompt)
