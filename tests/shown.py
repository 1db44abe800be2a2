"""The commands that documents show in code blocks and in backticks, and settings in comments."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from tests.conftest import ROOT

DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "results/README.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")),
]
# Its blocks and replacements are done, and its commands run, by tests/workflow/test_extending*.py.
WALKED = "docs/extending.md"
# Only the comments of these are read.
SETTINGS = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.yaml", "config/*.yaml", "profiles/*/*.yaml")
    for path in ROOT.glob(pattern)
)
# What a command begins with where text may stand as well.
PROGRAMS = (
    *("snakemake", "make", "python", "python3", "pip", "pytest", "mypy", "ruff", "uv", "conda"),
    *("git", "bash", "sh", "nohup", "curl", "wget", "docker", "apt", "apt-get", "sha256sum"),
    *("sbatch", "squeue", "scancel", "scontrol", "sacct", "srun", "qsub", "bsub"),
    *("llama-server", "ollama", "vllm"),
)
COMMAND = re.compile(rf"(?:[A-Z][A-Z0-9_]*=\S+ +)*(?:{'|'.join(PROGRAMS)}) +[^\s:=].*")
# Languages of fences in which every line is a command.
SHELLS = ("bash", "sh", "shell", "console")


@dataclass(frozen=True)
class Shown:
    """A command, on one line, and where it stands: the document, the line, the heading, and in what."""

    document: str
    line: int
    heading: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.text}"

    def words(self) -> list[str]:
        """The words of the command, without the variables before it."""
        words = shlex.split(self.text)
        while re.fullmatch(r"[A-Z][A-Z0-9_]*=.*", words[0]):
            del words[0]
        return words

    def variables(self) -> list[str]:
        """The names of the variables before the command."""
        return re.findall(r"(?:^|\s)([A-Z][A-Z0-9_]*)=", self.text.partition(self.words()[0])[0])


@dataclass(frozen=True)
class Block:
    """Lines of code: `place` is the language of the fence, or `indented`."""

    line: int
    heading: str
    place: str
    lines: list[str]


def blocks(text: str) -> Iterator[Block]:
    """The blocks of code of a document, and its paragraphs, whose place is `text`."""
    heading, fence, start = "", "", 1
    kept: list[str] = []
    place = "text"
    for number, line in enumerate([*text.splitlines(), ""], 1):
        marked = re.match(r" *(```+) *(\w*)", line)
        if marked and (not fence or marked[1] == fence):
            if kept:
                yield Block(start, heading, place, kept)
            fence, place = ("", "text") if fence else (marked[1], marked[2] or "fence")
            kept, start = [], number + 1
            continue
        if not fence and (
            not line.strip() or line.startswith("#") or (place == "indented") > line.startswith("    ")
        ):
            if kept:
                yield Block(start, heading, place, kept)
            kept, place = [], "text"
            heading = line.lstrip("# ") if line.startswith("#") else heading
        if fence or line.strip():
            if not kept:
                start = number
                place = "indented" if not fence and line.startswith("    ") else place
            kept.append(line)


def commands(document: str, text: str) -> Iterator[Shown]:
    """The commands of a document in Markdown."""
    for block in blocks(text):
        if block.place in ("text", "fence"):
            paragraph = "\n".join(block.lines)
            for span in re.finditer(r"(`+)(.+?)\1", paragraph, re.DOTALL):
                line = block.line + paragraph.count("\n", 0, span.start())
                said = " ".join(span[2].split())
                if COMMAND.fullmatch(said):
                    yield Shown(document, line, block.heading, block.place, said)
        if block.place != "text":
            for line, said in _joined(block):
                if COMMAND.fullmatch(said) or block.place in SHELLS:
                    yield Shown(document, line, block.heading, block.place, said)


def _joined(block: Block) -> Iterator[tuple[int, str]]:
    """The numbered lines of a block, without prompts; a backslash joins a line and the next."""
    said, start = "", block.line
    for number, line in enumerate(block.lines, block.line):
        start = start if said else number
        said = f"{said} {line.strip()}".strip()
        if said.endswith("\\"):
            said = said[:-1].rstrip()
        elif said:
            yield start, said.removeprefix("$ ")
            said = ""


def commented(document: str, text: str) -> Iterator[Shown]:
    """The commands that are a comment of their own, or the end of one after a colon."""
    for number, line in enumerate(text.splitlines(), 1):
        for comment in re.findall(r"(?:^|\s)#+ +(.*)", line):
            found = (COMMAND.fullmatch(part.strip()) for part in (comment, comment.rpartition(": ")[2]))
            if said := next(filter(None, found), None):
                yield Shown(document, number, "", "comment", said[0])


def data(block: Block) -> bool:
    """Whether a block is settings or JSON, which no one could type at a prompt."""
    try:
        return isinstance(yaml.safe_load("\n".join(block.lines)), dict | list)
    except yaml.YAMLError:
        return False


def everything() -> list[Shown]:
    """All commands of all documents and settings."""
    return [
        shown
        for read, documents in ((commands, DOCUMENTS), (commented, SETTINGS))
        for document in documents
        for shown in read(document, (ROOT / document).read_text(encoding="utf-8"))
    ]
