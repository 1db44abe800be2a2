"""Folders and model files that the configuration names and that must exist before the first job."""

from pathlib import Path

from workflow_scripts.config.settings import ROOT, Settings
from workflow_scripts.config.values import sections


def missing(settings: Settings) -> list[str]:
    """One line for each folder or file that does not exist, with its key.

    The types of settings mark the ones that name such a file (`values.Given`).
    """
    return [
        f"configuration: {f'{place}.{key}'.lstrip('.')}: no such {'file' if mark.file else 'folder'}: {path}"
        f"{mark.fix}"
        for place, section in sections(settings)
        for key, path, mark in section.given()
        if not (Path.is_file if mark.file else Path.is_dir)(ROOT / path if mark.in_checkout else path)
    ]
