"""The campaign of hostile texts: markup, formulas, commands and control characters in displayed texts.

A text is put into a cell, a sentence or a label of what pages, sheets, figures and LaTeX are made of. What is
written must show it as text: no element, attribute or command of it, and the file stays well-formed.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

from tests.stress import mutations, running
from tests.stress.inputs import Case, judge, repair
from tests.stress.stages import Stage, clean
from tests.stress.table import Violation

# What hostile texts would make if they were not escaped.
NAME = "zz9"
TEXTS = (
    f"<{NAME} onclick=alert(1)>",
    f"</script><{NAME}>",
    f"</td></tr></table><{NAME}>",
    f'" onmouseover="{NAME}()" x="',
    f"' onfocus='{NAME}()' autofocus x='",
    f"<!-- <{NAME}",
    f"]]><{NAME}>",
    f"&lt;{NAME}&gt; &amp; &#60;{NAME}&#62; &{NAME};",
    f"{{{{ {NAME} }}}} {{% {NAME} %}} {{0}} {{{NAME}}}",
    f"\\{NAME}{{x}} \\input{{/etc/passwd}}",
    f"$\\frac{{$ {NAME}",
    f"$x^2$ $ % # & _ ^ ~ \\ {NAME}",
    f"{NAME} }} {{ }}{{ \\end{{tabular}}",
    f"\u202e{NAME}\u202c \u2066{NAME}",
    f"{NAME}\x01\x08\x0b\x1b[31m",
    f"{NAME}\u2028\u2029\x85\x0c",
    f"=1+1 {NAME}",
    f"-{NAME}",
    f"\ufeff{NAME}\u200b\ufffe",
    f"[[{NAME}]] **{NAME}** | {NAME} |",
    f"javascript:{NAME}() https://example.org/{NAME}.js",
    f"{NAME}" + "\u0301" * 200,
    f"{NAME}" * 2000,
    f'a\tb,c;d"e {NAME}',
)
# Commands that make something to look at, by the ending of what they write.
SHOWN = (".html", ".svg", ".tex")


class Page(HTMLParser):
    """What is in a page: elements and attributes that hostile texts would make, and elements left open."""

    VOID = frozenset({"meta", "link", "br", "img", "hr", "input", "wbr", "col", "source"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self._look(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another element")

    def _look(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == NAME:
            self.problems.append(f"an element <{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name == NAME:
                self.problems.append(f"an attribute {name} of <{tag}>")
            if name in ("href", "src", "xlink:href") and (value or "").strip().lower().startswith(
                "javascript:"
            ):
                self.problems.append(f"a link to a script in <{tag}>")


def problem_of_html(text: str, before: str) -> str | None:
    """What a text has made in a page."""
    page, undisturbed = Page(), Page()
    page.feed(text)
    page.close()
    undisturbed.feed(before)
    if page.problems:
        return page.problems[0]
    if page.open:
        return f"<{page.open[-1]}> is not closed"
    if page.scripts != undisturbed.scripts:
        return f"{page.scripts} scripts instead of {undisturbed.scripts}"
    if re.search(r"[\x00-\x08\x0b\x0e-\x1f]", text):
        return "a control character"
    return None


def problem_of_svg(text: str, before: str) -> str | None:
    """What a text has made in a figure."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return f"no XML: {error}"
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        if tag in (NAME, "script"):
            return f"an element <{tag}>"
        if any(name.startswith("on") for name in element.attrib):
            return f"an attribute of a script in <{tag}>"
    return None


def problem_of_tex(text: str, before: str) -> str | None:
    """What a text has made in a table for LaTeX."""
    if re.search(rf"\\{NAME}|\\input|\\end\{{tabular\}}.*\\end\{{tabular\}}", text, re.DOTALL):
        return "a command of the text"
    bare = re.sub(r"\\[\\$&%#_{}]", "", text)
    if bare.count("{") != bare.count("}"):
        return "braces do not match"
    if bare.count("$") % 2:
        return "a bare dollar"
    if re.search(r"[\x00-\x08\x0b-\x1f]", text):
        return "a control character"
    spec = re.search(r"\\begin\{tabular\}\{(.*)\}", text)
    body = text.partition("\\midrule")[2].partition("\\bottomrule")[0].strip().splitlines()
    if spec and body:
        count = len(re.sub(r"[pm]\{[^}]*\}", "l", spec[1]))
        for row in body:
            if (
                row.endswith("\\\\")
                and "multicolumn" not in row
                and len(re.findall(r"(?<!\\)&", row)) != count - 1
            ):
                return f"another number of cells: {row[:100]}"
    return None


CHECKS = {".html": problem_of_html, ".svg": problem_of_svg, ".tex": problem_of_tex}


