"""Test data of formality control: sentences of some domains, with references of both levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_parallel
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.text.levels import LEVELS, TEST_DOMAINS, TRAIN_DOMAINS

# The parts with scores: each domain, the two groups of Table 6, and all together. Sentences of a test set
# without domains are of the last part only.
ALL = "all"
PARTS = {
    **{domain: (domain,) for domain in TEST_DOMAINS},
    "in-domain": TRAIN_DOMAINS,
    "out-of-domain": tuple(domain for domain in TEST_DOMAINS if domain not in TRAIN_DOMAINS),
    ALL: (*TEST_DOMAINS, ALL),
}
# The files of a test set: sources, domains, and for each level its references without and with markers.
KINDS = ("source", "domains", *LEVELS, *(f"{level}.annotated" for level in LEVELS))
# The columns of a manifest of outputs.
COLUMNS = ("system", "level", "run", "output")


@dataclass(frozen=True)
class TestSet:
    """Sentences with their references, parallel lists."""

    source: list[str]
    domains: list[str]
    plain: dict[str, list[str]]
    annotated: dict[str, list[str]]

    # Not a test for pytest.
    __test__ = False

    def places(self, part: str) -> list[int]:
        """The places of the sentences of a part."""
        return [place for place, domain in enumerate(self.domains) if domain in PARTS[part]]


def read_test_set(folder: Path) -> TestSet:
    """A test set as `control.test_set` writes it.

    Raises InputError for files that are missing, empty or of different lengths, and for an unknown domain.
    """
    paths = {kind: folder / f"{kind}.txt" for kind in KINDS}
    texts = dict(zip(paths, read_parallel(*paths.values(), filled=True), strict=True))
    if not texts["source"]:
        raise InputError("no sentence to test on", path=paths["source"])
    for line, domain in enumerate(texts["domains"], 1):
        if domain not in PARTS[ALL]:
            fix = f"known: {', '.join(PARTS[ALL])}"
            raise InputError(f"unknown domain '{domain}'", path=paths["domains"], line=line, fix=fix)
    return TestSet(
        texts["source"],
        texts["domains"],
        {level: texts[level] for level in LEVELS},
        {level: texts[f"{level}.annotated"] for level in LEVELS},
    )


@dataclass(frozen=True)
class Output:
    """One file of translations."""

    system: str
    level: str
    """formal or informal, or the name of a generic test set."""
    run: str
    path: Path


def read_outputs(manifest: Path, levels: Sequence[str] = LEVELS) -> list[Output]:
    """The files of a manifest, in its order.

    Raises InputError for a wrong manifest, an unknown level, and a second file of the same run.
    """
    found: dict[tuple[str, str, str], Output] = {}
    for system, level, run, path in read_manifest(manifest, COLUMNS):
        if level not in levels:
            raise InputError(f"unknown level '{level}'", path=manifest, fix=f"known: {', '.join(levels)}")
        if (system, level, run) in found:
            raise InputError(f"a second {run} of system '{system}' for {level}", path=manifest)
        found[system, level, run] = Output(system, level, run, Path(path))
    return list(found.values())


def read_translations(path: Path, count: int, beside: str = "the test set") -> list[str]:
    """As many filled lines as there are sentences; InputError otherwise."""
    found = read_lines(path, filled=True)
    if len(found) != count:
        fix = "it needs one line per sentence"
        raise InputError(f"{len(found)} lines where {beside} has {count}", path=path, fix=fix)
    return found
