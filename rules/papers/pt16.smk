# The leaf of PT16, the formality ratings of Pavlick and Tetreault (2016).
GENRES = ["answers", "blog", "email", "news"]

WIRING["pt16"] = (
    {"files": [corpora.path(corpora.entries("pt16", "2016")[genre]) for genre in GENRES]},
    {"genres": GENRES},
)
