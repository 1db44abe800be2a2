"""Command: extract a test set of WMT or IWSLT from tar archives, as two parallel files."""

import re
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import text_lines, write_lines
from workflow_scripts.corpora.sources.unpack import tar_member

# SGML and IWSLT's XML are read as sacreBLEU reads them: a segment is a line, and entities stay.
SEGMENTS = (".sgm", ".xml")
SEGMENT = re.compile(r"<seg [^>]*>(.*)</seg>")


def read_set(out_en: Path, out_l: Path, *, archives: list[Path], members: list[str]) -> None:
    """Write both sides of a set: segments of SGML and XML, lines of other files, without surrounding spaces.

    Raises InputError for a broken archive, a missing member, text that is not UTF-8, a set without a segment,
    and for sides of different lengths.

    :param out_en: the English side, one segment a line
    :param out_l: the other side, parallel to it
    :param archives: the archive, or one for each side
    :param members: the file of each side in its archive, English first
    """
    if len(members) != 2 or len(archives) not in (1, 2):
        raise InputError(f"{len(archives)} archives and {len(members)} members", fix="give both sides")
    sides = [
        list(_segments(archive, member))
        for archive, member in zip((archives[0], archives[-1]), members, strict=True)
    ]
    counts = ", ".join(f"{member} has {len(side)}" for member, side in zip(members, sides, strict=True))
    if len({*map(len, sides)}) > 1 or not sides[0]:
        raise InputError(f"the sides are not parallel, or empty: {counts}", path=archives[0])
    write_lines(out_en, sides[0])
    write_lines(out_l, sides[1])


def _segments(archive: Path, member: str) -> Iterator[str]:
    with tar_member(archive, member) as stream:
        for line in text_lines(stream, archive / member):
            if not member.endswith(SEGMENTS):
                yield " ".join(line.split())
            elif line.startswith("<seg "):
                match = SEGMENT.search(line)
                yield " ".join((match[1] if match else line).split())


if __name__ == "__main__":
    run(read_set)
