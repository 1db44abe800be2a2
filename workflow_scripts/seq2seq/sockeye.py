"""Models that Sockeye 3 has trained, read into this package's Transformer, which computes the same.

Of a model's folder, `config` (YAML with a tag for each class), `params.best` (a pickle, of which only tensors
are read) and the vocabularies are read. Sockeye's matrices multiply from the left, and in its files the rows
of keys and values alternate by head.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import yaml
from torch import Tensor

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading
from workflow_scripts.seq2seq.device import loading_checkpoint
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.seq2seq.transformer_kernels import positions
from workflow_scripts.seq2seq.weights import check_finite
from workflow_scripts.text.symbols import SPECIAL

PARAMETERS, CONFIG = "params.best", "config"
VOCABULARIES = ("vocab.src.0.json", "vocab.trg.0.json")
LAYERS = {
    "act_type": "relu",
    "positional_embedding_type": "fixed",
    "preprocess_sequence": "n",
    "postprocess_sequence": "dr",
    "use_glu": False,
    "use_lhuc": False,
    "block_prepended_cross_attention": False,
}
WANTED = {
    **{f"config_{side}.{name}": value for side in ("encoder", "decoder") for name, value in LAYERS.items()},
    "config_decoder.decoder_type": "ssru_transformer",
    "config_embed_source.num_factors": 1,
    "config_embed_target.num_factors": 1,
    "config_length_task": None,
    "weight_tying_type": "src_trg_softmax",
    "lhuc": False,
    "neural_vocab_selection": None,
}
"""The settings of a model that the Transformer of this package computes, with Sockeye's names."""
NAMES = {
    "norm": ("pre_self_attention.layer_norm", "pre_autoregr_layer.layer_norm"),
    "enter": "self_attention.ff_in.weight",
    "leave": ("self_attention.ff_out.weight", "enc_attention.ff_out.weight"),
    "forget": "autoregr_layer.forget_gate.weight",
    "forget_bias": "autoregr_layer.forget_gate.bias",
    "candidate": "autoregr_layer.linear.weight",
    "cross_norm": "pre_enc_attention.layer_norm",
    "query": "enc_attention.ff_q.weight",
    "memory": "enc_attention.ff_kv.weight",
    "feed.norm": "pre_ff.layer_norm",
    "feed.enter": "ff.ff1.weight",
    "feed.enter_bias": "ff.ff1.bias",
    "feed.leave": "ff.ff2.weight",
    "feed.leave_bias": "ff.ff2.bias",
}
"""The name of a layer's parameter in Sockeye; where two are given, of the encoder's and the decoder's."""
EMBEDDING = "embedding_source.embedding.weight"
TIED = ("embedding_target.embedding.weight", "output_layer.weight")
POSITIONS = ("encoder.pos_embedding.weight", "decoder.pos_embedding.weight")


@dataclass(frozen=True)
class SockeyeModel:
    """A model, the symbols of its vocabulary, and the ratios of target to source lengths in its training."""

    model: Transformer
    symbols: list[str]
    ratio_mean: float
    ratio_deviation: float


class _Loader(yaml.SafeLoader):
    """Reads a tagged object as a mapping; nothing is constructed from the tags."""


