"""How many clues are 0: what decides how far a player comes without thinking. The course says hint."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.first_click import ANY_CLICK
from gemhunter.experiments.s5_table import COURSE_LEVELS
from gemhunter.kernels.play.deal import deal
from gemhunter.play.levels import LEVELS
from gemhunter.work.estimates import Interval, mean_of

BOARDS_AT_ONCE = 100
LARGEST_CLUE = 8


@dataclass(frozen=True, slots=True, eq=False)
class ClueShares:
    """Random boards of one level: `counts` has a row per board and how many gems have each clue 0 to 8."""

    level: str
    counts: NDArray[np.int64]

    @property
    def boards(self) -> int:
        """How many have been dealt."""
        return len(self.counts)

    @property
    def zeros(self) -> Interval:
        """The share of gems whose clue is 0, per board."""
        return mean_of(self.counts[:, 0] / self.counts.sum(axis=1))

    @property
    def ratio(self) -> float:
        """Traps per gem, which all boards of a level share."""
        size = LEVELS[self.level]
        return size.total / (size.rows * size.cols - size.total)

    @property
    def shares(self) -> list[float]:
        """The share of each clue, 0 to 8, over all boards."""
        totals = self.counts.sum(axis=0)
        return [float(share) for share in totals / totals.sum()]


def measure_clues(boards: int, seed: int) -> Iterator[list[ClueShares]]:
    """All levels so far, again and again while boards are dealt; the last one is the whole experiment."""
    done: list[ClueShares] = []
    for level in COURSE_LEVELS:
        counts = np.zeros((0, LARGEST_CLUE + 1), np.int64)
        for first in range(seed, seed + boards, BOARDS_AT_ONCE):
            seeds = range(first, min(first + BOARDS_AT_ONCE, seed + boards))
            counts = np.concatenate([counts, [_count_clues(level, each) for each in seeds]])
            yield [*done, ClueShares(level, counts)]
        done.append(ClueShares(level, counts))


def _count_clues(level: str, seed: int) -> NDArray[np.int64]:
    """How many gems of the board that a seed deals have each clue."""
    size = LEVELS[level]
    codes = np.empty((size.rows, size.cols), np.int8)
    deal(seed, ANY_CLICK, 0, size.total, codes)
    return np.bincount(codes[codes >= 0], minlength=LARGEST_CLUE + 1)
