"""Commands of leaves, made from functions that compute their numbers."""

import inspect
import re
from pathlib import Path

import pytest

from tests.commands import parser
from tests.leaves.test_layout import CELLS
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.provenance import reachable
from workflow_scripts.leaves.command import Rows, Table, leaf
from workflow_scripts.leaves.comparison import Cell, Printed

KEYS = ("system", "part", "lang")


@pytest.fixture
def files(tmp_path):
    """Table and comparison, and a printed table."""
    (tmp_path / "printed.csv").write_text("system,part,lang,printed\ngold,dev,pt,4\n", encoding="utf-8")
    return tmp_path / "t.csv", tmp_path / "t.compare.csv", tmp_path / "printed.csv"


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (None, ["copy,dev,,3", "gold,dev,1,2"]),
        ([("gold", "dev"), ("copy", "dev"), ("mine", "dev")], ["gold,dev,1,2", "copy,dev,,3", "mine,dev,,"]),
    ],
)
def test_a_table_of_cells_and_its_comparison(files, rows, lines):
    table, comparison, printed = files
    made = leaf(*KEYS)(lambda *, columns: Table(CELLS, iter(columns), rows))
    made(table, comparison, columns=["pt", "fr"], printed=printed, scale="demo")
    assert lines_of(table) == ["system,part,pt,fr", *lines]
    assert lines_of(comparison) == [
        "system,part,lang,printed,ours,difference,comparable,signature",
        "gold,dev,pt,4,1,-3,no: demo,from g",
        "copy,dev,fr,,3,,no: demo,from c",
        "gold,dev,fr,,2,,no: demo,from g",
    ]


def test_rows_in_a_layout_of_their_own_with_a_figure(files, tmp_path):
    """The printed numbers and their file are given to a function that asks for them."""
    table, comparison, printed = files
    given: list[object] = []

    def shown(theirs: Printed, *, printed: Path) -> Rows:
        given.extend((dict(theirs), printed))
        cells = {
            ("gold", "dev", "pt"): Cell("4", "s", interval=("3", "5")),
            ("gold", "dev", "it"): Cell("1", "s"),
        }
        return Rows(cells, ("a", "b"), [(1, 2)], [*reversed(cells)], draw=Path.touch)

    made = leaf(*KEYS, scaled=False, drawn=True, intervals=True)(shown)
    made(tmp_path / "f.svg", table, comparison, printed=printed)
    assert given == [{("gold", "dev", "pt"): "4"}, printed]
    assert lines_of(table) == ["a,b", "1,2"] and (tmp_path / "f.svg").exists()
    assert lines_of(comparison)[1:] == ["gold,dev,it,,1,,,,no: not printed,s", "gold,dev,pt,4,4,0,3,5,yes,s"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "printed.csv"),
        ("system,part,printed\n", "no column lang"),
        ("system,part,lang,printed\na,b,c,-\n", r"printed\.csv:2: .*'-' is not a number"),
        ("system,part,lang,printed\na,b,c,+\n", r"^printed cell a, b, c: '\+' is not a number"),
    ],
)
def test_a_leaf_is_written_whole_or_not_at_all(files, tmp_path, content, message):
    """A figure too; a printed word in the place of a number is found when both are compared."""
    table, comparison, printed = files
    printed.write_text(content, encoding="utf-8")
    made = leaf(*KEYS, drawn=True, words=("+",))(
        lambda: Rows({("a", "b", "c"): Cell("1", "s")}, ["x"], [], draw=Path.touch)
    )
    with pytest.raises(InputError, match=message):
        made(tmp_path / "f.svg", table, comparison, printed=printed, scale="open")
    assert [path.name for path in tmp_path.iterdir()] == ["printed.csv"]


def test_a_leaf_may_read_printed_numbers_by_a_function_of_its_own(files):
    table, comparison, printed = files
    made = leaf("k", scaled=False, read=lambda path: Printed({("x",): path.name}))(
        lambda theirs: Rows({}, [*theirs.values()], [])
    )
    made(table, comparison, printed=printed)
    assert lines_of(table) == ["printed.csv"]
    assert inspect.signature(made).parameters.keys() == {"table", "comparison", "printed"}
    assert not re.search(":param (figure|scale):", made.__doc__ or "")


def test_a_command_has_the_options_of_its_function_and_describes_all():
    @leaf("lang", intervals=True, drawn=True)
    def shown(theirs: Printed, *, size: int = 3) -> Table:
        """Write something.

        :param table: CSV to write: lang, n
        :param size: of what
        """
        return Table({}, [])

    assert (
        str(inspect.signature(shown))
        .replace("pathlib.", "")
        .startswith(
            "(figure: Path, table: Path, comparison: Path, *, size: int = 3, printed: Path, scale: Literal["
        )
    )
    assert shown.__name__ == "shown"
    first, _, *described = (inspect.getdoc(shown) or "").splitlines()
    assert first == "Write something."
    assert described == [
        *(":param table: CSV to write: lang, n", ":param size: of what", ":param figure: SVG to write"),
        ":param comparison: CSV to write: lang, printed, ours, difference, ci_low, ci_high, comparable,"
        " signature",
        ":param printed: CSV: lang, printed",
        ":param scale: the run's scale; only numbers of the scale `paper` are comparable with the printed"
        " ones",
    ]


def test_the_command_line_of_a_leaf(module):
    """Every option is described, and needed where the function needs it."""
    told = " ".join(module("papers.tydip.table11_scratch", "--help").stdout.split())
    for text in (
        "CSV to write: strategy, word, one column",
        "the run's scale; only",
        "sha256 of the printed",
    ):
        assert text in told
    wanted = parser("papers.tydip.table11_scratch")
    assert wanted.positional == ["table", "comparison"]
    assert wanted.required == {"lexicons", "languages", "printed", "scale"}
    done = module("papers.tydip.table11_scratch", "t.csv", "c.csv", "--lexicons=none", "--languages=de")
    assert done.returncode == 2 and "--printed" in done.stderr and "--scale" in done.stderr


def test_an_import_from_a_leaf_does_not_reach_its_command():
    """Its decorator makes a command and does nothing else, so that modules may import from it."""
    found = reachable("papers.tydip.table11_scratch")
    assert {"papers.tydip.table11.most_frequent", "leaves.command.leaf"} <= found
    assert "papers.tydip.table11.table11" not in found
