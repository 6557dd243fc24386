"""How fast an agent goes on by itself."""

from dataclasses import dataclass, replace

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds between two choices."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether an agent goes on by itself, and which of `SPEEDS` it has."""

    running: bool = False
    speed: int = 3

    @property
    def seconds(self) -> float:
        """How long to wait before the next choice."""
        return SPEEDS[self.speed]

    def changed(self, by: int) -> "Pace":
        """So much faster, or slower if negative, as far as there are speeds."""
        return replace(self, speed=min(max(self.speed + by, 0), len(SPEEDS) - 1))
