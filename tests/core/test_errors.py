"""Where bad input is: a message names a file, even where the function that finds it got the content only."""

from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import write_lines
from workflow_scripts.text.learn import learn
from workflow_scripts.text.punkt import learn_punkt


def test_files_are_named_where_none_is():
    with (
        pytest.raises(InputError, match=r"^a, b: too few; give more$") as raised,
        about(Path("a"), Path("b")),
    ):
        raise InputError("too few", fix="give more")
    assert (raised.value.problem, raised.value.fix) == ("too few", "give more")


def test_a_file_that_is_named_stays():
    with pytest.raises(InputError, match=r"^c:3: no number$"), about(Path("a")):
        raise InputError("no number", path="c", line=3)
    with pytest.raises(KeyError), about(Path("a")):
        raise KeyError("c")


def test_texts_that_are_too_short_are_named(tmp_path):
    text = tmp_path / "a.txt"
    write_lines(text, [" ", ""])
    with pytest.raises(InputError, match=r"a\.txt: no text to learn sentence boundaries from"):
        learn_punkt(tmp_path / "punkt", texts=[text])
    write_lines(text, ["a b c"])
    with pytest.raises(InputError, match=r"a\.txt: cannot learn a vocabulary of 9 symbols"):
        learn(tmp_path / "text", texts=[text], languages=["en"], vocabulary_size=9, tags=[], seed=1)


def test_the_end_of_the_memory_has_the_names_too():
    with pytest.raises(InputError, match=r"^a: not enough memory; shorten very long lines"), about(Path("a")):
        raise MemoryError
    said = "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"
    with pytest.raises(InputError, match=r"^a: not enough memory"), about(Path("a")):
        raise RuntimeError(said)
    with pytest.raises(RuntimeError, match="a bug"), about(Path("a")):
        raise RuntimeError("a bug")
