"""Command: make users' words impolite by fixed rules that keep the content of each request.

The rules replace human rewrites where there are none: politeness is removed (greetings, thanks, *please*),
wishes become orders, and an insult or an impatient phrase is added. The content of a request, names and
numbers above all, stays as it is. Hu et al. (2022) have no such system.
"""

import random
import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_lines, write_lines

_WOULD, _AM = r"(?: would| ?'d)", r"(?: am| ?'m)"
_LEAVE = r"\b(?:(?:many )?thanks|thank you|good ?bye|bye)\b"
# Patterns to remove or replace, applied in this order. A text may have spaces before its punctuation, like
# the dialogues of MultiWOZ 2.1.
RULES = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"^(?:hello|hi|hey|greetings|good (?:morning|afternoon|evening|day))\b(?: there)?\s*[,.!]*\s*", ""),
        (
            rf"{_LEAVE}(?: so much| very much| a lot| again| now)*"
            r"(?: for (?:all )?(?:your|the) (?:kind )?(?:help|assistance|time|info|information))?\s*[,.!]*",
            " ",
        ),
        (r"\byou(?: have| ?'ve) been (?:very |so |most |a great )?help(?:ful)?\b\s*[,.!]*", " "),
        (
            r"\bhave a (?:very )?(?:great|nice|good|lovely|wonderful) (?:day|evening|one|time)\b\s*[,.!]*",
            " ",
        ),
        (r"(?:\s*,)?\s*\b(?:please|kindly)\b(?:\s*,)?", ""),
        (
            r"(?:\s*,)?\s*\bif (?:it(?: is| ?'s) )?(?:possible|you (?:do ?n't mind|will|would|could|can))\b",
            "",
        ),
        (
            rf"\b(?:that|it|this){_WOULD} be "
            r"(?:great|lovely|wonderful|nice|perfect|helpful)\b\s*[,.!]*",
            " ",
        ),
        (rf"\bi{_WOULD}(?: really| greatly)? appreciate (?:it|that|your help)\b\s*[,.!]*", " "),
        (rf"\b(?:i{_AM} )?(?:so |very )?sorry\b\s*,?(?: but\b)?", ""),
        (r"\bthat sounds (?:great|good|lovely|perfect|wonderful|nice|fine)\b", "whatever"),
        (r"^(?:great|perfect|wonderful|awesome|excellent|lovely)\b", "finally"),
        (r"\b(?:can|could|would|will) you help(?: me)?(?: out)?(?: with (?:this|that|it))? ?\?", ""),
        (r"\b(?:can|could|would|will) you (?:also |just )?(?:help me (?:to |with )?)?(?=\w)", ""),
        (r"\b(?:can|could|may) i (?:also |just )?(?:get|have)\b", "give me"),
        (r"\b(?:can|could|may) i (?:also |just )?(book|reserve)\b", r"\1 me"),
        (rf"\bi{_WOULD}(?: also| really)? (?:like|love) to (book|reserve)\b", r"\1 me"),
        (rf"\bi{_WOULD}(?: also| really)? (?:like|love) to (?:find|see|get|have)\b", "get me"),
        (rf"\bi{_WOULD}(?: also| really)? (?:like|love) to know\b", "tell me"),
        (rf"\bi{_WOULD}(?: also| really)? (?:like|love)\b", "I want"),
        (rf"\bi{_AM}(?: also| just)? (?:looking for|trying to find|searching for)\b", "find me"),
        (r"\bi (?:also )?need (?:some )?help finding\b", "find me"),
        (r"\b(?:is|would) it (?:be )?possible to\b", ""),
    )
]
ORDERS = ("book", "check", "find", "get", "give", "let", "look", "make", "provide", "tell", "try")
# Leftovers of the rules: spaces, punctuation without words before it, question marks after orders.
REMAINS = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\s+", " "),
        (r"(?:[,;] ?)+(?=[.!?,;])", ""),
        (r"([.!?])(?: ?[.,!?])+", r"\1"),
        # An order is not a question.
        (rf"((?:^|[.!?,]|\b(?:and|but)\b) ?(?:{'|'.join(ORDERS)})\b[^.!?]*)\?", r"\1."),
    )
]
BEFORE = (
    *("Listen to me for once.", "How slow can you be?", "This is getting ridiculous.", "Are you deaf?"),
    *("Stop wasting my time.", "Pay attention.", "Just do your job.", "I haven't got all day."),
    *("You people are useless.", "What is taking so long?", "I won't repeat myself.", "Good grief."),
)
AFTER = (
    *("And be quick about it.", "Is that too hard for you?", "Don't make me say it twice.", "Hurry up!"),
    *("Any fool could manage that.", "Try to get it right for once.", "I have better things to do."),
    *("Even you should understand that.", "My patience is running out.", "How hard can it be?"),
    *("Or do I have to do it myself?", "Get on with it!"),
)
# For users who take their leave.
LEAVING = (
    *("That took you long enough.", "About time.", "You were hardly any use.", "I am done with you."),
    *("Never again.", "What a waste of my time.", "A child would have been faster."),
)
# How many words a leave-taking may have besides its thanks.
SHORT = 12
_LEAVING = re.compile(rf"{_LEAVE}[^.!?]*[.!?\s]*$", re.IGNORECASE)
_WISH = re.compile(r"\bplease\b|\b(?:can|could|would|will) (?:you|i)\b", re.IGNORECASE)
_WORD, _BEGINNING = re.compile(r"\w"), re.compile(r"(?:^|[.!?] )[a-z]")
_SPACED = re.compile(r"\w [,.!?]|\w n't\b|\w '(?:s|m|ve|d|re|ll)\b")


def rude_rules(source: Path, target: Path, *, seed: int) -> None:
    """Write users' words as the rules rewrite them.

    :param source: utterances, one per line, none empty
    :param target: the rewrites to write, parallel to `source`
    :param seed: of the added phrases; equal utterances get the same phrase
    """
    write_lines(target, [impolite(line, seed) for line in read_lines(source, filled=True)])


def impolite(text: str, seed: int) -> str:
    """An utterance made impolite, with its request unchanged and in the same order."""
    left = text
    for pattern, instead in (*RULES, *REMAINS):
        left = pattern.sub(instead, left)
    left = left.lstrip(" ,.;:!?").rstrip(" ,;:") if _WORD.search(left) else ""
    if text.strip()[0].isupper():
        left = _BEGINNING.sub(lambda match: match[0].upper(), left)
    spaced = _SPACED.search(text) is not None
    if left and left[-1] not in ".!?":
        left += " ." if spaced else "."
    draw = random.Random(f"{seed} {text}")
    leaving = _LEAVING.search(text) and not _WISH.search(text) and len(left.split()) <= SHORT
    if leaving or not left:
        parts = [left, draw.choice(LEAVING)]
    elif draw.random() < 0.4:
        parts = [draw.choice(BEFORE), left]
    else:
        parts = [left, draw.choice(AFTER)]
    return " ".join(_as_tokens(part) if spaced and part is not left else part for part in parts if part)


def _as_tokens(phrase: str) -> str:
    """A phrase with spaces before its punctuation and its contractions."""
    return re.sub(r"(?=n't\b|'(?:s|m|ve|d|re|ll)\b|[,.!?])", " ", phrase)


if __name__ == "__main__":
    run(rude_rules)
