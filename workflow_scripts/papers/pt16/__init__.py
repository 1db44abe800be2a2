"""The leaf of PT16, the formality ratings of Pavlick and Tetreault (2016)."""
