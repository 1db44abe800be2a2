"""M-Acc of systems: labels by hand, runs, and the results on released data."""

from pathlib import Path

import pytest

from tests.tables import rows_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.cocoa import DOMAINS, path_of
from workflow_scripts.corpora.cocoa_eval import read_cocoa_eval
from workflow_scripts.corpora.cocoa_release import read as read_release
from workflow_scripts.papers.xformal.m_acc import m_acc

FORMAL = ("[F]Vous[/F] dormez .", "Comment [F]allez-vous[/F] ?")
INFORMAL = ("[F]Tu[/F] dors .", "Comment [F]vas-tu[/F] ?")


@pytest.fixture
def corpus(tmp_path):
    """Two sentences in each of the three domains."""
    for domain in DOMAINS["test"]:
        for style, texts in (("formal", FORMAL), ("informal", INFORMAL)):
            write_lines(path_of(tmp_path / "fr", "test", domain, f"{style}.annotated"), texts)
    return tmp_path / "fr"


def table(folder: Path, runs: list[tuple[str, list[str]]], corpus: Path) -> list[dict[str, str]]:
    rows = []
    for number, (label, outputs) in enumerate(runs):
        write_lines(folder / f"run{number}.txt", outputs)
        rows.append(("fr", label, str(folder / f"run{number}.txt")))
    write_csv(folder / "texts.csv", ("language", "label", "text"), rows)
    m_acc(folder / "m-acc.csv", texts=folder / "texts.csv", corpora=[corpus], languages=["fr"])
    return rows_of(folder / "m-acc.csv")


def test_outputs_are_labelled_and_runs_averaged(tmp_path, corpus):
    formal, informal, neutral, other = "Vous dormez .", "Tu dors .", "On dort .", "Tu dors , Vous dormez ."
    asked = "Comment ça va ?"
    runs = [
        ("A", [formal, asked, formal, asked, informal, asked]),
        ("A", [formal, asked, neutral, asked, other, asked]),
        ("NOTHING", [neutral, asked] * 3),
    ]
    ours, nothing = table(tmp_path, runs, corpus)
    assert ours == {
        "language": "fr",
        "system": "A",
        # Two of three, and one of one.
        "m_acc": "83.3",
        "matched": "33.3",
        "formal": "25.0",
        "informal": "8.3",
        "neutral": "58.3",
        "other": "8.3",
    }
    assert (nothing["m_acc"], nothing["matched"], nothing["neutral"]) == ("", "0.0", "100.0")


def test_outputs_of_other_sentences_are_refused(tmp_path, corpus):
    with pytest.raises(InputError, match="A: 2 outputs for 6 annotated references"):
        table(tmp_path, [("A", ["Vous dormez .", "?"])], corpus)


def test_without_annotated_references_there_is_no_row(tmp_path):
    write_csv(tmp_path / "texts.csv", ("language", "label", "text"), [])
    m_acc(tmp_path / "m-acc.csv", texts=tmp_path / "texts.csv")
    assert rows_of(tmp_path / "m-acc.csv") == []


def test_of_the_released_references_the_formal_ones_are_formal(tmp_path, mirror):
    """The evaluation set and the annotated references are of the same sentences in the same order."""
    read_release(mirror / "cocoa-mt", tmp_path / "it", language="it")
    read_cocoa_eval(mirror / "cocoa-mt", tmp_path / "eval", language="it")
    rows = [
        ("it", label, str(tmp_path / f"eval/{name}.txt"))
        for label, name in (("GOLD", "formal.ref0"), ("COPY", "informal"))
    ]
    write_csv(tmp_path / "texts.csv", ("language", "label", "text"), rows)
    m_acc(tmp_path / "m-acc.csv", texts=tmp_path / "texts.csv", corpora=[tmp_path / "it"], languages=["it"])
    gold, copy = rows_of(tmp_path / "m-acc.csv")
    assert (gold["m_acc"], copy["m_acc"]) == ("100.0", "0.0")
    assert float(gold["matched"]) > 70 and float(copy["matched"]) > 70
