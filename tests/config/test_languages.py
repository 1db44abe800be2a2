"""The table of languages."""

import pytest

from workflow_scripts.config.languages import COLUMNS, languages
from workflow_scripts.core.errors import InputError

HEADER = ",".join(COLUMNS)
FRENCH = "fr" + ",x" * (len(COLUMNS) - 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}\n{FRENCH}\n{FRENCH}\n", "table.csv:3: a second row of language 'fr'"),
        (
            f"{HEADER.replace(',punkt', '')}\n{FRENCH[:-2]}\n",
            f"table.csv:1: no column punkt; needed: {', '.join(COLUMNS)}",
        ),
        ("", "table.csv: empty file; the first line names the columns"),
        (f"{HEADER}\n{FRENCH},more\n", f"table.csv:2: {len(COLUMNS) + 1} fields instead of {len(COLUMNS)}"),
        (f"{HEADER}\nfr,French\n", f"table.csv:2: 2 fields instead of {len(COLUMNS)}"),
        (f"{HEADER}\n{FRENCH[2:]}\n", "table.csv:2: '' is not a language code; write 2 or 3 letters a-z"),
    ],
)
def test_a_wrong_table_of_languages_is_one_line(tmp_path, text, message):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        languages(path)
    assert str(error.value) == f"{tmp_path}/{message}"


def test_the_table_of_languages_may_have_further_columns(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"{HEADER},another\n{FRENCH},fra\n", encoding="utf-8")
    assert languages(path)["fr"]["another"] == "fra"
