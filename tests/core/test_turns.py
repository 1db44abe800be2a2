"""Jobs that take turns: on a file system without locks nothing is lost, and nothing is paid for twice."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.turns import _Claims, locks_work, turn

KEY = ("nmt", "m1", "en-pt")
# What Linux answers for a lock on a network file system whose server has none.
WITHOUT_LOCKS = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>
#include <sys/syscall.h>
static int answer(int file, int command, void *argument) {
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK) { errno = ENOLCK; return -1; }
    return syscall(SYS_fcntl, file, command, argument);
}
int fcntl(int file, int command, ...) {
    va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest);
    return answer(file, command, argument);
}
int fcntl64(int file, int command, ...) {
    va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest);
    return answer(file, command, argument);
}
"""
WRITER = """
import sys
from pathlib import Path
from workflow_scripts.core.cache import Cache
store = Cache(Path(sys.argv[1]), "nmt", "m1", "en-pt")
assert store.locked == (sys.argv[3] == "locks")
for i in range(10):
    store.keep({f"common {i}": f"C{i}", f"{sys.argv[2]} {i}": "own"})
assert len(store.find([f"common {i}" for i in range(10)])) == 10
store.check()
store.close()
"""
PAYING = """
import sys, time
from pathlib import Path
from workflow_scripts.translation.job import translate_files
class Paid:
    name, model, largest_batch = "paid", "1", 1
    def translate(self, texts):
        with open(sys.argv[2], "a") as bill:
            bill.write(texts[0] + chr(10))
        time.sleep(0.02)
        return [texts[0].upper()]
    def cost(self, texts):
        return 0.0
source, target = Path(sys.argv[3]), Path(sys.argv[4])
translate_files(Paid(), ("en", "pt"), [source], [target], Path(sys.argv[1]), 1, 1.0)
"""


@pytest.fixture(scope="module")
def without_locks(tmp_path_factory):
    """The environment of a process to which the system refuses every lock."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs a C compiler on Linux, to refuse locks")
    folder = tmp_path_factory.mktemp("locks")
    (folder / "locks.c").write_text(WITHOUT_LOCKS)
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", folder / "locks.so", folder / "locks.c"], check=True, timeout=60
    )
    return {**os.environ, "LD_PRELOAD": str(folder / "locks.so")}


def side_by_side(code: str, environment: dict[str, str], *arguments: list[object]) -> None:
    jobs = [
        subprocess.Popen([sys.executable, "-c", code, *map(str, words)], cwd=ROOT, env=environment)
        for words in arguments
    ]
    assert [job.wait(300) for job in jobs] == [0] * len(jobs)


def test_nothing_is_lost_where_there_are_no_locks(tmp_path, without_locks):
    side_by_side(WRITER, without_locks, *([tmp_path / "c", number, "none"] for number in range(3)))
    expected = {f"common {i}": f"C{i}" for i in range(10)}
    expected |= {f"{number} {i}": "own" for number in range(3) for i in range(10)}
    with closing(Cache(tmp_path / "c", *KEY)) as store:
        store.check()
        assert store.locked and store.find(expected) == expected
    # The lock that was refused, and the highest claim, are empty or say who had it last.
    assert {path.name.partition(".turn")[0] for path in tmp_path.iterdir()} == {"c", ".c"}


@pytest.mark.slow
@pytest.mark.parametrize("locks", [True, False])
def test_nothing_is_paid_for_twice(tmp_path, without_locks, locks):
    sentences = [f"sentence {number}" for number in range(20)]
    jobs = []
    for number in range(2):
        write_lines(tmp_path / f"source{number}", [*sentences, f"of {number}"])
        files = [tmp_path / f"{name}{number}" for name in ("source", "target")]
        jobs.append([tmp_path / "c", tmp_path / "bill", *files])
    side_by_side(PAYING, dict(os.environ) if locks else without_locks, *jobs)
    assert sorted(read_lines(tmp_path / "bill")) == sorted([*sentences, "of 0", "of 1"])
    for number in range(2):
        wanted = [text.upper() for text in [*sentences, f"of {number}"]]
        assert read_lines(tmp_path / f"target{number}") == wanted


def test_locks_of_this_machine_work(tmp_path):
    assert locks_work(tmp_path) and not list(tmp_path.iterdir())


HOLDER = """
import sys, time
from pathlib import Path
from workflow_scripts.core.turns import turn
with turn(Path(sys.argv[1]), 1):
    print("has it", flush=True)
    time.sleep(600)
