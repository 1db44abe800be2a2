"""The device: the choice of `auto` on machines with and without a GPU, real or pretended."""

import ctypes
import gc
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from workflow_scripts.core import gpu
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq import device
from workflow_scripts.seq2seq.device import loading, prepare, resolve


@pytest.fixture
def machine(monkeypatch):
    """Pretend a machine: its number of GPUs, whether torch can use them, and whether they compute in bf16."""

    def pretend(devices, usable=True, bf16=True):
        monkeypatch.setattr(gpu, "count", lambda: devices)
        monkeypatch.setattr(torch.cuda, "is_available", lambda: usable)
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation=True: bf16)

    return pretend


@pytest.mark.parametrize(
    ("devices", "usable", "bf16", "expected"),
    [
        (0, True, True, ("cpu", "float32")),
        (1, False, True, ("cpu", "float32")),
        (2, True, True, ("cuda", "bf16")),
        (1, True, False, ("cuda", "float32")),
    ],
)
def test_auto_is_the_best_that_is_there(machine, devices, usable, bf16, expected):
    machine(devices, usable, bf16)
    assert resolve("auto", "auto") == expected
    assert resolve("auto", "float32") == (expected[0], "float32")
    assert resolve("auto", "bf16") == (expected[0], "bf16")
    assert resolve("cpu", "auto") == ("cpu", "float32")
    assert resolve("cpu", "bf16") == ("cpu", "bf16")


@pytest.mark.parametrize(("devices", "usable"), [(0, True), (1, False)])
def test_cuda_in_vain_is_an_input_error(machine, devices, usable):
    machine(devices, usable)
    with pytest.raises(InputError, match="no usable GPU; set device to auto or cpu"):
        prepare("cuda", "auto", 1)


@pytest.mark.parametrize("native", [True, False])
def test_emulated_bf16_is_warned_of(machine, monkeypatch, capsys, native):
    machine(0)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: native)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    prepare("auto", "auto", 1)
    assert capsys.readouterr().err == ""
    prepare("auto", "bf16", 1)
    assert (
        "warning: precision = bf16, which this processor only emulates" in capsys.readouterr().err
    ) != native


def test_prepared_device_and_type_and_their_names(machine):
    machine(0)
    resolved = prepare("auto", "auto", 1)
    assert resolved == (torch.device("cpu"), torch.float32)
    assert resolved.facts() == {"device": "cpu", "precision": "float32"}
    where, dtype = prepare("auto", "bf16", 1)
    assert (where.type, dtype) == ("cpu", torch.bfloat16)
    assert prepare("cpu", "bf16", 1).facts() == {"device": "cpu", "precision": "bf16"}
    assert torch.get_num_threads() == 1


def test_a_gpu_is_told_to_give_the_same_sums_each_time(machine, monkeypatch):
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    machine(1)
    filled = torch.utils.deterministic.fill_uninitialized_memory
    try:
        assert prepare("auto", "auto", 1) == (torch.device("cuda"), torch.bfloat16)
        assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
        # What has no such algorithm warns, and goes on.
        assert torch.are_deterministic_algorithms_enabled()
        assert torch.is_deterministic_algorithms_warn_only_enabled()
        assert not torch.utils.deterministic.fill_uninitialized_memory
    finally:
        torch.use_deterministic_algorithms(False)
        torch.utils.deterministic.fill_uninitialized_memory = filled


def test_a_gpu_is_not_waited_for_at_each_step():
    assert [device.patience(torch.device(name)) for name in ("cpu", "cuda", "meta")] == [1, 8, 8]


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is told")
def test_freed_memory_is_kept_on_the_processor(machine, monkeypatch):
    """M_TRIM_THRESHOLD is -1 and M_MMAP_THRESHOLD is -3 in malloc.h; glibc takes no more than an int."""
    machine(0)
    told = []
    library = SimpleNamespace(mallopt=lambda *words: told.append(words))
    monkeypatch.setattr(device, "ctypes", SimpleNamespace(CDLL=lambda name: library))
    prepare("cpu", "float32", 1)
    assert told == [(-1, 2**31 - 1), (-3, 2**30)]
    # Another C library has no such call.
    monkeypatch.setattr(device, "ctypes", SimpleNamespace(CDLL=lambda name: SimpleNamespace()))
    prepare("cpu", "float32", 1)


