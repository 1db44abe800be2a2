"""The time that a graph of jobs takes on some nodes: list scheduling, longest chain first (Graham, 1969)."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A job: seconds, the cores and GPUs it uses meanwhile, and the indices of the jobs before it."""

    seconds: float
    cores: int
    gpus: int
    after: tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """The resources of one machine of a cluster."""

    cores: int
    gpus: int


def remaining(tasks: Sequence[Task]) -> list[float]:
    """For each task the seconds of the longest chain that begins with it; tasks come after what they need."""
    left = [task.seconds for task in tasks]
    for place in reversed(range(len(tasks))):
        for before in tasks[place].after:
            left[before] = max(left[before], tasks[before].seconds + left[place])
    return left


def _successors(tasks: Sequence[Task]) -> list[list[int]]:
    """For each task the indices of the tasks that wait for it, each once."""
    after: list[list[int]] = [[] for _ in tasks]
    for place, task in enumerate(tasks):
        for before in set(task.after):
            after[before].append(place)
    return after


def longest_chain(tasks: Sequence[Task]) -> list[int]:
    """The indices of the tasks of the longest chain, in the order in which they run."""
    left = remaining(tasks)
    after = _successors(tasks)
    chain: list[int] = []
    ready = [place for place, task in enumerate(tasks) if not task.after]
    while ready:
        chain.append(max(ready, key=lambda place: (left[place], -place)))
        ready = after[chain[-1]]
    return chain


def makespan(tasks: Sequence[Task], nodes: int, node: Node) -> float:
    """Seconds until the last task ends, on `nodes` equal nodes.

    Whenever a task ends, those that may begin and fit on a node do so, the one with the longest chain behind
    it first. A task that asks for more than a node has takes a whole one.
    """
    left = remaining(tasks)
    waiting = [len(set(task.after)) for task in tasks]
    after = _successors(tasks)
    free = [[node.cores, node.gpus] for _ in range(nodes)]
    ready = [(-left[place], place) for place, count in enumerate(waiting) if not count]
    heapq.heapify(ready)
    running: list[tuple[float, int, int]] = []
    now = 0.0
    while ready or running:
        kept = []
        # A task that did not fit before does not fit now either.
        full: set[tuple[int, int]] = set()
        while ready:
            entry = heapq.heappop(ready)
            task = tasks[entry[1]]
            wants = (min(task.cores, node.cores), min(task.gpus, node.gpus))
            where = None
            if wants not in full:
                where = next(
                    (n for n, (cores, gpus) in enumerate(free) if cores >= wants[0] and gpus >= wants[1]),
                    None,
                )
            if where is None:
                full.add(wants)
                kept.append(entry)
                continue
            free[where][0] -= wants[0]
            free[where][1] -= wants[1]
            heapq.heappush(running, (now + task.seconds, entry[1], where))
        ready = kept
        heapq.heapify(ready)
        now, ended, where = heapq.heappop(running)
        task = tasks[ended]
        free[where][0] += min(task.cores, node.cores)
        free[where][1] += min(task.gpus, node.gpus)
        for place in after[ended]:
            waiting[place] -= 1
            if not waiting[place]:
                heapq.heappush(ready, (-left[place], place))
    return now
