"""Names in CoCoA-MT's files that several stages use: levels of formality, domains, languages with gender."""

LEVELS = ("formal", "informal")
# Of the training pairs, and of the test set in its order.
TRAIN_DOMAINS = ("telephony", "topical_chat")
TEST_DOMAINS = (*TRAIN_DOMAINS, "call_center")
# The test sets of IWSLT's shared tasks in languages that CoCoA-MT's paper lacks: language and year.
SHARED_TASKS = ("ru-2022", "ko-2023", "pt-2023", "ru-2023", "vi-2023")
# Those that training segments belong to.
WITH_SEGMENTS = ("ko-2023", "pt-2023", "vi-2023")
# The one that is CoCoA-MT's own, in European Portuguese: `pt` may be Brazilian, as in the demo world.
OF_COCOA = ("pt-2023",)
# The languages whose references come in two genders (Section 7).
GENDERED = ("de", "es", "fr", "hi", "it")


def language_of(name: str) -> str:
    """The code of a test set's language: the name of a shared task's set has a year after it."""
    return name.partition("-")[0]
