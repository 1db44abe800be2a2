"""Names in CoCoA-MT's files that several stages use: levels of formality, domains, languages with gender."""

from __future__ import annotations

LEVELS = ("formal", "informal")
# Of the training pairs, and of the test set in its order.
TRAIN_DOMAINS = ("telephony", "topical_chat")
TEST_DOMAINS = (*TRAIN_DOMAINS, "call_center")
# The languages whose references come in two genders (Section 7).
GENDERED = ("de", "es", "fr", "hi", "it")
