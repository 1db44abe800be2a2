"""The style and the format of all figures: SVG, colour-blind safe colours, the same bytes each time.

Text in an SVG stays text. A figure has a title and a description for readers who cannot see it, and never
relies on colour alone: lines have dashes, cells have numbers.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.files import writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which people with any colour vision can tell apart.
COLOURS = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky blue": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
}
SETTINGS: Any = {
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "svg.fonttype": "none",
    # Labels are plain text, even with dollar signs.
    "text.parse_math": False,
    "svg.hashsalt": "tuvous",
}
# Characters that XML forbids; matplotlib writes them unchanged.
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Drawn:
    """A figure, and its text alternative."""

    figure: Figure
    title: str
    description: str


@contextmanager
def styled() -> Iterator[None]:
    """Draw with the project's settings, whatever matplotlibrc the user has."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def save(figure: Figure, path: Path, *, title: str, description: str) -> None:
    """Write a figure as SVG: no date, fixed ids, `title` and `description` as its text alternative.

    Call it inside `styled`. The same figure gives the same bytes with the same version of matplotlib.
    """
    drawn = io.StringIO()
    empty = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(drawn, format="svg", metadata=empty)  # type: ignore[arg-type]
    spoken = (
        f'<title id="title">{escape(title)}</title>\n <desc id="description">{escape(description)}</desc>'
    )
    text, replaced = re.subn(
        r"(<svg [^>]*)>",
        lambda match: f'{match[1]} role="img" aria-labelledby="title description">\n {spoken}',
        drawn.getvalue(),
        count=1,
    )
    if not replaced:
        raise ValueError("matplotlib wrote no <svg> element")
    with writing(path) as stream:
        stream.write(NO_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def drawing(draw: Callable[[], Drawn]) -> Callable[[Path], None]:
    """A function that draws in the project's style, and saves the figure where it is told to."""

    def write(path: Path) -> None:
        with styled():
            drawn = draw()
            save(drawn.figure, path, title=drawn.title, description=drawn.description)

    return write


def tint(colour: str, strength: float) -> str:
    """A colour mixed with white: strength 0 is white, 1 the colour itself; it is clipped to this range."""
    share = min(max(strength, 0.0), 1.0)
    channels = (int(COLOURS[colour][i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (channel - 255) * share):02x}" for channel in channels)
