"""The language of raters' files; any other file is named and not ignored."""

from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.rater_files import files_by_language


def put(folder: Path, *names: str) -> Path:
    """A folder of empty files."""
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    return folder


def test_files_by_the_language_with_which_their_names_begin(tmp_path):
    names = ["fr.csv", "fr-ana-1.csv", "fr_bo.csv", "fr.cy.csv", "fr di.csv", "pt.csv", ".~lock.fr.csv#"]
    folder = put(tmp_path / "sent", *names)
    (folder / "workers").mkdir()
    found = files_by_language(folder, ["pt", "it", "fr"], beside=["workers"])
    assert {lang: {path.name for path in files} for lang, files in found.items()} == {
        "fr": set(names[:5]),
        "pt": {"pt.csv"},
    }
    assert found["fr"] == sorted(found["fr"])
    assert files_by_language(folder, None, beside=["workers"]) == found
    assert files_by_language(tmp_path / "none", ["fr"]) == {}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fr-a.CSV", "no file of ratings; call it 'pt.csv' or 'pt-NAME.csv', or take it out"),
        ("fr", "no file of ratings"),
        ("fr.xlsx", "no file of ratings"),
        ("frana.csv", "of which language are these ratings?; .* one of pt, fr and a dash"),
        ("de.csv", "of which language are these ratings?"),
    ],
)
def test_whatever_else_lies_there_is_refused(tmp_path, name, message):
    folder = put(tmp_path / "sent", "fr.csv", name)
    with pytest.raises(InputError, match=rf"sent/{name}: {message}".replace("?", r"\?")):
        files_by_language(folder, ["pt", "fr"])


def test_a_single_file_has_no_further_name(tmp_path):
    folder = put(tmp_path / "workers", "fr.csv")
    assert files_by_language(folder, ["pt", "fr"], single=True) == {"fr": [folder / "fr.csv"]}
    (folder / "fr-a.csv").touch()
    with pytest.raises(InputError, match=r"fr-a\.csv: no file of ratings; call it 'pt\.csv', or take it out"):
        files_by_language(folder, ["pt", "fr"], single=True)
