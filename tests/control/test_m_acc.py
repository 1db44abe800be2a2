"""M-Acc in both modes."""

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.control.conftest import FUZZ, texts_of
from workflow_scripts.control.m_acc import m_acc
from workflow_scripts.control.matching import LABELS, MODES, accuracy, label
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.cocoa import read_texts

FORMAL, INFORMAL = (
    "[F]Könnten Sie[/F] [F]Ihren[/F] Namen sagen?",
    "[F]Könntest du[/F] [F]deinen[/F] Namen sagen?",
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("hypothesis", "expected"),
    [
        ("Könnten Sie Ihren Namen sagen?", "FORMAL"),
        ("Sagen Sie mir Ihren Namen?", "FORMAL"),
        ("Könntest du den Namen sagen?", "INFORMAL"),
        ("Könnten Sie deinen Namen sagen?", "OTHER"),
        ("Wie ist der Name?", "NEUTRAL"),
        ("KÖNNTEN SIE IHREN NAMEN SAGEN?", "NEUTRAL"),
        ("", "NEUTRAL"),
    ],
)
def test_the_four_labels(mode, hypothesis, expected):
    assert label(hypothesis, FORMAL, INFORMAL, mode=mode, language="de") == expected


@pytest.mark.parametrize(
    ("hypothesis", "formal", "paper", "released"),
    [
        # All tokens of a phrase, but not side by side.
        ("Könnten das Sie sein?", "[F]Könnten Sie[/F]", "NEUTRAL", "FORMAL"),
        # A mark on a token makes it another token; a no-break space parts none.
        ("Und Sie?", "[F]Sie[/F]", "FORMAL", "NEUTRAL"),
        ("Voulez-vous\u00a0?", "[F]Voulez-vous[/F]", "FORMAL", "NEUTRAL"),
        # A part of a word.
        ("Das ist ein Dustudio.", "[F]tu[/F]", "FORMAL", "NEUTRAL"),
        # A marker inside another: the scorer's phrase holds it, and is found nowhere.
        ("Gern mit Ihnen", "[F]Gern [F]mit Ihnen[/F]", "FORMAL", "NEUTRAL"),
        # Nothing marked: for the scorer an empty phrase is an empty token, as between two spaces.
        ("Zwei  Leerzeichen", "[F][/F]", "NEUTRAL", "FORMAL"),
        ("  [F] ", "[F]Sie", "NEUTRAL", "NEUTRAL"),
    ],
)
def test_where_the_modes_differ(hypothesis, formal, paper, released):
    assert label(hypothesis, formal, "[F]du[/F]", mode="paper", language="de") == paper
    assert label(hypothesis, formal, "[F]du[/F]", mode="released", language="de") == released


@pytest.mark.parametrize("mode", MODES)
def test_spaces_at_the_ends_of_a_hypothesis_are_lost(mode):
    # For the scorer a phrase with a space at its end has an empty token, as a line with one.
    formal = "[F]Sie [/F]Namen"
    expected = {"paper": "FORMAL", "released": "NEUTRAL"}[mode]
    assert label(" Hallo Sie \t", formal, "[F]du[/F]", mode=mode, language="de") == expected


@pytest.mark.parametrize("mode", MODES)
def test_japanese_is_matched_by_substring(mode):
    formal, informal = "何を[F]買いました[/F]か？", "何を[F]買った[/F]？"
    assert label("昨日何を買いましたか？", formal, informal, mode=mode, language="ja") == "FORMAL"
    assert label("昨日何を買ったの？", formal, informal, mode=mode, language="ja") == "INFORMAL"
    assert label("何？", formal, informal, mode=mode, language="ja") == "NEUTRAL"


def test_accuracy_is_over_formal_and_informal():
    labels = ["FORMAL", "FORMAL", "INFORMAL", "NEUTRAL", "OTHER", "OTHER"]
    assert accuracy(labels, "FORMAL") == pytest.approx(2 / 3)
    assert accuracy(labels, "INFORMAL") == pytest.approx(1 / 3)
    assert accuracy(["OTHER", "NEUTRAL"], "FORMAL") == 0


def files(folder: Path, **texts: list[str]) -> dict[str, Path]:
    """One file per text."""
    for name, text in texts.items():
        write_lines(folder / f"{name}.txt", text)
    return {name: folder / f"{name}.txt" for name in texts}


