"""Questions about a board: read, analyse, explain, hint, check, export."""

import binascii
from base64 import b64decode
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.encode import encode
from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.core.positions import Position
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.formats.cells import read_cell
from gemhunter.formats.game_files import (
    FILE_KINDS,
    KIND_OF_NAME,
    WRITABLE,
    GameFile,
    game_file_content,
    parse_game_file,
    read_game_file,
)
from gemhunter.formats.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.play.advice import advise
from gemhunter.play.fill_in import FillIn, check_marks
from gemhunter.play.game import replayed
from gemhunter.play.words import BOARD_WITHOUT_SOLUTION
from gemhunter.queries.analyse import analyse_with
from gemhunter.queries.explain import explain
from gemhunter.queries.explain_cell import explain_cell, explain_opposite
from gemhunter.queries.hint import hint
from gemhunter.queries.solutions import Ending, Solutions
from gemhunter.records.advice import advice_record
from gemhunter.records.analyses import analysis_record
from gemhunter.records.explanations import cell_explanation_record, explanation_record, hint_record
from gemhunter.records.fill_ins import checked_record
from gemhunter.records.positions import position_record
from gemhunter.records.reports import solution_record
from gemhunter.render.grids import GRID_PICTURES
from gemhunter.render.heat import draw_heat, draw_heat_png
from gemhunter.solving.outcomes import GaveUp
from gemhunter.web.tasks.asked_boards import BOARD_NAME, Asked, Worker

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
