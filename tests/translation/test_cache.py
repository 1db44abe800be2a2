"""The cache: lookups, damage, several processes at once."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.translation.rescue import rescue

KEY = ("nmt", "m1", "en-pt")


def test_the_key_is_backend_model_direction_and_text(tmp_path):
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


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=5))
def test_what_is_kept_is_found(translations):
    store = Cache(Path(":memory:"), *KEY)
    store.keep(translations)
    assert store.find([*translations, "none of them"]) == translations
    store.close()


def test_many_texts(tmp_path):
    store = Cache(tmp_path / "c", *KEY)
    many = {str(number): str(-number) for number in range(2345)}
    store.keep(many)
    assert store.find(many) == many
    store.close()


def test_a_batch_is_kept_as_a_whole(tmp_path):
    store = Cache(tmp_path / "c", *KEY)
    with pytest.raises(TypeError):
        store.keep({"a": "A", "b": None})  # type: ignore[dict-item]
    assert store.find(["a", "b"]) == {}
    store.keep({"a": "A"})
    assert store.find(["a"]) == {"a": "A"}
    store.close()


def test_another_file_is_not_overwritten(tmp_path):
    (tmp_path / "c").write_text("my notes, which are no database\n" * 99)
    with pytest.raises(InputError, match=r"c: not a cache of answers"):
        Cache(tmp_path / "c", *KEY)
    assert (tmp_path / "c").read_text().startswith("my notes")


WRITER = """
import sys
from pathlib import Path
from workflow_scripts.core.cache import Cache
store = Cache(Path(sys.argv[1]), "nmt", "m1", "en-pt")
for i in range(20):
    store.keep({f"common {i}": f"C{i}", f"{sys.argv[2]} {i}": "own"})
store.close()
"""


@pytest.mark.slow
def test_several_processes_at_once(tmp_path):
    command = [sys.executable, "-c", WRITER, tmp_path / "c"]
    jobs = [subprocess.Popen([*command, str(n)], cwd=ROOT) for n in range(4)]
    assert [job.wait(60) for job in jobs] == [0, 0, 0, 0]
    store = Cache(tmp_path / "c", *KEY)
    expected = {f"common {i}": f"C{i}" for i in range(20)}
    expected |= {f"{n} {i}": "own" for n in range(4) for i in range(20)}
    assert store.find(expected) == expected
    (count,) = store.connection.execute("SELECT count(*) FROM models").fetchone()
    assert count == 1
    # WAL would not work for jobs on several nodes.
    assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    store.close()


DAMAGES = ("flip", "bytes", "zeros", "cut", "swap")
SENTENCES = {f"sentence {i} " + "x" * (i % 90): f"frase {i} " + "y" * (i % 70) for i in range(300)}


def damaged(data: bytes, kind: str, random: Random) -> bytes:
    """A file as a bad disk may give it back."""
    changed, place = bytearray(data), random.randrange(len(data))
    if kind == "flip":
        changed[place] ^= 1 << random.randrange(8)
    elif kind == "bytes":
        for _ in range(20):
            changed[random.randrange(len(data))] = random.randrange(256)
    elif kind == "zeros":
        changed[place : place + 512] = bytes(len(changed[place : place + 512]))
    elif kind == "cut":
        del changed[place:]
    else:
        one, two = (random.randrange(len(data) // 4096) * 4096 for _ in "12")
        changed[one : one + 4096], changed[two : two + 4096] = data[two : two + 4096], data[one : one + 4096]
    return bytes(changed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A cache of two models."""
    path = tmp_path_factory.mktemp("cache") / "c"
    for model, ending in (("m1", ""), ("m2", "!")):
        with closing(Cache(path, "nmt", model, "en-pt")) as store:
            store.keep({source: target + ending for source, target in SENTENCES.items()})
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_one_line_and_what_is_whole_is_rescued(tmp_path, whole, kind, capsys):
    random, told, rescued = Random(kind), 0, []
    old, new = tmp_path / "c", tmp_path / "new"
    for _ in range(40):
        old.write_bytes(damaged(whole, kind, random))
        try:
            with closing(Cache(old, *KEY)) as store:
                found = store.find(SENTENCES)
                # Nothing is paid for before it is certain that nothing is hidden.
                if len(found) < len(SENTENCES):
                    store.check()
                    pytest.fail("rows are lost, and nobody says so")
            # The damage is elsewhere.
            assert found == SENTENCES
            continue
        except InputError as error:
            line = str(error)
        told += 1
        assert line.startswith(f"{old}: ") and "\n" not in line
        assert f"python -m workflow_scripts.translation.rescue {old} {old}.rescued" in line
        before = old.read_bytes()
        new.unlink(missing_ok=True)
        with suppress(InputError):
            rescue(old, new)
            with closing(Cache(new, *KEY)) as store:
                store.check()
                found = store.find(SENTENCES)
            assert found.items() <= SENTENCES.items()
            rescued.append(len(found) / len(SENTENCES))
        assert old.read_bytes() == before
        assert {path.name for path in tmp_path.iterdir()} <= {"c", "c-journal", "new"}
    assert told > 5
    # Of a file that was cut, half is there.
    assert sum(rescued) / told > (0.3 if kind == "cut" else 0.9)
    assert "translations, 0 of them without a digest" in capsys.readouterr().out


