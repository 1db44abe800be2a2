"""Task-oriented dialogue systems: which there are, and on which dialogues they are evaluated."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from workflow_scripts.config.systems import Label
from workflow_scripts.config.values import Distinct, Section, check_path, refused


def _path(text: str) -> str:
    check_path(text)
    if set("{}") & set(text.replace("{set}", "")):
        raise refused("the only placeholder is {set}")
    if "{set}" not in text:
        raise refused("{set} has to stand in it: there is a file for polite and one for impolite users")
    return text


class OwnResponses(Section):
    """Any system whose responses are files."""

    kind: Literal["outputs"]
    label: Label = Field(description="name of its rows; no two systems have the same")
    path: Annotated[str, AfterValidator(_path)] = Field(
        description="file with the responses in the JSON of the standard evaluator, from the working"
        " directory; `{set}` stands for `polite` (the dialogues of `build/dialogue/sets/polite.jsonl`) and"
        " for `impolite`"
    )


class Dialogue(Section):
    """Task-oriented dialogue systems and impolite users (Hu et al., 2022)."""

    folds: Annotated[list[Literal["train", "dev", "test"]], Field(min_length=1), Distinct] = Field(
        description="whose rewritten dialogues are the original and the impolite ones of Table VII; the paper"
        " has all of them, those on which its systems were trained included"
    )
    systems: dict[Annotated[str, Field(pattern=r"^\w[\w-]{0,59}$")], OwnResponses] = Field(
        description="the systems by name: rows of Tables VI and VII"
    )

    def check_labels(self) -> None:
        """ValueError for a label of two systems."""
        labels = [one.label for one in self.systems.values()]
        for label in labels:
            if labels.count(label) > 1:
                raise ValueError(f"dialogue.systems: '{label}' is the label of two systems")
