"""The section `control`: the translators measured on CoCoA-MT's test set, one class per kind."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, field_validator, model_validator

from workflow_scripts.config.pretrained import FineTuned, Token
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.systems import Label
from workflow_scripts.config.translators import Decoding
from workflow_scripts.config.tuning import Classifier, Figures, Genders, Generic, Tuning
from workflow_scripts.config.values import (
    Code,
    Distinct,
    Even,
    Few,
    Files,
    GivenFolder,
    Name,
    Positive,
    Rows,
    Section,
    Seeds,
    Some,
    check_known,
    check_labels,
    check_placeholders,
    refused,
)
from workflow_scripts.text.levels import GENDERED, OF_COCOA, SHARED_TASKS, WITH_SEGMENTS, language_of

# The languages of the released corpus, in the paper's order, then Portuguese.
RELEASED = ("de", "es", "fr", "hi", "it", "ja", "pt")
# The teams whose outputs the shared task releases, and their languages.
TEAMS = {
    "umd": ("de", "es", "hi", "it", "ja", "ru-2022"),
    "uos": ("de", "es", "it", "ru-2022"),
    "alexa": ("hi", "ja"),
}
# A test set: a language of CoCoA-MT, or a language and year of a shared task.
TestSet = Annotated[str, Field(pattern=rf"^([a-z]{{2,3}}|{'|'.join(SHARED_TASKS)})$")]
SharedSet = Annotated[str, Field(pattern=rf"^({'|'.join(SHARED_TASKS)})$")]
SegmentedSet = Annotated[str, Field(pattern=rf"^({'|'.join(WITH_SEGMENTS)})$")]


def _path(text: str) -> str:
    check_placeholders(text, "lang", "level", "domain", "run")
    if "{level}" not in text:
        raise refused("it needs {level}: there is one file of formal and one of informal translations")
    return text


class Controlled(Section):
    """The settings of every system that translates the test set."""

    label: Label = Field(description="the row's label; no two systems have the same")
    languages: Annotated[list[Code], Distinct] | None = Field(
        default=None, description="only in these languages; in all of `control.languages` if not given"
    )

    # The numbers of a system are the mean of its runs.
    @property
    def runs(self) -> int:
        """The number of runs with outputs: one, or one per seed."""
        return len(getattr(self, "seeds", [0]))


class References(Controlled):
    """The references themselves: the upper bound of M-Acc and BLEU."""

    kind: Literal["references"]


class InSharedTasks(Controlled):
    """The settings of systems that may have translations of the shared tasks' test sets."""

    languages: Annotated[list[TestSet], Distinct] | None = Field(
        default=None,
        description="only in these languages, such as `it`, and in these test sets of IWSLT's shared tasks:"
        f" {', '.join(f'`{name}`' for name in SHARED_TASKS)}; in all of `control.languages` if not given",
    )


class OwnOutputs(InSharedTasks):
    """Translations in files, by any system that was run elsewhere."""

    kind: Literal["outputs"]
    path: Annotated[str, AfterValidator(_path)] = Field(
        description="file with one translation per line, from the working directory; `{lang}`, `{level}`"
        " (formal, informal), `{domain}` and `{run}` (0, 1 ...) are filled in. Without `{domain}` a file"
        " has all three domains, telephony, topical_chat and call_center, one after the other"
    )
    count: Files = Field(default=1, description="runs; with more than one, the path needs `{run}`")

    @property
    def runs(self) -> int:
        """The setting `count`."""
        return self.count

    @model_validator(mode="after")
    def _a_file_per_run(self) -> OwnOutputs:
        if self.count > 1 and "{run}" not in self.path:
            raise ValueError(f"path {self.path}: {self.count} runs need {{run}} in it")
        without = [name for name in self.languages or [] if name in SHARED_TASKS and name not in OF_COCOA]
        if without and "{domain}" in self.path:
            raise ValueError(f"path {self.path}: {without[0]} has no domains; leave {{domain}} out")
        return self


class SharedTask(InSharedTasks):
    """A team's released submission to IWSLT 2022's shared task on formality control."""

    kind: Literal["iwslt2022"]
    team: Literal["umd", "uos", "alexa"] = Field(description="University of Maryland, of Sheffield; Alexa AI")
    number: Few = Field(description="number of the submission: umd 1 to 5, uos 1 to 4, alexa 1")

    @model_validator(mode="after")
    def _there_is_one(self) -> SharedTask:
        count = {"umd": 5, "uos": 4, "alexa": 1}[self.team]
        if self.number > count:
            raise ValueError(f"{self.label}: {self.team} has {count} submissions, not {self.number}")
        wrong = [code for code in self.languages or [] if code not in TEAMS[self.team]]
        if self.languages is None or wrong:
            raise ValueError(
                f"{self.label}: {self.team} has outputs in {', '.join(TEAMS[self.team])}; set languages"
            )
        return self


class Backend(Controlled):
    """The configured `translation.backend`, without formality control: the same text for both levels."""

    kind: Literal["backend"]


