"""A refusal by the system is one line with the path and a remedy; a bug keeps its traceback."""

import errno
import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy
import pytest

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines, writing
from workflow_scripts.core.processes import call
from workflow_scripts.core.system_errors import BY_NUMBER, explained
from workflow_scripts.corpora.demo.make_world import make_world

COMMAND = """
from pathlib import Path
from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_lines, write_lines
def copy(source: Path, target: Path) -> None:
    '''Copy lines.

    :param source: file
    :param target: file
    '''
    write_lines(target, read_lines(source))
run(copy)
"""
# Root may read and write everything; this one may not, and perhaps not the packages that are imported late.
NOBODY = "import os, defopt\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n"


@pytest.fixture
def places():
    """A folder, open to everybody, with files that cannot be read or written, each in its own way."""
    with TemporaryDirectory() as name:
        yield filled(Path(name))


def filled(folder: Path) -> Path:
    # Modes are set, not left to the umask: somebody else reads these files.
    folder.chmod(0o777)
    for name in ("in", "in.gz"):
        write_lines(folder / name, ["a"])
        (folder / name).chmod(0o644)
    for name in ("locked", "locked.gz"):
        (folder / name).write_bytes(gzip.compress(b"a\n"))
        (folder / name).chmod(0)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "loop.gz").symlink_to(folder / "loop.gz")
    for name, mode in (("folder.gz", 0o755), ("read-only", 0o555)):
        (folder / name).mkdir()
        (folder / name).chmod(mode)
    return folder


