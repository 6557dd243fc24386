"""How a game stands: the names that people read, and the numbers that kernels and tallies use."""

from enum import StrEnum


class Status(StrEnum):
    """How a game stands; `STUCK` is the end of a game that its player gave up."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"

    @property
    def code(self) -> int:
        """The number of this status in kernels and tallies; 0 is a game that is not over."""
        return list(Status).index(self)

    @property
    def letter(self) -> str:
        """The letter of this status in ledgers."""
        return self.value[0].upper()


PLAYING, WON, LOST, STUCK = (status.code for status in Status)
