"""The registry, and the messages about missing licensed corpora."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines
from workflow_scripts.corpora.sources.licensed import check_licensed, missing
from workflow_scripts.corpora.sources.registry import accepted, find, load, unpinned

REGISTRY = ROOT / "resources" / "sources.csv"


def test_registry_has_what_settings_name():
    entries = load(REGISTRY)
    have = {(entry.corpus, entry.version) for entry in entries}
    for corpus, real in {
        "gyafc": "1.0",
        "xformal": "1.0",
        "pt16": "2016",
        "opensubtitles": "v2018",
        "bitext": "v2018",
        "yahoo": "L6",
        "yahoo-fr": "L26",
    }.items():
        assert {(corpus, "demo"), (corpus, real)} <= have
    assert all(entry.note for entry in entries if entry.access == "on request")
    assert all(entry.licence for entry in entries)


def test_registry_sums_are_those_of_the_mirror(mirror):
    there = [
        entry
        for entry in load(REGISTRY)
        if entry.sha256 and entry.mirror_path and (mirror / entry.mirror_path).is_file()
    ]
    assert {entry.corpus for entry in there} >= {"pt16"}
    for entry in there:
        assert digest(mirror / entry.mirror_path) == entry.sha256


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pt16-blog,", "pt16-answers,", "occurs twice"),
        (",on request,", ",on reqest,", "did you mean 'on request'"),
        (",pt16/blog,", ",../blog,", "not a path below"),
        (",pt16/blog,", ",pt16/answers,", "is taken by 'pt16-answers'"),
        (",2016,blog,", ",2016,answers,", "corpus, version and part"),
        ("https://raw", "http://raw", "not an https address"),
        ("id,corpus", "id,corpse", "columns"),
        (",sources/tydip.sha256,", ",sources/tydip.sums,", "no checksum list"),
        (",51fd5613", ",x1fd5613", "neither a sha256"),
        (",51fd5613", ",git:51fd5613", "nor git: and Git's id"),
        (",51fd5613", ",md5:51fd5613", "nor md5: and a sum"),
        ("moses/en-fr.txt.zip,,", f"moses/en-fr.txt.zip,{'0' * 64},", "another address or checksum"),
    ],
)
def test_registry_with_a_mistake(tmp_path, old, new, message):
    text = REGISTRY.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "registry.csv"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert error.value.line


def test_which_downloads_may_be_made():
    entries = load(REGISTRY)
    free = accepted(["bitext", "generic", "multiwoz", "pptod", "tydip-classifier"], entries)
    places = {row.id: row.path for row in entries if row.access == "open"}
    problems = {name: unpinned(path, entries, free) for name, path in places.items()}
    # One file serves two corpora: who accepts it for one has it.
    assert problems["bitext-v2018-fr"] is problems["opensubtitles-v2018-fr"] is None
    assert problems["pt16-answers"] is problems["cocoa-mt"] is None
    for name, problem in problems.items():
        row = find(entries, name)
        assert (problem is not None) == (row.corpus == "bicleaner" and not row.sha256), name
        if problem:
            assert name in problem and row.url in problem and "unpickled" in problem and "\n" not in problem
    found = unpinned(places["bitext-v2018-fr"], entries, [])
    assert found and "no checksum of 'opensubtitles-v2018-fr' is known: get https" in found
    assert "add opensubtitles to downloads.unpinned" in found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bitex", "no download of a corpus 'bitex'; did you mean 'bitext'"),
        ("gyafc", "no download of a corpus 'gyafc'; known: "),
        ("bicleaner", "files of 'bicleaner' are unpickled"),
    ],
)
def test_what_cannot_be_accepted_without_a_checksum(name, message):
    with pytest.raises(InputError, match=f"^configuration: downloads.unpinned: {message}"):
        accepted(["bitext", name], load(REGISTRY))


def test_registry_hint():
    with pytest.raises(InputError, match="did you mean 'pt16-answers'"):
        find(load(REGISTRY), "pt16-answer")


def test_registry_is_light():
    """The Snakefile imports these two modules at every start."""
    code = (
        "import sys, workflow_scripts.corpora.sources.licensed, workflow_scripts.corpora.sources.registry;"
        "print([m for m in ('torch', 'numpy', 'nltk', 'requests', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def make_gyafc(folder: Path) -> None:
    for domain in ("Entertainment_Music", "Family_Relationships"):
        for split in ("train", "tune", "test"):
            (folder / domain / split).mkdir(parents=True)
            names = ["informal", "formal"]
            if split != "train":
                names += [f"{style}.ref{i}" for style in names for i in range(4)]
            for name in names:
                (folder / domain / split / name).write_text("a\n", encoding="utf-8")


@pytest.mark.slow
def test_licensed_corpus_that_is_absent(tmp_path, module):
    for name in ("gyafc", "xformal", "yahoo", "yahoo-fr"):
        entry = find(load(REGISTRY), name)
        message = missing(entry, tmp_path)
        assert message
        assert str(tmp_path / entry.path) in message
        assert entry.note in message
        assert "\n" not in message
        done = module(
            "corpora.sources.licensed", tmp_path, tmp_path / "s", "--entry", name, "--registry", REGISTRY
        )
        assert done.returncode == 2
        assert message in done.stderr
        assert not (tmp_path / "s").exists()


def test_licensed_corpus_that_is_incomplete(tmp_path):
    entry = find(load(REGISTRY), "gyafc")
    make_gyafc(tmp_path / entry.path)
    (tmp_path / entry.path / "Family_Relationships/test/informal.ref2").unlink()
    message = missing(entry, tmp_path)
    assert message
    assert "lacks Family_Relationships/test/informal.ref2;" in message


def test_of_what_is_absent_three_are_named(tmp_path):
    entry = find(load(REGISTRY), "gyafc")
    make_gyafc(tmp_path / entry.path)
    names = [f"Entertainment_Music/test/informal.ref{i}" for i in range(4)]
    for count, more in ((3, ""), (4, " and 1 more")):
        for name in names[:count]:
            (tmp_path / entry.path / name).unlink(missing_ok=True)
        place = tmp_path / entry.path
        told = f"the folder {place} lacks {', '.join(names[:3])}{more}; {entry.note}; put it into {place}"
        setting = f"(the setting 'licensed' names the folder {tmp_path})"
        found = missing(entry, tmp_path)
        assert found == f"licensed corpus 'gyafc': {told} {setting}; licence: {entry.licence}"


def test_licensed_folders_of_xformal_and_the_impolite_corpus(tmp_path):
    entries = load(REGISTRY)
    xformal, impolite = (find(entries, name) for name in ("xformal", "impolite"))
    (tmp_path / xformal.path).mkdir(parents=True)
    told = missing(xformal, tmp_path) or ""
    assert "lacks xformal_eval/<language>/informal and formal.ref0..3; " in told
    odd = tmp_path / xformal.path / "a\nb"
    odd.mkdir()
    for name in ("informal", "formal.ref0"):
        (odd / name).touch()
    told = missing(xformal, tmp_path) or ""
    assert r"lacks 'a\nb/formal.ref1', 'a\nb/formal.ref2', 'a\nb/formal.ref3'; " in told
    (tmp_path / impolite.path).mkdir(parents=True, exist_ok=True)
    assert "lacks impolite.jsonl; " in (missing(impolite, tmp_path) or "")
    (tmp_path / impolite.path / "impolite.jsonl").write_text("{}\n")
    assert missing(impolite, tmp_path) is None
    check_licensed(tmp_path, tmp_path / "stamp", entry="impolite", registry=REGISTRY)
    assert read_lines(tmp_path / "stamp") == ["impolite.jsonl\t3"]


def test_licensed_corpus_that_is_there(tmp_path):
    make_gyafc(tmp_path / "GYAFC_Corpus")
    check_licensed(tmp_path, tmp_path / "stamp", entry="gyafc", registry=REGISTRY)
    stamp = read_lines(tmp_path / "stamp")
    assert len(stamp) == 2 * (2 + 10 + 10) and stamp == sorted(stamp)
    assert "Entertainment_Music/test/formal.ref0\t2" in stamp


def test_licensed_xformal_and_yahoo(tmp_path):
    entries = load(REGISTRY)
    folder = tmp_path / "XFORMAL" / "xformal_eval" / "br"
    folder.mkdir(parents=True)
    for name in ("informal", *(f"formal.ref{i}" for i in range(3))):
        (folder / name).touch()
    assert "xformal_eval/br/formal.ref3" in (missing(find(entries, "xformal"), tmp_path) or "")
    (folder / "formal.ref3").touch()
    assert missing(find(entries, "xformal"), tmp_path) is None
    (tmp_path / "L6").mkdir()
    assert "lacks" in (missing(find(entries, "yahoo"), tmp_path) or "")
    (tmp_path / "L6" / "FullOct2007.xml.part1.gz").touch()
    assert "lacks the parts besides" in (missing(find(entries, "yahoo"), tmp_path) or "")
    (tmp_path / "L6" / "FullOct2007.xml.part2.gz").touch()
    assert missing(find(entries, "yahoo"), tmp_path) is None
    for name in ("answers.xml", "answers.xml.gz"):
        folder = tmp_path / name.replace(".", "-") / "L26"
        folder.mkdir(parents=True)
        assert r"lacks *.xml.part*.gz or *.xml.gz or *.xml in it" in (
            missing(find(entries, "yahoo-fr"), folder.parent) or ""
        )
        (folder / name).touch()
        assert missing(find(entries, "yahoo-fr"), folder.parent) is None


@pytest.mark.parametrize("damage", [b"\xff", b"\n\n"])
def test_registry_with_odd_bytes(tmp_path, damage):
    path = tmp_path / "registry.csv"
    path.write_bytes(REGISTRY.read_bytes().replace(b"pt16-blog", b"pt16" + damage + b"blog"))
    with pytest.raises(InputError) as error:
        load(path)
    assert error.value.line == 8


def test_a_folder_is_no_part_of_a_corpus(tmp_path):
    (tmp_path / "L26" / "answers.xml").mkdir(parents=True)
    assert "lacks *.xml.part*.gz" in (missing(find(load(REGISTRY), "yahoo-fr"), tmp_path) or "")


def test_licensed_files_with_names_that_no_list_can_hold(tmp_path):
    (tmp_path / "L26").mkdir()
    (tmp_path / "L26" / "a\nb.xml").write_text("<a/>")
    with pytest.raises(InputError, match=r"'a\\nb.xml' is not a valid file name; rename it"):
        check_licensed(tmp_path, tmp_path / "stamp", entry="yahoo-fr", registry=REGISTRY)
