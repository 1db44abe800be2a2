"""Levels by lists of words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT
from workflow_scripts.control.lists import COLUMNS, Lists
from workflow_scripts.control.rule_labels import rule_labels
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines

FILES = {path.stem: path for path in sorted((ROOT / "resources/levels").glob("*.tsv"))}


@pytest.mark.parametrize(
    ("language", "source", "target", "level"),
    [
        ("de", "Do you see her?", "Sehen Sie sie?", "formal"),
        ("de", "They sleep.", "Sie schlafen.", ""),
        ("de", "No. They sleep.", "Nein. Sie schlafen.", ""),
        ("de", "They sleep", "Sie schlafen", ""),
        ("de", "The house is there.", "Dort steht Ihr Haus.", "formal"),
        ("de", "You sleep.", "Sie schlafen.", "formal"),
        ("de", "You are her friend.", "Du bist ihr Freund, und Sie?", "informal"),
        ("de", "He sees her.", "er sieht sie und duzt niemanden", ""),
        ("es", "You see it.", "Lo ve usted.", "formal"),
        ("es", "It is his.", "Es su casa.", ""),
        ("es", "It is yours.", "Es su casa.", "formal"),
        ("es", "You and his house.", "Tú y su casa.", "informal"),
        ("fr", "I love you.", "Je t’aime.", "informal"),
        ("fr", "I love you.", "Je vous aime.", "formal"),
        ("fr", "He is waiting.", "Il attend.", ""),
        ("it", "I wait for you.", "io La aspetto", "formal"),
        ("it", "I see the house.", "La casa, la vedo.", ""),
        ("it", "I see you.", "Ti vedo.", "informal"),
        ("pt", "You see it.", "O senhor vê.", "formal"),
        ("pt", "You see it.", "Você vê.", "informal"),
        ("ja", "Let me eat.", "食べるよ。", "informal"),
        ("ja", "Let me eat.", "食べます。", "formal"),
        ("ja", "Let me eat.", "食べたいと言った。行きましょう！", "formal"),
        ("ja", "Pizza?", "ピザ？", ""),
    ],
)
def test_the_lists_say(language, source, target, level):
    assert Lists.read(FILES[language]).label(source, target) == level


@settings(max_examples=30)
@given(st.sampled_from(sorted(FILES)), st.text(), st.text())
def test_any_text_has_a_level_or_none(language, source, target):
    assert Lists.read(FILES[language]).label(source, target) in ("formal", "informal", "")


def test_labels_are_parallel_to_the_pairs(tmp_path, capsys):
    write_lines(tmp_path / "en", ["You are.", "", "It is.", "You are."])
    write_lines(tmp_path / "fr", ["Vous êtes.", "", "Tu es.", "Vous êtes."])
    rule_labels(tmp_path / "en", tmp_path / "fr", tmp_path / "out", lists=ROOT / "resources/levels/fr.tsv")
    assert read_lines(tmp_path / "out") == ["formal", "", "informal", "formal"]
    assert "2 formal, 1 informal, 1 neither" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "does not begin with level how form"),
        (["informal\tword\ttu"], "does not begin with"),
        (["\t".join(COLUMNS), "polite\tword\ttu"], ":2: 'polite', 'word'"),
        (["\t".join(COLUMNS), "formal\tsomewhere\ttu"], ":2: 'formal', 'somewhere'"),
        (["\t".join(COLUMNS), "formal\tword"], ":2: not three cells"),
        (["\t".join(COLUMNS), "formal\tword\t "], ":2: not three cells"),
        (["\t".join(COLUMNS), "formal\tword\tvous"], "no form that is informal"),
    ],
)
def test_lists_that_are_none(tmp_path, rows, message):
    write_lines(tmp_path / "x.tsv", rows)
    with pytest.raises(InputError, match=message):
        Lists.read(tmp_path / "x.tsv")
