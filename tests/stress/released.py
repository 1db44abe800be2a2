"""Small files in the layouts of released corpora, beside a finished tiny run."""

import shutil
from pathlib import Path

from tests.conftest import ROOT
from tests.control.conftest import release, shared_task, shared_task_train
from tests.corpora.archives import archive
from tests.encoders.masked_models import masked_model
from tests.politeness.conftest import ENGLISH, REQUESTS, WORDS, strategies
from tests.seq2seq.sockeye_files import MERGES, SYMBOLS, write_sockeye
from tests.tables import put
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.jparacrawl import MEMBER
from workflow_scripts.corpora.tydip_requests import crawled_file
from workflow_scripts.evaluation.released_agreement import RATED, TEXTS
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.text.levels import LEVELS, OF_COCOA, SHARED_TASKS, WITH_SEGMENTS


def put_released_data(folder: Path) -> None:
    """Small files in the layouts of released corpora, where the downloads of a run lie."""
    downloads = folder / "build/corpora/downloads"
    tydip = downloads / "tydip"
    wanted = [row for _, row in read_rows(ROOT / "resources/printed/tydip/table11.csv", ("strategy", "word"))]
    words = {strategy: list(known) for strategy, known in WORDS.items()}
    for row in wanted:
        known = words.setdefault(row["strategy"], [])
        if row["word"] not in [word for word, _ in known]:
            known.append((row["word"], [("bitte", 9)]))
    for line in (ROOT / "resources/sources/tydip.sha256").read_text(encoding="utf-8").splitlines():
        path = tydip / line.split("  ", 1)[1]
        rows = ENGLISH if path.name.startswith("en_") else REQUESTS
        if path.parent.name == "strategies":
            put(path, ("0", "1", "2"), strategies(words))
        else:
            put(path, ("sentence", "score"), rows[:2] if "binary" in path.name else rows)
    for language in ("de", "es", "fr", "hi", "it", "ja", "pt"):
        release(downloads / "cocoa-mt", language)
    for path in (downloads / "cocoa-mt/CoCoA-MT/train/en-es").glob("*.en"):
        # Segments that no tested language knows.
        write_lines(path, [f"{line} Again." for line in read_lines(path)])
    for name in SHARED_TASKS:
        if name not in OF_COCOA:
            shared_task(downloads / f"iwslt{name.partition('-')[2]}", name)
        # The list of its outputs, which no tested command writes.
        place = f"build/control/outputs/references/{name}"
        listed = [("references", level, "run0", f"{place}/{level}/run0.txt") for level in LEVELS]
        manifest = folder / f"build/control/scores/{name}.manifest.csv"
        write_csv(manifest, ("system", "level", "run", "output"), listed)
    for name in (name for name in WITH_SEGMENTS if name not in OF_COCOA):
        shared_task_train(downloads / f"iwslt{name.partition('-')[2]}", name)
    for vendor in ("google", "bing", "aws", "systran"):
        # What is made in the environment of fast_align.
        rows = [(metric, "50.0", "winomt") for metric in ("accuracy", "f1_female", "f1_male")]
        write_csv(folder / f"build/control/winomt/{vendor}.csv", ("metric", "value", "signature"), rows)
    for system in ("none", "cocoa-mt", "feminine"):
        scores = folder / f"build/control/winomt/{system}/fr/run0.csv"
        write_csv(scores, ("metric", "value", "signature"), rows)
    model = Transformer(TransformerSizes(len(SYMBOLS), 8, 2, 8, 1, 1))
    write_sockeye(folder / "models/model.en-fr", model, SYMBOLS, MERGES)
    masked_model(folder / "models/masked")
    rated = [*TEXTS, *RATED.values(), "self-Chrf"]
    rows = [
        [f"s{n % 3}", f"i{n // 3}", f"o{n}", *(f"{(7 * n + m) % 5}.5" for m in range(5))] for n in range(9)
    ]
    put(folder / "meta/fr.csv", rated, rows)
    for genre in ("answers", "blog", "email", "news"):
        target = downloads / "pt16" / genre
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / "build/corpora/demo/pt16/answers", target)
    for code in ("eng", "fra"):
        write_lines(
            downloads / f"tatoeba/data/tatoeba/v1/tatoeba.fra-eng.{code}", [f"{code} {n}." for n in range(9)]
        )
    # What langdetect, in an environment of its own, would have counted.
    for language in ("hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"):
        counts = {f"language:{language}": 8, "language:en": 1}
        write_counts(folder / f"build/corpora/talk/identified/{language}.counts.tsv", counts)
        # And what fast_align would have linked.
        aligned = folder / "build/politeness/lexicons/aligned"
        write_lines(aligned / f"{language}.tsv", ["please , why ?\tbitte , warum ?\t0-0 1-1 2-2 2-3"] * 4)
        write_lines(aligned / "aligner.txt", ["systran-align-0"])
    write_lines(crawled_file(downloads / "tydip-requests", "hi"), [f"So {n}. Why?" for n in range(9)])
    write_lines(downloads / "ntrex/NTREX-128/newstest2019-src.eng.txt", [f"News {n}." for n in range(9)])
    write_lines(downloads / "ntrex/NTREX-128/newstest2019-ref.fra.txt", [f"Nouvelle {n}." for n in range(9)])
    pairs = "".join(f"a.org\t0.7\tNews {n}.\t{n} です\n" for n in range(9))
    sides = {f"set.{code}": f'<seg id="1">{code}</seg>\n<seg id="2">two</seg>\n' for code in ("en", "ja")}
    (downloads / "web").mkdir()
    archive(downloads / "web/pairs.tar.gz", {MEMBER: pairs.encode()})
    archive(downloads / "web/set.tar.gz", {f"{name}.sgm": text.encode() for name, text in sides.items()})
