import sys

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.core.processes import call
from workflow_scripts.core.tools import install


def test_calls_return_the_wanted_lines_of_what_programs_print(tmp_path, capsys):
    (tmp_path / "in").write_text("çé\n", encoding="utf-8")
    script = "import os, sys; print(input(), os.environ['EXTRA']); print('warned', file=sys.stderr)"
    said = call([sys.executable, "-c", script], env={"EXTRA": "1"}, stdin=tmp_path / "in", keep="")
    assert sorted(said) == ["warned", "çé 1"]
    assert not call([sys.executable, "-c", "print('not wanted')"])
    # However much comes after a line.
    script = "for number in range(3000): print('line', number)"
    assert call([sys.executable, "-c", script], keep=r"^line (7|2999)$") == ["line 7", "line 2999"]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "çé 1" in captured.err


def test_failed_calls_say_why():
    with pytest.raises(InputError, match=r"failed \(exit code 1\): ValueError: no good; read the log"):
        call([sys.executable, "-c", "raise ValueError('no good')"])
    with pytest.raises(InputError, match="it printed nothing"):
        call([sys.executable, "-c", "raise SystemExit(4)"])
    # A line that ends with a colon says nothing by itself.
    script = (
        "print('OSError in file Snakefile, line 15:\\n[Errno 27] File too large: x.csv'); raise SystemExit(1)"
    )
    with pytest.raises(InputError, match=r"line 15: \[Errno 27\] File too large: x\.csv"):
        call([sys.executable, "-c", script])


def test_what_is_no_program(tmp_path):
    for name, data in (("empty", b""), ("text", b"nothing that runs\n"), ("half", b"\x7fELF\x02")):
        path = tmp_path / name
        path.write_bytes(data)
        path.chmod(0o755)
        with pytest.raises(InputError, match=rf"{name}: no such program, or not executable; read the log"):
            call([path])
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "loop", tmp_path / "empty" / "x", tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="no such program, or not executable"):
            call([path])


def test_locks_without_packages(tmp_path):
    (tmp_path / "lock.txt").write_text("# nothing\n\n")
    with pytest.raises(InputError, match="no packages in this lock file"):
        install(tmp_path / "v", tmp_path / "done", lock=tmp_path / "lock.txt")


def test_what_is_built_reads_models_of_seven_words(tmp_path, monkeypatch):
    (tmp_path / "lock.txt").write_text("kenlm==0.3.0\n")
    calls = []
    monkeypatch.setattr("workflow_scripts.core.tools.call", lambda command, **options: calls.append(options))
    monkeypatch.setenv("CMAKE_BUILD_PARALLEL_LEVEL", "3")
    install(tmp_path / "v", tmp_path / "done", lock=tmp_path / "lock.txt")
    variables = calls[-1]["env"]
    assert variables["MAX_ORDER"] == "7"
    # No wheel that was built without it.
    assert (
        variables["UV_CACHE_DIR"] == str(tmp_path / "v" / ".cache") and variables["PIP_NO_CACHE_DIR"] == "1"
    )
    assert variables["CMAKE_BUILD_PARALLEL_LEVEL"] == "3"


@pytest.mark.slow
def test_failed_installations_are_not_done(tmp_path):
    venv, done, lock = tmp_path / "v", tmp_path / "v" / ".done", tmp_path / "lock.txt"
    venv.mkdir()
    (venv / "old").touch()
    done.touch()
    lock.write_text(f"nothing @ file://{tmp_path}/nothing.whl\n")
    with pytest.raises(InputError, match=r"python failed \(exit code 1\): ERROR: .*nothing"):
        install(venv, done, lock=lock)
    assert not done.exists()
    assert not (venv / "old").exists()
    lock.write_text("# an environment with one package\nsix==1.17.0 ; python_version >= '3'\n")
    install(venv, done, lock=lock)
    assert read_lines(done) == read_lines(lock)
    assert call([venv / "bin" / "python", "-c", "import six; print(six.__version__)"], keep="") == ["1.17.0"]
    # A run in another directory, which has seen no tool, uses the one that is there by now.
    used = (venv / "used").resolve()
    used.touch()
    done.unlink()
    install(venv, done, lock=lock)
    assert read_lines(done) == read_lines(lock) and used.exists()
    # Not whole: a killed installation.
    (venv / "installed.txt").unlink()
    install(venv, done, lock=lock)
    assert not used.exists()


@pytest.mark.slow
def test_what_uv_cannot_install_pip_installs(tmp_path, monkeypatch, capfd):
    lock = tmp_path / "lock.txt"
    lock.write_text("six==1.17.0\n")
    # uv finds no package there; pip reads no such variable.
    monkeypatch.setenv("UV_DEFAULT_INDEX", tmp_path.as_uri())
    monkeypatch.setenv("UV_INDEX", tmp_path.as_uri())
    monkeypatch.setenv("UV_FIND_LINKS", "")
    install(tmp_path / "v", tmp_path / "v" / ".done", lock=lock)
    assert "uv failed, pip is tried" in capfd.readouterr().err
    assert call([tmp_path / "v" / "bin" / "python", "-c", "import six; print(six.__version__)"], keep="")
    assert not (tmp_path / "v" / ".cache").exists()
