"""The descriptions of options that mean the same in every command."""

import inspect
import re
from collections.abc import Callable
from typing import Any


def shared() -> None:
    """The descriptions, for the parameters that have none in the docstring of their command.

    They stand in a docstring, since a changed docstring runs no job again. A command whose option means
    something narrower describes it itself.

    :param batch_size: texts that are computed together, at most
    :param beam_size: hypotheses kept at each step of the search; 1: greedy
    :param cache: SQLite file of all answers, made if it is not there
    :param checkpoints: folder for what unfinished jobs have finished, each in a subfolder of its own
    :param chunk_size: sentences that are sorted by length, and kept for a restart, together
    :param confidence: share of the samples in an interval, such as 0.95
    :param content: YAML: the entries that fill the templates of `texts`
    :param course: settings of the training
    :param databases: files <domain>_db.json
    :param device: where to compute; auto: on a GPU if there is one
    :param fetched: the folder that core.fetch or core.fetch_packaged wrote of the model
    :param initial: folder of the checkpoint; not for a model from scratch
    :param language: code of the language, such as pt
    :param languages: codes of the languages, in the order of the rows, columns or panels
    :param length_penalty: exponent by which a hypothesis' score is divided by its length
    :param precision: number format of matrix products, everything else is float32; auto: bf16 on a GPU
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param seed: of everything that is drawn, such as samples, orders, first weights and dropout
    :param simulated: whether the raters are simulated
    :param start: the pretrained model to start from
    :param threads: of the processor
    :param world: file of the demo world
    """


def described(function: Callable[..., Any]) -> str:
    """The docstring of a command, with what `shared` says of the parameters that it does not describe."""
    text = inspect.getdoc(function) or ""
    said = {found[1]: found[0] for found in re.finditer(r":param (\w+): .*", shared.__doc__ or "")}
    lacking = [name for name in inspect.signature(function).parameters if f":param {name}:" not in text]
    return "\n".join([text, "", *(said[name] for name in lacking if name in said)])
