"""5-gram Kneser-Ney language models of formal text and their scores."""
