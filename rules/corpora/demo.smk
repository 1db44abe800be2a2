# corpora: the demo world, its corpora in the official layouts of real ones.
from workflow_scripts.wiring.control import HELD_OUT_REFERENCES, HELD_OUT_SOURCE


# The demo world is made in parts, so that a size reruns only the steps after its corpus; the sizes of dev and test
# sets change the sentences excluded from training, and so all of it.
rule demo_world:
    """Hand-written situations, and the share of them that each corpus of the demo may contain."""
    input:
        situations=sorted(
            resource(f"resources/demo/situations/{path.name}")
            for path in Path(resource("resources/demo/situations")).glob("*.yaml")
        ),
    output:
        world="build/corpora/demo/world.json",
    localrule: True
    params:
        sizes=options(config["demo"], "gyafc_dev", "gyafc_test", "xformal"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.make_world {output.world:q} --situations {input.situations:q}"
        " --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


# The corpora of the demo world: (files, settings of their size, OPUS's code where there is one per language).
DEMO = {
    "gyafc": (directory("build/corpora/demo/GYAFC_Corpus"), ["gyafc_train", "gyafc_dev", "gyafc_test"], ""),
    "xformal": (directory("build/corpora/demo/XFORMAL"), ["xformal"], ""),
    "known": ("build/corpora/demo/known/{code}.jsonl", ["xformal"], "{code}"),
    "ratings": ("build/corpora/demo/pt16/answers", ["ratings"], ""),
    "subtitles": (
        "build/corpora/demo/opus/OpenSubtitles/v2018/moses/en-{code}.txt.zip",
        ["subtitles"],
        "{code}",
    ),
    "bitext": ("build/corpora/demo/opus/Demo/v1/moses/en-{code}.txt.zip", ["bitext"], "{code}"),
    "yahoo": (
        [f"build/corpora/demo/yahoo/FullOct2007.xml.part{part}.gz" for part in (1, 2)],
        ["questions"],
        "",
    ),
    "yahoo_fr": ("build/corpora/demo/yahoo-fr/FrenchAnswers.xml.gz", ["questions_fr"], ""),
}


rule demo_requests:
    """Hand-written requests in ten languages with simulated scores, in the layout of TyDiP."""
    input:
        texts=resource("resources/demo/requests.yaml"),
    output:
        corpus=directory("build/corpora/demo/TyDiP"),
    localrule: True
    params:
        train=config["demo"]["requests_train"],
        test=config["demo"]["requests_test"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.requests {output.corpus:q} --texts {input.texts:q}"
        " --seed {params.seed:q} --train {params.train:q} --test {params.test:q} 2> {log:q}"


CONTROLLED_TEXTS = {
    "texts": resource("resources/demo/controlled.yaml"),
    "content": resource("resources/demo/situations/content.yaml"),
}
AT_WORK = {
    "occupations": resource("resources/demo/occupations.yaml"),
    "content": CONTROLLED_TEXTS["content"],
}


rule demo_controlled:
    """Contrastive pairs in the demo's languages, in the layout of CoCoA-MT."""
    input:
        **CONTROLLED_TEXTS,
    output:
        corpus=directory("build/corpora/demo/CoCoA-MT"),
    localrule: True
    params:
        sizes=options(config["demo"], "controlled_train", "controlled_test"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.controlled {output.corpus:q} --texts {input.texts:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


rule demo_generic:
    """The training pairs of a generic translator and its test sets, in archives of OPUS."""
    input:
        **CONTROLLED_TEXTS,
        occupations=AT_WORK["occupations"],
    output:
        archive="build/corpora/demo/opus/Generic/{part}/moses/en-{code}.txt.zip",
    wildcard_constraints:
        part="train|wmt|ted",
        code=r"\w+",
    localrule: True
    params:
        sizes=options(config["demo"], "generic_train", "generic_test"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.generic {output.archive:q} --texts {input.texts:q}"
        " --occupations {input.occupations:q} --content {input.content:q} --seed {params.seed:q}"
        " --part {wildcards.part:q} --code {wildcards.code:q} {params.sizes:q} 2> {log:q}"


rule demo_winomt:
    """The demo's sentences in which a pronoun shows the gender of a person at work, in the layout of WinoMT."""
    input:
        **AT_WORK,
    output:
        entries="build/corpora/demo/winomt.txt",
    localrule: True
    params:
        size=options(config["demo"], "winomt"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.winomt {output.entries:q} --texts {input.occupations:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.size:q} 2> {log:q}"


rule demo_lexicons:
    """Hand-written lexicons of politeness strategies, and bitext of the demo's requests."""
    input:
        texts=resource("resources/demo/requests.yaml"),
        words=resource("resources/demo/lexicons.yaml"),
    output:
        lexicons=directory("build/corpora/demo/lexicons"),
    localrule: True
    shell:
        "python -m workflow_scripts.corpora.demo.lexicons {output.lexicons:q} --texts {input.texts:q}"
        " --words {input.words:q} 2> {log:q}"


rule demo_held_out:
    """English sentences of other domains with marked references, for raters of translations under control."""
    input:
        texts=resource("resources/demo/held_out.yaml"),
        content=CONTROLLED_TEXTS["content"],
    output:
        expand(HELD_OUT_SOURCE, sheet=LEVELS),
        expand(
            HELD_OUT_REFERENCES,
            sheet=LEVELS,
            lang=[lang for lang, own in ALL_LANGUAGES.items() if own["demo"] == "yes"],
            level=LEVELS,
        ),
    localrule: True
    resources:
        lines="held-out",
    params:
        size=options(config["demo"], "held_out"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.held_out build/corpora/demo/held-out --texts {input.texts:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.size:q} 2> {log:q}"


rule demo_stanford:
    """The demo's English requests with simulated single ratings, in the layout of the Stanford Politeness Corpus."""
    input:
        corpus=rules.demo_requests.output.corpus,
    output:
        table="build/corpora/demo/stanford-politeness/wikipedia.annotated.csv",
    localrule: True
    params:
        workers=as_options({"workers": 20, "requests": 13}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.stanford {output.table:q} --corpus {input.corpus:q}"
        " {params.workers:q} --seed {params.seed:q} 2> {log:q}"


rule demo_talk:
    """User talk pages of the demo's requests, in the layout of Wikipedia's dumps."""
    input:
        texts=resource("resources/demo/requests.yaml"),
    output:
        expand("build/corpora/demo/talk/{lang}wiki-pages-meta-current.xml.bz2", lang=TYDIP),
    localrule: True
    params:
        options=as_options({"languages": TYDIP, "pages": 40}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.talk build/corpora/demo/talk --texts {input.texts:q}"
        " {params.options:q} --seed {params.seed:q} 2> {log:q}"


rule demo_dialogues:
    """Task-oriented dialogues in MultiWOZ 2.2's layout, and impolite rewrites of their users' turns."""
    output:
        corpus=directory("build/corpora/demo/MultiWOZ"),
        impolite="build/corpora/demo/impolite.jsonl",
    params:
        sizes=options(config["demo"], "dialogues_train", "dialogues_dev", "dialogues_test"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.demo.dialogues {output.corpus:q} {output.impolite:q}"
        " --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


for demo, (files, sizes, code) in DEMO.items():

    rule:
        """A corpus of the demo world, in its official layout."""
        name:
            f"demo_{demo}"
        input:
            world=rules.demo_world.output.world,
        output:
            files,
        wildcard_constraints:
            code=r"\w+",
        localrule: True
        params:
            command=f"corpora.demo.{demo}",
            language=["--code", code] if code else [],
            sizes=options(config["demo"], *sizes),
            code=code_of(f"corpora.demo.{demo}"),
        shell:
            "python -m workflow_scripts.{params.command:q} {output:q} --world {input.world:q} {params.language:q}"
            " {params.sizes:q} 2> {log:q}"
