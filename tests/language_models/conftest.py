"""Training data of language models: dialogues of the demo world."""

from tests.responders.conftest import world

__all__ = ["world"]
