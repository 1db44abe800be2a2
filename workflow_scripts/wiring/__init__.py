"""What rules are asked for: files, options and systems, from the typed settings; needs no Snakemake."""
