"""Mistakes in the hand-written texts of the demo world, each named with its file."""

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.demo.make_world import make_world
from workflow_scripts.corpora.demo.situations import LANGUAGES, load

SITUATIONS = sorted((ROOT / "resources" / "demo" / "situations").glob("*.yaml"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1].pop("question"), "its keys are not id, question, informal, formal"),
        (lambda rows: rows[1].update(question=["a"]), "not a text in each of"),
        (lambda rows: rows[1].update(formal="a"), "wordings are not a list"),
        (lambda rows: rows[1]["formal"][0].pop(), "not a text in each of"),
        (lambda rows: rows[1]["informal"][0].__setitem__(3, "avec {nobody}"), "no list 'nobody'"),
        (lambda rows: rows[1]["informal"][0].__setitem__(3, "avec personne"), "do not name the same lists"),
        (lambda rows: rows[1]["informal"][0].__setitem__(3, 1999), "not a text in each of"),
        (lambda rows: rows[1].update(informal=[]), "wordings are not a list"),
        (lambda rows: rows[1]["formal"].append({"de": "auch"}), "nor a mapping of some of them"),
        (lambda rows: rows[1]["formal"].append({"fr": 1999}), "nor a mapping of some of them"),
        (lambda rows: rows[1].update(informal=[{"fr": "avec"}]), "no wording in en"),
        (lambda rows: rows[0].update(id=rows[1]["id"]), "occurs twice"),
    ],
)
def test_demo_situation_with_a_mistake(tmp_path, change, message):
    shared = [path for path in SITUATIONS if path.stem in ("content", "phrases")]
    family = next(path for path in SITUATIONS if path.stem == "family")
    rows = yaml.safe_load(family.read_text(encoding="utf-8"))[:2]
    change(rows)
    path = tmp_path / "broken.yaml"
    path.write_text(yaml.safe_dump(rows, allow_unicode=True), encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load([*shared, path])
    assert str(rows[1]["id"]) in str(error.value)
    assert str(path) in str(error.value)


def test_demo_wording_in_one_language_is_said_in_that_one(tmp_path):
    shared = [path for path in SITUATIONS if path.stem in ("content", "phrases")]
    row = {
        "id": "late",
        "question": dict(zip(LANGUAGES, ("Late?", "Atrasado?", "In ritardo?", "En retard ?"), strict=True)),
        "informal": [
            {"fr": "jsuis trop à la bourre"},
            ["i'm late", "tô atrasado", "sono in ritardo", "jsuis en retard"],
        ],
        "formal": [
            ["I am late", "Estou atrasado", "Sono in ritardo", "Je suis en retard"],
            {"it": "Sono in grave ritardo"},
        ],
    }
    path = tmp_path / "late.yaml"
    path.write_text(yaml.safe_dump([row], allow_unicode=True), encoding="utf-8")
    (situation,) = load([*shared, path]).situations
    assert situation.question == ["Late?", "Atrasado?", "In ritardo?", "En retard ?"]
    assert situation.informal[0] == ["i'm late", "tô atrasado", "sono in ritardo", "jsuis trop à la bourre"]
    assert situation.informal[1] == ["i'm late", "tô atrasado", "sono in ritardo", "jsuis en retard"]
    assert situation.formal[1] == [
        "I am late",
        "Estou atrasado",
        "Sono in grave ritardo",
        "Je suis en retard",
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("content", "number: [[two, dois, due, deux], [two, dois, due, deux]]", "'two' twice in en"),
        ("content", "number: [[two, dois, due]]", "not a text in each of"),
        ("content", "past: [['{number} days', '', '', '']]", "does not name exactly one list above it"),
        ("phrases", "openers: []", "not a mapping of openers, tails"),
        (
            "phrases",
            "openers: [{share: 0, informal: [['', '', '', '']], formal: [['', '', '', '']]}]\ntails: []",
            "share",
        ),
        ("phrases", "[", r"phrases\.yaml:2: not YAML \(did not find expected node content\)"),
        ("content", 'number: [["two\\nthree", dois, due, deux]]', r"a text of several lines: 'two\\nthree'"),
        ("phrases", "openers: 3\ntails: []", "not a list of mappings"),
        ("phrases", "openers: [3]\ntails: []", "not a list of mappings"),
        (
            "phrases",
            "openers: [{informal: 1}]\ntails: []",
            "'openers 1': its keys are not share, informal, formal",
        ),
        (
            "phrases",
            "openers: [{share: x, informal: [['', '', '', '']], formal: [['', '', '', '']]}]\ntails: []",
            "'openers 1': its share is not a number above 0",
        ),
        ("content", "number: two", "'number' 1: not a text in each of en, pt, it, fr"),
        ("content", "number: [[two, dois, due, deux], 3]", "'number' 2: not a text in each of"),
        (
            "content",
            "a: [[a, b, c, d]]\nb: [['{a} {a}', '', '', '']]",
            "'{a} {a}': does not name exactly one list above it",
        ),
        ("content", "- a", "not a mapping"),
    ],
)
def test_demo_shared_texts_with_a_mistake(tmp_path, name, text, message):
    path = tmp_path / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load([path, *(other for other in SITUATIONS if other.stem != name)])
    assert str(path) in str(error.value)


def test_demo_situations_of_no_list(tmp_path):
    shared = [path for path in SITUATIONS if path.stem in ("content", "phrases")]
    path = tmp_path / "work.yaml"
    for text, message in (
        ("a: 1", "not a list of mappings"),
        ("- question: a", "'1': its keys are not id, question"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=rf"^{path}: {message}"):
            load([*shared, path])
    path.write_bytes(b"- \xff")
    with pytest.raises(InputError, match=rf"^{path}: not UTF-8$"):
        load([*shared, path])
    path.unlink()
    with pytest.raises(InputError, match=rf"^{path}: no such file$"):
        load([*shared, path])


def test_demo_has_both_domains(tmp_path):
    sizes = {"gyafc_dev": 4, "gyafc_test": 4, "xformal": 4}
    one = [path for path in SITUATIONS if path.stem != "entertainment"]
    with pytest.raises(InputError, match=r"give situations in entertainment\.yaml and in another file"):
        make_world(tmp_path / "world.json", situations=one, seed=1, **sizes)


def test_demo_needs_the_shared_texts():
    with pytest.raises(InputError, match=r"phrases\.yaml is not among"):
        load([path for path in SITUATIONS if path.stem != "phrases"])
