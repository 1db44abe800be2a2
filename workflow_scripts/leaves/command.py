"""Commands of leaves, made of functions that compute what a leaf shows and write nothing."""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Any

from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.comparison import INTERVAL, Cells, Printed, Scale, read_printed, write_comparison
from workflow_scripts.leaves.layout import in_layout


@dataclass(frozen=True)
class Table:
    """A table of cells. The key of a cell is its row key followed by the name of its column."""

    cells: Cells
    columns: Iterable[str]
    # The row keys in order, by default those of `cells`.
    rows: Iterable[tuple[str, ...]] | None = None

    def write(self, path: Path, keys: Sequence[str]) -> None:
        """Write the table, whose first columns are the parts of a row key."""
        rows = dict.fromkeys(key[:-1] for key in self.cells) if self.rows is None else self.rows
        columns = list(self.columns)
        write_csv(path, (*keys[:-1], *columns), in_layout(rows, columns, self.cells))


@dataclass(frozen=True)
class Rows:
    """A table in a layout of its own, and the cells that are compared."""

    cells: Cells
    header: Sequence[str]
    rows: Iterable[Sequence[object]]
    # The cells of the comparison in order; by default the printed ones come first.
    order: Sequence[tuple[str, ...]] = ()
    # Draws and writes the leaf's figure.
    draw: Callable[[Path], None] | None = None

    def write(self, path: Path, keys: Sequence[str]) -> None:
        """Write the table; `keys` do not matter."""
        write_csv(path, self.header, self.rows)


Shown = Callable[..., Table | Rows]


def leaf(
    *keys: str,
    scaled: bool = True,
    drawn: bool = False,
    intervals: bool = False,
    words: Collection[str] = (),
    read: Callable[[Path], Printed] | None = None,
) -> Callable[[Shown], Callable[..., None]]:
    """The decorator that makes a leaf's command of a function.

    The command writes `table` and `comparison`, or `figure` and these, and has the function's options and two
    more: `printed`, the file of the printed numbers, and `scale`, that of the run. The function's docstring
    describes its own options and the columns of `table`. A function with a parameter `theirs` is given the
    printed numbers, one with `printed` their file; cells that it adds to `theirs`, or removes, are so in the
    comparison too. Nothing is written before the printed numbers are checked.

    :param keys: the names of the parts of a cell's key, with which the lines of the comparison begin
    :param scaled: whether the numbers depend on the scale of the run
    :param drawn: whether the leaf is a figure too
    :param intervals: whether the comparison has confidence intervals
    :param words: what a printed cell may contain instead of a number
    :param read: reads printed numbers that are in another layout, or have to be checked; in place of `words`
    """

    def made_of(function: Shown) -> Callable[..., None]:
        own = inspect.signature(function, eval_str=True).parameters
        signature = _signature(own, scaled=scaled, drawn=drawn)

        @wraps(function)
        def command(*args: Any, **options: Any) -> None:
            given = signature.bind(*args, **options).arguments
            printed = given["printed"]
            theirs = read(printed) if read else read_printed(printed, *keys, words=words)
            given["theirs"] = theirs
            shown = function(**{name: one for name, one in given.items() if name in own})
            write_comparison(
                given["comparison"],
                keys,
                theirs,
                shown.cells,
                scale=given.get("scale"),
                intervals=intervals,
                order=shown.order if isinstance(shown, Rows) else (),
            )
            shown.write(given["table"], keys)
            if drawn:
                assert isinstance(shown, Rows) and shown.draw, "a figure needs `draw`"
                shown.draw(given["figure"])

        command.__signature__ = signature  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
        command.__doc__ = _described(function, signature, keys, intervals)
        return command

    return made_of


def _signature(own: Mapping[str, Parameter], *, scaled: bool, drawn: bool) -> inspect.Signature:
    """The parameters of a command: its files, the options of its function, then those of all leaves."""
    files = [*(["figure"] if drawn else []), "table", "comparison"]
    options = {name: one for name, one in own.items() if name not in ("theirs", "printed")}
    added = {"printed": Path} | ({"scale": Scale} if scaled else {})
    return inspect.Signature(
        [
            *(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=Path) for name in files),
            *options.values(),
            *(Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in added.items()),
        ]
    )


def _described(function: Shown, signature: inspect.Signature, keys: Sequence[str], intervals: bool) -> str:
    """The docstring of a function, and descriptions of the parameters that it does not describe itself."""
    said = inspect.cleandoc(function.__doc__ or "")
    bounds = INTERVAL if intervals else ()
    compared = (*keys, "printed", "ours", "difference", *bounds, "comparable", "signature")
    texts = {
        "figure": "SVG to write",
        "comparison": f"CSV to write: {', '.join(compared)}",
        "printed": f"CSV: {', '.join((*keys, 'printed'))}",
        "scale": "the run's scale; only numbers of the scale `paper` are comparable with the printed ones",
    }
    added = [
        f":param {name}: {text}"
        for name, text in texts.items()
        if name in signature.parameters and f":param {name}:" not in said
    ]
    return "\n".join([said, *added])
