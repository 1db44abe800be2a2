"""Translation backend Apertium (Forcada et al., 2011): rules and dictionaries, free, on any machine.

A *mode* translates one language pair, and is a pipeline of programs. Pairs that have no mode go through a
chain of modes: English, Spanish, French.

Each program gets the sentences of a batch separated by a NUL after each (Apertium's null flush). Two programs
keep state between sentences, so that their output for a sentence depends on its neighbours: the tagger (the
word classes that it has met) and the constraint grammar. These are started anew for each sentence, so that a
batch gives byte for byte what ``apertium -u`` gives for each sentence.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import digest

# Debian's packages; a mode not listed here is in the package named after it or after its reverse.
PACKAGES = {
    "eng-spa": "apertium-eng-spa",
    "spa-eng": "apertium-eng-spa",
    "spa-eng_US": "apertium-eng-spa",
    "spa-ita": "apertium-spa-ita",
    "ita-spa": "apertium-spa-ita",
    "es-fr": "apertium-fr-es",
    "fr-es": "apertium-fr-es",
    "es-pt": "apertium-es-pt",
    "es-pt_BR": "apertium-es-pt",
    "pt-es": "apertium-es-pt",
}
# ita-spa needs the constraint grammar, though its package does not depend on it.
PROGRAMS = ("apertium", "apertium-lex-tools", "cg3")
REMEMBER = ("apertium-tagger", "cg-proc")
# Characters with a special meaning in Apertium's stream.
SPECIAL = re.compile(r"[\[\]{}^$/\\@<>]")
ESCAPED = re.compile(r"\\(.)|[\[\]]", re.DOTALL)
# Apertium's text formatter appends this to a text, so that a sentence ends where the text ends.
END = ".[]"
PATIENCE = 600  # seconds for one program and one batch


class Apertium:
    """A chain of Apertium's modes, such as eng-spa and es-fr for English to French."""

    name = "apertium"
    largest_batch: int | None = 1000

    def __init__(self, direction: tuple[str, str], *, chains: list[str], threads: int) -> None:
        """`chains`: ``<source>-<target>=<mode>,<mode>...`` for each known direction.

        The identity is a digest of the programs and of the modes' dictionaries and rules. Raises
        InputError for a direction without a chain, and for a mode or program that is not installed.
        """
        self.direction, self.threads = direction, threads
        known = parse_chains(chains)
        wanted = "-".join(direction)
        if wanted not in known:
            raise InputError(f"no chain of Apertium for {wanted}; {nearest(wanted, known)}")
        self.modes = known[wanted]
        data = data_folder(self.modes)
        # For each mode the command lines of its programs.
        self.pipelines = [_pipeline(data, mode, self.modes) for mode in self.modes]
        words = [word for pipeline in self.pipelines for command in pipeline for word in command]
        identity = [
            f"{path.name}={digest(path)}" if (path := Path(word)).is_absolute() else word for word in words
        ]
        self.model = hashlib.sha256("\n".join(identity).encode()).hexdigest()

    def translate(self, texts: list[str]) -> list[str]:
        """Run all programs of all modes in turn; unknown words stay as they are, without a mark.

        So does a text whose translation would be empty: Spanish question marks alone have no French.
        """
        for pipeline in self.pipelines:
            translated = self._through(pipeline, texts)
            texts = [
                after if after.strip() else before for before, after in zip(texts, translated, strict=True)
            ]
        return texts

    def cost(self, texts: list[str]) -> float:
        """Local translation is free."""
        return 0.0

    def _through(self, pipeline: list[list[str]], texts: list[str]) -> list[str]:
        stream = [encode(text) for text in texts]
        for command in pipeline:
            if Path(command[0]).name in REMEMBER:
                alone = partial(_run, command)
                with ThreadPoolExecutor(self.threads) as pool:
                    stream = [part for (part,) in pool.map(alone, ([part] for part in stream))]
            else:
                stream = _run(command, stream)
        return [decode(part) for part in stream]


def parse_chains(chains: list[str]) -> dict[str, list[str]]:
    """Parse chains such as ``en-fr=eng-spa,es-fr``: direction -> modes."""
    known: dict[str, list[str]] = {}
    for chain in chains:
        match = re.fullmatch(r"([\w-]+)=([\w-]+(?:,[\w-]+)*)", chain)
        if not match:
            raise InputError(f"chain '{chain}' is not of the form en-fr=eng-spa,es-fr")
        if match[1] in known:
            raise InputError(f"two chains for {match[1]}")
        known[match[1]] = match[2].split(",")
    return known


