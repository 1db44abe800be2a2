# Helpers of the corpora: which files there are, where they lie, what is missing. No rule stands here.
# The files of GYAFC in the canonical layout, without their ending.
GYAFC = [
    f"{split}.{style}"
    for split, styles in {
        "train": ["informal", "formal"],
        "dev": ["informal", "formal"]
        + [f"{style}.ref{i}" for style in ("formal", "informal") for i in DEV_REFERENCES],
    }.items()
    for style in styles
]
# Its test set: informal sentences and their four rewrites; cocoa-mt has none.
GYAFC_TEST = ["test.informal", *(f"test.formal.ref{i}" for i in range(4))]


def entries(corpus, version=None):
    """The registry's rows for a version of a corpus (the configured one), by part."""
    version = version or config["corpora"][corpus.replace("-", "_")]
    return {row.part: row for row in REGISTRY if (row.corpus, row.version) == (corpus, version)}


def official(corpus, part=""):
    """The path of an official file or folder, as the readers get it."""
    row = entries(corpus)[part]
    return official_path(row)


def official_path(row):
    """The path of a row's file or folder."""
    if row.access == "on request":
        return f"{LICENSED}/{row.path}"
    if row.access == "generated":
        return f"build/corpora/demo/{row.path}"
    return f"build/corpora/downloads/{row.path}"


# Where downloads are taken from instead of the network, if a mirror is configured.
MIRROR = {"mirror": shared(config["mirror"])} if config["mirror"] else {}


def mirror_option(row):
    """The mirror, and where in it a row's file lies."""
    return words({**MIRROR, "mirror_path": row.mirror_path}) if MIRROR and row.mirror_path else []


def official_input(corpus, part=""):
    """What a reader waits for: the file itself, or the check of a licensed folder."""
    row = entries(corpus)[part]
    return f"build/corpora/licensed/{row.id}.txt" if row.access == "on request" else official_path(row)


REGISTERED = {row.path: row for row in REGISTRY if row.access == "open" and not row.files}
# Corpora of many files, by the name of their folder.
FOLDERS = {row.path: row for row in REGISTRY if row.access == "open" and row.files}


def bitext_of_kind(is_open):
    """A pattern for the bitexts that are, or are not, put together from small open corpora."""
    names = [n for n in ("opensubtitles", "bitext") if (config["corpora"][n] == "open") is is_open]
    return "|".join(names) or "(?!)"


def source_folder(corpus):
    """The folder of a corpus of many files, in its official layout."""
    return official_path(next(row for row in FOLDERS.values() if row.corpus == corpus))


# The folds of the configured MultiWOZ, and in 2.1 the file of each: its training dialogues are not among them.
MULTIWOZ_FOLDS = {"train": "val.json.zip", "test": "test.json.zip"}
if config["corpora"]["multiwoz"] != "2.1":
    MULTIWOZ_FOLDS = {fold: "" for fold in ("train", "dev", "test")}


# Where 2.2 and the goals of 2.1 lie, the demo world's in the same layout.
MULTIWOZ22, MULTIWOZ21 = (
    ("build/corpora/demo/MultiWOZ/data/MultiWOZ_2.2", "build/corpora/demo/MultiWOZ/data.json")
    if config["corpora"]["multiwoz"] == "demo"
    else (
        "build/corpora/downloads/multiwoz-2.2",
        "build/corpora/downloads/multiwoz-2.2/MultiWOZ_2.1.zip",
    )
)


# Where the teams of IWSLT 2022's task on formality control have their outputs.
SUBMITTED = {
    "umd": "UMD/EN-{upper}/unconstrained/formality",
    "uos": "slt-cdt-uos_pack/en-{target}/{condition}",
    "alexa": "Alexa_AI/EN-{upper}/unconstrained/formality",
}


def submission(wildcards):
    """The released file of a submission; of UoS' four the first two are constrained."""
    target, number = wildcards.target, wildcards.number
    place = SUBMITTED[wildcards.team].format(
        target=target,
        upper=target.upper(),
        condition="constrained" if int(number) < 3 else "unconstrained",
    )
    folder = f"{source_folder('iwslt2022')}/IWSLT2022/submissions/formality-control_{place}/blind-test"
    return f"{folder}/formality-control-{number}.{wildcards.level}.{target}"


def submitted_source(wildcards):
    """The English sentences that the teams have translated."""
    pair = f"en-{wildcards.target}"
    return f"{source_folder('iwslt2022')}/IWSLT2022/data/test/{pair}/formality-control.test.{pair}.en"


def impolite_corpus():
    """The file of the impolite corpus, and what its reader waits for; neither without one."""
    version = config["corpora"]["impolite"]
    if version == "none":
        return "", []
    if version == "transfer":
        made = "build/dialogue/style/corpus/impolite.jsonl"
        return made, [made]
    place = official("impolite")
    return place if version == "demo" else f"{place}/impolite.jsonl", [official_input("impolite")]


IMPOLITE, IMPOLITE_INPUT = impolite_corpus()


# The database of attractions that the evaluator has lies beside 2.1's dialogues.
ATTRACTIONS = source_folder("multiwoz")


