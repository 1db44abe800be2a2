"""Text as models see it, and the way back: normalise, tokenise, truecase, split, subwords."""
