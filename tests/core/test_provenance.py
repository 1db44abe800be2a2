from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

from workflow_scripts import __version__
from workflow_scripts.core import provenance


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of three modules: a imports b inside a function, c stands alone."""
    (tmp_path / "stage").mkdir()
    (tmp_path / "stage" / "__init__.py").write_text('"""A stage."""\n')
    (tmp_path / "stage" / "a.py").write_text(
        'def f():\n    """Doc."""\n    from workflow_scripts.stage import b\n    return b.g()\n'
    )
    (tmp_path / "stage" / "b.py").write_text("def g():\n    return 1  # one\n")
    (tmp_path / "stage" / "c.py").write_text("def h():\n    return 2\n")
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    return tmp_path


def digest(module: str) -> str:
    provenance.code_of.cache_clear()
    provenance._parse.cache_clear()
    return provenance.code_of(module)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_comments_docstrings_and_layout_change_nothing(package: Path) -> None:
    before = digest("stage.a")
    edit(package / "stage" / "b.py", "# one", "# the number one")
    edit(package / "stage" / "a.py", '"""Doc."""', '"""Another docstring."""')
    edit(package / "stage" / "a.py", "return b.g()", "return (\n        b.g()\n    )")
    assert digest("stage.a") == before


def test_an_edited_function_reaches_who_imports_it_and_nobody_else(package: Path) -> None:
    before = {name: digest(f"stage.{name}") for name in "abc"}
    edit(package / "stage" / "b.py", "return 1", "return 3")
    after = {name: digest(f"stage.{name}") for name in "abc"}
    assert [name for name in "abc" if before[name] != after[name]] == ["a", "b"]


def test_an_unknown_module_is_a_bug() -> None:
    with pytest.raises(ValueError, match=r"no module workflow_scripts\.nowhere"):
        digest("nowhere")


def test_one_version_everywhere() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["version"] == cited["version"] == __version__
