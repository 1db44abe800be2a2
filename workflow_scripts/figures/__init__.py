"""Drawing: what the figures of all stages share (a library; it knows nothing of stages)."""
