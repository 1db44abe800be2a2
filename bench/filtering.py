"""Run the steps of filtering on many pairs, as a run of the workflow in a folder of its own, for its rates.

The demo world has few sentences; its pairs, again and again with another number in each, are read as if they
were an archive of OPUS. `planning.rates_of` then takes the rates from this run and from one of the demo:

    python bench/filtering.py build/bench --pairs 50000
    python -m workflow_scripts.planning.rates_of resources/rates.csv --runs . build/bench --machine "..."
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from workflow_scripts.core.command import run  # noqa: E402
from workflow_scripts.core.csv_files import read_rows, write_csv  # noqa: E402
from workflow_scripts.core.files import writing  # noqa: E402
from workflow_scripts.planning.volumes import COLUMNS  # noqa: E402

ARCHIVE = "opus/OpenSubtitles/v2018/moses/en-fr.txt.zip"
# The location of the demo world, and the files requested from the run.
DEMO = "build/corpora/demo/opus/OpenSubtitles/v2018/moses/en-fr.txt.zip"
TARGETS = ("results/settings.json", "build/filtering/opensubtitles/fr/counts.tsv")


def bench(folder: Path, *, pairs: int = 50_000) -> None:
    """Run the filtering of some pairs.

    :param folder: of the run: it gets `build`, `results`, and the sizes of its corpora as `volumes.csv`
    :param pairs: how many
    """
    folder = folder.resolve()
    snakemake = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "1"]
    subprocess.run([*snakemake, "--directory", str(folder), "--quiet", "rules", "--", DEMO], check=True)
    with zipfile.ZipFile(folder / DEMO) as archive:
        texts = {
            name: archive.read(name).decode("utf-8").splitlines()
            for name in archive.namelist()
            if name.endswith((".en", ".fr"))
        }
    mirror = folder / "mirror"
    with writing(mirror / ARCHIVE, binary=True) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name, lines in texts.items():
            # Filters see a number as a word, and no two pairs are alike.
            more = (f"{lines[place % len(lines)]} {place}" for place in range(pairs))
            archive.writestr(name, "".join(f"{line}\n" for line in more))
    overlay = {
        "mirror": str(mirror),
        "languages": ["fr"],
        "corpora": {"opensubtitles": "v2018"},
        "downloads": {"unpinned": ["opensubtitles"]},
        "filtering": {"shards": 1},
    }
    with writing(folder / "overlay.json") as stream:
        json.dump(overlay, stream)
    rows = []
    for _, row in read_rows(ROOT / "resources/volumes.csv", COLUMNS):
        if (row["corpus"], row["version"], row["part"]) == ("opensubtitles", "v2018", "fr"):
            row |= {"lines": str(pairs), "kept": "0.85"}
        rows.append([row[name] for name in COLUMNS])
    write_csv(folder / "volumes.csv", COLUMNS, rows)
    subprocess.run(
        [
            *snakemake,
            "--directory",
            str(folder),
            "--configfile",
            str(folder / "overlay.json"),
            "--",
            *TARGETS,
        ],
        check=True,
    )


if __name__ == "__main__":
    run(bench)
