"""Command: estimate the language model used for "perplexity" (XFORMAL, Section 5.3)."""

import re
import sys
import tempfile
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import chunks, lines, map_lines, progress, write_lines, writing
from workflow_scripts.core.processes import call
from workflow_scripts.text.blank import filled
from workflow_scripts.text.moses import Truecaser, normalise, tokenise

# KenLM counts orders from 0 in this message.
_FALLBACK = re.compile(r"fallback.* order (\d+):")


def train(
    programs: Path,
    model: Path,
    sentences: Path,
    *,
    language: str,
    order: int,
    memory: str,
    truecaser: Path,
    temporary: Path,
) -> None:
    """Estimate an n-gram model with modified Kneser-Ney smoothing on truecased Moses tokens.

    The truecasing model is learnt from the same sentences and written too. If counts of counts are too small
    for Kneser-Ney's discounts, as in small corpora, KenLM's fallback discounts are used, and stderr says for
    which n-grams; lines without a word are left out, and stderr says how many. Raises InputError if there is
    no text or a program fails.

    :param programs: folder with lmplz and build_binary
    :param model: file to write: KenLM's binary model
    :param sentences: one sentence a line
    :param order: length of the longest n-grams (5 in the paper)
    :param memory: memory in which lmplz sorts, for example 1G
    :param truecaser: file to write: truecasing model, in Moses' format
    :param temporary: folder for files several times as large as the text, which are removed at the end
    """
    temporary.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=temporary, prefix="lm.") as name:
        scratch = Path(name)
        tokenised, text, arpa, binary = (scratch / file for file in ("tokens", "text", "arpa", "binary"))
        raw = progress(lines(sentences), "tokenise", unit="sentence")
        tokens = (
            tokens
            for chunk in chunks(raw, 10_000)
            for tokens in tokenise(normalise(chunk, language), language)
        )
        size = write_lines(tokenised, filled(tokens, sentences))
        if not size:
            raise InputError("no text to estimate a language model from", path=sentences)
        case = Truecaser.train(progress(lines(tokenised), "learn case", size, unit="sentence"))
        map_lines(tokenised, text, case.truecase)
        with about(model):
            messages = call(
                [
                    *(
                        programs / "lmplz",
                        "--order",
                        str(order),
                        "--memory",
                        memory,
                        "--temp_prefix",
                        scratch / "sort",
                    ),
                    *("--arpa", arpa, "--discount_fallback", "--skip_symbols"),
                ],
                stdin=text,
                fix="read its message above; check that fluency.memory suits this machine",
                keep=_FALLBACK.pattern,
            )
            call([programs / "build_binary", arpa, binary])
        case.save(truecaser)
        with writing(model, binary=True) as stream, binary.open("rb") as source:
            while block := source.read(1 << 24):
                stream.write(block)
    for length in (int(match[1]) + 1 for line in messages if (match := _FALLBACK.search(line))):
        print(
            f"{model}: too little text for the discounts of {length}-grams: KenLM's fallback", file=sys.stderr
        )


if __name__ == "__main__":
    run(train)
