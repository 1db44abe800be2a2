"""Tables 4, 5 (labels) and 10 of CoCoA-MT: printed numbers, and small tables by hand."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.sheets import Entry, Item, Rating, write_key, write_ratings, write_translations
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.cocoa_mt.labels import NOT_RELEASED, read_judged
from workflow_scripts.papers.cocoa_mt.table4 import KEYS, table4
from workflow_scripts.papers.cocoa_mt.table5_labels import table5_labels
from workflow_scripts.papers.cocoa_mt.table10 import COLUMNS, table10

PRINTED = ROOT / "resources/printed/cocoa-mt"
# Language by language: F, I, N and O of A and of B, and the agreement.
PAPER = {
    "de": ((45.7, 46.0, 3.0, 5.4), (49.8, 39.8, 3.7, 6.7), 0.93),
    "es": ((26.8, 67.4, 1.5, 4.2), (28.0, 66.1, 1.2, 4.7), 0.91),
    "fr": ((68.6, 24.6, 0.5, 6.4), (72.7, 18.6, 0.5, 8.2), 0.94),
    "hi": ((81.7, 3.2, 1.7, 13.5), (87.7, 5.2, 1.5, 5.7), 0.96),
    "it": ((3.7, 74.9, 14.4, 7.0), (1.3, 93.3, 2.7, 2.7), 0.92),
    "ja": ((29.0, 42.2, 2.0, 24.2), (73.8, 1.7, 2.0, 20.0), 0.82),
}
# Table 10, informal and formal: accuracy, its gain, score, its gain.
HELD_OUT = {
    "de": ((79.9, 30.2, 4.3, 0.0), (90.4, 33.3, 4.7, 0.4)),
    "es": ((75.4, 2.0, 5.1, 0.5), (70.1, 49.5, 5.6, 2.2)),
    "fr": ((38.0, 31.2, 4.3, 4.0), (89.7, -3.4, 5.0, 6.9)),
    "it": ((93.1, 21.7, 4.3, 1.4), (92.6, 91.9, 4.9, 2.6)),
    "ja": ((80.5, 67.5, 3.9, 3.0), (69.1, -13.0, 4.3, 6.4)),
}
LABELS = ("formal", "informal", "neutral", "other")


def test_the_printed_table_4_is_the_papers():
    found = {key: float(text) for key, text in read_printed(PRINTED / "table4.csv", *KEYS).items()}
    wanted = {
        (language, system, label): number
        for language, (*rows, _) in PAPER.items()
        for system, row in zip("AB", rows, strict=True)
        for label, number in zip(LABELS, row, strict=True)
    } | {(language, "both", "alpha"): alpha for language, (*_, alpha) in PAPER.items()}
    assert found == wanted | {("average", "both", "alpha"): 0.91}
    for language, (*rows, _) in PAPER.items():
        for row in rows:
            # docs/differences.md: Japanese.
            assert abs(sum(row) - (97.45 if language == "ja" else 100)) < 0.11
    assert sum(alpha for *_, alpha in PAPER.values()) / 6 == pytest.approx(0.91, abs=0.005)


def test_both_tables_5_have_the_same_printed_numbers():
    one, other = ((PRINTED / f"{name}.csv").read_bytes() for name in ("table5", "table5-labels"))
    assert one == other


@pytest.fixture
def judged(canonical, tmp_path):
    """Six texts of two systems with the labels of two raters; one text is of both systems."""
    make_test_set(tmp_path / "test", corpus=canonical("de"))
    texts = {
        # Sentence, text, systems, labels.
        "a": (1, "Sind Sie sich sicher ?", "AB", ("formal", "formal")),
        "b": (1, "Bist du sicher ?", "A", ("informal", "informal")),
        "c": (2, "Würden Sie warten ?", "A", ("formal", "formal")),
        "d": (2, "Könntest du warten ?", "B", ("informal", "formal")),
        "e": (3, "Ein Lehrer ?", "B", ("neutral", "neutral")),
        "f": (3, "Bist du Lehrer ?", "B", ("informal", "informal")),
    }
    files = {name: tmp_path / f"{name}.csv" for name in ("sheet", "key", "ratings", "systems")}
    write_translations(
        files["sheet"], [Item(name, 1, "level", source="x", text=one[1]) for name, one in texts.items()]
    )
    write_key(files["key"], [Entry(n, "level", s, who, 0) for n, (s, _, w, _) in texts.items() for who in w])
    write_ratings(
        files["ratings"],
        [
            Rating(f"r{i}", n, "level", value)
            for n, (*_, said) in texts.items()
            for i, value in enumerate(said)
        ],
    )
    write_csv(files["systems"], ("system", "label"), [["A", "ONE"], ["B", "TWO"]])
    return {
        "sheets": [files["sheet"]],
        "item_keys": [files["key"]],
        "ratings": [files["ratings"]],
        "languages": ["de"],
    }


def rows(path: Path, *keys: str) -> dict[tuple[str, ...], dict[str, str]]:
    return {tuple(row[key] for key in keys): row for _, row in read_rows(path, keys)}


def test_table_4_by_hand(judged, tmp_path):
    files = (tmp_path / "t.csv", tmp_path / "t.compare.csv")
    options = {"systems": tmp_path / "systems.csv", "printed": PRINTED / "table4.csv", "scale": "demo"}
    table4(*files, **judged, **options, simulated=True)
    found = rows(files[0], "lang", "system")
    assert list(found) == [("de", "ONE"), ("de", "TWO"), ("de", "both"), ("average", "both")]
    assert [found["de", "ONE"][label] for label in LABELS] == ["66.7", "33.3", "0.0", "0.0"]
    assert [found["de", "TWO"][label] for label in LABELS] == ["37.5", "37.5", "25.0", "0.0"]
    # Twelve labels: 5 formal, 5 informal, 2 neutral; 1 pair of 6 differs.
    expected = (12**2 - 5**2 - 5**2 - 2**2) / (12 * 11)
    assert found["de", "both"]["alpha"] == f"{1 - (2 / 12) / expected:.2f}"
    compared = rows(files[1], *KEYS)
    assert (
        compared["de", "both", "alpha"]["comparable"]
        == "no: demo, systems other than A and B, simulated raters"
    )
    assert compared["de", "both", "alpha"]["printed"] == "0.93"
    assert "raters:2|labels:6" in compared["de", "ONE", "formal"]["signature"]
    assert compared["es", "A", "formal"]["comparable"] == f"no: demo, {NOT_RELEASED}"
    assert compared["de", "both", "alpha"]["signature"].endswith("|raters:2|alpha:nominal|items:6")
    assert compared["average", "both", "alpha"]["signature"] == "mean of 1 languages"
    table4(*files, **judged, **options)
    people = rows(files[1], *KEYS)["de", "both", "alpha"]["comparable"]
    assert people == "no: demo, systems other than A and B"
    write_csv(options["systems"], ("system", "label"), [["A", "ONE"]])
    with pytest.raises(InputError, match="no label for system 'B'"):
        table4(*files, **judged, **options)


def fitting(share: str, labels: int) -> list[int]:
    """The numbers of labels whose share in per cent is rounded to what is printed; a half goes either way."""
    wanted, half = Fraction(share), Fraction(1, 20)
    return [n for n in range(labels + 1) if abs(Fraction(100 * n, labels) - wanted) <= half]


def test_of_how_many_labels_the_shares_of_table_4_are():
    """docs/differences.md: neither of 300 outputs, nor of 600 labels; a few less than 600 fit."""
    shares: dict[tuple[str, str], list[str]] = {}
    for (language, system, metric), printed in read_printed(PRINTED / "table4.csv", *KEYS).items():
        if metric != "alpha":
            shares.setdefault((language, system), []).append(printed)

    def fit(row: list[str], labels: int) -> bool:
        return all(fitting(share, labels) for share in row)

    assert fitting("28.0", 300) == [84]
    assert [key for key, row in shares.items() if fit(row, 300)] == [("it", "B")]
    others = [key for key, row in shares.items() if not fit(row, 600)]
    assert others == [("de", "A"), ("es", "A"), ("es", "B"), ("fr", "A"), ("fr", "B"), ("it", "A")]
    for key in others:
        assert any(
            sum(counts) == labels
            for labels in range(596, 600)
            for counts in product(*(fitting(share, labels) for share in shares[key]))
        )


def test_table_5_by_hand(judged, tmp_path):
    files = (tmp_path / "t.csv", tmp_path / "t.compare.csv")
    options = {"printed": PRINTED / "table5-labels.csv", "scale": "paper"}
    table5_labels(*files, **judged, **options, test_sets=[tmp_path / "test/source.txt"])
    found = rows(files[0], "lang", "mode")
    # Raters agree on 6 of 7 translations: 3 formal (one without a phrase of the reference), 2 informal.
    names = ("precision_formal", "recall_formal", "precision_informal", "recall_informal")
    assert [found["de", "paper"][name] for name in names] == ["1.00", "0.67", "1.00", "1.00"]
    # In `released` "Sie" and "Würden" are not the two tokens of the phrase either.
    assert [found["de", "released"][name] for name in names] == ["1.00", "0.67", "1.00", "1.00"]
    compared = rows(files[1], "lang", "mode", "metric")
    cell = compared["de", "released", "recall_formal"]
    assert cell["signature"].endswith("|n:6|raters:2|disagreed:1") and cell["difference"] == "-0.19"
    assert cell["comparable"] == "no: systems other than A and B"
    for mode in ("paper", "released"):
        assert [found["average", mode][name] for name in names] == ["1.00", "0.67", "1.00", "1.00"]
        mean = compared["average", mode, "recall_formal"]
        assert (mean["ours"], mean["signature"]) == ("0.67", "mean of 1 languages")
        assert mean["comparable"].endswith("systems other than A and B")


def test_without_labels_both_are_empty_and_say_why(tmp_path):
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["A", "ONE"]])
    files = (tmp_path / "t.csv", tmp_path / "t.compare.csv")
    table4(*files, systems=tmp_path / "systems.csv", printed=PRINTED / "table4.csv", scale="open")
    four = list(rows(files[1], *KEYS).values())
    table5_labels(*files, printed=PRINTED / "table5-labels.csv", scale="open")
    five = list(rows(files[1], "lang", "mode", "metric").values())
    assert len(four) == 6 * 9 + 1 and len(five) == 7 * 4
    assert {row["comparable"] for row in (*four, *five)} == {f"no: open, {NOT_RELEASED}"}
    assert not any(row["ours"] for row in (*four, *five))


def test_ratings_of_what_is_not_on_the_sheet_are_reported(judged, tmp_path):
    sheet, key, given = (judged[name][0] for name in ("sheets", "item_keys", "ratings"))
    assert [one.agreed for one in read_judged(sheet, key, given)][3:5] == ["", "neutral"]
    write_ratings(given, [Rating("r", "z", "level", "formal")])
    with pytest.raises(InputError, match="ratings of item 'z', which is not on"):
        read_judged(sheet, key, given)
    write_ratings(given, [Rating("r", "a", "quality", "6")])
    with pytest.raises(InputError, match="item 'a' is not rated for quality"):
        read_judged(sheet, key, given)
    write_key(key, [])
    with pytest.raises(InputError, match="no item a of"):
        read_judged(sheet, key, given)


def test_the_printed_table_10_is_the_papers():
    found = read_printed(PRINTED / "table10.csv", "lang", "set", "metric")
    assert {key: float(text) for key, text in found.items()} == {
        (language, name, column): number
        for language, both in HELD_OUT.items()
        for name, row in zip(("informal", "formal"), both, strict=True)
        for column, number in zip(COLUMNS, row, strict=True)
    }


def test_table_10_by_hand(tmp_path):
    """Two sentences: the system under control is formal in both, the other one in half of the answers."""
    texts = {"a": ("base", 1), "b": ("base", 2), "c": ("tuned", 1), "d": ("tuned", 2)}
    said = {
        "is_formal": {"a": ("yes", "no"), "b": ("no", "yes"), "c": ("yes", "yes"), "d": ("yes", "yes")},
        "quality": {"a": ("4", "4"), "b": ("4", "4"), "c": ("6", "4"), "d": ("5", "3")},
    }
    items, entries, given = [], [], []
    for task, answers in said.items():
        for name, (system, line) in texts.items():
            items.append(Item(name + task, 1, task, source="x", text=name))
            entries.append(Entry(name + task, task, line, system, 0))
            given += [Rating(f"r{i}", name + task, task, value) for i, value in enumerate(answers[name])]
    sheet, key, ratings = (tmp_path / f"{name}.csv" for name in ("sheet", "key", "ratings"))
    write_translations(sheet, items)
    write_key(key, entries)
    write_ratings(ratings, given)
    files = (tmp_path / "t.csv", tmp_path / "t.compare.csv")
    systems = {"baseline": "base", "controlled": "tuned"}
    options = {**systems, "printed": PRINTED / "table10.csv", "scale": "paper"}
    own = {"sheets": [sheet], "item_keys": [key], "ratings": [ratings]}
    table10(*files, **own, rated=["de.formal"], **options)  # type: ignore[arg-type]
    found = rows(files[0], "lang", "set")
    assert [found["de", "formal"][column] for column in COLUMNS] == ["100.0", "50.0", "4.5", "12.5"]
    cell = rows(files[1], "lang", "set", "metric")["de", "formal", "accuracy_gain"]
    assert cell["difference"] == "16.7" and cell["comparable"] == "no: other sentences"
    assert cell["signature"].endswith("|raters:2|n:2|baseline:base")
    # Nothing of a set in which one system has no answer of a task.
    for task in said:
        for system in ("base", "tuned"):
            lacking = {name + task for name, (of, _) in texts.items() if of == system}
            write_ratings(ratings, [one for one in given if one.item not in lacking])
            table10(*files, **own, rated=["de.formal"], **options)  # type: ignore[arg-type]
            assert not any(rows(files[0], "lang", "set")["de", "formal"][column] for column in COLUMNS)
    with pytest.raises(InputError, match=r"--rated de\.polite; write, for example, fr\.formal"):
        table10(*files, **own, rated=["de.polite"], **options)  # type: ignore[arg-type]
    table10(*files, **options)  # type: ignore[arg-type]
    empty = rows(files[1], "lang", "set", "metric").values()
    assert {row["comparable"] for row in empty} == {f"no: {NOT_RELEASED}"} and len(empty) == 40
