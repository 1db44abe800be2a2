"""Files of settings, and entries after --config, before Snakemake reads them: one line, at once."""

import json
import subprocess
import time
from collections.abc import Callable

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config.files import DEEPEST, VALUES, check_entries, check_files
from workflow_scripts.core.errors import InputError

Run = Callable[..., subprocess.CompletedProcess]


def bomb(begin: str, again: str) -> str:
    """Thirty lines, of which each has the one before twice."""
    lines = [f"a0: &a0 {begin}"]
    lines += [f"a{i}: &a{i} {again.replace('*', f'*a{i - 1}')}" for i in range(1, 31)]
    return "\n".join(lines)


# What is written, and what is said of it; `{}` stands for the file.
WRONG: dict[str, tuple[str | bytes, str]] = {
    "a key twice": ("seed: 1\nscale: demo\nseed: 2\n", "{}:3: key 'seed' is repeated"),
    "an inner key twice": ("a: {b: 1, 'b': 2}", "{}:1: key 'b' is repeated"),
    "a key twice in JSON": ('{"a": {"b": 1, "b": 2}}', "{}: key 'b' is repeated"),
    "a bomb of lists": (bomb("[x, y]", "[*, *]"), "{}:14: more than 50,000 values, those of aliases counted"),
    "a bomb of mappings": (bomb("{x: y}", "{x: *, y: *}"), "values, those of aliases counted"),
    "a bomb of merges": (bomb("{x: y}", "{<<: [*, *]}"), "values, those of aliases counted"),
    "an alias of itself": ("a: &a [*a]", "{}:1: alias *a has no anchor, or refers to itself"),
    "a long number": ("seed: " + "9" * 5000, "{}:1: a number of 5000 digits"),
    "a long hexadecimal number": ("seed: 0x" + "f" * 5000, "{}:1: a number of 5002 digits"),
    "a long number in JSON": (json.dumps({"seed": 1}).replace("1", "9" * 5000), "a number of 5000 digits"),
    "not UTF-8": ("seed: 1\nlicensed: Ouï\n".encode("latin-1"), "{}:2: not UTF-8"),
    "a zero byte": (b"seed: \0", "{}: not YAML: unacceptable character #x0000"),
    "deep lists": ("a: " + "[" * 100_000, f"{{}}:1: more than {DEEPEST} lists or mappings in each other"),
    "deep lists in JSON": ('{"a": ' + "[" * 100_000, f"more than {DEEPEST} lists or mappings in each other"),
    "a tab": ("a:\n\tb: 1\n", "{}:2: not YAML: "),
    "no date": ("licensed: 2020-13-45", "{}: not YAML: month must be in 1..12"),
    "an object of Python": ("a: !!python/object/apply:os.system [ls]", "{}:1: '!!python/object"),
    "a list as key": ("? [a]\n: 1\n", "{}:1: a key is a word, no list or mapping"),
    "a set": ("rows: !!set {fr, it}\n", "{}:1: '!!set' is not a list or mapping"),
    "pairs": ("seed: 1\nrows: !!omap [a: 1]\n", "{}:2: '!!omap' is not a list or mapping"),
    "a number to base 8": (
        "scale: demo\nseed: 010\n",
        "{}:2: 010 is another number to YAML: write it plainly",
    ),
    "a number to base 60": ("a: [1, 1:30]\n", "{}:1: 1:30 is another number to YAML"),
    "a fraction to base 60": ("a: 1:30.5\n", "{}:1: 1:30.5 is another number to YAML"),
    "a list": ("- 1\n", "{}: settings are keys with values, such as seed: 1"),
    "nothing": ("", "{}: settings are keys with values, such as seed: 1"),
    "too large": ("# " + "x" * 1_000_000, "{}: more than 1,000,000 bytes are not a file of settings"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_one_line_at_once(tmp_path, name):
    content, message = WRONG[name]
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    started = time.process_time()
    with pytest.raises(InputError) as error:
        check_files([path])
    # Far below a second; what aliases expand to would fill the memory before a minute is over.
    assert time.process_time() - started < 30
    assert message.replace("{}", str(path)) in str(error.value)
    assert len(str(error.value).splitlines()) == 1 and len(str(error.value)) < 500


def test_a_file_that_is_not_there_or_a_folder_is_one_line(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml: no such file of settings"):
        check_files([tmp_path / "none.yaml"])
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        check_files([tmp_path])


@pytest.mark.slow
def test_right_files_pass(tmp_path):
    check_files([ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))])
    path = tmp_path / "mine.json"
    # Beyond the first 65,536 characters JSON has two escapes, which are no YAML.
    path.write_text(json.dumps({"licensed": "\U0001f600", "seed": 1}))
    check_files([path])
    path.write_text(yaml.safe_dump({"a": list(range(VALUES - 10))}))
    check_files([path])
    path.write_text(
        "a: ['010', \"1:30\", 0, -0, 10, 1_000, 0.5, 00.5, 0x10, !!str 010, !!seq [1], !!map {}]\n"
    )
    check_files([path])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("seed", "--config 'seed': write it as key=value"),
        ("=3", "write it as key=value"),
        ("systems={a: 1, a: 2}", "--config systems:1: key 'a' is repeated"),
        ("seed=010", "--config seed:1: 010 is another number to YAML"),
        ("languages=!!set {fr, it}", "--config languages:1: '!!set' is not a list or mapping"),
        ("seed=" + "9" * 5000, "--config seed:1: a number of 5000 digits"),
        ("systems={" + bomb("{x: y}", "{x: *, y: *}").replace("\n", ", ") + "}", "values, those of aliases"),
    ],
)
def test_a_wrong_entry_is_one_line(entry, message):
    with pytest.raises(InputError) as error:
        check_entries([entry])
    assert message in str(error.value) and len(str(error.value).splitlines()) == 1


def test_an_entry_may_be_any_text():
    check_entries(["seed=1", "mirror=@there", "human={ratings: a b}", "rows=[copy, gold]", "mirror="])


@pytest.mark.parametrize("name", ["a bomb of mappings", "not UTF-8", "a long number", "a key twice"])
def test_snakemake_does_not_get_to_read_it(snakemake, tmp_path, name):
    content, message = WRONG[name]
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = snakemake(ROOT, "-n", "--configfile", path, "--", "results/table7.csv")
    assert done.returncode == 2
    # Before it Snakemake says which profile it uses.
    assert len(done.stderr.splitlines()) == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: ") and message.replace("{}", str(path)) in last


@pytest.mark.slow
def test_without_a_profile_and_in_the_checkout_duplicates_are_found_too(snakemake, project):
    (project / "config.yaml").write_text((project / "config.yaml").read_text() + "seed: 2\n")
    done = snakemake(project, "-n", "--workflow-profile", "none", "--", "results/table7.csv")
    assert done.returncode == 2 and "config.yaml" in done.stderr and "key 'seed' is repeated" in done.stderr
