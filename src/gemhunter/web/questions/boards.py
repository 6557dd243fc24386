"""Questions about a board: read, analyse, explain, hint, check, export; and puzzles and sheets to order.

Each question has a body and a task that answers it; they are listed at the end.
"""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import PurePath
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.board.position import Position
from gemhunter.charts.sheets import pdf_of_sheets
from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.encode import encode
from gemhunter.draw.grids import GRID_PICTURES, draw_heat, draw_heat_png
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
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import NotGenerated, PuzzleWish, generate_puzzle
from gemhunter.play.advice import advise
from gemhunter.play.fill_in import BOARD_WITHOUT_SOLUTION, FillIn, check_marks
from gemhunter.play.game import replayed
from gemhunter.play.game_ids import new_seed, read_level
from gemhunter.printable import printable
from gemhunter.questions.analyse import Analysis, analyse_with
from gemhunter.questions.solutions import Ending, Solutions
from gemhunter.records.boards import (
    analysis_record,
    cell_explanation_record,
    explanation_record,
    hint_record,
    puzzle_record,
)
from gemhunter.records.engines import solution_record
from gemhunter.records.games import advice_record, checked_record, generated_game_record, position_record
from gemhunter.solving.outcomes import GaveUp
from gemhunter.web.questions.question import (
    BOARD_NAME,
    ApiQuestion,
    BoardBody,
    Body,
    CellName,
    Name,
    Rows,
    Rung,
    Seconds,
    Seed,
    Worker,
    cell_on_board,
)


class ReadBody(Body):
    """A board or game in any format: as text, as a file in base64, or as the name of a sample."""

    text: Annotated[str, Field(max_length=3_000_000)] | None = None
    base64: Annotated[str, Field(max_length=4_000_000)] | None = None
    name: Annotated[str, Field(max_length=300)] = ""
    sample: Name | None = None
    zero: Literal["clue", "unknown"] = "clue"


def read_board(worker: Worker, body: ReadBody) -> dict[str, Any]:
    """A board or game in any format that the package reads."""
    file = _read(body)
    worker.require_size(file.position.grid.cells.size)
    game = None if file.replay is None else replayed(file.replay)
    return position_record(file.position if game is None else game.position, game)


def _read(body: ReadBody) -> GameFile:
    if sum(given is not None for given in (body.text, body.base64, body.sample)) != 1:
        raise InputError("give one of text, base64 and sample")
    if body.sample is not None:
        # Only samples are opened by name, so that no request opens another file of the server.
        name = body.sample.removeprefix(SAMPLE_PREFIX)
        if name not in SAMPLES:
            raise UnknownNameError("sample board", name, SAMPLES, see="samples")
        return read_game_file(f"{SAMPLE_PREFIX}{name}")
    kind = KIND_OF_NAME.get(PurePath(body.name).suffix.lower())
    if body.text is not None:
        if kind is not None and FILE_KINDS[kind].is_binary:
            endings = " or ".join(FILE_KINDS[kind].suffixes)
            raise InputError(f"an {endings} file has bytes, not text; send them as `base64`")
        return parse_game_file(body.text, kind, body.zero, source=BOARD_NAME)
    try:
        content = b64decode(body.base64 or "", validate=True)
    except (binascii.Error, ValueError):
        raise InputError("`base64` is not base64") from None
    return parse_game_file(content, kind, body.zero, source=BOARD_NAME)


class TimedBoardBody(BoardBody):
    """A board, and the time limit of the answer in addition to that of the server."""

    seconds: Seconds | None = None


class WeightedBoardBody(TimedBoardBody):
    """A board, and, if its total is unknown, the probability of a trap before any clue is known."""

    density: Annotated[float, Field(strict=True, gt=0, lt=1)] | None = None


def analyse_board(worker: Worker, body: WeightedBoardBody) -> dict[str, Any]:
    """What is true of all solutions of a board."""
    position = worker.position(body.grid, body.traps)
    analysis = _analyse(worker, position, body)
    return analysis_record(BOARD_NAME, analysis, total=position.total, density=body.density)


def _analyse(worker: Worker, position: Position, body: WeightedBoardBody) -> Analysis:
    return analyse_with(
        lambda _: worker.new_run(body.seconds), position.grid, total=position.total, density=body.density
    )


class SolutionsBody(TimedBoardBody):
    """A board, and the maximum number of solutions to list."""

    most: Annotated[int, Field(strict=True, ge=1, le=200)] = 50


def list_solutions(worker: Worker, body: SolutionsBody) -> dict[str, Any]:
    """The first solutions of a board, in order."""
    position = worker.position(body.grid, body.traps)
    run = worker.new_run(body.seconds)
    solutions = Solutions(run, position.grid, total=position.total, limit=body.most)
    grids = [
        solution_record(BOARD_NAME, number, filled)["grid"] for number, filled in enumerate(solutions, 1)
    ]
    ending = solutions.ending
    return {
        "solutions": grids,
        "complete": ending is not Ending.ENOUGH and not isinstance(ending, GaveUp),
        "gave_up": ending.reason if isinstance(ending, GaveUp) else None,
    }


