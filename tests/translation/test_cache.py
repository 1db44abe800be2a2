"""The cache: who finds what, what survives, several processes at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.translation.cache import Cache

KEY = ("nmt", "m1", "en-pt")


def test_the_key_is_backend_model_direction_and_text(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "c.sqlite"
    store = Cache(path, *KEY)
    store.keep({"a": "A", "it's é\n\x00;": "B"})
    store.close()
    others = [("hf", "m1", "en-pt"), ("nmt", "m2", "en-pt"), ("nmt", "m1", "pt-en")]
    for other in others:
        store = Cache(path, *other)
        assert store.find(["a"]) == {}
        store.keep({"a": "-".join(other)})
        store.close()
    store = Cache(path, *KEY)
    assert store.find(["a", "A", "it's é\n\x00;", "b"]) == {"a": "A", "it's é\n\x00;": "B"}
    store.keep({"a": "A2"})
    assert store.find(["a"]) == {"a": "A2"}
    store.close()


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=5))
def test_what_is_kept_is_found(translations: dict[str, str]) -> None:
    store = Cache(Path(":memory:"), *KEY)
    store.keep(translations)
    assert store.find([*translations, "none of them"]) == translations
    store.close()


def test_many_texts(tmp_path: Path) -> None:
    store = Cache(tmp_path / "c", *KEY)
    many = {str(number): str(-number) for number in range(2345)}
    store.keep(many)
    assert store.find(many) == many
    store.close()


def test_a_batch_is_kept_as_a_whole(tmp_path: Path) -> None:
    store = Cache(tmp_path / "c", *KEY)
    with pytest.raises(TypeError):
        store.keep({"a": "A", "b": None})  # type: ignore[dict-item]
    assert store.find(["a", "b"]) == {}
    store.keep({"a": "A"})
    assert store.find(["a"]) == {"a": "A"}
    store.close()


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("my notes, which are no database\n" * 99)
    with pytest.raises(InputError, match=r"c: not a translation cache"):
        Cache(tmp_path / "c", *KEY)
    assert (tmp_path / "c").read_text().startswith("my notes")


WRITER = """
import sys
from pathlib import Path
from workflow_scripts.translation.cache import Cache
store = Cache(Path(sys.argv[1]), "nmt", "m1", "en-pt")
for i in range(100):
    store.keep({f"common {i}": f"C{i}", f"{sys.argv[2]} {i}": "own"})
store.close()
"""


def test_several_processes_at_once(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WRITER, tmp_path / "c"]
    jobs = [subprocess.Popen([*command, str(n)], cwd=root) for n in range(4)]
    assert [job.wait(60) for job in jobs] == [0, 0, 0, 0]
    store = Cache(tmp_path / "c", *KEY)
    expected = {f"common {i}": f"C{i}" for i in range(100)}
    expected |= {f"{n} {i}": "own" for n in range(4) for i in range(100)}
    assert store.find(expected) == expected
    (count,) = store.connection.execute("SELECT count(*) FROM models").fetchone()
    assert count == 1
    # WAL would not work for jobs on several nodes.
    assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    store.close()
