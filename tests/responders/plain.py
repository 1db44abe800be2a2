"""A training by a plain loop, beside which the project's own is held."""

from typing import Any

from workflow_scripts.seq2seq.seeds import DROPOUT, seed_of


def trained_plainly(training: Any, optimizer: Any) -> list[Any]:
    """The parameters of a training that has made none of its updates, after all of them.

    :param training: its losses and the order of its texts are used; each loss is an update
    :param optimizer: of its parameters
    """
    import torch

    course, parameters = training.course, training.parameters
    for model in training.models:
        model.train()
    steps = [places for epoch in range(course.epochs) for places in training.order(epoch)]
    warm = course.warmup_updates
    for number, places in enumerate(steps):
        torch.manual_seed(seed_of(training.seed, DROPOUT, number))
        falling = course.learning_rate * (len(steps) - number) / max(1, len(steps) - warm)
        rate = course.learning_rate * (number + 1) / warm if number < warm else falling
        training.update = number
        for loss in training.losses(places):
            optimizer.param_groups[0]["lr"] = rate
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, course.gradient_clip)
            optimizer.step()
    return [one.detach() for one in parameters]
