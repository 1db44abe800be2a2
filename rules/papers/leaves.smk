# A rule for each leaf that workflow_scripts/wiring/papers/ describes.
from workflow_scripts.wiring.papers import wired

try:
    # The files that a paper's target makes besides its leaves: FURTHER.
    LEAF_RULES, FURTHER = wired(PAPERS, LEAVES, subjects)
except InputError as problem:
    stop(problem)

for made in LEAF_RULES:

    rule:
        """A leaf in the paper's layout and beside the printed numbers; see resources/leaves.csv."""
        name:
            made.name
        input:
            *made.listed,
            **made.input,
        output:
            list(map(leaf, made.output)),
        log:
            made.log,
        localrule: True
        params:
            command=made.command,
            options=as_options(made.options),
            code=code_of(made.command),
        shell:
            "python -m workflow_scripts.{params.command:q} {output:q} {params.options:q} 2> {log:q}"
