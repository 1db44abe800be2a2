"""MultiWOZ: its dialogues, their belief states, databases and placeholders, and systems' outputs."""
