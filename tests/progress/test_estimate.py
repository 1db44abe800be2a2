"""The time left, from jobs whose times are known."""

import pytest

from workflow_scripts.progress.estimate import Estimate
from workflow_scripts.progress.line import about, clock

KNOWN = {"train": 60.0, "score": 2.0}


def test_nothing_is_known_before_a_job_has_ended():
    estimate = Estimate(KNOWN, {"train": 2, "score": 3})
    estimate.start(1, "train", 0.0)
    assert estimate.left(30.0) is None
    assert (estimate.done, estimate.total) == (0, 5)


def test_what_this_machine_took_scales_what_is_known():
    estimate = Estimate(KNOWN, {"train": 2, "score": 2})
    estimate.start(1, "score", 0.0)
    estimate.end(1, 4.0)
    # Twice as slow as elsewhere: one score of 4 s and two trainings of 120 s are left, one after the other.
    assert estimate.left(4.0) == pytest.approx(4 + 240)
    estimate.start(2, "train", 4.0)
    assert estimate.left(34.0) == pytest.approx(4 + 120 + 90)


def test_a_rules_own_times_count_as_soon_as_there_are_some():
    estimate = Estimate(KNOWN, {"train": 3})
    for number, end in ((1, 10.0), (2, 30.0)):
        estimate.start(number, "train", end - 10.0 * number)
        estimate.end(number, end)
    assert estimate.left(30.0) == pytest.approx(15)


def test_jobs_side_by_side_share_the_time():
    estimate = Estimate({}, {"train": 4})
    for number in (1, 2):
        estimate.start(number, "train", 0.0)
    for number in (1, 2):
        estimate.end(number, 10.0)
    # Two of 10 s each, two at a time.
    assert estimate.left(10.0) == pytest.approx(10)


def test_a_job_that_takes_longer_than_usual_is_no_negative_time():
    estimate = Estimate(KNOWN, {"score": 2})
    estimate.start(1, "score", 0.0)
    estimate.end(1, 2.0)
    estimate.start(2, "score", 2.0)
    assert estimate.left(50.0) == 0


def test_a_job_that_runs_for_longer_than_known_tells_that_the_scale_is_larger():
    estimate = Estimate({"make": 1.0, "train": 60.0, "score": 2.0}, {"make": 1, "train": 2, "score": 3})
    estimate.start(1, "make", 0.0)
    estimate.end(1, 1.0)
    estimate.start(2, "train", 1.0)
    assert estimate.left(31.0) == pytest.approx(30 + 60 + 6)
    # An hour instead of a minute: the other training takes one too.
    left = estimate.left(3601.0)
    assert left == pytest.approx((60 + 3 * 2) * 3601 / 61, rel=1e-2)
    # Until one has ended: then its time counts.
    estimate.end(2, 5401.0)
    estimate.start(3, "train", 5401.0)
    assert estimate.left(5401.0) == pytest.approx(5400 + 3 * 2 * 5401 / 61)


@pytest.mark.parametrize(
    ("seconds", "said", "shown"),
    [
        (7, "a few seconds", "0:07"),
        (64, "about 60 s", "1:04"),
        (330, "about 6 min", "5:30"),
        (9000, "about 2.5 h", "2:30:00"),
    ],
)
def test_times_as_people_read_them(seconds, said, shown):
    assert (about(seconds), clock(seconds)) == (said, shown)
