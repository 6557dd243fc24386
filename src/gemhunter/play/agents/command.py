"""`cmd:PROGRAM ARGS`: any program that reads positions and prints moves, one line each, as an agent."""

import atexit
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.errors import EngineError, InputError
from gemhunter.files.dialects import read_cell
from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import View
from gemhunter.play.risks import know
from gemhunter.work.programs import COMMAND_PREFIX, LineProgram, command_words

MOVE_SECONDS = 60.0
"""How long a program may think about a move."""

GIVES_UP = "stuck"
"""The answer of a program that does not guess."""

SHOWN_LETTERS = 60
"""Of an answer that is not understood."""

EXAMPLE = "./my-player --fast"

_UNDER_WAY: dict[str, LineProgram] = {}
"""Programs by command: each plays all games of its command in this process, as some take seconds to start."""

_ASKING = Lock()
"""One question at a time: a player that was given up may still wait for its answer."""


def open_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game: an agent by its name, or `cmd:` and a program, which has to exist."""
    if not name.startswith(COMMAND_PREFIX):
        return new_player(name, seed=seed)
    words = command_words(name.removeprefix(COMMAND_PREFIX), EXAMPLE)
    if name not in _UNDER_WAY:
        _UNDER_WAY[name] = LineProgram(name, words)
    return CommandPlayer(name)


def program_cpu_seconds(name: str) -> float:
    """The processor time so far of the program that plays as this agent; 0 for agents of our own.

    Not a number where the system does not tell.
    """
    return _UNDER_WAY[name].cpu_seconds if name in _UNDER_WAY else 0.0


def program_files(name: str) -> Iterator[bytes]:
    """The content of each file that a `cmd:` agent names, as far as it can be read: if that changes, so may
    the player."""
    if not name.startswith(COMMAND_PREFIX):
        return
    for word in command_words(name.removeprefix(COMMAND_PREFIX), EXAMPLE):
        with suppress(OSError, ValueError):
            yield Path(word).read_bytes()


class CommandPlayer:
    """Plays one game by asking a program; a program that names several cells is asked again after these."""

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
        """The exact risk of a cell. A known gem stays one: programs that name all gems cost one question."""
        if view.is_fresh:
            return view.risk_of_first
        if cell in self._gems:
            return 0.0
        known = know(view)
        self._gems.update(known.gems())
        risk = known.risk(cell)
        # A risk that cannot be known is not zero; a game in which it is one is over.
        return 0.5 if np.isnan(risk) else risk

    def _ask(self, view: View) -> list[Cell]:
        """The cells that the program wants to see, at least one; none if it gives up."""
        with _ASKING:
            if self._name not in _UNDER_WAY:
                raise EngineError(f"{self._name}: it has ended")
            try:
                answer = _UNDER_WAY[self._name].ask(position_line(view), MOVE_SECONDS)
            except EngineError:
                _UNDER_WAY.pop(self._name).end()
                raise
        if answer == GIVES_UP:
            return []
        try:
            cells = [read_cell(word) for word in answer.split()]
        except InputError:
            cells = []
        rows, cols = view.grid.rows, view.grid.cols
        hidden = [cell for cell in cells if cell.row < rows and cell.col < cols and view.is_hidden(cell)]
        if not cells or hidden != cells:
            said = f"it answered {answer[:SHOWN_LETTERS]!r}"
            raise EngineError(f"{self._name}: {said}; expected hidden cells such as r3c1, or `{GIVES_UP}`")
        return cells


def position_line(view: View) -> str:
    """A position as programs read it: `4x3n2 safe ___/_1_/___/___`, with `_` for hidden cells."""
    rows = "/".join(_row_text(view.grid, row) for row in range(view.grid.rows))
    size = f"{view.grid.rows}x{view.grid.cols}n{view.total}"
    return f"{size} {view.first_click.value} {rows}"


def _row_text(grid: Grid, row: int) -> str:
    return "".join("_" if code == HIDDEN else str(code) for code in grid.cells[row].tolist())


@atexit.register
def _end_all() -> None:
    while _UNDER_WAY:
        _UNDER_WAY.popitem()[1].end()
