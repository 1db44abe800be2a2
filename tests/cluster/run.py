"""A run of the workflow on the cluster, and the fate of its jobs."""

import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from .slurm import PATIENCE, Slurm

# The profile as it is, except that the machine is near and the jobs are short.
QUICK = [
    "--slurm-init-seconds-before-status-checks=1",
    "--seconds-between-status-checks=1",
    "--latency-wait=10",
]
PROFILE = ["--workflow-profile", "profiles/slurm", *QUICK]


@dataclass
class Run:
    """Runs in one folder, one after the other."""

    slurm: Slurm
    folder: Path
    heads: list[subprocess.Popen] = field(default_factory=list)

    def start(self, *arguments: object) -> subprocess.Popen:
        """Start the workflow; its jobs are submitted."""
        head = subprocess.Popen(
            [sys.executable, "-m", "snakemake", *PROFILE, *map(str, arguments)],
            cwd=self.folder,
            env=self.slurm.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.heads.append(head)
        return head

    def finish(self, head: subprocess.Popen, *, code: int = 0, seconds: float = PATIENCE) -> str:
        """What a run says until its end, which must be with this code."""
        try:
            said, _ = head.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            head.kill()
            said, _ = head.communicate()
            raise AssertionError(f"the run takes too long: {said[-6000:]}") from None
        assert head.returncode == code, said[-6000:]
        return said

    def kill(self) -> None:
        """End Snakemake wherever it still runs; its jobs go on."""
        for head in self.heads:
            if head.poll() is None:
                head.kill()
                head.communicate()

    def jobs(self, rule: str = "") -> list[dict[str, str]]:
        """What Slurm knows of the jobs of a rule, in the order of their submission; of all without one."""
        return [{**job, **self.slurm.details(job["id"])} for job in self._listed(rule)]

    def told(self) -> list[str]:
        """How many jobs and submissions there were, and a line for each try of what was tried again."""
        jobs = self.jobs()
        lines = [f"{len(jobs)} jobs on nodes in {len({job['submitted'] for job in jobs})} submissions"]
        ended = {job["comment"] for job in jobs if job["state"] != "COMPLETED"}
        lines += [
            f"  {job['comment']:34}{job['state']:12}{job['MinMemoryNode']:>8}{job['TimeLimit']:>12}"
            for job in jobs
            if job["comment"] in ended
        ]
        return lines

    def _listed(self, rule: str) -> list[dict[str, str]]:
        found = [
            job
            for job in self.slurm.jobs("--states=all")
            if job["folder"] == str(self.folder) and job["comment"].startswith(f"rule_{rule}")
        ]
        return sorted(found, key=lambda job: int(job["id"].partition("_")[0]))

    def wait(self, rule: str, state: str = "RUNNING") -> dict[str, str]:
        """The first job of a rule in a state."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for job in self._listed(rule):
                if job["state"] == state:
                    return {**job, **self.slurm.details(job["id"])}
            time.sleep(0.5)
        raise AssertionError(f"no job of {rule} is {state}: {self._listed('')}")

    def stop_training(self) -> dict[str, str]:
        """Let the training stand still as soon as it has a checkpoint; its job.

        So the end of its job comes before that of the training, however slow this machine is.
        """
        end = time.monotonic() + PATIENCE
        process = None
        while time.monotonic() < end:
            if process is None:
                if self.heads and self.heads[-1].poll() is not None:
                    said, _ = self.heads[-1].communicate()
                    raise AssertionError(f"the run ended before its training began: {said[-6000:]}")
                process = self._training()
                time.sleep(0.1)
            elif any(self.folder.glob("build/checkpoints/translation/*/0*")):
                process.suspend()
                return self.wait("train_nmt")
            else:
                time.sleep(0.01)
        raise AssertionError(f"nothing is trained: {self._listed('')}")

    def _training(self) -> psutil.Process | None:
        for process in psutil.process_iter(["cmdline"]):
            try:
                if (
                    "workflow_scripts.seq2seq.train" in (process.info["cmdline"] or [])
                    and Path(process.cwd()) == self.folder
                ):
                    return process
            except psutil.Error:
                continue
        return None
