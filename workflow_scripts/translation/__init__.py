"""Machine translation with one interface; each sentence is paid for once."""
