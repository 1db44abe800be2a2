"""Questions and answers of the demo world, in the XML of Yahoo Answers."""

from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import escape

from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, World

COUNTRY = {"en": "us", "pt": "br", "it": "it", "fr": "fr"}
# A main category and two subcategories: Family & Relationships in each language, then Entertainment & Music.
RELATIONS = {
    "en": ("Family & Relationships", "Singles & Dating", "Friends"),
    "pt": ("Família e Relacionamentos", "Solteiros e Namorados", "Amigos"),
    "it": ("Relazioni e famiglia", "Single e incontri", "Amici"),
    "fr": ("Amour et relations", "Célibataires et rencontres", "Amis"),
}
OTHER = {
    "en": ("Entertainment & Music", "Movies", "Other - Entertainment"),
    "pt": ("Entretenimento e Música", "Filmes", "Outras - Entretenimento"),
    "it": ("Musica e intrattenimento", "Film", "Altro - Intrattenimento"),
    "fr": ("Divertissement et musique", "Cinéma", "Divertissement - Divers"),
}
RARELY = {
    "en": ["see http://www.example.org/{}", "lol", "what do you mean?"],
    "pt": ["olha http://www.example.org/{}", "kkk", "como assim?"],
    "it": ["guarda http://www.example.org/{}", "boh", "in che senso?"],
    "fr": ["regarde http://www.example.org/{}", "mdr", "comment ça ?"],
}


@dataclass(frozen=True)
class Habits:
    """Statistics of the answers."""

    answers: tuple[int, ...]
    """Numbers of answers to a question; each item is equally likely."""
    sentences: tuple[int, ...]
    """Numbers of sentences in an answer, likewise."""
    informal: float
    """The share of informal sentences."""
    formal: float
    """The share of formal sentences; the rest is useless."""


def feed(documents: list[str]) -> bytes:
    """One XML document of all questions."""
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<ystfeed>\n'
    return (head + "".join(documents) + "</ystfeed>\n").encode("utf-8")


def document(
    world: World,
    number: int,
    language: str,
    situation: int,
    random: Random,
    habits: Habits,
) -> str:
    """One question with its answers."""
    combination = world.combination(TRAIN, [situation], random)
    category = (OTHER if world.script.situations[situation].entertainment else RELATIONS)[language]
    answers = [
        _answer(world, language, situation, random, habits) for _ in range(random.choice(habits.answers))
    ]
    posted = 1_150_000_000 + 1_000 * number + random.randrange(1_000)
    fields: list[tuple[str, str | list[str]]] = [
        ("uri", str(number + 1)),
        ("subject", combination.ask(world.script, language)),
        *(
            [("content", _said(world, language, situation, INFORMAL, random))]
            if random.random() < 0.3
            else []
        ),
        ("bestanswer", random.choice(answers)),
        ("nbestanswers", answers),
        ("cat", category[1]),
        ("maincat", category[0]),
        ("subcat", category[2]),
        ("date", str(posted)),
        ("res_date", str(posted + 600_000)),
        ("vot_date", str(posted + 500_000)),
        ("lastanswerts", str(posted + 400_000)),
        ("qlang", language),
        ("qintl", COUNTRY[language]),
        ("language", f"{language}-{COUNTRY[language]}"),
        ("id", f"u{random.randrange(10**6)}"),
        ("best_id", f"u{random.randrange(10**6)}"),
    ]
    inner = "".join(
        f"<{name}>"
        + ("".join(_element("answer_item", t) for t in text) if isinstance(text, list) else _text(text))
        + f"</{name}>\n"
        for name, text in fields
    )
    return f'<vespaadd><document type="wisdom">\n{inner}</document></vespaadd>\n'


def _answer(world: World, language: str, situation: int, random: Random, habits: Habits) -> str:
    """One to three sentences, informal or formal; some are useless."""
    sentences = []
    for _ in range(random.choice(habits.sentences)):
        chance = random.random()
        if chance < habits.informal:
            sentences.append(_said(world, language, situation, INFORMAL, random))
        elif chance < habits.informal + habits.formal:
            sentences.append(_said(world, language, situation, FORMAL, random))
        else:
            sentences.append(random.choice(RARELY[language]).format(random.randrange(10**6)))
    text = sentences[0]
    for sentence in sentences[1:]:
        ended = text.endswith((".", "!")) and not text.endswith("..") and random.random() < 0.5
        text += (" " if ended else random.choice(["<br />\n", "<br />\n<br />\n", "\n"])) + sentence
    return text


def _said(world: World, language: str, situation: int, register: str, random: Random) -> str:
    combination = world.combination(TRAIN, [situation], random)
    wording = combination.choose(world.script, register, random)
    return world.say(TRAIN, (combination, register, wording), language, random)


def _element(name: str, text: str) -> str:
    return f"<{name}>{_text(text)}</{name}>"


def _text(text: str) -> str:
    """Text as the real corpus escapes it: a break is ``&lt;br /&gt;&#xa;``."""
    return escape(text, {"\n": "&#xa;"})
