"""The demo world's requests, in the layout of TyDiP."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.demo.requests import requests
from workflow_scripts.politeness.corpus import binary_file, parts, read_requests, requests_file
from workflow_scripts.politeness.quartiles import quartiles

TEXTS = ROOT / "resources/demo/requests.yaml"
LANGUAGES = ["en", "hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "TyDiP"
    requests(folder, texts=TEXTS, seed=1, train=60, test=40)
    return folder


def test_the_reader_of_the_released_data_reads_them(corpus: Path) -> None:
    for language in LANGUAGES:
        for part in parts(language):
            found = read_requests(requests_file(corpus, language, part))
            assert len(found) == {"train": 60, "test": 40}[part]
            assert all(request.text.endswith("?") for request in found)


def test_the_binary_parts_are_those_of_the_quartile_rule(corpus: Path) -> None:
    for language in LANGUAGES:
        whole = {part: read_requests(requests_file(corpus, language, part)) for part in parts(language)}
        bounds = quartiles([one.score for part in whole.values() for one in part])
        for part, scored in whole.items():
            outer = [one for one in scored if bounds.side(one.score)]
            assert read_requests(binary_file(corpus, language, part)) == outer
            # As in the released data: the sides of the quartiles are those of 0.
            assert all((one.score > 0) == (bounds.side(one.score) > 0) for one in outer)


def test_no_request_twice(corpus: Path) -> None:
    for language in LANGUAGES:
        texts = [
            one.text
            for part in parts(language)
            for one in read_requests(requests_file(corpus, language, part))
        ]
        assert len(set(texts)) == len(texts)


def test_the_same_arguments_give_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    requests(tmp_path / "again", texts=TEXTS, seed=1, train=60, test=40)
    files = sorted(path.relative_to(corpus) for path in corpus.rglob("*.csv"))
    assert len(files) == 2 * 11
    assert [digest(corpus / file) for file in files] == [digest(tmp_path / "again" / file) for file in files]
    requests(tmp_path / "other", texts=TEXTS, seed=2, train=60, test=40)
    assert digest(corpus / files[0]) != digest(tmp_path / "other" / files[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda texts: texts["fr"].pop("asks"), "fr: 'asks' is not as it should be"),
        (lambda texts: texts["fr"]["opens"].pop("rude"), "fr: 'opens' is not as it should be"),
        (lambda texts: texts["fr"]["says"].append(3), "fr: 'says' has no lists of texts"),
        (lambda texts: texts.update(fr="?"), "fr: 'opens' is not as it should be"),
        (lambda texts: texts["fr"].update(says=["a"]), "36 different requests, 40 are asked for"),
    ],
)
def test_a_mistake_in_the_texts(tmp_path: Path, change, message: str) -> None:
    texts = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    change(texts)
    (tmp_path / "texts.yaml").write_text(
        yaml.safe_dump({"fr": texts["fr"]}, allow_unicode=True), encoding="utf-8"
    )
    with pytest.raises(InputError, match=message):
        requests(tmp_path / "out", texts=tmp_path / "texts.yaml", seed=1, train=60, test=40)
    assert not (tmp_path / "out").exists()
