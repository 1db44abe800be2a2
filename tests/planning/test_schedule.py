"""List scheduling on graphs whose best times are known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.planning.schedule import Node, Task, longest_chain, makespan, remaining

ONE = Node(1, 0)


def test_independent_jobs_share_the_nodes():
    jobs = [Task(2.0, 1, 0, ()) for _ in range(6)]
    assert [makespan(jobs, count, ONE) for count in (1, 2, 3, 6, 9)] == [12, 6, 4, 2, 2]
    assert makespan(jobs, 1, Node(3, 0)) == 4


def test_a_chain_takes_as_long_on_any_number_of_nodes():
    jobs = [Task(1.0, 1, 0, ()), Task(2.0, 1, 0, (0,)), Task(4.0, 1, 0, (1,)), Task(0.5, 1, 0, ())]
    assert remaining(jobs) == [7, 6, 4, 0.5]
    assert longest_chain(jobs) == [0, 1, 2]
    assert makespan(jobs, 2, ONE) == makespan(jobs, 50, ONE) == 7
    assert makespan(jobs, 1, ONE) == 7.5


def test_the_longest_chain_comes_first():
    # On two cores: the chain of 6 beside the four jobs of 1, and not after them.
    jobs = [Task(1.0, 1, 0, ()) for _ in range(4)] + [Task(3.0, 1, 0, ()), Task(3.0, 1, 0, (4,))]
    assert makespan(jobs, 2, ONE) == 6


def test_gpus_are_held_one_by_one():
    jobs = [Task(3.0, 1, 1, ()) for _ in range(4)]
    assert makespan(jobs, 1, Node(8, 1)) == 12
    assert makespan(jobs, 2, Node(8, 1)) == 6
    assert makespan(jobs, 1, Node(8, 4)) == 3
    # More than a node has: the whole node.
    assert makespan([Task(5.0, 64, 0, ()), Task(5.0, 64, 0, ())], 1, Node(8, 0)) == 10


@st.composite
def graphs(draw: st.DrawFn) -> list[Task]:
    seconds = draw(st.lists(st.floats(0.1, 100), min_size=1, max_size=25))
    jobs = []
    for place, time in enumerate(seconds):
        after = draw(st.sets(st.integers(0, place - 1), max_size=3)) if place else set()
        jobs.append(Task(time, draw(st.integers(1, 3)), 0, tuple(sorted(after))))
    return jobs


@given(graphs(), st.integers(1, 4))
def test_no_plan_is_better_than_can_be_nor_worse_than_twice(jobs, nodes):
    """Graham's bounds, where every job wants one core."""
    jobs = [Task(job.seconds, 1, 0, job.after) for job in jobs]
    chain = max(remaining(jobs))
    work = sum(job.seconds for job in jobs) / nodes
    took = makespan(jobs, nodes, ONE)
    assert took >= max(chain, work) - 1e-6
    assert took <= work + chain + 1e-6
    assert sum(jobs[place].seconds for place in longest_chain(jobs)) == pytest.approx(chain)
