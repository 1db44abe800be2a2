"""One pinned commit of a checkpoint from the Hugging Face hub."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError


def snapshot(
    checkpoint: str,
    revision: str,
    folder: Path,
    *,
    fix: str,
    allowed: Sequence[str] | None = None,
    ignored: Sequence[str] | None = None,
) -> None:
    """Download the files of a checkpoint into an existing folder.

    `allowed`, `ignored`: patterns of file names, as in huggingface_hub; None: all files, no files.
    Raises InputError, with `fix`, if the hub cannot be reached or has no such commit.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    print(f"downloading {checkpoint} at {revision}", file=sys.stderr)
    try:
        snapshot_download(
            checkpoint,
            revision=revision,
            local_dir=folder,
            allow_patterns=list(allowed) if allowed else None,
            ignore_patterns=list(ignored) if ignored else None,
        )
    except (HfHubHTTPError, LocalEntryNotFoundError) as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"cannot download {checkpoint} at {revision}: {first}", fix=fix) from None
    shutil.rmtree(folder / ".cache", ignore_errors=True)
