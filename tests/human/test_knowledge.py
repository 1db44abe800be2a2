"""The knowledge of simulated raters about a sentence, for one whose words can be counted."""

import json

import pytest

from workflow_scripts.core.files import write_lines
from workflow_scripts.human.knowledge import Known, read_known


@pytest.fixture
def known(tmp_path):
    row = {
        "content": ["mon frère", "à la gare"],
        "informal": [["bon ben", "bon,"], ["g vu mon frère à la gare"], [" mdr", "."]],
        "formal": [["Bien,"], ["j'ai vu mon frère à la gare", "j'ai rencontré à la gare mon frère"], ["."]],
    }
    write_lines(tmp_path / "known.jsonl", [json.dumps(row)])
    return read_known(tmp_path / "known.jsonl")[0]


def test_style_is_that_of_words_and_of_outer_form(known):
    # Formal: bien, j, ai, rencontré; a capital and a full stop count as one more.
    assert known.formality("Bien, j'ai rencontré mon frère à la gare.") == pytest.approx(6 / 7)
    # Informal: bon, ben, g, mdr; no full stop, and a letter three times.
    assert known.formality("bon ben g vu mon frèreee à la gare mdr") == pytest.approx(1 / 8)
    # What both styles say is no mark.
    assert known.formality("Vu mon frère à la gare.") == pytest.approx(2 / 3)


def test_meaning_is_that_of_the_content(known):
    assert known.meaning("bon ben g vu MON FRERE a la gare") == 1
    assert known.meaning("J'ai vu ma sœur à la gare.") == pytest.approx(3 / 5)
    assert known.meaning("Bonjour.") == 0


def test_fluency_is_that_of_pairs_of_words(known):
    assert known.fluency("Bien, j'ai vu mon frère à la gare.") == 1
    assert known.fluency("gare gare gare") == 0
    assert known.fluency("j'ai vu la gare") == pytest.approx(3 / 4)
    assert known.fluency("gare") == 0
    # Words that every wording has, or none of the content, are in no set.
    assert Known(frozenset(), frozenset(), frozenset(), frozenset()).meaning("Bonjour.") == 1
