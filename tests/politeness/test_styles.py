"""Politeness against formality: the measures of the stage, and Tables 4, 5, 6, 7 and 12."""

import statistics
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.politeness.test_readers import CASES, PIECES, read_or_named
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.politeness.calibrated import calibrated
from workflow_scripts.politeness.labelled import labelled
from workflow_scripts.politeness.sides import sides
from workflow_scripts.politeness.styles import COLUMNS, pairwise, read_styles, styles


def scores(path: Path, values: list[float]) -> Path:
    write_lines(path, map(str, values))
    return path


def test_one_threshold_from_the_english_dev_set(tmp_path):
    dev = scores(tmp_path / "dev", [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5])
    informal = [
        scores(tmp_path / f"{lang}.informal", values)
        for lang, values in (("en", [-5, -2.5]), ("fr", [3, -3]))
    ]
    refs = [[-2, -3], [1, 1], [1, 1], [1, 0.5], [4, 3], [2, -4], [3, -1], [-2.25, 3]]
    formal = [scores(tmp_path / f"{number}", values) for number, values in enumerate(refs)]
    styles(tmp_path / "t.csv", dev=[dev], informal=informal, formal=formal, languages=["en", "fr"])
    found = read_styles(tmp_path / "t.csv")
    # With four rewrites a fifth is informal: the 20th percentile of the dev set, interpolated, is -2.2.
    assert found["en"].dev_share == 0.8
    assert (found["en"].informal, found["en"].formal, found["en"].majority) == (2, 8, 0.8)
    # Above 0: 6 of 8 formal ones and no informal one; above -2.2 one more formal one.
    assert (found["en"].before, found["en"].after) == (0.8, 0.9)
    # Above the 80th percentile, 3.2, is no English sentence.
    assert found["en"].stated == 0.2
    assert found["en"].same == 2 / 8 and found["en"].higher == 7 / 8
    # Of the French ones -2.25 is below it, and a little lower bound would not be.
    assert found["fr"].higher == 4 / 8 and found["fr"].after == 0.7


def test_with_one_rewrite_the_threshold_is_the_median_and_unpaired_languages_have_no_pairs(tmp_path):
    dev = [scores(tmp_path / "d1", [1, 2]), scores(tmp_path / "d2", [3, 10])]
    given_ones = {"en": ([0, 5], [2, 3, 4]), "fr": ([1, 1], [1, 9])}
    informal = [scores(tmp_path / f"{lang}.i", low) for lang, (low, _) in given_ones.items()]
    formal = [scores(tmp_path / f"{lang}.f", high) for lang, (_, high) in given_ones.items()]
    options = {"dev": dev, "informal": informal, "formal": formal, "languages": ["en", "fr"]}
    styles(tmp_path / "t.csv", **options, unpaired=["en"])
    rows = {row["lang"]: row for row in rows_of(tmp_path / "t.csv")}
    assert (rows["en"]["informal"], rows["en"]["formal"], rows["en"]["same"], rows["en"]["higher"]) == (
        "2",
        "3",
        "",
        "",
    )
    # The median of 1, 2, 3, 10 is 2.5: 3, 4, and 0 are right in English; 1, 1 and 9 in French.
    assert (rows["en"]["after"], rows["fr"]["after"]) == ("0.600000", "0.750000")
    # A tie is not higher.
    assert (rows["fr"]["same"], rows["fr"]["higher"]) == ("1.000000", "0.500000")
    # Without any pair the threshold is the median too.
    styles(tmp_path / "u.csv", **options, unpaired=["en", "fr"])
    alone = {row["lang"]: row for row in rows_of(tmp_path / "u.csv")}
    assert (alone["en"]["after"], alone["fr"]["after"], alone["fr"]["same"]) == ("0.600000", "0.750000", "")
    for change, problem in (
        ({"dev": [scores(tmp_path / "none", [])]}, "no dev set, or unequal numbers of files of rewrites"),
        ({"formal": []}, "no dev set, or unequal numbers of files of rewrites"),
        ({"languages": ["en"]}, "2 files of informal sentences for 1 languages"),
    ):
        with pytest.raises(InputError, match=problem):
            styles(tmp_path / "no.csv", **{**options, **change})
    empty = [formal[1], scores(tmp_path / "empty", [])]
    with pytest.raises(InputError, match=r"fr\.i: sentences of one style only"):
        styles(tmp_path / "no.csv", **{**options, "formal": empty}, unpaired=["en", "fr"])
    with pytest.raises(InputError, match="3 rewrites of 2 sentences"):
        styles(tmp_path / "no.csv", **options)
    with pytest.raises(InputError, match="unequal numbers of files"):
        styles(tmp_path / "no.csv", **{**options, "formal": [*formal, formal[0]]})


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12))
def test_pairs_turned_around(pairs):
    low, high = (list(map(float, side)) for side in zip(*pairs, strict=True))
    same, higher = pairwise(low, [high])
    turned, lower = pairwise(high, [low])
    ties = sum(one == two for one, two in pairs) / len(pairs)
    assert same == turned and higher + lower + ties == pytest.approx(1)


