"""Bad weather: campaigns of damage, each with its cases and violations.

    python -m tests.stress [CAMPAIGN ...] [--cases N] [--seed N] [--only CASE] [--run FOLDER] [--csv FILE]

The campaigns are inputs, states, texts and kills; all of them without a name. Exit code 1 if there is a
violation. `--run`: a folder in which the tiny run of tests/workflow is done (it is copied); without it that
is made first. `--only`: one case, as a violation names it; its folder is kept and said.
"""

import argparse
import math
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.stress import running
from tests.stress.stages import Stage
from tests.stress.table import Result, Violation, shown, write

CAMPAIGNS = ("inputs", "states", "texts", "kills")


def main() -> int:
    """Do the campaigns that are asked for and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__.split("\n\n")[0])
    parser.add_argument("campaigns", nargs="*", help=f"of {', '.join(CAMPAIGNS)}; all of them by default")
    parser.add_argument("--cases", type=int, default=10_000, help="how many damaged inputs")
    parser.add_argument("--states", type=int, default=300, help="how many damaged states")
    parser.add_argument("--texts", type=int, default=300, help="how many hostile texts")
    parser.add_argument("--kills", type=int, default=100, help="how many kills of a run")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="no case begins after so many, per campaign"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="without commands that take long")
    parser.add_argument("--only", default="", help="one case, as a violation names it")
    parser.add_argument("--run", type=Path, help="a folder in which the tiny run is done")
    parser.add_argument("--csv", type=Path, help="the table as a file")
    given = parser.parse_args()
    wanted = given.campaigns or list(CAMPAIGNS)
    if unknown := [name for name in wanted if name not in CAMPAIGNS]:
        parser.error(f"no campaign {', '.join(unknown)}; known: {', '.join(CAMPAIGNS)}")
    running.prepare()
    # In memory where that is a file system: what is written there need not reach a disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="tuvous-stress-", dir=memory))
    results = []
    try:
        run = finished(given.run, folder)
        for name in wanted:
            begin = time.monotonic()
            given.until = begin + 60 * given.minutes
            result = Result(name)
            with suppress(TimeoutError):
                CALLS[name](result, given, run, folder / name)
            result.seconds = time.monotonic() - begin
            results.append(result)
    finally:
        # Also where a later campaign could not begin.
        print(shown(results, given.seed))
        if given.csv:
            write(given.csv, results)
        if given.only:
            print(f"kept: {folder}", file=sys.stderr)
        else:
            # A case may have left a folder that only its owner may change.
            shutil.rmtree(folder, ignore_errors=True)
    return int(any(result.violations for result in results))


def finished(given: Path | None, folder: Path) -> Path:
    """A folder with a finished tiny run and small released data, which the campaigns may change."""
    from tests.stress.released import put_released_data
    from tests.workflow.tiny import copy_run, make, make_others, put_sources

    run = folder / "run"
    if given is None:
        make(run)
        make_others(run)
    else:
        copy_run(given, run)
        # The run may be of an older checkout.
        put_sources(run)
    put_released_data(run)
    return run


def inputs(result: Result, given: argparse.Namespace, run: Path, folder: Path) -> None:
    """Every input of every command."""
    from tests.stress import inputs as campaign

    folder.mkdir()
    made = staged(given, run, folder)
    name, _, number = given.only.partition("#")
    if given.only:
        case, done, problem = campaign.run_case(made[name], int(number), given.seed, keep=True)
        print(f"{case.damage}: {case.path}\nexit {done.code} after {done.seconds:.1f} s: {problem}")
        print(done.errors)
        return
    for violation in _UNCOVERED:
        count(result, violation, given)
    counts = campaign.shares(made, given.cases, least=min(6, given.cases // len(made)))
    for stage, _, violation in campaign.campaign(made, counts, given.seed):
        count(result, violation, given)
        if result.cases % 200 == 0:
            print(f"{result.cases} of {sum(counts.values())} inputs ({stage})", file=sys.stderr, flush=True)


def states(result: Result, given: argparse.Namespace, run: Path, folder: Path) -> None:
    """Every kind of state."""
    from tests.stress import states as campaign

    folder.mkdir()
    made = staged(given, run, folder)
    for _, _, violation in campaign.campaign(
        made, run, folder / "states", given.states, given.seed, given.only, given.quick
    ):
        count(result, violation, given)


def texts(result: Result, given: argparse.Namespace, run: Path, folder: Path) -> None:
    """Hostile texts."""
    from tests.stress import texts as campaign

    folder.mkdir()
    for _, violation in campaign.campaign(staged(given, run, folder), given.texts, given.seed, given.only):
        count(result, violation, given)


def kills(result: Result, given: argparse.Namespace, run: Path, folder: Path) -> None:
    """Kills of the tiny run."""
    from tests.stress import kills as campaign
    from tests.workflow.tiny import CONFIG, LEAVES, snakemake

    folder.mkdir()
    # The run may be of an older checkout.
    whole = snakemake(run, "--cores", 2, *CONFIG, "--", *LEAVES)
    if whole.returncode:
        raise RuntimeError(whole.stdout[-2000:] + whole.stderr[-2000:])
    until, given.until = given.until, math.inf
    for violation in campaign.campaign(run, folder, given.kills, given.seed, until=until):
        count(result, violation, given)
        # What a run ended with is no case of its own.
        result.cases -= violation is not None


def count(result: Result, violation: Violation | None, given: argparse.Namespace) -> None:
    """Add a case; a violation is said at once. Raises TimeoutError when the campaign's minutes are over."""
    result.add(violation)
    if violation:
        print(f"{violation.case}\t{violation.done}\t{violation.problem}", file=sys.stderr, flush=True)
    if time.monotonic() > given.until:
        raise TimeoutError


def staged(given: argparse.Namespace, run: Path, folder: Path) -> dict[str, Stage]:
    """The stages of all commands, made once for all campaigns."""
    from tests.stress import commands, stages

    global _STAGES
    if _STAGES is None:
        only = given.only.partition("#")[0].removeprefix("programs:")
        _STAGES, without = stages.stages(run, folder, only, given.quick)
        if given.only:
            return _STAGES
        for module, why in sorted(without.items()):
            print(f"not covered: {module}: {why}", file=sys.stderr)
            if module not in commands.UNTESTED and not (given.quick and module in stages.LONG):
                _UNCOVERED.append(Violation("inputs", module, "the command, undamaged", why))
    return _STAGES


_STAGES: dict[str, Stage] | None = None
_UNCOVERED: list[Violation] = []
CALLS = {"inputs": inputs, "states": states, "texts": texts, "kills": kills}

if __name__ == "__main__":
    sys.exit(main())
