"""The walk-through of docs/extending.md that adds a language, done in a copy of the checkout."""

import shutil

import pytest

from workflow_scripts.core.files import read_lines

from .conftest import ROOT
from .test_extending import DOCUMENT, rows
from .walk import steps, walk

pytestmark = pytest.mark.long
# German at sizes that train in seconds: fewer systems, the demo's ratings, an encoder that is only counted.
# Italian stands for the others, whose jobs are the same; a dry run has all four.
ALL = ("pt", "it", "fr", "de")
LANGUAGES = ("it", "de")
SMALL = """
mirror: {mirror}
languages: [it, de]
demo: {{ratings: 200}}
corpora: {{pt16: demo}}
filtering:
  shards: 1
  informal_below: -1.0
  samples: {{lm: 300, multi_task: 20, backtranslate: 20, dev: 20}}
translation:
  nmt:
    vocabulary_size: 800
    max_length: 30
    dev_sentences: 40
    train_sentences: 1500
    model: {{embedding: 32, hidden: 32, attention: 32, checkpoint_every: 50, max_updates: 100}}
    decoding: {{beam_size: 1}}
formality: {{held_out: 40, encoder: {{kind: ngrams}}}}
transfer:
  vocabulary_size: 500
  max_length: 30
  copying: {{checkpoint_every: 50, max_updates: 100}}
  model: {{embedding: 32, hidden: 32, attention: 32, checkpoint_every: 25, max_updates: 50}}
  decoding: {{beam_size: 1}}
evaluation: {{resamples: 100}}
human: {{systems: [rule-based], sentences: 5}}
systems:
  translate-train-tag: {{seeds: [1]}}
  multi-task-tag-style: {{languages: []}}
  backtranslate: {{languages: []}}
  unmt: {{languages: []}}
  dlsm: {{languages: []}}
  own-pairs: {{languages: []}}
"""


@pytest.mark.skipif(shutil.which("apertium") is None, reason="needs Apertium and its Spanish pairs")
def test_german_stands_beside_the_other_languages(project, snakemake, mirror):
    (project / "small.yaml").write_text(SMALL.format(mirror=mirror), encoding="utf-8")
    if (ROOT / ".venvs").is_dir():
        (project / ".venvs").symlink_to(ROOT / ".venvs")

    def run(words: list[str]) -> None:
        mirrored = words.index("--")
        planned = snakemake(
            project, *words[:mirrored], "-n", "--config", f"mirror={mirror}", *words[mirrored:]
        )
        assert planned.returncode == 0, planned.stdout[-3000:] + planned.stderr[-3000:]
        assert {f"build/evaluation/{lang}/scores.csv" in planned.stdout for lang in ALL} == {True}
        words[words.index("--cores") + 1] = "2"
        words.insert(mirrored, "small.yaml")
        done = snakemake(project, *words)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    walk(steps(DOCUMENT, "A language"), project, run)
    table = rows(project / "results/table7.csv", "system")
    assert set(table) == {"GOLD STANDARD", "COPY", "RULE-BASED", "ROUND-TRIP MT", "TRANSLATE TRAIN TAG"}
    for metric in ("self_bleu", "formality", "perplexity", "multi_bleu"):
        for lang in LANGUAGES:
            filled = {name for name, row in table.items() if row[f"{metric}_{lang}"]}
            assert filled >= set(table) - {"GOLD STANDARD"}, (metric, lang)
    assert float(table["COPY"]["self_bleu_de"]) == 100 > float(table["COPY"]["multi_bleu_de"]) > 40
    # CoCoA-MT's own pairs, as they are: nothing was translated. Italian's are Spanish ones.
    own, spanish, german, italian = (
        read_lines(project / f"build/{place}/train.formal.txt")
        for place in (
            *("corpora/cocoa-mt-pairs/de", "corpora/gyafc"),
            *("translation/gyafc/de", "translation/gyafc/it"),
        )
    )
    assert own == german
    assert len(italian) == len(spanish) and italian != spanish
    # The other languages' sentences have no model of their own to be translated by.
    assert [path.name for path in sorted((project / "build/translation/nmt").iterdir())] == ["de"]
