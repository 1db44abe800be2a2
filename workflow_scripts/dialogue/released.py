"""Command: a released dialogue system of the hub, as a model that answers dialogues."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.hub import snapshot
from workflow_scripts.dialogue.language_model import add_pieces
from workflow_scripts.dialogue.templates import TEMPLATES, Name
from workflow_scripts.seq2seq.device import loading_checkpoint

# Weights as older releases of transformers kept them, and the same without a pickle.
PICKLED, WEIGHTS = "pytorch_model.bin", "model.safetensors"
FILES = (
    *(PICKLED, WEIGHTS, "config.json", "vocab.json", "merges.txt", "tokenizer_config.json"),
    *("special_tokens_map.json", "added_tokens.json"),
)
# Masks and the like, which are no weights.
BUFFERS = (".attn.bias", ".attn.masked_bias")


def released(folder: Path, *, checkpoint: str, revision: str, template: Name) -> None:
    """Download one commit of a checkpoint, and write its weights as safetensors.

    Of a pickle only tensors are read (`weights_only`): what would run code is an InputError. The vocabulary
    has all pieces of the format then.

    :param folder: transformers folder to write
    :param checkpoint: name in the hub
    :param revision: commit, 40 hexadecimal digits
    :param template: the system's format
    """
    with writing_folder(folder) as part:
        fix = "check the network, and name and revision of the system"
        snapshot(checkpoint, revision, part, allowed=FILES, fix=fix)
        if not (part / WEIGHTS).exists():
            if not (part / PICKLED).exists():
                raise InputError(f"neither {WEIGHTS} nor {PICKLED}", path=checkpoint, fix=fix)
            unpickle(part / PICKLED, part / WEIGHTS, checkpoint)
        (part / PICKLED).unlink(missing_ok=True)
        with loading_checkpoint(checkpoint):
            from transformers import AutoConfig, AutoTokenizer

            tokenizer = AutoTokenizer.from_pretrained(part)
            known = AutoConfig.from_pretrained(part).vocab_size
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        add_pieces(tokenizer, TEMPLATES[template]().pieces([]))
        if len(tokenizer) > known:
            raise InputError(
                f"a vocabulary of {known}, without pieces of the format '{template}'", path=checkpoint
            )
        tokenizer.save_pretrained(part)


def unpickle(source: Path, target: Path, name: str) -> None:
    """Write the tensors of a pickle, and nothing else of it, as safetensors."""
    with loading_checkpoint(name):
        import torch
        from safetensors.torch import save_file

        tensors = torch.load(source, map_location="cpu", weights_only=True)
        kept = {
            key: value.clone().contiguous() for key, value in tensors.items() if not key.endswith(BUFFERS)
        }
        save_file(kept, target, metadata={"format": "pt"})


if __name__ == "__main__":
    run(released)
