"""The bins of dialogues in Figure 3 and Table X of Hu et al. (2022)."""

from collections.abc import Mapping
from itertools import pairwise

BINS = 5


def bins(values: Mapping[str, float]) -> list[list[str]]:
    """The dialogues in five bins by ascending value; the first bins have one more if the division is uneven.

    Fewer than five dialogues make fewer bins.
    """
    ordered = sorted(values, key=lambda name: values[name])
    size, larger = divmod(len(ordered), BINS)
    ends = [number * size + min(number, larger) for number in range(BINS + 1)]
    return [ordered[low:high] for low, high in pairwise(ends) if high > low]
