"""The requests that TyDiP crawled: from Git LFS, checked, counted in Table 1, drawn for lexicons.

The released files are not at hand: these are tests on stand-ins, behind a server with LFS's addresses.
"""

import hashlib
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.corpora.test_make_mirror import serve
from tests.papers.conftest import every_leaf_is_as_documented
from tests.politeness.conftest import corpus
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.sources.download_files import download_files
from workflow_scripts.corpora.sources.make_mirror import fetch
from workflow_scripts.corpora.sources.present import state
from workflow_scripts.corpora.sources.registry import find, load
from workflow_scripts.corpora.sources.sums import read_sums
from workflow_scripts.corpora.tydip_requests import crawled_file, read_tydip_requests
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.table1 import table1
from workflow_scripts.politeness.corpus import read_requests, requests_file
from workflow_scripts.politeness.drawn import drawn

__all__ = ["corpus", "every_leaf_is_as_documented", "serve"]
ENTRY = find(load(ROOT / "resources/sources.csv"), "tydip-requests")
LANGUAGES = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]
# The bytes that the pointers in the repository say.
BYTES = {
    **{"af": 318285, "es": 29718676, "fr": 60207178, "hi": 960219, "hu": 10742820},
    **{"ko": 7284011, "ru": 69563438, "ta": 1502888, "vi": 4332595},
}
# Git's ids of these pointers, as the tree of the commit has them.
POINTERS = {
    "af": "cbf4e690d7f48a313f512368ad3ecf5a8e7fa8e7",
    "es": "77fbd8ae7e5e87ad204c63ffb1adcded3293f265",
    "fr": "e6c9fc2df1fa2ac52453e8c5501ef0ce69882f25",
    "hi": "1dc9a543ca99be8881486f88d7f76db87e371aa2",
    "hu": "f516fbf2398c67c11fb41f483a6b9682f6b7d08c",
    "ko": "e85c1e3b0179205305755c40c0da9ac1922586e0",
    "ru": "374a24f9f5d047cc6c04a19da16be02ffd8c9815",
    "ta": "98c0d7fd24e6fa860a250070c7c4a7888a1ecb2f",
    "vi": "bb724aad752899e9dd3ed306a97403e02eeee10e",
}
# No-break spaces, characters of several bytes, a tab within a request, and one request twice.
TEXTS = [f"Ist {number} richtig?\u00a0Ünd was ist das?" for number in range(200)]
TEXTS[7] = "Eins\tzwei. Warum?"
TEXTS[9] = TEXTS[8]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n"


