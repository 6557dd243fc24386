"""A question of the API: the body of its requests, the task that answers them, and the worker of the task.

`boards`, `games` and `algorithms` each list their questions; `api` turns them into routes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gemhunter.board.grid import Cell
from gemhunter.board.position import Position
from gemhunter.errors import LARGEST_SEED, InputError, TooLargeError
from gemhunter.explanation.hint import RUNGS
from gemhunter.files.dialects import read_cell
from gemhunter.files.json_boards import parse_json
from gemhunter.printable import json_text, shown
from gemhunter.solving.run import Limits, Run
from gemhunter.web.server.guards import WebLimits
from gemhunter.work.jobs import JobContext

BOARD_NAME = "board"
"""The name of a request's board in records."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Where a task runs: the job it belongs to, and the limits of the server."""

    job: JobContext
    limits: WebLimits

    def new_run(self, seconds: float | None = None, *, seed: int = 0) -> Run:
        """A run within the limits of the server and the request; it ends when the client leaves."""
        seconds = min(seconds or self.limits.seconds, self.limits.seconds)
        return Run(Limits(seconds), seed=seed, cancel=self.job.is_cancelled, progress=self.job.tick)

    def position(self, rows: list[str], traps: int | None = None) -> Position:
        """The board with these rows of text, and with this total if it is known."""
        # Reading takes time and memory, so rows that are certainly too long are not read.
        if sum(map(len, rows)) > 4 * self.limits.cells:
            raise TooLargeError(f"a board has at most {self.limits.cells:,} cells here")
        document = json_text({"grid": rows, "traps": traps})
        position = parse_json(document, "clue", source=BOARD_NAME).position
        self.require_size(position.grid.cells.size)
        return position

    def require_size(self, cells: int) -> None:
        """Raise `TooLargeError` for a board with more cells than the server accepts."""
        if cells > self.limits.cells:
            raise TooLargeError(f"a board has at most {self.limits.cells:,} cells here, not {cells:,}")


def cell_on_board(name: str, position: Position) -> Cell:
    """The cell with this name; `InputError` if it is not on the board."""
    cell, grid = read_cell(name), position.grid
    if cell.row >= grid.rows or cell.col >= grid.cols:
        raise InputError(f"{cell} is outside the {grid.rows}×{grid.cols} board")
    return cell


# Bodies of requests, which are checked before any work is done.


class Body(BaseModel):
    """The body of a request, without unknown fields."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _know_all_fields(cls, body: Any) -> Any:
        """Refuse the first unknown field; pydantic would take half a minute to list a million of them."""
        names = body if isinstance(body, dict) else ()
        unknown = next((name for name in names if name not in cls.model_fields), None)
        if unknown is not None:
            raise ValueError(f"no field is called {shown(unknown)}")
        return body


Row = Annotated[str, Field(max_length=60_000)]
Rows = Annotated[list[Row], Field(fail_fast=True, min_length=1, max_length=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
CellName = Annotated[str, Field(max_length=24, examples=["r3c4"])]
Seed = Annotated[int, Field(strict=True, ge=0, le=LARGEST_SEED)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=3600)]
Rung = Annotated[int, Field(strict=True, ge=1, le=RUNGS)]


class BoardBody(Body):
    """A board: rows of text in any dialect, `F` for a flag, and the total number of traps if it is known."""

    grid: Rows = Field(examples=[["3_2_", "__2_", "_31_"]])
    traps: Annotated[int, Field(strict=True, ge=0, le=10**9)] | None = None


# Questions.


Task = Callable[[Worker, Any], Any]
"""A function of a worker and the body of a request; it returns a record, or the content of a file."""


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """A question of the API: its path, the body of its requests, the task that answers, and a summary.

    `media_type` is set if the answer is a file. The answer to an `is_long` question comes in parts. `seconds`
    is the time limit of a part, if it is not the usual one.
    """

    path: str
    body: type[Body]
    task: Task
    about: str
    media_type: str | None = None
    seconds: float | None = None
    is_long: bool = False
