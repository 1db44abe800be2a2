"""Command: translate text files with the configured backend, each distinct sentence only once."""

from pathlib import Path
from typing import Any, Literal

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.files import check_targets, lines, write_lines
from workflow_scripts.seq2seq.device import Device, Precision, resolve
from workflow_scripts.translation.apertium import Apertium
from workflow_scripts.translation.backends import Aws, Backend, HuggingFace, Nmt, require
from workflow_scripts.translation.job import translate_files


def translate(
    *,
    backend: Literal["nmt", "hf", "aws", "apertium"],
    source_language: str,
    target_language: str,
    sources: list[Path],
    targets: list[Path],
    cache: Path,
    batch_size: int,
    text_model: Path | None = None,
    models: list[Path] | None = None,
    beam_size: int | None = None,
    length_penalty: float | None = None,
    precision: Precision | None = None,
    device: Device | None = None,
    threads: int | None = None,
    checkpoint: str | None = None,
    revision: str | None = None,
    fetched: Path | None = None,
    prefix: str = "",
    codes: list[str] | None = None,
    region: str | None = None,
    max_cost: float | None = None,
    price_per_million: float | None = None,
    chains: list[str] | None = None,
) -> None:
    """Translate sentences (XFORMAL, Sections 5.1 and 5.2).

    Sentences already in the target language are copied, without a backend.

    Sentences in the cache are not translated again; others enter it after every batch, so that an
    interrupted job resumes where it stopped. Empty lines stay empty. The model is loaded at most once.

    :param backend: nmt (needs --text-model, --models, --beam-size, --length-penalty, --precision, --device,
        --threads), hf (needs --checkpoint, --beam-size, --precision, --device, --threads), aws (needs
        --region, --max-cost, --price-per-million) or apertium (needs --chains, --threads)
    :param source_language: two-letter code
    :param target_language: two-letter code
    :param sources: text files, one sentence a line
    :param targets: the file to write for each of `sources`
    :param cache: SQLite file, created if missing; several jobs may share it
    :param batch_size: sentences translated together
    :param text_model: nmt: the folder that text.learn wrote
    :param models: nmt: model files, an ensemble if several
    :param beam_size: nmt, hf: hypotheses kept at each step
    :param length_penalty: nmt: exponent of the length that a score is divided by
    :param precision: nmt, hf: number format of matrix products; auto: bf16 on a GPU
    :param device: nmt, hf: where to compute; auto: on a GPU if there is one
    :param threads: nmt, hf: threads for arithmetic; apertium: parallel programs
    :param checkpoint: hf: a local folder or a repository
    :param revision: hf: the repository's commit, 40 digits
    :param fetched: hf: the folder that core.fetch wrote of this commit
    :param prefix: hf: put before every sentence, such as >>pob<< for BR-PT with some Marian models
    :param codes: hf: language codes of a multilingual checkpoint, such as pt=por_Latn
    :param region: aws: such as us-east-1
    :param max_cost: aws: stop before the first request if the job would cost more US dollars
    :param price_per_million: aws: US dollars for a million characters
    :param chains: apertium: the modes that a direction goes through, such as en-fr=eng-spa,es-fr
    """
    check_targets(sources, targets)
    direction = (source_language, target_language)
    if source_language == target_language:
        for source, target in zip(sources, targets, strict=True):
            write_lines(target, lines(source))
        return
    chosen: Backend
    if backend == "nmt":
        options = require(
            backend,
            text_model=text_model,
            models=models or None,
            beam_size=beam_size,
            length_penalty=length_penalty,
            precision=precision,
            device=device,
            threads=threads,
        )
        chosen = Nmt(direction, batch_size=batch_size, **_resolved(options))
    elif backend == "hf":
        options = require(
            backend,
            checkpoint=checkpoint,
            beam_size=beam_size,
            precision=precision,
            device=device,
            threads=threads,
        )
        names = {code: name for code, _, name in (item.partition("=") for item in codes or [])}
        chosen = HuggingFace(
            direction, revision=revision, fetched=fetched, prefix=prefix, codes=names, **_resolved(options)
        )
    elif backend == "apertium":
        chosen = Apertium(direction, **require(backend, chains=chains or None, threads=threads))
    else:
        options = require(backend, region=region, price_per_million=price_per_million, max_cost=max_cost)
        del options["max_cost"]
        chosen = Aws(direction, **options)
    translate_files(chosen, direction, sources, targets, cache, batch_size, max_cost)


def _resolved(options: dict[str, Any]) -> dict[str, Any]:
    """The options with `auto` resolved for this machine; the cache depends on the result."""
    fix_threads(options["threads"])
    device, precision = resolve(options["device"], options["precision"])
    return {**options, "device": device, "precision": precision}


if __name__ == "__main__":
    run(translate)
