"""Folders that the configuration names and that must be there before the first job."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.config.settings import ROOT, Settings


def missing(settings: Settings) -> list[str]:
    """One line for each folder that is not there, with its key.

    A relative mirror is one of the checkout, the others are of the working directory.
    """
    encoders = {"formality": settings.formality.encoder} | {
        f"politeness.classifiers.{name}": one.encoder
        for name, one in settings.politeness.classifiers.items()
        if one.inputs
    }
    given = {
        "mirror": settings.mirror,
        "analysis.annotations": settings.analysis.annotations,
        "human.ratings": settings.human.ratings,
        "politeness.dumps": settings.politeness.dumps,
        "politeness.raters.ratings": settings.politeness.raters.ratings,
        "politeness.raters.dump_ratings": settings.politeness.raters.dump_ratings,
        "control.raters.ratings": settings.control.raters.ratings,
        "dialogue.raters.ratings": settings.dialogue.raters.ratings,
        **{
            f"politeness.released.{name}.path": one.path
            for name, one in settings.politeness.released.items()
            if one.inputs
        },
        **{f"{place}.encoder.path": one.path for place, one in encoders.items() if one.kind == "folder"},
    }
    return [
        f"configuration: {key}: no such folder: {path}"
        for key, path in given.items()
        if path is not None and not (ROOT / path if key == "mirror" else Path(path)).is_dir()
    ]
