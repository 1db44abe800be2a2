"""The leaf of PT16, the formality ratings of Pavlick and Tetreault (2016)."""

from workflow_scripts.wiring.leaves import MadeOf
from workflow_scripts.wiring.subjects import Subjects

GENRES = ["answers", "blog", "email", "news"]


def leaves(subjects: Subjects) -> dict[str, MadeOf]:
    """The ratings of each genre."""
    rows = subjects.corpora.entries("pt16", "2016")
    files = [subjects.corpora.path(rows[genre]) for genre in GENRES]
    return {"pt16": MadeOf({"files": files}, {"genres": GENRES})}