def test_rescue_counts_what_it_drops(tmp_path, whole, capsys):
    (tmp_path / "c").write_bytes(whole.replace(b"frase 77 ", b"frese 77 "))
    with closing(Cache(tmp_path / "c", *KEY)) as store:
        assert store.find(["sentence 1 x"]) == {"sentence 1 x": "frase 1 y"}
        row = next(source for source in SENTENCES if source.startswith("sentence 77 "))
        for use in (lambda: store.find([row]), store.check):
            with pytest.raises(InputError, match="a row has changed"):
                use()
    rescue(tmp_path / "c", tmp_path / "new")
    assert ": 598 translations, 0 of them without a digest; 2 rows had changed" in capsys.readouterr().out
    with closing(Cache(tmp_path / "new", *KEY)) as store:
        assert SENTENCES.items() - store.find(SENTENCES).items() == {(row, SENTENCES[row])}
    with pytest.raises(InputError, match="new: is there already"):
        rescue(tmp_path / "c", tmp_path / "new")


def test_the_rows_of_a_model_whose_name_has_changed_are_not_paid_again(tmp_path, whole):
    with closing(Cache(tmp_path / "c", *KEY)) as store:
        store.keep(SENTENCES)
        store.connection.execute("UPDATE models SET model = 'n1'")
    with closing(Cache(tmp_path / "c", *KEY)) as store:
        assert store.find(SENTENCES) == {}
        with pytest.raises(InputError, match="a row has changed"):
            store.check()
    rescue(tmp_path / "c", tmp_path / "new")
    with closing(Cache(tmp_path / "new", *KEY)) as store:
        assert store.find(SENTENCES) == SENTENCES


OLD_LAYOUT = """
CREATE TABLE models (
    id INTEGER PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, direction TEXT NOT NULL,
    UNIQUE (backend, model, direction)
);
CREATE TABLE translations (
    model INTEGER NOT NULL REFERENCES models (id), source TEXT NOT NULL, target TEXT NOT NULL,
    PRIMARY KEY (model, source)
) WITHOUT ROWID;
INSERT INTO models VALUES (7, 'nmt', 'm1', 'en-pt');
"""


@pytest.fixture
def old_layout(tmp_path):
    """A cache from before rows had digests."""
    with closing(sqlite3.connect(tmp_path / "c")) as connection, connection:
        connection.executescript(OLD_LAYOUT)
        connection.executemany("INSERT INTO translations VALUES (7, ?, ?)", SENTENCES.items())
    return tmp_path / "c"


