"""The cases on the cluster: each is a run in a separate folder, all at the same time.

Most of a case is waiting: for Slurm to start a job, to end it, to say so. One after the other they would take
minutes each.
"""

from dataclasses import dataclass, field

from .base import LEAF, MODEL, SETTINGS, SHARD
from .run import Run


@dataclass
class Found:
    """What a case has seen: its run, what Snakemake said last, and jobs while they were there."""

    run: Run
    said: str = ""
    first: dict[str, str] = field(default_factory=dict)
    refusal: str = ""


def ask_by_gres(run: Run) -> None:
    """Change the line of the profile that says how this cluster hands out GPUs."""
    profile = run.folder / "profiles/slurm/config.yaml"
    text = profile.read_text()
    lines = '# set-resources:\n#   on_a_gpu: {gpu: 0, gres: "gpu:1"}\n'
    assert text.count(lines) == 1
    profile.write_text(text.replace(lines, lines.replace("# ", "")))


def whole_leaf(run: Run) -> Found:
    """A leaf from nothing, on the cluster. Two shards are a job, and not eight: each costs seconds here."""
    head = run.start("--group-components", "filter_shard=2", *SETTINGS, "--", LEAF)
    return Found(run, run.finish(head))


def cancelled(run: Run) -> Found:
    """A training that somebody ends by scancel after its first checkpoint."""
    head = run.start(*SETTINGS, "--", MODEL)
    first = run.stop_training()
    run.slurm.ask("scancel", first["id"])
    return Found(run, run.finish(head), first)


def out_of_time(run: Run) -> Found:
    """A training that is not over after its time; `device: cpu`, on a cluster that is asked by --gres."""
    ask_by_gres(run)
    # A day, which is what its rule asks for, would not grow.
    hours = ["--set-resources", "train_nmt:runtime=attempt*120"]
    head = run.start("--config", "device=cpu", *hours, *SETTINGS, "--", MODEL)
    first = run.stop_training()
    # A minute, the shortest time that Slurm knows, may be over before a busy machine has a checkpoint. So the
    # job gets it now, and not by its rule.
    run.slurm.ask("scontrol", "update", f"JobId={first['id']}", "TimeLimit=1")
    return Found(run, run.finish(head), first)


def started_again(run: Run) -> Found:
    """Snakemake is killed while jobs run; the next run's training exceeds its memory. GPUs by --gres."""
    ask_by_gres(run)
    (run.folder / SHARD).unlink()
    targets = [MODEL, SHARD]
    run.start(*SETTINGS, "--", *targets)
    first = run.stop_training()
    # What ends without Snakemake has run all the same.
    run.kill()
    run.wait("filter_shard", "COMPLETED")
    run.finish(run.start("--unlock", *SETTINGS))
    refusal = run.finish(run.start(*SETTINGS, "--", *targets), code=2)
    run.slurm.ask("scancel", first["id"])
    run.wait("train_nmt", "CANCELLED")
    # PyTorch and Snakemake need more than the first of these.
    memory = ["--set-resources", "train_nmt:mem_mb=attempt*attempt*attempt*200"]
    return Found(run, run.finish(run.start(*memory, *SETTINGS, "--", *targets)), first, refusal)
