"""Checkpoints that settings name: of the hub, pinned by their commit, or in a folder."""

import re
from collections.abc import Collection
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from workflow_scripts.config.values import GivenFolder, Section, refused


def _commit(text: Any) -> Any:
    if text and not re.fullmatch(r"[0-9a-f]{40}", str(text)):
        raise refused("give the 40 hexadecimal digits (0-9, a-f) of a commit")
    return text


Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$"), BeforeValidator(_commit)]
# A commit, or an empty text where the checkpoint is not of the hub.
CommitOfHub = Annotated[str, Field(pattern=r"^([0-9a-f]{40})?$"), BeforeValidator(_commit)]
# Added to the message that a folder does not exist: a name without a commit is one's own folder.
WITHOUT_COMMIT = "; a checkpoint of the hub needs a revision, its commit"


class FirstWeights(Section):
    """The weights that a network starts from, perhaps those of a checkpoint."""

    kind: str
    checkpoint: str = Field(description="`hub`: name")
    revision: CommitOfHub = Field(description="`hub`: commit")
    path: GivenFolder | None = Field(
        description="`folder`: a transformers checkpoint, from the working directory"
    )

    def unread(self) -> Collection[str]:
        """The setting `path`, unless the weights are in a folder."""
        return () if self.kind == "folder" else ("path",)

    def problem(self, place: str) -> str:
        """What is wrong with the weights at a place of the configuration; empty if they are valid."""
        # Each class has both among settings of its own, as another order of them would rerun trainings.
        hidden, heads = (getattr(self, key) for key in ("hidden", "heads"))
        if hidden % heads:
            return f"{place}.heads: {heads} heads cannot share {hidden} units evenly"
        for kind, key in (("folder", "path"), ("hub", "checkpoint"), ("hub", "revision")):
            if self.kind == kind and not getattr(self, key):
                return f"{place}.{key}: needed when {place}.kind is '{kind}'"
        return ""
