"""MultiWOZ: its dialogues, their belief states, databases and placeholders, and what systems answer."""
