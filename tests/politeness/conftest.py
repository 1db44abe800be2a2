from collections.abc import Mapping, Sequence

import pytest

from tests.tables import put
from workflow_scripts.politeness.hits import hits
from workflow_scripts.politeness.ratings import ratings
from workflow_scripts.politeness.simulate import simulate

WORDS = {
    "Please": [("please", [("bitte", 9), (",", 4)])],
    "Please_start": [("please", [("bitte", 9), (",", 4)])],
    "Deference": [("great", [("toll", 3), ("sehr _ gut", 2), ("super", 1)]), ("nice", [])],
    "HASNEGATIVE": [("a+", []), ("bad", [("schlecht", 1)])],
}
REQUESTS = [
    ("Bitte hilf mir. Geht das?", 1.5),
    ('Das ist "toll", bitte. Machst du mit?', 1.0),
    ("Sehr, sehr gut. Wirklich?", 0.5),
    ("Ganz schlecht. Warum?", -0.5),
    ("Tollhaus! Was soll das?", -1.0),
    ("Nein. Bitte?", -1.5),
]
ENGLISH = [
    ("Please help. Can you?", 1.0),
    ("A bad idea. Why?", -1.0),
    ("Well. Do you?", 0.1),
    ("So. You?", -0.2),
]


def strategies(lexicon: Mapping[str, Sequence[tuple[str, list]]]) -> list[tuple[str, str, str]]:
    """The rows of a file of strategies: English words with what they are in the language, by strategy."""
    rows = []
    for strategy, words in lexicon.items():
        rows.append((f"Strategy - {strategy}", "", ""))
        rows += [(word, str(found), str(bool(found))) for word, found in words]
    return rows


@pytest.fixture
def corpus(tmp_path):
    """A corpus of one invented language in TyDiP's official layout, and English."""
    folder = tmp_path / "tydip"
    put(folder / "data/all/xx_test.csv", ("sentence", "score"), REQUESTS)
    outer = [REQUESTS[i] for i in (0, 1, 4, 5)]
    put(folder / "data/binary/xx_test_binary.csv", ("sentence", "score"), outer)
    for part in ("train", "test"):
        put(folder / f"data/all/en_{part}.csv", ("sentence", "score"), ENGLISH)
        put(folder / f"data/binary/en_{part}_binary.csv", ("sentence", "score"), ENGLISH[:2])
    put(folder / "strategies/xx.csv", ("0", "1", "2"), strategies(WORDS))
    return folder


@pytest.fixture
def rated(corpus):
    """A folder with the sheet of the corpus' language, simulated ratings and what is checked of them."""
    folder = corpus.parent
    sizes = {"english": 3, "target": 4, "page": 2, "seed": 1}
    hits(folder / "sheets", corpus=corpus, languages=["xx"], **sizes)
    options = {"raters": 4, "judgments": 3, "stretch": 1.5, "bias": 0.4, "noise": 0.5, "seed": 1}
    simulate(folder / "sent", sheets=[folder / "sheets/xx.csv"], corpus=corpus, **options)
    ratings(folder / "checked", sheets=[folder / "sheets/xx.csv"], folder=folder / "sent")
    return folder
