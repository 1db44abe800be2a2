"""Command: read a Moses archive of OPUS, a zip with two line-aligned text files, in constant memory."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, writing
from workflow_scripts.corpora.released_text import BYTE_ORDER_MARK, tidy
from workflow_scripts.corpora.sources.unpack import reading

# OpenSubtitles.en-pt_br.pt_br: corpus, pair, and the language of the file.
MEMBER = re.compile(r".*\.(?P<first>\w+)-(?P<second>\w+)\.(?P<language>\w+)")

LONGEST_LINE = 1 << 20


def read_moses(archive: Path, out_en: Path, out_l: Path, *, languages: list[str] | None = None) -> None:
    """Stream the two sides out of the zip into two parallel files; nothing is unpacked to the disk.

    A tab or a carriage return within a line becomes a space, since later stages put a pair on one
    tab-separated line; empty lines stay. Raises InputError if the archive is broken, has no such pair or two
    of them, is not UTF-8 (member and line), or if its sides differ in length.

    :param archive: archive, such as en-pt_br.txt.zip
    :param out_en: the English side, one sentence a line
    :param out_l: the other side, parallel to it
    :param languages: the archive's codes of the two sides, English first; by default they are read from the
        names of its members
    """
    with reading(archive, "zip"), zipfile.ZipFile(archive) as file:
        members = _members(archive, file, languages)
        sides = [_lines(archive, file, member) for member in members]
        with writing(out_en) as english, writing(out_l) as other:
            count = 0
            for pair in progress(_together(archive, members, sides), f"read {archive.name}", unit="pair"):
                english.write(pair[0] + "\n")
                other.write(pair[1] + "\n")
                count += 1
            if not count:
                raise InputError("no sentence pair", path=archive)


def _members(archive: Path, file: zipfile.ZipFile, languages: list[str] | None) -> list[str]:
    """The names of the English and the other member."""
    members: dict[str, str] = {}
    for name in file.namelist():
        match = MEMBER.fullmatch(name)
        if match and match["language"] in (match["first"], match["second"]):
            if match["language"] in members:
                raise InputError(
                    f"two members for language {match['language']}: {members[match['language']]}, {name}",
                    path=archive,
                )
            members[match["language"]] = name
    wanted = languages or ["en", *sorted(set(members) - {"en"})]
    if len(wanted) != 2:
        raise InputError(f"languages are {' '.join(wanted)}; give two, English first", path=archive)
    if missing := [code for code in wanted if code not in members]:
        raise InputError(
            f"no member for language {' or '.join(missing)}; members: {', '.join(sorted(file.namelist()))}",
            path=archive,
        )
    return [members[code] for code in wanted]


def _lines(archive: Path, file: zipfile.ZipFile, member: str) -> Iterator[str]:
    with file.open(member) as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), 1):
            if len(raw) > LONGEST_LINE:
                raise InputError(
                    f"a line of more than {LONGEST_LINE} bytes", path=f"{archive}/{member}", line=number
                )
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"not UTF-8 (byte {error.start} of the line)", path=f"{archive}/{member}", line=number
                ) from None
            text = line.removesuffix("\n").removesuffix("\r")
            yield tidy(text if number > 1 else text.removeprefix(BYTE_ORDER_MARK))


def _together(archive: Path, members: list[str], sides: list[Iterator[str]]) -> Iterator[tuple[str, str]]:
    """The pairs of lines; InputError with both counts if one side ends before the other."""
    first, second = sides
    count = 0
    for count, left in enumerate(first, 1):
        right = next(second, None)
        if right is None:
            counts = count + sum(1 for _ in first), count - 1
            break
        yield left, right
    else:
        counts = count, count + sum(1 for _ in second)
    if counts[0] != counts[1]:
        raise InputError(
            "sides are not parallel: "
            + ", ".join(f"{member} has {n} lines" for member, n in zip(members, counts, strict=True)),
            path=archive,
        )


if __name__ == "__main__":
    run(read_moses)