def advise_on_board(worker: Worker, body: WeightedBoardBody) -> dict[str, Any]:
    """The best move in a position."""
    run, position = worker.new_run(body.seconds), worker.position(body.grid, body.traps)
    return advice_record(BOARD_NAME, advise(position, density=body.density, run=run))


def explain_board(worker: Worker, body: TimedBoardBody) -> dict[str, Any]:
    """Why each forced cell has its value."""
    position = worker.position(body.grid, body.traps)
    explanation = explain(position.grid, total=position.total, run=worker.new_run(body.seconds))
    return explanation_record(BOARD_NAME, explanation)


class CellBody(TimedBoardBody):
    """A board and a hidden cell; with `opposite`, the question is what goes wrong with its other value."""

    cell: CellName
    opposite: Annotated[bool, Field(strict=True)] = False


def explain_one_cell(worker: Worker, body: CellBody) -> dict[str, Any]:
    """Why a cell has its value, or what goes wrong with the other value."""
    position = worker.position(body.grid, body.traps)
    cell = cell_on_board(body.cell, position)
    question = explain_opposite if body.opposite else explain_cell
    explanation = question(position.grid, cell, total=position.total, run=worker.new_run(body.seconds))
    return cell_explanation_record(BOARD_NAME, explanation)


class HintBody(BoardBody):
    """A board, how much to say about its next deduction, and a cell near which to look for it."""

    rung: Rung = 1
    near: CellName | None = None
    marked: list[CellName] = Field([], fail_fast=True, max_length=100_000)


def hint_on_board(worker: Worker, body: HintBody) -> dict[str, Any]:
    """The next deduction up to a rung of the hint ladder."""
    position = worker.position(body.grid, body.traps)
    near = None if body.near is None else read_cell(body.near)
    marked = [read_cell(name) for name in body.marked]
    ladder = hint(position.grid, total=position.total, marked=marked, near=near, run=worker.new_run())
    return hint_record(BOARD_NAME, ladder, body.rung)


class CheckBody(BoardBody):
    """A board, and the same board as its player has filled it in."""

    filled: Rows


def check_filled(worker: Worker, body: CheckBody) -> dict[str, Any]:
    """Whether the cells that a player has filled in can be right."""
    position, filled = worker.position(body.grid, body.traps), worker.position(body.filled, body.traps)
    given, codes = position.grid.cells, filled.grid.cells
    if given.shape != codes.shape:
        size, other = ("×".join(map(str, each.shape)) for each in (given, codes))
        raise InputError(f"the board is {size}, but the filled-in one is {other}")
    marks = np.where((given == HIDDEN) & np.isin(codes, (TRAP, GEM)), codes, HIDDEN).astype(np.int8)
    board = FillIn(position.grid, marks, position.total)
    return checked_record(board, check_marks(worker.new_run(), board))


HEAT_PICTURES: dict[str, Callable[..., str | bytes]] = {"heat-svg": draw_heat, "heat-png": draw_heat_png}
EXPORT_KINDS = (*WRITABLE, *GRID_PICTURES, "dimacs", *HEAT_PICTURES)
"""The kinds of files to which a board can be exported."""


class ExportBody(WeightedBoardBody):
    """A board, and the kind of file to export it to; the density applies to pictures with risks."""

    to: Name


def export_board(worker: Worker, body: ExportBody) -> str | bytes:
    """A board as the content of a file."""
    position, kind = worker.position(body.grid, body.traps), body.to
    if kind not in EXPORT_KINDS:
        raise UnknownNameError("kind of file", kind, EXPORT_KINDS)
    if kind in GRID_PICTURES:
        return GRID_PICTURES[kind](position.grid)
    if kind in HEAT_PICTURES:
        analysis = _analyse(worker, position, body)
        if analysis.solvable is False:
            raise InputError(BOARD_WITHOUT_SOLUTION)
        return HEAT_PICTURES[kind](position.grid, analysis.risk)
    if kind == "dimacs":
        return write_dimacs(encode(position.grid, total=position.total), ("true means trap",))
    return game_file_content(GameFile(BOARD_NAME, position), kind)


# Puzzles and games to order, and sheets of puzzles to print.


PUZZLE_CELLS = 10_000
"""Cells of the largest puzzle; `gemhunter generate` makes larger ones, which takes minutes."""

Share = Annotated[float, Field(strict=True, ge=0, le=1)]


