"""Command: the demo world's Yahoo Answers L6, in the XML of the real corpus, cut into two parts."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import writing
from workflow_scripts.corpora.demo.answers import Habits, document, feed
from workflow_scripts.corpora.demo.world import World

# Like the real corpus, it has English too, which is not used.
SHARES = {"en": 0.1, "pt": 0.3, "it": 0.3, "fr": 0.3}
# Candidates for XFORMAL are informal.
L6 = Habits(answers=(1, 1, 2, 2, 3, 4), sentences=(1, 1, 1, 2, 2, 3), informal=0.72, formal=0.21)


def make_yahoo(first: Path, second: Path, *, world: Path, questions: int) -> None:
    """Write one XML document in two gzipped parts; the cut falls within a character.

    :param first: part to write
    :param second: part to write
    :param questions: number of questions, all languages together
    """
    demo = World.read(world)
    situations = demo.topics()
    random = demo.random("yahoo")
    languages = [language for language, share in SHARES.items() for _ in range(round(share * questions))]
    random.shuffle(languages)
    # Questions about entertainment are in another category than the rest.
    documents = []
    for number, language in enumerate(languages):
        documents.append(document(demo, number, language, random.choice(situations), random, L6))
    demo.check()
    data = feed(documents)
    # The first byte after the middle that continues a character.
    cut = next((i for i in range(len(data) // 2, len(data)) if data[i] & 0xC0 == 0x80), len(data) // 2)
    for path, part in ((first, data[:cut]), (second, data[cut:])):
        with writing(path, binary=True) as stream:
            stream.write(part)


if __name__ == "__main__":
    run(make_yahoo)
