"""The models behind further metrics of outputs: their checkpoints, folders and options."""

from collections.abc import Iterable
from typing import Any

from workflow_scripts.config.scorers import Checkpoint, Judge
from workflow_scripts.statistics.metrics import SCORED, SCORERS, Formality, Further, Judged, metric_of
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, checkpoint_files
from workflow_scripts.wiring.words import one_of, words

FOLDER = "build/scorers/{scorer}"
CHECKPOINT, MODEL, SCORES = f"{FOLDER}/checkpoint", f"{FOLDER}/model", f"{FOLDER}/{{lang}}/systems"
# What a judge was asked.
FACTS = f"{FOLDER}/{{lang}}/judge.csv"
# The same of PT16's held-out sentences.
RATED_SCORES, RATED_FACTS = f"{FOLDER}/{{lang}}/held_out.txt", f"{FOLDER}/{{lang}}/held_out.judge.csv"
# The stages of checkpoints, and those whose checkpoint is not yet the model that scores.
CHECKPOINTS = [
    stage
    for stage, metric in SCORED.items()
    if issubclass(metric, Further) and not issubclass(metric, Judged)
]
PREPARED = ("zero_shot", "formal")
# The stages of judges, with the task of each.
JUDGED = {stage: metric.task for stage, metric in SCORED.items() if issubclass(metric, Judged)}
# The judges of formality.
JUDGES_OF_FORMALITY = [stage for stage, task in JUDGED.items() if task == Formality.name]
ALL = [*CHECKPOINTS, *JUDGED]


class Scorers:
    """The scorers that `evaluation.metrics` asks for."""

    def __init__(self, run: Run, language_models: LanguageModels) -> None:
        """Collect their stages, in the order of the metrics."""
        evaluation = run.settings.evaluation
        self.run, self.language_models = run, language_models
        self.settings, self.judge = evaluation.scorers, evaluation.judge
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

    def given(self, wildcards: Wildcards) -> list[str]:
        """The files of the user's folder, if its checkpoint comes from one."""
        return checkpoint_files(self.of(wildcards.scorer).path)

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

    def models(self, lang: str) -> list[str]:
        """The folder of each model, or what a judge was asked in a language."""
        return [_model(stage).format(scorer=stage, lang=lang) for stage in self.stages]

    def options(self, lang: str) -> list[str]:
        """The scorers as options of the evaluation of a language."""
        return words({"scorers": self.stages, "models": self.models(lang)}) if self.stages else []

    def rating(self, lang: str) -> list[str]:
        """The stages that rate the formality of PT16's sentences; a judge is asked about the English ones.

        The ratings are of these, and answers cost money.
        """
        known = [*PREPARED, *(JUDGES_OF_FORMALITY if lang == "en" else [])]
        return [stage for stage in self.stages if stage in known]

    def judged_by(self, kind: str, stages: Iterable[str] = JUDGED) -> str:
        """A pattern for some stages of the judge, if it is a model of a kind."""
        return one_of(stages if self.judge and self.judge.model.kind == kind else [])

    def judge_input(self, wildcards: Wildcards) -> dict[str, Any]:
        """The files behind requests to the judge: its template and its own files."""
        judge, name = self._judge(), f"{JUDGED[wildcards.scorer]}.txt"
        own = f"{judge.prompts}/{name}" if judge.prompts else None
        template = self.run.file("evaluation.judge.prompts", own, f"resources/prompts/judge/{name}")
        return {"template": template} | self.language_models.input(judge.model)

    def judge_options(self, wildcards: Wildcards) -> list[str]:
        """The judge, what it rates, and its name for the language."""
        names = {"en": "English", **{lang: row["name"] for lang, row in self.run.languages.items()}}
        return words(
            {
                "model": self._judge().model,
                "task": JUDGED[wildcards.scorer],
                "language": names[wildcards.lang],
            }
        )

    def _judge(self) -> Judge:
        if self.judge is None:
            raise ValueError("no judge in the settings")
        return self.judge


def _model(stage: str) -> str:
    if stage in JUDGED:
        return FACTS
    return MODEL if stage in PREPARED else CHECKPOINT


def rated_model(stage: str) -> str:
    """What stands behind a stage's scores of PT16's sentences: the model, or what a judge was asked."""
    return RATED_FACTS if stage in JUDGED else MODEL


def folder_of(stage: str) -> str:
    """The folder of the scores of a stage, above languages."""
    return f"build/{stage}" if stage in SCORERS else FOLDER.format(scorer=stage)
