# tools: packages in separate environments, because their pins exclude them from the main one (Bicleaner), because
# they are compiled (kenlm's lmplz), or because they are large and for one table (spaCy).


rule tool_venv:
    """A tool's locked packages in an environment named after the lock file."""
    input:
        # Ancient, since its content names the environment.
        lock=ancient(resource("envs/{tool}.txt")),
    output:
        done=f"{shared('.venvs')}/{{tool}}-{{lock}}/.done",
    wildcard_constraints:
        tool=one_of(tool for tool, done in TOOLS.items() if not checks.made_by_others(workflow, done)),
    priority: FIRST
    localrule: True
    params:
        venv=lambda wildcards, output: os.path.dirname(output.done),
        # An environment stays when the code that has made it changes: its lock file names it.
        code=untracked(""),
    shell:
        "python -m workflow_scripts.core.tools {params.venv:q} {output.done:q} --lock {input.lock:q} 2> {log:q}"
