"""The demo world's dev and test sentences, each with its rewrites, as rows."""

from random import Random

from workflow_scripts.corpora import gyafc
from workflow_scripts.corpora.demo.combinations import Combination
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, Situation
from workflow_scripts.corpora.demo.world import TEST, World

# GYAFC and XFORMAL have four rewrites of each sentence.
REWRITES = 4
# A sentence and its rewrites.
Row = list[str]


def halves(total: int) -> dict[str, int]:
    """The number of sentences in each domain of GYAFC."""
    return dict(zip(gyafc.DOMAINS, (total // 2, total - total // 2), strict=True))


def domain_of(situation: Situation) -> str:
    """The domain of a situation in GYAFC."""
    return gyafc.DOMAINS[0] if situation.entertainment else gyafc.DOMAINS[1]


def english_rewrites(world: World, split: str, domain: str, count: int) -> dict[str, list[Row]]:
    """GYAFC's dev or test set of a domain, by the register of the original sentences.

    Informal sentences have formal rewrites; formal ones, in another order, have informal rewrites.
    """
    combinations = _different(world, split, domain, count)
    random = world.random(f"gyafc {split} {domain}")
    return {
        source: [
            _row(world, split, combination, source, target, "en", random)
            for combination in random.sample(combinations, len(combinations))
        ]
        for source, target in ((INFORMAL, FORMAL), (FORMAL, INFORMAL))
    }


def xformal_combinations(world: World, count: int) -> list[Combination]:
    """The content of XFORMAL's test set, the same in each language: the domain that is not entertainment."""
    return _different(world, TEST, gyafc.DOMAINS[1], count)


def other_rewrites(world: World, language: str, count: int) -> list[Row]:
    """XFORMAL's test set in a language, in the order of `xformal_combinations`, each with rewrites."""
    random = world.random(f"xformal {language}")
    return [
        _row(world, TEST, combination, INFORMAL, FORMAL, language, random)
        for combination in xformal_combinations(world, count)
    ]


def _different(world: World, split: str, domain: str, count: int) -> list[Combination]:
    """Random combinations of a domain; a longer list begins with the shorter one."""
    random = world.random(f"combinations {split} {domain}")
    situations = world.topics(lambda situation: domain_of(situation) == domain)
    drawn: dict[Combination, None] = {}
    while len(drawn) < count:
        drawn[world.combination(split, situations, random)] = None
    return list(drawn)


def _row(
    world: World,
    split: str,
    combination: Combination,
    source: str,
    target: str,
    language: str,
    random: Random,
) -> Row:
    wording = combination.choose(world.script, source, random)
    rewordings = combination.rewordings(world.script, target, REWRITES, random)
    sayings = [(combination, source, wording), *((combination, target, other) for other in rewordings)]
    return [world.say(split, saying, language, random) for saying in sayings]
