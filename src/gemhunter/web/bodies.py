"""What requests say, checked before any work is done."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gemhunter.board.numbers import LARGEST_SEED
from gemhunter.printable import shown
from gemhunter.web.tasks.boards import LARGEST_WEB_PUZZLE

MOST_BODY_ROWS = 10_000
MOST_MOVES = 20_000
MOST_COMPARED_BOARDS, MOST_COMPARED_ENGINES = 50, 20

RowText = Annotated[str, Field(max_length=60_000)]
Rows = Annotated[list[RowText], Field(fail_fast=True, min_length=1, max_length=MOST_BODY_ROWS)]
MoveText = Annotated[str, Field(max_length=40)]
Moves = Annotated[list[MoveText], Field(fail_fast=True, max_length=MOST_MOVES)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
CellName = Annotated[str, Field(max_length=24, examples=["r3c4"])]
Seed = Annotated[int, Field(strict=True, ge=0, le=LARGEST_SEED)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=3600)]


class Body(BaseModel):
    """A request without fields that nothing reads."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _know_all_fields(cls, body: Any) -> Any:
        """Refuse the first unknown field: listing a million of them would take half a minute."""
        names = body if isinstance(body, dict) else ()
        unknown = next((name for name in names if name not in cls.model_fields), None)
        if unknown is not None:
            raise ValueError(f"no field is called {shown(unknown)}")
        return body

    def asked(self) -> dict[str, Any]:
        """The request as plain data, for a worker."""
        return self.model_dump()


class BoardBody(Body):
    """A board: rows of text in any dialect, `F` for a flag, and the number of all traps if it is known."""

    grid: Rows = Field(examples=[["3_2_", "__2_", "_31_"]])
    traps: Annotated[int, Field(strict=True, ge=0, le=10**9)] | None = None


class TimedBoardBody(BoardBody):
    """A board, and how long the answer may take; the server has a limit of its own."""

    seconds: Seconds | None = None


class WeightedBoardBody(TimedBoardBody):
    """A board, and the probability of a trap before the clues are known, if the total is not."""

    density: Annotated[float, Field(strict=True, gt=0, lt=1)] | None = None


class ReadBody(Body):
    """A board or game in any format: as text, as a file in base64, or the name of a sample."""

    text: Annotated[str, Field(max_length=3_000_000)] | None = None
    base64: Annotated[str, Field(max_length=4_000_000)] | None = None
    name: Annotated[str, Field(max_length=300)] = ""
    sample: Name | None = None
    zero: Literal["clue", "unknown"] = "clue"


class SolutionsBody(TimedBoardBody):
    """A board, and how many of its solutions to list."""

    most: Annotated[int, Field(strict=True, ge=1, le=200)] = 50


class CellBody(TimedBoardBody):
    """A board and a hidden cell; `opposite` asks what goes wrong with its other value."""

    cell: CellName
    opposite: Annotated[bool, Field(strict=True)] = False


class HintBody(BoardBody):
    """A board, how much to say about its next deduction, and near which cell to look for it."""

    rung: Annotated[int, Field(strict=True, ge=1, le=5)] = 1
    near: CellName | None = None
    marked: Annotated[list[CellName], Field(fail_fast=True, max_length=100_000)] = []


class CheckBody(BoardBody):
    """A board, and the same board with what its player has filled in."""

    filled: Rows


class TraceBody(BoardBody):
    """A board, the engine to watch, and how many of its steps to list."""

    engine: Name = "cdcl"
    seed: Seed = 0
    most: Annotated[int, Field(strict=True, ge=1, le=20_000)] = 2000


class GraphBody(TraceBody):
    """A search by CDCL, and the number of the conflict whose implication graph to draw."""

    conflict: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 1


class ClueBody(BoardBody):
    """A board and one of its clues."""

    cell: CellName


class ExportBody(WeightedBoardBody):
    """A board and the kind of file to make of it; a picture with risks weighs them by the density."""

    to: Name


class GameBody(Body):
    """A game: its id and all moves so far, each an action and a cell."""

    id: Name = Field(examples=["9x9n10#42"])
    moves: Moves = []


class GameHintBody(GameBody):
    """A game, how much to say about the next deduction, and near which cell to look for it.

    Where nothing can be deduced, the best guesses are compared for `think` seconds by playing on.
    """

    rung: Annotated[int, Field(strict=True, ge=1, le=5)] = 1
    near: CellName | None = None
    think: Seconds | None = None


class AgentBody(GameBody):
    """A game and the agent that plays on."""

    agent: Name = "expert"
    seed: Seed = 0


class NewGameBody(Body):
    """A level, with a seed if a certain game is meant, and the rule for the first click."""

    level: Name = "beginner"
    seed: Seed | None = None
    first_click: Name = "safe"


class NamedBoard(BoardBody):
    """A board with a name, which has no control characters."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class CompareBody(Body):
    """Boards, engines, and how often and how long each engine tries each board."""

    boards: Annotated[list[NamedBoard], Field(fail_fast=True, min_length=1, max_length=MOST_COMPARED_BOARDS)]
    engines: Annotated[list[Name], Field(fail_fast=True, min_length=1, max_length=MOST_COMPARED_ENGINES)]
    runs: Annotated[int, Field(strict=True, ge=1, le=10)] = 3
    seconds: Annotated[float, Field(strict=True, gt=0, le=60)] = 5.0


class PuzzlesBody(Body):
    """What puzzles are to be like, how many, and the seed of the first."""

    rows: Annotated[int, Field(strict=True, ge=1, le=LARGEST_WEB_PUZZLE)] = 9
    cols: Annotated[int, Field(strict=True, ge=1, le=LARGEST_WEB_PUZZLE)] = 9
    density: Share = 0.2
    clues: Share | None = None
    given: Share = 0.0
    difficulty: Name | None = None
    rule: Name | None = None
    symmetry: Name = "none"
    solutions: Literal["one", "many", "none"] = "one"
    count: Annotated[int, Field(strict=True, ge=1, le=200)] = 1
    seed: Seed = 1


class MadeGameBody(Body):
    """A level for a game that needs no guess, what its player may use, and where the player begins."""

    level: Name = "beginner"
    using: Name = "clues+total"
    seed: Seed | None = None
    first: CellName | None = None


class SheetPuzzle(Body):
    """A puzzle on a sheet, its solution if it has one, and the line above it."""

    grid: Rows
    solution: Rows | None = None
    label: Annotated[str, Field(max_length=100)] = ""


class SheetBody(Body):
    """Puzzles to print."""

    title: Annotated[str, Field(max_length=100)] = "Puzzles"
    puzzles: Annotated[list[SheetPuzzle], Field(fail_fast=True, min_length=1, max_length=500)]
    format: Literal["svg", "pdf"] = "svg"
