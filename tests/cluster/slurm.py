"""A Slurm of one node on this machine, with its own configuration, while tests need it."""

import os
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "scontrol")
# More than this machine has, since the jobs of a test mostly wait.
PROCESSORS = 32
MEGABYTES = 200_000
# Seconds that something on a busy machine may take.
PATIENCE = 1500
CONFIGURATION = """\
ClusterName=tuvous
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog={folder}/prolog
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=10000
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MinJobAge=7200
KillWait=2
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=localhost CPUs={processors} RealMemory={memory} Gres=gpu:2
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Why there can be no Slurm here; nothing if there can."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"Slurm is not installed ({', '.join(absent)}): apt-get install slurm-wlm munge"
    return "" if os.geteuid() == 0 else "Slurm's programs are started as root here"


@dataclass
class Slurm:
    """A running Slurm; `environment` is that of a user of it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def ask(self, *command: str) -> str:
        """What a command of Slurm says."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def jobs(self, *options: str) -> list[dict[str, str]]:
        """The jobs in the queue, or with `--states=all` those that have ended too."""
        names = ("id", "comment", "state", "folder", "submitted")
        lines = self.ask("squeue", "--array", "--noheader", "--format=%i|%k|%T|%Z|%F", *options).splitlines()
        return [dict(zip(names, line.split("|"), strict=True)) for line in lines]

    def details(self, number: str) -> dict[str, str]:
        """All that is known of a job."""
        words = self.ask("scontrol", "show", "job", number).split()
        return dict(word.partition("=")[::2] for word in words)

    def devices(self, number: str) -> set[str]:
        """The GPUs that the steps of a job could see: a number, or nothing."""
        return set((self.folder / "devices" / number).read_text().splitlines())

    def empty(self) -> None:
        """End every job and wait until the node is free."""
        self.ask("scancel", "--user=root")
        end = time.monotonic() + 120
        while self.jobs():
            assert time.monotonic() < end, self.jobs()
            time.sleep(0.5)


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def write_configuration(folder: Path) -> None:
    """Everything that Slurm reads, and two devices of no use as GPUs."""
    for name in ("state", "spool", "bin", "dev", "devices"):
        (folder / name).mkdir()
    ports = {"controller": free_port(), "node": free_port()}
    text = CONFIGURATION.format(folder=folder, processors=PROCESSORS, memory=MEGABYTES, **ports)
    (folder / "slurm.conf").write_text(text)
    for number in range(2):
        os.mknod(folder / f"dev/gpu{number}", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    (folder / "gres.conf").write_text(f"NodeName=localhost Name=gpu File={folder}/dev/gpu[0-1]\n")
    (folder / "munge.key").write_bytes(secrets.token_bytes(1024))
    (folder / "munge.key").chmod(0o400)
    # It runs in each step of a job: which GPUs there are is noted.
    (folder / "prolog").write_text(
        f'#!/bin/sh\necho "$CUDA_VISIBLE_DEVICES" >> {folder}/devices/$SLURM_JOB_ID\n'
    )
    # The plugin takes SLURM_CONF from its steps, which then would look in /etc/slurm.
    (folder / "bin/srun").write_text(
        f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which("srun")} "$@"\n'
    )
    for name in ("prolog", "bin/srun"):
        (folder / name).chmod(0o755)


@contextmanager
def running(folder: Path) -> Iterator[Slurm]:
    """Munge and Slurm in a folder whose path is short and open to all users; they end with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    write_configuration(folder)
    configuration = str(folder / "slurm.conf")
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    # Each job compiles the modules of its folder again where Python may not keep them.
    left_out = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    slurm = Slurm(folder, {**environment, "SLURM_CONF": configuration, "PATH": path})
    commands = [
        [
            *("munged", "--foreground", "--force", "--num-threads=2", f"--socket={folder}/munge.socket"),
            *(f"--key-file={folder}/munge.key", f"--seed-file={folder}/munge.seed"),
            *(f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log"),
        ],
        ["slurmctld", "-D", "-c", "-f", configuration],
        ["slurmd", "-D", "-N", "localhost", "-f", configuration],
    ]
    started: list[subprocess.Popen] = []
    with (folder / "daemons.log").open("wb") as log:
        try:
            for command in commands:
                started.append(subprocess.Popen(command, env=slurm.environment, stdout=log, stderr=log))
                if command[0] == "munged":
                    _until(lambda: (folder / "munge.socket").exists(), "munged makes no socket", folder)
            _until(lambda: _idle(slurm), "the node is not idle", folder)
            yield slurm
        finally:
            with suppress(Exception):
                slurm.empty()
            for process in reversed(started):
                process.send_signal(signal.SIGTERM)
            for process in reversed(started):
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def _idle(slurm: Slurm) -> bool:
    done = subprocess.run(
        ["sinfo", "--noheader", "--format=%T"], env=slurm.environment, capture_output=True, text=True
    )
    return done.stdout.strip() == "idle"


def _until(seen: object, problem: str, folder: Path) -> None:
    end = time.monotonic() + 30
    while not seen():  # type: ignore[operator]
        logs = "".join(path.read_text(errors="replace")[-2000:] for path in folder.glob("*.log"))
        assert time.monotonic() < end, f"{problem}: {logs}"
        time.sleep(0.2)
