import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.commands import COMMANDS, reaching, trainings
from workflow_scripts import __version__
from workflow_scripts.core import provenance
from workflow_scripts.core.job_state import key_of
from workflow_scripts.core.reachability import Package

ROOT = Path(__file__).parents[2] / "workflow_scripts"


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
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


@pytest.mark.slow
def test_a_function_that_nothing_calls_changes_no_command(changed):
    start = "def read_lines("
    assert (
        changed("core/files.py", start, f"def unused() -> None:\n    raise OSError(lines)\n\n\n{start}")
        == set()
    )


@pytest.mark.slow
def test_a_hint_changes_the_commands_that_can_give_it(changed):
    found = changed("core/errors.py", 'f"known: ', 'f"words: ')
    assert found == reaching("core.errors.nearest")
    assert {"human.sheet", "papers.xformal.table7"} <= found
    assert not found & {*trainings(), "transfer.rule_based"}
    assert len(found) < len(COMMANDS) / 3


@pytest.mark.slow
def test_a_function_changes_what_reaches_it(changed):
    assert changed("transfer/rules.py", "character * run in", "character * (run + 1) in") == {
        "transfer.rule_based"
    }
    assert changed("seq2seq/decoding.py", "max(time.monotonic()", "min(time.monotonic()") == {
        "control.decode",
        "transfer.decode",
    }


@pytest.mark.slow
def test_what_all_commands_do_changes_all(changed):
    # One command runs before any package is installed.
    every = set(COMMANDS) - {"progress.install"}
    assert changed("core/command.py", "sys.exit(130)", "sys.exit(131)") == every


def test_rules_and_unfinished_jobs_have_the_same_digest():
    assert key_of("transfer.rule_based", {}, (), targets=())["code"] == provenance.code_of(
        "transfer.rule_based"
    )


def test_an_unknown_module_is_a_bug():
    with pytest.raises(ValueError, match=r"no module workflow_scripts\.nowhere"):
        provenance.code_of("nowhere")


def test_one_version_everywhere():
    root = Path(__file__).parents[2]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in settings["project"] and settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "workflow_scripts.__version__"}
    assert "version" not in yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert __version__ in (root / "CHANGELOG.md").read_text(encoding="utf-8")


class TestKept:
    """What is kept of digests counts for the sources it was found for, and for no other."""

    @pytest.fixture
    def package(self, tmp_path):
        (tmp_path / "package/inside").mkdir(parents=True)
        (tmp_path / "package/inside/command.py").write_text("print(1)\n", encoding="utf-8")
        return tmp_path / "package"

    def keep(self, package: Path) -> Path:
        kept = provenance.Kept(package)
        kept.digests["inside.command"] = "0123"
        kept.write()
        return kept.path

    def test_same_sources(self, package):
        assert "inside.command" not in provenance.Kept(package).digests
        self.keep(package)
        assert provenance.Kept(package).digests["inside.command"] == "0123"

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            ("inside/command.py", "print(2)\n"),
            ("inside/other.py", ""),
            ("__init__.py", ""),
        ],
    )
    def test_other_sources(self, package, path, text):
        self.keep(package)
        (package / path).write_text(text, encoding="utf-8")
        assert "inside.command" not in provenance.Kept(package).digests

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "null", '{"SOURCES": []}', '{"SOURCES": {"a": 1}}', "\x00"]
    )
    def test_a_damaged_file_is_none(self, package, text):
        path = self.keep(package)
        path.write_text(text.replace("SOURCES", provenance.Kept(package).sources), encoding="utf-8")
        kept = provenance.Kept(package)
        assert "inside.command" not in kept.digests
        assert "a" not in kept.digests

    def test_where_nothing_can_be_written(self, package):
        (package / "__pycache__").write_text("a file", encoding="utf-8")
        self.keep(package)
        assert "inside.command" not in provenance.Kept(package).digests

    @pytest.mark.slow
    def test_the_next_process_finds_what_this_one_kept(self, tmp_path):
        """In a copy, since the digests of the checkout are kept already."""
        shutil.copytree(ROOT, tmp_path / ROOT.name, ignore=shutil.ignore_patterns("__pycache__"))
        code = "from workflow_scripts.core.provenance import code_of, _package; "
        first = code + "print(code_of('transfer.rule_based'))"
        second = first + "; print(_package.cache_info().misses)"
        runs = [
            subprocess.run(
                [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
            ).stdout.split()
            for text in (first, second)
        ]
        assert runs[1] == [runs[0][0], "0"]


def test_a_processor_tells_its_maker_and_its_name(tmp_path, monkeypatch):
    told = tmp_path / "cpuinfo"
    monkeypatch.setattr(provenance, "Path", lambda _: told)
    assert provenance.maker() == "" != provenance.processor() and provenance.family() == 0
    told.write_text("cpu family\t: unknown\n", encoding="utf-8")
    assert provenance.family() == 0
    core = (
        "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: A virtual processor: X\n\n"
    )
    told.write_text(f"processor\t: 0\n{core}processor\t: 1\n{core}", encoding="utf-8")
    assert provenance.family() == 6
    assert provenance.maker() == "GenuineIntel" and provenance.processor() == "A virtual processor: X"
