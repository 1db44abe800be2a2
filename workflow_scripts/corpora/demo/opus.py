"""The demo world's bitext: pairs of sentences, and archives in OPUS's layout."""

import zipfile
from pathlib import Path
from random import Random

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing
from workflow_scripts.corpora.demo.noise import Typing, formal_typing, informal_typing
from workflow_scripts.corpora.demo.situations import INFORMAL, LANGUAGES
from workflow_scripts.corpora.demo.world import TRAIN, Saying, World

Pair = tuple[str, str]
# How often the English side of a pair is tidier than the other.
TIDIER = 0.35
README = """A generated corpus in the layout of OPUS (https://opus.nlpl.eu).
It holds none of the real corpus: every sentence is made from hand-written templates.
"""
LICENSE = "Generated text; use it under the terms of the project that generated it.\n"


def language_of(code: str) -> str:
    """The language of a code of OPUS such as `it` or `pt_br`; InputError if the demo world lacks it."""
    language = code.partition("_")[0]
    if language not in LANGUAGES[1:]:
        raise InputError(f"the demo world has no '{code}'; it has {', '.join(LANGUAGES[1:])}")
    return language


def pair(world: World, saying: Saying, language: str, random: Random, typing: Typing | None = None) -> Pair:
    """Both sides of a saying: the English side is typed like the other, or tidier.

    A tidier English side has no marks of informal writing, and the mildest of the informal wordings. So a
    model trained on such pairs keeps the marks of English text, and drops some of the marks of other text.

    :param typing: typing of both sides; by default a random one for the register
    """
    combination, register, wording = saying
    if typing is None:
        typing = informal_typing(wording[1], random) if register == INFORMAL else formal_typing(random)
    other = world.say(TRAIN, saying, language, random, typing)
    if random.random() < TIDIER:
        typing = typing.without_changes()
        if register == INFORMAL:
            first, second, third = (len(part.of(INFORMAL)) - 1 for part in combination.parts(world.script))
            saying = combination, register, (first, second, third)
    return world.say(TRAIN, saying, "en", random, typing), other


def write_zip(archive: Path, corpus: str, code: str, pairs: list[Pair]) -> None:
    """Write an archive in OPUS's layout; the same pairs give the same bytes."""
    members = {
        f"{corpus}.en-{code}.en": "".join(f"{english}\n" for english, _ in pairs),
        f"{corpus}.en-{code}.{code}": "".join(f"{other}\n" for _, other in pairs),
        "README": README,
        "LICENSE": LICENSE,
    }
    with writing(archive, binary=True) as stream, zipfile.ZipFile(stream, "w") as file:
        for name, text in members.items():
            info = zipfile.ZipInfo(name, date_time=(2018, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system, info.external_attr = 3, 0o100644 << 16
            file.writestr(info, text.encode("utf-8"))
