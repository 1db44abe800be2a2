"""What language models are trained on: the dialogues that systems learn."""

from tests.responders.conftest import world

__all__ = ["world"]
