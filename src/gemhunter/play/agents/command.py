"""`cmd:PROGRAM ARGS`: as an agent, any program that reads positions and prints moves, one line each."""

import atexit
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.errors import EngineError, InputError
from gemhunter.files.dialects import read_cell
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import View
from gemhunter.play.player import Choice, Player, Stuck
from gemhunter.play.risks import risks_of_view
from gemhunter.work.command_words import COMMAND_PREFIX, command_words
from gemhunter.work.line_program import LineProgram

EXAMPLE = "./my-player --fast"

_RUNNING: dict[str, LineProgram] = {}
"""Programs by command: each plays all games of its command in this process, as some take seconds to start."""

_ONE_QUESTION = Lock()
"""Held while a program is asked: a player that was abandoned may still wait for its answer."""


def open_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game: an agent by its name, or `cmd:` and a program, which must exist."""
    if not name.startswith(COMMAND_PREFIX):
        return new_player(name, seed=seed)
    words = command_words(name.removeprefix(COMMAND_PREFIX), EXAMPLE)
    if name not in _RUNNING:
        _RUNNING[name] = LineProgram(name, words)
    return CommandPlayer(name)


def program_cpu_seconds(name: str) -> float:
    """The processor time so far of the program that plays as this agent; 0 for other agents.

    Not a number if the system does not report it.
    """
    return _RUNNING[name].cpu_seconds if name in _RUNNING else 0.0


def program_files(name: str) -> Iterator[bytes]:
    """The content of each readable file that a `cmd:` agent names; if it changes, the player may change."""
    if not name.startswith(COMMAND_PREFIX):
        return
    for word in command_words(name.removeprefix(COMMAND_PREFIX), EXAMPLE):
        with suppress(OSError, ValueError):
            yield Path(word).read_bytes()


class CommandPlayer:
    """Plays one game by asking a program, which can name several cells at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: list[Cell] = []
        self._gems: set[Cell] = set()

    def choose(self, view: View) -> Choice | Stuck:
        """The cell that the program names, and its exact risk."""
        self._waiting = [cell for cell in self._waiting if view.is_hidden(cell)]
        if not self._waiting:
            self._waiting = self._ask(view)
        if not self._waiting:
            return Stuck((), "the program gives up")
        cell = self._waiting.pop(0)
        return Choice((cell,), (), self._risk(view, cell), "the program's choice")

    def _risk(self, view: View, cell: Cell) -> float:
        """The exact risk of a cell; known gems are remembered, so that risks are not computed for each."""
        if view.is_fresh:
            return view.risk_of_first
        if cell in self._gems:
            return 0.0
        known = risks_of_view(view)
        self._gems.update(known.gems())
        risk = known.risk(cell)
        # An unknown risk is neither 0, which is no guess, nor 1, which loses for certain.
        return 0.5 if np.isnan(risk) else risk

    def _ask(self, view: View) -> list[Cell]:
        """The cells that the program wants to reveal, at least one; none if it gives up."""
        with _ONE_QUESTION:
            if self._name not in _RUNNING:
                raise EngineError(f"{self._name}: it has ended")
            try:
                answer = _RUNNING[self._name].ask(position_line(view), seconds=60.0)
            except EngineError:
                _RUNNING.pop(self._name).end()
                raise
        if answer == "stuck":
            return []
        try:
            cells = [read_cell(word) for word in answer.split()]
        except InputError:
            cells = []
        rows, cols = view.grid.rows, view.grid.cols
        hidden = [cell for cell in cells if cell.row < rows and cell.col < cols and view.is_hidden(cell)]
        if not cells or hidden != cells:
            said = f"it answered {answer[:60]!r}"
            raise EngineError(f"{self._name}: {said}; expected hidden cells such as r3c1, or `stuck`")
        return cells


def position_line(view: View) -> str:
    """A position as programs read it: `4x3n2 safe ___/_1_/___/___`, with `_` for hidden cells."""
    signs = np.where(view.grid.cells == HIDDEN, "_", view.grid.cells.astype(str))
    size = f"{view.grid.rows}x{view.grid.cols}n{view.total}"
    return f"{size} {view.first_click.value} {'/'.join(map(''.join, signs.tolist()))}"


@atexit.register
def _end_all() -> None:
    while _RUNNING:
        _RUNNING.popitem()[1].end()
