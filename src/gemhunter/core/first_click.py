"""What the first click of a game may reveal: the names that people read, and the numbers that kernels use."""

from enum import StrEnum


class FirstClick(StrEnum):
    """What the first cell that a player reveals can be.

    `SAFE`: no trap. `OPENING`: a 0, as long as the traps fit elsewhere. `ANY`: anything.
    """

    SAFE = "safe"
    OPENING = "opening"
    ANY = "any"

    @property
    def code(self) -> int:
        """The number of this rule in kernels."""
        return list(FirstClick).index(self)


SAFE_CLICK, OPENING_CLICK, ANY_CLICK = (rule.code for rule in FirstClick)
