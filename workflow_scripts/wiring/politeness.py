"""TyDiP's classifiers of requests: the languages each reads, its training data and its outputs."""

import os
from pathlib import Path
from typing import TypeVar

from workflow_scripts.config.politeness import Asked, Classifier, OwnScores, Released
from workflow_scripts.wiring.corpora import GYAFC_TEST, Corpora
from workflow_scripts.wiring.encoders import encoder_options, encoder_texts, name_of
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.places import environments
from workflow_scripts.wiring.run import Run, Wildcards
from workflow_scripts.wiring.translation import Backend
from workflow_scripts.wiring.words import words

# The paper's languages in its order; English has the data of Danescu-Niculescu-Mizil et al. (2013).
TYDIP_NAMES = {
    **{"hi": "Hindi", "ko": "Korean", "es": "Spanish", "ta": "Tamil", "fr": "French", "vi": "Vietnamese"},
    **{"ru": "Russian", "af": "Afrikaans", "hu": "Hungarian"},
}
TYDIP = list(TYDIP_NAMES)
JUDGED = ["en", *TYDIP]
REQUESTS = "build/politeness/requests/{lang}.test.sentences.txt"
GOLD = "build/politeness/requests/{lang}.test.scores.txt"
TRAINING_REQUESTS = "build/politeness/requests/en.train.sentences.txt"
PAIRED, SIDES = "build/corpora/gyafc/{}.txt", "build/politeness/sides/{}.txt"
# The words of each language that are aligned with English ones, and the lexicons that are induced from them.
LEXICONS_ALIGNED = [f"build/politeness/lexicons/aligned/{lang}.tsv" for lang in TYDIP]
LEXICONS_INDUCED = [f"build/politeness/lexicons/induced/strategies/{lang}.csv" for lang in TYDIP]
# The name of a released classifier without a folder.
RELEASED_NAME = "Genius1237/xlm-roberta-large-tydip"
SCORE_FILES = "build/politeness/{name}/seed{seed}/scores/{input}.{lang}.txt"


Row = TypeVar("Row", Classifier, Released, Asked, OwnScores)


def _with_inputs(named: dict[str, Row]) -> dict[str, Row]:
    """The classifiers that are rows, by name, so that another order of the settings reruns nothing."""
    return {name: one for name, one in sorted(named.items()) if one.inputs}


