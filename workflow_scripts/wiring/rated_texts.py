"""Texts that no system wrote and that people have rated, and the metrics beside these ratings."""

from __future__ import annotations

from workflow_scripts.statistics.metrics import SCORED, Formality, JudgeFormality
from workflow_scripts.wiring.corpora import Corpora
from workflow_scripts.wiring.politeness import GOLD, JUDGED, SCORE_FILES, Politeness
from workflow_scripts.wiring.scorers import PREPARED, Scorers
from workflow_scripts.wiring.words import words

PT16_RATINGS = "build/corpora/pt16/test.scores.txt"


class RatedTexts:
    """PT16's held-out sentences, and TyDiP's test requests."""

    def __init__(self, corpora: Corpora, scorers: Scorers, politeness: Politeness) -> None:
        """Of corpora only their names are used; nothing is read."""
        self.scorers, self.politeness = scorers, politeness
        self.languages = ["en", *corpora.run.settings.languages]
        # The demo world's generator rates its own sentences.
        self.simulated = corpora.official("pt16", "answers").startswith("build/corpora/demo/")

    def sentences(self) -> list[tuple[str, str, str, str]]:
        """The metrics of PT16's sentences: language, metric, file of scores, model.

        The regressor, and what else in `evaluation.metrics` rates formality by a model. A language model is
        asked about the English originals only, which are what people have rated: requests may cost money.
        """
        found = []
        for lang in self.languages:
            folder = f"build/formality/{lang}"
            found.append((lang, Formality.name, f"{folder}/held_out.txt", f"{folder}/regressor"))
            for stage in self.scorers.stages:
                if stage in PREPARED or (stage == JudgeFormality.stage and lang == "en"):
                    scores, model = self.scorers.held_out(stage, lang)
                    found.append((lang, SCORED[stage].name, scores, model))
        return found

    def sentence_options(self) -> list[str]:
        """The options of their agreement with the ratings."""
        languages, metrics, scores, models = map(list, zip(*self.sentences(), strict=True))
        shared = {"texts": "PT16", "task": Formality.name, "shown": Formality.name}
        ratings = [PT16_RATINGS] * len(scores)
        lists = {"languages": languages, "metrics": metrics, "scores": scores, "ratings": ratings}
        return words({**shared, **lists, "models": models, "simulated": self.simulated})

    def requests(self) -> list[tuple[str, str, str, str, str]]:
        """The rows of Table 3 for each language: language, metric, file of scores, ratings, model.

        English requests are once in a row that reads requests both as they are written and in English.
        """
        found = []
        for name, row in self.politeness.shown.items():
            seed = self.politeness.settings.seeds[0]
            # A language model may be asked about a sample of the requests only.
            asked = f"build/politeness/{name}/seed{seed}/scores/gold.{{lang}}.txt"
            gold = asked if name in self.politeness.asked else GOLD
            signed = self.politeness.signed(name)
            model = f"{signed}/signature.txt" if signed else self.politeness.model(name)
            for given, lang, _ in self.politeness.judged(name):
                if lang == given == "en" and "target" in row.inputs:
                    continue
                scores = SCORE_FILES.format(name=name, seed=seed, input=given, lang=lang)
                found.append((lang, _row(row.label, given), scores, gold.format(lang=lang), model))
        return sorted(found, key=lambda one: JUDGED.index(one[0]))

    def request_options(self) -> list[str]:
        """The options of their agreement with the raters' scores."""
        languages, metrics, scores, ratings, models = map(list, zip(*self.requests(), strict=True))
        compared = self.politeness.compared
        shown = _row(self.politeness.rows[compared].label, "target") if compared else ""
        lists = {"languages": languages, "metrics": metrics, "scores": scores, "ratings": ratings}
        shared = {"texts": "requests", "task": "politeness", "shown": shown}
        return words({**shared, **lists, "models": models, "simulated": self.politeness.demo})

    def request_scores(self) -> list[str]:
        """The folders of these scores, and what stands behind them."""
        names = self.politeness.shown
        models = (self.politeness.signed(name) or self.politeness.model(name) for name in names)
        seed = self.politeness.settings.seeds[0]
        return [*(f"build/politeness/{name}/seed{seed}/scores" for name in names), *dict.fromkeys(models)]


def _row(label: str, given: str) -> str:
    """A classifier and what it reads: requests as they are written (target), or in English (en)."""
    return f"{label}, {given}"
