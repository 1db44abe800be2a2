"""The special symbols at the beginning of each vocabulary, in the order of their ids."""

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
PADDING, UNKNOWN, BEGIN, END = range(4)
