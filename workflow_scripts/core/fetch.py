"""Command: download a checkpoint from the hub, so that later jobs need no network."""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.hub import snapshot

# The same weights for other libraries; if there are safetensors, transformers reads only these.
OTHERS = ["*.h5", "*.msgpack", "*.onnx", "onnx/*", "*.ot", "openvino/*", "*.tflite", "*.gguf"]


def fetch(folder: Path, *, checkpoint: str, revision: str, setting: str) -> None:
    """Download one commit of a checkpoint.

    :param folder: folder to write
    :param checkpoint: a repository of the hub
    :param revision: its commit, 40 hexadecimal digits
    :param setting: the setting in the configuration that names it
    """
    if not re.fullmatch(r"[0-9a-f]{40}", revision):
        raise InputError(
            f"revision '{revision}' does not pin the checkpoint '{checkpoint}'",
            fix="set the revision to the 40-digit commit of the repository",
        )
    fix = f"check the network and the name, or give a folder as {setting}"
    with writing_folder(folder) as part:
        snapshot(checkpoint, revision, part, ignored=OTHERS, fix=fix)


if __name__ == "__main__":
    run(fetch)
