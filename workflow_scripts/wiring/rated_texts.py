"""Texts that people rated and no system wrote, PT16's sentences and TyDiP's requests, and scores of them."""

from dataclasses import dataclass
from typing import Any

from workflow_scripts.statistics.metrics import SCORED, Formality
from workflow_scripts.wiring.politeness import GOLD, JUDGED, Politeness
from workflow_scripts.wiring.run import Wildcards
from workflow_scripts.wiring.scorers import RATED_SCORES, rated_model
from workflow_scripts.wiring.systems import Systems
from workflow_scripts.wiring.words import words

REGRESSOR = "build/formality/{lang}/regressor"
# Rated sentences that the regressor has not seen.
HELD_OUT = "build/formality/{lang}/held_out.txt"
# How far metrics agree with people on the texts of a corpus.
TEXT_AGREEMENT = "build/evaluation/{corpus}.csv"
SENTENCE_RATINGS = "build/corpora/pt16/test.scores.txt"


@dataclass(frozen=True)
class ScoredTexts:
    """A metric's scores of the rated texts of a language."""

    language: str
    # What the texts are called.
    texts: str
    metric: str
    scores: str
    ratings: str
    # What stands behind the scores.
    model: str
    # The files of the DAG among which these are.
    made: tuple[str, ...]
    # Whether others are compared with it.
    reference: bool


class RatedTexts:
    """The agreement of metrics with the ratings of each corpus."""

    def __init__(self, systems: Systems, politeness: Politeness) -> None:
        """Collect the scores by corpus, a file of `build/evaluation` each, and what was rated there."""
        self.systems, self.politeness = systems, politeness
        self.scored = {"pt16": self._sentences(), "tydip": self._requests()}
        self.tasks = {"pt16": Formality.name, "tydip": "politeness"}
        self.simulated = {
            "pt16": systems.corpora.official("pt16", "answers").startswith("build/corpora/demo/"),
            "tydip": politeness.demo,
        }

    def files(self, wildcards: Wildcards) -> list[str]:
        """The files behind a corpus's agreement."""
        return list(dict.fromkeys(path for one in self.scored[wildcards.corpus] for path in one.made))

    def options(self, wildcards: Wildcards) -> list[str]:
        """The scores and ratings of a corpus as options."""
        corpus = wildcards.corpus
        rows = self.scored[corpus]
        columns: dict[str, Any] = {
            "languages": [one.language for one in rows],
            "texts": [one.texts for one in rows],
            "metrics": [one.metric for one in rows],
            "scores": [one.scores for one in rows],
            "ratings": [one.ratings for one in rows],
            "models": [one.model for one in rows],
            "against": [one.scores for one in rows if one.reference] or None,
        }
        return words({"task": self.tasks[corpus], **columns, "simulated": self.simulated[corpus]})

    def _sentences(self) -> list[ScoredTexts]:
        """PT16's held-out sentences, in English and translated: the regressor first, then other scorers."""
        found = []
        # Another order of the settings computes nothing again.
        for lang in ("en", *sorted(self.systems.settings.languages)):
            regressor = [path.format(lang=lang) for path in (HELD_OUT, REGRESSOR)]
            further = {
                SCORED[stage].name: [
                    path.format(scorer=stage, lang=lang) for path in (RATED_SCORES, rated_model(stage))
                ]
                for stage in self.systems.scorers.rating(lang)
            }
            for metric, (scores, model) in {Formality.name: regressor, **further}.items():
                files = (scores, SENTENCE_RATINGS, model)
                reference = metric == Formality.name
                found.append(ScoredTexts(lang, "PT16", metric, *files, files, reference))
        return found

    def _requests(self) -> list[ScoredTexts]:
        """The test requests, as written and in English: each row of Table 3, with its first seed."""
        politeness = self.politeness
        found = []
        for lang in JUDGED:
            for name, shown in politeness.shown.items():
                folder, gold = politeness.score_folders(name)[0], politeness.gold(name, lang)
                # A sample's ratings are in the folder of its scores.
                made = folder, politeness.signed(name) or politeness.model(name), GOLD.format(lang=lang)
                for given in [given for given, language, _ in politeness.judged(name) if language == lang]:
                    files = (f"{folder}/{given}.{lang}.txt", gold, politeness.identity(name))
                    reference = (name, given) == (politeness.compared, "target")
                    found.append(ScoredTexts(lang, given, shown.label, *files, made, reference))
        return found
