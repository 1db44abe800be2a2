"""Every command that documents show is run by a step of CI or by a test, or tried here without its work.

Snakemake plans what it is asked for, make lists the commands of its targets, modules read their options.
"""

import ast
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import defopt
import pytest

from tests.conftest import ROOT
from tests.shown import DOCUMENTS, WALKED, Shown, blocks, commands, commented, data, everything
from tests.workflow import tiny

# A test runs them at smaller sizes; it has each of their words.
TESTED = {
    "snakemake --report report.html results/table7.csv": (
        "tests/workflow/test_table7.py::test_snakemake_makes_its_own_report"
    ),
    'snakemake --cores 8 --config report="{papers: [xformal, pt16, tydip, cocoa-mt, impolite]}"'
    " -- results/index.html": "tests/workflow/test_page.py",
    "pip install snakemake pydantic": "tests/workflow/test_snakemake_alone.py",
}
# Nobody runs them, and why.
NOT_RUN = {
    "sha256sum en-fr.tar.gz": "a file that its authors gave the reader",
    "scontrol show config": "asks the reader's cluster",
    "llama-server -m models/llm.gguf --port 8080": "a server of the reader",
    "llama-server -m models/llm.gguf --port 8080 --ctx-size 16384 --parallel 4": "a server of the reader",
    "ollama pull qwen2.5:7b": "a server of the reader",
    "vllm serve Qwen/Qwen2.5-7B-Instruct --port 8000 --generation-config vllm": "a server of the reader",
}
# Blocks that are neither commands nor settings.
CODE = {"use rule * from tuvous as tuvous_*": "a Snakefile of the reader"}
# What the reader has put there before a command.
FILES = {
    **{f"runs/mine/{users}.json": "{}" for users in ("polite", "impolite")},
    **{f"runs/mine/ko-2023.{level}.txt": "" for level in ("formal", "informal")},
    # Of Table 7 in the checkout.
    **{f"build/evaluation/{lang}/scores.csv": "" for lang in ("pt", "it", "fr")},
}
# The settings that blocks of this document write; commands below these blocks read them.
LANGUAGE_MODELS = "docs/language-models.md"
Plan = tuple[tuple[str, ...], frozenset[str]]


def held(shown: Shown) -> str:
    """In which way a command is held; empty if in none."""
    if shown.text in TESTED:
        return "test"
    if shown.text in NOT_RUN:
        return "not run"
    if shown.place == "bash":
        return {WALKED: "walk", **dict.fromkeys(run_by_ci(), "ci")}.get(shown.document, "")
    program = shown.words()[0]
    if program in ("snakemake", "make", "pytest"):
        return program
    return "python" if file_of(shown.text) else ""


@cache
def every(way: str) -> list[str]:
    """The commands that are held in one way, each once."""
    return list(dict.fromkeys(shown.text for shown in everything() if held(shown) == way))


@cache
def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def run_by_ci() -> tuple[str, ...]:
    """The documents whose blocks of bash `.ci/run` runs as one script, in its order."""
    (listed,) = re.findall(r"^documents=\((.*?)\)", read(".ci/run"), flags=re.MULTILINE | re.DOTALL)
    return tuple(listed.split())


