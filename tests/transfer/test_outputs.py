"""Given outputs."""

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.transfer.outputs import outputs


def test_outputs_are_copied(tmp_path):
    write_lines(tmp_path / "source", ["a", "b"])
    (tmp_path / "given").write_bytes("é\r\nb\u2028c".encode())
    outputs(tmp_path / "source", tmp_path / "given", tmp_path / "new" / "run0.txt")
    assert (tmp_path / "new" / "run0.txt").read_bytes() == "é\nb\u2028c\n".encode()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"a\n", r"given: has 1 lines but .*source has 2"),
        (b"a\nb\nc\n", r"given: has 3 lines but .*source has 2"),
        (b"a\n \n", r"given:2: empty line"),
        (b"a\n\xe9\n", r"given:2: not UTF-8"),
        (None, r"given: no such file"),
    ],
)
def test_bad_outputs(tmp_path, given, message):
    write_lines(tmp_path / "source", ["a", "b"])
    if given is not None:
        (tmp_path / "given").write_bytes(given)
    with pytest.raises(InputError, match=message):
        outputs(tmp_path / "source", tmp_path / "given", tmp_path / "target")
    assert not (tmp_path / "target").exists()
