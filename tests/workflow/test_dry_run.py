"""What a dry run costs: that of the largest page, all papers at the paper's scale."""

import re
import resource

import pytest

from tests.workflow.tiny import ROOT, snakemake

pytestmark = pytest.mark.slow

PAPERS = "report={papers: [xformal, pt16, tydip, cocoa-mt, impolite]}"
# Some 150 MiB are Snakemake and the rules, and 25 KiB are each job.
MOST = 512 << 20
# Rules that count how often Snakemake asks rules whether they make a file, and functions what they take.
COUNTING = """
import atexit
import inspect
from snakemake.rules import Rule

PATHS_ASKED_FOR, ORIGINAL_IS_PRODUCER = [], Rule.is_producer
Rule.is_producer = lambda rule, path: PATHS_ASKED_FOR.append(path) or ORIGINAL_IS_PRODUCER(rule, path)

include: "{snakefile}"

FUNCTIONS_LEFT = [name for name in globals() if name.startswith("__rule_")]
FUNCTIONS_ASKED, ORIGINAL_SIGNATURE = [], inspect.signature
inspect.signature = lambda function, **given: (
    FUNCTIONS_ASKED.append(function) or ORIGINAL_SIGNATURE(function, **given)
)
atexit.register(
    lambda: print(f"asked {{len(PATHS_ASKED_FOR)}} {{len(FUNCTIONS_ASKED)}}, functions {{FUNCTIONS_LEFT}}")
)
"""


def limited() -> None:
    """Let the process have so much memory of its own."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))


def test_a_dry_run_of_all_papers_fits_into_half_a_gigabyte():
    words = ("-n", "--forceall", "--configfile", "config/paper.yaml", "--config", PAPERS)
    done = snakemake(ROOT, *words, "--", "results/index.html", preexec_fn=limited)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    total = re.findall(r"^total +(\d+)", done.stdout, re.M)[-1]
    assert 1000 < int(total) < 3000


def test_the_work_of_a_dry_run_grows_with_its_jobs_only(tmp_path):
    """No file is looked for in all rules, and no command is formatted with the functions of all rules."""
    (tmp_path / "Snakefile").write_text(COUNTING.format(snakefile=ROOT / "Snakefile"))
    words = ("-n", "--configfile", str(ROOT / "config/paper.yaml"), "--config", PAPERS)
    done = snakemake(tmp_path, *words, "--", "results/index.html", "results/sources.csv")
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    total = int(re.findall(r"^total +(\d+)", done.stdout, re.M)[-1])
    ((asked, signatures, functions),) = re.findall(r"^asked (\d+) (\d+), functions (.*)", done.stdout, re.M)
    assert int(asked) < 20 * total
    # Functions that Snakemake wraps are still asked.
    assert int(signatures) < 3 * total
    assert functions == "[]"
