"""Command: the demo world's subtitles, in an archive of OPUS, with every fault that filters look for."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.corpora.demo.noise import garble
from workflow_scripts.corpora.demo.opus import Pair, language_of, pair, write_zip
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, LANGUAGES, RELATIONSHIPS, Situation
from workflow_scripts.corpora.demo.world import TRAIN, Saying, World

# The share of each other kind of pair; the rest is formal.
SHARES = {
    "informal": 0.27,
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


def make_subtitles(out: Path, *, world: Path, code: str, subtitles: int) -> None:
    """Write formal and informal pairs of another domain than XFORMAL's, and a share of faulty ones.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: archive to write: OpenSubtitles in English and another language
    :param code: code of the other language in OPUS, such as pt_br
    :param subtitles: number of pairs, with faulty ones
    """
    demo, language = World.read(world), language_of(code)
    random = demo.random(f"subtitles {language}")
    shares = {kind: round(share * subtitles) for kind, share in SHARES.items()}
    drawn = {FORMAL: subtitles - sum(shares.values()), INFORMAL: shares.pop("informal")}
    formal, informal = (
        demo.draw(TRAIN, number, f"{style} subtitles in {language}", style, where=_elsewhere)
        for style, number in drawn.items()
    )
    pairs = [pair(demo, saying, language, random) for saying in formal + informal]
    # Faulty pairs repeat the content of other pairs.
    sayings = formal + informal
    extra: list[Pair] = []
    for kind, number in shares.items():
        for _ in range(number):
            extra.append(_odd(kind, demo, random, sayings, pairs, language))
    pairs += extra
    random.shuffle(pairs)
    demo.check()
    write_zip(out, "OpenSubtitles", code, pairs)


def _elsewhere(situation: Situation) -> bool:
    """Whether subtitles may be about a situation."""
    return situation.topic not in RELATIONSHIPS


def _odd(
    kind: str, world: World, random: Random, sayings: list[Saying], pairs: list[Pair], language: str
) -> Pair:
    """A pair with a fault that a filter should find."""

    def fresh() -> Pair:
        return pair(world, random.choice(sayings), language, random)

    def misaligned() -> Pair:
        return fresh()[0], random.choice(pairs)[1]

    def wrong_language() -> Pair:
        saying = random.choice(sayings)
        other = random.choice([code for code in LANGUAGES if code != language])
        return world.say(TRAIN, saying, "en", random), world.say(TRAIN, saying, other, random)

    def garbled() -> Pair:
        left, right = fresh()
        return left, garble(right, random)

    def question() -> Pair:
        combination = random.choice(sayings)[0]
        return combination.ask(world.script, "en"), combination.ask(world.script, language)

    def address() -> Pair:
        left, right = fresh()
        url = f"http://www.example.org/{random.randrange(10**6)}"
        return f"{left} {url}", f"{right} {url}"

    def short() -> Pair:
        texts = random.choice(SHORT)
        return texts["en"], texts[language]

    def long() -> Pair:
        several = [fresh() for _ in range(4)]
        return " ".join(left for left, _ in several), " ".join(right for _, right in several)

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


if __name__ == "__main__":
    run(make_subtitles)
