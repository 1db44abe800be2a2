"""LABES: its input, training, memory and output."""

import pytest

from tests.responders.test_recurrent import DECODING, SIZES
from workflow_scripts.core.errors import InputError
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.responders.lexicon import MARKS, PAD, STARTS, Lexicon, Words
from workflow_scripts.responders.sessions import Exchange, Session, gold_sessions
from workflow_scripts.responders.train_recurrent import first_network
from workflow_scripts.seq2seq.device import prepare


def test_what_labes_learns_of_a_dialogue_does_not_depend_on_its_batch(world):
    import torch

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    sizes = SIZES.model_copy(update={"dropout": 0.0})
    learner = first_network("labes", known, sizes, prepare("cpu", "float32", 1), 1)
    examples = sorted(learner.form.examples(known), key=lambda one: len(one.turns))
    short, long = examples[0], examples[-1]
    assert len(short.turns) < len(long.turns)
    with torch.no_grad():
        alone, copies, beside = (
            list(learner.network.losses(some, learner.lexicon.words))
            for some in ([long], [long] * 3, [short, long])
        )
    torch.testing.assert_close(copies, alone)
    torch.testing.assert_close(beside[len(short.turns) :], alone[len(short.turns) :])


def test_labes_reads_forward_and_remembers_the_values_of_the_turn_before(world):
    import torch

    from workflow_scripts.responders.copying import matrix
    from workflow_scripts.responders.labes import Values
    from workflow_scripts.responders.labes_system import LabesSystem

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    learner = first_network("labes", known, SIZES, prepare("cpu", "float32", 1), 1)
    network, words, form = learner.network, learner.lexicon.words, learner.form
    system = LabesSystem(network, form, DECODING)
    (session, exchange), (after, _), *_ = known[0]
    for turn in (session, after):
        system.beliefs([turn])
    # The first turn's values by one more reading, then the second's behind them.
    values = network.nothing(1, len(words.names))
    with torch.inference_mode():
        for turn in (session, after):
            texts = matrix([form.user(turn)])
            user, last = network.encode(network.users, texts)
            wide = len(words.names) - values.distributions.shape[2]
            values = Values(values.source, torch.nn.functional.pad(values.distributions, (0, wide)))
            values = network.believe(user, last, values, words)
        one_way = torch.nn.GRU(SIZES.embedding, SIZES.hidden, batch_first=True)
        weights = network.users.gru.state_dict()
        one_way.load_state_dict({name: weights[name] for name in one_way.state_dict()})
        torch.testing.assert_close(last, one_way(network.embedding(texts))[1][0])
    _, _, remembered = system._read[0]
    assert exchange in after.past and (values.source.words != 0).any()
    torch.testing.assert_close(remembered.distributions, values.distributions)


def test_what_is_learnt_is_what_is_written(world):
    """Values and a response that are written are read again with the same probabilities."""
    import torch

    from workflow_scripts.responders.copying import matrix
    from workflow_scripts.responders.labes import ValuesStep

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    learner = first_network("labes", known, SIZES, prepare("cpu", "float32", 1), 1)
    network, words = learner.network.eval(), learner.lexicon.words
    turns = [one.turns[0] for one in learner.form.examples(known)[:3]]
    count = len(words.names)
    with torch.inference_mode():
        user, last = network.encode(network.users, matrix([turn.user for turn in turns]))
        before = network.nothing(len(turns), count)
        values = network.believe(user, last, before, words)
        gold = values.source
        loss, learnt = network.learnt(network.prior, {"user": user}, last, before, gold, count)
        there = gold.words != PAD
        torch.testing.assert_close(learnt.distributions[there], values.distributions[there])
        chances = values.distributions.gather(2, gold.words[:, :, None]).squeeze(2)[there]
        torch.testing.assert_close(loss, -chances.log().mean())

        pointer = torch.tensor([turn.pointer for turn in turns])
        answer = network.answer(user, last, values, pointer, words, 6)
        start = torch.full_like(answer[:, :1], words.number(STARTS["response"]))
        inputs = network.embedding(torch.cat([start, answer[:, :-1]], dim=1))
        joint = ValuesStep(network.response, {"user": user}, values, pointer).taught(inputs, last)
        best = joint.probabilities(count)[:, :, 1:].max(2).values.log()
        torch.testing.assert_close(joint.of(answer)[answer != PAD], best[answer != PAD])


