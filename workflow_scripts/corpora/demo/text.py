"""The demo world's corpora that are plain text: GYAFC, XFORMAL and the formality ratings."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora import gyafc, pt16, xformal
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, REWRITES, Combination
from workflow_scripts.corpora.demo.world import DEV, TEST, TRAIN, World

# Mean rating of each wording, from the most informal to the most formal.
INFORMAL_RATINGS, FORMAL_RATINGS = (-2.6, -1.8, -0.9), (0.7, 1.3, 1.9, 2.4)
ROUGHENED = 0.3
RATERS, SPREAD = 5, 0.6


def halves(total: int) -> dict[str, int]:
    """How many sentences each domain of GYAFC gets."""
    return dict(zip(gyafc.DOMAINS, (total // 2, total - total // 2), strict=True))


def write_gyafc(world: World, folder: Path, train: int, dev: int, test: int) -> None:
    """GYAFC_Corpus: pairs for training, and for tune and test four rewrites in both directions."""
    with writing_folder(folder) as out:
        for domain in gyafc.DOMAINS:
            _write_pairs(world, out / domain / "train", domain, halves(train)[domain])
            for split, name, total in ((DEV, "tune", dev), (TEST, "test", test)):
                fitting = [c for c in world.pools[split] if _domain(c) == domain]
                _write_rewrites(world, out / domain / name, split, fitting[: halves(total)[domain]])


def _domain(combination: Combination) -> str:
    return gyafc.DOMAINS[0] if combination.situation.entertainment else gyafc.DOMAINS[1]


def _write_pairs(world: World, folder: Path, domain: str, count: int) -> None:
    pairs = [
        (combination, informal, formal)
        for combination in world.pools[TRAIN]
        if _domain(combination) == domain
        for informal in range(len(combination.situation.informal))
        for formal in range(REWRITES)
    ]
    chosen = world.draw(pairs, count, f"GYAFC {domain}")
    random = world.random(f"gyafc {domain}")
    write_lines(folder / INFORMAL, (world.say(TRAIN, (c, INFORMAL, i), "en", random) for c, i, _ in chosen))
    write_lines(folder / FORMAL, (world.say(TRAIN, (c, FORMAL, f), "en", random) for c, _, f in chosen))


def _write_rewrites(world: World, folder: Path, split: str, combinations: list[Combination]) -> None:
    """Informal sentences with formal rewrites; and formal ones, in another order, with informal rewrites."""
    random = world.random(f"gyafc {split} {folder.parent.name}")
    for source, target in ((INFORMAL, FORMAL), (FORMAL, INFORMAL)):
        rows = []
        for combination in random.sample(combinations, len(combinations)):
            wording = random.randrange(len(getattr(combination.situation, source)))
            # There are three informal wordings at least; the fourth rewrite repeats one, noise apart.
            count = len(getattr(combination.situation, target))
            wordings = random.sample(range(count), min(count, REWRITES))
            wordings += random.choices(range(count), k=REWRITES - len(wordings))
            sayings = [(combination, source, wording), *((combination, target, w) for w in wordings)]
            rows.append([world.say(split, saying, "en", random) for saying in sayings])
        names = [source, *(f"{target}.ref{i}" for i in range(REWRITES))]
        for column, name in enumerate(names):
            write_lines(folder / name, (row[column] for row in rows))


def write_xformal(world: World, folder: Path, languages: tuple[str, ...], count: int) -> None:
    """XFORMAL: informal sentences of the domain Family & Relationships, with four formal rewrites."""
    fitting = [c for c in world.pools[TEST] if not c.situation.entertainment][:count]
    with writing_folder(folder) as out:
        for language in languages:
            random = world.random(f"xformal {language}")
            rows = []
            for combination in random.sample(fitting, len(fitting)):
                wording = random.randrange(len(combination.situation.informal))
                wordings = random.sample(range(REWRITES), REWRITES)
                sayings = [(combination, INFORMAL, wording), *((combination, FORMAL, w) for w in wordings)]
                rows.append([world.say(TEST, saying, language, random) for saying in sayings])
            for column, name in enumerate(xformal.FILES):
                write_lines(out / "xformal_eval" / language / name, (row[column] for row in rows))


def write_ratings(world: World, file: Path, count: int) -> None:
    """The ratings: five simulated raters for English sentences of all degrees of formality."""
    from nltk.tokenize import TreebankWordTokenizer

    tokenise = TreebankWordTokenizer().tokenize
    random = world.random("ratings")
    rows: list[str] = []
    known: set[str] = set()
    # Noise may make two sentences equal, and each is rated once.
    for saying in world.draw(world.sayings(TRAIN, INFORMAL, FORMAL), count, "ratings"):
        combination, register, wording = saying
        sentence = world.say(TRAIN, saying, "en", random)
        level = (INFORMAL_RATINGS if register == INFORMAL else FORMAL_RATINGS)[min(wording, 3)]
        level -= ROUGHENED * (sentence != combination.say(register, wording, "en"))
        ratings = sorted(
            min(pt16.HIGHEST, max(pt16.LOWEST, float(round(random.gauss(level, SPREAD)))))
            for _ in range(RATERS)
        )
        name = f"{random.getrandbits(128):032x}.{len(rows)}"
        if sentence not in known:
            known.add(sentence)
            mean = str(round(sum(ratings) / RATERS, 2))
            rows.append("\t".join([mean, ",".join(map(str, ratings)), name, " ".join(tokenise(sentence))]))
    write_lines(file, rows)
