"""Folders that the configuration names and that must be there before the first job."""

from __future__ import annotations

from workflow_scripts.config.settings import ROOT, Settings
from workflow_scripts.config.values import sections


def missing(settings: Settings) -> list[str]:
    """One line for each folder that is not there, with its key.

    Which settings name one is said by their types (`values.Given`).
    """
    return [
        f"configuration: {f'{place}.{key}'.lstrip('.')}: no such folder: {path}{mark.fix}"
        for place, section in sections(settings)
        for key, path, mark in section.given()
        if not (ROOT / path if mark.in_checkout else path).is_dir()
    ]
