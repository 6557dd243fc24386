"""A player whose decisions are made by the kernels that also play whole games."""

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.errors import InputError
from gemhunter.kernels.play.codes import EXPERT, FIRST_MOVE
from gemhunter.kernels.play.deal import PLAYER_STREAM, set_seed
from gemhunter.kernels.play.end_game import NO_CELL
from gemhunter.kernels.play.games import decide, first_cell
from gemhunter.kernels.play.risks import log_factorials
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.agents.reasons import WHY
from gemhunter.play.candidates import first_move
from gemhunter.play.levels import Level
from gemhunter.play.view import View


class KernelPlayer:
    """Plays as the agent of a number in `kernels.play.codes`; the seed decides what it does at random."""

    def __init__(self, agent: int, seed: int) -> None:
        self._agent = agent
        self._random = np.empty(1, np.uint64)
        set_seed(seed, PLAYER_STREAM, self._random)

    def choose(self, view: View) -> Choice | Stuck:
        """Cells that are certain, otherwise a guess; an agent that never guesses is stuck instead."""
        grid = view.grid
        if view.is_fresh:
            level = Level(grid.rows, grid.cols, view.total)
            first, reason = first_of_agent(self._agent, level, view.first_click)
            return Choice((first,), (), view.risk_of_first, reason)
        certain = np.empty_like(grid.cells)
        logs = log_factorials(grid.cells.size)
        # A copy can be written to, which is the type that is compiled for whole games.
        guess, why, risk = decide(self._agent, grid.cells.copy(), view.total, logs, self._random, certain)
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


def first_of_agent(agent: int, level: Level, first_click: FirstClick) -> tuple[Cell, str]:
    """The cell that an agent begins with, and why."""
    exact = first_move(level, first_click) if agent == EXPERT else None
    if exact is not None:
        return exact.candidates[0].cell, exact.why
    index = first_cell(level.rows, level.cols, level.total, first_click.code)
    return Cell(*divmod(index, level.cols)), WHY[FIRST_MOVE]
