"""Command: the demo world's French Yahoo Answers L26, in the XML of the real corpus."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import writing
from workflow_scripts.corpora.demo.answers import Habits, document, feed
from workflow_scripts.corpora.demo.world import World

# UNMT and DLSM need the same amount of both styles.
L26 = Habits(answers=(1, 1, 2), sentences=(1, 1, 2, 2, 3), informal=0.47, formal=0.47)


def make_yahoo_fr(out: Path, *, world: Path, questions_fr: int) -> None:
    """Write French answers in XFORMAL's domain, about as many formal as informal.

    :param out: file to write: one XML document
    :param questions_fr: number of questions
    """
    demo = World.read(world)
    situations = demo.topics(lambda situation: not situation.entertainment)
    random = demo.random("yahoo-fr")
    documents = [
        document(demo, number, "fr", random.choice(situations), random, L26) for number in range(questions_fr)
    ]
    demo.check()
    with writing(out, binary=True) as stream:
        stream.write(feed(documents))


if __name__ == "__main__":
    run(make_yahoo_fr)
