# A rule for each leaf of WIRING, `{leaf: (files, further options, what a manifest lists)}`: the module papers.<paper>.<leaf> writes the
# leaf's files. It is given the files that the leaf is made of and the further options by their names, and where
# the paper prints numbers, these, and the scale if they depend on it.
for wired, (sources, further, *listed) in WIRING.items():
    if wired not in LEAVES:
        stop(f"resources/leaves.csv: no leaf '{wired}', which rules/papers/ make; {nearest(wired, LEAVES)}")
    stem = wired.rpartition("/")[2]
    folder = LEAVES[wired].paper.replace("-", "_")
    command = f"papers.{folder}.{stem.replace('-', '_')}"
    if leaves.printed(LEAVES[wired]):
        sources = {**sources, "printed": resource(f"resources/printed/{LEAVES[wired].printed}")}
        if LEAVES[wired].scaled:
            further = {**further, "scale": config["scale"]}

    rule:
        """A leaf in the paper's layout and beside the printed numbers; resources/leaves.csv says what it shows."""
        name:
            re.sub(r"\W", "_", wired)
        input:
            *listed,
            **sources,
        output:
            [leaf(path) for path in leaves.files_of(LEAVES[wired])],
        log:
            f"logs/{folder}/{stem}.log",
        localrule: True
        params:
            command=command,
            options=as_options({**sources, **further}),
            code=code_of(command),
        shell:
            "python -m workflow_scripts.{params.command:q} {output:q} {params.options:q} 2> {log:q}"
