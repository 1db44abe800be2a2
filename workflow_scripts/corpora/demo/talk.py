"""Command: user talk pages with the demo's requests, in the layout of Wikipedia's dumps."""

import bz2
import random
from itertools import product
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing
from workflow_scripts.corpora.demo.situations import read_languages

ENGLISH = "en"
SCHEMA = "http://www.mediawiki.org/xml/export-0.11/"
# The share of posts in English, and the number of posts on a page.
FOREIGN, POSTS = 0.1, 4
USER_TALK, ARTICLE = 3, 0


def talk(out: Path, *, texts: Path, languages: list[str], pages: int, seed: int) -> None:
    """Write ``{lang}wiki-pages-meta-current.xml.bz2`` of each language.

    The same arguments give the same bytes.

    A page has a few posts with signatures, indents, links, templates and addresses, and every fourth page is
    not a talk page. A tenth of the posts are in English. Opening and topic form one sentence, the question
    another one, so that a post has at least one request. Raises InputError for a mistake in the texts, and
    for a language without texts.

    :param out: folder to write
    :param texts: YAML: by language `says`, a list, and `opens` and `asks`, lists of `polite` and `rude` ones
    :param languages: codes, such as hi; without English, although some posts are in English
    :param pages: number of pages of each language
    """
    content = read_languages(texts)
    posts = {language: _posts(fragments, language, texts) for language, fragments in content.items()}
    if missing := [language for language in (ENGLISH, *languages) if language not in posts]:
        raise InputError(f"no texts in {', '.join(missing)}", path=texts)
    for language in languages:
        rng = random.Random(f"talk {language} {seed}")
        document = "\n".join(_document(language, posts, pages, rng)) + "\n"
        with writing(out / f"{language}wiki-pages-meta-current.xml.bz2", binary=True) as stream:
            stream.write(bz2.compress(document.encode()))


def _posts(fragments: Any, language: str, path: Path) -> list[str]:
    """All possible posts of a language: a sentence and a question."""
    try:
        opens, asks = (
            [text for manner in ("polite", "rude") for text in fragments[field][manner]]
            for field in ("opens", "asks")
        )
        # In the texts a question follows a semicolon; here it is a separate sentence.
        return [
            f"{opening} {topic}. {question[:1].upper()}{question[1:]}"
            for opening, topic, question in product(
                opens, fragments["says"], (ask.lstrip("; ") for ask in asks)
            )
        ]
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{language}: not of the expected form", path=path) from None


def _document(language: str, posts: dict[str, list[str]], pages: int, rng: random.Random) -> list[str]:
    rows = [
        f'<mediawiki xmlns="{SCHEMA}" version="0.11" xml:lang="{language}">',
        f"  <siteinfo>\n    <sitename>Demo</sitename>\n    <dbname>{language}wiki</dbname>\n  </siteinfo>",
    ]
    for number in range(1, pages + 1):
        space = ARTICLE if number % 4 == 0 else USER_TALK
        title = f"User talk:Editor {number}" if space == USER_TALK else f"Article {number}"
        drawn = [posts[ENGLISH if rng.random() < FOREIGN else language] for _ in range(POSTS)]
        text = "{{Welcome|user={{PAGENAME}}}}\n== Talk ==\n" + "\n".join(
            _post(rng.choice(choices), place, rng) for place, choices in enumerate(drawn)
        )
        rows += [
            f"  <page>\n    <title>{title}</title>\n    <ns>{space}</ns>\n    <id>{number}</id>",
            f"    <revision>\n      <id>{number}</id>\n      <timestamp>2020-01-01T00:00:00Z</timestamp>",
            f'      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>',
            "    </revision>\n  </page>",
        ]
    return [*rows, "</mediawiki>"]


def _post(text: str, place: int, rng: random.Random) -> str:
    """The wikitext of a post: indented, with a link, and signed."""
    first, _, rest = text.partition(" ")
    shown = rng.choice([text, f"[[Page|{first}]] {rest}", f"''{first}'' {rest}<!-- seen -->"])
    name = f"Editor {rng.randrange(99)}"
    signed = f"--[[User:{name}|{name}]] ([[User talk:{name}|talk]]) 12:0{place}, 1 January 2020 (UTC)"
    return f"{':' * place}{shown} {signed}\n"


if __name__ == "__main__":
    run(talk)
