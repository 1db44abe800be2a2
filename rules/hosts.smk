# Helpers of the checks before the first job: whether hosts of downloads answer. No rule stands here.
def unreachable_hosts():
    """The hosts of planned downloads that do not answer; with --keep-going they are told, and none is a problem."""
    rows = {}
    for job in internals.jobs_to_run(workflow):
        table = {"download": REGISTERED, "download_files": FOLDERS}.get(job.rule.name)
        # A group of a profile sends downloads to nodes, which may have another network than this machine.
        if table and job.is_local:
            rows[job.wildcards.path] = table[job.wildcards.path]
    rows = [row for row in rows.values() if not mirror_option(row)]
    if not rows:
        return []
    # Beside every Snakemake, but not needed to read the rules.
    from workflow_scripts.corpora.sources.reach import unreachable

    found = unreachable(rows, Path(resource("resources")))
    if not internals.keeps_going(workflow):
        return found
    for problem in found:
        print(f"warning: {problem}", file=sys.stderr)
    return []
