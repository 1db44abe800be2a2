"""Sheets of translations, and their ratings by simulated raters."""

from collections import Counter
from pathlib import Path

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.human.marked import level_of, references, telling
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.sheet import sheet as page
from workflow_scripts.human.sheets import TRANSLATIONS, read_items, read_key, read_ratings
from workflow_scripts.human.simulate_translations import quality, simulate_translations
from workflow_scripts.human.translations import translations

SOURCE = ["Do you see Ana?", "The dog is yours.", "Ana left.", "Your dog left you."]
FORMAL = [
    "[F]Voyez-vous[/F] Ana ?",
    "Le chien est [F]à vous[/F].",
    "Ana est partie.",
    "[F]Votre[/F] chien est parti.",
]
INFORMAL = [
    "[F]Vois-tu[/F] Ana ?",
    "Le chien est [F]à toi[/F].",
    "Ana est partie.",
    "[F]Ton[/F] chien est parti.",
]


def plain(lines: list[str]) -> list[str]:
    return [line.replace("[F]", "").replace("[/F]", "") for line in lines]


@pytest.fixture
def texts(tmp_path):
    """A system that knows levels, and one that is always formal."""
    files = {"source": SOURCE, "formal": plain(FORMAL), "informal": plain(INFORMAL)}
    for name, lines in (*files.items(), ("f.annotated", FORMAL), ("i.annotated", INFORMAL)):
        write_lines(tmp_path / f"{name}.txt", lines)
    formal, informal = tmp_path / "formal.txt", tmp_path / "informal.txt"
    return {
        "language": "fr",
        "source": tmp_path / "source.txt",
        "systems": ["always", "tuned"],
        "outputs": [formal, formal],
        "others": [formal, informal],
        "tasks": ["level"],
        "sentences": 4,
        "batch_sentences": 3,
        "seed": 1,
    }


def simulated(tmp_path: Path, **changes: float) -> Path:
    marked = {"formal": tmp_path / "f.annotated.txt", "informal": tmp_path / "i.annotated.txt"}
    files = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv"}
    noise = {"raters": 2, "slips": 0.0, "noise": 0.0, "bias": 0.0, "spread": 0.0, "seed": 1, **changes}
    (tmp_path / "sent").mkdir(exist_ok=True)
    simulate_translations(tmp_path / "sent/fr.csv", **files, **marked, **noise)  # type: ignore[arg-type]
    return tmp_path / "sent"


def test_half_of_the_sentences_are_of_either_level(texts, tmp_path):
    files = (tmp_path / "sheet.csv", tmp_path / "key.csv")
    translations(*files, **texts)
    items = {item.item: item for item in read_items(tmp_path / "sheet.csv")}
    entries = read_key(tmp_path / "key.csv")
    assert Counter(entry.system for entry in entries) == {"always": 4, "tuned": 4}
    levels = Counter()
    for entry in entries:
        item, line = items[entry.item], entry.sentence - 1
        assert item.source == SOURCE[line] and item.text in (plain(FORMAL)[line], plain(INFORMAL)[line])
        if entry.system == "always":
            assert item.text == plain(FORMAL)[line]
        elif line != 2:
            levels[item.text == plain(FORMAL)[line]] += 1
    # Four sentences, one of which is the same at both levels.
    assert sorted(levels.values()) == [1, 2]
    assert [item.batch for item in items.values()] == sorted(item.batch for item in items.values())
    assert {item.batch for item in items.values()} == {1, 2}
    text = (tmp_path / "sheet.csv").read_text(encoding="utf-8")
    assert "tuned" not in text and "always" not in text and "[F]" not in text
    # A sheet that raters have is made again by any later version, byte for byte.
    translations(*files, **texts | {"tasks": ["quality", "level"], "sentences": 3, "batch_sentences": 2})
    assert [digest(path)[:12] for path in files] == ["d3ddac00a6d9", "5709e6ee0061"]


def test_only_sentences_that_address_someone(texts, tmp_path, capsys):
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts, addressed=True)
    assert {entry.sentence for entry in read_key(tmp_path / "key.csv")} == {1, 2, 4}
    assert "only 3 sentences of 4" in capsys.readouterr().err


def test_what_does_not_fit_is_reported(texts, tmp_path):
    files = (tmp_path / "sheet.csv", tmp_path / "key.csv")
    with pytest.raises(InputError, match="no task 'levels'; known: formality"):
        translations(*files, **texts | {"tasks": ["levels"]})
    with pytest.raises(InputError, match="2 systems, 1 and 2 files of translations"):
        translations(*files, **texts | {"outputs": texts["outputs"][:1]})
    write_lines(texts["outputs"][0], FORMAL[:3])
    with pytest.raises(InputError, match="not parallel"):
        translations(*files, **texts)
    assert not files[0].exists()


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Voyez-vous Ana ?", "formal"),
        # Its own reference has another phrase: only the word tells.
        ("Est-ce que tu vois Ana ?", "informal"),
        ("Vois-tu votre Ana ?", "other"),
        ("On voit Ana ?", "neutral"),
        ("Ana, vois-tu", "informal"),
        # A part of a word is no word.
        ("Le tutu de votrecousine", "neutral"),
    ],
)
def test_the_level_that_a_translation_shows(text, level):
    formal, informal = references(FORMAL), references(INFORMAL)
    assert level_of(text, formal[0], informal[0], telling(formal, informal)) == level


