"""Questions about a board: read, analyse, explain, hint, check, export; and puzzles and sheets to order."""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.board.position import Position
from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.encode import encode
from gemhunter.compare.sheets import pdf_of_sheets
from gemhunter.draw.grids import GRID_PICTURES
from gemhunter.draw.heat import draw_heat, draw_heat_png
from gemhunter.draw.sheets import SheetBoard, draw_sheets, sheet_pages
from gemhunter.errors import InputError, TooLargeError, UnknownNameError
from gemhunter.explanation.explain import explain, explain_cell, explain_opposite
from gemhunter.explanation.hint import hint
from gemhunter.files.boards import (
    FILE_KINDS,
    KIND_OF_NAME,
    WRITABLE,
    GameFile,
    game_file_content,
    parse_game_file,
    read_game_file,
)
from gemhunter.files.dialects import read_cell
from gemhunter.files.json_boards import parse_json
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import NotGenerated, PuzzleWish, generate_puzzle
from gemhunter.jit.choice import listening
from gemhunter.play.advice import advise
from gemhunter.play.fill_in import FillIn, check_marks
from gemhunter.play.game import replayed
from gemhunter.play.game_ids import new_seed
from gemhunter.play.levels import read_level
from gemhunter.play.words import BOARD_WITHOUT_SOLUTION
from gemhunter.printable import json_text, printable
from gemhunter.questions.analyse import analyse_with
from gemhunter.questions.solutions import Ending, Solutions
from gemhunter.records.answers import solution_record
from gemhunter.records.boards import (
    analysis_record,
    cell_explanation_record,
    explanation_record,
    hint_record,
    puzzle_record,
)
from gemhunter.records.games import advice_record, checked_record, generated_game_record, position_record
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.registry import NEEDS_ARGUMENT, PYTHON_FILE, engine_names
from gemhunter.solving.run import Limits, Run
from gemhunter.work.jobs import Desk

# The boards and limits of requests, as the other tasks read them.


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


# Questions about a board: read, analyse, explain, hint, check, export.


HEAT_PICTURES: dict[str, Callable[..., str | bytes]] = {"heat-svg": draw_heat, "heat-png": draw_heat_png}
DIMACS = "dimacs"
EXPORT_KINDS = (*WRITABLE, *GRID_PICTURES, DIMACS, *HEAT_PICTURES)
"""What a board can be exported as."""


def read_board(worker: Worker, asked: Asked) -> dict[str, Any]:
    """A board or game in any format that the package reads."""
    file = _read(asked)
    worker.require_size(file.position.grid.cells.size)
    game = None if file.replay is None else replayed(file.replay)
    return position_record(file.position if game is None else game.position, game)


def _read(asked: Asked) -> GameFile:
    given = [key for key in ("text", "base64", "sample") if asked[key] is not None]
    if len(given) != 1:
        raise InputError("give one of text, base64 and sample")
    if asked["sample"] is not None:
        name = asked["sample"].removeprefix(SAMPLE_PREFIX)
        if name not in SAMPLES:
            raise UnknownNameError("sample board", name, SAMPLES, see="samples")
        return read_game_file(f"{SAMPLE_PREFIX}{name}")
    kind = KIND_OF_NAME.get(PurePath(asked["name"]).suffix.lower())
    if asked["text"] is not None:
        if kind is not None and FILE_KINDS[kind].is_binary:
            endings = " or ".join(FILE_KINDS[kind].suffixes)
            raise InputError(f"an {endings} file has bytes, not text; send them as `base64`")
        return parse_game_file(asked["text"], kind, asked["zero"], source=BOARD_NAME)
    try:
        content = b64decode(asked["base64"], validate=True)
    except (binascii.Error, ValueError):
        raise InputError("`base64` is not base64") from None
    return parse_game_file(content, kind, asked["zero"], source=BOARD_NAME)


def analyse_board(worker: Worker, asked: Asked) -> dict[str, Any]:
    """What is true of all solutions of a board."""
    position, density = worker.position(asked), asked["density"]
    found = analyse_with(
        lambda _: worker.new_run(asked), position.grid, total=position.total, density=density
    )
    return analysis_record(BOARD_NAME, found, total=position.total, density=density)