def rows(path: Path) -> dict[str, str]:
    """Metrics and values, as written."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["metric"]: row["value"] for row in csv.DictReader(stream)}


def scored(folder: Path) -> tuple[dict[str, Path], dict[str, str], list[str]]:
    """Files of three hypotheses, the values that they have in both modes, and their labels."""
    texts = texts_of("de")
    hypotheses = [texts["formal"][0], texts["formal"][1], texts["informal"][2]]
    formal = [*texts["formal.annotated"][:2], "Sind [F]Sie Lehrer ?"]
    paths = files(folder, hypotheses=hypotheses, formal=formal, informal=texts["informal.annotated"])
    values = {
        **{"m_acc_formal": "0.667", "m_acc_informal": "0.333"},
        **{"formal": "2", "informal": "1", "neutral": "0", "other": "0", "malformed": "1"},
    }
    return paths, values, ["FORMAL", "FORMAL", "INFORMAL"]


@pytest.mark.parametrize(
    ("mode", "language", "match"),
    [
        *(("paper", "de", "substring"), ("released", "de", "tokens")),
        *(("paper", "ja", "substring"), ("released", "ja", "substring")),
    ],
)
def test_values_labels_and_how_they_were_found(tmp_path, mode, language, match):
    paths, values, labels = scored(tmp_path)
    m_acc(tmp_path / "m.csv", **paths, mode=mode, language=language, labels=tmp_path / "labels.txt")
    assert rows(tmp_path / "m.csv") == values
    assert read_lines(tmp_path / "labels.txt") == labels
    found = {line.rpartition(",")[2] for line in read_lines(tmp_path / "m.csv")[1:]}
    assert found == {f"m-acc|mode:{mode}|match:{match}|case:mixed|lang:{language}|n:3"}
    # Malformed lines of both references count; labels need not be written.
    m_acc(tmp_path / "n.csv", **{**paths, "informal": paths["formal"]}, mode=mode, language=language)
    assert rows(tmp_path / "n.csv")["malformed"] == "2"


def test_mode_and_language_decide_how_a_phrase_is_found(tmp_path):
    paths = files(tmp_path, hypotheses=["Und Sie?"], formal=["[F]Sie[/F]"], informal=["[F]du[/F]"])
    found = {}
    for mode, language in (("paper", "de"), ("released", "de"), ("released", "ja")):
        m_acc(tmp_path / "m.csv", **paths, mode=mode, language=language)
        found[mode, language] = rows(tmp_path / "m.csv")["formal"]
    assert found == {("paper", "de"): "1", ("released", "de"): "0", ("released", "ja"): "1"}


def test_the_command(tmp_path, module):
    paths, values, labels = scored(tmp_path)
    options = [item for name, path in paths.items() for item in (f"--{name}", path)]
    done = module(
        *("control.m_acc", tmp_path / "m.csv", *options, "--mode", "released", "--language", "de"),
        *("--labels", tmp_path / "labels.txt"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert rows(tmp_path / "m.csv") == values
    assert read_lines(tmp_path / "labels.txt") == labels


def test_bad_files_are_reported(tmp_path):
    paths = files(tmp_path, hypotheses=["a"], formal=["[F]a[/F]", "b"], informal=["c", "d"])
    with pytest.raises(InputError, match=r"hypotheses.txt has 1 lines, .*formal.txt has 2 lines"):
        m_acc(tmp_path / "m.csv", **paths, mode="paper", language="de")
    paths = files(tmp_path, hypotheses=[], formal=[], informal=[])
    with pytest.raises(InputError, match=r"hypotheses.txt: empty file"):
        m_acc(tmp_path / "m.csv", **paths, mode="paper", language="de")
    assert not (tmp_path / "m.csv").exists()


CONTENT = st.binary(max_size=40) | st.lists(
    st.sampled_from(
        [b"\n", b"\r\n", b" ", b"Sie", b"[F]", b"[/F]", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf"]
    )
).map(b"".join)


@pytest.mark.slow
@FUZZ
@given(CONTENT, CONTENT, CONTENT, st.sampled_from(MODES), st.sampled_from(["de", "ja"]), st.booleans())
def test_any_bytes_are_scored_or_refused_by_name(first, second, third, mode, language, same):
    with tempfile.TemporaryDirectory() as name:
        paths = {kind: Path(name) / f"{kind}.txt" for kind in ("hypotheses", "formal", "informal")}
        contents = (first, first, first) if same else (first, second, third)
        for path, content in zip(paths.values(), contents, strict=True):
            path.write_bytes(content)
        out, labels = Path(name) / "m.csv", Path(name) / "labels.txt"
        try:
            m_acc(out, **paths, mode=mode, language=language, labels=labels)
        except InputError as error:
            assert ".txt" in str(error)
            return
        count = first.count(b"\n") + (not first.endswith(b"\n"))
        assert len(read_lines(labels)) == count
        values = rows(out)
        assert sum(int(values[kind.lower()]) for kind in LABELS) == count
        if same:
            # Both references are the same, so that a phrase of one is one of the other.
            assert values["formal"] == values["informal"] == values["m_acc_formal"][0] == "0"


@pytest.mark.parametrize("language", ["de", "es", "fr", "hi", "it", "ja"])
@pytest.mark.parametrize("mode", MODES)
def test_real_references_are_of_their_own_formality(real, language, mode):
    kinds = ("formal", "informal", "formal.annotated", "informal.annotated")
    formal, informal, *annotated = read_texts(real(language), "test", kinds)
    for texts, wanted in ((formal, "FORMAL"), (informal, "INFORMAL")):
        labels = [label(*row, mode=mode, language=language) for row in zip(texts, *annotated, strict=True)]
        assert accuracy(labels, wanted) == 1
        assert labels.count(wanted) > len(texts) / 3


# What the released scorer says of these files: FORMAL, INFORMAL, NEUTRAL, OTHER.
GOLDEN = {
    ("de", "formal"): (551, 0, 48, 1),
    ("de", "informal"): (0, 540, 51, 9),
    ("es", "formal"): (470, 0, 126, 4),
    ("es", "informal"): (0, 460, 126, 14),
    ("fr", "formal"): (564, 0, 35, 1),
    ("fr", "informal"): (0, 551, 46, 3),
    ("hi", "formal"): (554, 0, 27, 19),
    ("hi", "informal"): (0, 558, 27, 15),
    ("it", "formal"): (526, 0, 71, 3),
    ("it", "informal"): (0, 519, 71, 10),
    ("ja", "formal"): (313, 0, 1, 280),
    ("ja", "informal"): (0, 489, 5, 100),
    ("pt", "formal"): (545, 0, 54, 0),
    ("pt", "informal"): (2, 521, 56, 20),
}


@pytest.mark.parametrize(("language", "style"), list(GOLDEN))
def test_released_mode_counts_as_the_released_scorer(real, language, style):
    texts, *annotated = read_texts(real(language), "test", (style, "formal.annotated", "informal.annotated"))
    labels = [label(*row, mode="released", language=language) for row in zip(texts, *annotated, strict=True)]
    assert tuple(map(labels.count, LABELS)) == GOLDEN[language, style]
