"""Command: drop bad sentence pairs with Bicleaner (XFORMAL, Section 5.2)."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import yaml

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, lines, progress, write_lines, writing
from workflow_scripts.core.processes import call
from workflow_scripts.core.temporary import scratch
from workflow_scripts.filtering.pairs import read_pairs

FASTSPELL_MODEL = "lid.176.bin"


def bicleaner(
    shard: Path,
    out: Path,
    counts: Path,
    *,
    tool: Path,
    source_language: str,
    target_language: str,
    threshold: float | None = None,
    pack: Path | None = None,
    identifier: Path | None = None,
    processes: int,
) -> None:
    """Keep the pairs that pass Bicleaner's hard rules and, with a pack, its classifier.

    The hard rules always run. The pack's fluency filter, porn filter and language identification run if it
    has them; without a pack no languages are identified, since that needs a downloaded model. The counts say
    how many pairs each rule dropped (a pair counts for the first rule that it breaks) and how many the
    classifier dropped. The classifier of a pack is unpickled, which runs any code in it: a pack must have a
    known checksum (`corpora.sources.unpack`). Raises InputError if a tool fails or does not answer for every
    pair.

    :param shard: pairs to filter (.tsv.gz)
    :param out: file for the pairs that are kept, in order (.tsv.gz)
    :param counts: table of counts to write: step, pairs
    :param tool: virtual environment with Bicleaner
    :param source_language: code of the first column's language
    :param target_language: code of the second column's language
    :param threshold: pairs with a lower classifier score are dropped (0.5 in the paper); only with a pack
    :param pack: metadata (.yaml) of the language pack with the classifier, or the folder that contains it
    :param identifier: fastText's language identification model, for a pack that needs it
    :param processes: number of processes that the tool starts
    """
    if pack is not None and threshold is None:
        raise InputError("a pack needs --threshold", fix="set filtering.bicleaner.threshold")
    pack = _metadata(pack) if pack and pack.is_dir() else pack
    metadata = None if pack is None else _read_pack(pack, source_language, target_language)
    if metadata is not None and not metadata.get("disable_lang_ident"):
        _provide_identifier(tool, identifier)
    out.parent.mkdir(parents=True, exist_ok=True)
    with scratch(out) as folder:
        options = ["--scol", 1, "--tcol", 2, "--score_only", "--tmp_dir", folder, "-p", processes]
        pairs, answers = folder / "raw.tsv", folder / "rules.txt"
        table = {"raw": write_lines(pairs, map("\t".join, read_pairs(shard)))}

        rules: list[Any] = [
            tool / "bin" / "bicleaner-hardrules",
            pairs,
            answers,
            *options,
            "--annotated_output",
        ]
        rules += ["-s", source_language, "-t", target_language]
        if metadata is None:
            rules += ["--disable_lang_ident", "--disable_lm_filter", "--disable_porn_removal"]
        else:
            rules += [
                "--metadata",
                pack,
                *["--disable_lang_ident"] * bool(metadata.get("disable_lang_ident")),
            ]
        # If the tool cannot load the pack's filters, it continues without them.
        with _watching(answers, "hard rules", table["raw"]):
            failed = call(rules, keep="Error loading metadata")
        if failed:
            raise InputError("Bicleaner cannot load the filters of this pack", path=pack, fix="read the log")
        dropped: Counter[str] = Counter()
        pairs, raw = folder / "passed.tsv", pairs
        passed = write_lines(pairs, _passing(raw, answers, dropped))
        table.update((f"dropped:{rule}", count) for rule, count in sorted(dropped.items()))
        table["hard_rules"] = passed

        if pack is not None and threshold is not None:
            classify: list[Any] = [tool / "bin" / "bicleaner-classify", pairs, answers, pack, *options]
            # The hard rules tool has just applied these filters.
            classify += ["--disable_hardrules", "--disable_lm_filter", "--disable_porn_removal"]
            with _watching(answers, "classifier", passed):
                call(classify)
            pairs, raw = folder / "good.tsv", pairs
            good = write_lines(pairs, _scored(raw, answers, threshold))
            table.update({"dropped:classifier": passed - good, "classifier": good})
        write_lines(out, lines(pairs))
    write_counts(counts, table)
    print(", ".join(f"{step} {count}" for step, count in table.items()), file=sys.stderr)


def _metadata(folder: Path) -> Path:
    """The metadata file of an unpacked pack; InputError unless there is exactly one."""
    paths = sorted(path for path in folder.rglob("*.yaml") if not path.name.startswith("."))
    if len(paths) != 1:
        raise InputError(f"{len(paths)} .yaml files in this pack, not one", path=folder)
    return paths[0]


def _read_pack(pack: Path, source_language: str, target_language: str) -> dict[str, Any]:
    """The pack's metadata; InputError if invalid, or for other languages."""
    try:
        metadata = yaml.safe_load("\n".join(lines(pack)))
        languages = (metadata["source_lang"], metadata["target_lang"])
    except (yaml.YAMLError, KeyError, TypeError):
        raise InputError(
            "not the metadata of a Bicleaner pack", path=pack, fix="name the pack's .yaml file"
        ) from None
    if languages != (source_language, target_language):
        raise InputError(
            f"a pack for {languages[0]}-{languages[1]}, not {source_language}-{target_language}", path=pack
        )
    return metadata


def _provide_identifier(tool: Path, identifier: Path | None) -> None:
    """Put fastText's model where FastSpell looks for it; otherwise FastSpell downloads one, unchecked."""
    if identifier is None:
        raise InputError(
            "this pack identifies languages, which needs --identifier", fix="name fastText's model"
        )
    packages = list(tool.glob("lib/python*/site-packages/fastspell"))
    if len(packages) != 1:
        raise InputError(
            "no FastSpell in this environment", path=tool, fix="delete the folder, and start the run again"
        )
    model = packages[0] / FASTSPELL_MODEL
    if not (model.is_file() and digest(model) == digest(identifier)):
        with writing(model, binary=True) as stream, identifier.open("rb") as source:
            shutil.copyfileobj(source, stream, 1 << 20)


@contextmanager
def _watching(answers: Path, label: str, total: int) -> Iterator[None]:
    """Show how many lines the tool has answered; the tool itself reports that only at the end."""
    answers.write_bytes(b"")
    done = Event()

    def answered() -> Iterator[None]:
        with answers.open("rb") as stream:
            while not done.wait(1):
                yield from [None] * stream.read().count(b"\n")

    def watch() -> None:
        for _ in progress(answered(), label, total, unit="pair"):
            pass

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _passing(raw: Path, answers: Path, dropped: Counter[str]) -> Iterator[str]:
    """Pairs whose answer is `1<TAB>keep`; `dropped` counts the others' rules, without the bracketed side."""
    for line, answer in _answered(raw, answers):
        verdict, _, rule = answer.partition("\t")
        if verdict == "1":
            yield line
        else:
            dropped[rule.partition("(")[0]] += 1


def _scored(raw: Path, answers: Path, threshold: float) -> Iterator[str]:
    return (line for line, score in _answered(raw, answers) if float(score) >= threshold)


def _answered(raw: Path, answers: Path) -> Iterator[tuple[str, str]]:
    # If a worker of the tool is killed, its block of lines is lost, and the tool still ends with code 0.
    asked, answered = (sum(1 for _ in lines(path)) for path in (raw, answers))
    if asked != answered:
        raise InputError(
            f"Bicleaner answered for {answered} of {asked} pairs", fix="read the log; is there enough memory?"
        )
    return zip(lines(raw), lines(answers), strict=True)


if __name__ == "__main__":
    run(bicleaner)
