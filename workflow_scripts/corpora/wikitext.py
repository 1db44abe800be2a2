"""The running text of a talk page: paragraphs without markup.

This is not a parser of wikitext: for sentences it is enough to remove templates, tables, tags and signatures,
and to reduce links to their words. Every pattern looks at a character a bounded number of times.
"""

import html
import re
from collections.abc import Iterator

URL = "<url>"
# All tags are removed, except the `<url>` that replaces an address.
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
# The time and zone at the end of a signature; the links of its user precede the date.
_SIGNED = re.compile(r"\b\d{1,2}:\d{2}\b[^\n]{0,60}\((?:[A-Z]{2,5})\)|~~~+")
_USER = re.compile(r"\[\[\s*:?\s*(?:user|user talk|special)\s*[:/]", re.IGNORECASE)
# The deepest nesting of templates and links.
NESTED = 20


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page, one per line of wikitext that still has letters."""
    text = _without_verbatim(_COMMENT.sub(" ", text))
    for _ in range(NESTED):
        text, count = _INNER_TEMPLATE.subn(" ", text)
        if not count:
            break
    text = _BREAK.sub("\n", text)
    for line in text.split("\n"):
        if not _HEADING.match(line) and not line.startswith(("|", "!", "{|", "|}")):
            paragraph = _plain(_LIST.sub("", _unsigned(line)))
            if any(character.isalpha() for character in paragraph):
                yield paragraph


def _unsigned(line: str) -> str:
    """A line without the signature at its end."""
    signed = _SIGNED.search(line)
    if not signed:
        return line
    before = line[: signed.start()]
    user = _USER.search(before)
    return (before[: user.start()] if user else before).rstrip(" -–—")


def _without_verbatim(text: str) -> str:
    """The text without elements whose content is not wikitext, such as references."""
    pieces: list[str] = []
    # Elements without a further end tag: only their tags are removed, and the search is not repeated.
    unclosed: set[str] = set()
    done = 0
    while match := _VERBATIM.search(text, done):
        pieces.append(text[done : match.start()])
        done = match.end()
        if match[2] == ">" and match[1] not in unclosed:
            end = text.find(">", close) if (close := text.find(f"</{match[1]}", done)) >= 0 else -1
            if end >= 0:
                done = end + 1
            else:
                unclosed.add(match[1])
    return "".join([*pieces, text[done:]])


def _plain(line: str) -> str:
    """A line without the markup of links, tags, entities and quotes."""
    line = _ADDRESS.sub(lambda match: f"\x00{match[1] or ''}", line)
    for _ in range(NESTED):
        line, count = _INNER_LINK.subn(_words_of, line)
        if not count:
            break
    line = _QUOTES.sub("", _TAG.sub("", line))
    return " ".join(html.unescape(line).replace("\x00", URL).split())


def _words_of(link: re.Match[str]) -> str:
    """The visible words of a link; empty for a file."""
    target, _, words = link[1].rpartition("|") if "|" in link[1] else (link[1], "", link[1])
    # The names of namespaces depend on the language; a file has an extension, and options after it.
    if re.search(r":.*\.(?:jpe?g|png|gif|svg|ogg|webm|tiff?|pdf)\b", target, re.IGNORECASE):
        return ""
    return words
