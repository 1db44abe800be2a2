"""That the tests are run with the instructions that `make processors` says."""

import platform

import pytest

from tests.conftest import ROOT
from tests.processors import CAPABILITIES, COMPUTING, LEFT_OUT, SETS, capability, missing


def test_sets_that_the_processor_lacks_or_has_natively_are_not_tried():
    tried = {
        native: [name for name in SETS if not missing(name, native, "x86_64")] for native in CAPABILITIES
    }
    assert tried == {"DEFAULT": [], "AVX2": ["sse"], "AVX512": ["avx2", "sse"]}
    assert missing("avx2", "DEFAULT", "x86_64") == "the processor has no AVX2 (PyTorch's code here: DEFAULT)"
    assert missing("avx2", "AVX2", "x86_64") == "native here: make test"
    assert missing("sse", "DEFAULT", "aarch64") == "the processor is aarch64"


@pytest.fixture(scope="module")
def native():
    """Which code PyTorch takes here; to ask it takes seconds."""
    return capability()


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_the_variables_take_effect(name, native):
    if why := missing(name, native, platform.machine()):
        pytest.skip(why)
    asked, variables = SETS[name]
    assert capability(variables) == asked


def test_tests_that_compute_are_tried():
    """All that import PyTorch, except fuzz tests and the core, which only saves and loads tensors."""
    tests = ROOT / "tests"
    assert all((tests / path).exists() for path in COMPUTING)
    left_out = {pattern: [*tests.glob(pattern)] for pattern in LEFT_OUT}
    assert [pattern for pattern, paths in left_out.items() if not paths] == []
    computing = {
        path: path.relative_to(tests).as_posix()
        for path in tests.glob("*/**/test_*.py")
        if "import torch" in path.read_text(encoding="utf-8")
        and path.parent.name != "core"
        and not path.name.startswith("test_fuzz")
    }
    assert [path for path in sorted(computing.values()) if not path.startswith(COMPUTING)] == []
    assert computing.keys() & {path for paths in left_out.values() for path in paths} == set()
