"""Command: JParaCrawl (Morishita et al., 2020): a tar with one tab-separated file, in constant memory."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, text_lines, writing
from workflow_scripts.corpora.released_text import tidy
from workflow_scripts.corpora.sources.unpack import tar_member

MEMBER = "en-ja/en-ja.bicleaner05.txt"
# The least number of fields: version 2 has two before a pair (origin and score), version 3 has three.
FIELDS = 4


def read_jparacrawl(archive: Path, out_en: Path, out_l: Path) -> None:
    """Stream English and Japanese from the archive into two parallel files, without unpacking.

    They are the last two fields of a line. Raises InputError if the archive is broken or has no such file, is
    not UTF-8, or has a line of fewer fields.

    :param archive: en-ja.tar.gz
    :param out_en: the English side, one sentence a line
    :param out_l: the Japanese side, parallel to it
    """
    place = archive / MEMBER
    with tar_member(archive, MEMBER) as stream, writing(out_en) as english, writing(out_l) as other:
        count = 0
        for count, line in enumerate(progress(text_lines(stream, place), MEMBER, unit="pair"), 1):
            fields = line.split("\t")
            if len(fields) < FIELDS:
                raise InputError(f"{len(fields)} fields, not {FIELDS} or more", path=place, line=count)
            english.write(f"{tidy(fields[-2])}\n")
            other.write(f"{tidy(fields[-1])}\n")
        if not count:
            raise InputError("no sentence pair", path=place)


if __name__ == "__main__":
    run(read_jparacrawl)
