"""The configuration: one typed model that checks it, explains it and generates its schema.

`config.yaml` holds every key (the demo scale); an overlay such as `config/paper.yaml` holds only what
differs. The model has no defaults, so that a value stands in one place. `config.reference` writes
`config/schema.json` and `docs/configuration.md` from it.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from workflow_scripts.config import like
from workflow_scripts.config.control import CONTROLLED, AnyControlled, Control
from workflow_scripts.config.corpora import Corpora, Demo, Downloads, Filtering
from workflow_scripts.config.dialogue import RESPONDERS, AnyResponder, Dialogue
from workflow_scripts.config.files import LOADER
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
from workflow_scripts.config.style import REWRITERS, AnyRewriter, Style
from workflow_scripts.config.systems import KINDS, AnySystem, UnsupervisedSystem
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
    check_labels,
    check_rows,
    sections,
)
from workflow_scripts.core.errors import InputError, nearest

ROOT = Path(__file__).parents[2]


class Settings(Section):
    """All settings of a run."""

    scale: Literal["demo", "open", "paper"] = Field(
        description="how far the data are from the paper's: a mark on every table, and nothing else"
    )
    seed: Seed = Field(description="seed of every random choice that has no seed of its own")
    languages: Annotated[list[str], Field(min_length=1), Distinct] = Field(
        description="languages of the tables, codes of `resources/languages.csv`; another order reruns tables"
        " only, another selection also what is made of the texts of all (the encoder that is built here)"
    )
    licensed: Folder = Field(
        description="folder that holds the licensed corpora; a relative one is in the checkout"
    )
    mirror: Annotated[Folder, Given(in_checkout=True)] | None = Field(
        description="folder that holds the downloads, for a machine without network; a relative one is in the"
        " checkout"
    )
    cache: Folder = Field(
        description="folder of the translations; keep it: paid translations are in it; a relative one is in"
        " the checkout, so that all experiments share it"
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        description="where models train and decode; `auto`: on a GPU if the machine of the job has one;"
        " another device reruns nothing"
    )
    precision: Literal["auto", "float32", "bf16"] = Field(
        description="number format of models; `auto`: bf16 on a GPU, float32 on a CPU"
    )
    threads: Few = Field(
        description="threads of a training or scoring job; part of the result: other sums, other last digits"
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
        description="the systems that are rows of Table 7 and of the leaves beside it (Tables 6, 8 and 10,"
        " Figures 3 and 4, the raters' sheets); all if not given. It does not order them. Another system is"
        " made only where a row reads its output or needs its models; the baseline is scored in any case."
        " Tests and Holm's correction are over the rows. Raters judge the rows that `human.systems` names,"
        " which are tested if the baseline is one of them"
    )
    systems: dict[Name, AnySystem] = Field(
        description="the systems in the order of the rows, an overlay's own ones after those of `config.yaml`"
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
        others = dict.fromkeys(OTHER_LABELS, "a text that is no system")
        check_labels("systems", {name: one.label for name, one in systems.items()}, others)
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
            for code in system.languages or []:
                if code not in languages():
                    raise ValueError(
                        f"systems.{name}.languages: unknown '{code}'; {nearest(code, languages())}"
                    )
            french = isinstance(system, UnsupervisedSystem) and system.corpus == "yahoo-fr"
            if french and (system.languages is None or set(system.languages) - {"fr"}):
                raise ValueError(f"systems.{name}.languages: corpus yahoo-fr is French: set languages: [fr]")
        if self.evaluation.baseline not in self.systems:
            raise ValueError(
                f"evaluation.baseline: no system '{self.evaluation.baseline}';"
                f" {nearest(self.evaluation.baseline, self.systems)}"
            )
        for key, names in (("human.systems", self.human.systems), ("rows", self.rows or [])):
            for name in names:
                if name not in self.systems:
                    raise ValueError(f"{key}: no system '{name}'; {nearest(name, self.systems)}")
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
            found = self.politeness.classifiers.get(judge)
            if found is None or not found.inputs:
                known = [name for name, one in self.politeness.classifiers.items() if one.inputs]
                raise ValueError(f"style.second_judge: no classifier '{judge}'; {nearest(judge, known)}")
            if found.encoder.kind == "sentences":
                raise ValueError(
                    f"style.second_judge: '{judge}' has the encoder 'sentences', which is not for dialogues"
                )

    def _check_encoders(self) -> None:
        if self.formality.encoder.kind == "sentences":
            raise ValueError("formality.encoder.kind: 'sentences' is for politeness.classifiers only")
        encoders = {"formality": self.formality.encoder} | {
            f"politeness.classifiers.{name}": one.encoder for name, one in self.politeness.classifiers.items()
        }
        for place, encoder in encoders.items():
            problem = encoder.problem(f"{place}.encoder")
            if problem:
                raise ValueError(problem)
        trained, released = self.politeness.classifiers, self.politeness.released
        compared = self.politeness.compared
        if compared is not None and compared not in (known := [*trained, *released]):
            raise ValueError(f"politeness.compared: no classifier '{compared}'; {nearest(compared, known)}")
        bases = [name for name, one in trained.items() if one.inputs]
        for name, one in released.items():
            if one.base not in bases:
                raise ValueError(
                    f"politeness.released.{name}.base: no classifier '{one.base}' is trained;"
                    f" {nearest(one.base, bases)}"
                )
        names, shown = set[str](), set[str]()
        owners: dict[str, str] = {}
        for key in ("classifiers", "released", "prompted", "outputs"):
            ones = getattr(self.politeness, key)
            if twice := names & ones.keys():
                raise ValueError(f"politeness: '{min(twice)}' is the name of two classifiers")
            names |= ones.keys()
            labels = {name: one.label for name, one in ones.items() if one.inputs}
            owners = check_labels(f"politeness.{key}", labels, owners)
            shown |= labels.keys()
        check_rows("politeness", self.politeness.rows, sorted(shown))

    def in_rows(self) -> list[str]:
        """The names of the rows, in their order: what `rows` names and some configured language has."""
        return [
            name
            for name, system in self.systems.items()
            if (self.rows is None or name in self.rows)
            and (system.languages is None or set(system.languages) & set(self.languages))
        ]

    def _check_reference(self, where: str, key: str, other: str, kinds: tuple[str, ...]) -> None:
        """A named system exists, is of the right kind, and does not lead back to where it is named."""
        if other not in self.systems:
            raise ValueError(f"{where}.{key}: no system '{other}'; {nearest(other, self.systems)}")
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


# Settings of a system that name another one, and the kinds that may stand there (all if none are named).
REFERENCES: dict[str, tuple[str, ...]] = {
    "input": (),
    "base": ("translate_train_tag",),
    # Ensembles that are trained here.
    "of": tuple(name for name, kind in KINDS.items() if kind.votes and kind.trainer),
}


# How many mistakes are told, and with how many characters each.
FINDINGS = 500
LONGEST = 600
# Values as they stand in messages: a list of lists of lists can be larger than the memory.
_SHORT = reprlib.Repr()
_SHORT.maxstring, _SHORT.maxother, _SHORT.maxlist = 100, 100, 12
# Settings at which a key may stand by mistake: no message shows what stands there.
_SECRET = {"address", "key"}


# The kinds of systems, by the key whose mapping has them.
KINDS_OF = {
    "systems": KINDS,
    "control.systems": CONTROLLED,
    "dialogue.systems": RESPONDERS,
    "style.systems": REWRITERS,
}
# Labels that Table 8 and Figure 3 give to texts that no system wrote.
OTHER_LABELS = ("INFORMAL", "XFORMAL REWRITE")


def load(config: dict[str, Any]) -> Settings:
    """Check a merged configuration; InputError has one line per finding, each naming the key.

    A number may be a text that reads as one: ``snakemake --config`` gives nested numbers so. A row that is
    like another one has its settings (`config.like`). Systems stand in the order of the checkout's
    `config.yaml`, those that it does not have after them in the order given: Snakemake puts what an overlay
    adds or changes before all others.
    """
    if sets := list(_sets(config)):
        raise InputError(f"configuration: '{sets[0]}': write a list: a set has another order in each process")
    config = like.resolved(config)
    if isinstance(given := config.get("systems"), Mapping):
        config = {**config, "systems": _in_order(given, "systems")}
    for key in ("control", "dialogue", "style"):
        section = config.get(key)
        if isinstance(section, Mapping) and isinstance(given := section.get("systems"), Mapping):
            config = {**config, key: {**section, "systems": _in_order(given, key, "systems")}}
    try:
        return Settings.model_validate(config)
    except ValidationError as error:
        findings = [_one_line(_explain(finding)) for finding in error.errors()]
        if len(findings) > FINDINGS:
            findings[FINDINGS:] = [f"configuration: and {len(findings) - FINDINGS} further mistakes"]
        raise InputError("\nerror: ".join(findings)) from None


def _sets(value: Any, place: str = "") -> Iterator[str]:
    """Where a configuration has a set: a module's may be written in Python."""
    if isinstance(value, set | frozenset):
        yield place
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _sets(one, f"{place}.{key}".lstrip("."))


