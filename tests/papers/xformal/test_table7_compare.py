"""Our table beside the printed one, cell by cell."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import METRICS
from tests.manifests import labelled
from tests.papers.xformal.conftest import LANGUAGES, MADE_OPTIONS, MADE_WITH, PRINTED, SYSTEMS, value
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.papers.xformal.table7_compare import compare


def cells(
    inputs: dict[str, Any], tmp_path: Path, scale: Any = "demo", **made: str
) -> dict[tuple, dict[str, str]]:
    """What `compare` writes, by section, system, metric and language."""
    compare(tmp_path / "compare.csv", **inputs, printed=PRINTED, scale=scale, **{**MADE_WITH, **made})
    rows = rows_of(tmp_path / "compare.csv")
    found = {tuple(row.values())[:4]: row for row in rows}
    assert len(found) == len(rows)
    assert tuple(rows[0])[4:] == (
        *("printed", "ours", "difference", "ci_low", "ci_high", "comparable", "signature"),
    )
    return found


def test_every_printed_cell_and_every_cell_of_ours_once(inputs, tmp_path):
    found = cells(inputs, tmp_path)
    printed = {tuple(row.values())[:4]: row["printed"] for row in rows_of(PRINTED)}
    assert {key: row["printed"] for key, row in found.items() if row["printed"]} == printed
    # Of ours: 3 + 4 * 3 metrics in three languages; one system is not in the paper.
    assert sum(bool(row["ours"]) for row in found.values()) == 45
    assert len(found) == len(printed) + 12
    assert not any("bits" in key[2] for key in found)


def test_order_is_the_papers_then_ours(inputs, tmp_path):
    keys = list(cells(inputs, tmp_path))
    automatic = list(dict.fromkeys(key[1] for key in keys if key[0] == "automatic"))
    assert automatic[0] == "GOLD STANDARD" and automatic[-2:] == ["DLSM (IN-DOMAIN)", "MY <LLM> & CO"]
    assert keys[:4] == [
        *(("automatic", "GOLD STANDARD", "self_bleu", language) for language in LANGUAGES),
        ("automatic", "GOLD STANDARD", "formality", "pt"),
    ]
    sections = [key[0] for key in keys]
    assert sections == sorted(sections)


def test_difference_is_of_the_rounded_numbers(inputs, tmp_path):
    row = cells(inputs, tmp_path)["automatic", "ROUND-TRIP MT", "self_bleu", "it"]
    ours = round(value("round-trip-mt", "self_bleu", "it"), 1)
    assert (row["printed"], row["ours"]) == ("39.7", f"{ours:.1f}")
    assert row["difference"] == f"{ours - 39.7:.1f}"
    assert (float(row["ci_low"]), float(row["ci_high"])) == pytest.approx((ours - 1, ours + 1), abs=0.051)
    assert row["signature"] == "self_bleu|n:100"


def test_missing_sides_are_empty(inputs, tmp_path):
    found = cells(inputs, tmp_path)
    other = found["automatic", "UNMT", "formality", "pt"]
    assert (other["printed"], other["ours"], other["difference"], other["ci_low"]) == ("-1.74", "", "", "")
    mine = found["automatic", "MY <LLM> & CO", "formality", "pt"]
    assert mine["printed"] == mine["difference"] == "" != mine["ours"]
    assert found["human", "RULE-BASED", "formality", "pt"]["ours"] == ""


@pytest.mark.parametrize("scale", ["demo", "open"])
def test_only_the_papers_scale_is_comparable(inputs, tmp_path, scale):
    found = cells(inputs, tmp_path, scale)
    assert all(row["comparable"].startswith(f"no: {scale}") for row in found.values())


def test_at_the_papers_scale_both_sides_are_needed(inputs, tmp_path):
    open_questions = {tuple(row.values())[:4]: row["caveat"] for row in rows_of(PRINTED)}
    found = cells(inputs, tmp_path, "paper")
    for key, row in found.items():
        if row["printed"] and row["ours"]:
            assert row["comparable"] == (f"no: {open_questions[key]}" if open_questions[key] else "yes")
        else:
            assert row["comparable"] != "yes"
    # "The logarithm of each sentence's probability": to no base.
    assert all(
        "base" in why for key, why in open_questions.items() if key[::2] == ("automatic", "perplexity")
    )
    assert found["automatic", "UNMT", "formality", "pt"]["comparable"] == "no: not computed"
    assert found["automatic", "MY <LLM> & CO", "formality", "pt"]["comparable"] == "no: not printed"


def test_another_translator_or_encoder_is_named_where_it_matters(inputs, tmp_path):
    rows = dict(zip(SYSTEMS, ("RULE-BASED", "UNMT", "ROUND-TRIP MT", "GOLD STANDARD"), strict=True))
    labelled(inputs["systems"], rows)
    base, lists = "the logarithm's base is a reading", "abbreviations of ours"
    unpaired = "that a sample's size is of each style is a reading"
    nmt, ours = "backend nmt", "encoder scratch"
    for made, judged in (
        ({"backend": "nmt"}, (nmt, nmt, nmt)),
        ({"backend": "aws pt=nmt"}, (nmt, nmt, nmt)),
        ({"encoder": "scratch", "backend": "aws de=nmt"}, (ours, "", ours)),
        ({"backend": "nmt", "encoder": "scratch"}, (f"{nmt}, {ours}", nmt, f"{nmt}, {ours}")),
    ):
        found = cells(inputs, tmp_path, "paper", **made)
        regressed, translated, sorted_text = judged
        automatic = {
            key[1:3]: row["comparable"] for key, row in found.items() if key[::3] == ("automatic", "pt")
        }
        assert automatic["RULE-BASED", "self_bleu"] == f"no: {lists}"
        assert automatic["RULE-BASED", "formality"] == f"no: {regressed}, {lists}"
        assert automatic["RULE-BASED", "perplexity"] == f"no: {regressed}, {base}, {lists}"
        assert automatic["ROUND-TRIP MT", "multi_bleu"] == (f"no: {translated}" if translated else "yes")
        assert automatic["UNMT", "multi_bleu"] == f"no: {sorted_text}, {unpaired}"


def test_a_language_that_the_paper_lacks_comes_last(inputs, tmp_path):
    inputs["scores"][0].write_text(inputs["scores"][0].read_text().replace(",pt,", ",de,"))
    keys = list(cells(inputs, tmp_path))
    assert [key[3] for key in keys[:4]] == ["pt", "it", "fr", "de"]


def test_a_system_of_one_language_has_its_printed_cells_only(french_only, tmp_path):
    found = cells(french_only, tmp_path, "paper")
    mine = {key[2:]: row for key, row in found.items() if key[1] == "UNMT (IN-DOMAIN)"}
    assert list(mine) == [(metric, "fr") for metric in METRICS]
    assert all(row["printed"] and row["ours"] for row in mine.values())
    assert all("L26 was filtered first" in row["comparable"] for row in mine.values())
    # One that the paper prints for all languages keeps its other cells, without ours.
    labelled(french_only["systems"], {**SYSTEMS, "unmt-in-domain": "UNMT"})
    found = cells(french_only, tmp_path, "paper")
    assert found["automatic", "UNMT", "formality", "fr"]["ours"]
    assert found["automatic", "UNMT", "formality", "pt"]["comparable"] == "no: not computed"
    with pytest.raises(InputError, match=r"no score for system 'unmt-in-domain' in .*\.csv"):
        cells(french_only | {"scores": french_only["scores"][:2]}, tmp_path)


def test_an_unknown_printed_cell_is_reported(inputs, tmp_path):
    printed = put(
        tmp_path / "printed.csv",
        ("section", "system", "metric", "lang", "printed"),
        [("automatic", "COPY", "self_blue", "pt", "1.0")],
    )
    with pytest.raises(InputError, match=r"printed\.csv: unknown cell automatic, COPY, self_blue, pt"):
        compare(tmp_path / "compare.csv", **inputs, printed=printed, scale="demo", **MADE_WITH)


def test_command_line_of_compare(inputs, tmp_path, module):
    options = ["--scores", *inputs["scores"], "--systems", inputs["systems"]]
    target = tmp_path / "compare.csv"
    finished = module(
        "papers.xformal.table7_compare",
        target,
        *options,
        "--printed",
        PRINTED,
        "--scale",
        "demo",
        *MADE_OPTIONS,
    )
    assert finished.returncode == 0, finished.stderr
    assert len(rows_of(target)) == 197