def multiwoz_files():
    """What the readers of MultiWOZ wait for."""
    return sorted(map(official_path, entries("multiwoz").values()))


def multiwoz_databases():
    """The files of the databases of venues and trains."""
    if config["corpora"]["multiwoz"] == "demo":
        return [f"{official('multiwoz')}/db/{domain}_db.json" for domain in ("hotel", "restaurant", "train")]
    rest = [
        f"{source_folder('multiwoz-db')}/db/{domain}_db.json" for domain in ("hotel", "restaurant", "train")
    ]
    return [f"{ATTRACTIONS}/data/multiwoz/db/attraction_db.json", *rest]


def multiwoz_database_folders():
    """What those wait for: folders appear when they are complete."""
    if config["corpora"]["multiwoz"] == "demo":
        return [official("multiwoz")]
    return [ATTRACTIONS, source_folder("multiwoz-db")]


def open_corpora(lang):
    """The small open corpora that have a language, and what each calls it."""
    row = ALL_LANGUAGES[lang]
    return {name: row[name] for name in config["corpora"]["open_bitext"] if row[name]}


def generic_corpora(wildcards):
    """Those of a generic translator's training pairs, or of its test set, and what each calls the language."""
    return open_generic(wildcards.target, wildcards.part)


def open_generic(target, part):
    """The same of a language and a part."""
    found = open_corpora(target) if target in ALL_LANGUAGES else {}
    further = {
        name: code for name, code in GENERIC_LANGUAGES.get(target, {}).items() if name != "code" and code
    }
    return {name: code for name, code in {**found, **further}.items() if (name == "ntrex") is (part == "wmt")}


# The test sets of `corpora.generic: web`, and of which files in their archives each is made.
TEST_SETS = {
    row["part"]: row
    for _, row in read_rows(Path(resource("resources/test-sets.csv")), ("part", "source", "target"))
}


def test_set_archives(part):
    """The archives of a test set: one, or one for each side."""
    rows = entries("generic", "web")
    return [official_path(rows[name]) for name in (part, f"{part}.target") if name in rows]


def curation_options(wildcards):
    """Which sentences a language's curation drops."""
    lengths = {key: config["filtering"][key] for key in ("min_tokens", "max_tokens")}
    return words({**lengths, "domains": ALL_LANGUAGES[wildcards.lang]["domains"].split() or None})


def source_files(corpus):
    """What a reader of such a corpus waits for: the folder appears when it is complete."""
    return [source_folder(corpus)]


MISSING = {}
# The same for folders that the configuration names: what a dry run only says.
MISSING_FOLDERS = folders.missing(SETTINGS)
if internals.is_first_process(workflow):
    for problem in MISSING_FOLDERS:
        print(f"warning: {problem}", file=sys.stderr)


# How many missing files are told.
MOST_FILES = 10


def own_files(setting, needed, others=None):
    """Files that the configuration names, as input; `needed` has what each is of by its path.

    Where one is missing that the workflow does not make, the run stops, and a dry run too: Snakemake would keep what was
    made of it before, as if it were a source. Of `others` those that are missing are told with it.
    """

    def missing(path):
        return not os.path.isfile(path) and not internals.makes(internals.rules_of(workflow), path)

    if any(map(missing, needed)):
        lines = [
            f"configuration: {setting}: no such file: {path}{f' ({of})' if of else ''}"
            for path, of in {**(others or {}), **needed}.items()
            if missing(path)
        ]
        if len(lines) > MOST_FILES:
            lines[MOST_FILES:] = [f"configuration: {setting}: and {len(lines) - MOST_FILES} further files"]
        stop("\nerror: ".join(lines))
    return list(needed)


def own_file(setting, path, default):
    """A file that the configuration may name, or the one of the checkout that is taken if it does not."""
    return own_files(setting, {path: ""})[0] if path else resource(default)


def licensed_folder(wildcards):
    """Notes a licensed corpus that some job needs and that is not there, for onstart."""
    row = next(row for row in REGISTRY if row.id == wildcards.id)
    problem = licences.missing(row, Path(LICENSED))
    if problem:
        MISSING[row.id] = problem
    return []


def unpinned_download(wildcards):
    """Notes a download whose checksum nobody knows and nobody accepts, for onstart."""
    problem = unpinned(wildcards.path, REGISTRY, UNPINNED)
    if problem:
        MISSING[wildcards.path] = problem
    return []


def missing_keys():
    """The variables that hold keys of services, which jobs that are to run need and which are not set."""
    who = {
        "prompted_endpoint": lambda job: SYSTEMS[job.wildcards.system],
        "asked_endpoint": lambda job: ASKED[job.wildcards.classifier],
        "answered_endpoint": lambda job: RESPONDERS[job.wildcards.system],
        "rewritten_endpoint": lambda job: REWRITERS[job.wildcards.rewriter],
        "controlled_endpoint": lambda job: CONTROLLED[job.wildcards.system],
    }
    asked = {
        who[job.rule.name](job)["model"]["key"]
        for job in internals.jobs_to_run(workflow)
        if job.rule.name in who
    }
    return [
        f"the environment has no {name}: export {name}=..."
        for name in sorted(filter(None, asked))
        if not os.environ.get(name)
    ]


