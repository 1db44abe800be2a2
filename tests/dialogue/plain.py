"""A training by a plain loop, beside which the project's own is held."""

from __future__ import annotations

from typing import Any

from workflow_scripts.seq2seq.seeds import DROPOUT, seed_of


def trained_plainly(training: Any, optimizer: Any) -> list[Any]:
    """The parameters of a training that has made none of its updates, after all of them.

    :param training: its loss and the order of its texts are used; each step is an update
    :param optimizer: of its parameters
    """
    import torch

    course, learner = training.course, training.learner
    for model in learner.models:
        model.train()
    steps = [places for epoch in range(course.epochs) for places in training.order(epoch)]
    warm = course.warmup_updates
    for number, places in enumerate(steps):
        torch.manual_seed(seed_of(training.seed, DROPOUT, number))
        falling = course.learning_rate * (len(steps) - number) / max(1, len(steps) - warm)
        rate = course.learning_rate * (number + 1) / warm if number < warm else falling
        for loss in losses_of(training, number, places):
            optimizer.param_groups[0]["lr"] = rate
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learner.parameters(), course.gradient_clip)
            optimizer.step()
    return [one.detach() for one in learner.parameters()]


def losses_of(training: Any, number: int, places: list[int]) -> Any:
    """The loss of an update; LABES has one for each turn."""
    network = getattr(training, "network", None)
    if getattr(network, "turn_by_turn", False):
        return network.losses([training.turns[place] for place in places], training.words)
    return [training.loss(number, places)]
