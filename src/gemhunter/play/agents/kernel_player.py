"""A player whose decisions are made in compiled code, the same that plays whole games there."""

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.errors import InputError
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.deal import first_click_code
from gemhunter.play.view import View

WHY = (
    "proven safe",
    "first move",
    "the best guess next to a clue",
    "the best guess away from all clues",
    "a fifty-fifty that no clue can ever decide",
    "the best by exact search to the end",
    "a guess at random",
)
"""Why a cell is revealed, in the order of the kernels' codes."""


class KernelPlayer:
    """Plays as the kernels' agent of that number does; its chance depends on the seed of the game."""

    def __init__(self, agent: int, seed: int) -> None:
        from gemhunter.kernels.play.deal import seeded
        from gemhunter.kernels.play.games import CHANCE_OF_PLAYER

        self._agent = agent
        self._chance = np.empty(1, np.uint64)
        seeded(seed, CHANCE_OF_PLAYER, self._chance)

    def choose(self, view: View) -> Choice | Stuck:
        """Cells that are certain, else a guess; a player who never guesses is stuck instead."""
        from gemhunter.kernels.play.end_game import NO_CELL
        from gemhunter.kernels.play.games import decide, first_cell
        from gemhunter.kernels.play.results import FIRST
        from gemhunter.kernels.play.risks import log_factorials

        grid = view.grid
        if view.is_fresh:
            first = first_cell(grid.rows, grid.cols, view.total, first_click_code(view.first_click))
            return Choice((grid.cell(first),), (), view.risk_of_first, WHY[FIRST])
        certain = np.empty_like(grid.cells)
        logs = log_factorials(grid.cells.size)
        # A copy can be written to, which is the type that is compiled for whole games.
        guess, why, risk = decide(self._agent, grid.cells.copy(), view.total, logs, self._chance, certain)
        traps = tuple(cell for cell in Grid(certain).where(TRAP) if not view.flags[cell])
        if guess != NO_CELL:
            return Choice((grid.cell(guess),), traps, risk, WHY[why])
        gems = tuple(
            Cell(*map(int, place)) for place in np.argwhere((certain == GEM) & (grid.cells == HIDDEN))
        )
        if gems:
            return Choice(gems, traps, 0.0, WHY[0])
        if not (grid.cells == HIDDEN).any():
            raise InputError("nothing is hidden in this position")
        return Stuck(traps, "no cell is certain to be a gem, and this agent does not guess")
