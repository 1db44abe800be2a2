"""The three kinds of folders keep to the rule of imports, read from the imports themselves."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.commands import COMMANDS, reachable, trainings
from tests.conftest import ROOT
from workflow_scripts.core.csv_files import read_rows

PACKAGE = "workflow_scripts"
LIBRARIES = {
    *("core", "config", "text", "seq2seq", "encoders", "statistics", "leaves", "figures"),
    *("progress", "prompting", "training", "wiring", "multiwoz", "language_models"),
}
STAGES = {
    *("corpora", "filtering", "translation", "formality", "fluency", "transfer", "unsupervised"),
    *("evaluation", "rewrites", "human", "politeness", "control", "dialogue", "report", "planning"),
    *("responders", "users"),
}
PAPERS = {
    f"papers.{row['paper'].replace('-', '_')}"
    for _, row in read_rows(ROOT / "resources" / "papers.csv", ("paper",))
}
# What a folder of each kind may import besides itself.
MAY = {**dict.fromkeys(LIBRARIES, LIBRARIES), **dict.fromkeys(STAGES, LIBRARIES)}
MAY |= dict.fromkeys(PAPERS, LIBRARIES | STAGES)


def folder_of(module: str) -> str:
    """The folder of a module, such as `core` or `papers.xformal`; the package itself is ''."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2]) if parts[:1] == ["papers"] else (parts or [""])[0]


def imported(source: str, module: str) -> set[str]:
    """The package's modules that a file imports, within functions too.

    A name that a package is asked for may be a module of it: both count, and a folder is the same.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            beginning = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*beginning, *([node.module] if node.module else [])])
            found |= {f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            found |= {word.value for word in node.args if isinstance(word, ast.Constant)}
    # The package's own file defines nothing but its version.
    known = (name for name in found if not name.endswith(".__version__"))
    return {name for name in known if name.split(".")[0] == PACKAGE and name != PACKAGE}


@cache
def arrows(root: Path = ROOT) -> dict[str, dict[str, set[str]]]:
    """Folder -> folder that it imports -> the files that do."""
    found: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    for path in sorted((root / PACKAGE).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        mine = folder_of(module)
        for name in imported(path.read_text(encoding="utf-8"), module):
            if folder_of(name) != mine:
                found[mine].setdefault(folder_of(name), set()).add(str(path.relative_to(root)))
    return found


def violations(found: dict[str, dict[str, set[str]]]) -> list[str]:
    """Every import that a folder of its kind may not make."""
    return [
        f"{', '.join(sorted(files))} imports {other}"
        for folder, others in found.items()
        for other, files in others.items()
        if other not in MAY.get(folder, set())
    ]


def cycles(found: dict[str, dict[str, set[str]]]) -> set[str]:
    """The folders that reach themselves over others."""

    def reached(folder: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(found.get(folder, ()))
        while waiting:
            if (other := waiting.pop()) not in seen:
                seen.add(other)
                waiting += found.get(other, ())
        return seen

    return {folder for folder in found if folder in reached(folder)}


def test_every_folder_is_of_one_kind():
    folders = {
        folder_of(".".join(path.relative_to(ROOT).parts[:-1])) for path in (ROOT / PACKAGE).rglob("*.py")
    }
    assert folders - {"", "papers"} == LIBRARIES | STAGES | PAPERS
    assert not LIBRARIES & STAGES
    # Nothing but the package's own file lies beside the folders.
    assert [path.name for path in (ROOT / PACKAGE).glob("*.py")] == ["__init__.py"]


def test_libraries_stages_and_papers_import_what_they_may():
    assert violations(arrows()) == []


def test_no_folder_imports_itself_over_others():
    assert cycles(arrows()) == set()


def test_the_picture_has_every_folder_above_those_that_it_imports():
    """Of docs/architecture.md: a line per layer."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(papers|stages|libraries): (.*)$", text, re.MULTILINE)
    assert [kind for kind, _ in lines] == ["papers", "stages", *["libraries"] * (len(lines) - 2)]
    layers = [PAPERS, *(set(names.split(", ")) for _, names in lines[1:])]
    assert [layers[0], layers[1], set().union(*layers[2:])] == [PAPERS, STAGES, LIBRARIES]
    at = {folder: number for number, layer in enumerate(layers) for folder in layer}
    assert not [(one, other) for one, others in arrows().items() for other in others if at[one] >= at[other]]


@pytest.mark.parametrize(
    ("folder", "source", "wrong"),
    [
        ("core", "from workflow_scripts.leaves import comparison", ""),
        ("core", "import workflow_scripts.corpora.yahoo", "corpora"),
        ("figures", "def draw():\n    from workflow_scripts.human import sheet", "human"),
        ("human", "from workflow_scripts.leaves.comparison import Cell", ""),
        ("human", "from ..evaluation import outputs", "evaluation"),
        ("human", "from workflow_scripts import evaluation", "evaluation"),
        ("human", "importlib.import_module('workflow_scripts.evaluation.outputs')", "evaluation"),
        ("report", "from workflow_scripts.papers.xformal.table7 import table7", "papers.xformal"),
        ("papers/xformal", "from workflow_scripts.human.scales import TASKS", ""),
        ("papers/xformal", "from workflow_scripts.papers.tydip import table3", "papers.tydip"),
        ("papers/xformal", "from workflow_scripts.papers.xformal import steps", ""),
    ],
)
def test_the_rule_finds_what_breaks_it(tmp_path, folder, source, wrong):
    path = tmp_path / PACKAGE / folder / "module.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    name = f"{PACKAGE}/{folder}/module.py"
    assert violations(arrows(tmp_path)) == ([f"{name} imports {wrong}"] if wrong else [])


def test_a_cycle_is_found():
    found = {"a": {"b": {"f"}}, "b": {"c": {"f"}}, "c": {"a": {"f"}}, "d": {"a": {"f"}}}
    assert cycles(found) == {"a", "b", "c"}


@pytest.mark.slow
def test_no_command_loads_torch_before_it_needs_it():
    modules = "".join(f"import {PACKAGE}.{command}\n" for command in COMMANDS)
    code = f"import sys\n{modules}sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_trainings_depend_on_no_leaf_and_on_their_own_settings_only():
    """So that another leaf, or another kind of system, trains nothing again."""
    own = {"config.systems.Noise"} | {
        f"config.{name}"
        for name in (
            "dialogue.NetworkSizes",
            "dialogue.RecurrentCourse",
            "style.DastCourse",
            "style.DastNetwork",
        )
    }
    of_others = (
        "leaves.",
        "papers.",
        "config.systems.",
        "config.dialogue.",
        "config.style.",
        "config.control.",
    )
    for command in trainings():
        assert {name for name in reachable(command) if name.startswith(of_others)} <= own, command
