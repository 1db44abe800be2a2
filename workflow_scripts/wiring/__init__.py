"""What rules are asked for: files, options and systems, from the typed settings.

Only `checks` and `resources` know of Snakemake, by `core.snakemake_internals`.
"""
