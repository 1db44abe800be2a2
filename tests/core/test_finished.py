"""Tables that a run makes again are kept until they are made."""

from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.finished import keep, put_back


def test_what_is_gone_comes_back_and_what_was_made_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gone, made, never = Path("results/a/gone.csv"), Path("results/made.csv"), Path("results/never.csv")
    gone.parent.mkdir(parents=True)
    for path in (gone, made):
        path.write_text("old\n", encoding="utf-8")
    keep([gone, made, never], Path("build/finished"))
    gone.unlink()
    made.write_text("new\n", encoding="utf-8")
    # A killed run puts nothing back; what it kept is not lost by the next one.
    keep([gone], Path("build/finished"))
    assert put_back(Path("build/finished")) == [gone]
    assert (gone.read_text(encoding="utf-8"), made.read_text(encoding="utf-8")) == ("old\n", "new\n")
    assert not never.exists() and not Path("build/finished").exists()
    assert put_back(Path("build/finished")) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text("old\n", encoding="utf-8")
    Path("build").write_text("no folder\n", encoding="utf-8")
    with pytest.raises(InputError, match="build/finished: a part of its path is a file"):
        keep([Path("table.csv")], Path("build/finished"))