"""


@contextmanager
def held(path: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen]:
    """A process that has its turn at a file."""
    command = [sys.executable, "-c", HOLDER, path]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as job:
        assert job.stdout is not None and job.stdout.readline() == b"has it\n"
        try:
            yield job
        finally:
            job.kill()


def refused(*_: object) -> None:
    raise OSError(errno.ENOLCK, "no locks available")


def refuse_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(fcntl, "lockf", refused)


@pytest.mark.parametrize("locks", [True, False])
def test_who_waits_too_long_is_told_in_one_line(tmp_path, without_locks, locks, monkeypatch):
    if not locks:
        refuse_locks(monkeypatch)
    with (
        held(tmp_path / "c", dict(os.environ) if locks else without_locks),
        pytest.raises(InputError) as told,
        turn(tmp_path / "c", 0.2),
    ):
        raise AssertionError("two have the turn")
    assert "c: another job has been at this" in str(told.value) and "\n" not in str(told.value)
    assert (str(tmp_path / ".c.turn") in str(told.value)) == (not locks)


@pytest.mark.parametrize("locks", [True, False])
def test_the_turn_of_a_killed_job_ends(tmp_path, without_locks, locks, monkeypatch):
    if not locks:
        refuse_locks(monkeypatch)
    with held(tmp_path / "c", dict(os.environ) if locks else without_locks) as job:
        job.send_signal(signal.SIGKILL)
        job.wait()
        assert list(tmp_path.iterdir())
        with turn(tmp_path / "c", 1) as alive:
            alive()


def test_a_lock_leaves_no_file(tmp_path):
    with turn(tmp_path / "c", 1):
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_a_claim_of_another_machine_ends_when_it_has_long_been_quiet(tmp_path, monkeypatch):
    refuse_locks(monkeypatch)
    claim = tmp_path / ".c.turn.7"
    claim.write_text("00000000-1-00000000")
    with pytest.raises(InputError, match="another job"), turn(tmp_path / "c", 0.2):
        pass
    long_ago = time.time() - 3600
    os.utime(claim, (long_ago, long_ago))
    with turn(tmp_path / "c", 0.2) as alive:
        own = tmp_path / ".c.turn.8"
        os.utime(own, (long_ago, long_ago))
        alive()
        assert time.time() - own.stat().st_mtime < 60
        assert not claim.exists()


def test_a_claim_that_a_later_turn_has_removed_is_withdrawn(tmp_path, monkeypatch):
    claims = _Claims(tmp_path / ".c.turn")
    listings = iter([[], [2]])

    def numbers(_: _Claims) -> list[int]:
        found = next(listings)
        if found:
            (tmp_path / ".c.turn.1").unlink()
        return found

    monkeypatch.setattr(_Claims, "_numbers", numbers)
    assert claims.take() is None and list(tmp_path.iterdir()) == []


RACE = """
import os, random, sys, time
from pathlib import Path
from workflow_scripts.core.turns import turn
target = Path(sys.argv[1])
for _ in range(25):
    child = os.fork()
    if not child:
        with turn(target, 60):
            os.mkdir(target)
            time.sleep(random.uniform(0, 0.002))
            os.rmdir(target)
            os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("locks", [True, False])
def test_one_of_eight_succeeds_a_dead_job(tmp_path, without_locks, locks):
    """Each job dies in its turn, while seven others wait: only one of them has the next turn."""
    environment = dict(os.environ) if locks else without_locks
    side_by_side(RACE, environment, *([tmp_path / "c"] for _ in range(8)))


PROMPTS = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
from workflow_scripts.config.prompted import Price
from workflow_scripts.prompting.answers import Answer, Parameters
from workflow_scripts.prompting.job import ask
class Paid:
    name, model, parallel, seconds = "paid", "1", 4, 0.02
    parameters = Parameters(chat=True, max_tokens=4, temperature=0.0, seed=1)
    price = Price(input=1.0, output=1.0)
    def ask(self, prompt, stopped):
        with open(sys.argv[2], "a") as bill:
            bill.write(prompt + chr(10))
        time.sleep(0.02)
        return Answer(prompt.upper(), "stop", 1, 1, None)
prompts = [f"prompt {number}" for number in range(40)]
answers = ask(Paid(), prompts, Path(sys.argv[1]), SimpleNamespace(max_cost=100.0))
assert {prompt: answer.text for prompt, answer in answers.items()} == {one: one.upper() for one in prompts}
"""


@pytest.mark.slow
@pytest.mark.parametrize("locks", [True, False])
def test_no_prompt_is_paid_for_twice(tmp_path, without_locks, locks):
    environment = dict(os.environ) if locks else without_locks
    side_by_side(PROMPTS, environment, *([tmp_path / "c", tmp_path / "bill"] for _ in range(2)))
    assert sorted(read_lines(tmp_path / "bill")) == sorted(f"prompt {number}" for number in range(40))
