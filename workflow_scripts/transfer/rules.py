"""The hand-crafted rules of RULE-BASED (XFORMAL, Appendix C), in three readings.

`paper` is the appendix to the letter: 1. punctuation symbols, 2. characters, 3. casing, 4. abbreviations.
`careful` applies the same four rules where they do no harm: addresses, numbers, ellipses, and the capitals of
sentences that do not shout stay. `released` follows the authors' program, so that their outputs can
be compared.
"""

import re
import string
from collections.abc import Callable, Iterable

from workflow_scripts.text.sentences import words

PUNCTUATION = re.escape(string.punctuation.replace(".", "") + "…¡¿«»“”„\u2018\u2019\u2013—")
REPEATED_PUNCTUATION = re.compile(rf"([{PUNCTUATION}])\1+")
REPEATED_SYMBOL = re.compile(rf"([.{PUNCTUATION}])\1+")
REPEATED_CHARACTER = re.compile(r"(.)\1{2,}")
DOTS = re.compile(r"\.{2,}")
REPEATED_LETTER = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
ROMAN = re.compile(r"[MDCLXV]*I{3}")
WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
FIRST_LETTER = re.compile(r"(?:[^\w]|_)*([^\W\d_])")
END = r"[^\s!?.,;:)\]>\"'\u2019»…]"  # punctuation at the end of a sentence is not part of an address
ADDRESS = re.compile(
    rf"(?:https?://|ftp://|www\.)\S*{END}"  # web
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # mail
    r"|@\w+"  # a user's handle
    rf"|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|edu|gov|info|br|pt|it|fr|uk)\b(?:\.[a-z]{{2}}\b)?(?:/\S*{END})?",
    re.IGNORECASE,
)


def _abbreviations(words: Iterable[str], before: str, after: str) -> re.Pattern[str]:
    """A pattern for any of some abbreviations, the longest first, as a separate word in any case.

    before, after: patterns that must not precede it, and that must not follow it.
    """
    longest = sorted(words, key=lambda word: (-len(word), word))
    choices = "|".join(re.escape(word) + (r"(?!\w)" if word[-1].isalnum() else "") for word in longest)
    return re.compile(rf"{before}(?:{choices or '(?!)'}){after}", re.IGNORECASE)


def _expanded(sentence: str, match: re.Match[str], expansion: str) -> str:
    """An expansion, and a space where the abbreviation was written together with a word: `c/vc` is two."""
    glued = not match.group()[-1].isalnum() and sentence[match.end() : match.end() + 1].isalnum()
    return expansion + " " * glued


class PaperRules:
    """The four rules as in the appendix and the outputs in Table 8.

    1. A punctuation symbol or full stop that occurs two or more times in a row becomes one.
    2. A character that occurs three or more times in a row becomes one.
    3. Everything is lower-cased; the first letter of the first word is a capital.
    4. Abbreviations are expanded as the list writes them: a sentence that begins with one begins in lower
       case.
    """

    def __init__(self, abbreviations: dict[str, str]) -> None:
        """`abbreviations`: lower-case abbreviation to expansion."""
        self.abbreviations = abbreviations
        # A hyphen or an apostrophe is part of a word.
        self.pattern = _abbreviations(abbreviations, r"(?<![\w'\u2019-])", r"(?!['\u2019-])")

    def __call__(self, sentence: str) -> str:
        """The more formal sentence; white space becomes single spaces."""
        sentence = REPEATED_SYMBOL.sub(r"\1", " ".join(sentence.split()))
        sentence = REPEATED_CHARACTER.sub(r"\1", sentence).lower()
        if first := FIRST_LETTER.match(sentence):
            sentence = sentence[: first.start(1)] + _capital(sentence[first.start(1) :])
        return self.pattern.sub(
            lambda match: _expanded(sentence, match, self.abbreviations[match.group().lower()]), sentence
        )


