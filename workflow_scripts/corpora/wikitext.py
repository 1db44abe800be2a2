"""The running text of a talk page: paragraphs without markup.

No parser of wikitext: what sentences need is that templates, tables and tags go, that links leave their
words, and that a signature belongs to no sentence. Every pattern looks at a character a bounded number of
times.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

URL = "<url>"
# Tags go, but for the address that stands for one.
_COMMENT = re.compile(r"<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|\Z)")
_VERBATIM = re.compile(r"<(ref|nowiki|math|gallery|pre|source|syntaxhighlight)\b[^<>]*?(/>|>)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|hr)\b[^<>]{0,200}>", re.IGNORECASE)
_INNER_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}")
_INNER_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_ADDRESS = re.compile(r"\[(?:https?:)?//[^\s\[\]]+([^\[\]\n]*)\]|https?://[^\s<>\[\]]+")
_HEADING = re.compile(r"^=+.*=+\s*$")
_LIST = re.compile(r"^[:*#;\s]+")
_QUOTES = re.compile(r"'{2,5}")
# A date with a time and a zone, as a signature ends; before it stand the links of its user.
_SIGNED = re.compile(r"\b\d{1,2}:\d{2}\b[^\n]{0,60}\((?:[A-Z]{2,5})\)|~~~+")
_USER = re.compile(r"\[\[\s*:?\s*(?:user|user talk|special)\s*[:/]", re.IGNORECASE)
# Templates and links within each other, at most.
NESTED = 20


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page, one per line of wikitext that has words left."""
    text = _without_verbatim(_COMMENT.sub(" ", text))
    for _ in range(NESTED):
        text, count = _INNER_TEMPLATE.subn(" ", text)
        if not count:
            break
    text = _BREAK.sub("\n", text)
    for line in text.split("\n"):
        if not _HEADING.match(line) and not line.startswith(("|", "!", "{|", "|}")):
            found = _plain(_LIST.sub("", _unsigned(line)))
            if any(character.isalpha() for character in found):
                yield found


def _unsigned(line: str) -> str:
    """A line without the signature at its end."""
    signed = _SIGNED.search(line)
    if not signed:
        return line
    before = line[: signed.start()]
    user = _USER.search(before)
    return (before[: user.start()] if user else before).rstrip(" -–—")


def _without_verbatim(text: str) -> str:
    """The text without elements whose content is no wikitext, such as references."""
    pieces: list[str] = []
    # Elements whose end does not come any more: only their tags go, and nobody looks again.
    open_ones: set[str] = set()
    done = 0
    while found := _VERBATIM.search(text, done):
        pieces.append(text[done : found.start()])
        done = found.end()
        if found[2] == ">" and found[1] not in open_ones:
            end = text.find(">", close) if (close := text.find(f"</{found[1]}", done)) >= 0 else -1
            if end >= 0:
                done = end + 1
            else:
                open_ones.add(found[1])
    return "".join([*pieces, text[done:]])


def _plain(line: str) -> str:
    """A line without links, tags, entities and quotes that are markup."""
    line = _ADDRESS.sub(lambda found: f"\x00{found[1] or ''}", line)
    for _ in range(NESTED):
        line, count = _INNER_LINK.subn(_words_of, line)
        if not count:
            break
    line = _QUOTES.sub("", _TAG.sub("", line))
    return " ".join(html.unescape(line).replace("\x00", URL).split())


def _words_of(link: re.Match[str]) -> str:
    """What is read of a link: its words, or nothing of a file or a category."""
    target, _, words = link[1].rpartition("|") if "|" in link[1] else (link[1], "", link[1])
    # Namespaces have other names in every language; a file has an ending, and options behind it.
    if re.search(r":.*\.(?:jpe?g|png|gif|svg|ogg|webm|tiff?|pdf)\b", target, re.IGNORECASE):
        return ""
    return words
