"""The names of MultiWOZ: domains, slots of states, and the placeholders of delexicalised text."""

import re

DOMAINS = ("attraction", "bus", "hospital", "hotel", "police", "restaurant", "taxi", "train")
# Domains whose rows have a name, by which they are offered.
VENUES = ("attraction", "hotel", "restaurant")
TRAIN = "train"
# The placeholders that Success looks for if a user asks for them.
REQUESTABLE = ("PHONE", "ADDRESS", "POST", "REFERENCE", "TRAINID")
DONTCARE = "dontcare"
# The slots of states, as the readers of `corpora` write them.
INFORMABLE = (
    *("area", "arriveby", "bookday", "bookpeople", "bookstay", "booktime", "day", "department", "departure"),
    *("destination", "food", "internet", "leaveat", "name", "parking", "pricerange", "stars", "type"),
)

# Slots with several names, written without case, spaces, hyphens and underscores -> the name used here.
SLOTS = {
    **{name: "arrive" for name in ("arriveby", "arrival", "arrivaltime")},
    **{name: "leave" for name in ("leaveat", "departuretime")},
    "depart": "departure",
    "dest": "destination",
    "price": "pricerange",
    "post": "postcode",
    "bookpeople": "people",
    "id": "trainid",
}

# Placeholders in the same spelling -> the name used here, in capitals.
PLACEHOLDERS = {
    "name": "NAME",
    **{name: "ADDRESS" for name in ("address", "addr")},
    **{name: "PHONE" for name in ("phone", "phonenumber")},
    **{name: "POST" for name in ("post", "postcode", "postalcode")},
    **{name: "REFERENCE" for name in ("reference", "ref")},
    **{name: "TRAINID" for name in ("trainid", "id")},
    **{name: "CAR" for name in ("car", "cartype")},
    **{name: "PRICE" for name in ("price", "ticket")},
    **{name: "FEE" for name in ("entrancefee", "entrance", "fee")},
    "pricerange": "PRICERANGE",
    "area": "AREA",
    "food": "FOOD",
    "stars": "STARS",
    "type": "TYPE",
    "department": "DEPARTMENT",
    **{name: "OPENHOURS" for name in ("openhours", "open")},
    **{name: "DAY" for name in ("day", "bookday")},
    **{name: "PEOPLE" for name in ("people", "bookpeople")},
    **{name: "STAY" for name in ("stay", "bookstay")},
    **{name: "TIME" for name in ("time", "booktime")},
    **{name: "LEAVE" for name in ("leave", "leaveat")},
    **{name: "ARRIVE" for name in ("arrive", "arriveby")},
    **{name: "DEPARTURE" for name in ("departure", "depart")},
    **{name: "DESTINATION" for name in ("destination", "dest")},
    "duration": "DURATION",
    **{name: "CHOICE" for name in ("choice", "count")},
    "place": "PLACE",
}
_BETWEEN = re.compile(r"[\s_-]+")
_OWNER = re.compile(rf"^(?:value|{'|'.join(DOMAINS)})(?=[\s_-])")


def slot_of(name: str) -> str:
    """The standard name of a slot of a state or a database: `leaveAt`, `leave at`, `leave_at` are `leave`."""
    plain = _BETWEEN.sub("", name.lower())
    return SLOTS.get(plain, plain)


def placeholder_of(name: str) -> str:
    """The standard placeholder: `value_phone`, `hotel_phone`, `phone` are PHONE; empty if unknown."""
    plain = name.strip().lower()
    return PLACEHOLDERS.get(_BETWEEN.sub("", _OWNER.sub("", plain)), "")