@pytest.mark.parametrize(
    "name",
    ["seq2seq.train", "unsupervised.train_prior", "encoders.score", "encoders.train", "transfer.decode"],
)
def test_commands_stop_without_a_gpu_before_they_read_a_file(name):
    """The function is called with files that do not exist: only the missing GPU is reported."""
    code = (
        "import sys; from importlib import import_module; from pathlib import Path\n"
        "from typing import get_type_hints\n"
        "from workflow_scripts.core.command import run\n"
        f"function = getattr(import_module('workflow_scripts.{name}'), '{name.split('.')[1]}')\n"
        "def call():\n"
        "    fixed = {'device': 'cuda', 'precision': 'auto', 'threads': 1}\n"
        "    some = {Path: Path('nowhere'), list[Path]: [Path('nowhere')], str: 'x'}\n"
        "    hints = get_type_hints(function)\n"
        "    rest = {name: some.get(hint, 1) for name, hint in hints.items() if name != 'return'}\n"
        "    function(**{**rest, **fixed})\n"
        "sys.argv = ['x']\n"
        "run(call)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines() == [
        "error: device = cuda, but this machine has no usable GPU;"
        " set device to auto or cpu, or run on a machine with a GPU"
    ]


def test_auto_needs_no_torch_where_there_is_no_gpu():
    code = (
        "import sys; from workflow_scripts.seq2seq.device import resolve\n"
        "from workflow_scripts.core import gpu\n"
        "assert resolve('auto', 'auto') == ('cpu', 'float32') and gpu.count() == 0\n"
        "sys.exit('torch' in sys.modules)"
    )
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == 0


class Driver:
    """What a CUDA driver answers."""

    def __init__(self, devices=0, init=0, counting=0):
        self.devices, self.init, self.counting = devices, init, counting

    def cuInit(self, flags):
        assert flags == 0
        return self.init

    def cuDeviceGetCount(self, pointer):
        pointer._obj.value = self.devices
        return self.counting


@pytest.mark.parametrize(
    ("driver", "visible", "expected"),
    [
        (Driver(3), None, 3),
        (Driver(3), "0,1,2", 3),
        (Driver(0), None, 0),
        (Driver(3, init=100), None, 0),
        (Driver(3, counting=999), None, 0),
        (Driver(3), "", 0),
        (Driver(3), "-1", 0),
        (None, None, 0),
    ],
)
def test_devices_are_counted_by_the_driver(monkeypatch, driver, visible, expected):
    def load(name):
        assert name == gpu.DRIVER
        if driver is None:
            raise OSError("cannot open shared object file")
        return driver

    monkeypatch.setattr(gpu, "ctypes", SimpleNamespace(CDLL=load, c_int=ctypes.c_int, byref=ctypes.byref))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    gpu.count.cache_clear()
    try:
        assert gpu.count() == expected
    finally:
        gpu.count.cache_clear()


def test_count_agrees_with_torch():
    gpu.count.cache_clear()
    if torch.version.cuda is None:
        pytest.skip("this torch knows no CUDA")
    assert gpu.count() == torch.cuda.device_count()


def test_garbage_is_collected_again_after_loading(monkeypatch):
    assert gc.isenabled()
    before = gc.get_freeze_count()
    with loading():
        assert not gc.isenabled()
    # What was frozen before may die at any time, so the count may fall by itself; only freezing lets it grow.
    assert gc.isenabled() and gc.get_freeze_count() <= before
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()
    monkeypatch.delitem(sys.modules, "this", raising=False)
    before = gc.get_freeze_count()
    with loading():
        __import__("this")
    assert gc.get_freeze_count() > before
