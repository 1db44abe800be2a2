"""The texts of the demo world's dialogues, and the places in their town.

Texts have slots in braces. A user's text is a request (`WANTS`) in a polite or an impolite frame.
"""

AREAS = ("centre", "east", "north", "south", "west")
PRICES = ("cheap", "moderate", "expensive")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FOODS = ("italian", "indian", "chinese", "french", "thai", "british")
TYPES = ("guesthouse", "hotel")
TOWNS = ("ashbrook", "millford", "harrow vale", "stonebridge")
HOME = "otterby"
# A name is one entry of each list, and says nothing about the place.
NAME_BEGINNINGS = (
    *("amber", "copper", "silver", "old", "green", "crooked", "quiet", "painted", "golden", "hidden"),
    *("lucky", "northern", "velvet", "rusty", "merry", "white"),
)
RESTAURANT_ENDINGS = ("spoon", "kettle", "olive", "table", "pepper", "lantern", "plum", "oven")
HOTEL_ENDINGS = ("gate lodge", "swan house", "mill inn", "garden rooms", "bridge hotel", "acorn house")
STREETS = ("mill lane", "station road", "church walk", "king street", "river row", "bakers yard")
SLOTS = {
    "restaurant": ("area", "food", "pricerange"),
    "hotel": ("area", "pricerange", "stars", "type", "parking"),
    "train": ("departure", "destination", "day", "leaveat"),
}
BOOKING = {
    "restaurant": ("people", "day", "time"),
    "hotel": ("people", "day", "stay"),
    "train": ("people",),
}
REQUESTS = {"restaurant": ("phone", "address", "postcode"), "hotel": ("phone", "address", "postcode")}

# Wordings of a request for each slot; "and" joins the parts of a request.
WANTS = {
    ("restaurant", ""): ("a place to eat", "a restaurant", "somewhere for dinner"),
    ("restaurant", "area"): ("in the {area}", "in the {area} of town", "in the {area} part"),
    ("restaurant", "food"): (
        "that serves {food} food",
        "with {food} cooking",
        "where they cook {food} dishes",
    ),
    ("restaurant", "pricerange"): ("in the {pricerange} price range", "with {pricerange} prices"),
    ("hotel", ""): ("a place to stay", "a room for the night", "somewhere to sleep"),
    ("hotel", "area"): ("in the {area}", "on the {area} side", "in the {area} of town"),
    ("hotel", "pricerange"): ("in the {pricerange} price range", "at a {pricerange} price"),
    ("hotel", "stars"): ("with {stars} stars", "rated {stars} stars"),
    ("hotel", "type"): ("of the type {type}", "that is a {type}"),
    ("hotel", "parking"): ("where parking is {parking}", "with parking: {parking}"),
    ("train", ""): ("a train", "a train ticket", "a rail connection"),
    ("train", "departure"): ("from {departure}", "leaving {departure}"),
    ("train", "destination"): ("to {destination}", "going to {destination}"),
    ("train", "day"): ("on {day}", "for {day}"),
    ("train", "leaveat"): ("after {leaveat}", "that leaves after {leaveat}"),
}
BOOK = {
    "restaurant": (
        "book a table for {people} people on {day} at {time}",
        "reserve it for {people} on {day}, {time}",
    ),
    "hotel": (
        "book it for {people} people from {day} for {stay} nights",
        "reserve {stay} nights for {people} from {day}",
    ),
    "train": ("book {people} tickets", "reserve seats for {people} people"),
}
ASK = {
    "phone": "the phone number",
    "address": "the address",
    "postcode": "the postcode",
    "trainid": "the train id",
}

# Frames of a wish: to find a thing, to have something done, to say goodbye.
POLITE = {
    "find": (
        "Hello, I am looking for {wish}.",
        "Could you please help me find {wish}?",
        "I would like {wish}, please.",
    ),
    "more": (
        "I would prefer one {wish}, please.",
        "It should be one {wish}, thank you.",
        "Could it be one {wish}?",
    ),
    "tell": (
        "Could you tell me {wish}, please?",
        "Thank you. I would also like {wish}.",
        "May I have {wish}?",
    ),
    "do": ("That sounds lovely. Please {wish}.", "Could you {wish}, please?", "Great, would you {wish}?"),
    "end": (
        "Thank you very much, that is all I need.",
        "That is everything, thanks for your help.",
        "Thanks, goodbye!",
    ),
}
# Each with its impoliteness: 1 is abusive, 2 impolite, 3 curt.
IMPOLITE = {
    "find": (
        ("Find me {wish}, and hurry up, I have waited long enough.", 2),
        ("{wish}. Now. Even someone like you should manage that.", 1),
        ("I want {wish}. Do not make me say it twice.", 2),
        ("{wish}, quick.", 3),
        ("Stop wasting my time and get me {wish}, you useless thing.", 1),
    ),
    "more": (
        ("One {wish}, obviously. Do I have to spell out everything?", 2),
        ("It had better be one {wish}, or I will complain about you.", 1),
        ("One {wish}. Move.", 3),
        ("Are you stupid? One {wish}, of course.", 1),
    ),
    "tell": (
        ("Give me {wish}. You should have said so already.", 2),
        ("{wish}, come on, how slow can you be?", 1),
        ("And {wish}?", 3),
        ("I am still waiting for {wish}, in case you forgot your job.", 2),
    ),
    "do": (
        ("Just {wish} and be quick about it.", 2),
        ("Finally. Now {wish}, and try not to ruin it.", 1),
        ("{wish}. Fast.", 3),
        ("Do your job for once and {wish}.", 1),
    ),
    "end": (
        ("About time. We are done here.", 2),
        ("That took forever. Get lost.", 1),
        ("That is all.", 3),
        ("Nobody should need this long. I am leaving.", 2),
    ),
}

# The system's texts; braces are slots of its acts.
ANSWERS = {
    "narrow": (
        "There are {choice} places that fit. Do you have a preference for the {asked}?",
        "I have found {choice} of them. What about the {asked}?",
    ),
    "offer": (
        "I recommend {name}, it is in the {area}. Shall I book it?",
        "{name} in the {area} would fit. Would you like a booking?",
    ),
    "train": (
        "{trainid} leaves at {leaveat} and arrives at {arriveby}. Shall I book it?",
        "There is {trainid}, which leaves at {leaveat}. Would you like tickets?",
    ),
    "inform": ("It is {value}.", "Of course, {value}.", "Sure: {value}."),
    "booked": ("It is booked, the reference number is {ref}.", "Done. Your reference is {ref}."),
    "bye": ("Thank you for calling, goodbye.", "You are welcome. Have a nice day!"),
}
