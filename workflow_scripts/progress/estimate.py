"""An estimate of the remaining time of a run, from the times of its finished jobs."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Estimate:
    """The jobs of a run by rule: how many there are, how many have ended, and how long these took.

    `known` has the seconds of a rule's jobs in some other run: on another machine, at another scale. Only how
    they relate to each other counts, until jobs of the rule have ended here; then their own mean does. A job
    that runs for longer than is known counts like one that has ended: what trains for a minute in the demo
    may take an hour at another scale, and all that has ended by then are small jobs.
    """

    known: Mapping[str, float]
    jobs: dict[str, int] = field(default_factory=dict)
    began: float = 0.0
    running: dict[int, tuple[str, float]] = field(default_factory=dict)
    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def start(self, number: int, rule: str, now: float) -> None:
        """A job begins."""
        self.running[number] = (rule, now)

    def end(self, number: int, now: float) -> None:
        """A job has ended well."""
        if number in self.running:
            rule, began = self.running.pop(number)
            self.took[rule].append(now - began)

    @property
    def done(self) -> int:
        """The number of jobs that have ended."""
        return sum(map(len, self.took.values()))

    @property
    def total(self) -> int:
        """The number of all jobs."""
        return sum(self.jobs.values())

    def left(self, now: float) -> float | None:
        """The seconds until the end; None before a job has ended."""
        if not self.done:
            return None
        ages = [(rule, now - began) for rule, began in self.running.values()]
        spent = sum(map(sum, self.took.values()))
        usual = sum(len(times) * self._known(rule) for rule, times in self.took.items())
        speed = spent / usual if usual else 1.0
        for rule, age in sorted(ages):
            if rule not in self.took and age > self._known(rule) * speed:
                spent, usual = spent + age, usual + self._known(rule)
        speed = spent / usual if usual else 1.0
        work = 0.0
        for rule, count in self.jobs.items():
            times = self.took.get(rule, [])
            each = sum(times) / len(times) if times else self._known(rule) * speed
            begun = [age for name, age in ages if name == rule]
            work += (count - len(times) - len(begun)) * each + sum(max(0.0, each - age) for age in begun)
        busy = sum(map(sum, self.took.values())) + sum(age for _, age in ages)
        # How many jobs have run at the same time, on average.
        side_by_side = max(1.0, busy / (now - self.began)) if now > self.began else 1.0
        return max(0.0, work) / side_by_side

    def _known(self, rule: str) -> float:
        mean = sum(self.known.values()) / len(self.known) if self.known else 1.0
        return self.known.get(rule, mean)