def put_text(rng: Random, path: Path, text: str) -> str | None:
    """Put a text into cells of a CSV that are no numbers, values of JSON, or lines; say where."""
    data = path.read_text(encoding="utf-8")
    changed = None
    if path.suffix == ".csv":
        rows = list(csv.reader(io.StringIO(data, newline="")))
        cells = [
            (r, c)
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
            if r and re.search("[^\\W\\d]", cell)
        ]
        if not cells:
            return None
        row, column = rng.choice(cells)
        old = rows[row][column]
        # Everywhere, so that what belongs together still does.
        everywhere = rng.random() < 0.5
        for line in rows[1:]:
            if everywhere and len(line) > column and line[column] == old:
                line[column] = text
        rows[row][column] = text if rng.random() < 0.7 else f"{old} {text}"
        stream = io.StringIO(newline="")
        csv.writer(stream, lineterminator="\n").writerows(rows)
        changed = f"a cell of column {rows[0][min(column, len(rows[0]) - 1)]}"
        data = stream.getvalue()
    elif path.suffix == ".json":
        tree = json.loads(data)
        places = []

        def walk(node: object) -> None:
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):  # type: ignore[arg-type]
                if isinstance(value, str):
                    places.append((node, key))
                elif isinstance(value, (dict, list)):
                    walk(value)

        walk(tree)
        if not places:
            return None
        node, key = rng.choice(places)
        node[key] = text
        data, changed = json.dumps(tree), f"the value of {key}"
    elif path.suffix in (".txt", "") and not re.match(r"^-?[\d.]+(e-?\d+)?$", data.split("\n")[0]):
        rows = data.split("\n")
        at = rng.randrange(len(rows))
        rows[at] = text
        data, changed = "\n".join(rows), f"line {at + 1}"
    if changed:
        path.unlink()
        path.write_text(data, encoding="utf-8", newline="")
    return changed


def with_label(rng: Random, words: tuple[str, ...], text: str) -> tuple[str, ...] | None:
    """The arguments with a text in place of one label; None if there is none."""
    places = [at for at, word in enumerate(words) if word.startswith("--labels=")]
    for at, word in enumerate(words):
        if word == "--labels":
            end = next((n for n in range(at + 1, len(words)) if words[n].startswith("--")), len(words))
            places += range(at + 1, end)
    if not places or (text.startswith("-") and not words[places[0]].startswith("--")):
        return None
    at = rng.choice(places)
    return (*words[:at], ("--labels=" if words[at].startswith("--labels=") else "") + text, *words[at + 1 :])


def run_case(one: Stage, number: int, seed: int, keep: bool = False) -> tuple[Case, str | None, str]:
    """Put a text somewhere, run the command, and look at what it has written."""
    rng = Random(f"{seed}:texts:{one.name}:{number}")
    text = TEXTS[number % len(TEXTS)]
    words = with_label(rng, one.job.arguments, text) if rng.random() < 0.3 else None
    case = Case("", "")
    if words:
        case = Case("--labels", ascii(text)[:60])
    else:
        words = one.job.arguments
        candidates = [
            p for p in one.inputs if Path(p).suffix in (".csv", ".json", ".txt", "") and "benchmarks" not in p
        ]
        for path in rng.sample(candidates, len(candidates)):
            where = put_text(rng, one.folder / path, text)
            if where:
                case = Case(path, f"{ascii(text)[:60]} as {where}")
                break
            mutations.restore(one.originals / path, one.folder / path)
    done = running.run(one.job.module, words, one.folder, one.folder.parent / "log", seconds=one.limit)
    problem = judge(one, case, done)
    if done.code == 0 and not problem:
        for path in one.job.outputs:
            check = CHECKS.get(Path(path).suffix)
            if check and (
                found := check(_text(one.folder / path), _text(one.folder.parent / "result" / path))
            ):
                problem = f"{path}: {found}"
    if not keep:
        if case.path in one.before:
            repair(one, case)
        clean(one.folder, one.before, one.originals)
    return case, problem, done.errors


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def campaign(
    made: dict[str, Stage], count: int, seed: int, only: str = ""
) -> Iterator[tuple[Case, Violation | None]]:
    """Hostile texts through every command that makes something to look at, in turn."""
    shown = {name: one for name, one in made.items() if any(path.endswith(SHOWN) for path in one.job.outputs)}
    weights = {name: 1 / max(one.seconds, 0.5) for name, one in shown.items()}
    for name, one in shown.items():
        for number in range(max(1, round(count * weights[name] / sum(weights.values())))):
            if only and only != f"{name}#{number}":
                continue
            case, problem, errors = run_case(one, number, seed, keep=bool(only))
            found = None
            if problem:
                what = f"{case.damage}: {case.path}"
                found = Violation("texts", f"{name}#{number}", what, problem, errors[-2000:])
            yield case, found
