"""Sentence templates of the demo's formality-controlled translation, in both styles and genders."""

import hashlib
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.cocoa import DOMAINS
from workflow_scripts.corpora.demo.situations import LANGUAGES, SLOT, Content, Texts, read_content, read_yaml
from workflow_scripts.text.levels import LEVELS

NEUTRAL = "neutral"
# [formal|informal] and <masculine|feminine>.
STYLED, GENDERED = re.compile(r"\[([^|\]]*)\|([^\]]*)\]"), re.compile(r"<([^|>]*)\|([^>]*)>")
# The share of a template's fillings that occur in test sets only.
HELD = 0.2
# After so many draws without a new sentence, none is left.
PATIENCE = 1000


@dataclass(frozen=True)
class Sentence:
    """One filled template."""

    texts: tuple[str, ...]
    """In the order of the demo's languages, with both kinds of brackets."""

    def source(self, *, feminine: bool = False) -> str:
        """The English sentence, with pronouns of this gender."""
        return _capital(GENDERED.sub(lambda match: match[1 + feminine], self.texts[0]))

    def reference(self, language: str, style: str, *, feminine: bool = False, marked: bool = False) -> str:
        """The translation in one style and gender, with or without markers of formality."""
        place = LEVELS.index(style) + 1
        around = "[F]{}[/F]" if marked else "{}"
        text = STYLED.sub(lambda match: around.format(match[place]), self.texts[LANGUAGES.index(language)])
        return _capital(GENDERED.sub(lambda match: match[1 + feminine], text))


def _capital(text: str) -> str:
    """The text with a capital at its beginning, also inside a marker."""
    start = len("[F]") if text.startswith("[F]") else 0
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


class Script:
    """The templates of each domain, and the entries that fill them."""

    def __init__(self, templates: Mapping[str, Sequence[Texts]], content: Content, seed: int) -> None:
        """`seed` decides which fillings are kept for the test sets."""
        self.templates, self.content, self.seed = templates, content, seed

    def draw(self, domains: Sequence[str], split: str, count: int, random: Random) -> list[Sentence]:
        """`count` different sentences of a split; InputError if the templates give fewer."""
        drawn: dict[Sentence, None] = {}
        missed = 0
        while len(drawn) < count:
            sentence = self._one(random.choice(domains), split, random)
            missed = missed + 1 if sentence is None or sentence in drawn else 0
            if sentence is not None:
                drawn[sentence] = None
            if missed == PATIENCE:
                raise InputError(
                    f"{' and '.join(domains)}: {count} sentences are asked for, but the templates give about"
                    f" {len(drawn)} for {split}",
                    fix="write more templates or ask for fewer",
                )
        return list(drawn)

    def _one(self, domain: str, split: str, random: Random) -> Sentence | None:
        """A random sentence, or None if it is kept for the other split."""
        number = random.randrange(len(self.templates[domain]))
        template = self.templates[domain][number]
        slots = dict.fromkeys(SLOT.findall(template[0]))
        filled = {slot: random.choice(self.content[slot]) for slot in slots}
        sentence = Sentence(fill(template, filled))
        return sentence if kept_for_test(sentence, self.seed) is (split == "test") else None


def read_script(
    texts: Path, content: Path, seed: int, wanted: Sequence[str] = (*DOMAINS["test"], NEUTRAL)
) -> Script:
    """Read the templates of the wanted domains and the entries that fill them.

    Raises InputError for other domains, and for an item that is not a list of texts in all languages.
    """
    entries = read_content(content)
    return Script(read_templates(texts, wanted, entries), entries, seed)


def fill(template: Texts, filled: Mapping[str, Texts]) -> tuple[str, ...]:
    """A template with an entry in each slot, in all languages."""
    return tuple(
        text.format_map({slot: entry[place] for slot, entry in filled.items()})
        for place, text in enumerate(template)
    )


def kept_for_test(sentence: Sentence, seed: int) -> bool:
    """Whether a sentence is for test sets only, as a share `HELD` of all are, independent of other draws."""
    digest = hashlib.sha256(f"{seed} {sentence.texts[0]}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32 < HELD


def read_templates(path: Path, wanted: Sequence[str], slots: Container[str]) -> dict[str, list[Texts]]:
    """The lists of templates of a file by name, each template a text per language.

    Raises InputError for other names, for an item that is not a list of texts in all languages, for an
    unbalanced bracket, and for a template with slots that are not in `slots` or not in its translations.
    """
    content: Any = read_yaml(path)
    if not isinstance(content, dict) or sorted(content) != sorted(wanted):
        raise InputError(f"not a mapping of {', '.join(wanted)}", path=path)
    for name, templates in content.items():
        if not isinstance(templates, list) or not templates:
            raise InputError(f"{name}: no list of templates", path=path)
        for template in templates:
            _check(template, name, slots, path)
    return content


def _check(template: Any, name: str, slots: Container[str], path: Path) -> None:
    if (
        not isinstance(template, list)
        or len(template) != len(LANGUAGES)
        or not all(isinstance(text, str) for text in template)
    ):
        raise InputError(f"{name}: not a text in each of {', '.join(LANGUAGES)}: {template}", path=path)
    named = [set(SLOT.findall(text)) for text in template]
    if any(names != named[0] for names in named) or not all(slot in slots for slot in named[0]):
        raise InputError(f"{name}: '{template[0]}' names other lists than its translations", path=path)
    for text in template:
        if not _balanced(text):
            raise InputError(f"{name}: a bracket of '{text}' is not balanced", path=path)


def _balanced(text: str) -> bool:
    """Whether every bracket of a template is closed and has its two wordings."""
    return not set("[]<>|{}") & set(GENDERED.sub("", STYLED.sub("", SLOT.sub("", text))))
