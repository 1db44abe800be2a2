"""The special symbols at the beginning of each vocabulary, in the order of their ids."""

from __future__ import annotations

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
PADDING, UNKNOWN, BEGIN, END = range(4)
