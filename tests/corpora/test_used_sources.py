"""The table of sources behind each leaf, and the walk through rules that finds them."""

import csv
import hashlib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.corpora.test_sources import HEAD, row
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.sources.behind import sources_behind
from workflow_scripts.corpora.sources.present import measure
from workflow_scripts.corpora.sources.registry import find, load
from workflow_scripts.corpora.sources.used_sources import HEADER, used_sources

LEAVES = "leaf,paper,number,kind,caption\nt1,xformal,Table 1,table,One\nq/t2,tydip,Table 2,table,Two\n"
PAPERS = "paper,label,scaled,citation\nxformal,XFORMAL,yes,One\ntydip,TyDiP,no,Two\n"
ONE, TWO = (hashlib.sha256(text).hexdigest() for text in (b"one", b"two!"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "leaves.csv").write_text(LEAVES)
    (tmp_path / "papers.csv").write_text(PAPERS)
    (tmp_path / "many.sha256").write_text(f"{TWO}  deep/b\n{ONE}  a\n")
    text = HEAD + row("one", sha256=ONE) + row("many", files="many.sha256") + row("made", "generated")
    asked = "yahoo,yahoo,L6,,on request,https://ask,,,,,L6,agreement,,ask them for it\n"
    (tmp_path / "sources.csv").write_text(text + asked)
    for path, data in {
        "downloads/one": b"one",
        "downloads/many/a": b"one",
        "downloads/many/deep/b": b"two!",
        "generated/made/x/y": b"two!",
        "generated/made/a": b"one",
        "licensed/L6/x.xml.part1.gz": b"one",
        "licensed/L6/x.xml.part2.gz": b"two!",
        "licensed/L6/notes.txt": b"not of the corpus",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def table(folder: Path, *used: str) -> list[dict[str, str]]:
    places = {name: folder / name for name in ("downloads", "generated", "licensed")}
    used_sources(
        folder / "out.csv",
        leaves=folder / "leaves.csv",
        registry=folder / "sources.csv",
        used=list(used),
        **places,
    )
    with (folder / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert all(tuple(row) == HEADER for row in rows)
    return rows


def listed(*files: tuple[str, str]) -> str:
    return hashlib.sha256("".join(f"{sha256}  {name}\n" for name, sha256 in files).encode()).hexdigest()


def test_what_stands_in_the_table(folder):
    rows = table(folder, "t1=yahoo,one", "q/t2=made,many", "t1=")
    assert [(row["leaf"], row["paper"], row["source"]) for row in rows] == [
        ("t1", "xformal", "one"),
        ("t1", "xformal", "yahoo"),
        ("q/t2", "tydip", "many"),
        ("q/t2", "tydip", "made"),
    ]
    facts = {row["source"]: row for row in rows}
    assert {name: (row["sha256"], row["bytes"]) for name, row in facts.items()} == {
        "one": (ONE, "3"),
        # Of a corpus with a list in the registry, the list itself; of others, all their files by path.
        "many": (digest(folder / "many.sha256"), "7"),
        "made": (listed(("a", ONE), ("x/y", TWO)), "7"),
        "yahoo": (listed(("x.xml.part1.gz", ONE), ("x.xml.part2.gz", TWO)), "7"),
    }
    assert facts["yahoo"]["address"] == "ask them for it" and facts["yahoo"]["licence"] == "agreement"
    assert facts["one"]["address"] == "https://example.org/one" and facts["one"]["access"] == "open"


def test_what_is_not_there_has_no_sum(folder):
    (folder / "downloads/one").unlink()
    (line,) = table(folder, "t1=one")
    assert (line["sha256"], line["bytes"], line["licence"]) == ("", "", "free")


def test_with_what_a_checksum_was_compared(folder):
    table_of_sources = folder / "sources.csv"
    table_of_sources.write_text(table_of_sources.read_text() + row("first"))
    (folder / "downloads/first").write_bytes(b"two!")
    (folder / "downloads/first.sha256").write_text(f"{TWO}  first\n")
    rows = table(folder, "t1=one,many,made,yahoo,first")
    assert {line["source"]: line["checked_by"] for line in rows} == {
        **dict.fromkeys(("one", "many"), "registry"),
        **dict.fromkeys(("made", "yahoo"), ""),
        "first": "first download",
    }
    (folder / "downloads/first").write_bytes(b"two?")
    with pytest.raises(InputError, match=rf"downloads/first: wrong checksum: .*expected {TWO}"):
        table(folder, "t1=first")


@pytest.mark.parametrize("path", ["downloads/one", "downloads/many/deep/b"])
def test_what_is_damaged_is_no_source(folder, path):
    (folder / path).write_text("0ne")
    with pytest.raises(InputError, match=rf"{path}: wrong checksum: sha256 is .* delete it"):
        table(folder, "t1=one,many")


def test_a_file_of_a_list_that_is_not_there_is_named(folder):
    (folder / "downloads/many/a").unlink()
    with pytest.raises(InputError, match="downloads/many/a: no such file; get the corpus again"):
        table(folder, "t1=many")


def test_unknown_names(folder):
    with pytest.raises(InputError, match="no leaf 't3'"):
        table(folder, "t3=one")
    with pytest.raises(InputError, match="no entry 'ones' in the registry; did you mean 'one'"):
        table(folder, "t1=ones")


class Output(str):
    """As much of an output of Snakemake as the walk asks for."""

    def constant_prefix(self) -> str:
        return self

    def constant_suffix(self) -> str:
        return self


class Rule:
    """As much of a rule of Snakemake as the walk asks for."""

    def __init__(self, output: str, *needed: str) -> None:
        self.name, self.needed = f"makes {output}", needed
        self.outputs = [Output(output), Output(f"log of {output}")]
        self.expanded = 0

    def products(self) -> list[Output]:
        return self.outputs

    def is_producer(self, path: str) -> bool:
        return path in self.outputs

    def get_wildcards(self, path: str) -> dict[str, str]:
        return {"of": self.outputs[0]}

    def expand_input(self, wildcards: dict[str, str]) -> tuple[Any, ...]:
        assert wildcards == {"of": self.outputs[0]}
        self.expanded += 1
        return list(self.needed), {}, {}, False

    def expand_output(self, wildcards: dict[str, str]) -> tuple[list[Output], dict[Output, Output]]:
        return self.outputs, {}


def test_the_walk_stops_at_sources():
    rules = [
        Rule("leaf", "middle", "log of middle", "by hand"),
        Rule("middle", "corpus b", "corpus a"),
        Rule("other", "corpus b"),
        Rule("corpus b", "corpus c"),
        Rule("no source"),
    ]
    places = {"corpus a": "A", "corpus b": "B", "corpus c": "C"}
    found = sources_behind(["leaf", "other", "no source", "no rule"], rules, places)
    assert found == {"leaf": ["A", "B"], "other": ["B"], "no source": []}
    # A job once, whatever number of its files is needed; nothing behind a source.
    assert [rule.expanded for rule in rules] == [1, 1, 1, 0, 1]


def test_of_two_rules_that_make_a_file_the_first_counts():
    rules = [Rule("leaf", "a"), Rule("leaf", "b")]
    assert sources_behind(["leaf"], rules, {"a": "A", "b": "B"}) == {"leaf": ["A"]}
    assert sources_behind(["leaf"], rules[::-1], {"a": "A", "b": "B"}) == {"leaf": ["B"]}


def test_a_source_is_measured_by_sha256_whatever_the_registry_has(tmp_path):
    """`printf one | md5sum`, and `| git hash-object --stdin`."""
    (tmp_path / "one").write_bytes(b"one")
    for known in (
        "",
        ONE,
        "md5:f97c5d29941bfb1b2fdab0874906ab82",
        "git:43dd47ea691c90a5fa7827892c70241913351963",
    ):
        (tmp_path / "sources.csv").write_text(HEAD + row("one", sha256=known))
        (entry,) = load(tmp_path / "sources.csv")
        assert measure(entry, tmp_path / "one", tmp_path / "sources.csv") == (ONE, 3)


def test_real_sums_are_those_of_the_lists(mirror):
    registry = ROOT / "resources/sources.csv"
    for name in ("tydip", "cocoa-mt"):
        entry = find(load(registry), name)
        sha256, size = measure(entry, mirror / entry.mirror_path, registry)
        assert sha256 == digest(registry.parent / entry.files)
        assert str(size) == entry.size
