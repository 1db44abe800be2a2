"""A library: text as models read it, and the way back: normalise, tokenise, truecase, split, subwords."""
