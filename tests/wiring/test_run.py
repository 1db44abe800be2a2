import pytest


def test_missing_files_stop_the_run_with_one_line_each(demo, tmp_path, capsys):
    there = tmp_path / "there"
    there.touch()
    # What the workflow makes is not missing.
    assert demo.run.files("key", {str(there): "", "build/made.txt": ""}) == [str(there), "build/made.txt"]
    with pytest.raises(SystemExit) as stopped:
        demo.run.files("key", {"a": "French"}, {str(there): "", "b": ""})
    assert stopped.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: configuration: key: no such file: b",
        "error: configuration: key: no such file: a (French)",
    ]


def test_of_many_missing_files_ten_are_told(demo, capsys):
    with pytest.raises(SystemExit):
        demo.run.files("key", {f"none{number}": "" for number in range(12)})
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11 and lines[-1] == "error: configuration: key: and 2 further files"