@cache
def recipe(text: str) -> list[str]:
    """The commands that make would run in the environment, and that it has the variables that are set."""
    words = shlex.split(text)
    unused = [name for name in re.findall(r"(?:^|\s)([A-Z]+)=", text) if f"$({name})" not in read("Makefile")]
    assert not unused, f"the Makefile has no {', '.join(unused)}"
    clean = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run([words[0], "-n", *words[1:]], cwd=ROOT, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [
        line.partition(".venv/bin/")[2] for line in lines if re.match(r"([A-Z_]+=\S+ )*\.venv/bin/", line)
    ]


@cache
def plan(text: str) -> Plan:
    """What is asked of Snakemake: the options that say how, in one order, and the targets."""
    # Takes a second, which most tests can do without.
    from snakemake.cli import get_argument_parser

    given = vars(get_argument_parser().parse_args(shlex.split(text)[1:]))
    options = [f"--{name}" for name in ("unlock", "lint") if given[name]]
    for name in ("workflow_profile", "directory", "configfile", "config"):
        values = given[name] if isinstance(given[name], list) else [given[name]]
        values = [str(value) for value in values if value]
        options += [f"--{name.replace('_', '-')}", *values] if values else []
    return tuple(options), frozenset(given["targets"] or ["all"])


def problem_of(folder: Path, options: tuple[str, ...], targets: dict[str, str]) -> str:
    """What Snakemake says against a plan, whose targets have the commands that ask for them."""
    if "--lint" in options:
        return ""
    words = options if "--unlock" in options else ("-n", "--quiet", "rules", *options, "--", *targets)
    done = tiny.snakemake(folder, *words)
    said = f"{' '.join(dict.fromkeys(targets.values()))}\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
    return said if done.returncode else ""


def file_of(text: str) -> str:
    """The file that `python FILE` or `python -m MODULE` calls, '' if it is none of this project."""
    match shlex.split(text):
        case ["python", "-m", module, *_] if module.startswith("workflow_scripts."):
            return f"{module.replace('.', '/')}.py"
        case ["python", script, *_] if script.startswith("bench/"):
            return script
    return ""


def reads_options(text: str) -> bool:
    """Whether the options of a command are made of a signature, so that they are read before all else."""
    path = file_of(text)
    return bool(path) and re.search(r"^    run\(", read(path), flags=re.MULTILINE) is not None


def bind(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a module read its options, and do nothing then; SystemExit if it does not know them."""
    bound = defopt.bind
    monkeypatch.setattr(defopt, "bind", lambda *given, **how: bound(*given, **how) and (lambda: None))
    words = shlex.split(text)
    monkeypatch.setattr(sys, "argv", [file_of(text), *words[3 if words[1] == "-m" else 2 :]])
    monkeypatch.syspath_prepend(ROOT / "bench")
    runpy.run_path(str(ROOT / file_of(text)), run_name="__main__")


def written(document: str) -> dict[str, str]:
    """The files that the blocks of bash of a document write, each between `<<'END'` and `END`."""
    return dict(re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END$", read(document), re.MULTILINE | re.DOTALL))


def test_every_command_is_held():
    unknown = [str(shown) for shown in everything() if not held(shown)]
    assert not unknown, "neither run nor tried; try it, or say in NOT_RUN why not:\n" + "\n".join(unknown)


def test_every_entry_is_still_shown():
    shown = {shown.text for shown in everything()}
    assert sorted((TESTED.keys() | NOT_RUN.keys()) - shown) == []
    assert sorted(TESTED.keys() & NOT_RUN.keys()) == []
    first = {block.lines[0].strip() for document in DOCUMENTS for block in blocks(read(document))}
    assert sorted(CODE.keys() - first) == []


def test_indented_blocks_are_commands_or_data():
    wrong = [
        f"{document}:{block.line}: {block.lines[0].strip()}"
        for document in DOCUMENTS
        for block in blocks(read(document))
        if block.place == "indented" and block.lines[0].strip() not in CODE
        if not data(block) and block.line not in {shown.line for shown in commands(document, read(document))}
    ]
    assert not wrong, "begin with no program of tests/shown.py, and are no settings:\n" + "\n".join(wrong)


@pytest.mark.parametrize("text", TESTED)
def test_the_test_of_a_command_has_its_words(text):
    path, _, name = TESTED[text].partition("::")
    source = read(path)
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            source = ast.get_source_segment(source, node) or ""
    assert not name or source.startswith(f"def {name}("), f"{path} has no {name}"
    words = re.sub(r" (--cores \d+|--)(?= )", "", text)
    assert [word for word in shlex.split(words)[1:] if word not in source] == []


def test_ci_runs_the_blocks_of_its_documents():
    listed, taken = re.findall(
        r"^(?:documents=\([^)]*\)|awk .*documents\[@\]\}\")", read(".ci/run"), flags=re.MULTILINE
    )
    done = subprocess.run(
        ["bash", "-c", f"{listed}\n{taken}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [
        line
        for document in run_by_ci()
        for block in blocks(read(document))
        if block.place == "bash"
        for line in block.lines
    ]
    assert lines == done.stdout.splitlines()
    shown = {shown.document for shown in everything() if shown.place == "bash"}
    assert shown == {*run_by_ci(), WALKED}


def test_overlays_are_named_without_the_file_that_is_always_read():
    assert [str(shown) for shown in everything() if "config.yaml" in shown.words()] == []


def test_walk_throughs_are_done():
    done = {
        heading
        for path in ROOT.glob("tests/workflow/test_extending*.py")
        for heading in re.findall(
            r'(?:\bdo\(|\brules_of\(|\bsteps\(DOCUMENT, )"([^"]+)"[,)]', path.read_text()
        )
    }
    assert {shown.heading for shown in everything() if held(shown) == "walk"} == done


@pytest.mark.parametrize("text", every("make"))
def test_make_knows(text, monkeypatch):
    for command in recipe(text):
        if command.startswith("snakemake "):
            plan(command)
        elif reads_options(command):
            bind(command, monkeypatch)


@pytest.mark.parametrize("text", every("python"))
def test_modules_read(text, monkeypatch):
    assert reads_options(text)
    bind(text, monkeypatch)


@pytest.mark.parametrize("text", every("pytest"))
def test_pytest_has_what_is_asked_for(text):
    texts = [read(text.split()[-1]), read("tests/conftest.py")]
    names = re.findall(r"([A-Z_]+)=", text)
    assert names and all(any(name in text for text in texts) for name in names)


@pytest.mark.slow
def test_snakemake_plans(tmp_path):
    """Commands with the same settings are one plan."""
    tiny.copy_sources(tmp_path)
    for name, content in {**FILES, **written(LANGUAGE_MODELS)}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    recipes = [command for text in every("make") for command in recipe(text)]
    texts = [text for text in (*every("snakemake"), *recipes) if text.startswith("snakemake ")]
    run = {plan(text) for way in ("ci", "walk") for text in every(way) if text.startswith("snakemake ")}
    asked: defaultdict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for text in texts:
        options, targets = plan(text)
        if (options, targets) not in run:
            asked[options] |= dict.fromkeys(targets, text)
    wrong = [
        problem for options, targets in asked.items() if (problem := problem_of(tmp_path, options, targets))
    ]
    assert not wrong, "\n".join(wrong)
    assert "results/nothing.csv" in problem_of(
        tmp_path, (), {"results/nothing.csv": "what no document shows"}
    )


SAMPLE = """# One

Call `make
one` or `make`; `snakemake-x y` and `python: z` are no commands.

    snakemake --cores 8 \\
        two
    {a: 1}

```bash
make three
mkdir four
```

```console
$ curl five
```

```
Makefile   what `make six` reads
git seven
```
"""
SHOWN = [
    *((3, "make one"), (6, "snakemake --cores 8 two"), (11, "make three"), (12, "mkdir four")),
    *((16, "curl five"), (20, "make six"), (21, "git seven")),
]


def test_commands_are_found_wherever_they_stand():
    found = list(commands("docs/x.md", SAMPLE))
    assert sorted((shown.line, shown.text) for shown in found) == SHOWN
    # A block of bash in a document that neither CI nor a test walks through, and programs from elsewhere.
    unheld = ["make three", "mkdir four", "curl five", "git seven"]
    assert [shown.text for shown in found if not held(shown)] == unheld
    settings = "# snakemake one\nkey: 1  # or so: make two\n# make: three\nmake four\n"
    assert [shown.text for shown in commented("x.yaml", settings)] == ["snakemake one", "make two"]


@pytest.mark.parametrize("text", ["make nothing", "make plan TRAGET=results/table7.csv"])
def test_make_does_not_know(text):
    with pytest.raises(AssertionError, match=r"nothing|TRAGET"):
        recipe(text)


@pytest.mark.parametrize("text", ["measure", "measure a.log a.csv --seconds 3"])
def test_modules_refuse(text, monkeypatch):
    with pytest.raises(SystemExit):
        bind(f"python -m workflow_scripts.progress.{text}", monkeypatch)


def test_snakemake_refuses():
    with pytest.raises(SystemExit):
        plan("snakemake --corse 8 tydip")
