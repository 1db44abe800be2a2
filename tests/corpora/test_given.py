"""Files that a user puts in place: their checksums are recorded once, and compared from then on."""

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora.sources.given import check_given
from workflow_scripts.corpora.sources.sums import read_sums

NAMES = ["params.best", "config"]


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "models/en-de"
    for name in (*NAMES, "log"):
        write_lines(place / name, [name])
    return place


def test_the_first_checksums_are_recorded_beside_the_folder_and_hold(folder, tmp_path):
    out, record = tmp_path / "out.sha256", tmp_path / "models/en-de.sha256"
    check_given(out, folder=folder, names=NAMES, record=True)
    assert read_sums(record) == read_sums(out) == {name: digest(folder / name) for name in NAMES}
    check_given(out, folder=folder, names=NAMES)
    first = digest(folder / "config")
    write_lines(folder / "config", ["other"])
    for accepted in (False, True):
        with pytest.raises(InputError) as told:
            check_given(tmp_path / "none", folder=folder, names=NAMES, record=accepted)
        assert str(told.value) == (
            f"{folder}/config: wrong checksum: sha256 is {digest(folder / 'config')}, recorded is {first};"
            " put the recorded file there again; or, if this one is intended, delete"
            f" {record} and run again"
        )
    assert read_sums(record)["config"] == first and not (tmp_path / "none").exists()


def test_a_file_that_the_record_lacks_is_refused_or_added_to_it(folder, tmp_path):
    record = tmp_path / "models/en-de.sha256"
    kept = [f"{digest(folder / name)}  {name}" for name in ("log", "config")]
    write_lines(record, kept)
    with pytest.raises(InputError, match=r"params\.best: no checksum of this file is recorded in .*unpinned"):
        check_given(tmp_path / "out", folder=folder, names=NAMES)
    assert read_lines(record) == kept
    check_given(tmp_path / "out", folder=folder, names=NAMES, record=True)
    assert read_lines(record) == [*kept, f"{digest(folder / 'params.best')}  params.best"]
    assert read_sums(tmp_path / "out").keys() == set(NAMES)


def test_a_damaged_record_is_no_missing_one(folder, tmp_path):
    record = tmp_path / "models/en-de.sha256"
    record.write_text("gone\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"en-de\.sha256:1: not '<sha256>  <path>'"):
        check_given(tmp_path / "out", folder=folder, names=NAMES, record=True)
    assert record.read_text(encoding="utf-8") == "gone\n"
