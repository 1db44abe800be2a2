"""The state of a training on disk, from which a killed one goes on as if nothing had happened."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from workflow_scripts.core.files import digest, writing_folder
from workflow_scripts.core.job_state import JobState
from workflow_scripts.core.temporary import remove

TENSORS, SCALARS, SUMS = "state.safetensors", "state.json", "SHA256SUMS"
Fits = Callable[[dict[str, Tensor], dict[str, Any]], bool]


class TrainingState(JobState):
    """The newest state of one training.

    A state is a folder `<update>` with state.safetensors, state.json and the SHA-256 of both, as sha256sum
    writes and checks it; state.json names the training, too. It is written under another name, renamed, and
    only then is the older one deleted: at any time there is a complete one.
    """

    def save(self, update: int, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        """Write the state after so many updates."""
        with writing_folder(self.folder / f"{update:09d}") as part:
            save_file(
                {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, part / TENSORS
            )
            said = {"training": self.folder.name, "scalars": scalars}
            (part / SCALARS).write_text(json.dumps(said, sort_keys=True), encoding="utf-8")
            (part / SUMS).write_text(_sums(part), encoding="utf-8")
        for old in self.folder.iterdir():
            if old.name != f"{update:09d}":
                remove(old)

    def newest(self, fits: Fits) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """The last state that is whole and fits, or None.

        One that cannot be read, has another sum, is of another training, or does not fit (its tensors' names
        and shapes and its scalars are asked about) counts as none, and stderr says so.
        """
        for state in sorted(self.folder.glob("[0-9]*"), reverse=True):
            problem = "does not fit this training"
            try:
                if _sums(state) != (state / SUMS).read_text(encoding="utf-8"):
                    problem = "damaged"
                else:
                    tensors, said = load_file(state / TENSORS), json.loads((state / SCALARS).read_bytes())
                    if said["training"] == self.folder.name and fits(tensors, said["scalars"]):
                        return tensors, said["scalars"]
            except (OSError, SafetensorError, ValueError, LookupError, TypeError) as error:
                problem = f"cannot be read ({' '.join(str(error).split())})"
            print(f"{state}: {problem}, ignored", file=sys.stderr)
        return None


def _sums(state: Path) -> str:
    return "".join(f"{digest(state / name)}  {name}\n" for name in (TENSORS, SCALARS))
