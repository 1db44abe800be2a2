from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from workflow_scripts import __version__
from workflow_scripts.core import provenance
from workflow_scripts.core.job_state import key_of
from workflow_scripts.core.reachability import Package

ROOT = Path(__file__).parents[2] / "workflow_scripts"
COMMANDS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in ROOT.rglob("*.py")
    if '\nif __name__ == "__main__":\n' in path.read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], set[str]]:
    """The commands whose digest an edit of a copy of this package changes."""
    copy = tmp_path_factory.mktemp("copy") / ROOT.name
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def digests() -> dict[str, str]:
        package = Package(copy)
        return {command: package.digest(command) for command in COMMANDS}

    before = digests()

    def changed(module: str, old: str, new: str) -> set[str]:
        path = copy / module
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is not in {module}, or more than once"
        path.write_text(text.replace(old, new), encoding="utf-8")
        after = digests()
        path.write_text(text, encoding="utf-8")
        return {command for command in COMMANDS if after[command] != before[command]}

    return changed


def reaching(name: str) -> set[str]:
    return {command for command in COMMANDS if name in provenance.reachable(command)}


def test_a_function_that_nothing_calls_changes_no_command(changed: Callable) -> None:
    start = "def read_lines("
    assert (
        changed("core/files.py", start, f"def unused() -> None:\n    raise OSError(lines)\n\n\n{start}")
        == set()
    )


def test_a_hint_changes_the_commands_that_can_give_it(changed: Callable) -> None:
    found = changed("core/errors.py", 'f"did you mean', 'f"perhaps')
    assert found == reaching("core.errors.nearest")
    assert {"human.sheet", "papers.xformal.table7"} <= found
    assert not found & {"seq2seq.train", "unsupervised.train", "formality.train", "transfer.rule_based"}
    assert len(found) < len(COMMANDS) / 3


def test_a_function_of_a_stage_changes_what_reaches_it(changed: Callable) -> None:
    assert changed("transfer/rules.py", "character * run in", "character * (run + 1) in") == {
        "transfer.rule_based"
    }
    assert changed("transfer/decode.py", "max(time.monotonic()", "min(time.monotonic()") == {
        "transfer.decode"
    }


def test_what_all_commands_do_changes_all(changed: Callable) -> None:
    assert changed("core/command.py", "sys.exit(130)", "sys.exit(131)") == set(COMMANDS)


def test_rules_and_unfinished_jobs_have_the_same_digest() -> None:
    assert key_of("transfer.rule_based", {}, (), targets=())["code"] == provenance.code_of(
        "transfer.rule_based"
    )


def test_an_unknown_module_is_a_bug() -> None:
    with pytest.raises(ValueError, match=r"no module workflow_scripts\.nowhere"):
        provenance.code_of("nowhere")


def test_one_version_everywhere() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["version"] == cited["version"] == __version__
