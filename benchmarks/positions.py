"""Positions in the middle of a game, by seed: simulated play that never dies."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from boards import Board
from gemhunter.core.puzzle import Puzzle, read_puzzle
from gemhunter.core.truth import position

EXPERT = (16, 30, 99)
"""Rows, columns and traps."""

FEWEST_SHOWN, MOST_SHOWN = 0.15, 0.95
"""The share of the gems that has been looked at when a position is taken."""

SHARE_NEAR = 0.9
"""How often a player who has to guess does so next to what is known."""

Places = NDArray[np.int64]


def mid_game_positions(
    amount: int, rows: int = EXPERT[0], cols: int = EXPERT[1], traps: int = EXPERT[2], *, seed: int = 0
) -> list[Board]:
    """So many positions, one per game, with their total; each has clues next to cells that are still open.

    A game begins with an opening. Then every cell that single clues show to be safe is looked at; where they
    show none, a gem is, mostly one next to a clue. Games in which nothing is open then are left out.
    """
    return [_position(np.random.default_rng([seed, number]), rows, cols, traps) for number in range(amount)]


def _position(random: Generator, rows: int, cols: int, traps: int) -> Board:
    """The position of the first game that has one."""
    while True:
        truth, shown = _opening(random, rows, cols, traps)
        wanted = random.uniform(FEWEST_SHOWN, MOST_SHOWN) * (truth.size - traps)
        while np.count_nonzero(shown) < wanted:
            _look_at(shown, truth, random.choice(_worth_a_look(random, truth, shown), 1))
            _follow_single_clues(shown, truth)
        grid = position(truth, shown)
        if _decided(read_puzzle(grid))[1].size:
            return Board(f"{rows}×{cols}, {traps} traps, {np.count_nonzero(shown)} shown", grid, traps)


def _worth_a_look(random: Generator, truth: NDArray[np.bool_], shown: NDArray[np.bool_]) -> Places:
    """The gems next to what has been seen; sometimes, or where there are none, all that are left."""
    left = ~truth & ~shown
    touched = np.zeros(truth.size, bool)
    puzzle = read_puzzle(position(truth, shown))
    touched[puzzle.hidden[puzzle.cells]] = True
    near = np.flatnonzero(left.ravel() & touched)
    return near if near.size and random.random() < SHARE_NEAR else np.flatnonzero(left)


def _opening(
    random: Generator, rows: int, cols: int, traps: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Traps, and the cells that are shown after a first look at a cell without traps around it."""
    while True:
        truth = np.zeros((rows, cols), bool)
        truth.ravel()[random.choice(rows * cols, traps, replace=False)] = True
        empty = np.flatnonzero(position(truth).cells == 0)
        if empty.size:
            shown = np.zeros_like(truth)
            _look_at(shown, truth, random.choice(empty, 1))
            _follow_single_clues(shown, truth)
            return truth, shown


def _look_at(shown: NDArray[np.bool_], truth: NDArray[np.bool_], places: Places) -> None:
    shown.ravel()[places] = True
    if (shown & truth).any():
        raise AssertionError("a cell that single clues show to be safe is a trap")


def _follow_single_clues(shown: NDArray[np.bool_], truth: NDArray[np.bool_]) -> None:
    """Look at every cell that is safe by a single clue, again and again until there is none."""
    while (safe := _decided(read_puzzle(position(truth, shown)))[0]).size:
        _look_at(shown, truth, safe)


def _decided(puzzle: Puzzle) -> tuple[Places, Places]:
    """The places of the cells that single clues show to be gems, and those that they leave open."""
    is_trap, is_gem = np.zeros(puzzle.hidden.size, bool), np.zeros(puzzle.hidden.size, bool)
    regions = np.repeat(np.arange(puzzle.traps.size), puzzle.sizes)
    while True:
        known = np.count_nonzero(is_trap) + np.count_nonzero(is_gem)
        need = puzzle.traps - np.bincount(regions, is_trap[puzzle.cells], puzzle.traps.size)
        is_open = ~is_trap & ~is_gem
        room = np.bincount(regions, is_open[puzzle.cells], puzzle.traps.size)
        here = is_open[puzzle.cells]
        is_gem[puzzle.cells[here & (need == 0)[regions]]] = True
        is_trap[puzzle.cells[here & (need == room)[regions]]] = True
        if known == np.count_nonzero(is_trap) + np.count_nonzero(is_gem):
            touched = np.zeros(puzzle.hidden.size, bool)
            touched[puzzle.cells] = True
            return puzzle.hidden[is_gem], puzzle.hidden[is_open & touched]