class Asked(InSharedTasks):
    """A language model that is prompted to translate at each level; the paper has none."""

    kind: Literal["prompted"]
    model: Model = Field(description="the language model")
    prompts: GivenFolder | None = Field(
        default=None,
        description="folder with a template for each level, named as in `resources/prompts/translate`,"
        " from the working directory; if not given, that folder",
    )
    examples: Some = Field(
        default=4,
        description="training segments with their translations in the prompt, drawn with the seed; 0 in test"
        f" sets without: {', '.join(f'`{name}`' for name in SHARED_TASKS if name not in WITH_SEGMENTS)}",
    )

    @model_validator(mode="after")
    def _examples_exist(self) -> Asked:
        if self.examples and (without := _without_segments(self.languages)):
            raise ValueError(
                f"{self.label}: {without[0]} has no training segments for {self.examples} examples; set"
                " examples: 0, in a row of its own"
            )
        return self


class GenericModel(Controlled):
    """The model of `control.generic`, in languages with generic pairs: the same text for both levels."""

    kind: Literal["generic"]


class Tuned(Controlled):
    """The generic model, tuned on pairs with a tag for their level (Section 4); a run per seed."""

    kind: Literal["tuned"]
    data: Literal["contrastive", "single", "rules", "both"] = Field(
        description="the labelled pairs: `contrastive`, CoCoA-MT's training segments with both references;"
        " `single`, each with one of them, half of them formal; `rules`, generic pairs labelled by the lists"
        " of resources/levels; `both`, contrastive pairs and as many by rules"
    )
    size: Even | None = Field(
        default=None, description="distinct labelled pairs, half of them formal; `null`: all segments"
    )
    sizes: dict[Code, Even] = Field(
        default={}, description="`size` in languages where it differs, such as `{ja: 2000}`"
    )
    copies: Few = Field(description="copies of each labelled pair; as many generic pairs are added")
    gender: Literal["masculine", "feminine"] = Field(
        default="masculine", description="gender of the references that have one"
    )
    seeds: Seeds = Field(description="one run each; tables show the mean")

    @model_validator(mode="after")
    def _rules_have_a_size(self) -> Tuned:
        if self.data == "rules" and self.size is None:
            raise ValueError(f"{self.label}: data by rules needs a size")
        return self


class Finetuned(FineTuned, InSharedTasks):
    """A pretrained encoder-decoder, tuned on CoCoA-MT's training segments or as it is; the paper has none."""

    placeholder = "{level}"

    kind: Literal["finetuned"]
    source_code: Token = Field(
        default="", description="the token that begins a source, such as mBART-50's `en_XX`; `codes`: targets"
    )
    codes: dict[TestSet, Token] = Field(
        default={},
        description="by language, the token that begins a text, such as mBART-50's `fr_XX`; by test set, such"
        " as `pt-2023`, where it has another one; languages that are not listed have none",
    )
    segments: dict[SharedSet, SegmentedSet] = Field(
        default={},
        description="by test set of a shared task, another one whose training segments the model is tuned on,"
        " such as `{ru-2023: ko-2023}`; a set that is not listed has its own; not read without `training`",
    )

    @model_validator(mode="after")
    def _segments_exist(self) -> Finetuned:
        if self.training is None:
            return self
        if without := [name for name in _without_segments(self.languages) if name not in self.segments]:
            raise ValueError(
                f"{self.label}: {without[0]} has no training segments; name a set that has some,"
                f" segments: {{{without[0]}: {WITH_SEGMENTS[0]}}}"
            )
        for name, other in self.segments.items():
            if name not in (self.languages or []):
                raise ValueError(f"{self.label}: segments has {name}, which is not among its languages")
            if self.model.by_language and language_of(name) != language_of(other):
                raise ValueError(
                    f"{self.label}: segments of another language, {other} for {name}, need a model of both"
                    " languages: leave {lang} out of model.path"
                )
        return self


def _without_segments(languages: list[str] | None) -> list[str]:
    """Those of a system's test sets that no training segments belong to."""
    return [name for name in languages or [] if name in SHARED_TASKS and name not in WITH_SEGMENTS]


AnyControlled = Annotated[
    References | OwnOutputs | SharedTask | Backend | Asked | Finetuned | GenericModel | Tuned,
    Field(discriminator="kind"),
]


class TranslationRaters(Section):
    """Raters of translations (Tables 4, 5 and 10)."""

    ratings: GivenFolder | None = Field(
        description="folder with the raters' files, in its folders `labels`, `informal` and `formal` by"
        " language, such as `fr.csv` or `fr-NAME.csv`: rater, item, task, value, for the sheets"
        " `results/human/translations/{lang}.labels.csv` and so on; if not given, raters are simulated at"
        " demo scale, and at other scales the leaves that need them are empty"
    )
    raters: Few = Field(description="judgments of each translation")
    labelled: Annotated[list[str], Distinct] = Field(
        description="systems whose translations are labelled formal, informal, neutral or other (Tables 4 and"
        " 5), in each language that they have; half of the translations are of each level"
    )
    sentences: Positive = Field(description="labelled sentences per language, drawn with the seed")
    baseline: str = Field(description="the system of kind `generic` that Table 10 compares with `compared`")
    compared: str = Field(description="the system of kind `tuned`; in the languages that both have")
    held_out: Positive = Field(
        description="sentences per language in each of its two sets, with a pronoun of the second person"
    )


