"""Rates from measurements, and the table that people edit."""

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.planning.amounts import Amount
from workflow_scripts.planning.measured import cpu_seconds
from workflow_scripts.planning.rates import COLUMNS, Rate, rate_of, read_rates, write_rates
from workflow_scripts.planning.rates_of import line_through


def amount(units: float) -> Amount:
    return Amount("step", "line", units, 0, 0, 0)


def test_two_sizes_tell_the_start_and_the_rate_apart():
    points = [(units, 2 + units / 500) for units in (100.0, 1000.0, 50_000.0)]
    start, rate = line_through(points, 2.0)
    assert start == pytest.approx(2, rel=0.02) and rate == pytest.approx(500, rel=0.02)


def test_with_one_size_the_usual_start_decides():
    start, rate = line_through([(1000.0, 10.0)] * 4, 1.0)
    assert start == pytest.approx(1.0, rel=0.3)
    assert start + 1000 / rate == pytest.approx(10, rel=0.05)


def test_what_does_not_grow_has_no_rate():
    start, rate = line_through([(10.0, 3.0), (1000.0, 2.9), (100_000.0, 2.8)], 3.0)
    assert rate == 0 and 2.8 < start < 3


def test_seconds_and_what_is_not_measured():
    rate = Rate("step", "line", 1.0, 100.0, 20.0, 0, 1000, "", "")
    assert rate.seconds(amount(1000), gpu=False) == 11
    assert rate.seconds(amount(1000), gpu=True) == 1.5
    assert rate.doubts(amount(1000), gpu=False) == []
    assert rate.doubts(amount(20_000), gpu=True) == ["larger than measured", "no GPU measured"]


def test_a_rule_of_text_without_a_row_is_a_short_one_and_its_rate_is_doubted():
    own = read_rates(ROOT / "resources/rates.csv")
    rate = rate_of("count_words", amount(1e6), own)
    assert rate is own["others"] and rate.seconds(amount(1e6), gpu=False) == 2
    assert rate.doubts(amount(1), gpu=False) == ["guessed rate"]
    network = Amount("count_words", "billion multiplications", 1, 0, 0, 0)
    with pytest.raises(InputError, match="rule count_words: the table of rates has no step"):
        rate_of("count_words", network, own)


def test_a_step_without_a_rate_and_one_in_another_unit_are_no_guess():
    with pytest.raises(InputError, match="rule shard: the table of rates has no step 'step'"):
        rate_of("shard", amount(1), {})
    megabytes = Rate("step", "megabyte", 1.0, 100.0, 0, 0, 0, "", "")
    with pytest.raises(
        InputError, match=r"rule shard: .*counts in 'line', the table of rates in 'megabyte'.*step="
    ):
        rate_of("shard", amount(1), {"step": megabytes})


def test_the_generic_pairs_of_the_web_take_hours():
    """ParaCrawl's German and JParaCrawl's pairs are read, and both sides of 20 million are labelled."""
    own = read_rates(ROOT / "resources/rates.csv")
    for step, lines in (
        ("read_generic", 278_300_000),
        ("read_jparacrawl", 10_000_000),
        ("label_generic", 40_000_000),
    ):
        assert own[step].seconds(amount(lines), gpu=False) > 200
        assert own[step].doubts(amount(lines), gpu=False) == ["larger than measured"]


def test_the_table_comes_back_as_it_was_written(tmp_path):
    own = read_rates(ROOT / "resources/rates.csv")
    assert own["train_supervised"].updates > 0 and own["bicleaner"].largest >= 50_000
    write_rates(tmp_path / "rates.csv", own.values())
    assert (tmp_path / "rates.csv").read_text() == (ROOT / "resources/rates.csv").read_text()
    (tmp_path / "rates.csv").write_text(",".join(COLUMNS) + "\nshard,line,fast,1,,,,,\n")
    with pytest.raises(InputError, match="'fast' is not a number"):
        read_rates(tmp_path / "rates.csv")


def test_what_a_job_computed(tmp_path):
    head = "s\th:m:s\tmax_rss\tcpu_time\n"
    path = tmp_path / "job.tsv"
    for text, seconds in (("9\t0\t1\t4.5", 4.5), ("9\t0\tNA\tNA", None), ("9\t0\t1\t0", None)):
        path.write_text(f"{head}{text}\n")
        assert cpu_seconds(path) == seconds
    path.write_text("s\n")
    with pytest.raises(InputError, match="not a benchmark file"):
        cpu_seconds(path)


def test_a_table_without_the_row_of_short_jobs_is_refused(tmp_path):
    text = (ROOT / "resources/rates.csv").read_text(encoding="utf-8")
    (tmp_path / "rates.csv").write_text(text.replace("\nothers,", "\nothere,"), encoding="utf-8")
    with pytest.raises(InputError, match=r"rates.csv: no row 'others', for short jobs"):
        read_rates(tmp_path / "rates.csv")
