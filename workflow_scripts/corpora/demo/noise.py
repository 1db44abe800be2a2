"""What people do to informal text, and what the web does to bitext, with a seeded generator."""

from __future__ import annotations

import re
import unicodedata
from random import Random

# Said before or after a sentence, never capitalised.
BEFORE = {
    "en": ["omg", "lol", "well", "hmm", "ok", "haha", "yeah"],
    "pt": ["nossa", "ah", "putz", "olha", "aff", "eita", "poxa"],
    "it": ["boh", "mah", "oddio", "vabbè", "beh", "uffa", "ehm"],
    "fr": ["bah", "ben", "pff", "euh", "roh", "bon", "oh là là"],
}
AFTER = {
    "en": ["lol", "haha", "xd", ":)"],
    "pt": ["kkk", "rsrs", "né", ":)"],
    "it": ["ahah", "xd", "dai", ":)"],
    "fr": ["mdr", "lol", "quoi", ":)"],
}
SHORT = {
    "en": {"you": "u", "your": "ur", "because": "cuz", "please": "plz", "people": "ppl", "are": "r",
           "really": "rly", "tomorrow": "tmrw", "about": "abt"},
    "pt": {"você": "vc", "que": "q", "porque": "pq", "também": "tb", "muito": "mto", "não": "n",
           "hoje": "hj", "com": "c/", "para": "p/", "tudo": "td",
           "quando": "qdo", "mesmo": "msm", "gente": "gnt"},
    "it": {"perché": "xké", "comunque": "cmq", "non": "nn", "che": "ke", "qualcosa": "qlc", "per": "x",
           "tutto": "tt", "sono": "sn", "questo": "qst", "quando": "qnd"},
    "fr": {"beaucoup": "bcp", "toujours": "tjrs", "pour": "pr", "dans": "ds", "tout": "tt", "parce": "pck",
           "quand": "qd", "vraiment": "vrmt", "jamais": "jms", "que": "ke"},
}  # fmt: skip
# How often a wording stays as it is: the most informal one seldom, the mildest one mostly.
UNCHANGED = (0.4, 0.55)


def roughen(text: str, wording: int, language: str, random: Random) -> str:
    """An informal sentence, sometimes with one or two more marks of informal writing."""
    if random.random() < UNCHANGED[min(wording, len(UNCHANGED) - 1)]:
        return text
    # Most is of what rules can repair.
    changes = [_repeat_letter, _punctuate, _abbreviate] * 3 + [_change_case, _drop_accents, _interject]
    for change in random.sample(changes, 1 if random.random() < 0.7 else 2):
        text = change(text, language, random)
    return text


def _repeat_letter(text: str, _: str, random: Random) -> str:
    """One word gets its last letter three to five times: soooo."""
    words = [m for m in re.finditer(r"[^\W\d_]{3,}(?![\w'’])", text) if m[0][-1].lower() in "aeioyé"]
    if not words:
        return text
    word = random.choice(words)
    return text[: word.end()] + word[0][-1] * random.randint(2, 4) + text[word.end() :]


def _punctuate(text: str, _: str, random: Random) -> str:
    """Another end: none, several marks, dots."""
    return re.sub(r"[\s.!…]+$", "", text) + random.choice(["", "!!", "!!!", "...", "....", " !!"])


def _change_case(text: str, _: str, random: Random) -> str:
    """A lower-case beginning, or one SHOUTED word."""
    words = list(re.finditer(r"\b[^\W\d_]{4,}\b", text))
    if text[0].isupper() or not words:
        return text[0].lower() + text[1:]
    word = random.choice(words)
    return text[: word.start()] + word[0].upper() + text[word.end() :]


def _drop_accents(text: str, _: str, random: Random) -> str:
    """All accents go."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _interject(text: str, language: str, random: Random) -> str:
    """A word that means nothing, before or after."""
    if random.random() < 0.5:
        word = random.choice(BEFORE[language])
        return text if text.lower().startswith(word) else f"{word} {text}"
    word = random.choice(AFTER[language])
    return text if word in text.lower() else f"{text} {word}"


def _abbreviate(text: str, language: str, random: Random) -> str:
    """One word gets short."""
    short = SHORT[language]
    words = [m for m in re.finditer(r"(?<![\w'’])\w+(?![\w'’])", text) if m[0] in short]
    if not words:
        return text
    word = random.choice(words)
    return text[: word.start()] + short[word[0]] + text[word.end() :]


def garble(text: str, random: Random) -> str:
    """A line as a wrong encoding, a binary file or a table of numbers leaves it."""
    kind = random.randrange(3)
    if kind == 0:
        # Twice, so that even a text with one accent is full of it.
        return text.replace("e", "é").encode().decode("latin-1").encode().decode("latin-1")
    if kind == 1:
        return "".join(random.choice("#¤þ§Ø�¬|~^°±{}@=") for _ in range(random.randint(15, 50)))
    return " ".join(str(random.randrange(10 ** random.randint(1, 5))) for _ in range(random.randint(6, 14)))
