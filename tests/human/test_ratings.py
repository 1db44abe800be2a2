"""Any error in raters' files is reported with file and line; nothing is lost."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.scales import LETTERS
from workflow_scripts.human.sheets import RATINGS, Entry, Item, item_name

Made = tuple[list[Item], list[Entry]]


def value_of(item: Item) -> str:
    """Some allowed value."""
    return LETTERS[: len(item.options)][::-1] if item.options else "2"


@pytest.fixture
def folder(made, tmp_path):
    """Two complete files of French raters, and one of a Portuguese one."""
    folder = tmp_path / "ratings"
    for rater in ("ana", "bo"):
        rows = [(rater, item.item, item.task, value_of(item)) for item in made[0]]
        put(folder / f"fr-{rater}.csv", RATINGS, rows)
    put(folder / "pt.csv", RATINGS, [("rui", "0000000000", "formality", "9")])
    return folder


def gather(tmp_path: Path, **options: Any) -> list[dict[str, str]]:
    """What `ratings` writes."""
    given = {"folder": tmp_path / "ratings", "raters": 2, **options}
    ratings(
        tmp_path / "out.csv",
        tmp_path / "coverage.csv",
        sheet=tmp_path / "sheet.csv",
        language="fr",
        languages=["pt", "it", "fr"],
        **given,
    )
    return rows_of(tmp_path / "out.csv")


def edit(path: Path, line: int, text: str) -> None:
    """Replace a line (from 1)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = text
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_no_spreadsheet_takes_an_item_for_a_number():
    """One in sixty names of ten hexadecimal digits is one: 0012345678 would come back as 12345678."""
    names = [item_name(1, str(number)) for number in range(2000)]
    assert len(set(names)) == 2000
    assert all(re.fullmatch("[0-9a-f]{10}", name) for name in names)
    assert [name for name in names if re.fullmatch(r"\d+(e\d+)?", name)] == []


def test_all_ratings_arrive_in_the_order_of_the_sheet(made, folder, tmp_path):
    found = gather(tmp_path)
    assert [(row["item"], row["rater"]) for row in found] == [
        (item.item, rater) for item in made[0] for rater in ("ana", "bo")
    ]
    assert all(row["missing"] == "0" for row in rows_of(tmp_path / "coverage.csv"))


def test_missing_ratings_are_counted(made, folder, tmp_path, capsys):
    lines = (folder / "fr-bo.csv").read_text().splitlines(keepends=True)
    (folder / "fr-bo.csv").write_text("".join(lines[:4]))
    found = gather(tmp_path)
    total = len(made[0])
    assert len(found) == total + 3
    assert capsys.readouterr().err.splitlines() == [
        f"fr: {total + 3} ratings of {total} items by 2 raters;"
        f" {total - 3} items have fewer than 2, 0 of them none"
    ]
    coverage = {(row["rater"], row["task"]): row for row in rows_of(tmp_path / "coverage.csv")}
    assert coverage["ana", "ranking"]["missing"] == "0"
    assert coverage["bo", "ranking"] == {
        "rater": "bo",
        "task": "ranking",
        "items": "3",
        "rated": "0",
        "missing": "3",
    }
    assert sum(int(row["rated"]) for row in coverage.values()) == len(found)


def test_several_files_and_raters_in_one_are_joined(made, folder, tmp_path):
    text = (folder / "fr-bo.csv").read_text()
    (folder / "fr-bo.csv").unlink()
    for name in ("fr.csv", "fr_bo (1).csv", "fr bo.csv", "fr.bo.csv"):
        (folder / name).write_text(text)
        assert len(gather(tmp_path)) == 2 * len(made[0])
        (folder / name).unlink()
    both = (folder / "fr-ana.csv").read_text() + text.split("\n", 1)[1]
    (folder / "fr-ana.csv").write_text(both)
    assert len(gather(tmp_path)) == 2 * len(made[0])


def test_no_file_of_the_language_is_no_rating_and_told(made, folder, tmp_path, capsys):
    for path in folder.glob("fr-*"):
        path.unlink()
    # What others left there is no file of ratings, and none is looked for in it.
    (folder / ".DS_Store").touch()
    for name in ("workers", "reviews", "qualification"):
        (folder / name).mkdir()
    assert gather(tmp_path) == []
    assert "no file of 'fr', which would be called 'fr.csv' or 'fr-NAME.csv'" in capsys.readouterr().err


def test_a_folder_without_ratings_is_refused(made, folder, tmp_path):
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(InputError, match=r"ratings: no file of ratings in this folder; .* 'fr-NAME\.csv'"):
        gather(tmp_path)
    for name in ("fr-a.csv", "fr-b.csv"):
        put(folder / name, RATINGS, [])
    with pytest.raises(
        InputError, match=r"fr-a\.csv: no rating in it, nor in 1 more; put in the file that the rater"
    ):
        gather(tmp_path)
    (folder / "fr-b.csv").unlink()
    with pytest.raises(InputError, match=r"fr-a\.csv: no rating in it; put in the file that the rater saved"):
        gather(tmp_path)
    assert not (tmp_path / "out.csv").exists() and not (tmp_path / "coverage.csv").exists()


