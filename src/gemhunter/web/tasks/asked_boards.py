"""The boards and limits of requests, as the other tasks read them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gemhunter.compiling.progress import listening
from gemhunter.core.grid import Cell
from gemhunter.core.positions import Position
from gemhunter.errors import InputError, TooLargeError, UnknownNameError
from gemhunter.formats.cells import read_cell
from gemhunter.formats.json_boards import parse_json
from gemhunter.printable import json_text
from gemhunter.solving.registry import NEEDS_ARGUMENT, PYTHON_FILE, engine_names
from gemhunter.solving.run import Limits, Run
from gemhunter.work.desk import Desk

Asked = Mapping[str, Any]
"""The body of a request as plain data."""

LARGEST_WEB_PUZZLE = 10_000
"""Cells of a puzzle to order: larger ones take minutes, which `gemhunter generate` has."""

BOARD_NAME = "board"
"""What records call the board of a request."""


@dataclass(frozen=True, slots=True)
class WebLimits:
    """What a question may use: seconds for each run, and cells of a board."""

    seconds: float = 10.0
    cells: int = 250_000


@dataclass(frozen=True, slots=True)
class Worker:
    """Where a task is done: its desk, and the limits of the server."""

    desk: Desk
    limits: WebLimits

    def new_run(self, asked: Asked, seed: int = 0) -> Run:
        """A run within the limits of the server and of the request, which ends when the client has left."""
        seconds = min(asked.get("seconds") or self.limits.seconds, self.limits.seconds)
        return Run(Limits(seconds), seed=seed, cancel=self.desk.is_cancelled, progress=self.desk.tick)

    def position(self, asked: Asked, key: str = "grid") -> Position:
        """The board of a request."""
        rows = asked[key]
        if sum(map(len, rows)) > 4 * self.limits.cells:
            raise TooLargeError(f"a board has at most {self.limits.cells:,} cells here")
        document = {"grid": rows, "traps": asked.get("traps")}
        position = parse_json(json_text(document), "clue", source=BOARD_NAME).position
        self.require_size(position.grid.cells.size)
        return position

    def cell(self, asked: Asked, position: Position) -> Cell:
        """The cell of a request; an `InputError` if it is not on the board."""
        cell, grid = read_cell(asked["cell"]), position.grid
        if cell.row >= grid.rows or cell.col >= grid.cols:
            raise InputError(f"{cell} is outside the {grid.rows}×{grid.cols} board")
        return cell

    def require_size(self, cells: int) -> None:
        """Raise `TooLargeError` for a board with more cells than the server takes."""
        if cells > self.limits.cells:
            raise TooLargeError(f"a board has at most {self.limits.cells:,} cells here, not {cells:,}")

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Inside, the client hears when kernels are compiled."""

        def listen(line: str, *, lasting: bool) -> None:
            if line and not lasting:
                self.desk.pause(line)

        with listening(listen):
            yield


def require_harmless(engine: str) -> str:
    """The name of an engine that is listed; others would run a program or a file that the request names."""
    base = engine.partition(":")[0]
    if base in {name.partition(":")[0] for name in engine_names()} - set(NEEDS_ARGUMENT):
        return engine
    if base in NEEDS_ARGUMENT or PYTHON_FILE.fullmatch(engine):
        raise InputError(f"{engine!r} starts a program, which the web page does not do; use the command line")
    raise UnknownNameError("engine", engine, engine_names())
