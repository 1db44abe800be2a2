# corpora: where official files come from (downloads, licensed folders; for the demo world see demo.smk), and where they go.
from functools import cache

from workflow_scripts.corpora.sources.behind import sources_behind
from workflow_scripts.wiring.sockeye import SOCKEYE, SOCKEYE_FILES

# Where each source is found; of two entries of one file the first gives the name.
PLACES = {
    (f"build/corpora/licensed/{row.id}.txt" if row.access == "on request" else corpora.path(row)): row.id
    for row in reversed(REGISTRY)
}
# The files of the report's leaves, and the sources behind each.
LEAF_FILES = {
    f"results/{leaf.name}.csv": leaf.name
    for leaf in LEAVES.values()
    if leaf.paper in config["report"]["papers"]
}
USED = cache(lambda: sources_behind(LEAF_FILES, internals.rules_of(workflow), PLACES))


# Rules that need the network, and short rules.
rule download:
    """One file of the registry: pinned URL, checked sum, resumed after a break, or taken from the mirror."""
    input:
        requirements.unpinned_download,
    output:
        "build/corpora/downloads/{path}",
    wildcard_constraints:
        path=one_of(sorted(corpora.files)),
    localrule: True
    resources:
        runtime=growing(1440, DAY),
        step="download",
        counts="megabytes",
    params:
        url=lambda wildcards: corpora.files[wildcards.path].url,
        sha256=lambda wildcards: corpora.files[wildcards.path].sha256,
        record=untracked(
            lambda wildcards: words({"record": not unpinned(wildcards.path, REGISTRY, UNPINNED)})
        ),
        mirror=untracked(lambda wildcards: corpora.mirror_option(corpora.files[wildcards.path])),
    shell:
        "python -m workflow_scripts.corpora.sources.download {output:q} --url={params.url:q}"
        " --sha256={params.sha256:q} --partial build/downloads {params.record:q} {params.mirror:q}"
        " --retries 5 2> {log:q}"


rule download_files:
    """A corpus of many files: several at a time, each checked against the registry's list."""
    input:
        sums=lambda wildcards: resource(f"resources/{corpora.folders[wildcards.path].files}"),
    output:
        folder=directory("build/corpora/downloads/{path}"),
    wildcard_constraints:
        path=one_of(sorted(corpora.folders)),
    localrule: True
    resources:
        runtime=growing(240, DAY),
        step="download_files",
        counts="megabytes",
    params:
        url=lambda wildcards: corpora.folders[wildcards.path].url,
        mirror=untracked(lambda wildcards: corpora.mirror_option(corpora.folders[wildcards.path])),
    shell:
        "python -m workflow_scripts.corpora.sources.download_files {output.folder:q} --sums {input.sums:q}"
        " --url={params.url:q} --partial build/downloads {params.mirror:q} --retries 5 --parallel 8 2> {log:q}"


rule check_licensed:
    """A licensed corpus, put in place by the user: is everything there?"""
    input:
        requirements.licensed_folder,
        registry=resource("resources/sources.csv"),
    output:
        stamp="build/corpora/licensed/{id}.txt",
    localrule: True
    params:
        folder=untracked(corpora.licensed),
    shell:
        "python -m workflow_scripts.corpora.sources.licensed {params.folder:q} {output.stamp:q}"
        " --entry {wildcards.id:q} --registry {input.registry:q} 2> {log:q}"


rule check_sockeye:
    """A model that Sockeye has trained, put in place by the user: are its files those of the record?"""
    input:
        files=requirements.sockeye_files,
    output:
        sums="build/corpora/sockeye/{lang}.sha256",
    wildcard_constraints:
        lang=one_of(control.sockeye),
    localrule: True
    params:
        folder=lambda wildcards: control.sockeye[wildcards.lang],
        names=SOCKEYE_FILES,
        record=untracked(lambda wildcards: words({"record": SOCKEYE in UNPINNED})),
    shell:
        "python -m workflow_scripts.corpora.sources.given {output.sums:q} --folder={params.folder:q}"
        " --names {params.names:q} {params.record:q} 2> {log:q}"


rule record_sockeye:
    """The checksums of all models that Sockeye has trained, recorded beside their folders."""
    input:
        expand(rules.check_sockeye.output.sums, lang=control.sockeye),
    localrule: True


rule used_sources:
    """The sources of each leaf, with their licences."""
    input:
        lambda wildcards: [
            place for place, name in PLACES.items() if any(name in names for names in USED().values())
        ],
        leaves=resource("resources/leaves.csv"),
        papers=resource("resources/papers.csv"),
        registry=resource("resources/sources.csv"),
    output:
        table="results/sources.csv",
    localrule: True
    params:
        used=lambda wildcards: [f"{LEAF_FILES[path]}={','.join(names)}" for path, names in USED().items()],
        licensed=untracked(corpora.licensed),
    shell:
        "python -m workflow_scripts.corpora.sources.used_sources {output.table:q} --leaves {input.leaves:q}"
        " --registry {input.registry:q} --used {params.used:q} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} 2> {log:q}"


rule sources:
    """Prints every corpus of the registry: is it present, missing or damaged on this machine?"""
    input:
        registry=resource("resources/sources.csv"),
    localrule: True
    params:
        licensed=untracked(corpora.licensed),
        mirror=words(corpora.mirror),
    shell:
        "python -m workflow_scripts.corpora.sources.states {input.registry:q} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} {params.mirror:q}"
        " 2> >(tee {log:q} >&2)"