class Politeness:
    """The classifiers of a run."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels, backend: Backend) -> None:
        """Collect the classifiers and the requests on which they are trained and tested."""
        self.run, self.corpora, self.models = run, corpora, models
        self.settings = run.settings.politeness
        # The released requests, or the requests of the demo world.
        self.classified = corpora.official("tydip")
        self.demo = self.classified.startswith("build/corpora/demo/")
        self.stanford_simulated = corpora.official("stanford").startswith("build/corpora/demo/")
        # Trained here; released; language models that are asked; run elsewhere, with their scores as files.
        self.trained = _with_inputs(self.settings.classifiers)
        self.released = _with_inputs(self.settings.released)
        self.asked = _with_inputs(self.settings.prompted)
        self.own = _with_inputs(self.settings.outputs)
        self.rows: dict[str, Classifier | Released | Asked | OwnScores]
        self.rows = {**self.trained, **self.released, **self.asked, **self.own}
        # Those of Table 3.
        wanted = self.settings.rows
        self.shown = {name: one for name, one in self.rows.items() if wanted is None or name in wanted}
        # The languages whose requests are translated into English for classifiers of English.
        self.translated = backend.into_english(list(self.settings.translated))
        # The languages whose lexicons are induced from crawled requests, and whether the bitext is the demo
        # world's.
        bitext = self.settings.lexicons.bitext
        self.lexicons_translated = backend.into_english(TYDIP) if bitext == "requests" else []
        self.lexicons_demo = bitext == "demo"
        # The lexicons with which the induced ones are compared.
        self.lexicons_given = "build/corpora/demo/lexicons" if bitext == "demo" else corpora.folder("tydip")
        # The classifier compared with raters and with formality; it reads requests in their own language.
        compared = self.settings.compared
        scored = self.trained.get(compared or "") or self.released.get(compared or "")
        self.compared = compared if scored and "target" in scored.inputs else None
        # The name under which a classifier of formality is trained.
        released = self.released.get(self.compared or "")
        self.formality_classifier = released.base if released else self.compared

    def classifier(self, name: str) -> Classifier | Released:
        """The settings of a classifier; a rule's wildcards name it."""
        return self.trained.get(name) or self.released[name]

    def released_files(self, wildcards: Wildcards) -> list[str]:
        """The name under which a released classifier is downloaded, if no folder contains it."""
        if self.released[wildcards.classifier].path:
            return []
        return [self.corpora.path(row) for row in self.run.registry if row.corpus == "tydip-classifier"]

    def released_source(self, wildcards: Wildcards) -> list[str]:
        """The location and name of a released classifier; its path on this machine is untracked."""
        path = self.released[wildcards.classifier].path
        folder = path or os.path.dirname(self.released_files(wildcards)[0])
        name = os.path.basename((path or "").rstrip("/")) or RELEASED_NAME
        return words({"folder": folder, "name": name})

    def encoder_behind(self, name: str) -> str:
        """The model behind a row: the hub's name of its encoder or weights, or another kind of encoder.

        It is unknown for scores given as files, whose kind is `outputs`.
        """
        if name in self.own:
            return "outputs"
        if name in self.asked:
            return self.asked[name].model.kind
        if name in self.released:
            if self.released[name].path:
                return "folder"
            address = next(row.url for row in self.run.registry if row.corpus == "tydip-classifier")
            return "/".join(Path(address).parts[2:4])
        return name_of(self.trained[name].encoder)

    def encoder_texts(self, wildcards: Wildcards) -> list[str]:
        """The texts from which an encoder is built."""
        return encoder_texts(self.trained[wildcards.classifier], [TRAINING_REQUESTS])

    def encoder_options(self, wildcards: Wildcards) -> list[str]:
        """The encoder from which a rule's classifier is trained."""
        one = self.trained[wildcards.classifier]
        return encoder_options(one, [TRAINING_REQUESTS], self.run.settings.seed)

    def training_options(self, wildcards: Wildcards) -> list[str]:
        """The options for training a rule's classifier."""
        one = self.classifier(wildcards.classifier)
        keys = ("released", "learning_rate", "epochs", "batch_size", "max_length")
        return words({key: getattr(one, key) for key in keys})

    def scoring_options(self, wildcards: Wildcards) -> list[str]:
        """The options for scoring with a rule's classifier."""
        longest = self.classifier(wildcards.classifier).max_length
        return words({"batch_size": self.settings.scoring_batch_size, "max_length": longest})

    def seeds(self, name: str) -> list[int]:
        """The seeds of its trainings: one seed if its training is deterministic."""
        chance = name in self.trained and self.trained[name].encoder.kind not in ("ngrams", "sentences")
        return self.settings.seeds[: None if chance else 1]

    def judged(self, name: str) -> list[tuple[str, str, str]]:
        """The requests of a classifier: (input, language, file). English requests count as translations.

        If its scores are files, nothing is translated here.
        """
        target = {lang: REQUESTS.format(lang=lang) for lang in JUDGED}
        if name in self.own:
            one = self.own[name]
            known = [lang for lang in JUDGED if lang in (one.languages or JUDGED)]
            return [(given, lang, target[lang]) for given in one.inputs for lang in known]
        translated = {lang: f"build/translation/requests/{lang}.txt" for lang in self.translated}
        english = {"en": target["en"], **translated}
        files = {"target": target, "en": {lang: english[lang] for lang in JUDGED if lang in english}}
        return [
            (given, lang, path) for given in self.rows[name].inputs for lang, path in files[given].items()
        ]

    def sentences(self, wildcards: Wildcards) -> list[str]:
        """The files of these requests."""
        return [path for *_, path in self.judged(wildcards.classifier)]

    def _columns(self, name: str) -> dict[str, list[str]]:
        rows = self.judged(name)
        return {"inputs": [given for given, *_ in rows], "languages": [lang for _, lang, _ in rows]}

    def score_files(self, wildcards: Wildcards) -> list[str]:
        """The files for a classifier's scores of these requests."""
        name, seed = wildcards.classifier, wildcards.seed
        return [
            SCORE_FILES.format(name=name, seed=seed, input=given, lang=lang)
            for given, lang, _ in self.judged(name)
        ]

    def sentence_tool(self, wildcards: Wildcards) -> dict[str, str]:
        """The environment of the sentence encoder, for the classifiers that have it, as named input."""
        one = self.trained.get(wildcards.classifier)
        return {"tool": environments()["sentences"]} if one and one.encoder.kind == "sentences" else {}

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """The files that define a request to a language model: the prompt, and its own files."""
        one, setting = self.asked[wildcards.classifier], f"politeness.prompted.{wildcards.classifier}.prompt"
        template = {"template": self.run.file(setting, one.prompt, "resources/prompts/polite.txt")}
        return template | self.models.input(one.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The requests to a language model and the model's settings, as options."""
        name = wildcards.classifier
        columns = self._columns(name)
        return words(
            {
                "sentences": self.sentences(wildcards),
                "gold": [GOLD.format(lang=lang) for lang in columns["languages"]],
                **columns,
                "model": self.asked[name].model,
                "sample": self.asked[name].sample,
            }
        )

    def own_scores(self, wildcards: Wildcards) -> list[str]:
        """The files of a user's own scores, one for each input and language."""
        name, names = wildcards.classifier, {"en": "English", **TYDIP_NAMES}
        path = self.own[name].path
        files = {path.format(input=given, lang=lang): names[lang] for given, lang, _ in self.judged(name)}
        return self.run.files(f"politeness.outputs.{name}.path", files)

    def own_scores_options(self, wildcards: Wildcards) -> list[str]:
        """The classifier that these files belong to, and the threshold above which a request is polite."""
        name = wildcards.classifier
        return words({**self._columns(name), "threshold": self.own[name].threshold})

    def signed(self, name: str) -> str | None:
        """The folder that identifies the model and how it was asked, or the weights or scores used."""
        part = (
            "scores" if name in self.asked or name in self.own else "model" if name in self.released else None
        )
        return part and f"build/politeness/{name}/seed{self.settings.seeds[0]}/{part}"

    def score_folders(self, name: str) -> list[str]:
        """The folders of a classifier's scores, one for each seed."""
        return [f"build/politeness/{name}/seed{seed}/scores" for seed in self.seeds(name)]

    def gold(self, name: str, lang: str) -> str:
        """The politeness of the requests that a classifier scored: a language model may get a sample only."""
        folder = self.score_folders(name)[0]
        return f"{folder}/gold.{lang}.txt" if name in self.asked else GOLD.format(lang=lang)

    def identity(self, name: str) -> str:
        """The text that identifies a classifier, or its model itself where it is trained here."""
        folder = self.signed(name)
        return f"{folder}/signature.txt" if folder else self.model(name)

    def model(self, name: str) -> str:
        """A classifier that is trained here, with its first seed."""
        return f"build/politeness/{name}/seed{self.settings.seeds[0]}/model"

    def seed_told(self, name: str, seed: int) -> int | str:
        """The text about a seed: released weights and scores from elsewhere have none."""
        return "none" if name in self.released or name in self.own else seed

    def measured_options(self, wildcards: Wildcards) -> list[str]:
        """The scores on which a classifier is measured, and the folder of its signature."""
        name = wildcards.classifier
        rows = [(seed, given, lang) for seed in self.seeds(name) for given, lang, _ in self.judged(name)]
        return words(
            {
                "scores": [
                    SCORE_FILES.format(name=name, seed=seed, input=given, lang=lang)
                    for seed, given, lang in rows
                ],
                "gold": [self.gold(name, lang) for *_, lang in rows],
                "seeds": [self.seed_told(name, seed) for seed, *_ in rows],
                "inputs": [given for _, given, _ in rows],
                "languages": [lang for *_, lang in rows],
                "signature": self.identity(name) if self.signed(name) else None,
                "threshold": self.own[name].threshold if name in self.own else None,
            }
        )

    def lexicon_bitext(self, lang: str) -> tuple[str, str]:
        """A language's bitext, the English side first; crawled requests where they are translated."""
        if lang in self.lexicons_translated:
            return f"build/translation/lexicons/{lang}.txt", f"build/politeness/lexicons/requests/{lang}.txt"
        folder = f"build/corpora/{'demo/' if self.lexicons_demo else ''}lexicons/bitext"
        return f"{folder}/{lang}.en.txt", f"{folder}/{lang}.txt"


class FormalityTexts:
    """Formal and informal sentences that a classifier of politeness scores."""

    def __init__(self, run: Run, corpora: Corpora) -> None:
        """A dev set in English, and a test set of each language in the order of TyDiP's tables.

        English has no pairs where GYAFC's place is taken; rated sentences are its test set there.
        """
        others = sorted(run.settings.languages, key=lambda lang: (lang not in ("fr", "it", "pt"), lang))
        self.languages = ["en", *others]
        self.paired = run.settings.corpora.gyafc != "cocoa-mt"
        self.training = (PAIRED if self.paired else SIDES).format("train.{style}")
        # The files by name.
        if self.paired:
            dev = ["dev.informal", *(f"dev.formal.ref{i}" for i in corpora.dev_references)]
            self.texts = {name: PAIRED.format(name) for name in dev}
            self.texts |= {name.replace("test", "en"): PAIRED.format(name) for name in GYAFC_TEST}
        else:
            sides = {"dev": "train", "en": "test"}
            self.texts = {
                f"{name}.{style}": SIDES.format(f"{part}.{style}")
                for name, part in sides.items()
                for style in ("informal", "formal")
            }
        for lang in others:
            for name in corpora.xformal:
                self.texts[f"{lang}.{name}"] = f"build/corpora/xformal/{lang}/{name}.txt"