def served(folder: Path, texts: dict[str, list[str]]) -> tuple[Path, Path]:
    """Contents below ``media`` and pointers below ``raw``; the sums of the pointers, and the repository."""
    repository = ENTRY.url.split("/media/")[1]
    sums = []
    for language, lines in texts.items():
        data = "".join(f"{line}\n" for line in lines).encode()
        digest = hashlib.sha256(data).hexdigest()
        for root, content in (("media", data), ("raw", POINTER.format(digest, len(data)).encode())):
            path = crawled_file(folder / root / repository, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        sums.append(f"{digest}  {crawled_file(Path(), language)}\n")
    (folder / "sums").write_text("".join(sums))
    return folder / "sums", Path(repository)


def test_the_registry_has_the_nine_files_at_the_addresses_of_git_lfs():
    tydip = find(load(ROOT / "resources/sources.csv"), "tydip")
    assert ENTRY.url.startswith("https://media.githubusercontent.com/media/")
    # The same commit, and the same folder of a mirror.
    assert ENTRY.url.split("/")[-3:] == tydip.url.split("/")[-3:]
    assert (ENTRY.mirror_path, ENTRY.version) == (tydip.mirror_path, tydip.version)
    assert [*read_sums(ROOT / "resources/sources/tydip-requests.sha256")] == [
        str(crawled_file(Path(), language)) for language in sorted(LANGUAGES)
    ]
    assert int(ENTRY.size) == sum(BYTES.values())


def test_the_sums_and_sizes_are_those_of_the_pointers_in_the_repository():
    """A pointer has nothing else in it, so that Git's id of it tells both."""
    sums = read_sums(ROOT / "resources/sources/tydip-requests.sha256")
    found = {}
    for language, size in BYTES.items():
        text = POINTER.format(sums[str(crawled_file(Path(), language))], size).encode()
        found[language] = hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()
    assert found == POINTERS


def test_the_sizes_are_those_of_requests_in_the_own_language():
    """Bytes over Table 1's requests of the language less 500 are near the printed lengths."""
    cells: dict[str, dict[str, int]] = {}
    for row in rows_of(ROOT / "resources/printed/tydip/table1.csv"):
        cells.setdefault(row["lang"], {})[row["metric"]] = int(row["printed"])
    for language, size in BYTES.items():
        printed = cells[language]
        requests = printed["requests"] * printed["target"] / 100 - 500
        assert 0.92 < size / requests / printed["length"] < 1.05


def test_contents_arrive_and_pointers_are_refused(tmp_path, serve):
    sums, repository = served(tmp_path / "served", {"xx": TEXTS, "yy": ["Was?"]})
    server = serve(tmp_path / "served")
    address = server.url.rpartition("/")[0]
    options: dict[str, Any] = {"sums": sums, "partial": tmp_path / "partial", "retries": 0, "parallel": 2}
    download_files(tmp_path / "got", url=f"{address}/media/{repository}", **options)
    read_tydip_requests(tmp_path / "got", tmp_path / "xx.txt", language="xx")
    assert read_lines(tmp_path / "xx.txt") == TEXTS
    with pytest.raises(InputError, match=r"xx_xx_train.txt: wrong checksum: this is a pointer of Git LFS"):
        download_files(tmp_path / "other", url=f"{address}/raw/{repository}", **options)
    # A mirror that is a clone without LFS has them too.
    with pytest.raises(InputError, match=r"pointer of Git LFS.*; run `git lfs pull`"):
        mirror = {"mirror": tmp_path / "served", "mirror_path": f"raw/{repository}"}
        download_files(tmp_path / "other", url="https://nowhere.invalid", **mirror, **options)


def test_both_parts_of_the_repository_share_a_folder_of_the_mirror(tmp_path, serve):
    sums, repository = served(tmp_path / "served", {"xx": TEXTS})
    other = tmp_path / "served" / "raw" / repository / "data/all/xx_test.csv"
    other.parent.mkdir(parents=True)
    other.write_text("sentence,score\n")
    (tmp_path / "other").write_text(
        f"{hashlib.sha256(other.read_bytes()).hexdigest()}  data/all/xx_test.csv\n"
    )
    address = serve(tmp_path / "served").url.rpartition("/")[0]
    entries = [
        replace(ENTRY, url=f"{address}/media/{repository}", files="sums", mirror_path="tydip"),
        replace(ENTRY, id="tydip", url=f"{address}/raw/{repository}", files="other", mirror_path="tydip"),
    ]
    shutil.copy(sums, tmp_path / "sums")
    registry, mirror = tmp_path / "sources.csv", tmp_path / "mirror"
    fetch(entries, mirror, registry, partial=tmp_path / "partial", retries=0, parallel=2)
    assert [state(one, mirror / "tydip", registry) for one in entries] == [("present", [])] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (POINTER.format("0" * 64, 5), "a Git LFS pointer instead of the requests"),
        ("", "no request in it"),
        ("Was?\n\nWarum?\n", ":2: an empty line; the file does not have one"),
        ("0\tWas?\n1\tWarum?\n", ":1: this and other lines have a tab, 2 of 2; the file does not have one"),
        ("Ja.\nWas?\n", ":1: this and other lines do not end with a question mark, 1 of 2"),
        ('"Was?"\n', ":1: this and other lines do not end with a question mark, 1 of 1"),
    ],
)
def test_what_is_not_one_request_a_line_is_refused(tmp_path, module, text, message):
    file = crawled_file(tmp_path, "xx")
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    done = module("corpora.tydip_requests", tmp_path, tmp_path / "out.txt", "--language", "xx")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"{file}" in done.stderr and message in done.stderr
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(("place", "text"), [(3, "Eins\tzwei?"), (4, "Ja.")])
def test_one_line_in_a_hundred_may_be_odd(tmp_path, place, text):
    """And not two; it may be another line that has a tab than the one without a question mark."""
    file = crawled_file(tmp_path, "xx")
    file.parent.mkdir(parents=True)
    lines = [f"Ist {number} richtig? " for number in range(100)]
    lines[place] = text
    lines[7] = "Eins\tzwei?" if text == "Ja." else "Ja."
    write_lines(file, lines)
    read_tydip_requests(tmp_path, tmp_path / "out.txt", language="xx")
    assert read_lines(tmp_path / "out.txt") == lines
    lines[99] = text
    write_lines(file, lines)
    with pytest.raises(
        InputError, match=rf"_train\.txt:{place + 1}: this and other lines .*, 2 of 100; the file"
    ):
        read_tydip_requests(tmp_path, tmp_path / "out.txt", language="xx")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"yy_yy_train.txt: no such file; .*corpora.tydip_requests to none"):
        read_tydip_requests(tmp_path, tmp_path / "out.txt", language="yy")