def _in_order(given: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Systems in the order of those at a place of the checkout's `config.yaml`, others after them."""
    # Every job of the workflow loads the configuration, and libyaml reads it ten times as fast.
    first = yaml.load((ROOT / "config.yaml").read_text(encoding="utf-8"), LOADER)
    for name in place:
        first = first[name]
    names = dict.fromkeys([name for name in first if name in given])
    return {name: given[name] for name in names | dict.fromkeys(given)}


def _explain(finding: Any) -> str:
    """One line for one finding of pydantic."""
    where = list(finding["loc"])
    at = where.index("systems") + 2 if "systems" in where[:2] else 0
    kinds = KINDS_OF.get(".".join(map(str, where[: at - 1])), {})
    if where[at : at + 1] and where[at] in kinds:
        # Pydantic names the kind behind the system, which may itself be called copy or gold.
        del where[at]
    key = ".".join(map(str, where))
    match finding["type"]:
        case "extra_forbidden":
            known = _keys(Settings, list(finding["loc"][:-1]))
            return f"configuration: unknown key '{key}'; {nearest(str(where[-1]), known)}"
        case "missing":
            return f"configuration: key '{key}' is missing; config.yaml shows every key"
        case "union_tag_invalid" | "union_tag_not_found":
            given = str(finding["input"].get("kind", "")) if isinstance(finding["input"], dict) else ""
            return f"configuration: '{key}.kind' is '{given}'; {nearest(given, kinds)}"
        case "value_error":
            return f"configuration: {finding['ctx']['error']!s}"
        case _:
            given = _SHORT.repr(finding["input"])
            if where[-1] == "[key]":
                place = ".".join(map(str, where[:-2]))
                return f"configuration: '{place}' has the key {given}: {finding['msg'].lower()}"
            if _holds_settings(finding["input"]):
                return f"configuration: '{key}': {finding['msg'].lower()}"
            if _SECRET & set(map(str, where)):
                given = "not shown"
            return f"configuration: '{key}' is {given}: {finding['msg'].lower()}"


def _holds_settings(value: Any) -> bool:
    """Whether a value is, or holds, a mapping, in which a key may stand too."""
    if isinstance(value, list | tuple):
        return any(map(_holds_settings, value))
    return isinstance(value, Mapping)


def _one_line(text: str) -> str:
    """A message that holds whatever stands in the configuration but keys, short enough to be read."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in masked(text))
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ..."


def _keys(model: type[Section], place: list[Any]) -> list[str]:
    """The keys that are allowed at a place of the configuration."""
    if not place:
        return list(model.model_fields)
    inner = model.model_fields[place[0]].annotation
    if get_origin(inner) is dict:
        # Systems differ by their kind, which pydantic names behind the name.
        unions = (AnySystem, KINDS), (AnyControlled, CONTROLLED), (AnyResponder, RESPONDERS)
        for union, kinds in (*unions, (AnyRewriter, REWRITERS)):
            if get_args(inner)[1] == union:
                return _keys(kinds[place[2]], place[3:])
        return _keys(get_args(inner)[1], place[2:])
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
