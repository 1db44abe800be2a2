"""The files, options and systems that rules use, derived from the typed settings.

Only `checks` and `resources` depend on Snakemake, through `core.snakemake_internals`.
"""
