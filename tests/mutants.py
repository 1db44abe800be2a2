"""Mutation of the numeric core: small changes, one at a time, which a test of the module has to notice.

    python -m tests.mutants [--only PATTERN | --sample COUNT [--seed SEED]] [MODULE ...]

mutmut makes the changes in a copy of the project, `build/mutants/MODULE`, and runs the tests that call what
was changed, the shortest first; what it has found stays there, so that a run that was stopped goes on. What
it lets live is tried once more with whole files of tests, in a process of its own. Prints a line per module
and every survivor that tests/mutants.csv does not set aside as equivalent; exit code 1 if less than the share
`WANTED` of the rest is noticed, or a row of that table is no survivor any more. A pattern chooses changes by
mutmut's names, and these are tried anew. Where all of a module take hours, `--sample` draws some of them by a
seed: the same changes each time, as long as the code is the same.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("mutants.csv")
WANTED = 0.95
ALL = "*"
# Tests of leaves that stand beside those of the stage behind them.
OF_LEAVES = (
    "tests/corpora/test_tydip_requests.py",
    "tests/evaluation/test_evaluate.py",
    "tests/formality/test_ratings.py",
    "tests/human/test_dialogues.py",
    "tests/human/test_workers.py",
    "tests/politeness/test_readers.py",
    "tests/rewrites/test_sheets.py",
    "tests/statistics/test_agreement.py",
)
# Leaves whose decorated function stands in another function.
NESTED = ("cocoa_mt/accuracies.py", "cocoa_mt/upsampling.py")
# The test that all trainings share.
CONTRACT = "tests/training/test_every_training.py"
# Module -> what is changed, and the tests that belong to it.
MODULES = {
    "statistics": (["statistics/*"], ["tests/statistics"]),
    "leaves": (["leaves/*"], ["tests/leaves"]),
    "control": (["control/*"], ["tests/control"]),
    "corpora": (["corpora/*"], ["tests/corpora", "tests/politeness/test_raters.py"]),
    "dialogue": (["dialogue/*"], ["tests/dialogue"]),
    "language_models": (
        ["language_models/*"],
        ["tests/language_models", "tests/responders", "tests/users", CONTRACT],
    ),
    "multiwoz": (["multiwoz/*"], ["tests/multiwoz", "tests/dialogue", "tests/responders"]),
    "responders": (["responders/*"], ["tests/responders", "tests/language_models", CONTRACT]),
    "users": (["users/*"], ["tests/users", "tests/language_models", CONTRACT]),
    "encoders": (["encoders/*"], ["tests/encoders", CONTRACT]),
    "human": (["human/*"], ["tests/human"]),
    "papers": (["papers/*"], ["tests/papers", *OF_LEAVES]),
    "politeness": (["politeness/*"], ["tests/politeness"]),
    "prompting": (["prompting/*"], ["tests/prompting"]),
    "edits": (["rewrites/edits.py"], ["tests/rewrites/test_edits.py"]),
    "loss": (["unsupervised/loss.py"], ["tests/unsupervised/test_loss.py"]),
    "seq2seq": (["seq2seq/*"], ["tests/seq2seq", CONTRACT]),
    "training": (["training/*"], ["tests/training"]),
}
# What a test needs beside the package and the tests.
FILES = ("config", "docs", "envs", "resources", "rules", "config.yaml", "Makefile", "Snakefile")
# Lines that are not changed: what is said, and how large a figure is drawn, not what is computed.
SAID = [
    *(r"raise ", r"InputError\(", r"progress\(", r"print\(", r'^\s*f?"[^"]* [^"]*",?$', r"^\s*fix ?= ?"),
    r"figsize=",
]
# Exit codes of pytest under a change, and of mutmut, that mean that nobody noticed it.
SURVIVED = {0, 5, 33}
# What mutmut has measured, in the folder in which it runs the tests.
MEASURED = Path("mutmut-stats.json")
# From how many seconds on a test is long, and very long.
LONG = (0.2, 1.0)


@dataclass(frozen=True, order=True)
class Mutant:
    """A change: the function, the line as it was and as it became."""

    function: str
    before: str
    after: str


def prepare(module: str) -> Path:
    """The copy of the project in which mutmut works, with its settings."""
    folder = ROOT / "build" / "mutants" / module
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("workflow_scripts", "tests", *FILES):
        if (ROOT / name).is_dir():
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, folder / name)
    for path in folder.glob("workflow_scripts/papers/*/*.py"):
        path.write_text(undecorated(path), encoding="utf-8")
    changed, tests = MODULES[module]
    settings = {
        "source_paths": ["workflow_scripts"],
        "only_mutate": [f"workflow_scripts/{pattern}" for pattern in changed],
        "also_copy": list(FILES),
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-p", "tests.mutants", "--timeout=0"],
        "do_not_mutate_patterns": SAID,
        "use_git_change_detection": False,
    }
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(f"{project}\n[tool.mutmut]\n{text}", encoding="utf-8")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the shortest tests first, once mutmut has measured them: most changes are noticed by one of those.

    Only three classes are told apart, since tests of one file share what they set up.
    """
    if not MEASURED.exists():
        return
    seconds = json.loads(MEASURED.read_text(encoding="utf-8"))["duration_by_test"]
    items.sort(key=lambda item: bisect(LONG, seconds.get(item.nodeid, 0.0)))


def results(folder: Path) -> dict[str, int | None]:
    """The exit code of each change, by mutmut's name for it; None if it was not tried."""
    return {
        name: code
        for path in sorted((folder / "mutants").rglob("*.meta"))
        for name, code in json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"].items()
    }


