"""Readers of the pairs and test sets that CoCoA-MT's translators have: JParaCrawl, WMT and IWSLT."""

import pytest
import sacrebleu.dataset

from tests.conftest import ROOT
from tests.corpora.archives import archive
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora.jparacrawl import MEMBER, read_jparacrawl
from workflow_scripts.corpora.sources.registry import load
from workflow_scripts.corpora.test_sets import read_set

SOURCE = """<srcset setid="x" srclang="any">
<doc docid="a">
<p>
<seg id="1">  Are you &amp; yours well?\u00a0 </seg>
<seg id="2">A "quoted"  word.</seg>
</p>
</doc>
"""
TARGET = SOURCE.replace("Are you &amp; yours well?", "Geht es Ihnen &amp; den Ihren gut?").replace(
    'A "quoted"  word.', "Ein „Wort“."
)


def test_segments_are_those_that_sacrebleu_reads(tmp_path):
    """Of both sides in one archive, and of a side in each; sacreBLEU keeps entities and joins spaces."""
    names = ("sgm/x-src.en.sgm", "sgm/x-ref.de.sgm")
    texts = {name: text.encode() for name, text in zip(names, (SOURCE, TARGET), strict=True)}
    both = archive(tmp_path / "both.tgz", texts)
    out = (tmp_path / "en.txt", tmp_path / "de.txt")
    read_set(*out, archives=[both], members=list(names))
    found = [read_lines(path) for path in out]
    reader = sacrebleu.dataset.FakeSGMLDataset("x", ["https://x"], "", "", ["0"], {})
    for text, lines in zip((SOURCE, TARGET), found, strict=True):
        raw, theirs = tmp_path / "raw.sgm", tmp_path / "theirs.txt"
        raw.write_text(text, encoding="utf-8")
        reader._convert_format(str(raw), str(theirs))
        assert lines == theirs.read_text(encoding="utf-8").splitlines() and len(lines) == 2
    assert found[0] == ["Are you &amp; yours well?", 'A "quoted" word.']
    apart = [archive(tmp_path / f"{n}.tgz", {name: texts[name]}) for n, name in enumerate(names)]
    read_set(*out, archives=apart, members=list(names))
    assert [read_lines(path) for path in out] == found


def test_plain_members_have_a_segment_a_line(tmp_path):
    texts = {"dev/d.en": b"One.\nTwo. \n", "dev/d.hi": "एक।\nदो।\n".encode()}
    out = (tmp_path / "en.txt", tmp_path / "hi.txt")
    read_set(*out, archives=[archive(tmp_path / "dev.tgz", texts)], members=list(texts))
    assert [read_lines(path) for path in out] == [["One.", "Two."], ["एक।", "दो।"]]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ({"a": b"1\n2\n", "b": b"1\n"}, r"a has 2, b has 1"),
        ({"a": b"", "b": b""}, r"a has 0, b has 0"),
        ({"a": b"1\n", "c": b"1\n"}, r"no file b in it"),
        ({"a": b"1\n", "b": b"\xff\n"}, r"b:1: .*UTF-8"),
    ],
)
def test_a_set_that_is_none(tmp_path, texts, problem):
    file = archive(tmp_path / "x.tgz", texts)
    with pytest.raises(InputError, match=problem):
        read_set(tmp_path / "1", tmp_path / "2", archives=[file], members=["a", "b"])
    (tmp_path / "broken.tgz").write_bytes(file.read_bytes()[:30])
    with pytest.raises(InputError, match="broken tar"):
        read_set(tmp_path / "1", tmp_path / "2", archives=[tmp_path / "broken.tgz"], members=["a", "b"])


def test_a_set_has_two_sides(tmp_path):
    file = archive(tmp_path / "x.tgz", {"a": b"1\n"})
    for archives, members in (([file], ["a"]), ([file], ["a"] * 3), ([], ["a"] * 2), ([file] * 3, ["a"] * 2)):
        problem = f"{len(archives)} archives and {len(members)} members; give both sides"
        with pytest.raises(InputError, match=problem):
            read_set(tmp_path / "1", tmp_path / "2", archives=archives, members=members)


def test_jparacrawl_has_its_sides_in_the_last_fields(tmp_path):
    lines = "a.jp\t0.7\tGood morning.\tおはよう。\nb.jp\tc.jp\t0.6\tThanks.\tありがとう。\n"
    file = archive(tmp_path / "en-ja.tar.gz", {"en-ja/README": b"x\n", MEMBER: lines.encode()})
    out = (tmp_path / "en.txt.gz", tmp_path / "ja.txt.gz")
    read_jparacrawl(file, *out)
    assert [read_lines(path) for path in out] == [
        ["Good morning.", "Thanks."],
        ["おはよう。", "ありがとう。"],
    ]
    file = archive(tmp_path / "bad.tar.gz", {MEMBER: b"a\tb\tc\td\nx\ty\n"})
    with pytest.raises(InputError, match=r"en-ja\.bicleaner05\.txt:2: 2 fields, not 4"):
        read_jparacrawl(file, *out)
    with pytest.raises(InputError, match="no file en-ja"):
        read_jparacrawl(archive(tmp_path / "empty.tar.gz", {"x": b""}), *out)


# What sacreBLEU calls the sets that it knows; of the others nobody has published a sum.
KNOWN = {
    "dev-de": ("wmt19", "en-de"),
    "dev-es": ("wmt12", "en-es"),
    "dev-fr": ("wmt14", "en-fr"),
    "dev-ja": ("wmt20/dev", "en-ja"),
    "wmt-de": ("wmt20", "en-de"),
    "wmt-es": ("wmt13", "en-es"),
    "wmt-fr": ("wmt15", "en-fr"),
    "wmt-it": ("wmt09", "en-it"),
    "wmt-hi": ("wmt14", "en-hi"),
    "wmt-ja": ("wmt20", "en-ja"),
    "ted-ja": ("iwslt17", "en-ja"),
}


def test_addresses_sums_and_members_are_those_of_sacrebleu():
    """A second source of each set. French of WMT 2015 is newsdiscusstest2015; WMT 2014 has no Spanish."""
    rows = {
        row.part: row
        for row in load(ROOT / "resources/sources.csv")
        if (row.corpus, row.version) == ("generic", "web")
    }
    members = {
        row["part"]: [row["source"], row["target"]]
        for _, row in read_rows(ROOT / "resources/test-sets.csv", ("part", "source", "target"))
    }
    assert (
        set(members)
        == {*KNOWN, "dev-hi"}
        == {part for part in rows if part[:5] != "train"} - {"ted-ja.target"}
    )
    for part, (name, pair) in KNOWN.items():
        known = sacrebleu.dataset.DATASETS[name]
        assert members[part] == known.langpairs[pair]
        sums = dict(zip(known.data, known.md5, strict=True))
        for row in (rows[part], *([rows[f"{part}.target"]] if f"{part}.target" in rows else [])):
            assert row.sha256 == f"md5:{sums[row.url]}"
    assert "en-es" not in sacrebleu.dataset.DATASETS["wmt14"].langpairs
