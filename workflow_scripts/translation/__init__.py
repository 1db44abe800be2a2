"""Machine translation behind one interface, each sentence paid for once."""