OPENER = """
import sys
from pathlib import Path
from workflow_scripts.core.cache import Cache
store = Cache(Path(sys.argv[1]), "nmt", "m1", "en-pt")
assert len(store.find(f"sentence {i} " + "x" * (i % 90) for i in range(300))) == 300
store.keep({sys.argv[2]: "own"})
store.check()
store.close()
"""


def test_a_cache_without_digests_is_taken_over_by_several_at_once(old_layout):
    command = [sys.executable, "-c", OPENER, old_layout]
    jobs = [subprocess.Popen([*command, str(n)], cwd=ROOT) for n in range(3)]
    assert [job.wait(120) for job in jobs] == [0, 0, 0]
    with closing(Cache(old_layout, *KEY)) as store:
        store.check()
        expected = SENTENCES | {str(n): "own" for n in range(3)}
        assert store.find(expected) == expected
        assert store.connection.execute("SELECT count(*) FROM translations").fetchone() == (303,)


def test_a_process_killed_while_it_takes_over_a_cache_loses_nothing(old_layout):
    code = OPENER.replace(
        "store = Cache",
        "import os, signal, workflow_scripts.core.cache as module\n"
        "digest_of, count = module.digest_of, iter(range(200))\n"
        "module.digest_of = lambda *row: (\n"
        "    digest_of(*row) if next(count) < 150 else os.kill(os.getpid(), signal.SIGKILL)\n"
        ")\nstore = Cache",
    )
    done = subprocess.run([sys.executable, "-c", code, old_layout, "0"], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    with closing(Cache(old_layout, *KEY)) as store:
        assert store.find(SENTENCES) == SENTENCES
        store.check()


def test_a_damaged_cache_without_digests_is_not_taken_over(old_layout, capsys):
    data = bytearray(old_layout.read_bytes())
    data[5 * 4096 : 5 * 4096 + 100] = bytes(100)
    old_layout.write_bytes(data)
    with pytest.raises(InputError, match="this cache of answers is damaged"):
        Cache(old_layout, *KEY)
    assert old_layout.read_bytes() == data
    rescue(old_layout, old_layout.with_name("new"))
    with closing(Cache(old_layout.with_name("new"), *KEY)) as store:
        found = store.find(SENTENCES)
    assert 0.7 * 300 < len(found) < 300 and found.items() <= SENTENCES.items()
    assert f"{len(found)} of them without a digest" in capsys.readouterr().out


def test_another_database_is_left_alone(tmp_path):
    with closing(sqlite3.connect(tmp_path / "c")) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    before = (tmp_path / "c").read_bytes()
    with pytest.raises(InputError, match="c: a database, but not a cache of answers"):
        Cache(tmp_path / "c", *KEY)
    assert (tmp_path / "c").read_bytes() == before


def test_a_cache_that_cannot_be_opened_or_written_is_one_line(tmp_path, whole):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder: cannot be opened"):
        Cache(tmp_path / "folder", *KEY)
    (tmp_path / "c").write_bytes(whole)
    with closing(Cache(tmp_path / "c", *KEY)) as store:
        store.connection.execute("PRAGMA query_only = 1")
        assert store.find(SENTENCES) == SENTENCES
        with pytest.raises(InputError, match="c: cannot be written"):
            store.keep({"a": "A"})
        store.connection.execute("PRAGMA query_only = 0")
        store.connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(InputError, match="c: no space left on the disk"):
            store.keep({str(number): "x" * 1000 for number in range(100)})
        assert store.find(SENTENCES) == SENTENCES


def test_rescue_of_what_is_no_cache(tmp_path):
    for name, data in (("empty", b""), ("notes", b"my notes\n" * 999)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(
            InputError, match=f"{name}: (contains no intact row of a cache of answers|an empty file)"
        ):
            rescue(tmp_path / name, tmp_path / "new")
    with pytest.raises(InputError, match="nowhere: no such file"):
        rescue(tmp_path / "nowhere", tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "notes"]
