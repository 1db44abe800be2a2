"""Models of all kinds with a weight that is not a number: refused when they are read."""

import math

import pytest
import torch

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.unsupervised.model import Model as UnsupervisedModel
from workflow_scripts.unsupervised.model import Sizes as UnsupervisedSizes
from workflow_scripts.unsupervised.prior import Prior, PriorSizes

KINDS = {
    "bi-LSTM": lambda: Model(Sizes(9, 4, 4, 4)),
    "UNMT": lambda: UnsupervisedModel(UnsupervisedSizes(9, 4, 4, 2)),
    "prior": lambda: Prior(PriorSizes(9, 4, 4)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_weights_that_are_not_finite(tmp_path, kind, value):
    torch.manual_seed(1)
    model = KINDS[kind]()
    path = tmp_path / "m.safetensors"
    for parameter in model.parameters():
        torch.nn.init.uniform_(parameter)
    model.write(path, {})
    type(model).read(path)
    for name, parameter in model.named_parameters():
        kept = parameter.detach().clone()
        parameter.data.view(-1)[-1] = value
        model.write(path, {})
        with pytest.raises(InputError, match=rf"{path}: weights that are not finite \('{name}'\); delete it"):
            type(model).read(path)
        parameter.data = kept
