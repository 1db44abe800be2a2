"""One line of progress: it rewrites itself in a terminal; in a file there are a few lines."""

import shutil
import time
from typing import TextIO

WIDTH = 16
# In a file: one line per tenth of what is to be done, and after a silence of five minutes, or in long runs of
# a tenth of the time so far.
SHARE = 0.1
SILENCE = 300.0
CLEAR = "\r\x1b[K"


class Line:
    """The last line of a stream: how much is done, and the current work."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self._shown = ""
        self._said = -1.0
        self._began = self._said_at = time.monotonic()

    def show(self, text: str, share: float, detail: str = "") -> None:
        """Show a line: `share` is how much is done, from 0 to 1; a file does not get `detail`.

        In a file it is left out where less than a tenth has been done since the last one, not long ago.
        """
        if self.live:
            drawn = f"[{'#' * int(share * WIDTH):.<{WIDTH}}] {text}" + (f": {detail}" if detail else "")
            self._shown = drawn[: shutil.get_terminal_size((80, 24)).columns - 1]
            self._write(CLEAR + self._shown)
            return
        now = time.monotonic()
        grown = share > self._said and share >= min(1.0, self._said + SHARE)
        if grown or now - self._said_at > max(SILENCE, SHARE * (now - self._began)):
            self._said, self._said_at = share, now
            self._write(f"{text}\n")

    def hide(self) -> None:
        """Take the line away, so that something else can be written."""
        if self.live and self._shown:
            self._write(CLEAR)
            self._shown = ""

    def say(self, text: str) -> None:
        """Write a text of one or more lines in the place of the line, none if it is empty."""
        self.hide()
        if text:
            self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        # Nobody may be there to read it any more; the jobs go on.
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError:
            self.live = False


def clock(seconds: float) -> str:
    """A time as people read clocks: 3:07, or 1:02:07."""
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def about(seconds: float) -> str:
    """An estimate, no more exact than it can be."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 90:
        return f"about {round(seconds, -1):.0f} s"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h"
