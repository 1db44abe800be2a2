"""One spelling for placeholders and values; delexicalised text."""

import pytest

from workflow_scripts.multiwoz.data import Turn
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.normalise import minutes, responses, state, time, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The [value_name] is at [restaurant_address] .", "the NAME is at ADDRESS."),
        ("[name] , [hotel_postcode] , [Train ID] , [leave at]", "NAME, POST, TRAINID, TIME"),
        # Endings of the plural behind a placeholder; what nobody knows.
        ("[value_choice] [value_type]s in [value_area]-s", "COUNT TYPE in AREA"),
        # What the metric does not tell apart.
        ("[value_arrive] [value_leave] [value_duration] [booktime]", "TIME TIME TIME TIME"),
        ("[value_departure] [taxi_destination] [value_place]", "PLACE PLACE PLACE"),
        ("[value_pricerange] [entrance fee] [value_price]", "PRICE PRICE PRICE"),
        ("[value_people] [value_stay] [hotel_stars] [value_car]", "COUNT COUNT COUNT TYPE"),
        ("there are [value_wonder] hotel -s real -ly", "there are hotel real"),
        ("a e-mail of well-known", "a e-mail of well-known"),
    ],
)
def test_responses_in_one_spelling(text, expected):
    assert responses([text, text]) == [expected, expected]


@pytest.mark.parametrize(
    ("slot", "text", "expected"),
    [
        ("type", "Guest Houses", "guesthouse"),
        ("type", "museums", "museum"),
        ("type", "mutliple sports", "multiple sports"),
        *(("type", "Churches", "church"), ("type", "business", "business"), ("type", "college", "college")),
        ("area", "center", "centre"),
        *(("parking", "free", "yes"), ("internet", "Free", "yes")),
        ("internet", "no", "no"),
        ("stars", "four stars", "4"),
        *(
            ("stars", "four-star hotel", "4"),
            ("stars", "3-star", "3"),
            ("stars", "zero", "0"),
            ("stars", "", ""),
        ),
        ("name", "The Meze & Bar", "meze and bar"),
        ("name", "Restaurant 1 7", "restaurant one seven"),
        ("name", "alpha - milton bed and breakfast", "alpha-milton b and b"),
        *(("food", "Thai food", "thai"), ("food", "portugese", "portuguese")),
        *(("booktime", "1:30 pm", "13:30"), ("time", "900", "09:00"), ("arrive", "noon", "12:00")),
        ("area", "do n't care", "dontcare"),
        ("departure", "saint john 's college", "saint john's college"),
        ("leave", "after 5:45 pm", "17:45"),
    ],
)
def test_values_in_one_spelling(slot, text, expected):
    assert value(slot, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("9:05", "09:05"), ("1900", "19:00"), ("12 :30", "12:30"), ("18,30", "18:30"), ("5 pm", "17:00")),
        *(("12:10 am", "00:10"), ("12 pm", "12:00"), ("noon", "12:00"), ("evening", "evening"), ("", "")),
    ],
)
def test_times(text, expected):
    assert time(text) == expected


def test_minutes():
    texts = ("00:00", "9:05", "24:10", "soon", "9:5", "")
    assert [minutes(text) for text in texts] == [0, 545, 1450, 0, 0, 0]


def test_names_of_slots():
    given = {"Train": {"leaveAt": "9:00", "arrive by": "10:00", "day": " "}, "taxi": {"leave": ""}}
    assert state(given) == {"train": {"leave": "09:00", "arrive": "10:00"}}


def test_delexicalised_text():
    text = "The Old Oven, 1 Mill Lane, has 3 rooms; call 01223 or the old oven."
    acts = (
        ("restaurant", "inform", "name", "old oven"),
        ("restaurant", "inform", "phone", "01223"),
        # Too common to be looked for; no value; no placeholder.
        ("hotel", "inform", "choice", "3"),
        ("hotel", "inform", "parking", "yes"),
        ("hotel", "inform", "none", "none"),
    )
    # The longer of two that overlap counts.
    spans = (("address", 14, 25), ("area", 16, 20), ("choice", 31, 32))
    turn = Turn("u", text, {}, frozenset(), acts, spans)
    assert delexicalise(turn) == "The [name], [address], has [choice] rooms; call [phone] or the [name]."
