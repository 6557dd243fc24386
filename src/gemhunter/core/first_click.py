"""What the first click of a game may reveal: the names that people read, and the numbers that kernels use."""

from enum import StrEnum


class FirstClick(StrEnum):
    """What the first cell that a player reveals can be.

    `SAFE`: no trap. `OPENING`: a 0, as long as the traps fit elsewhere. `ANY`: anything. `NO_GUESS`: a 0 from
    which on every step follows from the clues and the total; `NO_GUESS_CLUES`: from the clues alone.
    """

    SAFE = "safe"
    OPENING = "opening"
    ANY = "any"
    NO_GUESS = "no-guess"
    NO_GUESS_CLUES = "no-guess-clues"

    @property
    def code(self) -> int:
        """The number of this rule in kernels."""
        return list(FirstClick).index(self)

    @property
    def needs_no_guess(self) -> bool:
        """Whether boards are made for players who never guess."""
        return self in (FirstClick.NO_GUESS, FirstClick.NO_GUESS_CLUES)


SAFE_CLICK, OPENING_CLICK, ANY_CLICK = (rule.code for rule in list(FirstClick)[:3])
