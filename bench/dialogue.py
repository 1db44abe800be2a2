"""How fast responses are evaluated on this machine, as a row of a Markdown table.

The references of MultiWOZ's real test fold are scored against themselves, with databases as they come; times
are processor time on one thread, with reading and without what is remembered.

    python bench/dialogue.py MIRROR --header
"""

import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from workflow_scripts.core.command import fix_threads, run  # noqa: E402
from workflow_scripts.core.provenance import versions  # noqa: E402

COLUMNS = ("machine", "versions", "dialogues", "turns", "seconds")


def bench(mirror: Path, *, repeats: int = 3, header: bool = False) -> None:
    """Print one row: the median of the repeats.

    :param mirror: folder with convlab2/ and multiwoz/, as the setting `mirror` names it
    :param repeats: how often it is measured
    :param header: print the head of the table first
    """
    fix_threads(1)
    from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
    from workflow_scripts.dialogue.evaluate import references, score
    from workflow_scripts.multiwoz.data import read_dialogues
    from workflow_scripts.multiwoz.database import load_database

    if header:
        print("| " + " | ".join(COLUMNS) + " |\n| " + " | ".join(["---"] * len(COLUMNS)) + " |")
    files = [mirror / f"multiwoz/db/{domain}_db.json" for domain in ("hotel", "restaurant", "train")]
    files.append(mirror / "convlab2/data/multiwoz/db/attraction_db.json")
    times = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "test.jsonl"
        read_multiwoz21(mirror / "convlab2/data/multiwoz/test.json.zip", place)
        for _ in range(repeats):
            begin = time.process_time()
            dialogues = read_dialogues(place)
            score(dialogues, references(dialogues), load_database(*files))
            times.append(time.process_time() - begin)
    found = versions("rapidfuzz", "sacremoses", "sacrebleu")
    names = ", ".join(f"{name} {version}" for name, version in found.items())
    turns = sum(len(one.turns) for one in dialogues)
    row = (
        *(platform.node() or "?", f"Python {platform.python_version()}, {names}"),
        *(f"{len(dialogues):,}", f"{turns:,}", f"{statistics.median(times):.1f}"),
    )
    print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    run(bench)
