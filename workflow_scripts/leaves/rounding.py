"""Format numbers with as many decimals as a paper prints, rounded by the paper's convention."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Literal

from workflow_scripts.core.errors import InputError

Rounding = Literal["half-even", "half-up", "cut"]
MODES = {"half-up": ROUND_HALF_UP, "cut": ROUND_DOWN}


def rounded(value: float | str | None, decimals: int, rounding: Rounding = "half-even") -> str:
    """Format a number, or its text, with fixed decimals; an empty value stays empty, and -0.00 becomes 0.00.

    half-even
        To the nearest, ties to the even digit, as computers print: 2.5 becomes 2. The binary number decides:
        0.285 is slightly less than the tie in binary and becomes 0.28.
    half-up
        To the nearest, ties away from zero, as people round: 10.5 becomes 11 and -10.5 becomes -11.
    cut
        Digits after the last decimal are dropped: 0.5378 becomes 0.537 and -0.957 becomes -0.95.

    The last two modes first round to nine decimals, so that floating-point error does not decide: 0.29 cut to
    two decimals stays 0.29, and 0.285 rounded half up becomes 0.29.

    Raises InputError for what is not finite: a table shows numbers, and what lacks one is empty.
    """
    if value is None or value == "":
        return ""
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{number} in the place of a number of the table", fix="an input lacks a number")
    if rounding == "half-even":
        text = f"{number:.{decimals}f}"
    else:
        text = str(Decimal(f"{number:.9f}").quantize(Decimal(1).scaleb(-decimals), rounding=MODES[rounding]))
    return text.removeprefix("-") if float(text) == 0 else text