def undecorated(path: Path) -> str:
    """A module of a paper; if it is a leaf, with a command that is made at its end by calling the decorator.

    mutmut leaves functions with decorators alone. Raises ValueError if a leaf is not of this form and is not
    in `NESTED`.
    """
    text = path.read_text(encoding="utf-8")
    form = r"(?ms)^@leaf(\([^\n]*\))\n(def (\w+)\(.*)(?=^if __name__)"
    text = re.sub(form, r"\2\3 = leaf\1(\3)\n\n\n", text)
    if "@leaf(" in text and not path.as_posix().endswith(NESTED):
        raise ValueError(
            f"{path}: @leaf(...) is not one line above the function that is the module's command"
        )
    return text


def shown(folder: Path, name: str) -> Mutant:
    """What a change is."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name], cwd=folder, capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stdout.splitlines() if not line.startswith(("---", "+++"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in ("-", "+")
    )
    function = name.removeprefix("workflow_scripts.").partition("__mutmut_")[0]
    return Mutant(function.replace(".xǁ", ".").replace("ǁ", ".").replace(".x_", "."), before, after)


def is_noticed(folder: Path, name: str) -> bool:
    """Whether a change that mutmut let live is noticed by all tests of the files whose tests reach it.

    mutmut runs only the tests that have called the function: of those that share a fixture, the first.
    """
    stats = json.loads((folder / "mutants" / MEASURED).read_text(encoding="utf-8"))
    tests = stats["tests_by_mangled_function_name"].get(name.rpartition("__mutmut_")[0], [])
    files = sorted({test.partition("::")[0] for test in tests})
    if not files:
        return False
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "MUTANT_UNDER_TEST": name}
    done = subprocess.run(command, cwd=folder / "mutants", env=environment, capture_output=True)
    return done.returncode == pytest.ExitCode.TESTS_FAILED


def set_aside() -> dict[Mutant, str]:
    """The changes that change nothing that can be seen, each with the reason.

    A function without a line stands for all of its changes.
    """
    with EQUIVALENT.open(encoding="utf-8", newline="") as stream:
        return {
            Mutant(row["function"], row["before"], row["after"]): row["reason"]
            for row in csv.DictReader(stream)
        }


def is_asserted(mutant: Mutant) -> bool:
    """Whether only `strict=` of a `zip` differs: like `raise`, it says what holds and computes nothing."""
    before, after = (
        re.sub(r", (strict=(True|False|None))?(?=\))", "", line) for line in (mutant.before, mutant.after)
    )
    return before == after


def mutmut(folder: Path, chosen: list[str]) -> int:
    """Try some changes, given by their names or by patterns, or all; mutmut's exit code."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *chosen]
    with (folder / "log.txt").open("w", encoding="utf-8") as log:
        return subprocess.run(command, cwd=folder, stdout=log, stderr=log).returncode


def drawn(folder: Path, count: int, seed: int) -> list[str]:
    """Names of changes, drawn without replacement from all of a module; all if it has fewer."""
    # A name that no change has: mutmut writes all changes, runs the tests once, and ends.
    mutmut(folder, ["none"])
    names = sorted(results(folder))
    return sorted(Random(seed).sample(names, min(count, len(names))))


def problems(module: str, asked: argparse.Namespace) -> Iterator[str]:
    """Try the changes of a module that are asked for, print its line of the table; say what is wrong."""
    folder = prepare(module)
    chosen = [] if asked.only == ALL else [asked.only]
    if asked.sample:
        chosen = drawn(folder, asked.sample, asked.seed)
    code = mutmut(folder, chosen)
    found = {
        name: result
        for name, result in results(folder).items()
        if not chosen or any(fnmatch(name, pattern) for pattern in chosen)
    }
    tried = {name: result for name, result in found.items() if result is not None}
    if code or not tried:
        yield f"{module}: mutmut failed (exit code {code}): read {folder / 'log.txt'}"
    equivalent = set_aside()
    living = {name: shown(folder, name) for name, code in tried.items() if code in SURVIVED}
    aside_of = {one: one if one in equivalent else Mutant(one.function, "", "") for one in living.values()}
    is_aside = {one: named in equivalent or is_asserted(one) for one, named in aside_of.items()}
    alive = [one for name, one in living.items() if is_aside[one] or not is_noticed(folder, name)]
    rest = [mutant for mutant in alive if not is_aside[mutant]]
    killed, aside = len(tried) - len(alive), len(alive) - len(rest)
    share = killed / max(1, len(tried) - aside)
    print(f"{module}: {len(tried)} mutants, {killed} killed, {aside} equivalent, {share:.1%}", flush=True)
    for mutant in sorted(rest):
        print(f"  lives: {mutant.function}\n    - {mutant.before}\n    + {mutant.after}", flush=True)
    if len(tried) < len(found):
        yield f"{module}: {len(found) - len(tried)} mutants were not tried"
        return
    if share < WANTED:
        yield f"{module}: {share:.1%} noticed, less than {WANTED:.0%}"
    if chosen:
        return
    modules = {name.removeprefix("workflow_scripts.").rpartition(".")[0] for name in found}
    for mutant in sorted(equivalent.keys() - {aside_of[one] for one in alive}):
        if any(mutant.function.startswith(f"{start}.") for start in modules):
            yield f"{EQUIVALENT.name}: no survivor: {mutant.function}: {mutant.after}"


def main() -> int:
    """Try the changes of some modules, or of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--only", default=ALL, help="pattern of mutmut's names of changes")
    parser.add_argument("--sample", type=int, help="how many changes of each module are drawn; default: all")
    parser.add_argument("--seed", type=int, default=0, help="of the draw; default: 0")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}; default: all")
    asked = parser.parse_args()
    if unknown := set(asked.modules) - MODULES.keys():
        parser.error(f"no module {', '.join(sorted(unknown))}")
    found = [problem for module in asked.modules or MODULES for problem in problems(module, asked)]
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
