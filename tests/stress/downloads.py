"""Damage to the files of unfinished and finished downloads: parts, versions, records of sums, staged files.

Afterwards the download must be what the server has, or stop with one clear line; tried again, it must recover
wherever the damage is to what it keeps for itself.
"""

import hashlib
import os
import shutil
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

from tests.serving import serve
from tests.stress import mutations, running
from tests.stress.inputs import Case

# How often a download is tried again before it must have recovered.
TRIES = 3
CONTENT = {
    "a.txt": b"one\n",
    "deep/er/b.txt": b"two\n",
    "deep/c.bin": Random(1).randbytes(300_000),
    "deep/d.txt": b"three\n" * 1000,
}
SUMS = {name: hashlib.sha256(data).hexdigest() for name, data in CONTENT.items()}
FOREIGN = ("x", "a.txt.part", "deep/.c.bin.part", "other/x")
Ended = tuple[Case, str | None, str]


def repeated(
    module: str, words: Sequence[str], place: Path, log: Path, whole: Any
) -> tuple[running.Done, str | None, str]:
    """Call a command until it does well, a few times at most: the last end, what is wrong, all messages.

    `whole`: tells whether what it has made is right.
    """
    errors = ""
    for _ in range(TRIES):
        done = running.run(module, words, place, log, seconds=60)
        errors += done.errors
        if done.code not in (0, 2) or "Traceback" in done.errors:
            return done, f"exit {done.code}: {done.errors.strip().splitlines()[-1:]}", errors
        if done.code == 2 and "error: " not in done.errors:
            return done, f"no line: {done.errors[-200:]}", errors
        if done.code == 0:
            return done, None if whole() else "exit 0 and something else", errors
    return done, None, errors


def one_file(folder: Path, number: int, seed: int) -> Ended:
    """An unfinished download, or one whose first sum is recorded; what it keeps is damaged."""
    from tests.corpora.test_download import DATA, SUM, Server

    os.environ["NO_PROXY"] = "127.0.0.1"
    rng = Random(f"{seed}:corpora.sources.download:{number}")
    server = Server()
    place = folder / "download"
    shutil.rmtree(place, ignore_errors=True)
    part = _unfinished(place, server.url, server.etag, DATA[: rng.randrange(len(DATA) + 1)])
    version, record = part.with_suffix(".version"), place / "file.bin.sha256"
    recorded = rng.random() < 0.4
    words = ["file.bin", "--url", server.url, f"--sha256={'' if recorded else SUM}", "--partial", "partial"]
    words += ["--retries", "1", *["--record"] * recorded]
    if recorded:
        record.write_text(f"{SUM}  file.bin\n")
    chosen = rng.choice((part, version, record, record) if recorded else (part, version))
    if rng.random() < 0.2:
        part.write_bytes(DATA + b"more")
    case = Case(str(chosen.relative_to(place)), mutations.mutate(rng, chosen))
    try:
        done, problem, errors = repeated(
            "corpora.sources.download",
            words,
            place,
            folder / "log",
            lambda: (place / "file.bin").read_bytes() == DATA,
        )
    finally:
        server.http.shutdown()
        server.http.server_close()
    if not problem and done.code == 2 and chosen != record and case.damage not in mutations.ENTRIES:
        problem = f"does not recover: {errors[-200:]}"
    if not problem and done.code == 0 and recorded and SUM not in record.read_text():
        problem = "exit 0 with another record"
    return case, problem, errors


def _unfinished(place: Path, url: str, version: str, data: bytes) -> Path:
    """What a download of an address that was broken off has left; the path of its part."""
    name = f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.{url.rsplit('/', 1)[1]}"
    part = place / f"partial/{name}.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(data)
    part.with_suffix(".version").write_text(f"{version}\n")
    return part


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


def many_files(folder: Path, number: int, seed: int) -> Ended:
    """A corpus of many files, of which some have arrived: one of them, or a part, is damaged."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    rng = Random(f"{seed}:corpora.sources.download_files:{number}")
    place, served = folder / "files", folder / "served"
    shutil.rmtree(place, ignore_errors=True)
    staging = place / "partial/corpus.files"
    for name, data in CONTENT.items():
        (served / name).parent.mkdir(parents=True, exist_ok=True)
        (served / name).write_bytes(data)
        if rng.random() < 0.6 or name == "a.txt":
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).write_bytes(data)
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    serve(http)
    url = f"http://127.0.0.1:{http.server_port}"
    _unfinished(place, f"{url}/deep/c.bin", "x", CONTENT["deep/c.bin"][: rng.randrange(300_000)])
    (place / "sums").write_text("".join(f"{known}  {name}\n" for name, known in SUMS.items()))
    if rng.random() < 0.3:
        # What an older run has made, perhaps in part.
        (place / "corpus").mkdir()
        (place / "corpus/old.txt").write_text("old\n")
    chosen = rng.choice(sorted(path for path in (place / "partial").rglob("*") if path.is_file()))
    if rng.random() < 0.2:
        stranger = staging / rng.choice(FOREIGN)
        if not stranger.parent.is_file():
            stranger.parent.mkdir(parents=True, exist_ok=True)
            stranger.write_bytes(b"x\n")
        how = "a stranger beside it"
    else:
        how = mutations.mutate(rng, chosen)
    case = Case(str(chosen.relative_to(place)), how)
    words = ["corpus", "--sums", "sums", "--url", url, "--partial", "partial", "--retries", "1"]
    try:
        done, problem, errors = repeated(
            "corpora.sources.download_files",
            [*words, "--parallel", "2"],
            place,
            folder / "log",
            lambda: (
                {
                    path.relative_to(place / "corpus").as_posix(): path.read_bytes()
                    for path in (place / "corpus").rglob("*")
                    if path.is_file()
                }
                == CONTENT
            ),
        )
    finally:
        http.shutdown()
        http.server_close()
    if not problem and done.code == 2 and how not in mutations.ENTRIES:
        problem = f"does not recover: {errors[-200:]}"
    return case, problem, errors


KINDS = {"corpora.sources.download": one_file, "corpora.sources.download_files": many_files}
