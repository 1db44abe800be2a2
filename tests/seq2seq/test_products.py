"""Products of matrices: the same as torch's, with every library that computes them."""

import math

import pytest
import torch

from workflow_scripts.seq2seq import products
from workflow_scripts.seq2seq.products import (
    FastLinear,
    Fixed,
    Linear,
    add_product,
    multiply,
    product,
    project,
    use_fast_products,
)

LEAST = products._least
SIZES = [(3, 4, 5), (700, 64, 96), (9, 700, 300)]


@pytest.fixture(
    params=[products.SMALL, products.LARGE, math.inf], ids=["slow MKL", "MKL", "fast MKL"], autouse=True
)
def least(request, monkeypatch):
    """The size up to which torch computes: processors of every kind choose as here."""
    monkeypatch.setattr(products, "_least", lambda: request.param)
    return request.param


def random(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize("sizes", SIZES)
def test_products_of_any_size_and_layout_are_products(sizes):
    rows, inner, columns = sizes
    x, weight, bias = random(rows, inner), random(inner, columns), random(columns)
    for left in (x, random(inner, rows).t()):
        for right in (weight, random(columns, inner).t()):
            expected = left @ right
            for form in (right, Fixed(right)):
                torch.testing.assert_close(multiply(left, form), expected, rtol=1e-4, atol=1e-4)
                torch.testing.assert_close(multiply(left, form, bias), expected + bias, rtol=1e-4, atol=1e-4)
    side_by_side = torch.stack([x, -x]), torch.stack([weight, 2 * weight])
    torch.testing.assert_close(multiply(*side_by_side), torch.bmm(*side_by_side), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_sums_of_products_grow_in_place(sizes, dtype):
    rows, inner, columns = sizes
    kind = torch.float64 if dtype == torch.float64 else torch.float32
    total, expected = torch.zeros(rows, columns, dtype=kind), torch.zeros(rows, columns, dtype=torch.float64)
    # The last one may be small, and left to another library than those before it.
    for number, depth in enumerate((inner, inner, 2)):
        x, weight = (number + random(depth, rows).to(dtype)).t(), random(depth, columns).to(dtype)
        add_product(total, x, weight)
        expected += x.double() @ weight.double()
    assert total.dtype == kind
    near = {"rtol": 2e-2, "atol": 0.5} if dtype == torch.bfloat16 else {"rtol": 1e-4, "atol": 1e-3}
    torch.testing.assert_close(total.double(), expected, **near)


@pytest.mark.parametrize("sizes", SIZES)
def test_gradients_of_products_are_theirs(sizes):
    rows, inner, columns = sizes
    x, weight, bias = random(2, rows, inner), random(inner, columns), random(columns)
    inputs = [one.requires_grad_() for one in (x, weight, bias)]
    flat = Linear.apply(x.view(-1, inner), weight, bias, torch.float32).view(2, rows, columns)
    for ours, expected, given in (
        (flat, x @ weight + bias, inputs),
        (project(x, weight, torch.float32), x @ weight, inputs[:2]),
    ):
        torch.testing.assert_close(ours, expected, rtol=1e-4, atol=1e-4)
        above = random(2, rows, columns)
        gradients = (torch.autograd.grad(one, given, above) for one in (ours, expected))
        for one, other in zip(*gradients, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-3)


def test_products_are_computed_in_the_type_of_the_weight():
    x, weight = random(30, 40), random(40, 50)
    coarse = product(x, weight.bfloat16())
    assert coarse.dtype == torch.float32
    assert torch.equal(coarse, (x.bfloat16() @ weight.bfloat16()).float())


@pytest.mark.parametrize("sizes", SIZES)
def test_linear_layers_stay_what_they_are(sizes, least):
    rows, inner, columns = sizes
    model = torch.nn.Sequential(torch.nn.Linear(inner, columns), torch.nn.Linear(columns, 2, bias=False))
    names, x = list(model.state_dict()), random(2, rows, inner)
    results = []
    for _ in range(2):
        outputs = model(x)
        gradients = torch.autograd.grad(outputs.square().mean(), list(model.parameters()))
        results.append([outputs, *gradients])
        use_fast_products(model)
    assert list(model.state_dict()) == names
    assert type(model[0]) is (FastLinear if least == products.SMALL else torch.nn.Linear)
    for ours, torchs in zip(*results, strict=True):
        torch.testing.assert_close(ours, torchs, rtol=1e-3, atol=1e-4)
    with torch.autocast("cpu", torch.bfloat16):
        assert model(x).dtype == torch.bfloat16


@pytest.fixture
def asked(monkeypatch):
    """The products that oneDNN is asked for directly."""
    asked: list[tuple] = []
    by_onednn = products._by_onednn
    monkeypatch.setattr(products, "_by_onednn", lambda *sides: asked.append(sides) or by_onednn(*sides))
    return asked


def test_of_float32_large_products_are_onednns_unless_mkl_is_fast_and_of_bf16_none(asked, least):
    small, large, wide = random(16, 64), random(700, 64), random(64, 96)
    laid_out = Fixed(wide)
    for left, right, theirs in (
        (small, wide, False),
        (large, wide, least == products.SMALL),
        (large.bfloat16(), wide.bfloat16(), False),
        (large, laid_out, True),
        (small, laid_out, False),
        # To lay out the left side anew takes longer than the product, unless that is very large.
        (random(64, 700).t(), wide, False),
        (random(64, 700).t(), random(64, 1000), least != math.inf),
    ):
        asked.clear()
        multiply(left, right)
        assert bool(asked) == theirs
        if right is laid_out and theirs:
            assert asked[0][1] is laid_out.laid_out is not None


@pytest.mark.parametrize("rows", [1, 16, 700])
def test_bf16_products_are_onednns_if_the_matrix_is_laid_out(rows, asked):
    x, wide, bias = (tensor.bfloat16() for tensor in (random(rows, 64), random(64, 96), random(96)))
    laid_out = Fixed(wide)
    # Processors without AVX-512 have no such layout.
    has_layout = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    assert (laid_out.laid_out is not None) == has_layout
    torch.testing.assert_close(multiply(x, laid_out, bias), torch.addmm(bias, x, wide))
    torch.testing.assert_close(multiply(x, laid_out), x @ wide)
    assert len(asked) == 2 * has_layout


@pytest.mark.parametrize(
    ("maker", "family", "expected"),
    [
        ("GenuineIntel", 6, math.inf),
        ("AuthenticAMD", 25, products.LARGE),
        ("AuthenticAMD", 26, products.SMALL),
        ("AuthenticAMD", 0, products.SMALL),
        ("", 0, products.SMALL),
    ],
)
def test_the_least_product_of_onednn_is_that_of_the_processor(maker, family, expected, monkeypatch):
    monkeypatch.setattr(products, "maker", lambda: maker)
    monkeypatch.setattr(products, "family", lambda: family)
    assert LEAST.__wrapped__() == (expected if torch.backends.mkl.is_available() else products.SMALL)
    monkeypatch.setattr(torch.backends.mkl, "is_available", lambda: False)
    assert LEAST.__wrapped__() == products.SMALL


@pytest.mark.parametrize("wanted", range(3))
def test_each_gradient_of_a_product_is_there_where_it_is_wanted(wanted):
    inputs = [random(3, 4), random(4, 5), random(5)]
    inputs[wanted].requires_grad_()
    ours = Linear.apply(*inputs, torch.float32)
    (found,) = torch.autograd.grad(ours.square().sum(), inputs[wanted])
    (expected,) = torch.autograd.grad(torch.addmm(inputs[2], *inputs[:2]).square().sum(), inputs[wanted])
    torch.testing.assert_close(found, expected)
