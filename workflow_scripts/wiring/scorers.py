"""The models behind further metrics of outputs: their checkpoints, folders and options."""

from __future__ import annotations

from workflow_scripts.config.scorers import Checkpoint
from workflow_scripts.config.sections import Evaluation
from workflow_scripts.statistics.metrics import SCORED, SCORERS, Further, metric_of
from workflow_scripts.wiring.words import words

FOLDER = "build/scorers/{scorer}"
CHECKPOINT, MODEL, SCORES = f"{FOLDER}/checkpoint", f"{FOLDER}/model", f"{FOLDER}/{{lang}}/systems"
# The stages whose checkpoint is not yet the model that scores.
PREPARED = ("zero_shot", "formal")
ALL = [stage for stage in SCORED if stage not in SCORERS]


class Scorers:
    """The scorers that `evaluation.metrics` asks for."""

    def __init__(self, evaluation: Evaluation) -> None:
        """Collect their stages, in the order of the metrics."""
        self.settings = evaluation.scorers
        asked = map(metric_of, evaluation.metrics)
        self.stages = [metric.stage for metric in asked if issubclass(metric, Further)]

    def of(self, scorer: str) -> Checkpoint:
        """The settings of a scorer."""
        found: Checkpoint = getattr(self.settings, scorer)
        return found

    def source(self, scorer: str) -> list[str]:
        """The options that say from where its checkpoint comes."""
        own = self.of(scorer)
        if own.path is not None:
            return words({"kind": "folder", "path": own.path})
        return words({"kind": "hub", "checkpoint": own.checkpoint, "revision": own.revision})

    def name(self, scorer: str) -> str:
        """The name of its checkpoint in signatures: no path, which says nothing elsewhere."""
        own = self.of(scorer)
        return "folder" if own.path is not None else f"{own.checkpoint}@{own.revision[:12]}"

    def sizes(self, scorer: str, *names: str) -> list[str]:
        """Some of its settings as options."""
        return words({name: getattr(self.of(scorer), name) for name in names})

    def scores(self, lang: str) -> list[str]:
        """The folders of the scores of all systems of a language."""
        return [SCORES.format(scorer=stage, lang=lang) for stage in self.stages]

    def models(self) -> list[str]:
        """The folder of each model."""
        return [(MODEL if stage in PREPARED else CHECKPOINT).format(scorer=stage) for stage in self.stages]

    def options(self) -> list[str]:
        """The scorers as options of the evaluation."""
        return words({"scorers": self.stages, "models": self.models()}) if self.stages else []


def folder_of(stage: str) -> str:
    """The folder of the scores of a stage, above languages."""
    return f"build/{stage}" if stage in SCORERS else FOLDER.format(scorer=stage)