LONG = "n" * 300
# In a folder of root's own somebody else has no Python.
READABLE = all(place.stat().st_mode & 0o001 for place in (ROOT, *ROOT.parents))


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        ("locked", "out", "locked: permission denied"),
        ("locked.gz", "out", "locked.gz: permission denied"),
        ("loop", "out", "loop: a link that leads back to itself"),
        ("loop.gz", "out", "loop.gz: a link that leads back to itself"),
        (LONG, "out", f"{LONG}: a name is too long"),
        (f"{LONG}.gz", "out", f"{LONG}.gz: a name is too long"),
        ("folder.gz", "out", "folder.gz: a folder, not a file"),
        ("in/a", "out", "in/a: a part of its path is a file"),
        ("nowhere", "out", "nowhere: no such file"),
        ("in", "read-only/out", "read-only/out: permission denied"),
        ("in", "read-only/deep/out", "read-only/deep: permission denied"),
        ("in", "loop/out", "loop"),
        ("in", LONG, f"{LONG}: a name is too long"),
        ("in", "in.gz/out", "in.gz"),
        ("in", "folder.gz", "folder.gz: a folder, not a file"),
    ],
)
def test_what_cannot_be_read_or_written_is_one_line(places, source, target, problem):
    if os.getuid() or not READABLE:
        pytest.skip("needs root, to be somebody else, and a checkout that others may read")
    before = sorted(path.name for path in places.iterdir())
    code = [sys.executable, "-c", COMMAND.replace("run(copy)", NOBODY + "run(copy)")]
    done = subprocess.run([*code, places / source, places / target], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"error: {places}/{problem}"), done.stderr
    assert len(done.stderr.splitlines()) == 1
    # Nothing is broken, and nobody is told to delete what cost an agreement to get.
    assert "broken" not in done.stderr and "delete" not in done.stderr
    assert sorted(path.name for path in places.iterdir()) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "name"),
    [
        ("seq2seq.model import Model; Model.read(place / 'locked')", "locked"),
        ("encoders.ngrams import NGrams; NGrams.read(place / 'ngrams')", "ngrams/ngrams.json"),
    ],
)
def test_a_model_that_may_not_be_read_is_not_called_missing_or_broken(places, read, name):
    if os.getuid() or not READABLE:
        pytest.skip("needs root, to be somebody else, and a checkout that others may read")
    (places / "ngrams").mkdir()
    (places / "ngrams").chmod(0o755)
    (places / "ngrams/ngrams.json").touch(mode=0)
    code = (
        "from pathlib import Path\nfrom workflow_scripts.core.command import run\n"
        f"import torch\nfrom workflow_scripts.{read.split('; ')[0]}\n"
        f"def load() -> None:\n    'Load.'\n    {read.split('; ')[1]}\n"
        f"place = Path({str(places)!r})\n{NOBODY}run(load)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.startswith(f"error: {places}/{name}: permission denied; "), done.stderr
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


SAVING = """
from pathlib import Path
from workflow_scripts.core.command import run
def save(target: Path) -> None:
    '''Save a state.

    :param target: folder
    '''
    import torch
    from workflow_scripts.training.state import TrainingState
    TrainingState(target, {}).save(1, {"x": torch.zeros(1_000_000)}, {})
run(save)
"""


def test_a_full_disk_while_text_is_written(small_disk, tmp_path):
    write_lines(tmp_path / "in", ["a rather long sentence"] * 50_000)
    command = [sys.executable, "-c", COMMAND, tmp_path / "in", small_disk / "out"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "/out: no space left on the disk; free some" in done.stderr, done.stderr
    assert os.listdir(small_disk) == []


@pytest.mark.slow
def test_a_full_disk_while_safetensors_are_written(small_disk):
    command = [sys.executable, "-c", SAVING, small_disk / "states"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "/000000001: no space left on the disk; free some" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not [path for path in small_disk.rglob("*") if path.is_file()]


def test_a_full_disk_while_a_folder_is_written(small_disk, tmp_path, module):
    situations = sorted((ROOT / "resources/demo/situations").glob("*.yaml"))
    held_out = {"gyafc_dev": 20, "gyafc_test": 20}
    make_world(tmp_path / "world", situations=situations, seed=1, xformal=20, **held_out)
    sizes = ("--gyafc-train", 4000, "--gyafc-dev", 20, "--gyafc-test", 20)
    done = module("corpora.demo.gyafc", small_disk / "GYAFC_Corpus", "--world", tmp_path / "world", *sizes)
    assert done.returncode == 2 and "no space left on the disk" in done.stderr.splitlines()[-1], done.stderr
    assert not [path for path in small_disk.rglob("*") if ".part" in path.name]


def test_a_read_only_file_system(small_disk):
    write_lines(small_disk / "in", ["a"])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    command = [sys.executable, "-c", COMMAND, small_disk / "in", small_disk / "out"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {small_disk}/out: the file system is read-only; ")


@pytest.mark.parametrize("number", BY_NUMBER)
def test_every_known_error_is_told_with_its_path(number):
    line = explained(OSError(number, os.strerror(number), "some/where"))
    assert str(line).startswith("some/where: ") and "\n" not in str(line)
    assert str(explained(OSError(number, os.strerror(number)), "other")).startswith("other: ")


def test_memory_that_is_not_there_is_told_however_a_library_says_it(tmp_path):
    import torch

    def beyond_all() -> None:
        torch.zeros(2**58)

    def in_numpy() -> None:
        numpy.zeros(2**58)

    def on_a_gpu() -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    for failing in (beyond_all, in_numpy, on_a_gpu):
        with pytest.raises(Exception, match=r"memory|allocate") as error, writing(tmp_path / "a"):
            failing()
        assert str(explained(error.value)).startswith(f"{tmp_path}/a: not enough memory; shorten very long")
    for said in (
        "CUDA error: out of memory",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "[enforce fail] DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes.",
    ):
        assert "not enough memory" in str(explained(RuntimeError(said), "a"))
    assert explained(RuntimeError("mat1 and mat2 shapes cannot be multiplied")) is None


def test_a_program_that_writes_more_than_a_file_may_have_is_told(tmp_path):
    command = f"ulimit -f 1; exec dd if=/dev/zero of={tmp_path}/a bs=1024 count=100"
    with pytest.raises(InputError, match="bash wrote a file that is larger than a file may be here; raise"):
        call(["bash", "-c", command])


def test_what_users_cannot_mend_is_no_line():
    for error in (
        OSError("text"),
        ValueError("x"),
        KeyError("x"),
        OSError(errno.ENOTEMPTY, "not empty", "a"),
    ):
        assert explained(error) is None


def test_a_bug_keeps_its_traceback():
    code = COMMAND.replace("write_lines(target", "missing(target")
    command = [sys.executable, "-c", code, ROOT / "Makefile", "out"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "NameError" in done.stderr and "Traceback" in done.stderr


def fail(number: int) -> Callable[..., None]:
    def failing(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return failing


def test_a_disk_that_fails_while_it_is_read(tmp_path, monkeypatch):
    write_lines(tmp_path / "a.gz", ["a"])
    monkeypatch.setattr(gzip.GzipFile, "read", fail(errno.EIO))
    monkeypatch.setattr(gzip.GzipFile, "readinto", fail(errno.EIO))
    with pytest.raises(InputError, match=r"a\.gz: the disk or the network file system failed"):
        list(lines(tmp_path / "a.gz"))


def test_an_error_of_writing_tells_the_file_and_not_its_temporary_name(tmp_path):
    with pytest.raises(OSError) as error, writing(tmp_path / "a"):
        fail(errno.ENOSPC)()
    assert str(explained(error.value)).startswith(f"{tmp_path}/a: no space left")


def test_a_name_with_a_line_feed_is_told_in_one_line(tmp_path):
    with pytest.raises(InputError) as error:
        list(lines(tmp_path / "a\nb\x1b"))
    assert str(error.value) == rf"{tmp_path}/a\nb\x1b: no such file"


PROGRESS = """
from pathlib import Path
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
def count() -> None:
    '''Count.'''
    for number in progress(range(10), "counting"):
        if number == 5:
            raise {error}
run(count)
"""


@pytest.mark.parametrize(
    ("error", "line"),
    [("InputError('wrong')", "error: wrong"), ("KeyboardInterrupt", "interrupted")],
)
def test_an_error_begins_its_own_line_after_a_progress_bar(error, line):
    command = [sys.executable, "-c", PROGRESS.format(error=error)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    assert done.stderr.decode().split("\n")[-2:] == [line, ""]
    assert b"counting" in done.stderr
