"""The table of sources: their state on this machine."""

import hashlib
from pathlib import Path

from tests.conftest import ROOT

HEAD = "id,corpus,version,part,access,url,sha256,size,files,mirror_path,path,licence,paper,note\n"


def row(name: str, access: str = "open", sha256: str = "", files: str = "", size: str = "") -> str:
    return f"{name},{name},1,,{access},https://example.org/{name},{sha256},{size},{files},,{name},free,,\n"


def table(module, folder: Path, *kinds: str) -> dict[str, str]:
    options = [
        word
        for kind in ("downloads", "generated", "licensed", *kinds)
        for word in (f"--{kind}", folder / kind)
    ]
    done = module("corpora.sources.states", folder / "sources.csv", *options)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["name", "version", "access", "state", "size", "licence"]
    start, end = lines[0].index("state"), lines[0].index("size")
    return {line.split()[0]: line[start:end].strip() for line in lines[1:]}


def test_present_missing_and_damaged(tmp_path, module):
    one, two = (hashlib.sha256(text).hexdigest() for text in (b"one", b"two"))
    (tmp_path / "sources.csv").write_text(
        HEAD
        + row("whole", sha256=one, size="3")
        + row("damaged", sha256=one)
        + row("absent", sha256=one)
        + row("unknown")
        + row("recorded")
        + row("replaced")
        + row("many", files="many.sha256")
        + row("none", files="many.sha256")
        + row("made", access="generated")
    )
    (tmp_path / "many.sha256").write_text(f"{one}  a\n{two}  deep/b\n{one}  c\n")
    downloads = tmp_path / "downloads"
    (downloads / "many" / "deep").mkdir(parents=True)
    for name, text in {
        "whole": "one",
        "damaged": "0ne",
        "unknown": "?",
        "recorded": "two",
        "replaced": "2",
        "many/a": "one",
    }.items():
        (downloads / name).write_text(text)
    for name in ("recorded", "replaced"):
        (downloads / f"{name}.sha256").write_text(f"{two}  {name}\n")
    (tmp_path / "generated" / "made").mkdir(parents=True)
    found = table(module, tmp_path)
    assert found == {
        "whole": "present",
        "damaged": "damaged",
        "absent": "missing",
        "unknown": "present",
        "recorded": "present",
        "replaced": "damaged",
        "many": "2 files missing",
        "none": "missing",
        "made": "present",
    }
    (downloads / "many" / "deep" / "b").write_text("2")
    assert table(module, tmp_path)["many"] == "1 files damaged"


def test_what_the_mirror_holds(tmp_path, module):
    one = hashlib.sha256(b"one").hexdigest()
    names = ("whole", "damaged", "absent", "both")
    rows = [row(name, sha256=one).replace(f",,{name},free", f",{name},{name},free") for name in names]
    (tmp_path / "sources.csv").write_text(HEAD + "".join(rows))
    for folder, name, text in (
        ("mirror", "whole", "one"),
        ("mirror", "damaged", "0ne"),
        ("mirror", "both", "one"),
        ("downloads", "both", "one"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    assert table(module, tmp_path, "mirror") == {
        "whole": "in the mirror",
        "damaged": "mirror: damaged",
        "absent": "missing",
        "both": "present",
    }
    assert set(table(module, tmp_path).values()) == {"missing", "present"}


def test_what_is_damaged_is_named_and_sizes_are_grouped(tmp_path, module):
    one = hashlib.sha256(b"one").hexdigest()
    (tmp_path / "sources.csv").write_text(
        HEAD
        + row("a", sha256=one, size="1234567").replace(",,a,free", ",a,a,free")
        + row("b", sha256=one).replace(",,b,free", ",b,b,free")
        + row("many", files="many.sha256")
        + row("yahoo", access="on request")
        + row("gyafc", access="on request")
    )
    (tmp_path / "many.sha256").write_text(f"{one}  c\n{one}  d\n")
    for name in (
        "downloads/a",
        "mirror/b",
        "downloads/many/c",
        "downloads/many/d",
        "licensed/yahoo/x.xml.part1.gz",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("0ne")
    kinds = ("downloads", "generated", "licensed", "mirror")
    options = [word for kind in kinds for word in (f"--{kind}", tmp_path / kind)]
    done = module("corpora.sources.states", tmp_path / "sources.csv", *options)
    assert done.stdout.splitlines() == [
        "name   version  access      state            size       licence",
        "a      1        open        damaged          1,234,567  free",
        "b      1        open        mirror: damaged             free",
        "many   1        open        damaged                     free",
        "yahoo  1        on request  incomplete                  free",
        "gyafc  1        on request  missing                     free",
    ]
    told = ": damaged: not the file of the registry; "
    for name, fix in (
        *(("downloads/a", "delete it to get it again"), ("mirror/b", "put the right one there")),
        *(
            ("downloads/many/c", "delete it to get it again"),
            ("downloads/many/d", "delete it to get it again"),
        ),
    ):
        assert f"{tmp_path}/{name}{told}{fix}\n" in done.stderr
    (tmp_path / "licensed/yahoo/x.xml.part2.gz").touch()
    assert table(module, tmp_path)["yahoo"] == "present"


def test_the_projects_own_registry(module):
    done = module(
        *("corpora.sources.states", ROOT / "resources/sources.csv", "--downloads", "nowhere"),
        *("--generated", "nowhere", "--licensed", "nowhere"),
    )
    assert done.returncode == 0, done.stderr
    assert "cocoa-mt" in done.stdout and "CDLA-Sharing-1.0" in done.stdout and "gyafc-demo" in done.stdout