class Control(Section):
    """CoCoA-MT (Nadejde et al., 2022)."""

    pipelines: dict[Code, Annotated[str, Field(min_length=1)]] = Field(
        description="spaCy pipelines that tag Table 3's tokens, by language: a folder, or the name of an"
        " installed pipeline; without one, verbs and pronouns are not counted (except in Japanese)"
    )
    languages: Annotated[list[Literal["de", "es", "fr", "hi", "it", "ja", "pt"]], Distinct] = Field(
        description="target languages of Table 6 and of everything measured like it, in this order"
    )
    tested_segments: bool = Field(
        description="whether a training segment of IWSLT 2023 stays although its English sentence is in the"
        " test set of the same language, as in the shared task; such segments are left out otherwise"
    )
    baseline: str | None = Field(
        description="the system of `control.systems` that the others are tested against; `null`: no tests"
    )
    generic: Generic
    tuning: Tuning
    decoding: Decoding
    classifier: Classifier
    upsampling: Figures
    genders: Genders
    raters: TranslationRaters
    rows: Rows = Field(
        description="the systems shown as rows of Table 6 and the related leaves (Tables 4, 5, 7, 8, 10, 13"
        " and 14); all if not given. It does not set their order. Other systems are trained and translate"
        " only for Figures 1 and 2; tests are against the baseline if it is a row"
    )
    systems: dict[Name, AnyControlled] = Field(description="translators, in the order of the rows")

    @field_validator("systems")
    @classmethod
    def _labels(cls, systems: dict[Name, AnyControlled]) -> dict[Name, AnyControlled]:
        check_labels("control.systems", {name: system.label for name, system in systems.items()})
        return systems

    @model_validator(mode="after")
    def _baseline_exists(self) -> Control:
        check_known("control.baseline", [self.baseline], self.systems)
        return self

    @model_validator(mode="after")
    def _rows_exist(self) -> Control:
        check_known("control.rows", self.rows, self.systems)
        rows = [self.systems[name].languages for name in self.rows or []]
        without = [
            code for code in self.languages if not any(codes is None or code in codes for codes in rows)
        ]
        if rows and without:
            raise ValueError(f"control.rows: none of them is in {', '.join(without)}; set control.languages")
        return self

    @model_validator(mode="after")
    def _rated_exist(self) -> Control:
        check_known("control.raters.labelled", self.raters.labelled, self.systems)
        self._of_kind("raters.baseline", self.raters.baseline, GenericModel)
        self._of_kind("raters.compared", self.raters.compared, Tuned)
        return self

    @model_validator(mode="after")
    def _rows_of_genders(self) -> Control:
        self._of_kind("genders.base", self.genders.base, GenericModel)
        self._of_kind("genders.masculine", self.genders.masculine, Tuned, "masculine")
        self._of_kind("genders.feminine", self.genders.feminine, Tuned, "feminine")
        return self

    def _of_kind(self, key: str, name: str, kind: type[Controlled], gender: str | None = None) -> Any:
        """The system that a key names; ValueError unless it is of a kind, and of a gender if one is given."""
        system = self.systems.get(name)
        if not isinstance(system, kind) or (gender and getattr(system, "gender", None) != gender):
            wanted = get_args(kind.model_fields["kind"].annotation)[0]
            wanted += f" with gender: {gender}" if gender else ""
            raise ValueError(f"control.{key}: '{name}' is not a system of kind {wanted}")
        return system

    @model_validator(mode="after")
    def _tuned_have_what_they_need(self) -> Control:
        for name, system in self.systems.items():
            if isinstance(system, Finetuned) and (problem := system.problem(f"control.systems.{name}")):
                raise ValueError(problem)
            if isinstance(system, Tuned) and system.gender == "feminine":
                codes = self.languages if system.languages is None else system.languages
                if without := set(codes) - set(GENDERED):
                    raise ValueError(
                        f"control.systems.{name}: no feminine references in {min(without)}; set languages"
                    )
        figures = {"figure1": self.upsampling.figure1, "figure2": self.upsampling.figure2}
        if len({tuple(figure.seeds) for figure in figures.values()}) > 1:
            raise ValueError("control.upsampling: the figures have different seeds")
        for name, figure in figures.items():
            tuned = self._of_kind(f"upsampling.{name}", figure.system, Tuned)
            if tuned.copies in figure.copies:
                raise ValueError(
                    f"control.upsampling.{name}: '{figure.system}' itself has {tuned.copies} copies"
                )
        return self
