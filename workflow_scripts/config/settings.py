"""The configuration: one typed model that checks it, explains it and generates its schema.

`config.yaml` has every key (the demo scale); an overlay such as `config/paper.yaml` has only the keys that
differ. The model has no defaults, so each value is written in one place. `config.reference` writes
`config/schema.json` and `docs/configuration.md` from it.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from workflow_scripts.config import like
from workflow_scripts.config.control import AnyControlled, Control
from workflow_scripts.config.corpora import Corpora, Demo, Downloads, Filtering
from workflow_scripts.config.dialogue import AnyResponder, Dialogue
from workflow_scripts.config.files import LOADER
from workflow_scripts.config.kinds import kind_problem
from workflow_scripts.config.languages import languages
from workflow_scripts.config.politeness import Politeness
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.config.secrets import masked
from workflow_scripts.config.sections import (
    Analysis,
    Evaluation,
    Fluency,
    Formality,
    Human,
    Report,
    Unsupervised,
)
from workflow_scripts.config.style import AnyRewriter, Style
from workflow_scripts.config.systems import AnySystem, Finetuned, UnsupervisedSystem
from workflow_scripts.config.translators import Transfer, Translation
from workflow_scripts.config.values import (
    Distinct,
    Few,
    Folder,
    Given,
    Name,
    Rows,
    Section,
    Seed,
    check_known,
    check_labels,
    kinds_of,
    sections,
)
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.comparison import Scale

ROOT = Path(__file__).parents[2]


class Settings(Section):
    """All settings of a run."""

    scale: Scale = Field(
        description="how close the data are to the paper's: printed on every table, with no other effect"
    )
    seed: Seed = Field(description="seed of every random choice without a seed of its own")
    languages: Annotated[list[str], Field(min_length=1), Distinct] = Field(
        description="languages of the tables, codes of `resources/languages.csv`; a new order reruns only"
        " tables, a new selection also the steps that use the texts of all languages (the encoder)"
    )
    licensed: Folder = Field(
        description="folder of the licensed corpora; a relative path starts at the checkout"
    )
    mirror: Annotated[Folder, Given(in_checkout=True)] | None = Field(
        description="folder of the downloads, for a machine without network; a relative path starts at the"
        " checkout"
    )
    cache: Folder = Field(
        description="folder of the translations; keep it: it contains paid translations; a relative path"
        " starts at the checkout, so that all experiments share it"
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        description="where models train and decode; `auto`: on a GPU if the job's machine has one;"
        " a change reruns nothing"
    )
    precision: Literal["auto", "float32", "bf16"] = Field(
        description="number format of models; `auto`: bf16 on a GPU, float32 on a CPU"
    )
    threads: Few = Field(
        description="threads of a training or scoring job; affects results in the last digits, since sums"
        " are taken in another order"
    )
    downloads: Downloads
    demo: Demo
    corpora: Corpora
    filtering: Filtering
    translation: Translation
    formality: Formality
    politeness: Politeness
    fluency: Fluency
    transfer: Transfer
    unsupervised: Unsupervised
    prompting: Prompting
    evaluation: Evaluation
    control: Control
    dialogue: Dialogue
    style: Style
    analysis: Analysis
    human: Human
    report: Report
    rows: Rows = Field(
        description="the systems shown as rows of Table 7 and the related leaves (Tables 6, 8 and 10,"
        " Figures 3 and 4, the raters' sheets); all if not given. It does not set their order. Other systems"
        " are run only if a row reads their output or needs their models; the baseline is always scored."
        " Tests and Holm's correction are over the rows. Raters judge the rows named in `human.systems`,"
        " which are tested if the baseline is one of them"
    )
    systems: dict[Name, AnySystem] = Field(
        description="the systems in the order of the rows; an overlay's new ones come after `config.yaml`'s"
    )

    @field_validator("languages")
    @classmethod
    def _known_languages(cls, codes: list[str]) -> list[str]:
        for code in codes:
            if code not in languages():
                raise ValueError(f"unknown language '{code}'; {nearest(code, languages())}")
        return codes

    @field_validator("systems")
    @classmethod
    def _labels(cls, systems: dict[Name, AnySystem]) -> dict[Name, AnySystem]:
        others = dict.fromkeys(OTHER_LABELS, "a text that is not a system")
        check_labels("systems", {name: system.label for name, system in systems.items()}, others)
        return systems

    @model_validator(mode="after")
    def _references_exist(self) -> Settings:
        for name, system in self.systems.items():
            for key, kinds in REFERENCES.items():
                other = getattr(system, key, None)
                if other is not None:
                    self._check_reference(f"systems.{name}", key, other, kinds)
                    if key == "base" and getattr(self.systems[other], "pairs", None):
                        raise ValueError(
                            f"systems.{name}.base: '{other}' has pairs of its own; name one without"
                        )
            if isinstance(system, Finetuned) and (problem := system.problem(f"systems.{name}")):
                raise ValueError(problem)
            for code in system.languages or []:
                if code not in languages():
                    raise ValueError(
                        f"systems.{name}.languages: unknown '{code}'; {nearest(code, languages())}"
                    )
            french = isinstance(system, UnsupervisedSystem) and system.corpus == "yahoo-fr"
            if french and (system.languages is None or set(system.languages) - {"fr"}):
                raise ValueError(f"systems.{name}.languages: corpus yahoo-fr is French: set languages: [fr]")
        check_known("evaluation.baseline", [self.evaluation.baseline], self.systems)
        check_known("human.systems", self.human.systems, self.systems)
        check_known("rows", self.rows, self.systems)
        if not self.in_rows():
            raise ValueError(
                f"no row exists in {', '.join(self.languages)}: see rows and systems.*.languages"
            )
        for _, section in sections(self):
            if isinstance(section, Model) and section.kind == "endpoint":
                self.prompting.price_of(section.name)
        self._check_encoders()
        self.dialogue.check_systems()
        self.style.check()
        self._check_style()
        if self.filtering.min_tokens > self.filtering.max_tokens:
            raise ValueError("filtering.min_tokens is larger than filtering.max_tokens")
        return self

    def _check_style(self) -> None:
        judge = self.style.second_judge
        if judge is not None:
            classifier = self.politeness.classifiers.get(judge)
            if classifier is None or not classifier.inputs:
                known = [name for name, other in self.politeness.classifiers.items() if other.inputs]
                raise ValueError(f"style.second_judge: no classifier '{judge}'; {nearest(judge, known)}")
            if classifier.encoder.kind == "sentences":
                raise ValueError(
                    f"style.second_judge: '{judge}' has the encoder 'sentences', which is not for dialogues"
                )

    def _check_encoders(self) -> None:
        if self.formality.encoder.kind == "sentences":
            raise ValueError("formality.encoder.kind: 'sentences' is for politeness.classifiers only")
        encoders = {"formality": self.formality.encoder} | {
            f"politeness.classifiers.{name}": classifier.encoder
            for name, classifier in self.politeness.classifiers.items()
        }
        for place, encoder in encoders.items():
            problem = encoder.problem(f"{place}.encoder")
            if problem:
                raise ValueError(problem)
        trained, released = self.politeness.classifiers, self.politeness.released
        compared = self.politeness.compared
        if compared is not None and compared not in (known := [*trained, *released]):
            raise ValueError(f"politeness.compared: no classifier '{compared}'; {nearest(compared, known)}")
        bases = [name for name, classifier in trained.items() if classifier.inputs]
        for name, classifier in released.items():
            if classifier.base not in bases:
                raise ValueError(
                    f"politeness.released.{name}.base: no classifier '{classifier.base}' is trained;"
                    f" {nearest(classifier.base, bases)}"
                )
        names, shown = set[str](), set[str]()
        owners: dict[str, str] = {}
        for key in ("classifiers", "released", "prompted", "outputs"):
            classifiers = getattr(self.politeness, key)
            if twice := names & classifiers.keys():
                raise ValueError(f"politeness: '{min(twice)}' is the name of two classifiers")
            names |= classifiers.keys()
            labels = {name: classifier.label for name, classifier in classifiers.items() if classifier.inputs}
            owners = check_labels(f"politeness.{key}", labels, owners)
            shown |= labels.keys()
        check_known("politeness.rows", self.politeness.rows, sorted(shown))

    def in_rows(self) -> list[str]:
        """The names of the rows in order: systems in `rows` that have some configured language."""
        return [
            name
            for name, system in self.systems.items()
            if (self.rows is None or name in self.rows)
            and (system.languages is None or set(system.languages) & set(self.languages))
        ]

    def _check_reference(self, where: str, key: str, other: str, kinds: tuple[str, ...]) -> None:
        """Check that a named system exists, is of the right kind, and does not read its own output."""
        check_known(f"{where}.{key}", [other], self.systems)
        if kinds and self.systems[other].kind not in kinds:
            raise ValueError(
                f"{where}.{key}: '{other}' is of kind {self.systems[other].kind}, not {' or '.join(kinds)}"
            )
        seen, inner = {where.split(".")[1]}, getattr(self.systems[other], "input", None)
        while key == "input" and inner is not None:
            if other in seen:
                raise ValueError(f"{where}.{key}: '{other}' reads, in the end, its own output")
            seen.add(other)
            other, inner = inner, getattr(self.systems.get(inner), "input", None)


# The kinds of systems, by the key of the mapping that holds them. They are looked up here and not in the
# modules of systems: trainings import those, and would depend on all kinds.
KINDS_OF = {
    "systems": kinds_of(AnySystem),
    "control.systems": kinds_of(AnyControlled),
    "dialogue.systems": kinds_of(AnyResponder),
    "style.systems": kinds_of(AnyRewriter),
}
# Settings of a system that name another one, and the kinds allowed there (all if none are named).
REFERENCES: dict[str, tuple[str, ...]] = {
    "input": (),
    "base": ("translate_train_tag",),
    # Only ensembles trained by the workflow.
    "of": tuple(name for name, kind in KINDS_OF["systems"].items() if kind.votes and kind.trainer),
}


# The largest number of reported mistakes, and the largest number of characters of each.
FINDINGS = 500
LONGEST = 600
# Shortens values in messages: nested lists can be larger than the memory.
_SHORT = reprlib.Repr()
_SHORT.maxstring, _SHORT.maxother, _SHORT.maxlist = 100, 100, 12
# Settings in which a user may write a key by mistake: no message shows their values.
_SECRET = {"address", "key"}


# Labels in Table 8 and Figure 3 of texts that no system wrote.
OTHER_LABELS = ("INFORMAL", "XFORMAL REWRITE")


def load(config: dict[str, Any]) -> Settings:
    """Check a merged configuration; InputError has one line per finding, each naming the key.

    A number may be a string, since ``snakemake --config`` passes nested numbers as strings. A row that is
    like another row takes its settings (`config.like`). Systems are in the order of the checkout's
    `config.yaml`, followed by the others in the order given: Snakemake puts the entries that an overlay adds
    or changes before all others.
    """
    if sets := list(_sets(config)):
        raise InputError(f"configuration: '{sets[0]}': write a list: a set has another order in each process")
    config = like.resolved(config)
    if isinstance(systems := config.get("systems"), Mapping):
        config = {**config, "systems": _in_order(systems, "systems")}
    for key in ("control", "dialogue", "style"):
        section = config.get(key)
        if isinstance(section, Mapping) and isinstance(systems := section.get("systems"), Mapping):
            config = {**config, key: {**section, "systems": _in_order(systems, key, "systems")}}
    try:
        return Settings.model_validate(config)
    except ValidationError as error:
        findings = [_one_line(_explain(finding)) for finding in error.errors()]
        if len(findings) > FINDINGS:
            findings[FINDINGS:] = [f"configuration: and {len(findings) - FINDINGS} further mistakes"]
        raise InputError("\nerror: ".join(findings)) from None


def _sets(value: Any, place: str = "") -> Iterator[str]:
    """The places of sets in a configuration; the configuration of a module may be written in Python."""
    if isinstance(value, set | frozenset):
        yield place
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _sets(inner, f"{place}.{key}".lstrip("."))


@cache
def _checkout() -> Any:
    """The checkout's `config.yaml`, read once by a process."""
    # Every job of the workflow loads the configuration, and libyaml is ten times as fast.
    return yaml.load((ROOT / "config.yaml").read_text(encoding="utf-8"), LOADER)


