"""API keys written into the configuration by mistake: messages do not show them."""

import re
import string
from itertools import pairwise

SHOWN = "[a key, not shown]"
# The first characters of the keys of well-known services.
_PREFIXED = re.compile(
    r"(?<![A-Za-z0-9])"
    r"(?:(?:sk|pk|rk|gsk|hf|gh[oprsu]|github_pat|glpat|nvapi|pplx|xai|r8|xox[abpr])[-_]|AIza|A[KS]IA)"
    r"(?=[\w-]*\d)[\w-]{12,}",
    re.ASCII,
)
_TOKEN = re.compile(r"[\w+-]{24,}", re.ASCII)
_HEXADECIMAL = re.compile(r"[0-9a-f]{32,}", re.IGNORECASE)
# The lengths in digits of a commit and of a SHA-256, which settings contain.
_DIGESTS = (40, 64)
# In random letters and digits 62 % of neighbours are of different classes, in joined words half as many.
_MIXED = 0.45
_CLASSES = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def masked(text: str) -> str:
    """A message without possible API keys: words with a known prefix, or long words of random characters.

    Digests of 40 and 64 hexadecimal digits are kept.
    """
    return _TOKEN.sub(lambda match: SHOWN if _random(match[0]) else match[0], _PREFIXED.sub(SHOWN, text))


def _random(token: str) -> bool:
    if _HEXADECIMAL.fullmatch(token):
        return len(token) not in _DIGESTS and len(set(token)) > 4
    classes = [next((n for n, one in enumerate(_CLASSES) if character in one), -1) for character in token]
    kinds = [one for one in classes if one >= 0]
    changes = sum(first != second for first, second in pairwise(kinds))
    return len(set(kinds)) == len(_CLASSES) and changes >= _MIXED * (len(kinds) - 1)
