"""Our Adam beside torch's, and the modules that it loads."""

import subprocess
import sys

import pytest
import torch

from workflow_scripts.core.provenance import ROOT
from workflow_scripts.training.adam import Adam
from workflow_scripts.training.learnt import Learnt


@pytest.mark.parametrize("options", [{}, {"betas": (0.5, 0.999)}, {"weight_decay": 0.01}])
def test_weights_and_moments_have_the_bytes_of_torch(options):
    """With another rate at each step, and a parameter whose first gradient comes late."""
    sides = []
    for kind in (Adam, torch.optim.Adam):
        random = torch.Generator().manual_seed(1)
        parameters = {
            name: torch.randn(shape, generator=random).requires_grad_()
            for name, shape in (("matrix", (30, 7)), ("number", ()), ("late", (5,)))
        }
        fused = {"fused": True} if kind is torch.optim.Adam else {}
        optimizer = kind(parameters.values(), lr=0.1, **options, **fused)
        for step in range(5):
            optimizer.zero_grad()
            for parameter in [*parameters.values()][: 3 if step > 2 else 2]:
                parameter.grad = torch.randn(parameter.shape, generator=random)
            optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
            optimizer.step()
        sides.append(Learnt(parameters, optimizer).tensors())
    ours, theirs = sides
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert tensor.dtype == theirs[name].dtype
        assert torch.equal(tensor, theirs[name]), name


@pytest.mark.slow
def test_no_step_loads_the_compiler():
    """This is why the class exists."""
    code = """
import sys, torch
from workflow_scripts.training.adam import Adam
weight = torch.ones(2, requires_grad=True)
adam = Adam([weight], 0.1)
weight.sum().backward()
adam.step()
assert weight[0] < 1
sys.exit("torch._dynamo" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, check=False).returncode == 0
