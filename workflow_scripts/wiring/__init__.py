"""The files, options and systems that rules use, derived from the typed settings.

Only `checks`, `requirements` and `resources` depend on Snakemake, through `core.snakemake_internals`.
`papers` has the files behind each paper's leaves.
"""
