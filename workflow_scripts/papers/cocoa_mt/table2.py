"""Command: Table 2 of CoCoA-MT, number of segments, and overlap between the references as BLEU."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.cocoa import DOMAINS, read_texts
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded

# Others have sacreBLEU's default; Japanese is segmented into words first.
TOKENIZERS = {"ja": "ja-mecab"}
DECIMALS = {"train": 0, "test": 0, "overlap": 1}


@leaf("lang", "metric", scaled=False)
def table2(*, corpora: list[Path], languages: list[str]) -> Table:
    """Write the number of training and test segments and the overlap of the references.

    The overlap is sacreBLEU's corpus BLEU (0 to 100, its defaults) of the informal references as hypotheses
    against the formal ones, over the test data of all domains as one corpus; MeCab tokenises Japanese.

    :param table: CSV to write: lang, train, test, overlap
    :param corpora: the canonical folder of each language
    """
    cells: Cells = {}
    for language, files in by_language(languages, corpora=corpora).items():
        (train,) = read_texts(files["corpora"], "train", ("formal",))
        formal, informal = read_texts(files["corpora"], "test", ("formal", "informal"))
        score, signature = overlap(informal, formal, TOKENIZERS.get(language))
        numbers = {
            "train": (len(train), f"domains:{'+'.join(DOMAINS['train'])}"),
            "test": (len(formal), f"domains:{'+'.join(DOMAINS['test'])}"),
            "overlap": (score, f"{signature}|hyp:informal|ref:formal|n:{len(formal)}"),
        }
        for metric, (number, facts) in numbers.items():
            cells[language, metric] = Cell(rounded(number, DECIMALS[metric], "half-up"), facts)
    return Table(cells, DECIMALS)


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
    run(table2)
