"""Files through a translator in chunks: its requests, the kept chunks for a restart, and messages."""

from types import SimpleNamespace

import pytest

from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.seq2seq import decoding
from workflow_scripts.seq2seq.decoding import Decoding, Request


class Upper:
    """A translator that writes capitals, and notes what it is asked."""

    def __init__(self):
        self.asked = []

    def translate(self, texts, source_language, target_language, tag):
        self.asked.append(("".join(texts), source_language, target_language, tag))
        return [text.upper() for text in texts]


@pytest.fixture
def requests(tmp_path, monkeypatch):
    """Five sentences and three; whoever asks for the time finds that two seconds have passed."""
    seconds = iter(range(0, 1000, 2))
    monkeypatch.setattr(decoding, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    write_lines(tmp_path / "one", "abcde")
    write_lines(tmp_path / "two", "xyz")
    return [Request(tmp_path / "one", "en", "fr", "<2formal>"), Request(tmp_path / "two", "de", "it", None)]


def test_chunks_of_all_requests_in_their_order(requests, capsys):
    translator = Upper()
    through = Decoding(translator, None, 2, 8)
    assert [list(through.outputs(request)) for request in requests] == [list("ABCDE"), list("XYZ")]
    first, second = ("en", "fr", "<2formal>"), ("de", "it", None)
    assert translator.asked == [
        *((texts, *first) for texts in ("ab", "cd", "e")),
        *((texts, *second) for texts in ("xy", "z")),
    ]
    # After 2, 4, 6, 8 and 10 seconds.
    speeds = ((2, "1.0"), (4, "1.0"), (5, "0.8"), (7, "0.9"), (8, "0.8"))
    assert capsys.readouterr().err.splitlines() == [
        f"{done} of 8 sentences decoded, {speed} sentences/s" for done, speed in speeds
    ]


def test_chunks_that_an_earlier_run_has_finished_are_read(requests, tmp_path, capsys):
    parts = JobParts(tmp_path / "parts", {})
    killed = Decoding(Upper(), parts, 2, 8)
    assert list(killed.outputs(requests[0])) == list("ABCDE")
    assert sorted(path.name for path in parts.folder.iterdir()) == [f"00000{n}.txt" for n in range(3)]
    assert read_lines(parts.folder / "000001.txt")[1:] == ["C", "D"]
    (parts.folder / "000001.txt").unlink()
    capsys.readouterr()
    translator = Upper()
    again = Decoding(translator, parts, 2, 8)
    assert [list(again.outputs(request)) for request in requests] == [list("ABCDE"), list("XYZ")]
    assert [texts for texts, *_ in translator.asked] == ["cd", "xy", "z"]
    # What was read took no time worth counting.
    assert capsys.readouterr().err.splitlines() == [
        "2 of 8 sentences: were decoded before",
        "4 of 8 sentences decoded, 1.0 sentences/s",
        "5 of 8 sentences: were decoded before",
        "7 of 8 sentences decoded, 1.0 sentences/s",
        "8 of 8 sentences decoded, 0.8 sentences/s",
    ]
