"""The tests that compute, with the instructions of other processors; `make processors` runs them.

PyTorch, oneDNN and MKL choose their code by the processor. With these variables of the environment they take
that of an older one, whose sums have other last digits.
"""

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parents[1]
# What PyTorch calls its code for each set of instructions, from the oldest.
CAPABILITIES = ("DEFAULT", "AVX2", "AVX512")
# Name -> what PyTorch then calls it, and the variables.
SETS: dict[str, tuple[str, dict[str, str]]] = {
    "avx2": (
        "AVX2",
        {
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        },
    ),
    "sse": (
        "DEFAULT",
        {
            "ATEN_CPU_CAPABILITY": "default",
            "ONEDNN_MAX_CPU_ISA": "SSE41",
            "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
            "MKL_CBWR": "COMPATIBLE",
        },
    ),
}
# Folders and files of tests in which PyTorch computes: only its code heeds the variables.
COMPUTING = (
    *("seq2seq", "unsupervised", "encoders", "transfer", "language_models", "responders", "users"),
    *("translation", "training", "control/test_decode.py", "dialogue/test_similarity.py"),
    *("prompting/test_causal.py", "workflow/test_second_device.py"),
)
# Files in these folders that never load PyTorch, or that read damaged files, which gives the same on every
# processor.
LEFT_OUT = (
    *("*/test_fuzz*.py", "encoders/test_ngrams.py", "transfer/test_outputs.py", "transfer/test_prompt.py"),
    *("transfer/test_rule_based.py", "transfer/test_synthetic.py", "responders/test_own_responses.py"),
    *("responders/test_prompted.py", "responders/test_templates.py", "unsupervised/test_noise.py"),
    *(f"translation/test_{name}.py" for name in ("apertium", "aws", "cache", "job", "pages", "sanity")),
)


def capability(environment: dict[str, str] | None = None) -> str:
    """Which code PyTorch takes in a process of its own, with these variables besides."""
    command = [sys.executable, "-c", "import torch; print(torch.backends.cpu.get_cpu_capability())"]
    clean = {name: value for name, value in os.environ.items() if name != "ATEN_CPU_CAPABILITY"}
    done = subprocess.run(
        command, env={**clean, **(environment or {})}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def missing(name: str, native: str, machine: str) -> str:
    """Why a set cannot be tried on a processor, or need not be; empty if it is to be tried."""
    if machine.lower() not in ("x86_64", "amd64"):
        return f"the processor is {machine}"
    asked = SETS[name][0]
    if native == asked:
        return "native here: make test"
    if native not in CAPABILITIES or CAPABILITIES.index(native) < CAPABILITIES.index(asked):
        return f"the processor has no {asked} (PyTorch's code here: {native})"
    return ""


def main() -> int:
    """Run the tests with each further set that the processor has; 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    given, pytest_options = parser.parse_known_args()
    native, failed = capability(), 0
    said = [f"native: {native}: make test"]
    for name in given.sets:
        if why := missing(name, native, platform.machine()):
            said.append(f"{name}: not tried: {why}")
            continue
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--durations=3",
            *(f"--ignore-glob=*/{one}" for one in LEFT_OUT),
        ]
        command += [*pytest_options, *(f"tests/{path}" for path in COMPUTING)]
        print(f"== {name}: {' '.join('='.join(one) for one in SETS[name][1].items())}", flush=True)
        begin = monotonic()
        status = subprocess.run(command, cwd=ROOT, env={**os.environ, **SETS[name][1]}).returncode
        failed |= status
        said.append(f"{name}: {'FAILED' if status else 'passed'} in {monotonic() - begin:.0f} s")
    print("\n".join(said))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
