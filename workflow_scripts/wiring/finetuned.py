"""Pretrained encoder-decoders that are fine-tuned, or used as they are: their checkpoints and options."""

from collections.abc import Mapping
from typing import Any

from workflow_scripts.config.pretrained import FineTuned
from workflow_scripts.wiring.dialogue import source_of
from workflow_scripts.wiring.run import Run, checkpoint_files

# A pattern for the end of the names of folders of checkpoints: empty, or a language after a dot.
OF_LANGUAGE = r"(?:\.[a-z]+)?"


def checkpoint(system: FineTuned, folder: str, lang: str) -> list[str]:
    """The folder of the checkpoint from which a system starts in a language; none from scratch.

    `folder`: of the system; that of a language has its code after a dot.
    """
    if system.model.kind == "scratch":
        return []
    return [f"{folder}.{lang}" if system.model.by_language else folder]


def given_files(
    run: Run, setting: str, system: FineTuned, ending: str, languages: Mapping[str, str]
) -> list[str]:
    """The files of the checkpoint that a user gives for a system, or for its language.

    If a folder of a language is missing, the run stops, also a dry run, and all missing ones are listed.

    :param setting: the place of the system in the configuration
    :param ending: the code of the language, after a dot; empty where all languages have one checkpoint
    :param languages: the system's languages, and their names
    """
    path = system.model.path
    if system.model.kind != "folder" or path is None:
        return []
    if not ending:
        return [path] if run.makes(path) else checkpoint_files(path)
    lang = ending.removeprefix(".")
    others = {path.replace("{lang}", code): name for code, name in languages.items()}
    folder = path.replace("{lang}", lang)
    return run.folder(f"{setting}.model.path", folder, languages.get(lang, lang), others)


def source(system: FineTuned, ending: str) -> list[str]:
    """The source of the checkpoint, as options; `ending` as for `given_files`."""
    model = system.model
    path = model.path.replace("{lang}", ending.removeprefix(".")) if model.path else None
    return source_of(model.model_copy(update={"path": path}))


def training(system: FineTuned, initial: list[str]) -> dict[str, Any]:
    """The options of the training, apart from its texts."""
    given = {"family": system.family, "start": system.model, "course": system.training, "lora": system.lora}
    return given | {"initial": initial[0] if initial else None}


def decoding(system: FineTuned) -> dict[str, Any]:
    """The options of decoding, apart from its texts."""
    model = system.model
    start = f"{model.checkpoint}@{model.revision[:12]}" if model.kind == "hub" else model.kind
    return {
        "made": f"{'finetuned' if system.training else 'pretrained'}:{start}",
        **{key: getattr(system, key) for key in ("max_length", "beam_size", "batch_size")},
    }
