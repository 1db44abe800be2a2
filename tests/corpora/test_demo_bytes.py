"""The demo corpora are the same in any later version: two versions are compared on the same data.

A change of the texts or of what is drawn is meant to change these sums, and then CHANGELOG.md says so.
"""

import bz2
import gzip
import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.corpora.demo_parts import make_demo
from workflow_scripts.corpora.demo.controlled import make_controlled
from workflow_scripts.corpora.demo.dialogues import make_dialogues
from workflow_scripts.corpora.demo.generic import make_generic
from workflow_scripts.corpora.demo.held_out import make_held_out
from workflow_scripts.corpora.demo.known import make_known
from workflow_scripts.corpora.demo.lexicons import lexicons
from workflow_scripts.corpora.demo.requests import requests
from workflow_scripts.corpora.demo.stanford import stanford
from workflow_scripts.corpora.demo.talk import talk
from workflow_scripts.corpora.demo.winomt import make_winomt
from workflow_scripts.wiring.politeness import TYDIP

TEXTS = ROOT / "resources/demo"
SITUATIONS = sorted((TEXTS / "situations").glob("*.yaml"))
CONTENT = TEXTS / "situations/content.yaml"
SIZES = {
    **{"gyafc_train": 40, "gyafc_dev": 7, "gyafc_test": 9, "xformal": 8},
    **{"ratings": 80, "subtitles": 300, "bitext": 60, "questions": 40, "questions_fr": 20},
}
GIVEN = {"texts": TEXTS / "controlled.yaml", "content": CONTENT, "seed": 5}
SUMS = {
    "GYAFC_Corpus": "2aa82633713b",
    "MultiWOZ": "8c4bcd64cb85",
    "XFORMAL": "794580e7698b",
    "controlled": "11f6714e7d34",
    "generic": "f692a50dd471",
    "held-out": "f90283264ef4",
    "impolite.jsonl": "298a6264c00c",
    "known.jsonl": "53df11db4732",
    "lexicons": "7c2e9c081cb3",
    "opus": "2b8c96d279c0",
    "pt16": "1c4cd8ab147b",
    "requests": "1d31765c6191",
    "stanford.csv": "86d1781e205a",
    "talk": "e4673f143839",
    "winomt.txt": "ba1ae61ac733",
    "world.json": "c35f025dad9e",
    "yahoo": "405f13b92ef0",
    "yahoo-fr": "e571374beea8",
}


def contents(path: Path) -> Iterator[bytes]:
    """What a file holds, unpacked: compressed bytes are others with another version of zlib."""
    data = path.read_bytes()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as file:
            for info in file.infolist():
                yield f"{info.filename} {info.date_time} {info.compress_type}".encode()
                yield f"{info.create_system} {info.external_attr:o}".encode()
                yield file.read(info)
    else:
        yield {".gz": gzip.decompress, ".bz2": bz2.decompress}.get(path.suffix, bytes)(data)


def digest_of(place: Path) -> str:
    """A digest of a file, or of the files of a folder with their names."""
    found = hashlib.sha256()
    for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if path.is_file():
            found.update(f"{path.relative_to(place).as_posix()}\n".encode())
            for content in contents(path):
                found.update(b"%d\n%b" % (len(content), content))
    return found.hexdigest()[:12]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    make_demo(folder, situations=SITUATIONS, seed=5, **SIZES)
    make_known(folder / "known.jsonl", world=folder / "world.json", code="pt_br", xformal=8)
    make_controlled(folder / "controlled", **GIVEN, controlled_train=10, controlled_test=10)
    for part in ("train", "wmt", "ted"):
        sizes = {"generic_train": 50, "generic_test": 20}
        archive = folder / f"generic/{part}.zip"
        make_generic(archive, **GIVEN, occupations=TEXTS / "occupations.yaml", part=part, code="fr", **sizes)
    make_held_out(folder / "held-out", **{**GIVEN, "texts": TEXTS / "held_out.yaml"}, held_out=10)
    make_winomt(folder / "winomt.txt", **{**GIVEN, "texts": TEXTS / "occupations.yaml"}, winomt=20)
    requests(folder / "requests", texts=TEXTS / "requests.yaml", seed=5, train=30, test=12)
    stanford(folder / "stanford.csv", corpus=folder / "requests", workers=7, requests=4, seed=5)
    talk(folder / "talk", texts=TEXTS / "requests.yaml", languages=TYDIP, pages=5, seed=5)
    lexicons(folder / "lexicons", texts=TEXTS / "requests.yaml", words=TEXTS / "lexicons.yaml")
    sizes = {"dialogues_train": 14, "dialogues_dev": 3, "dialogues_test": 6}
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=5, **sizes)
    return folder


@pytest.mark.slow
def test_the_demo_corpora_are_those_of_earlier_versions(demo):
    found = {path.name: digest_of(path) for path in sorted(demo.iterdir())}
    assert found == SUMS