def test_the_losses_of_the_first_turns_are_those_of_posterior_prior_and_response(world):
    """The posterior reads the response too; the response reads the values of the prior."""
    import torch

    from workflow_scripts.responders.copying import matrix
    from workflow_scripts.responders.labes import ValuesStep, filled

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    sizes = SIZES.model_copy(update={"dropout": 0.0})
    learner = first_network("labes", known, sizes, prepare("cpu", "float32", 1), 1)
    network, words = learner.network, learner.lexicon.words
    dialogues, count = learner.form.examples(known)[:2], len(words.names)
    turns = [one.turns[0] for one in dialogues]
    with torch.no_grad():
        found, *_ = network.losses(dialogues, words)
        said, answer = (matrix([getattr(one, side) for one in turns]) for side in ("user", "response"))
        rows = [[word for value in one.values for word in filled(value)] for one in turns]
        gold, before = network.written(torch.tensor(rows)), network.nothing(2, count)
        user, last = network.encode(network.users, said)
        theirs, last_q = network.encode(network.users_q, said)
        both = {"user": theirs, "response": network.encode(network.responses_q, answer)[0]}
        posterior, _ = network.learnt(network.posterior, both, last_q, before, gold, count)
        prior, values = network.learnt(network.prior, {"user": user}, last, before, gold, count)
        pointer = torch.tensor([one.pointer for one in turns])
        start = torch.full((2, 1), words.number(STARTS["response"]))
        inputs = network.embedding(torch.cat([start, answer[:, :-1]], dim=1))
        joint = ValuesStep(network.response, {"user": user}, values, pointer).taught(inputs, last)
        response = -joint.of(answer)[answer != PAD].mean()
    torch.testing.assert_close(found, posterior + prior + response)


def test_what_the_next_word_depends_on(world):
    """That of a value on the state and the word before, with dropout; of a response on no word."""
    import torch

    from workflow_scripts.responders.copying import matrix
    from workflow_scripts.responders.labes import ValuesStep

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    # Dimensions that differ tell a word from a context.
    sizes = SIZES.model_copy(update={"embedding": 12})
    learner = first_network("labes", known, sizes, prepare("cpu", "float32", 1), 1)
    network, words = learner.network.eval(), learner.lexicon.words
    turn = learner.form.examples(known)[0].turns[0]
    user, last = network.encode(network.users, matrix([turn.user]))
    pointer = torch.tensor([turn.pointer])
    values, slots = network.nothing(1, len(words.names)), len(network.slots)
    for decoder, before, times in (
        (network.prior, values.apart(), slots),
        (network.response, values, 1),
    ):
        is_value = decoder is network.prior
        step = ValuesStep(decoder, {"user": user}, before, None if is_value else pointer, times=times)
        word, state = torch.rand(times, 12), last.repeat_interleave(times, 0)
        after, seen = step(word, state)
        context = decoder.attention(state, step._memory)
        more = [word] if is_value else [context, pointer]
        torch.testing.assert_close(seen, torch.cat([after, *more], dim=1))
        assert decoder.dropout.p == (sizes.dropout if is_value else 0)
    assert network.posterior.dropout.p == sizes.dropout


def test_what_users_say_ends_with_their_mark_and_the_response_before_with_its_own():
    from workflow_scripts.responders.labes_system import LabesFormat

    form = LabesFormat(Lexicon(Words([*MARKS, "hello", "yes", "kettle"]), {}, ()))
    said = Exchange("who ?", {}, "", "", "", "[value_name] ?", "kettle ?")
    for past, read in (([], "yes <eos_u>"), ([said], "kettle ? <eos_r> yes <eos_u>")):
        numbers = form.user(Session([*past], "yes"))
        assert " ".join(form.words.names[number] for number in numbers) == read


def test_labes_reads_the_names_of_the_response_before():
    from workflow_scripts.responders.labes_system import named

    def of(response: str, words: str) -> str:
        return named(Exchange("", {}, "", "", "", response, words))

    said = "[value_name] is in the [value_area] , [value_name] is not ."
    assert of(said, "the old oven is in the centre , kettle is not .") == (
        "the old oven is in the [value_area] , kettle is not ."
    )
    assert of("it is [value_name]", "it is kettle") == "it is kettle"
    # Where the words are others, and where nothing stands for a value.
    for words in ("it was kettle", "it is ", "what ?", "it is kettle !"):
        assert of("it is [value_name] .", words) == "it is [value_name] ."
    assert of("hello .", "hello .") == "hello ."


def test_labes_writes_a_value_for_each_slot():
    from workflow_scripts.responders.labes import VALUE, end_of, filled
    from workflow_scripts.responders.labes_system import LabesFormat

    slots = [("hotel", "area"), ("hotel", "name")]
    lexicon = Lexicon(Words([*MARKS, *(end_of(*one) for one in slots)]), {}, tuple(slots))
    form = LabesFormat(lexicon)
    states = [{}, {"hotel": {"area": "north"}}, {"hotel": {"area": "east", "name": "a b c d"}}]
    for state in states:
        values = form.values(state)
        assert form.state([word for one in values for word in filled(one)]) == state
    # The last words of what is too long.
    long = form.values({"hotel": {"name": "a b c d e"}})[1]
    assert len(long) == VALUE and lexicon.words.names[long[0]] == "b"


def test_labes_without_slots_is_one_line(world):
    database = load_database(*world["databases"])
    (known, *_) = (gold_sessions(one, database) for one in read_dialogues(*world["dialogues"]))
    for session, _ in known:
        session.state = {}
    with pytest.raises(InputError, match="no training dialogue has a value"):
        first_network("labes", [known], SIZES, prepare("cpu", "float32", 1), 1)