def test_words_that_are_used_otherwise_tell_nothing():
    formal = references(["[F]La[/F] aspetto.", "La casa è qui.", "[F]Ha[/F] capito?"])
    informal = references(["[F]Ti[/F] aspetto.", "La casa è qui.", "[F]Hai[/F] capito?"])
    told = telling(formal, informal)
    assert told == {"formal": {"ha"}, "informal": {"ti", "hai"}}
    # In the sentence that marks it, it does.
    assert level_of("La aspetto.", formal[0], informal[0], told) == "formal"
    assert level_of("La casa è qui.", formal[1], informal[1], told) == "neutral"


def test_raters_without_slips_agree_on_what_is_marked(texts, tmp_path):
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts)
    folder = simulated(tmp_path)
    files = {"sheet": tmp_path / "sheet.csv", "folder": folder, "language": "fr", "languages": ["fr"]}
    ratings(tmp_path / "r.csv", tmp_path / "c.csv", **files, raters=2)
    items = {item.item: item for item in read_items(tmp_path / "sheet.csv")}
    found = read_ratings(tmp_path / "r.csv")
    assert len(found) == 2 * len(items)
    for rating in found:
        text = items[rating.item].text
        level = "neutral" if text == FORMAL[2] else "formal" if text in plain(FORMAL) else "informal"
        assert rating.value == level
    assert sum(int(row["missing"]) for row in rows_of(tmp_path / "c.csv")) == 0


def test_slips_are_as_frequent_as_asked_for(texts, tmp_path):
    for name, lines in (("source", SOURCE), ("formal", plain(FORMAL)), ("informal", plain(INFORMAL))):
        write_lines(tmp_path / f"{name}.txt", [line for line in lines for _ in range(100)])
    for name, lines in (("f", FORMAL), ("i", INFORMAL)):
        write_lines(tmp_path / f"{name}.annotated.txt", [line for line in lines for _ in range(100)])
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts | {"sentences": 400})
    right, wrong = (read_ratings(simulated(tmp_path, slips=slips) / "fr.csv") for slips in (0.0, 0.1))
    differ = sum(one.value != other.value for one, other in zip(right, wrong, strict=True))
    # Four standard deviations.
    assert abs(differ / len(right) - 0.1) < 4 * (0.09 / len(right)) ** 0.5


def test_wanted_levels_and_quality(texts, tmp_path):
    tasks = {"tasks": ["is_formal", "quality"], "others": None}
    outputs = [tmp_path / "formal.txt", tmp_path / "mixed.txt"]
    write_lines(outputs[1], ["Vois-tu Ana ?", "Chat gris.", "Ana est partie.", "Votre chien est parti."])
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts | tasks | {"outputs": outputs})
    answers = {(one.item, one.task): one.value for one in read_ratings(simulated(tmp_path) / "fr.csv")}
    said = {
        (entry.system, entry.sentence, entry.task): answers[entry.item, entry.task]
        for entry in read_key(tmp_path / "key.csv")
    }
    yes = {place: said["tuned", place, "is_formal"] for place in range(1, 5)}
    assert yes == {1: "no", 2: "no", 3: "no", 4: "yes"}
    assert [said["always", place, "quality"] for place in range(1, 5)] == ["6"] * 4
    assert [said["tuned", place, "quality"] for place in range(1, 5)] == ["6", "1", "6", "6"]
    formal, informal = references(FORMAL), references(INFORMAL)
    # Half of its pairs of words are known, and one of two words of the content is there.
    assert quality("Le chien gris", formal[1], informal[1]) == pytest.approx((1 / 2 + 2 / 3) / 2)
    # One word has no pairs, and where all is marked all of the content is there.
    (marked,) = references(["[F]Venez[/F]"])
    assert quality("Venez", marked, marked) == pytest.approx((0 + 1) / 2)
    # With noise the answers are drawn, the same ones by any later version.
    noise = {"slips": 0.3, "noise": 1.0, "bias": 0.5, "spread": 0.5, "raters": 3}
    assert digest(simulated(tmp_path, **noise) / "fr.csv")[:12] == "c02e169f7e3f"


def test_answers_are_words_and_others_are_refused(texts, tmp_path):
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts)
    item = read_items(tmp_path / "sheet.csv")[0].item
    put(tmp_path / "in/fr.csv", ("rater", "item", "task", "value"), [("a", item, "level", "Formal")])
    files = {
        "sheet": tmp_path / "sheet.csv",
        "folder": tmp_path / "in",
        "language": "fr",
        "languages": ["fr"],
    }
    with pytest.raises(
        InputError, match=f"level 'Formal' of item '{item}'; the answers are formal, informal,"
    ):
        ratings(tmp_path / "r.csv", tmp_path / "c.csv", **files, raters=2)
    put(tmp_path / "sheet.csv", TRANSLATIONS, [("x", "1", "levle", "a", "b")])
    with pytest.raises(InputError, match="no task 'levle'"):
        read_items(tmp_path / "sheet.csv")


def test_the_page_offers_the_words(texts, tmp_path):
    translations(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts)
    root = Path(__file__).parents[2]
    known = {"language": "fr", "language_name": "French", "kind": "evaluation", "scale": "paper"}
    page(
        tmp_path / "fr.html",
        items=tmp_path / "sheet.csv",
        template=root / "workflow_scripts/human/sheet.html",
        english=root / "resources/raters/en.yaml",
        seconds=15,
        **known,  # type: ignore[arg-type]
    )
    text = (tmp_path / "fr.html").read_text(encoding="utf-8")
    assert (
        '"values": ["formal", "informal", "neutral", "other"]' in text and f'"source": "{SOURCE[0]}"' in text
    )
    assert "tuned" not in text