def missing_programs():
    """What the jobs that are to run need and is not on this machine, in one line."""
    found = []
    directions = set()
    for job in internals.jobs_to_run(workflow):
        name = job.rule.name
        if name == "tool_venv":
            compiled = job.wildcards.tool == "bicleaner"
            found += programs.venv(headers=compiled) + (programs.compiler() if compiled else [])
        elif name == "lmplz":
            found += programs.compiler()
        elif name.startswith("translate_") and BACKEND == "apertium" and internals.runs_here(workflow):
            directions.add((job.params.source, job.params.target))
    if directions:
        found += apertium.missing(config["translation"]["apertium"]["chains"], sorted(directions))
    if internals.executor(workflow) == "slurm":
        found += programs.slurm()
    if not internals.makes_environments(workflow):
        found += programs.packages()
    return programs.told(found)


def jobs_of_an_earlier_run():
    """Jobs that a killed run has left in the queue of Slurm: they would write what this one writes."""
    if internals.executor(workflow) != "slurm":
        return []
    left = programs.left_in_queue(Path.cwd())
    return (
        [
            f"jobs of an earlier run in this folder are still in the queue: {', '.join(left)};"
            f" wait until they have ended, or run: scancel {' '.join(left)}"
        ]
        if left
        else []
    )


def waiting_arrays():
    """What would make the plugin of Slurm wait for ever: it submits no part of an array.

    Where only some of the jobs of a rule that could start are chosen, since `jobs` or another limit holds the
    others back, it drops them without a word (snakemake-executor-plugin-slurm 2.8.0).
    """
    if internals.executor(workflow) != "slurm" or not internals.array_jobs(workflow):
        return []
    jobs = collections.Counter(job.rule.name for job in internals.jobs_to_run(workflow))
    count = max(jobs.values(), default=0)
    limits = {"jobs": internals.most_jobs(workflow), "resources: gpu": internals.limit(workflow, "gpu")}
    return [
        f"'{name}' is {limit}, below the {count} jobs of one rule, which slurm-array-jobs would never submit:"
        f" set it to {count} or more, or slurm-array-jobs to nothing"
        for name, limit in limits.items()
        if limit is not None and 0 < limit < count
    ]


def long_commands():
    """Jobs that no shell would start, since their commands name too many files or labels."""
    return [
        f"{name}: a command of {size:,} bytes; a shell gets at most {internals.LONGEST_COMMAND:,}: take fewer rows, or"
        " shorter labels and paths"
        for name, size in internals.long_commands(workflow).items()
    ]


def warn_of_jobs():
    """A dry run has no hook, and knows its jobs at its end only."""
    if internals.has_dry_jobs(workflow):
        for problem in missing_programs() + long_commands():
            print(f"warning: {problem}", file=sys.stderr)


if internals.is_first_process(workflow):
    atexit.register(warn_of_jobs)


onstart:
    internals.lift_rate_of_jobs(workflow)
    problems = MISSING_FOLDERS + [MISSING[name] for name in sorted(MISSING)] + missing_programs()
    problems += long_commands() + waiting_arrays() + jobs_of_an_earlier_run()
    if config["device"] == "cuda" and internals.runs_here(workflow) and not gpu.count():
        problems.append(
            "device is cuda, but this machine has no GPU: set device: auto or cpu, or use a profile"
        )
    problems += missing_keys()
    # Asked only of a run that nothing else stops.
    problems = problems or unreachable_hosts()
    if problems:
        stop("\nerror: ".join(problems))
    leaves = {path for name in LEAVES for path in leaf_files(name)}
    written = [path for job in internals.jobs_to_run(workflow) for path in map(str, job.output)]
    try:
        finished.keep([Path(path) for path in written if path in leaves], FINISHED)
    except InputError as problem:
        stop(problem)


# Where leaves are kept while jobs make them again.
FINISHED = Path("build/finished")


def put_leaves_back():
    """The leaves of the run before, where the jobs that were to make them again have failed; they are still to be made."""
    back = finished.put_back(FINISHED)
    for job in internals.jobs_to_run(workflow):
        if lost := [path for path in map(str, job.output) if Path(path) in back]:
            internals.mark_unfinished(workflow, job)
            print(f"{', '.join(lost)}: not made; what the run before made is back there", file=sys.stderr)


onerror:
    put_leaves_back()


def punkt(lang):
    """The folder of a language's sentence splitter."""
    if config["corpora"]["punkt"] == "trained":
        return {"punkt": f"build/corpora/punkt/trained/{lang}"}
    return {"punkt": "build/corpora/punkt/official"}


def punkt_folder(lang, folder):
    """Where a language's model lies in it: NLTK's archive holds all languages."""
    if config["corpora"]["punkt"] == "trained":
        return folder
    return f"{folder}/punkt_tab/{ALL_LANGUAGES[lang]['punkt']}"
