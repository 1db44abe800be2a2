"""A figure's SVG as a part of a page: its ids are its own, its text alternative stays."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines

_PROLOGUE = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)
_REFERENCES = re.compile(r'((?:xlink:)?href=")#([^"]+)(")|(url\()#([^)]+)(\))')
# A tag with its attributes, in which `<` is escaped, and `>` by matplotlib too.
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_LOADS = re.compile(r"url\(\s*(?!#)|@import|javascript:", re.IGNORECASE)


def inline(path: Path, prefix: str) -> str:
    """The SVG without its prologue, with `prefix-` before every id and every reference to one.

    matplotlib's only style sheet becomes attributes of the root, since on a page it would hold for all.
    Raises InputError for a file that is not an SVG, has no title or description, or loads or runs anything.
    """
    text = "\n".join(read_lines(path))
    if "<svg" not in text:
        raise InputError("no <svg> element", path=path)
    text = _PROLOGUE.sub("", text, count=1).rstrip()
    if "<title" not in text or "<desc" not in text:
        raise InputError("no title and description for readers who cannot see it", path=path)
    _check(text, path)
    rules = " ".join(_STYLE.findall(text))
    joins = [part for part in ("stroke-linejoin: round", "stroke-linecap: butt") if part in rules]
    text = _STYLE.sub("", text)
    text = _TAG.sub(lambda tag: _renamed(tag[0], prefix), text)
    return re.sub(r"<svg\b", f'<svg style="{"; ".join(joins)}"', text, count=1) if joins else text


def _check(text: str, path: Path) -> None:
    """InputError for an SVG that is not well-formed, or whose elements load or run anything."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"no well-formed SVG: {error}", path=path) from None
    for element in root.iter():
        name = str(element.tag).rpartition("}")[2]
        wrong = [f"<{name}>"] if name.lower() in ("script", "foreignobject") else []
        for key, value in element.attrib.items():
            bare = key.rpartition("}")[2].lower()
            outside = bare == "href" and not value.startswith("#")
            if bare.startswith("on") or outside or _LOADS.search(value):
                wrong.append(f"{bare}={value[:40]!r}")
        if name.lower() == "style" and (found := _LOADS.search(element.text or "")):
            wrong.append(found[0])
        if wrong:
            raise InputError(f"a figure loads and runs nothing, but this has {wrong[0]}", path=path)


def _renamed(tag: str, prefix: str) -> str:
    """A tag with the prefix before its id and its references; text between tags stays."""
    tag = re.sub(r'(\bid=")([^"]+)(")', rf"\g<1>{prefix}-\g<2>\g<3>", tag)
    tag = re.sub(
        r'(aria-(?:labelledby|describedby)=")([^"]+)(")',
        lambda m: m[1] + " ".join(f"{prefix}-{name}" for name in m[2].split()) + m[3],
        tag,
    )
    return _REFERENCES.sub(
        lambda m: f"{m[1]}#{prefix}-{m[2]}{m[3]}" if m[1] else f"{m[4]}#{prefix}-{m[5]}{m[6]}", tag
    )


def title(path: Path) -> tuple[str, str]:
    """The title and the description of a figure, escaped as in the file."""
    text = "\n".join(read_lines(path))
    found = [re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", text, re.DOTALL) for tag in ("title", "desc")]
    return tuple(" ".join(match[1].split()) if match else "" for match in found)  # type: ignore[return-value]
