"""Text models of either kind: this workflow's own, and that of a translator which Sockeye has trained."""

from pathlib import Path

from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.sockeye_text import CODES, SockeyeText


def read_text_model(folder: Path) -> Pipeline:
    """Read a text model; InputError if the folder is not one or its files do not match."""
    return SockeyeText.load(folder) if (Path(folder) / CODES).exists() else Pipeline.load(folder)
