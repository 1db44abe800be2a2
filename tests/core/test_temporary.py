"""Replacing files, the remains of a kill, and sweeping them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core import temporary
from workflow_scripts.core.files import read_lines, write_lines, writing, writing_folder
from workflow_scripts.core.temporary import machine, replacing, scratch, sweep

WEEK = 7 * 24 * 3600


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_two_who_write_one_file_have_two_temporary_names(tmp_path):
    with writing(tmp_path / "a") as one:
        with writing(tmp_path / "a") as two:
            two.write("two\n")
            assert len(names(tmp_path)) == 2
            assert all(f"{machine()}-{os.getpid()}-" in name for name in names(tmp_path))
        one.write("one\n")
    assert names(tmp_path) == ["a"] and read_lines(tmp_path / "a") == ["one"]


KILLED = """
import os, signal, sys
from pathlib import Path
from workflow_scripts.core.files import writing, writing_folder
target, kind = Path(sys.argv[1]), sys.argv[2]
if kind == "file":
    with writing(target) as stream:
        stream.write("half")
        stream.flush()
        os.kill(os.getpid(), signal.SIGKILL)
if kind == "between":
    rename = os.rename
    def killed(old, new):
        rename(old, new)
        os.kill(os.getpid(), signal.SIGKILL)
    os.rename = killed
with writing_folder(target) as folder:
    (folder / "new").touch()
    if kind == "folder":
        os.kill(os.getpid(), signal.SIGKILL)
"""


def kill(target: Path, kind: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, target, kind], cwd=ROOT, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_who_writes_again_sweeps_what_a_kill_left(tmp_path, kind):
    target, other = tmp_path / "out", tmp_path / "out.txt"
    kill(target, kind)
    kill(other, "file")
    assert len(names(tmp_path)) == 2
    if kind == "file":
        write_lines(target, ["whole"])
    else:
        with writing_folder(target) as folder:
            (folder / "whole").touch()
    # Of another target nothing is touched.
    left = names(tmp_path)
    assert left[-1] == "out" and len(left) == 2 and left[0].startswith(".out.txt.")


def test_a_folder_that_is_being_replaced_is_never_lost(tmp_path):
    target = tmp_path / "folder"
    with writing_folder(target) as folder:
        (folder / "old").touch()
    kill(target, "between")
    assert not target.exists() and any((tmp_path / name / "old").exists() for name in names(tmp_path))
    with pytest.raises(RuntimeError), writing_folder(target):
        assert names(target) == ["old"]
        raise RuntimeError
    assert names(tmp_path) == ["folder"] and names(target) == ["old"]
    with writing_folder(target) as folder:
        (folder / "new").touch()
        assert names(target) == ["old"]
    assert names(tmp_path) == ["folder"] and names(target) == ["new"]


def test_where_the_new_folder_cannot_take_its_place_the_old_one_stays(tmp_path, monkeypatch):
    target = tmp_path / "folder"
    with writing_folder(target) as folder:
        (folder / "old").touch()
    rename, renames = os.rename, []

    def failing(source: Path, name: Path) -> None:
        renames.append(source)
        if len(renames) == 2:
            raise OSError(5, "Input/output error", str(source), None, str(name))
        rename(source, name)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(OSError, match="folder"), writing_folder(target) as folder:
        (folder / "new").touch()
    assert len(renames) == 3
    assert names(tmp_path) == ["folder"] and names(target) == ["old"]


def test_only_what_nobody_writes_any_more_is_swept(tmp_path):
    here, there = machine(), "0" * 8
    kept = [
        f".a.{here}-{os.getppid()}-00000000.part",
        f".a.{there}-{dead()}-00000000.part",
        ".a.1.part",
        ".a.b.1-1.part",
        f".ab.{here}-{dead()}-00000000.part",
        "a",
    ]
    swept = [f".a.{here}-{dead()}-00000000.part", f".a.{here}-{2**40}-00000000.part"]
    for name in (*kept, *swept):
        (tmp_path / name).touch()
    folder = tmp_path / f".a.{there}-7-00000001.part"
    folder.mkdir()
    (folder / "file").touch()
    sweep(tmp_path / "a")
    assert names(tmp_path) == sorted([*kept, folder.name])
    # Of another machine, and of names without one, only what has not changed for long.
    for name in kept[:4]:
        age(tmp_path / name, WEEK + 60)
    age(folder, WEEK + 60)
    sweep(tmp_path / "a")
    assert names(tmp_path) == sorted([*kept[3:], folder.name])
    age(folder / "file", WEEK + 60)
    age(folder, WEEK + 60)
    sweep(tmp_path / "a")
    assert names(tmp_path) == sorted(kept[3:])


@pytest.mark.parametrize("length", [255, 200, 1])
def test_a_long_name_can_be_written(tmp_path, length):
    write_lines(tmp_path / ("n" * length), ["a"])
    kill(tmp_path / ("n" * length), "file")
    write_lines(tmp_path / ("n" * length), ["b"])
    assert names(tmp_path) == ["n" * length]


def test_all_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    events: list[str] = []
    sync, put = temporary._sync, temporary._put

    def noted(path: Path) -> None:
        events.append(path.name if path.parent != tmp_path else path.name.partition(".")[0] or "temporary")
        sync(path)

    def named(part: Path, path: Path) -> None:
        events.append("renamed")
        put(part, path)

    monkeypatch.setattr(temporary, "_sync", noted)
    monkeypatch.setattr(temporary, "_put", named)
    write_lines(tmp_path / "a", ["a"])
    assert events == ["temporary", "renamed", tmp_path.name]
    events.clear()
    with writing_folder(tmp_path / "folder") as folder:
        (folder / "in").mkdir()
        write_lines(folder / "in/a", ["a"])
        write_lines(folder / "b", ["b"])
    # The folder's files together, at its end.
    assert events[:2] == ["renamed", "renamed"]
    assert sorted(events[2:-2]) == ["a", "b", "in", "temporary"]
    assert events[-2:] == ["renamed", tmp_path.name]


def test_a_link_to_a_folder_is_replaced_and_the_folder_is_not(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real/mine").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with replacing(tmp_path / "link", folder=True) as part:
        (part / "new").touch()
    assert names(tmp_path / "link") == ["new"] and names(tmp_path / "real") == ["mine"]


def test_a_scratch_folder_goes_at_the_end_and_after_a_kill(tmp_path):
    target = tmp_path / "deep" / "model"
    with scratch(target) as place:
        (place / "tokens").write_text("half\n")
        # What is written meanwhile sweeps what others have left, and not this.
        with replacing(target) as part:
            part.write_text("whole\n")
        assert (place / "tokens").exists()
    assert [path.name for path in target.parent.iterdir()] == ["model"]
    code = (
        "import os, sys; from pathlib import Path; from workflow_scripts.core.temporary import scratch\n"
        "with scratch(Path(sys.argv[1])) as place: (place / 'tokens').touch(); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", code, target], cwd=ROOT)
    assert done.returncode == 9 and len(list(target.parent.iterdir())) == 2
    with scratch(target):
        assert len(list(target.parent.iterdir())) == 2
    assert [path.name for path in target.parent.iterdir()] == ["model"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system shows no states of processes")
def test_a_process_that_nobody_has_waited_for_has_ended():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not temporary.runs(process.pid)
    assert temporary.runs(os.getpid())