def test_calibration_on_the_unused_fifth_only(tmp_path):
    held_out = scores(tmp_path / "train", [100] * 8 + [1, 3])
    found = scores(tmp_path / "xx", [1.5, 2.5, 1.9, 4, 3.5])
    gold = scores(tmp_path / "gold", [-1, 1, -1, 1, 1])
    options = {"scores": [found], "gold": [gold], "languages": ["xx"]}
    calibrated(tmp_path / "t.csv", **options, held_out=held_out)
    # All are above 0; the median of the last fifth, 1 and 3, parts them, and their own, 2.5, does not.
    assert rows_of(tmp_path / "t.csv") == [
        {
            "lang": "xx",
            "n": "5",
            "before": "0.600000",
            "after": "1.000000",
            "auc": "1.000000",
            "formal": "1.000000",
        }
    ]
    # A score at the threshold is none above it, nor is a gold score of 0 polite.
    scores(tmp_path / "xx", [0, 0.5, 3, 2])
    scores(tmp_path / "gold", [0, 1, 1, -1])
    calibrated(tmp_path / "t.csv", **options, held_out=held_out)
    (row,) = rows_of(tmp_path / "t.csv")
    assert [row[name] for name in ("before", "after", "formal")] == ["0.750000", "0.750000", "0.750000"]
    for values in ([1, 2, 3, 4], [-1, 0, -1, -1], [1, 0, 1]):
        scores(tmp_path / "gold", values)
        with pytest.raises(InputError, match=r"xx: not a score for each request of both classes in .*gold"):
            calibrated(tmp_path / "no.csv", **options, held_out=held_out)
    with pytest.raises(InputError, match="2 languages, but not as many files"):
        calibrated(tmp_path / "no.csv", **{**options, "languages": ["xx", "yy"]}, held_out=held_out)
    with pytest.raises(InputError, match="too few scores to calibrate on a fifth of them"):
        calibrated(tmp_path / "no.csv", **options, held_out=scores(tmp_path / "few", [1, 2]))


def test_labels_are_of_both_files_and_drawn_the_same_each_time(tmp_path):
    low, high = tmp_path / "low", tmp_path / "high"
    write_lines(low, [f"l{n}" for n in range(20)])
    write_lines(high, [f"h{n}" for n in range(20)])

    def made(size: int | None) -> list[tuple[str, str]]:
        labelled(tmp_path / "s", tmp_path / "v", informal=low, formal=high, seed=1, size=size)
        return list(zip(read_lines(tmp_path / "s"), read_lines(tmp_path / "v"), strict=True))

    everything = made(None)
    assert len(everything) == 40 and len(set(everything)) == 40
    assert all((text[0] == "h") == (score == "1") for text, score in everything)
    assert made(10) == everything[:10] and {score for _, score in everything[:10]} == {"1", "-1"}
    # The draw is the same one in any later version.
    assert [text for text, _ in everything[:6]] == ["h13", "h16", "h2", "l5", "l14", "h18"]


def test_sides_of_rated_sentences(tmp_path):
    write_lines(tmp_path / "s", ["a", "b", "c"])
    options = {"sentences": tmp_path / "s", "scores": scores(tmp_path / "v", [0, 0.5, -2])}
    sides(tmp_path / "low", tmp_path / "high", **options)
    assert (read_lines(tmp_path / "low"), read_lines(tmp_path / "high")) == (["a", "c"], ["b"])
    scores(tmp_path / "v", [0])
    with pytest.raises(InputError, match="1 scores but 3 sentences"):
        sides(tmp_path / "low", tmp_path / "high", **options)


@settings(max_examples=CASES)
@given(data=st.binary(max_size=200) | PIECES.map(str.encode), headed=st.booleans())
def test_any_bytes_are_read_or_named(data, headed):
    read_or_named(read_styles, (",".join(COLUMNS) + "\n").encode() + data if headed else data)


def test_read_styles_reads_what_is_written(tmp_path):
    row = ("fr", 1, 4, 0.1, 0.2, 0.3, 0.4, "", "", 0.5)
    one = read_styles(put(tmp_path / "t.csv", COLUMNS, [row]))["fr"]
    assert one.majority == 0.8 and statistics.fmean([one.before, one.stated]) == pytest.approx(0.2)


def test_only_the_shares_of_pairs_may_be_empty(tmp_path):
    row = ("fr", 1, 4, 0.1, 0.2, "", 0.4, "", "", 0.5)
    with pytest.raises(InputError, match=r"t\.csv:2: '' is not a number"):
        read_styles(put(tmp_path / "t.csv", COLUMNS, [row]))
