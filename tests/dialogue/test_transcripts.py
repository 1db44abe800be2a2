"""The transcripts for raters of dialogues, and the values for simulated raters: by hand."""

import json

import pytest

from tests.dialogue.test_compare import BAD, GOOD, line
from tests.multiwoz.small import RESTAURANTS, dialogue, turn
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.dialogue.compare import MANIFEST
from workflow_scripts.dialogue.transcripts import COLUMNS, _shares, goal_of, transcripts
from workflow_scripts.multiwoz.outputs import Output

CENTRE = {"restaurant": {"area": "centre"}}


@pytest.fixture
def world(tmp_path):
    """Three dialogues, two of them rewritten; one system, and the same with more data."""
    write_lines(tmp_path / "polite", [line(name, "please") for name in ("a", "b", "c")])
    write_lines(tmp_path / "impolite", [line(name, "now") for name in ("b", "a")])
    (tmp_path / "restaurant_db.json").write_text(json.dumps(RESTAURANTS), encoding="utf-8")
    answers = {
        "polite": {"a": [BAD], "b": [GOOD], "c": [BAD]},
        "impolite": {"a": [GOOD], "b": [BAD]},
        "better": {"a": [GOOD], "b": [GOOD]},
    }
    for name, content in answers.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    first, second, third = (tmp_path / f"{name}.json" for name in answers)
    # Of two trainings the first one is shown.
    rows = [("mine", "-", first, second), ("mine", "-", first, third), ("more", "mine", first, third)]
    write_csv(tmp_path / "systems.csv", MANIFEST, rows)
    given = {"polite": tmp_path / "polite", "impolite": tmp_path / "impolite"}
    return {"responses": tmp_path / "systems.csv", **given, "databases": [tmp_path / "restaurant_db.json"]}


def test_rows_are_dialogues_of_systems_with_both_users(tmp_path, world, capsys):
    transcripts(tmp_path / "t.csv", systems=["more", "mine"], **world)
    found = [tuple(row[name] for name in COLUMNS) for _, row in read_rows(tmp_path / "t.csv", COLUMNS)]
    goal = "restaurant: area = north; asks for phone"

    def shown(name: str, system: str, users: str, *, good: bool) -> tuple[str, ...]:
        user = {"original": "please", "impolite": "now"}[users]
        # 12 of 13 words are those of the annotated response.
        facts = ("1", "1.0000", f"{12 / 13:.4f}") if good else ("0", "0.0000", "0.0000")
        return (
            name,
            system,
            users,
            goal,
            f"User: {user}\nSystem: {(GOOD if good else BAD)['response']}",
            *facts,
        )

    assert found == [
        *(shown(name, "more", "impolite", good=True) for name in ("b", "a")),
        *(shown(name, "mine", "original", good=name == "b") for name in ("b", "a")),
        *(shown(name, "mine", "impolite", good=name == "a") for name in ("b", "a")),
    ]
    assert "6 transcripts of 2 dialogues" in capsys.readouterr().err


def test_what_does_not_fit_is_one_line(tmp_path, world):
    with pytest.raises(InputError, match=r"systems\.csv: no row of 'other'"):
        transcripts(tmp_path / "t.csv", systems=["mine", "other"], **world)
    with pytest.raises(InputError, match=r"polite: dialogue 'c' is not in .*impolite"):
        swapped = {"polite": world["impolite"], "impolite": world["polite"]}
        transcripts(tmp_path / "t.csv", systems=["mine"], **{**world, **swapped})
    write_csv(tmp_path / "systems.csv", MANIFEST, [("mine", "-", tmp_path / "polite.json", "-")])
    with pytest.raises(InputError, match="'mine' has no responses to impolite users"):
        transcripts(tmp_path / "t.csv", systems=["mine"], **world)
    assert not (tmp_path / "t.csv").exists()


def test_shares_are_means_over_turns():
    one = dialogue({}, turn("a b", CENTRE), turn("c", CENTRE))
    assert _shares(one, [Output("a", {}), Output("C", CENTRE)]) == ["0.5000", "0.8333"]
    # A value in another domain is another one; a turn that has no state has the annotated one.
    other = {"hotel": {"area": "centre"}, **CENTRE}
    assert _shares(one, [Output("b a a", other), Output("d")]) == ["0.8333", "0.4000"]
    assert _shares(dialogue({}, turn()), [Output("", {})]) == ["1.0000", "1.0000"]


def test_a_goal_is_a_line_for_each_domain():
    goal = {"hotel": ({"area": "north", "stars": "4"}, ()), "train": ({}, ("id", "price")), "taxi": ({}, ())}
    assert goal_of(dialogue(goal, turn())) == (
        "hotel: area = north; stars = 4\ntrain: asks for id, price\ntaxi: anything"
    )