def _sequence(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> list[Any]:
    return loader.construct_sequence(node)


_Loader.add_constructor("tag:yaml.org,2002:python/tuple", _sequence)
_Loader.add_multi_constructor("!", lambda loader, tag, node: loader.construct_mapping(node, deep=True))


def read_sockeye_model(folder: Path) -> SockeyeModel:
    """Read the folder of a model.

    Raises InputError for a file that is missing or cannot be read, for a model that this package's
    Transformer cannot represent, and for weights that do not fit the configuration.
    """
    config = _config(folder / CONFIG)
    symbols, targets = (_symbols(folder / name) for name in VOCABULARIES)
    if symbols != targets:
        raise InputError(
            f"is another vocabulary than {VOCABULARIES[0]}",
            path=folder / VOCABULARIES[1],
            fix="give a model with a shared vocabulary",
        )
    sizes = TransformerSizes(
        vocabulary=len(symbols),
        units=config["config_encoder"]["model_size"],
        heads=config["config_encoder"]["attention_heads"],
        feed_forward=config["config_encoder"]["feed_forward_num_hidden"],
        encoder_layers=config["config_encoder"]["num_layers"],
        decoder_layers=config["config_decoder"]["num_layers"],
    )
    model = Transformer(sizes)
    path = folder / PARAMETERS
    with reading(path):
        pass
    with loading_checkpoint(str(path)):
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    _fill(model, tensors, path)
    check_finite(model, path, fix="get it again, or give another model")
    statistics = config["config_data"]["data_statistics"]
    return SockeyeModel(model, symbols, statistics["length_ratio_mean"], statistics["length_ratio_std"])


def _config(path: Path) -> dict[str, Any]:
    """The configuration of a model whose settings are those of `WANTED`."""
    with reading(path) as stream:
        try:
            config = yaml.load(stream, _Loader)
        except (yaml.YAMLError, ValueError, RecursionError):
            config = None
    try:
        encoder, decoder = config["config_encoder"], config["config_decoder"]
        statistics = config["config_data"]["data_statistics"]
        numbers = [encoder["num_layers"], decoder["num_layers"]]
        for name in ("model_size", "attention_heads", "feed_forward_num_hidden"):
            numbers.append(encoder[name])
            if decoder[name] != encoder[name]:
                raise _another(path, f"config_decoder.{name}", decoder[name], encoder[name])
        ratios = [statistics["length_ratio_mean"], statistics["length_ratio_std"]]
    except (KeyError, TypeError):
        raise InputError(
            "not the configuration of a model", path=path, fix="give the folder of a model of Sockeye 3"
        ) from None
    if not all(type(number) is int and 0 < number <= 100_000 for number in numbers) or not all(
        type(ratio) is float and 0 <= ratio < float("inf") for ratio in ratios
    ):
        raise InputError("sizes or ratios of lengths that are no numbers", path=path)
    for name, wanted in WANTED.items():
        value: Any = config
        for key in name.split("."):
            # Models of earlier versions lack settings that Sockeye has added since.
            value = value.get(key, wanted) if isinstance(value, dict) else wanted
        if value != wanted and not (wanted is None and value is False):
            raise _another(path, name, value, wanted)
    return config


def _another(path: Path, name: str, value: Any, wanted: Any) -> InputError:
    return InputError(
        f"{name}: {value}, which is not CoCoA-MT's kind of model: only {wanted} can be read",
        path=path,
        fix="give a model that was trained with --decoder ssru_transformer --shared-vocab",
    )


def _symbols(path: Path) -> list[str]:
    """The symbols of a vocabulary in the order of their ids."""
    with reading(path) as stream:
        try:
            ids = json.loads(stream.read())
            symbols = sorted(ids, key=ids.__getitem__)
            if [ids[symbol] for symbol in symbols] != list(range(len(ids))):
                raise ValueError
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise InputError("not a vocabulary of Sockeye", path=path) from None
    if tuple(symbols[: len(SPECIAL)]) != SPECIAL:
        raise InputError(f"does not begin with {' '.join(SPECIAL)}", path=path)
    if any(not symbol or symbol.split() != [symbol] for symbol in symbols):
        raise InputError("a symbol with white space", path=path)
    return symbols


def _fill(model: Transformer, tensors: Any, path: Path) -> None:
    """Copy the parameters into the model."""
    if not isinstance(tensors, dict) or not all(
        isinstance(name, str)
        and isinstance(one, Tensor)
        and one.is_floating_point()
        and one.layout == torch.strided
        for name, one in tensors.items()
    ):
        raise InputError("not the parameters of a model", path=path)
    units = model.sizes.units
    # Early versions of Sockeye 3 also keep copies of the modules that they have traced.
    rest = {name: one for name, one in tensors.items() if "traced" not in name}
    for name, parameter in model.named_parameters():
        theirs = sockeye_name(name)
        found = _taken(rest, theirs, path).float()
        if name.endswith((".enter", ".memory")) and ".feed." not in name:
            found = _separated(found, model.sizes.heads, units)
        # The embeddings' rows are vectors in both.
        found = found.t() if found.dim() == 2 and name != "embedding" else found
        if found.shape != parameter.shape:
            raise InputError(
                f"'{theirs}' has the shape {tuple(tensors[theirs].shape)}, other than its configuration says",
                path=path,
            )
        with torch.no_grad():
            parameter.copy_(found)
    for name in TIED:
        if not torch.equal(_taken(rest, name, path), tensors[EMBEDDING]):
            raise InputError(f"'{name}' differs from '{EMBEDDING}'", path=path)
    for name in POSITIONS:
        found = _taken(rest, name, path).float()
        ours = positions(found.numel() // units, units, torch.device("cpu"))
        # Large angles have fewer digits, in whatever order they are computed.
        if found.shape != ours.shape or not torch.allclose(found, ours, atol=1e-3):
            raise InputError(f"'{name}' are not the sinusoids of the steps", path=path)
    if rest:
        raise InputError(f"'{min(rest)}' is a parameter that this kind of model does not have", path=path)


def _taken(tensors: dict[str, Tensor], name: str, path: Path) -> Tensor:
    try:
        return tensors.pop(name)
    except KeyError:
        raise InputError(f"no parameter '{name}'", path=path, fix="get it again") from None


def _separated(rows: Tensor, heads: int, units: int) -> Tensor:
    """All keys' rows, then all values': in Sockeye's files, each head's keys come before its values.

    rows: (queries, which stay in front, and) 2D rows of keys and values.
    """
    if rows.dim() != 2 or rows.shape[0] not in (2 * units, 3 * units):
        return rows
    front, both = rows[: len(rows) - 2 * units], rows[len(rows) - 2 * units :]
    keys, values = both.view(heads, 2, units // heads, -1).unbind(1)
    return torch.cat([front, keys.reshape(units, -1), values.reshape(units, -1)])


def sockeye_name(name: str) -> str:
    """The name of one of the Transformer's parameters in Sockeye."""
    if name == "embedding":
        return EMBEDDING
    if name == "output_bias":
        return "output_layer.bias"
    *front, last = name.split(".")
    ending = {"gain": ".weight", "shift": ".bias"}.get(last, "")
    parts = front if ending else [*front, last]
    if parts[0].endswith("_norm"):
        return f"{parts[0].removesuffix('_norm')}.final_process.layer_norm{ending}"
    side, number, *rest = parts
    known = NAMES[".".join(rest)]
    theirs = known if isinstance(known, str) else known[side == "decoder"]
    return f"{side}.layers.{number}.{theirs}{ending}"
