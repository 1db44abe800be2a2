"""Sheets of dialogue systems, the ratings of raters, and Table VIII of Hu et al. (2022)."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tables import rows_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.dialogue.compare import MANIFEST
from workflow_scripts.dialogue.transcripts import COLUMNS
from workflow_scripts.dialogue.transcripts import transcripts as transcribe
from workflow_scripts.human.dialogues import TRANSCRIPTS, dialogues, read_transcripts
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.sheet import sheet as page
from workflow_scripts.human.sheets import KEY, RATINGS, Rating, read_items, read_key, read_ratings
from workflow_scripts.human.simulate_dialogues import simulate_dialogues
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table6 import NO_SYSTEM
from workflow_scripts.papers.impolite.table8 import kappa, table8

TASKS = ["success", "comprehension", "appropriateness"]
PRINTED = ROOT / "resources/printed/impolite/table8.csv"


@pytest.fixture
def rows(tmp_path):
    """Five dialogues of two systems, one good with both users, one never."""
    found = [
        [f"d{n}", name, users, f"hotel: area = {n}", f"User: {users} {n}\nSystem: {name}", *known]
        for name, known in (("ubar", [1, "1.0", "0.9"]), ("pptod", [0, "0.0", "0.1"]))
        for users in ("original", "impolite")
        for n in range(5)
    ]
    write_csv(tmp_path / "transcripts.csv", TRANSCRIPTS, found)
    return tmp_path / "transcripts.csv"


def make(rows: Path, folder: Path, count: int = 3) -> tuple[Path, Path]:
    sheet, key = folder / "en.csv", folder / "key.csv"
    dialogues(sheet, key, transcripts=rows, count=count, raters=2, seed=1)
    return sheet, key


def rated(rows: Path, folder: Path) -> Path:
    """The checked ratings of three simulated raters."""
    sheet, key = make(rows, folder)
    (folder / "given").mkdir(exist_ok=True)
    numbers = {"slips": 0.0, "noise": 0.2, "bias": 0.1, "spread": 0.1, "seed": 1}
    files = {"sheet": sheet, "key": key, "transcripts": rows}
    simulate_dialogues(folder / "given/en.csv", **files, raters=3, **numbers)
    options = {"sheet": sheet, "folder": folder / "given", "language": "en", "languages": ["en"]}
    ratings(folder / "ratings.csv", folder / "coverage.csv", **options, raters=3)
    return folder / "ratings.csv"


def test_each_drawn_dialogue_is_asked_about_as_every_system_has_it(rows, tmp_path):
    sheet, key = make(rows, tmp_path)
    items, entries = read_items(sheet), read_key(key)
    assert Counter(item.task for item in items) == dict.fromkeys(TASKS, 12)
    assert all(item.goal.startswith("hotel: ") and "\nSystem: " in item.text for item in items)
    assert {item.batch for item in items} == {1, 2}
    known = read_transcripts(rows)
    assert len({known[one.sentence - 1].dialogue for one in entries}) == 3
    assert all(known[one.sentence - 1].system == one.system for one in entries)
    # A sheet that raters have is made again by any later version, byte for byte.
    assert [digest(path)[:12] for path in (sheet, key)] == ["a4c0ec985a19", "7259a99c7f29"]
    numbers = {"slips": 0.3, "noise": 1.0, "bias": 0.5, "spread": 0.5, "seed": 1, "raters": 3}
    simulate_dialogues(tmp_path / "r.csv", sheet=sheet, key=key, transcripts=rows, **numbers)
    assert digest(tmp_path / "r.csv")[:12] == "23288d5f8d81"
    assert not any(name in sheet.read_text().replace("System: ", "") for name in ("d1,", "impolite,"))
    template = ROOT / "workflow_scripts/human/sheet.html"
    names = {"language": "en", "language_name": "English", "kind": "dialogues", "scale": "demo"}
    texts = ROOT / "resources/raters/en.yaml"
    page(tmp_path / "en.html", items=sheet, template=template, english=texts, seconds=15, **names)
    text = (tmp_path / "en.html").read_text(encoding="utf-8")
    assert "Rating dialogues: English" in text and '"goal": "hotel: area' in text


def test_what_several_systems_wrote_is_shown_once(rows, tmp_path):
    text = rows.read_text(encoding="utf-8").replace("System: pptod", "System: ubar")
    rows.write_text(text, encoding="utf-8")
    sheet, key = make(rows, tmp_path)
    assert len(read_items(sheet)) == 18 and len(read_key(key)) == 36


def test_fewer_dialogues_than_asked_for_are_all_drawn_and_told(rows, tmp_path, capsys):
    make(rows, tmp_path, 5)
    assert capsys.readouterr().err == ""
    sheet, key = make(rows, tmp_path, 6)
    assert f"{rows}: only 5 dialogues of 6" in capsys.readouterr().err
    # Five dialogues for two raters: three in the first batch.
    assert Counter(item.batch for item in read_items(sheet)) == {1: 36, 2: 24}
    # The simulated raters know the last row, and no row behind it.
    numbers = {"slips": 0.0, "noise": 0.0, "bias": 0.0, "spread": 0.0, "seed": 1, "raters": 1}
    given = {"sheet": sheet, "key": key, "transcripts": rows, **numbers}
    simulate_dialogues(tmp_path / "r.csv", **given)
    shares = {one.item: read_transcripts(rows)[one.sentence - 1].known[one.task] for one in read_key(key)}
    for rating in read_ratings(tmp_path / "r.csv"):
        share = shares[rating.item]
        ideal = str(round(1 + 4 * share)) if rating.task != "success" else "yes" if share else "no"
        assert rating.value == ideal
    known = rows.read_text(encoding="utf-8").splitlines(keepends=True)
    rows.write_text("".join(known[:-2]), encoding="utf-8")
    with pytest.raises(InputError, match=r"transcripts\.csv: no row \d+, which the key names"):
        simulate_dialogues(tmp_path / "r.csv", **given)
    write_csv(key, KEY, [])
    with pytest.raises(InputError, match=r"key\.csv: no item \w+ of .*en\.csv; make both anew"):
        simulate_dialogues(tmp_path / "r.csv", **given)


def test_ratings_become_the_table(rows, tmp_path):
    files = {"transcripts": rows, "ratings": rated(rows, tmp_path), "key": tmp_path / "key.csv"}
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["ubar", "UBAR"], ["pptod", "PPTOD"]])
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"systems": tmp_path / "systems.csv", "printed": PRINTED, "scale": "paper"}
    table8(*outs, **given, **files, simulated=True)
    found = {(row["model"], row["data"]): row for row in rows_of(outs[0])}
    for users in ("Original", "Impolite"):
        assert [found[name, users]["Success"] for name in ("UBAR", "PPTOD")] == ["100", "0"]
        assert (
            float(found["UBAR", users]["Comprehension"]) > 4 > float(found["PPTOD", users]["Comprehension"])
        )
    assert found["Cohen's kappa", ""]["Success"] == "1.00"
    compared = {(row["model"], row["data"], row["metric"]): row for row in rows_of(outs[1])}
    assert compared["UBAR", "Original", "Success"]["difference"] == "20"
    facts = signature(files["ratings"], raters=3, ratings=108)
    for task in ("Success", "Comprehension", "Appropriateness"):
        agreed = compared["Cohen's kappa", "", task]
        assert (agreed["ours"], agreed["signature"]) == (found["Cohen's kappa", ""][task], facts)
        assert agreed["comparable"].startswith("no: simulated raters, ")
        assert compared["UBAR", "Impolite", task]["signature"] == f"{facts}|n:3"
    assert compared["UBAR", "Original", "Success"]["comparable"] == (
        "no: simulated raters, other raters than the paper's"
    )
    assert compared["UBAR + Data Augmentation", "Impolite", "Success"]["comparable"].startswith(
        "no: no system of this name"
    )
    # Systems that the paper lacks stand below its own by their names, with original users first, whatever
    # the order of the items is.
    items = [list(row.values()) for row in rows_of(tmp_path / "key.csv")]
    write_csv(tmp_path / "key.csv", KEY, sorted(items, key=lambda row: -int(row[KEY.index("sentence")])))
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["ubar", "MINE"], ["pptod", "OTHER"]])
    table8(*outs, **given, **files)
    assert [(row["model"], row["data"]) for row in rows_of(outs[0])][-4:] == [
        *(("OTHER", "Original"), ("OTHER", "Impolite"), ("MINE", "Original"), ("MINE", "Impolite"))
    ]
    shown = {(row["model"], row["metric"]): row for row in rows_of(outs[1]) if row["data"] == "Impolite"}
    assert shown["MINE", "Success"]["signature"].endswith("|raters:3|ratings:108|n:3")
    assert shown["MINE", "Success"]["comparable"] == "no: not printed"
    assert shown["UBAR", "Success"]["comparable"] == f"no: {NO_SYSTEM}"
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["ubar", "MINE"]])
    with pytest.raises(InputError, match=r"transcripts\.csv: 'pptod' is not a system of .*systems\.csv"):
        table8(*outs, **given, **files)
    kept = [list(row.values()) for row in rows_of(rows)]
    write_csv(rows, TRANSCRIPTS, kept[:-5])
    with pytest.raises(InputError, match=r"transcripts\.csv: no row (1[6-9]|20) of 'pptod'; make it again"):
        table8(*outs, **given, **files)
    write_csv(rows, TRANSCRIPTS, kept)
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["ubar", "UBAR"], ["pptod", "PPTOD"]])
    known = (tmp_path / "key.csv").read_text(encoding="utf-8")
    (tmp_path / "key.csv").write_text(known.replace("success", "fluency"), encoding="utf-8")
    with pytest.raises(InputError, match=r"key\.csv: 'fluency' is not a task of dialogues; make it again"):
        table8(*outs, **given, **files)
    table8(*outs, **given, transcripts=rows)
    assert {row["Success"] for row in rows_of(outs[0])} == {""}
    assert rows_of(outs[1])[0]["comparable"] == "no: no ratings are configured"


def test_a_mean_is_of_dialogues_first_of_raters_each(rows, tmp_path):
    """By hand: (4 + 5) / 2, 4 and 4 make 4.17; half a yes, a yes and a no make 50 per cent."""
    _, key = make(rows, tmp_path)
    answers = {
        "success": [["yes", "no"], ["yes"], ["no"]],
        "comprehension": [["4", "5"], ["4"], ["4"]],
        "appropriateness": [["1"], ["2"], ["2"]],
    }
    first = [one for one in read_key(key) if one.sentence <= 5]
    given = [
        (rater, entry.item, task, value)
        for task, several in answers.items()
        for entry, values in zip((one for one in first if one.task == task), several, strict=True)
        for rater, value in zip("ab", values, strict=False)
    ]
    write_csv(tmp_path / "ratings.csv", RATINGS, given)
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["ubar", "UBAR"]])
    files = {"transcripts": rows, "key": key, "ratings": tmp_path / "ratings.csv"}
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table8(*outs, **files, systems=tmp_path / "systems.csv", printed=PRINTED, scale="paper")
    (row,) = [row for row in rows_of(outs[0]) if row["Success"] and row["model"] == "UBAR"]
    assert list(row.values()) == ["UBAR", "Original", "50", "4.17", "1.67"]


def test_kappa_is_of_pairs_of_raters():
    """By hand: 4 of 5 answers are equal, and of a and b 3 and 2 are yes."""
    one, two = ["yes"] * 3 + ["no"] * 2, ["yes"] * 2 + ["no"] * 3
    given = [
        Rating(rater, str(item), "success", value)
        for rater, values in (("a", one), ("b", two))
        for item, value in enumerate(values)
    ]
    expected = 0.6 * 0.4 + 0.4 * 0.6
    assert kappa(given) == pytest.approx((0.8 - expected) / (1 - expected))
    assert kappa([*given, Rating("c", "9", "success", "no")]) == kappa(given)
    assert kappa(given[:1]) is None
    # Of raters of whom one always says the same it is 0; of two who both do there is none.
    same = [Rating("s", str(item), "success", "yes") for item in range(5)]
    assert kappa([*same, *given[:5]]) == kappa([*given[:5], *same]) == pytest.approx(0)
    assert kappa([*same, *(replace(one, rater="t") for one in same)]) is None


def test_transcripts_show_both_users_and_what_the_systems_know(tmp_path):
    turn = {
        "system": "in the north",
        "booked": [],
        "acts": [],
        "spans": [],
        "state": {"hotel": {"area": "a"}},
    }
    goal = {"hotel": {"informable": {"area": "north"}, "requestable": ["phone"]}}
    for name, said in (("polite", "Please."), ("impolite", "Now.")):
        line = {"id": "d", "services": [], "goal": goal, "turns": [{**turn, "user": said}]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    answer = {"d": [{"response": "in the south", "state": {"hotel": {"area": "a", "stars": "4"}}}]}
    (tmp_path / "mine.json").write_text(json.dumps(answer), encoding="utf-8")
    (tmp_path / "hotel_db.json").write_text("[]", encoding="utf-8")
    mine = tmp_path / "mine.json"
    # A second training, which is not shown.
    again = tmp_path / "again.json"
    again.write_text(json.dumps({"d": [{"response": "no", "state": {}}]}), encoding="utf-8")
    manifest = [["mine", "-", mine, mine], ["mine", "-", again, again], ["more", "mine", mine, mine]]
    write_csv(tmp_path / "m.csv", MANIFEST, manifest)
    files = {name: tmp_path / f"{name}.jsonl" for name in ("polite", "impolite")}
    given = {"responses": tmp_path / "m.csv", **files, "databases": [tmp_path / "hotel_db.json"]}
    transcribe(tmp_path / "out.csv", systems=["mine", "more"], **given)
    found = rows_of(tmp_path / "out.csv")
    assert [(row["system"], row["users"]) for row in found] == [
        *(("mine", "original"), ("mine", "impolite"), ("more", "impolite"))
    ]
    assert found[1]["text"] == "User: Now.\nSystem: in the south"
    assert found[0]["goal"] == "hotel: area = north; asks for phone"
    assert (found[0]["success"], found[0]["understood"], found[0]["fitting"]) == ("0", "0.6667", "0.6667")
    assert COLUMNS == TRANSCRIPTS
    (tmp_path / "bad.csv").write_text((tmp_path / "m.csv").read_text().replace("mine.json", "\0"))
    with pytest.raises(InputError, match="a field with a zero byte"):
        transcribe(tmp_path / "out.csv", systems=["mine"], **{**given, "responses": tmp_path / "bad.csv"})
    with pytest.raises(InputError, match="no row of 'other'"):
        transcribe(tmp_path / "out.csv", systems=["other"], **given)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("1.0", "1.5", r"transcripts\.csv:2: a share that is not from 0 to 1; make it again"),
        ("0.1", "-0.1", r"transcripts\.csv:22: a share that is not from 0 to 1"),
        ("d1,", "d0,", r"transcripts\.csv:4: a second row of d0, ubar, original; make it again"),
    ],
)
def test_bad_transcripts_are_named(rows, tmp_path, old, new, line):
    rows.write_text(rows.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=line):
        make(rows, tmp_path)
    write_csv(rows, TRANSCRIPTS, [])
    with pytest.raises(InputError, match=r"transcripts\.csv: no transcript; make it again"):
        make(rows, tmp_path)
