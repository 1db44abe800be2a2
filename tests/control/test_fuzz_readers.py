"""Any bytes into the readers of translations, submissions and WinoMT: all comes out, or a message does."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from tests.control.conftest import FUZZ
from tests.corpora.fuzzing import FILE, TWO, bad_line
from workflow_scripts.control.outputs import gather_outputs
from workflow_scripts.control.winomt import read_entries, read_translations
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.cocoa import path_of
from workflow_scripts.corpora.iwslt2022 import ORDER, read_submission
from workflow_scripts.text.levels import TEST_DOMAINS

pytestmark = pytest.mark.slow


@FUZZ
@given(TWO)
def test_fuzz_outputs(data):
    with tempfile.TemporaryDirectory() as name:
        files = [Path(name) / "mine.txt", Path(name) / "domains.txt"]
        for path, content in zip(files, data, strict=True):
            path.write_bytes(content)
        out = Path(name) / "out.txt"
        try:
            gather_outputs(out, files=files[:1], domains=files[1])
        except InputError as error:
            assert error.path in files and not out.exists()
        else:
            assert bad_line(data[0]) is None
            assert len(read_lines(out)) == len(read_lines(files[1])) and all(read_lines(out))


@FUZZ
@given(FILE)
def test_fuzz_submissions(data):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.txt").write_bytes(data)
        for domain in TEST_DOMAINS:
            write_lines(path_of(folder, "test", domain, "en"), [domain])
        write_lines(folder / "source.txt", ORDER)
        out = folder / "out.txt"
        given = {"submission": folder / "mine.txt", "source": folder / "source.txt", "corpus": folder}
        try:
            read_submission(out, **given)
        except InputError as error:
            assert error.path == folder / "mine.txt" and not out.exists()
        else:
            assert bad_line(data) is None and len(read_lines(out)) == 3


@FUZZ
@given(FILE)
def test_fuzz_winomt(data):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "es.txt"
        path.write_bytes(data.replace(b"word", b"male\t0\tShe ran.\tcook ||| La"))
        for reader in (read_entries, read_translations):
            try:
                found = reader(path)
            except InputError as error:
                assert error.path == path
            else:
                assert bad_line(data) is None and len(found) == len(read_lines(path))
