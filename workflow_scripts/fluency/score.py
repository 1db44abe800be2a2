"""Command: score sentences with a language model (XFORMAL's "perplexity", Section 5.3)."""

from collections.abc import Callable
from math import log
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import check_targets, chunks, lines, progress, reading, write_lines
from workflow_scripts.text.moses import Truecaser, normalise, tokenise


def score(model: Path, *, sources: list[Path], targets: list[Path], language: str, truecaser: Path) -> None:
    """Write -log p(s) / (n + 1) in nats for every sentence s of n tokens; the 1 counts the sentence end.

    This is the logarithm of the perplexity per token. The numbers in XFORMAL's tables are taken to be nats;
    the paper names no base. Unknown words have the model's probability of `<unk>`. Raises InputError if the
    model cannot be read.

    :param model: KenLM's binary model
    :param sources: files with one sentence a line
    :param targets: files to write, one number a line, 6 decimals, parallel to the sources
    :param truecaser: truecasing model written together with the language model
    """
    check_targets(sources, targets)
    entropy = _entropy(model)
    case = Truecaser.load(truecaser)

    def scores(texts: list[str]) -> list[str]:
        tokenised = case.truecase(tokenise(normalise(texts, language), language))
        return [f"{entropy(tokens):.6f}" for tokens in tokenised]

    for source, target in zip(sources, targets, strict=True):
        sentences = progress(lines(source), f"score {source.name}", unit="sentence")
        write_lines(target, (value for chunk in chunks(sentences, 10_000) for value in scores(chunk)))


def _entropy(path: Path) -> Callable[[str], float]:
    """A function from a text of tokens, separated by spaces, to nats per token."""
    import kenlm

    with reading(path):
        # Opening it first reports a missing or unreadable file; KenLM gives no reason.
        pass
    try:
        model = kenlm.Model(str(path))
    except OSError as error:
        raise InputError(
            f"not a language model: {error}".splitlines()[0], path=path, fix="estimate it with fluency.train"
        ) from None

    def entropy(tokens: str) -> float:
        # KenLM's logarithms are decimal and include the end of the sentence.
        return -model.score(tokens, bos=True, eos=True) * log(10) / (len(tokens.split()) + 1)

    return entropy


if __name__ == "__main__":
    run(score)
