"""Command: how large CoCoA-MT is, and how alike its references are (Table 2)."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.cocoa import DOMAINS, read_texts
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, Value, write_values

# sacreBLEU's default for languages with spaces; Japanese is cut into words first.
TOKENIZERS = {"ja": "ja-mecab"}


def sizes(values: Path, *, corpus: Path, language: str) -> None:
    """Write the number of training and test segments and the overlap of the references.

    The overlap is sacreBLEU's corpus BLEU (0 to 100, its defaults) of the informal references as hypotheses
    against the formal ones, over the test data of all domains as one corpus; Japanese has MeCab's tokens.

    :param values: CSV to write: lang, metric (train, test, overlap), value, signature, reason
    :param corpus: the language's canonical folder
    :param language: code of the target language
    """
    (train,) = read_texts(corpus, "train", ("formal",))
    formal, informal = read_texts(corpus, "test", ("formal", "informal"))
    score, signature = overlap(informal, formal, TOKENIZERS.get(language))
    found = {
        "train": Value(len(train), f"domains:{'+'.join(DOMAINS['train'])}"),
        "test": Value(len(formal), f"domains:{'+'.join(DOMAINS['test'])}"),
        "overlap": Value(score, f"{signature}|hyp:informal|ref:formal|n:{len(formal)}"),
    }
    write_values(values, LAYOUTS["table2"], {(language, name): value for name, value in found.items()})


def overlap(hypotheses: list[str], references: list[str], tokenizer: str | None) -> tuple[float, str]:
    """Corpus BLEU and its signature; InputError if the tokenizer's packages are missing."""
    from sacrebleu.metrics import BLEU

    try:
        metric = BLEU(tokenize=tokenizer)
    except (ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"sacreBLEU's tokenizer {tokenizer} does not start ({reason})",
            fix="python -m pip install 'sacrebleu[ja]'",
        ) from None
    score = metric.corpus_score(hypotheses, [references]).score
    return float(score), str(metric.get_signature())


if __name__ == "__main__":
    run(sizes)