@pytest.mark.parametrize("name", ["fr-a.CSV", "fr-a.csv.txt", "fr-a.xlsx", "README", "fr/a.csv", "workers"])
def test_what_is_no_file_of_ratings_is_refused(folder, tmp_path, name):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    (folder / "fr-ana.csv").rename(path)
    place = folder / name.split("/")[0]
    with pytest.raises(
        InputError, match=rf"^{place}: no file of ratings; call it 'fr\.csv' or 'fr-NAME\.csv'"
    ):
        gather(tmp_path)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("task", "field", "new", "message"),
    [
        ("formality", "item", "ffffffffff", "no item 'ffffffffff' on the sheet"),
        ("formality", "rater", "", "no rater"),
        ("formality", "value", "4", "formality '4' of item '[0-9a-f]+'; the scale has .* from -3 to 3"),
        ("formality", "value", "1.5", "formality '1.5' of item"),
        # As spreadsheets write numbers.
        *(
            ("formality", "value", wrong, "formality '[^']+' of item")
            for wrong in ("1.0", '"1,0"', "=1+1", "1E+00", "01", "#NAME?", "01/02/2026")
        ),
        ("fluency", "value", "0", "fluency '0' of item '[0-9a-f]+'; the scale has .* from 1 to 5"),
        ("meaning", "value", "7", "from 1 to 6"),
        ("meaning", "value", "", "meaning '' of item"),
        ("formality", "task", "fluency", "task 'fluency' of item .* on the sheet it is formality"),
        ("formality", "task", "formalty", "did you mean 'formality'"),
        ("ranking", "value", "AAB", "ranking 'AAB' of item .* each of the letters ABC? once"),
        ("ranking", "value", "A", "ranking 'A' of item"),
        ("ranking", "value", "1", "ranking '1' of item"),
    ],
)
def test_a_wrong_field_is_reported_with_its_line(made, folder, tmp_path, task, field, new, message):
    place = next(i for i, item in enumerate(made[0]) if item.task == task)
    item = made[0][place]
    row = {"rater": "bo", "item": item.item, "task": task, "value": value_of(item), field: new}
    edit(folder / "fr-bo.csv", place + 2, ",".join(row.values()))
    with pytest.raises(InputError, match=rf"fr-bo\.csv:{place + 2}: {message}|fr-bo.*{message}") as error:
        gather(tmp_path)
    assert f"fr-bo.csv:{place + 2}: " in str(error.value)
    assert not (tmp_path / "out.csv").exists()


def test_a_second_rating_names_both_places(folder, tmp_path):
    first = (folder / "fr-ana.csv").read_text().splitlines()[1]
    put(folder / "fr-zz.csv", RATINGS, [first.split(",")])
    with pytest.raises(InputError, match=r"fr-zz\.csv:2: a second rating .* by 'ana'; .*fr-ana\.csv:2"):
        gather(tmp_path)


def test_all_findings_are_reported_up_to_a_limit(made, folder, tmp_path):
    put(folder / "fr-x.csv", RATINGS, [("x", f"none{i}", "formality", "1") for i in range(25)])
    with pytest.raises(InputError) as error:
        gather(tmp_path)
    told = str(error.value).split("\nerror: ")
    assert len(told) == 21 and told[-1] == "and 5 more"
    assert [one.split(": ")[0] for one in told[:-1]] == [f"{folder / 'fr-x.csv'}:{i}" for i in range(2, 22)]
    put(folder / "fr-x.csv", RATINGS, [("x", f"none{i}", "formality", "1") for i in range(20)])
    with pytest.raises(InputError) as error:
        gather(tmp_path)
    assert len(str(error.value).splitlines()) == 20 and "more" not in str(error.value)


def test_files_of_no_language_and_other_columns_are_reported(folder, tmp_path):
    (folder / "ana.csv").write_text("rater,item,task,value\n")
    with pytest.raises(InputError, match=r"ana\.csv: of which language .* pt, it, fr"):
        gather(tmp_path)
    (folder / "ana.csv").unlink()
    (folder / "fr-cy.csv").write_text("rater;item;task;value\n")
    with pytest.raises(InputError, match=r"fr-cy\.csv:1: the columns are not rater, item, task, value"):
        gather(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        gather(tmp_path, folder=tmp_path / "none")


def test_command_line_of_ratings(folder, tmp_path, module):
    edit(folder / "fr-bo.csv", 3, "bo,x,formality,1")
    options = ["--folder", folder, "--language", "fr", "--languages", "pt", "fr", "--raters", 2]
    files = [tmp_path / "out.csv", tmp_path / "coverage.csv", "--sheet", tmp_path / "sheet.csv"]
    done = module("human.ratings", *files, *options)
    assert done.returncode == 2
    assert "fr-bo.csv:3: no item 'x' on the sheet" in done.stderr and "Traceback" not in done.stderr
