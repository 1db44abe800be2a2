"""Small trainings: a command, settings by which it trains in a second, and the names of its files."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tests.killing import command_of
from workflow_scripts.training.loop import Training


def sectioned(options: dict[str, Any], **sections: type[BaseModel]) -> dict[str, Any]:
    """The options of a command, those that are keys of a section of the configuration gathered in it."""
    rest = dict(options)
    for name, section in sections.items():
        values = {key: rest.pop(key) for key in section.model_fields}
        # A rate at which any training diverges at once is more than the configuration allows.
        diverging = values.get("learning_rate", 0) > 1e30
        rest[name] = section.model_construct(**values) if diverging else section(**values)
    return rest


@dataclass(frozen=True)
class Small:
    """A command that trains on files of one folder."""

    command: Callable[..., None]
    training: type[Training[Any, Any]]
    inputs: dict[str, str]
    """The options that name inputs, and the inputs' names; with `*`, all files of a pattern."""
    settings: dict[str, Any]
    sections: dict[str, type[BaseModel]] = field(default_factory=dict)
    """Those in which settings are gathered."""
    outputs: dict[str, str] = field(default_factory=lambda: {"model": "model"})

    def files(self, data: Path) -> dict[str, Any]:
        """The inputs in a folder, by option."""
        return {
            option: sorted(data.glob(name)) if "*" in name else data / name
            for option, name in self.inputs.items()
        }

    def options(self, data: Path, out: Path, **changed: Any) -> dict[str, Any]:
        """All options of the command, which writes into a folder."""
        outputs = {option: out / name for option, name in self.outputs.items()}
        given = {**self.files(data), **outputs, "checkpoints": out / "states", **self.settings, **changed}
        return sectioned(given, **self.sections)

    def line(self, data: Path, out: Path, **changed: Any) -> list[str]:
        """The command line."""
        options = self.options(data, out, **changed)
        kinds = inspect.signature(self.command).parameters
        words = [options.pop(name) for name, one in kinds.items() if one.kind is not one.KEYWORD_ONLY]
        module = self.command.__module__.removeprefix("workflow_scripts.")
        return command_of(module, *words, **options)

    def __call__(self, data: Path, out: Path, **changed: Any) -> tuple[bytes, str]:
        """Train; the bytes of the first output, and the text of the last."""
        out.mkdir(exist_ok=True)
        self.command(**self.options(data, out, **changed))
        first, *_, last = (out / name for name in self.outputs.values())
        return first.read_bytes(), last.read_text(encoding="utf-8")


LOGGED = {"model": "model.safetensors", "log": "log.tsv"}