class PuzzlesBody(Body):
    """The properties of the puzzles to generate, their number, and the seed of the first."""

    rows: Annotated[int, Field(strict=True, ge=1, le=PUZZLE_CELLS)] = 9
    cols: Annotated[int, Field(strict=True, ge=1, le=PUZZLE_CELLS)] = 9
    density: Share = 0.2
    clues: Share | None = None
    given: Share = 0.0
    difficulty: Name | None = None
    rule: Name | None = None
    symmetry: Name = "none"
    solutions: Literal["one", "many", "none"] = "one"
    count: Annotated[int, Field(strict=True, ge=1, le=200)] = 1
    seed: Seed = 1


def make_puzzles(worker: Worker, body: PuzzlesBody) -> dict[str, Any]:
    """Send each puzzle, or the reason why there is none, as soon as possible."""
    wish = PuzzleWish(**body.model_dump(exclude={"count", "seed"}))
    if wish.cells > PUZZLE_CELLS:
        too_many = f"a puzzle has at most {PUZZLE_CELLS:,} cells here, not {wish.cells:,}"
        raise TooLargeError(too_many, field="rows")
    made = 0
    for seed in range(body.seed, body.seed + body.count):
        puzzle = generate_puzzle(wish, seed=seed, run=worker.new_run())
        if worker.job.is_cancelled():
            break
        if isinstance(puzzle, NotGenerated):
            worker.job.send({"seed": puzzle.seed, "missing": puzzle.reason})
        else:
            made += 1
            worker.job.send(puzzle_record(puzzle))
    return {"made": made}


class MadeGameBody(Body):
    """The level of a game that needs no guess, what its player may use, and the first cell to open."""

    level: Name = "beginner"
    using: Name = "clues+total"
    seed: Seed | None = None
    first: CellName | None = None


def make_game(worker: Worker, body: MadeGameBody) -> dict[str, Any]:
    """A game that needs no guess."""
    level = read_level(body.level)
    worker.require_size(level.rows * level.cols)
    seed = new_seed() if body.seed is None else body.seed
    first = None if body.first is None else read_cell(body.first)
    games = generate_games(level, using=body.using, seed=seed, number=1, first=first)
    return generated_game_record(next(games))


class SheetPuzzle(Body):
    """A puzzle on a sheet, its solution if there is one, and the label above it."""

    grid: Rows
    solution: Rows | None = None
    label: Annotated[str, Field(max_length=100)] = ""


class SheetBody(Body):
    """Puzzles to print."""

    title: Annotated[str, Field(max_length=100)] = "Puzzles"
    puzzles: Annotated[list[SheetPuzzle], Field(fail_fast=True, min_length=1, max_length=500)]
    format: Literal["svg", "pdf"] = "svg"


def draw_sheet(worker: Worker, body: SheetBody) -> dict[str, Any]:
    """Pages with puzzles, then pages with their solutions, as SVG documents or a PDF file in base64."""
    puzzles, solutions = list[SheetBoard](), list[SheetBoard]()
    for number, puzzle in enumerate(body.puzzles, 1):
        label = f"{number} · {printable(puzzle.label)}" if puzzle.label else str(number)
        puzzles.append(SheetBoard(label, worker.position(puzzle.grid).grid))
        if puzzle.solution is not None:
            solutions.append(SheetBoard(str(number), worker.position(puzzle.solution).grid))
    parts = ((printable(body.title), puzzles), ("Solutions", solutions))
    if body.format == "pdf":
        pages = [page for title, boards in parts for page in sheet_pages(title, boards)]
        return {"pdf": b64encode(pdf_of_sheets(pages)).decode()}
    return {"pages": [page for title, boards in parts for page in draw_sheets(title, boards)]}


BOARD_QUESTIONS = (
    ApiQuestion("read", ReadBody, read_board, "Read a board or game in any format."),
    ApiQuestion("analyse", WeightedBoardBody, analyse_board, "What is true of all solutions."),
    ApiQuestion("solutions", SolutionsBody, list_solutions, "The first solutions, in order."),
    ApiQuestion("advise", WeightedBoardBody, advise_on_board, "The best move in a position."),
    ApiQuestion("explain", TimedBoardBody, explain_board, "Why forced cells are what they are."),
    ApiQuestion("explain-cell", CellBody, explain_one_cell, "Why one cell is what it is."),
    ApiQuestion("hint", HintBody, hint_on_board, "The next deduction, up to a rung."),
    ApiQuestion("check", CheckBody, check_filled, "Whether what is filled in can be right."),
    ApiQuestion("export", ExportBody, export_board, "A board as a file.", "*/*"),
    ApiQuestion("generate/puzzles", PuzzlesBody, make_puzzles, "Puzzles to order.", is_long=True),
    ApiQuestion("generate/game", MadeGameBody, make_game, "A game that needs no guess."),
    ApiQuestion("generate/sheet", SheetBody, draw_sheet, "Puzzles on pages to print."),
)