def _in_order(systems: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Systems in the order they have in the checkout's `config.yaml`, others after them."""
    first = _checkout()
    for name in place:
        first = first[name]
    names = dict.fromkeys([name for name in first if name in systems])
    return {name: systems[name] for name in names | dict.fromkeys(systems)}


def _explain(finding: Any) -> str:
    """The message for one of pydantic's errors, on one line."""
    where = list(finding["loc"])
    at = where.index("systems") + 2 if "systems" in where[:2] else 0
    kinds = KINDS_OF.get(".".join(map(str, where[: at - 1])), {})
    if where[at : at + 1] and where[at] in kinds:
        # Pydantic puts the kind after the system's name, which may itself be copy or gold.
        del where[at]
    key = ".".join(map(str, where))
    match finding["type"]:
        case "extra_forbidden":
            known = _keys(Settings, list(finding["loc"][:-1]))
            return f"configuration: unknown key '{key}'; {nearest(str(where[-1]), known)}"
        case "missing":
            return f"configuration: key '{key}' is missing; config.yaml shows every key"
        case "union_tag_invalid" | "union_tag_not_found":
            return f"configuration: {kind_problem(key, finding['input'], kinds)}"
        case "value_error":
            return f"configuration: {finding['ctx']['error']!s}"
        case _:
            value = _SHORT.repr(finding["input"])
            if where[-1] == "[key]":
                place = ".".join(map(str, where[:-2]))
                return f"configuration: '{place}' has the key {value}: {finding['msg'].lower()}"
            if _holds_settings(finding["input"]):
                return f"configuration: '{key}': {finding['msg'].lower()}"
            if _SECRET & set(map(str, where)):
                value = "not shown"
            return f"configuration: '{key}' is {value}: {finding['msg'].lower()}"


def _holds_settings(value: Any) -> bool:
    """Whether a value is or contains a mapping, which may hold a secret key."""
    if isinstance(value, list | tuple):
        return any(map(_holds_settings, value))
    return isinstance(value, Mapping)


def _one_line(text: str) -> str:
    """A message on one line, with secret keys masked, unprintable characters escaped, and shortened."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in masked(text))
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ..."


def _keys(model: type[Section], place: list[Any]) -> list[str]:
    """The keys allowed at a place of the configuration."""
    if not place:
        return list(model.model_fields)
    inner = model.model_fields[place[0]].annotation
    if get_origin(inner) is dict:
        inner = get_args(inner)[1]
        if kinds := kinds_of(inner):
            # Systems differ by their kind, which pydantic puts after the name.
            return _keys(kinds[place[2]], place[3:])
        return _keys(inner, place[2:])
    # A section that may be null.
    inner = next((kind for kind in get_args(inner) if hasattr(kind, "model_fields")), inner)
    return _keys(inner, place[1:])  # type: ignore[arg-type]


def schema() -> str:
    """The JSON schema of the configuration, for editors."""
    tree: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    tree |= Settings.model_json_schema()
    another = {"type": "object", "properties": {like.LIKE: {"type": "string"}}, "required": [like.LIKE]}
    for *section, name in like.PLACES:
        owner = tree["$defs"][section[0].capitalize()] if section else tree
        ((pattern, row),) = owner["properties"][name]["patternProperties"].items()
        owner["properties"][name]["patternProperties"] = {pattern: {"anyOf": [row, another]}}
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
