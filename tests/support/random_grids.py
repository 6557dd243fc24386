"""Random boards to explain: planted, with or without a total, some with a clue or the total changed."""

import os
from collections.abc import Iterator

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, Grid
from random_positions import true_codes

MORE_BOARDS = int(os.environ.get("GEMHUNTER_MORE_BOARDS", "1"))
"""How many times as many boards to try as usual."""


def random_grids(
    seed: int, number: int, *, rows: int = 5, cols: int = 7, changed: float = 0.2
) -> Iterator[tuple[Grid, int | None]]:
    """Boards with no more rows than columns, and their totals, `MORE_BOARDS` times `number` of them.

    A clue is off by one in a share of `changed` of them, and the total is off in half as many.
    """
    random = np.random.default_rng(seed)
    for _ in range(number * MORE_BOARDS):
        height = int(random.integers(1, rows + 1))
        shape = (height, int(random.integers(height, cols + 1)))
        traps = random.random(shape) < random.uniform(0.1, 0.6)
        codes = true_codes(traps)
        hidden = traps | (random.random(shape) < random.uniform(0.1, 0.7))
        given = random.random(shape) < random.choice([0, 0, 0.1])
        codes = np.where(hidden & ~given, HIDDEN, codes)
        codes[hidden & given & ~traps] = GEM
        codes[(codes >= 0) & (random.random(shape) < 0.1)] = GEM
        total = int(np.count_nonzero(traps)) if random.random() < 0.5 else None
        clues = np.argwhere(codes >= 0)
        if clues.size and random.random() < changed:
            place = tuple(clues[random.integers(len(clues))])
            codes[place] = min(max(int(codes[place]) + random.choice([-1, 1]), 0), 9)
        if total is not None and random.random() < changed / 2:
            total = max(total + int(random.choice([-2, -1, 1, 2])), 0)
        yield Grid(codes.astype(np.int8)), total
