"""Memory and time of jobs grow with their attempt, time up to a day."""

from workflow_scripts.wiring.resources import DAY, computing


def test_a_job_that_can_use_a_gpu_requests_more_in_its_next_attempt():
    asked = computing("one GPU", 8000, 240)
    assert list(asked) == ["mem_mb", "runtime", "gpu"] and asked["gpu"] == "one GPU"
    attempts = [[asked[name](None, attempt) for name in ("mem_mb", "runtime")] for attempt in (1, 2, 7)]
    assert attempts == [[8000, 240], [16000, 480], [56000, DAY]]


def test_a_short_job_requests_no_time():
    assert set(computing("one GPU", 4000)) == {"mem_mb", "gpu"}