def encode(text: str) -> bytes:
    """A sentence in Apertium's stream format; runs of spaces become one space."""
    words = " ".join(text.replace("\0", " ").split())
    # A tilde marks a possible contraction for the last program; in brackets every program ignores it.
    escaped = SPECIAL.sub(r"\\\g<0>", words).replace("~", "[~]")
    return (escaped + END).encode()


def decode(stream: bytes) -> str:
    """The sentence in a part of the stream."""
    return ESCAPED.sub(lambda match: match[1] or "", stream.decode().removesuffix(END))


def data_folder(modes: list[str]) -> Path:
    """The folder of Apertium's data; InputError if there is no Apertium."""
    if folder := os.environ.get("APERTIUM_DATADIR"):
        return Path(folder)
    program = shutil.which("apertium")
    if program is None:
        raise InputError("Apertium is not installed", fix=installation(modes))
    return Path(program).parent.parent / "share" / "apertium"


def packages(modes: Iterable[str]) -> tuple[str, ...]:
    """The Debian packages that a chain of modes needs."""
    return (*PROGRAMS, *sorted({PACKAGES.get(mode, f"apertium-{mode}") for mode in modes}))


def installation(modes: Iterable[str]) -> str:
    """The command that installs the packages of these modes."""
    return f"on Debian and Ubuntu: sudo apt-get install {' '.join(packages(modes))}"


def missing(chains: list[str], directions: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """The modes and programs that some directions need and that are not installed, each with its packages."""
    known = parse_chains(chains)
    modes = list(dict.fromkeys(mode for pair in directions for mode in known.get("-".join(pair), [])))
    try:
        data = data_folder(modes)
    except InputError:
        return [("Apertium", packages(modes))]
    absent: dict[str, tuple[str, ...]] = {}
    for mode in modes:
        path = data / "modes" / f"{mode}.mode"
        if not path.is_file():
            absent[f"Apertium's mode {mode}"] = packages([mode])
            continue
        for program, *_ in _commands(path):
            if shutil.which(program) is None:
                absent[f"{program} (of Apertium's mode {mode})"] = packages([mode])
    return list(absent.items())


def _pipeline(data: Path, mode: str, modes: list[str]) -> list[list[str]]:
    """The programs of a mode, with full paths and options to flush at NUL and to write no marks."""
    path = data / "modes" / f"{mode}.mode"
    if not path.is_file():
        installed = ", ".join(sorted(file.stem for file in path.parent.glob("*.mode"))) or "none"
        raise InputError(
            f"no mode '{mode}' of Apertium; modes: {installed}", path=path, fix=installation(modes)
        )
    commands = []
    for program, *words in _commands(path):
        executable = shutil.which(program)
        if executable is None:
            raise InputError(f"'{program}', which mode {mode} needs, is missing", fix=installation(modes))
        # $1 says how unknown words are marked (-n: not at all), $2 whether ambiguous words are shown.
        options = ["-n" if word == "$1" else word for word in words if word != "$2"]
        commands.append([executable, "-z", *options])
    return commands


def _commands(mode: Path) -> list[list[str]]:
    """The command line of each program of a mode, split into words, as in its file."""
    return [shlex.split(part) for part in mode.read_text(encoding="utf-8").strip().split("|")]


def _run(command: list[str], stream: list[bytes]) -> list[bytes]:
    """Pass sentences through one program; InputError if it fails, hangs or loses one."""
    name = f"{Path(command[0]).name} {Path(command[-1]).name}"
    try:
        done = subprocess.run(
            command,
            input=b"".join(part + b"\0" for part in stream),
            capture_output=True,
            timeout=PATIENCE,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"Apertium's {name} has not finished after {PATIENCE} seconds") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").split()
        raise InputError(
            f"Apertium's {name} failed (exit code {done.returncode}): {' '.join(words) or 'it said nothing'}"
        )
    # A program may write further NULs at the end. Each sentence still has the end that `encode` appended.
    parts = done.stdout.rstrip(b"\0").split(b"\0") if stream else []
    if len(parts) != len(stream) or not all(part.endswith(b"[]") for part in parts):
        raise InputError(f"Apertium's {name} mixed sentences up: {len(stream)} in, {len(parts)} out")
    return parts
