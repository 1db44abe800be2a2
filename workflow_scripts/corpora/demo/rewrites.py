"""The demo world's dev and test sentences, each with its rewrites, as rows."""

from __future__ import annotations

from workflow_scripts.corpora import gyafc
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, REWRITES, Combination
from workflow_scripts.corpora.demo.world import TEST, World

# A sentence and its rewrites.
Row = list[str]


def halves(total: int) -> dict[str, int]:
    """How many sentences each domain of GYAFC gets."""
    return dict(zip(gyafc.DOMAINS, (total // 2, total - total // 2), strict=True))


def domain_of(combination: Combination) -> str:
    """Its domain in GYAFC."""
    return gyafc.DOMAINS[0] if combination.situation.entertainment else gyafc.DOMAINS[1]


def english_rewrites(world: World, split: str, domain: str, count: int) -> dict[str, list[Row]]:
    """GYAFC's dev or test set of a domain, by the register of the sentences that are rewritten.

    Informal sentences have formal rewrites; formal ones, in another order, have informal rewrites.
    """
    combinations = [c for c in world.pools[split] if domain_of(c) == domain][:count]
    random = world.random(f"gyafc {split} {domain}")
    found: dict[str, list[Row]] = {}
    for source, target in ((INFORMAL, FORMAL), (FORMAL, INFORMAL)):
        found[source] = []
        for combination in random.sample(combinations, len(combinations)):
            wording = random.randrange(len(getattr(combination.situation, source)))
            # There are three informal wordings at least; the fourth rewrite repeats one, noise apart.
            known = range(len(getattr(combination.situation, target)))
            wordings = random.sample(known, min(len(known), REWRITES))
            wordings += random.choices(known, k=REWRITES - len(wordings))
            sayings = [(combination, source, wording), *((combination, target, w) for w in wordings)]
            found[source].append([world.say(split, saying, "en", random) for saying in sayings])
    return found


def other_rewrites(world: World, language: str, count: int) -> list[Row]:
    """XFORMAL's test set in a language: informal sentences of one domain, each with four formal rewrites."""
    fitting = [c for c in world.pools[TEST] if not c.situation.entertainment][:count]
    random = world.random(f"xformal {language}")
    rows = []
    for combination in random.sample(fitting, len(fitting)):
        wording = random.randrange(len(combination.situation.informal))
        wordings = random.sample(range(REWRITES), REWRITES)
        sayings = [(combination, INFORMAL, wording), *((combination, FORMAL, w) for w in wordings)]
        rows.append([world.say(TEST, saying, language, random) for saying in sayings])
    return rows