def list_solutions(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The first solutions of a board, in order."""
    position = worker.position(asked)
    found = Solutions(worker.new_run(asked), position.grid, total=position.total, limit=asked["most"])
    listed = [solution_record(BOARD_NAME, number, filled)["grid"] for number, filled in enumerate(found, 1)]
    return {
        "solutions": listed,
        "complete": found.ending is not Ending.ENOUGH and not isinstance(found.ending, GaveUp),
        "gave_up": found.ending.reason if isinstance(found.ending, GaveUp) else None,
    }


def advise_on_board(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The best move in a position."""
    run, position = worker.new_run(asked), worker.position(asked)
    return advice_record(BOARD_NAME, advise(position, density=asked["density"], run=run))


def explain_board(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Why each forced cell is what it is."""
    position = worker.position(asked)
    found = explain(position.grid, total=position.total, run=worker.new_run(asked))
    return explanation_record(BOARD_NAME, found)


def explain_one_cell(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Why one cell is what it is, or what goes wrong with its other value."""
    position = worker.position(asked)
    cell = worker.cell(asked, position)
    question = explain_opposite if asked["opposite"] else explain_cell
    found = question(position.grid, cell, total=position.total, run=worker.new_run(asked))
    return cell_explanation_record(BOARD_NAME, found)


def hint_on_board(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The next deduction, as far as a rung tells it."""
    position = worker.position(asked)
    near = None if asked["near"] is None else read_cell(asked["near"])
    marked = [read_cell(name) for name in asked["marked"]]
    found = hint(position.grid, total=position.total, marked=marked, near=near, run=worker.new_run(asked))
    return hint_record(BOARD_NAME, found, asked["rung"])


def check_filled(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Whether what a player has filled in can be right."""
    position, filled = worker.position(asked), worker.position(asked, "filled")
    given, codes = position.grid.cells, filled.grid.cells
    if given.shape != codes.shape:
        raise InputError(f"the board is {given.shape}, what is filled in {codes.shape}")
    marks = np.where((given == HIDDEN) & np.isin(codes, (TRAP, GEM)), codes, HIDDEN).astype(np.int8)
    board = FillIn(position.grid, marks, position.total)
    return checked_record(board, check_marks(worker.new_run(asked), board))


def export_board(worker: Worker, asked: Asked) -> str | bytes:
    """A board as the content of a file."""
    position, kind = worker.position(asked), asked["to"]
    if kind not in EXPORT_KINDS:
        raise UnknownNameError("kind of file", kind, EXPORT_KINDS)
    if kind in GRID_PICTURES:
        return GRID_PICTURES[kind](position.grid)
    if kind in HEAT_PICTURES:
        return HEAT_PICTURES[kind](position.grid, _risk(worker, asked, position))
    if kind == DIMACS:
        return write_dimacs(encode(position.grid, total=position.total), ("true means trap",))
    return game_file_content(GameFile(BOARD_NAME, position), kind)


def _risk(worker: Worker, asked: Asked, position: Position) -> Any:
    density = asked["density"]
    found = analyse_with(
        lambda _: worker.new_run(asked), position.grid, total=position.total, density=density
    )
    if found.solvable is False:
        raise InputError(BOARD_WITHOUT_SOLUTION)
    return found.risk


# Puzzles and games to order, and sheets of puzzles to print.


SOLUTIONS_TITLE = "Solutions"

WISH_FIELDS = (
    *("rows", "cols", "density", "clues", "given"),
    *("difficulty", "rule", "symmetry", "solutions"),
)


def make_puzzles(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Puzzles as they are made; those that cannot be made say why."""
    wish = PuzzleWish(**{name: asked[name] for name in WISH_FIELDS})
    if wish.cells > LARGEST_WEB_PUZZLE:
        raise TooLargeError(f"a puzzle has at most {LARGEST_WEB_PUZZLE:,} cells here, not {wish.cells:,}")
    made = 0
    for seed in range(asked["seed"], asked["seed"] + asked["count"]):
        found = generate_puzzle(wish, seed=seed, run=worker.new_run(asked))
        if worker.desk.is_cancelled():
            break
        if isinstance(found, NotGenerated):
            worker.desk.send({"seed": found.seed, "missing": found.reason})
        else:
            made += 1
            worker.desk.send(puzzle_record(found))
    return {"made": made}


def make_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """A game that needs no guess."""
    level = read_level(asked["level"])
    worker.require_size(level.rows * level.cols)
    seed = new_seed() if asked["seed"] is None else asked["seed"]
    first = None if asked["first"] is None else read_cell(asked["first"])
    games = generate_games(level, using=asked["using"], seed=seed, number=1, first=first)
    return generated_game_record(next(games))


def draw_sheet(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Pages with puzzles, and pages with their solutions: SVG documents, or a PDF file in base64."""
    title, puzzles, solutions = printable(asked["title"]), list[SheetBoard](), list[SheetBoard]()
    for number, each in enumerate(asked["puzzles"], 1):
        label = f"{number} · {printable(each['label'])}" if each["label"] else str(number)
        puzzles.append(SheetBoard(label, worker.position(each).grid))
        if each["solution"] is not None:
            solutions.append(SheetBoard(str(number), worker.position(each, "solution").grid))
    if asked["format"] == "pdf":
        pages = [*sheet_pages(title, puzzles), *sheet_pages(SOLUTIONS_TITLE, solutions)]
        return {"pdf": b64encode(pdf_of_sheets(pages)).decode()}
    return {"pages": [*draw_sheets(title, puzzles), *draw_sheets(SOLUTIONS_TITLE, solutions)]}
