"""tuvous: formality and politeness experiments; one subpackage per stage of the workflow."""

__version__ = "0.1.0"
