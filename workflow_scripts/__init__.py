"""tuvous: formality and politeness experiments; one subpackage per stage of the workflow."""
