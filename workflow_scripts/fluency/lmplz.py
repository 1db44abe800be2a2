"""Command: build KenLM's `lmplz` and `build_binary` from its source distribution."""

import shutil
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines, writing_folder
from workflow_scripts.core.processes import call
from workflow_scripts.core.temporary import scratch
from workflow_scripts.core.tools import PATIENCE
from workflow_scripts.core.turns import turn

VERSION = "0.3.0"
SHA256 = "c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8"
PROGRAMS = ("lmplz", "build_binary")
OPTIONS = (
    *("-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"),
    # KenLM asks for a CMake version that current CMake no longer supports.
    "-DCMAKE_POLICY_VERSION_MINIMUM=3.5",
)
# Up to 19 files of a library as one, which takes little more than half the time. With other numbers the 19th
# and 20th of kenlm_util may meet, file_piece.cc and float_to_string.cc, in which one name has two meanings.
TOGETHER = ("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=19")
# Compilers at a time, in up to 500 MB each.
AT_ONCE = 2


def build(venv: Path, programs: Path, done: Path) -> None:
    """Download, check, compile and copy the two programs that estimate a language model.

    Complete programs that were built by the same recipe stay: runs in other directories share them. CMake,
    Ninja and Boost come from the tool's environment, whose Boost libraries the programs keep using: it must
    stay where it is. Needs a C++ compiler and the network. Raises InputError if the download does not have
    the expected SHA-256, or if a step fails.

    :param venv: the environment that workflow_scripts.core.tools made from envs/kenlm.txt
    :param programs: folder to write, which will contain lmplz and build_binary
    :param done: file to write at the end: the recipe of the programs
    """
    prefixes = sorted(venv.absolute().glob("lib/python*/site-packages/cmeel.prefix"))
    if not prefixes:
        raise InputError("no Boost in this environment", path=venv, fix="install envs/kenlm.txt into it")
    programs.parent.mkdir(parents=True, exist_ok=True)
    recipe = [f"kenlm {VERSION}", SHA256, *OPTIONS]
    made = programs / "recipe.txt"
    with turn(programs, PATIENCE) as alive:
        if not (made.is_file() and read_lines(made) == recipe):
            with (
                scratch(programs) as place,
                writing_folder(programs) as part,
            ):
                _compile(venv.absolute() / "bin", prefixes[0], place.absolute())
                for program in PROGRAMS:
                    shutil.copy2(place / "build" / "bin" / program, part / program)
                write_lines(part / made.name, recipe)
        alive()
        write_lines(done, recipe)


def _compile(bin_folder: Path, boost: Path, place: Path) -> None:
    """Build the programs below `place`; file by file if a compiler takes no files together."""
    source = _unpack(_download(bin_folder, place), place / "source")
    try:
        _build(bin_folder, boost, source, place / "build", TOGETHER)
    except InputError as error:
        print(f"file by file: {error}", file=sys.stderr, flush=True)
        shutil.rmtree(place / "build", ignore_errors=True)
        _build(bin_folder, boost, source, place / "build")


def _build(bin_folder: Path, boost: Path, source: Path, build: Path, options: Sequence[str] = ()) -> None:
    call(
        [
            *(bin_folder / "cmake", "-S", source, "-B", build, "-G", "Ninja"),
            f"-DCMAKE_MAKE_PROGRAM={bin_folder / 'ninja'}",
            f"-DCMAKE_PREFIX_PATH={boost}",
            *OPTIONS,
            *options,
        ],
        fix="is a C++ compiler installed?",
    )
    call(
        [
            *(bin_folder / "cmake", "--build", build, "--parallel", str(AT_ONCE)),
            *("--target", *PROGRAMS),
        ]
    )


def _download(bin_folder: Path, place: Path) -> Path:
    call(
        [
            *(bin_folder / "python", "-m", "pip", "download", f"kenlm=={VERSION}", "--dest", place),
            *("--no-binary", "kenlm", "--no-deps", "--no-build-isolation"),
            *("--disable-pip-version-check", "--progress-bar", "off"),
        ],
        fix="check the network",
    )
    archive = next(iter(sorted(place.glob("kenlm-*.tar.gz"))), None)
    if archive is None:
        raise InputError("pip downloaded no source distribution of kenlm", path=place)
    if (actual := digest(archive)) != SHA256:
        raise InputError(
            f"{archive.name} has SHA-256 {actual}, not {SHA256}", fix="the package index serves another file"
        )
    return archive


def _unpack(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as tar:
        # The checksum vouches for the content; Python has the filter from 3.11.4 on.
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        tar.extractall(folder, **safely)
    print(f"unpacked {archive.name}", file=sys.stderr)
    return folder / f"kenlm-{VERSION}"


if __name__ == "__main__":
    run(build)
