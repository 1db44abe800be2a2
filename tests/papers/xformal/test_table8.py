"""Table 8: seeded sentences, systems side by side, changed words marked."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.manifests import listed
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.papers.xformal.table8 import examples, marked

MARK = re.compile(r"\[\[(.*?)\]\]")


@pytest.fixture
def options(tmp_path):
    """Two languages of twenty sentences; a system with two runs."""
    table = []
    for language in ("pt", "fr"):
        for label, run, word in (("INFORMAL", 0, "sim"), ("A", 0, "Sim"), ("B", 0, "não"), ("B", 1, "?")):
            path = write_lines_to(tmp_path / language / f"{label}{run}", word)
            table.append((language, label, path))
    columns = zip(*table, strict=True)
    names = ("languages", "labels", "files")
    return {**{n: list(c) for n, c in zip(names, columns, strict=True)}, "size": 3, "seed": 7}


def listing(options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with a manifest of the texts."""
    path = folder / "texts.csv"
    return listed(path, "texts", options, language="languages", label="labels", text="files")


def write_lines_to(path: Path, word: str) -> Path:
    write_lines(path, [f"{word} {number}" for number in range(1, 21)])
    return path


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (
            "n preciso pois sei q ela vai!!",
            "Não preciso pois sei que ela vai!",
            "[[Não]] preciso pois sei [[que]] ela vai!",
        ),
        ("ela vai vir", "ela vai vir de novo.", "ela vai vir [[de novo.]]"),
        ("un po' di freddo", "Un po' di freddo", "[[Un]] po' di freddo"),
        ("a b c", "a c", "a c"),
        ("drôle, s étais", "C'était drôle,  c'était", "[[C'était]] drôle,  [[c'était]]"),
        ("", "olá", "[[olá]]"),
        ("olá", "", ""),
        ("x", "[[y]] z]", "[[ [ [y] ] z] ]]"),
    ],
)
def test_changed_words_are_marked(source, text, expected):
    assert marked(source, text) == expected


TEXT = st.text(st.sampled_from("ab [].,'\u00a0ç"), max_size=12)


@settings(max_examples=200)
@given(TEXT, TEXT)
@example("a", "[")
@example("[", "[[a]")
def test_marks_hide_nothing_and_differ_from_the_texts_own_brackets(source, text):
    found = marked(source, text)
    inside = MARK.findall(found)
    bare = MARK.sub(lambda match: match[1], found)
    assert bare.replace(" ", "") == text.replace(" ", "")
    assert all("[[" not in part and "]]" not in part for part in inside)
    assert marked(text, text).replace(" ", "") == text.replace(" ", "")
    assert MARK.search(marked(text, text)) is None


def test_all_systems_stand_side_by_side(options, tmp_path):
    examples(tmp_path / "t.csv", **listing(options, tmp_path))
    rows = rows_of(tmp_path / "t.csv")
    assert [(row["lang"], row["system"]) for row in rows] == [
        (language, label) for language in ("pt", "fr") for _ in range(3) for label in ("INFORMAL", "A", "B")
    ]
    words = {"INFORMAL": "sim", "A": "Sim", "B": "não"}
    for row in rows:
        assert row["text"] == f"{words[row['system']]} {row['id']}"
        expected = row["text"] if row["system"] == "INFORMAL" else f"[[{words[row['system']]}]] {row['id']}"
        assert row["marked"] == expected
    ids = [int(row["id"]) for row in rows[:9:3]]
    assert ids == sorted(set(ids)) and ids[0] >= 1 and ids[-1] <= 20


def test_the_draw_depends_on_the_seed_alone(options, tmp_path):
    examples(tmp_path / "a.csv", **listing(options, tmp_path))
    fewer = [i for i, label in enumerate(options["labels"]) if label != "A"]
    some = {name: [options[name][i] for i in fewer] for name in ("languages", "labels", "files")}
    examples(tmp_path / "b.csv", **listing({**options, **some}, tmp_path))
    examples(tmp_path / "c.csv", **listing({**options, "seed": 8}, tmp_path))
    ids = [[row["id"] for row in rows_of(tmp_path / f"{name}.csv") if row["system"] == "B"] for name in "abc"]
    assert ids[0] == ids[1] != ids[2]
    examples(tmp_path / "d.csv", **listing({**options, "size": 99}, tmp_path))
    assert len(rows_of(tmp_path / "d.csv")) == 2 * 20 * 3


def test_texts_that_do_not_fit_are_named(options, tmp_path):
    write_lines(options["files"][1], ["x"])
    with pytest.raises(InputError, match="not parallel"):
        examples(tmp_path / "t.csv", **listing(options, tmp_path))
    with pytest.raises(InputError, match=r"texts\.csv:3: no label"):
        labels = [options["labels"][0], "", *options["labels"][2:]]
        examples(tmp_path / "t.csv", **listing({**options, "labels": labels}, tmp_path))
    for path in options["files"]:
        write_lines(path, [])
    with pytest.raises(InputError, match="no sentence to compare"):
        examples(tmp_path / "t.csv", **listing(options, tmp_path))


def test_table8_on_the_command_line(options, tmp_path, module):
    lists = ["--texts", listing(options, tmp_path)["texts"]]
    done = module("papers.xformal.table8", tmp_path / "t.csv", *lists, "--size", 1, "--seed", 1)
    assert done.returncode == 0, done.stderr
    assert len(rows_of(tmp_path / "t.csv")) == 6
