"""The demo world's bitext, in the zips of OPUS: subtitles with all that filters look for, and clean pairs."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from workflow_scripts.core.files import writing
from workflow_scripts.corpora.demo.noise import garble
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, LANGUAGES, RELATIONSHIPS, Situation
from workflow_scripts.corpora.demo.world import TRAIN, Saying, World

Pair = tuple[str, str]
# What else subtitles hold, as shares of all pairs; the rest is formal.
SHARES = {
    "informal": 0.22,
    "misaligned": 0.06,
    "wrong language": 0.04,
    "garbled": 0.04,
    "duplicate": 0.03,
    "question": 0.03,
    "address": 0.015,
    "short": 0.01,
    "long": 0.01,
}
SHORT = [
    {"en": "No.", "pt": "Não.", "it": "No.", "fr": "Non."},
    {"en": "Come on!", "pt": "Vamos!", "it": "Andiamo!", "fr": "Allez !"},
    {"en": "Thank you.", "pt": "Obrigado.", "it": "Grazie.", "fr": "Merci."},
    {"en": "Good night.", "pt": "Boa noite.", "it": "Buona notte.", "fr": "Bonne nuit."},
    {"en": "Wait, wait.", "pt": "Espera, espera.", "it": "Aspetta, aspetta.", "fr": "Attends, attends."},
]
README = """A generated corpus in the layout of OPUS (https://opus.nlpl.eu).
It holds none of the real corpus: every sentence is made from hand-written templates.
"""
LICENSE = "Generated text; use it under the terms of the project that generated it.\n"


def write_subtitles(world: World, archive: Path, language: str, code: str, count: int) -> None:
    """OpenSubtitles.en-XX: formal and informal pairs of another domain, and a share that are of no use.

    `code` is the language's in OPUS.
    """
    random = world.random(f"subtitles {language}")
    shares = {kind: round(share * count) for kind, share in SHARES.items()}
    drawn = {FORMAL: count - sum(shares.values()), INFORMAL: shares.pop("informal")}
    formal, informal = (
        world.draw(world.sayings(TRAIN, style, where=_elsewhere), number, f"{style} subtitles in {language}")
        for style, number in drawn.items()
    )
    pairs = [_pair(world, saying, language, random) for saying in formal + informal]
    sayings = world.sayings(TRAIN, INFORMAL, FORMAL, where=_elsewhere)
    extra: list[Pair] = []
    for kind, number in shares.items():
        for _ in range(number):
            # Misaligned and doubled lines are those of other pairs.
            extra.append(_odd(kind, world, random, sayings, pairs, language))
    pairs += extra
    random.shuffle(pairs)
    _write_zip(archive, "OpenSubtitles", code, pairs)


def write_bitext(world: World, archive: Path, language: str, count: int) -> None:
    """Demo.en-XX: clean pairs of both registers."""
    random = world.random(f"bitext {language}")
    chosen = world.draw(world.sayings(TRAIN, INFORMAL, FORMAL), count, f"bitext in {language}")
    _write_zip(archive, "Demo", language, [_pair(world, saying, language, random) for saying in chosen])


def _elsewhere(situation: Situation) -> bool:
    """Whether subtitles are about it."""
    return situation.topic not in RELATIONSHIPS


def _pair(world: World, saying: Saying, language: str, random: Random) -> Pair:
    """Both sides of a saying; each has a noise of its own."""
    return world.say(TRAIN, saying, "en", random), world.say(TRAIN, saying, language, random)


def _odd(
    kind: str, world: World, random: Random, sayings: list[Saying], pairs: list[Pair], language: str
) -> Pair:
    """One pair of a kind that a filter should find."""

    def fresh() -> Pair:
        return _pair(world, random.choice(sayings), language, random)

    def misaligned() -> Pair:
        return fresh()[0], random.choice(pairs)[1]

    def wrong_language() -> Pair:
        saying = random.choice(sayings)
        other = random.choice([code for code in LANGUAGES if code != language])
        return world.say(TRAIN, saying, "en", random), world.say(TRAIN, saying, other, random)

    def garbled() -> Pair:
        one, two = fresh()
        return one, garble(two, random)

    def question() -> Pair:
        combination = random.choice(sayings)[0]
        return combination.ask("en"), combination.ask(language)

    def address() -> Pair:
        one, two = fresh()
        where = f"http://www.example.org/{random.randrange(10**6)}"
        return f"{one} {where}", f"{two} {where}"

    def short() -> Pair:
        texts = random.choice(SHORT)
        return texts["en"], texts[language]

    def long() -> Pair:
        several = [fresh() for _ in range(4)]
        return " ".join(one for one, _ in several), " ".join(two for _, two in several)

    makers: dict[str, Callable[[], Pair]] = {
        "misaligned": misaligned,
        "wrong language": wrong_language,
        "garbled": garbled,
        "duplicate": lambda: random.choice(pairs),
        "question": question,
        "address": address,
        "short": short,
        "long": long,
    }
    return makers[kind]()


def _write_zip(archive: Path, corpus: str, code: str, pairs: list[Pair]) -> None:
    """A zip of OPUS with the same bytes each time."""
    members = {
        f"{corpus}.en-{code}.en": "".join(f"{one}\n" for one, _ in pairs),
        f"{corpus}.en-{code}.{code}": "".join(f"{two}\n" for _, two in pairs),
        "README": README,
        "LICENSE": LICENSE,
    }
    with writing(archive, binary=True) as stream, zipfile.ZipFile(stream, "w") as file:
        for name, text in members.items():
            info = zipfile.ZipInfo(name, date_time=(2018, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system, info.external_attr = 3, 0o100644 << 16
            file.writestr(info, text.encode("utf-8"))
