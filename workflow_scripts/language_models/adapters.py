"""Low-rank adapters (Hu et al., 2022) of a language model's linear layers, by the library peft."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from workflow_scripts.config.pretrained import Lora
from workflow_scripts.core.errors import InputError
from workflow_scripts.language_models.model import LanguageModel
from workflow_scripts.seq2seq.device import loading
from workflow_scripts.seq2seq.seeds import WEIGHTS, seed_of

# The queries and values of attentions, in T5 and its kind, and in BART, mBART, Marian and NLLB.
QUERIES_AND_VALUES = ("q", "v", "q_proj", "v_proj")


class AdaptedModel(LanguageModel):
    """A language model of one network, whose adapters alone are trained, until it is written."""

    def __init__(self, model: LanguageModel, lora: Lora, seed: int) -> None:
        """Give the network of `model` adapters; at first they change none of its outputs.

        Raises InputError for a layer that the network does not have, that is not linear or shares its weights
        with another one, and for a rank that is too large for a layer.

        :param seed: of the adapters' first weights
        """
        super().__init__(model.kind, model.tokenizer, model.parts, model.where)
        (network,) = self.models
        layers = _layers(network, lora)
        with loading():
            import torch
            from peft import LoraConfig, get_peft_model

        torch.manual_seed(seed_of(seed, WEIGHTS, 1))
        self.adapters: Any = get_peft_model(
            network,
            LoraConfig(r=lora.rank, lora_alpha=lora.alpha, lora_dropout=lora.dropout, target_modules=layers),
        )
        trained, total = (sum(map(_size, some)) for some in (self.parameters(), super().parameters()))
        print(
            f"{trained} of {total} weights are trained, in adapters of {', '.join(layers)}", file=sys.stderr
        )

    def parameters(self) -> list[Any]:
        """The weights of the adapters."""
        return [weight for weight in super().parameters() if weight.requires_grad]

    def save(self, folder: Path) -> None:
        """Add the adapters to the weights, and write an ordinary model, which has no adapters any more."""
        self.adapters.merge_and_unload()
        super().save(folder)


def _size(weight: Any) -> int:
    size: int = weight.numel()
    return size


def _layers(network: Any, lora: Lora) -> list[str]:
    """The names of the adapted layers, each of which the network has."""
    from torch.nn import Linear

    modules = {name: module for name, module in network.named_modules() if name}
    linear = sorted({name.split(".")[-1] for name, module in modules.items() if isinstance(module, Linear)})
    owners = Counter(id(weight) for _, weight in network.named_parameters(remove_duplicate=False))
    wanted = lora.layers or [name for name in QUERIES_AND_VALUES if name in linear]
    if not wanted:
        raise InputError(
            f"none of the model's linear layers is called {' or '.join(QUERIES_AND_VALUES)}",
            fix=f"name some as lora.layers of the system: {', '.join(linear)}",
        )
    for layer in wanted:
        # As peft finds them.
        found = [module for name, module in modules.items() if f".{name}".endswith(f".{layer}")]
        if not found or not all(isinstance(module, Linear) for module in found):
            raise InputError(
                f"the model has no linear layer '{layer}'; known: {', '.join(linear)}",
                fix="correct lora.layers of the system",
            )
        if any(owners[id(module.weight)] > 1 for module in found):
            raise InputError(
                f"layer '{layer}' has the weights of another part of the model, which would change too",
                fix="leave it out of lora.layers of the system",
            )
        smallest = min(size for module in found for size in module.weight.shape)
        if lora.rank > smallest:
            raise InputError(
                f"rank {lora.rank} is more than the {smallest} units of layer '{layer}'",
                fix="lower lora.rank of the system",
            )
    return list(wanted)
