"""Numbers with a paper's decimals, rounded as the paper rounds."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Literal

Rounding = Literal["half-even", "half-up", "cut"]
MODES = {"half-up": ROUND_HALF_UP, "cut": ROUND_DOWN}


def rounded(value: float | str | None, decimals: int, rounding: Rounding = "half-even") -> str:
    """A number, or its text, with fixed decimals; an empty value stays empty, and -0.00 is 0.00.

    half-even
        To the nearest, a tie to the even digit, as computers print: 2.5 is 2. The binary number decides, so
        0.285, which lies below the tie, is 0.28.
    half-up
        To the nearest, a tie away from zero, as people round: 10.5 is 11 and -10.5 is -11.
    cut
        Digits after the last decimal are dropped: 0.5378 is 0.537 and -0.957 is -0.95.

    The last two first round to nine decimals, so that the error of a division does not decide: 0.29 cut to
    two decimals stays 0.29, and 0.285 rounded half up is 0.29.
    """
    if value is None or value == "":
        return ""
    number = float(value)
    if rounding == "half-even":
        text = f"{number:.{decimals}f}"
    else:
        text = str(Decimal(f"{number:.9f}").quantize(Decimal(1).scaleb(-decimals), rounding=MODES[rounding]))
    return text.removeprefix("-") if float(text) == 0 else text
