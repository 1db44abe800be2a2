"""Names of files, rules, make targets, modules and settings in documents, comments and docstrings."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.commands import PACKAGE

ENDINGS = "csv|md|html|svg|png|txt|py|smk|yaml|json|in|sha256|xlsx|model|rst|tsv|cff"
PATH = re.compile(
    rf"\.?[\w{{}}$*-]+(?:\.[\w{{}}*-]+)*(?:/[\w{{}}$*.-]*)+|\.?[\w{{}}*-]+(?:\.[\w*-]+)*\.(?:{ENDINGS})|Snakefile|Makefile|LICENSE"
)
SETTING = re.compile(r"[a-z][a-z_0-9]*(?:\.[a-z_0-9]+)+")
# In a docstring: what another command wrote, or wants.
OF_COMMAND = re.compile(
    r"`?\b([a-z_0-9]+(?:\.[a-z_0-9]+)+)`?\s+(?:wrote|has\s+written|writes|wants|makes|made)\b"
)
FOLDERS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


@dataclass(frozen=True)
class Name:
    """Something that a document names."""

    document: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.kind} {self.text}"


def names_of(document: str, text: str) -> Iterator[Name]:
    """The names in the prose, the code blocks and the links of a document."""
    block: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            block = line[3:] if block is None else None
        elif block == "":
            # The first column of an overview of folders; fences with a language have output or code.
            for word in re.split(r"\s{2,}(?=\S)", line)[:-1]:
                yield from (Name(document, number, "path", path) for path in re.split(r",? +", word) if path)
        elif block == "bash" or (block is None and line.startswith("    ")):
            yield from _commanded(document, number, line.strip())
        elif block is None:
            yield from _written(document, number, line)


def comments_of(document: str, text: str) -> Iterator[Name]:
    """The names in the comments of a file that has `#` before them."""
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r"(?:^|\s)#+ (.*)", line)
        if comment and re.match(r"(snakemake|make|python) ", comment[1].strip()):
            yield from _commanded(document, number, comment[1].strip())
        elif comment:
            words = (word.strip("`(),;:{}") for word in comment[1].split())
            found = (word for word in words if PATH.fullmatch(word.rstrip(".")) and not word.startswith("/"))
            yield from (Name(document, number, "path", word.rstrip(".")) for word in found)
            yield from _rules(document, number, comment[1])


def docstrings_of(document: str, text: str) -> Iterator[Name]:
    """The modules and settings in the docstrings of a module."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        said = ast.get_docstring(node) or ""
        spans = [span for span in re.findall(r"`([^`]+)`", said) if SETTING.fullmatch(span)]
        named = [span for span in spans if span.split(".")[0] in FOLDERS and not PATH.fullmatch(span)]
        for found in [*named, *OF_COMMAND.findall(said)]:
            yield Name(document, getattr(node, "lineno", 1), "setting or module", found)


def _written(document: str, number: int, line: str) -> Iterator[Name]:
    for target in re.findall(r"\]\(([^)\s]+)\)", line):
        if not target.startswith("http"):
            yield Name(document, number, "link", target)
    yield from _rules(document, number, line)
    for span in re.findall(r"`([^`]+)`", line):
        if re.match(r"(make|snakemake|python) ", span):
            yield from _commanded(document, number, span)
        elif PATH.fullmatch(span):
            yield Name(document, number, "path", span)
        elif SETTING.fullmatch(span):
            yield Name(document, number, "setting or module", span)


def _rules(document: str, number: int, line: str) -> Iterator[Name]:
    """`the rule x` and `rules x and y`, in backticks."""
    for listed in re.findall(r"\brules? ((?:`\w+`(?:, | and )?)+)", line):
        yield from (
            Name(document, number, "rule", name) for name in re.findall(r"\w+", listed) if name != "and"
        )


def _commanded(document: str, number: int, line: str) -> Iterator[Name]:
    """What a line of shell runs, reads and makes."""
    for command in re.split(r"; |\bdo |&&", line):
        words = command.split()
        if words[:1] == ["make"]:
            for word in words[1:]:
                if "=" not in word and word.islower() and not word.startswith(("-", ".")):
                    yield Name(document, number, "path" if "/" in word else "make target", word)
        elif words[:1] == ["python"]:
            if words[1:2] == ["-m"]:
                yield Name(document, number, "module", words[2])
            elif words[1:]:
                yield Name(document, number, "path", words[1])
        elif words[:1] == ["snakemake"]:
            yield from _snakemake(document, number, words[1:])
        else:
            found = (word.strip("<>\"'\\") for word in words)
            yield from (Name(document, number, "path", word) for word in found if PATH.fullmatch(word))


def _snakemake(document: str, number: int, words: list[str]) -> Iterator[Name]:
    option = ""
    for word in words:
        if word == "--":
            option = "--"
        elif word.startswith("-"):
            option = word
        elif option in ("--cores", "--config", "--jobs"):
            # Of values with spaces only `--` is the end.
            option = "" if option == "--cores" else option
        elif PATH.fullmatch(word):
            yield Name(document, number, "path", word)
        elif option in ("", "--") and word.isidentifier() and word.islower():
            yield Name(document, number, "rule", word)
