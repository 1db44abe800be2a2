# A rule for each leaf of WIRING, `{leaf: (files, further options, files for a manifest)}`: the module
# papers.<paper>.<leaf> writes the leaf's files. Its options are the source files and the further options by name,
# the printed numbers if there are any, and the scale if the numbers depend on it.
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
        """A leaf in the paper's layout and beside the printed numbers; see resources/leaves.csv."""
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
