"""The line in a terminal and in a file."""

import io
import itertools

from workflow_scripts.progress.line import CLEAR, Line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_file_gets_a_line_for_each_tenth():
    stream = io.StringIO()
    line = Line(stream)
    for done in range(1, 235):
        line.show(f"{done} of 234", done / 234, detail="not in a file")
    line.hide()
    said = stream.getvalue().splitlines()
    assert 10 <= len(said) <= 12
    assert said[-1] == "234 of 234"
    assert "not in a file" not in stream.getvalue()


def test_a_file_gets_a_line_after_a_long_silence(monkeypatch):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    stream = io.StringIO()
    line = Line(stream)
    for now in range(0, 24 * 3600, 10):
        line.show(f"7 of 58 at {now}", 7 / 58)
    said = [int(text.split()[-1]) for text in stream.getvalue().splitlines()]
    # Every five minutes at first, later of a tenth of the time so far.
    assert said[:4] == [0, 310, 620, 930]
    assert 30 <= len(said) <= 50
    assert all(after - before <= max(310, 0.12 * after) for before, after in itertools.pairwise(said))


def test_a_terminal_gets_one_line_that_rewrites_itself(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    line = Line(stream)
    line.show("1 of 2", 0.5, detail="a rule with a long name, longer than the terminal")
    assert stream.getvalue() == f"{CLEAR}[########........] 1 of 2: a rule with a"[: len(CLEAR) + 39]
    line.hide()
    line.hide()
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().endswith(CLEAR)
    assert stream.getvalue().count(CLEAR) == 2


def test_a_terminal_that_is_gone_stops_nothing():
    class Gone(Terminal):
        def write(self, text: str) -> int:
            raise OSError

    line = Line(Gone())
    line.show("1 of 2", 0.5)
    line.show("2 of 2", 1.0)
