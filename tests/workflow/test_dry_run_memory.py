"""A dry run needs little memory: that of the largest page, all papers at the paper's scale."""

import re
import resource

from tests.workflow.tiny import ROOT, snakemake

PAPERS = "report={papers: [xformal, pt16, tydip, cocoa-mt, impolite]}"
# Some 150 MiB are Snakemake and the rules, and 25 KiB are each job.
MOST = 512 << 20


def limited() -> None:
    """Let the process have so much memory of its own."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))


def test_a_dry_run_of_all_papers_fits_into_half_a_gigabyte():
    words = ("-n", "--forceall", "--configfile", "config/paper.yaml", "--config", PAPERS)
    done = snakemake(ROOT, *words, "--", "results/index.html", preexec_fn=limited)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    total = re.findall(r"^total +(\d+)", done.stdout, re.M)[-1]
    assert 1000 < int(total) < 3000