class CarefulRules:
    """The paper's four rules, without their damage to some texts."""

    def __init__(self, abbreviations: dict[str, str]) -> None:
        """`abbreviations`: lower-case abbreviation to expansion."""
        self.abbreviations = abbreviations
        # After a number it is a unit or an operator: `2 x 3`, not `2 per 3`.
        self.pattern = _abbreviations(abbreviations, r"(?<![\w'\u2019@#&-])(?<!\d )", r"(?![@'\u2019-])")

    def __call__(self, sentence: str) -> str:
        """The more formal sentence; white space becomes single spaces."""
        sentence = " ".join(sentence.split())
        sentence = _outside(sentence, lambda text: REPEATED_PUNCTUATION.sub(r"\1", DOTS.sub(_dots, text)))
        sentence = _outside(sentence, lambda text: WORD.sub(_letters, text))
        sentence = self._case(sentence)
        return self._expand(sentence)

    def _case(self, sentence: str) -> str:
        shouts = any(len(word) > 1 and word.isupper() for word in WORD.findall(ADDRESS.sub(" ", sentence)))
        if shouts:
            sentence = _outside(sentence, lambda text: WORD.sub(_lower, text))
        first = FIRST_LETTER.match(sentence)
        if first is None or ADDRESS.match(sentence, first.start(1)):
            return sentence
        at = first.start(1)
        return sentence[:at] + _capital(sentence[at:])

    def _expand(self, sentence: str) -> str:
        addresses = [match.span() for match in ADDRESS.finditer(sentence)]
        first = FIRST_LETTER.match(sentence)

        def expand(match: re.Match[str]) -> str:
            if any(match.start() < end and start < match.end() for start, end in addresses):
                return match.group()
            text = self.abbreviations[match.group().lower()]
            if first is not None and match.start() == first.start(1):
                text = _capital(text)
            return _expanded(sentence, match, text)

        return self.pattern.sub(expand, sentence)


def _outside(sentence: str, change: Callable[[str], str]) -> str:
    """Apply `change` to all of the sentence but its addresses."""
    out, at = [], 0
    for match in ADDRESS.finditer(sentence):
        out += [change(sentence[at : match.start()]), match.group()]
        at = match.end()
    return "".join([*out, change(sentence[at:])])


def _dots(match: re.Match[str]) -> str:
    return "..." if len(match.group()) > 2 else "."


def _letters(match: re.Match[str]) -> str:
    word = match.group()
    return word if ROMAN.fullmatch(word) else REPEATED_LETTER.sub(r"\1", word)


def _lower(match: re.Match[str]) -> str:
    return match.group().lower() if match.group().isupper() else match.group()


def _capital(text: str) -> str:
    """The text with its first letter capitalised, if its capital is a single letter."""
    return text[:1].upper() + text[1:] if len(text[:1].upper()) == 1 else text


class ReleasedRules:
    """The rules as the authors' program applies them.

    Every ASCII punctuation symbol but the full stop loses its repetitions; of every other character three in
    a row become one, again and again (`1000` gives `10`, `www` gives `w`, `aaaa` gives `aa`); only the first
    sentence is kept; everything is lower-cased; tokens that are abbreviations are expanded; the first token
    is capitalised; tokens are joined with spaces, ASCII punctuation sticks to the word before it.
    """

    def __init__(self, abbreviations: dict[str, str], split: Callable[[str], list[str]]) -> None:
        """`split` cuts a text into its sentences."""
        self.abbreviations, self.split = abbreviations, split

    def __call__(self, sentence: str) -> str:
        """The program's output for one line; an empty line stays empty."""
        for symbol in string.punctuation.replace(".", ""):
            sentence = _squeeze(sentence, symbol, 2)
        for character in dict.fromkeys(sentence):
            if character != ".":
                sentence = _squeeze(sentence, character, 3)
        sentences = self.split(sentence)
        if not sentences:
            return ""
        tokens = [token.lower() for token in words(sentences[0])]
        tokens = [self.abbreviations.get(token, token) for token in tokens]
        tokens[0] = tokens[0].capitalize()
        return "".join(
            token if token.startswith("'") or token in string.punctuation else f" {token}" for token in tokens
        ).strip()


def _squeeze(text: str, character: str, run: int) -> str:
    """Replace runs of `run` equal characters by one until there are none."""
    while character * run in text:
        text = text.replace(character * run, character)
    return text
