"""The campaign of states: damage to files of unfinished jobs, caches, downloads, tools and Snakemake.

The next run must end with the same bytes as an undisturbed one, or stop with one clear line; what it leaves
of a state once it has finished is a violation too.
"""

import filecmp
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.stress import downloads, mutations, programs, running, text_mutations
from tests.stress.commands import Job
from tests.stress.inputs import Case as Damaged
from tests.stress.inputs import judge
from tests.stress.marks import Marks
from tests.stress.stages import KEPT, Stage, clean, listing, stage
from tests.stress.table import Violation
from workflow_scripts.encoders.ngrams import is_ngrams

# Commands that go on where they were killed: those with parts get options for smaller ones, and dialogue
# systems more updates than an epoch has.
RESUMED = (
    *("seq2seq.train", "seq2seq.train_transformer", "unsupervised.train", "unsupervised.train_prior"),
    *("responders.train", "users.fine_tune", "responders.train_recurrent", "users.train_dast"),
    *("encoders.train", "encoders.score", "transfer.decode", "control.decode", "corpora.talk_pages"),
)
SMALLER = {"transfer.decode": ("--chunk-size", "4"), "control.decode": ("--chunk-size", "4")}
UPDATES = {
    **dict.fromkeys(("responders.train", "users.fine_tune", "responders.train_recurrent"), 20),
    "users.train_dast": 100,
}
CACHED = ("translation.translate", "translation.sanity")
FOREIGN = (".000000005.1.part", "999999999", "x.part", "000000.txt.part", "000099.txt", "lost+found")


def options_of(job: Job) -> dict[str, str]:
    """The options of a job that have one value."""
    words = [part for word in job.arguments for part in word.split("=", 1)]
    return {word: words[at + 1] for at, word in enumerate(words[:-1]) if word.startswith("--")}


def with_states(job: Job) -> Job:
    """The job with options by which it keeps a state before it ends."""
    words = [*job.arguments, *SMALLER.get(job.module, ())]
    if job.module in UPDATES:
        course = {"epochs": 100, "max_updates": UPDATES[job.module]}
        for key, value in course.items():
            words = [re.sub(rf'("{key}": )\d+', rf"\g<1>{value}", word) for word in words]
    return replace(job, arguments=tuple(words))


def keeps_state(one: Stage) -> bool:
    """Whether a command keeps a state; encoders of n-grams are trained in one go."""
    if one.job.module not in RESUMED or "--checkpoints" not in options_of(one.job):
        return False
    return one.job.module != "encoders.train" or not is_ngrams(one.folder / one.job.arguments[0])


def resumable(made: dict[str, Stage], run: Path, folder: Path) -> dict[str, Stage]:
    """The stages of commands that keep a state."""
    found = {}
    for name, one in made.items():
        if keeps_state(one):
            job = with_states(one.job)
            found[name] = one if job == one.job else stage(name, job, run, folder / name)
    return found


def killed_states(one: Stage, folder: Path, rng: Random, wanted: int) -> list[Path]:
    """Copies of the states that kills leave: after some saves, and at once or a little later.

    Where the command ends without that many, the next kill comes sooner.
    """
    place = one.folder / options_of(one.job)["--checkpoints"]
    found: list[Path] = []
    saves = 5
    for number in range(5 * wanted):
        if len(found) == wanted:
            break
        at = rng.randint(1, saves)
        killed = (place, at, rng.choice((0, 20)) if number < wanted else 0)
        log = one.folder.parent / "log"
        running.run(one.job.module, one.job.arguments, one.folder, log, seconds=one.limit, killed=killed)
        if place.is_dir() and any(path.is_file() for path in place.rglob("*")):
            shutil.copytree(place, folder / str(number))
            found.append(folder / str(number))
        else:
            saves = max(1, at - 1)
        clean(one.folder, one.before, one.originals)
    return found


def damage_state(rng: Random, place: Path) -> tuple[str, str]:
    """Damage one file of a state, or put something beside it; where and what."""
    files = sorted(path for path in place.rglob("*") if path.is_file())
    chosen = rng.choice(files)
    name = str(chosen.relative_to(place))
    match rng.randrange(12):
        case 0:
            stranger = chosen.parent / rng.choice(FOREIGN)
            if not stranger.exists():
                stranger.write_bytes(rng.choice((b"", b"{}", b"x\n")))
            return name, f"a stranger beside it: {stranger.name}"
        case 1:
            other = rng.choice(files)
            shutil.copy2(other, chosen) if other != chosen else chosen.write_bytes(b"")
            return name, f"another file of the state in its place: {other.name}"
        case 2:
            chosen.write_bytes(b"{}")
            return name, "{} in its place"
        case 3:
            shutil.rmtree(chosen.parent)
            chosen.parent.mkdir()
            return name, "its folder is empty"
        case _:
            return name, mutations.mutate(rng, chosen)


def resumed(one: Stage, states: list[Path], number: int, seed: int) -> tuple[Damaged, str | None, str]:
    """Put a state in place, damage it, and let the command go on."""
    rng = Random(f"{seed}:{one.name}:{number}")
    place = one.folder / options_of(one.job)["--checkpoints"]
    shutil.copytree(rng.choice(states), place)
    name, how = damage_state(rng, place)
    case = Damaged(str((place / name).relative_to(one.folder)), how)
    return case, *after(one, case)


