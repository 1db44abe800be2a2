"""A second device, made of the processor: what is left on the wrong device is found without a GPU.

`start` gives torch a device of the name `second`. Its tensors are held by the processor, so that all that is
computed has the values of the processor; but an operation on tensors of both devices is an error, as between
a GPU and the processor, and so is a generator or numpy on a tensor of the other. `auto` is this device, and
bf16 as on a GPU. Nothing that is done before `start` is affected; there is no end of it, so it is for
processes of their own. At their end they print how many tensors this device has had.

torch's own means for a backend in Python (`_setup_privateuseone_for_python_backend`) is experimental; a newer
torch may want another one.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from typing import Any

import torch
import torch._decomp.decompositions as written_out
import torch.utils._device
from torch import library
from torch.utils import backend_registration
from torch.utils._python_dispatch import TorchDispatchMode

NAME = "second"
# Copies have tensors of both devices, on a GPU too.
COPIES = {"aten::_to_copy", "aten::copy_", "aten::_local_scalar_dense"}
# The place of the argument that may, or has to, be of the processor.
INDICES = {"aten::index": 1, "aten::index_put_": 1, "aten::_index_put_impl_": 1}
LENGTHS = {"aten::_pack_padded_sequence": 1}
# They take no number without dimensions of another device.
JOINED = {"aten::cat", "aten::stack"}
# What autocast computes in bf16.
CAST = ("linear", "matmul", "mm", "addmm", "bmm", "baddbmm")
# The generators of this device: what an operation is given is another object of Python each time.
GENERATORS: list[torch.Generator] = []
# What is registered there is forgotten with the object.
REGISTERED: list[library.Library] = []


class Module(backend_registration._DummyBackendModule):  # type: ignore[misc]
    """What torch asks of a device."""

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.bfloat16, torch.float16]


class Generator(torch.Generator):
    """A generator of the processor that knows of which device it is."""

    def __new__(cls, device: Any = "cpu") -> Generator:
        made = super().__new__(cls, "cpu")
        if torch.device(device).type == NAME:
            GENERATORS.append(made)
        return made


class Held(torch.Tensor):
    """A tensor of the second device, which holds one of the processor."""

    held: torch.Tensor
    made = 0
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> Held:
        made = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=torch.device(NAME, 0),
            requires_grad=held.requires_grad,
        )
        made.held = held
        cls.made += 1
        return made

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return compute(function, args, kwargs or {})

    # What torch does not ask of operations.
    def __getitem__(self, key: Any) -> torch.Tensor:
        return super().__getitem__(_of_tensors(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_of_tensors(key), value)

    def new_tensor(self, data: Any, dtype: torch.dtype | None = None, **more: Any) -> torch.Tensor:
        return torch.tensor(data, dtype=dtype or self.dtype, device=NAME, **more)

    def tolist(self) -> Any:
        return self.held.tolist()

    def numpy(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"a tensor of the device {NAME} cannot become an array of numpy: use Tensor.cpu()")

    __array__ = numpy

    @property
    def data(self) -> torch.Tensor:
        return torch.Tensor.data.__get__(self)  # type: ignore[attr-defined]

    @data.setter
    def data(self, value: torch.Tensor) -> None:
        torch.Tensor.data.__set__(self, value)  # type: ignore[attr-defined]
        self.held = value.held  # type: ignore[attr-defined]

    def __deepcopy__(self, known: dict[int, Any]) -> Held:
        made = known.setdefault(id(self), Held(self.held.detach().clone()))
        made._is_param = isinstance(self, torch.nn.Parameter)
        return made.requires_grad_(self.requires_grad)

    def untyped_storage(self) -> torch.UntypedStorage:
        return self.held.untyped_storage()

    def data_ptr(self) -> int:
        return self.held.data_ptr()


class Mode(TorchDispatchMode):
    """All operations, those that make the first tensors too."""

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return compute(function, args, kwargs or {})


def compute(function: Any, args: Any, kwargs: Any) -> Any:
    """The results of an operation, on the device of its tensors or of its option; RuntimeError for both."""
    name = function._schema.name
    parts = _leaves((args, kwargs))
    here = [part for part in parts if isinstance(part, Held)]
    first = args[0] if args else None
    if name == "aten::_local_scalar_dense":
        second = False
    elif name == "aten::copy_":
        second = isinstance(first, Held)
    elif kwargs.get("device") is not None:
        second = torch.device(kwargs["device"]).type == NAME
    else:
        second = bool(here)
    if name in LENGTHS and isinstance(args[LENGTHS[name]], Held):
        raise RuntimeError(f"{name}: lengths of the device {NAME}, which the processor reads")
    if here and name not in COPIES:
        exempt = LENGTHS.get(name, INDICES.get(name))
        if exempt is not None:
            parts = _leaves((args[:exempt], args[exempt + 1 :], kwargs))
        for part in parts:
            # A number without dimensions goes with any device.
            if (
                isinstance(part, torch.Tensor)
                and not isinstance(part, Held)
                and (part.dim() or name in JOINED)
            ):
                raise RuntimeError(f"{name}: tensors of the devices {NAME} and {part.device}")
    if (given := kwargs.get("generator")) is not None:
        of_second = any(given._cdata == known._cdata for known in GENERATORS)
        if of_second != second:
            raise RuntimeError(f"{name}: a generator of another device than its tensor, {NAME} and cpu")
    found = function(*_mapped(_held, args), **_mapped(_held, kwargs))
    if not second:
        return found
    if name in LENGTHS:
        # The sizes of the batches are of the processor too.
        return Held(found[0]), found[1]
    # What is changed in place stays the same object.
    known = {id(part.held): part for part in here}

    def wrapped(part: Any) -> Any:
        if id(part) in known:
            return known[id(part)]
        return Held(part) if isinstance(part, torch.Tensor) else part

    return _mapped(wrapped, found)


# torch's own functions for nested values know more kinds of them, and took most of the time of a training.
def _leaves(value: Any) -> list[Any]:
    """What stands in nested tuples, lists and dictionaries."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]