def test_annotated_requests_are_what_the_reader_expects(mirror):
    """Of the 4,500 that are released all end with a question mark, and one has a tab."""
    texts = [one.text for code in LANGUAGES for one in read_requests(requests_file(mirror / "tydip", code))]
    assert len(texts) == 4500 and all(text.endswith("?") for text in texts)
    assert sum("\t" in text for text in texts) == 1


def test_table1_counts_what_was_crawled_beside_the_printed_share(corpus, tmp_path):
    """400 requests of which 51% are of the language: 202 to 206, and the corpus has 6 annotated ones."""
    printed = put(
        tmp_path / "p.csv",
        ("lang", "metric", "printed"),
        [("xx", name, number) for name, number in (("requests", 400), ("target", 51), ("length", 30))],
    )
    names = put(tmp_path / "n.csv", ("lang", "language", "family", "script"), [("xx", "X", "F", "S")])
    crawled = tmp_path / "xx.txt"
    crawled.write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given: dict[str, Any] = {"corpus": corpus, "printed": printed, "names": names, "languages": ["xx"]}
    table1(*files, **given, crawled=[crawled])
    cells = {row["metric"]: row for row in rows_of(files[1])}
    assert [cells["own"][name] for name in ("printed", "ours", "difference", "comparable")] == [
        *("202-206", "206", "0", "no: not printed: total times rounded share")
    ]
    requests = [row["sentence"] for row in rows_of(corpus / "data/all/xx_test.csv")]
    assert len(requests) == 6
    lengths = [len(text.encode()) for text in [*requests, *TEXTS]]
    assert cells["own_length"]["ours"] == f"{sum(lengths) / len(lengths):.0f}"
    facts = signature(crawled, n=206, annotated=6)
    assert cells["own"]["signature"] == facts
    assert cells["own_length"]["signature"].startswith(f"{facts}|mean:")
    assert cells["own_length"]["signature"].endswith("|decimals:rounded")
    assert cells["own_length"]["comparable"] == (
        "no: the printed length seems to be that of the annotated requests"
    )
    with pytest.raises(InputError, match="2 files of crawled requests for 1 languages"):
        table1(*files, **given, crawled=[crawled] * 2)
    assert cells["own_length"]["printed"] == cells["length"]["printed"] == "30"
    (row,) = rows_of(files[0])
    assert [row[name] for name in ("language", "family", "script")] == ["X", "F", "S"]
    assert [row[name] for name in ("requests", "target", "english", "other")] == [""] * 4
    assert [row[name] for name in ("length", "own", "own_length")] == [
        *(cells["length"]["ours"], "206", cells["own_length"]["ours"])
    ]
    # Without them there is nothing in their place.
    table1(*files, **given)
    assert [row["comparable"] for row in rows_of(files[1]) if row["metric"].startswith("own")] == [
        "no: the crawled requests are not read: corpora.tydip_requests"
    ] * 2


def test_lexicons_are_induced_from_requests_that_are_not_annotated(corpus, tmp_path):
    requests = tmp_path / "xx.txt"
    annotated = [row["sentence"] for row in rows_of(corpus / "data/all/xx_test.csv")]
    requests.write_text("".join(f"{text}\n" for text in [*TEXTS, *annotated]), encoding="utf-8")

    def of(size: int, seed: int) -> list[str]:
        options: dict[str, Any] = {"corpus": corpus, "language": "xx", "size": size, "seed": seed}
        drawn(tmp_path / "out.txt", requests=requests, **options)
        return read_lines(tmp_path / "out.txt")

    plain = [re.sub(r"\s+", " ", text) for text in dict.fromkeys(TEXTS)]
    assert of(5000, 1) == plain and len(plain) == 199
    some = of(50, 1)
    assert len(some) == 50 and some == of(50, 1) != of(50, 2)
    # In the order of the file, so that neighbours stay neighbours.
    assert some == [text for text in plain if text in set(some)]
    requests.write_text("".join(f"{text}\n" for text in annotated), encoding="utf-8")
    with pytest.raises(InputError, match="no request that is not annotated"):
        of(5, 1)
