"""Command: simulated raters of dialogues, used if there are no ratings by people."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.dialogues import read_transcripts
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import Rating, read_items, read_key, write_ratings
from workflow_scripts.human.simulate import answers, judged


def simulate_dialogues(
    target: Path,
    *,
    sheet: Path,
    key: Path,
    transcripts: Path,
    raters: int,
    slips: float,
    noise: float,
    bias: float,
    spread: float,
    seed: int,
) -> None:
    """Write the ratings of simulated raters, whose names begin with `simulated`.

    Success starts from the evaluator's verdict, comprehension from the agreement of the system's states with
    the annotated ones, appropriateness from the agreement of its words with the annotated responses: so these
    ratings add nothing to automatic metrics. For success a rater gives the other answer by chance; the scales
    are rated as in `human.simulate`. Raises InputError for an item that is not in the key, or a row missing
    from the transcripts.

    :param target: CSV to write: rater, item, task, value; every rater rates every item
    :param sheet: the items
    :param key: the systems and dialogues of the items
    :param transcripts: the dialogues
    :param raters: how many there are
    :param slips: probability of the other answer
    :param noise: of a single rating, in points of the scale
    :param bias: of a rater
    :param spread: of a text, the same for all raters
    """
    known = read_transcripts(transcripts)
    places = {entry.item: entry.sentence for entry in read_key(key)}
    ratings: list[Rating] = []
    rated, ideal = [], {}
    for item in read_items(sheet):
        if item.item not in places:
            raise InputError(f"no item {item.item} of {sheet}", path=key, fix="make both anew")
        if places[item.item] > len(known):
            raise InputError(f"no row {places[item.item]}, which the key names", path=transcripts)
        share = known[places[item.item] - 1].known[item.task]
        if not TASKS[item.task].words:
            rated.append(item)
            ideal[item.item] = [share]
            continue
        right = "yes" if share > 0 else "no"
        ratings += answers(item, right, ("yes", "no"), raters=raters, slips=slips, seed=seed)
    ratings += judged(rated, ideal, raters=raters, noise=noise, bias=bias, spread=spread, seed=seed)
    write_ratings(target, ratings)


if __name__ == "__main__":
    run(simulate_dialogues)