def _mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The same nested value, of what a function makes of each leaf."""
    if isinstance(value, dict):
        return {name: _mapped(function, part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)([_mapped(function, part) for part in value])
    return function(value)


def _held(part: Any) -> Any:
    if isinstance(part, torch.device) and part.type == NAME:
        return torch.device("cpu")
    return part.held if isinstance(part, Held) else part


def _of_tensors(key: Any) -> Any:
    """An index in which lists are tensors."""
    if isinstance(key, list):
        return torch.tensor(key, device=NAME)
    return tuple(map(_of_tensors, key)) if type(key) is tuple else key


def _on_device(make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """A constructor from Python's numbers that moves its tensor by an operation."""

    def made(*args: Any, device: Any = None, requires_grad: bool = False, **kwargs: Any) -> torch.Tensor:
        tensor = make(*args, **kwargs)
        tensor = tensor if device is None else tensor.to(device)
        return tensor.requires_grad_() if requires_grad else tensor

    return made


def _gru_cell(x: torch.Tensor, state: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    inside, outside, inside_bias, outside_bias = weights
    gates = torch.nn.functional.linear(x, inside, inside_bias)
    return written_out.gru_cell(gates, state[None], None, None, outside, outside_bias)[0]


def _by(whole: Callable, packed: Callable) -> Callable:
    """A recurrent layer, whose sequences may be packed."""
    return lambda *args: (whole if isinstance(args[3], bool) else packed)(*args)


def _in_bf16(function: Any) -> Callable[..., Any]:
    """A product as autocast computes it."""
    without = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)

    def product(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(without):
            return function(*(_cast(part) for part in args), **kwargs)

    return product


def _cast(part: Any) -> Any:
    return part.bfloat16() if isinstance(part, torch.Tensor) and part.dtype == torch.float32 else part


def _no_inference(mode: Any = True) -> Any:
    """Instead of inference mode, whose tensors cannot be held: only without gradients."""
    if callable(mode):
        return torch.no_grad()(mode)
    return torch.no_grad() if mode else torch.enable_grad()


def start() -> None:
    """Make the device, for the rest of this process; `auto` selects it."""
    from workflow_scripts.seq2seq import device

    backend_registration._setup_privateuseone_for_python_backend(NAME, backend_module=Module())
    every, products = (library.Library(name, "IMPL") for name in ("_", "aten"))
    REGISTERED.extend([every, products])
    every.fallback(library.fallthrough_kernel, "AutocastPrivateUse1")
    for name in CAST:
        products.impl(name, _in_bf16(getattr(torch.ops.aten, name)), "AutocastPrivateUse1")
    # torch lists the constructors that heed `with torch.device(...)` once: before they are replaced.
    torch.utils._device._device_constructors()
    torch.Generator = Generator  # type: ignore[misc]
    torch.tensor, torch.as_tensor = _on_device(torch.tensor), _on_device(torch.as_tensor)
    torch.inference_mode = _no_inference  # type: ignore[misc,assignment]
    # A device that is no processor's gets kernels of one piece, which the processor lacks.
    torch._VF.lstm = _by(written_out.lstm_impl, written_out.lstm_data_impl)  # type: ignore[attr-defined]
    torch._VF.gru = _by(written_out.gru_impl, written_out.gru_impl_data)  # type: ignore[attr-defined]
    torch._VF.gru_cell = _gru_cell  # type: ignore[attr-defined]
    device.resolve = lambda where, precision: (  # type: ignore[assignment,misc]
        "cpu" if where == "cpu" else NAME,
        "bf16" if precision == "auto" else precision,
    )
    atexit.register(lambda: print(f"{Held.made} tensors of the device {NAME}", file=sys.stderr))
    Mode().__enter__()
