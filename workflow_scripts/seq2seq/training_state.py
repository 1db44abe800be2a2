"""The state of a training on disk, from which a killed one goes on as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.job_state import JobState


class TrainingState(JobState):
    """The newest state of one training.

    A state is a folder `<update>` with state.safetensors and state.json. It is written under another name,
    renamed, and only then is the older one deleted: at any time there is a whole one.
    """

    def save(self, update: int, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        """Write the state after so many updates."""
        with writing_folder(self.folder / f"{update:09d}") as part:
            save_file(
                {name: tensor.detach().cpu() for name, tensor in tensors.items()}, part / "state.safetensors"
            )
            (part / "state.json").write_text(json.dumps(scalars, sort_keys=True), encoding="utf-8")
        for old in self.folder.iterdir():
            if old.name != f"{update:09d}":
                shutil.rmtree(old)

    def newest(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """The last state that was written, or None; a broken one counts as none."""
        names = sorted(path.name for path in self.folder.glob("[0-9]*"))
        if not names:
            return None
        state = self.folder / names[-1]
        try:
            scalars = json.loads((state / "state.json").read_text(encoding="utf-8"))
            return load_file(state / "state.safetensors"), scalars
        except (SafetensorError, ValueError):
            # As a machine may leave it that went down while it wrote.
            print(f"{state}: broken, ignored", file=sys.stderr)
            return None
