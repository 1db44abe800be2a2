"""The order of words in the backward direction of an encoder, which reads each sentence from its own end."""

import torch
from torch import Tensor


def mirror_of(steps: int, lengths: Tensor) -> Tensor:
    """The row of each row in the other direction, (S * B): row s * B + b is step s of sentence b.

    lengths: (B). The words of a sentence change places; its padding stays behind them.
    """
    positions = torch.arange(steps, device=lengths.device).unsqueeze(1)
    mirrored = torch.where(positions < lengths, lengths - 1 - positions, positions)
    return (mirrored * len(lengths) + torch.arange(len(lengths), device=lengths.device)).view(-1)


def joined(outputs: Tensor, mirror: Tensor) -> Tensor:
    """The states of both directions side by side in the order of the words, (S, B, 2H).

    outputs: (2, S, B, H), the second in the other order. mirror: from `mirror_of`.
    """
    onward, back = outputs.unbind(0)
    backward = back.reshape(len(mirror), -1).index_select(0, mirror).view_as(back)
    return torch.cat([onward, backward], 2)
