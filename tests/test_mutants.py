"""That mutmut can change the functions of leaves."""

import pytest

from tests.conftest import ROOT
from tests.mutants import NESTED, undecorated

LEAF = """@leaf("lang")
def table1(*, words: Path) -> Table:
    return Table({}, [])


def other() -> None:
    pass


if __name__ == "__main__":
    run(table1)
"""


def test_every_leaf_is_undecorated_but_those_nested_in_another_function():
    folder = ROOT / "workflow_scripts/papers"
    leaves = [path for path in folder.glob("*/*.py") if "@leaf(" in path.read_text(encoding="utf-8")]
    decorated = [path for path in leaves if "@leaf(" in undecorated(path)]
    assert len(leaves) > 50
    assert sorted(path.relative_to(folder).as_posix() for path in decorated) == sorted(NESTED)


def test_a_command_is_made_at_the_end_of_its_module(tmp_path):
    path = tmp_path / "table1.py"
    path.write_text(LEAF, encoding="utf-8")
    made = 'table1 = leaf("lang")(table1)'
    wanted = LEAF.replace('@leaf("lang")\n', "").replace("if __name__", f"{made}\n\n\nif __name__")
    assert undecorated(path) == wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('@leaf("lang")', '@leaf(\n    "lang",\n)'),
        ("def other", '@leaf("metric")\ndef other'),
        ("if __name__", "if name"),
    ],
)
def test_a_leaf_of_another_form_is_refused(tmp_path, before, after):
    path = tmp_path / "table1.py"
    path.write_text(LEAF.replace(before, after), encoding="utf-8")
    with pytest.raises(ValueError, match=r"table1\.py: @leaf"):
        undecorated(path)