def after(one: Stage, case: Damaged) -> tuple[str | None, str]:
    """Run the command; what is wrong with how it ends and what it says."""
    done = running.run(
        one.job.module, one.job.arguments, one.folder, one.folder.parent / "log", seconds=one.limit
    )
    problem = judge(one, case, done)
    if done.code == 0 and not problem:
        problem = differs(one)
    if done.code == 0 and not problem:
        checkpoints = options_of(one.job).get("--checkpoints")
        left = checkpoints and [str(path) for path in (one.folder / checkpoints).rglob("*") if path.is_file()]
        if left:
            problem = f"a state is left behind: {os.path.relpath(left[0], one.folder)}"
    for path in one.folder.rglob("*"):
        if not path.is_symlink() and not os.access(path, os.R_OK | os.W_OK, follow_symlinks=False):
            path.chmod(0o755)
    clean(one.folder, one.before, one.originals)
    return problem, done.errors


def differs(one: Stage) -> str | None:
    """Which output is not that of the undisturbed run."""
    for path in one.written:
        if path.startswith(KEPT):
            continue
        if not filecmp.cmp(one.folder / path, one.folder.parent / "result" / path, shallow=False):
            return f"another result: {path}"
    return None


def cached(one: Stage, number: int, seed: int) -> tuple[Damaged, str | None, str]:
    """Damage the cache of translations, which knows all sentences, and translate."""
    rng = Random(f"{seed}:{one.name}:{number}")
    path = options_of(one.job)["--cache"]
    place = one.folder / path
    # Half of the damage where sentences are: the first page decides whether the file opens.
    data = place.read_bytes()
    if rng.random() < 0.5:
        at = rng.randrange(4096, len(data)) if len(data) > 4096 else 0
        place.write_bytes(data[:at] + text_mutations.flipped(rng, data[at:]))
        how = "a bit of its pages is another"
    else:
        how = mutations.mutate(rng, place)
    case = Damaged(path, how)
    problem, errors = after(one, case)
    return case, problem, errors


def filled(one: Stage) -> Stage:
    """The stage with the cache that its undisturbed run has filled, as one of the originals."""
    path = options_of(one.job)["--cache"]
    source = one.folder.parent / "result" / path
    shutil.copytree(source.parent, (one.originals / path).parent, dirs_exist_ok=True)
    shutil.copytree(source.parent, (one.folder / path).parent, dirs_exist_ok=True)
    return replace(one, before=listing(one.folder), written=tuple(p for p in one.written if p != path))


def campaign(
    made: dict[str, Stage],
    run: Path,
    folder: Path,
    count: int,
    seed: int,
    only: str = "",
    quick: bool = False,
) -> Iterator[tuple[str, Damaged, Violation | None]]:
    """Damage to states, caches, downloads, programs and marks, in turn; with `quick` no run of Snakemake."""
    turns: list[tuple[str, float, Callable[[int], tuple[Damaged, str | None, str]]]] = []
    wanted = only.partition("#")[0]
    for name, one in resumable(made, run, folder).items():
        if wanted and name != wanted:
            continue
        states = killed_states(one, folder / "states" / name, Random(f"{seed}:{name}"), 2 if quick else 4)
        if states:
            turns.append((name, one.seconds, lambda n, one=one, states=states: resumed(one, states, n, seed)))
        else:
            never = Damaged("", "no kill came between the first state and the end")
            yield name, never, Violation("states", f"{name}#0", never.damage, "not tested")
    for name, one in made.items():
        if one.job.module not in CACHED or (wanted and name != wanted):
            continue
        if (one.folder.parent / "result" / options_of(one.job).get("--cache", "none")).is_file():
            full = filled(one)
            turns.append((name, one.seconds, lambda n, full=full: cached(full, n, seed)))
    for name, do_one in downloads.KINDS.items():
        turns.append((name, 0.3, lambda n, do_one=do_one: do_one(folder, n, seed)))
    for name, one in made.items():
        if one.job.module in programs.PROGRAMS and wanted in ("", f"programs:{name}"):
            own = programs.with_copy(one, run, folder / "programs" / name)
            turns.append((f"programs:{name}", own.seconds, lambda n, own=own: programs.damaged(own, n, seed)))
    if not quick and wanted in ("", "marks"):
        marks = Marks(run, folder / "marks")
        turns.append(("marks", 2.0, lambda n: marks.damaged(n, seed)))
    turns = [turn for turn in turns if wanted in ("", turn[0])]
    # The longer a command takes, the fewer are its cases.
    weights = {name: 1 / max(seconds, 0.2) for name, seconds, _ in turns}
    least = max(1, min(6, count // max(1, len(turns))))
    shares = {name: max(least, round(count * weights[name] / sum(weights.values()))) for name in weights}
    # In turn, so that a campaign whose minutes are over has damaged some of every kind.
    for number in range(max(shares.values(), default=0)):
        for name, _, do in turns:
            if number >= shares[name] or (only and number != int(only.partition("#")[2])):
                continue
            case, problem, errors = do(number)
            found = None
            if problem:
                found = Violation(
                    "states", f"{name}#{number}", f"{case.damage}: {case.path}", problem, errors[-2000:]
                )
            yield name, case, found
