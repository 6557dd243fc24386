"""Boards and replays as JSON.

A board is rows of cells, or a mine map with the cells that are shown; a replay is a mine map with its moves.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board, grid_from_traps
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.position import Action, Move, Position, Replay, bare_position
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault, InputError, board_error
from gemhunter.files.access import write_atomically
from gemhunter.files.dialects import (
    Zero,
    line_style,
    position_of,
    read_cell,
    token_codes,
    token_fault,
    tokens,
    with_opened_dots,
)
from gemhunter.files.minesweeper import mine_map, parse_mines
from gemhunter.printable import json_text
from gemhunter.wording import counted

MARKS_KEY = "marks"
"""The key of the cells that the player marked, in a board saved while it was filled in."""


def looks_like_json(text: str) -> bool:
    """Whether a text is meant as JSON: no row of cells and no heading begins with such brackets."""
    return re.match(r"[\ufeff\s]*(\{|\[\s*[\[{\"\]])", text) is not None


@dataclass(frozen=True, slots=True)
class JsonBoard:
    """The content of a JSON text: a position, the traps of a mine map, and `MARKS_KEY` as written."""

    position: Position
    traps: NDArray[np.bool_] | None = None
    marks: object = None


def parse_json(text: str, zero: Zero, *, source: str) -> JsonBoard:
    """The board in a JSON text; a row is a line of a text board, or a list of cells with null for unknown.

    A mine map gives the total, and so does `traps` beside the rows.
    """
    document = load_json(text, source)
    if not isinstance(document, dict):
        document = {"grid": document}
    if "mines" in document:
        return _parse_mine_map(document, source)
    total = document.get("traps")
    if total is not None and (not isinstance(total, int) or isinstance(total, bool) or total < 0):
        raise board_error("`traps` must be the number of all traps, such as 40", source)
    rows = document.get("grid")
    if not isinstance(rows, list) or not rows:
        shapes = '[row, …], {"grid": [row, …]} or {"mines": [row, …], "shown": [row, …]}'
        raise board_error(f"expected {shapes}", source)
    written = [_row_tokens(row, number, source) for number, row in enumerate(rows, 1)]
    if faults := list(_faults(written, zero)):
        raise BoardError(faults[:FAULTS_COLLECTED], source)
    code_of = token_codes(zero)
    codes = np.array([[code_of[token] for token in row] for row in written], np.int8)
    dots = np.array([[sign == "." for sign in row] for row in written])
    if zero == "clue" and dots.any() and any("#" in row for row in written):
        codes = with_opened_dots(codes, dots, source)
    return JsonBoard(position_of(codes, total), marks=document.get(MARKS_KEY))


def json_board(position: Position) -> str:
    """A position with its flags as the text of a JSON file, and its total unless the grid shows all traps."""
    rows = [row.split(", ") for row in grid_rows(position.grid)]
    for row, col in np.argwhere(position.flags).tolist():
        rows[row][col] = "F"
    board: dict[str, Any] = {"grid": [", ".join(row) for row in rows]}
    if position.total is not None and HIDDEN in position.grid.cells:
        board["traps"] = position.total
    return json.dumps(board, indent=2) + "\n"


def grid_rows(grid: Grid) -> list[str]:
    """The rows of a grid in the puzzle's own notation."""
    return str(grid).split("\n")


def load_json(text: str, source: str) -> Any:
    """The value of a JSON text, or a `BoardError` with the place where it stops being JSON."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        fault = Fault(error.lineno, error.colno, f"bad JSON: {error.msg.lower()}")
    except RecursionError:
        fault = Fault(0, 0, "bad JSON: nested too deeply")
    except ValueError:
        fault = Fault(0, 0, "bad JSON: a number is too long")
    raise BoardError([fault], source)


def _faults(rows: list[list[str]], zero: Zero) -> Iterator[Fault]:
    """What is wrong with the tokens, by row and cell."""
    code_of = token_codes(zero)
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for number, row in enumerate(rows, 1):
        for place, token in enumerate(row, 1):
            if token not in code_of:
                yield Fault(0, 0, f"row {number}, cell {place}: {token_fault(token)}")
        if len(row) != width or not row:
            cells = counted(len(row), "cell")
            yield Fault(0, 0, f"row {number} has {cells}; expected {width or 1}, as in most rows")


def _parse_mine_map(document: dict[str, Any], source: str) -> JsonBoard:
    traps = _map(document["mines"], "mines", source)
    shown = _map(document["shown"], "shown", source) if "shown" in document else None
    if shown is not None and shown.shape != traps.shape:
        raise board_error(f"`mines` has the shape {traps.shape}, but `shown` {shown.shape}", source)
    position = bare_position(grid_from_traps(traps, shown), int(np.count_nonzero(traps)))
    return JsonBoard(position, traps, document.get(MARKS_KEY))


def _map(rows: object, key: str, source: str) -> NDArray[np.bool_]:
    if not isinstance(rows, list) or not rows:
        raise board_error(f"`{key}` must be a list of rows", source)
    lines = []
    for number, row in enumerate(rows, 1):
        cells = _row_tokens(row, number, source)
        lines.append(row if isinstance(row, str) else ", ".join(cells))
    return parse_mines("\n".join(lines), source=f"{source}:{key}")


def _row_tokens(row: object, number: int, source: str) -> list[str]:
    """The cells of one row, in lower case."""
    if isinstance(row, str) and "\n" not in row:
        return [token.text for token in tokens(row, line_style(row))]
    if isinstance(row, list) and all(cell is None or isinstance(cell, int | str) for cell in row):
        numbers = (int(cell) if isinstance(cell, bool) else cell for cell in row)
        return ["_" if cell is None else str(cell).strip().lower() for cell in numbers]
    raise board_error(f"row {number} is neither a line of text nor a list of cells", source)


# Replays as JSON: the truth as a mine map, the id, and every move.


REPLAY_FORMAT, REPLAY_VERSION = "gemhunter-replay", 1
REPLAY_KEYS = {"format", "version", "id", "mines", "moves", "gave_up"}
MOVE_EXPECTED = "`reveal`, `flag` or `chord` and a cell, such as `reveal r3c1`"


def write_replay(path: str | os.PathLike[str], replay: Replay) -> None:
    """Write a replay to a file, whole or not at all."""
    write_atomically(path, replay_text(replay))


def replay_text(replay: Replay) -> str:
    """A replay as JSON."""
    document = {
        "format": REPLAY_FORMAT,
        "version": REPLAY_VERSION,
        "id": replay.game_id,
        "mines": mine_map(replay.board.traps).split("\n"),
        "moves": [str(move) for move in replay.moves],
        "gave_up": replay.gave_up,
    }
    return json_text(document, indent=1) + "\n"


def looks_like_replay(text: str) -> bool:
    """Whether a text is JSON that names this format."""
    return looks_like_json(text) and f'"{REPLAY_FORMAT}"' in text


def parse_replay(text: str, *, source: str = "replay") -> Replay:
    """The replay in a JSON text, or a `BoardError` that says what is wrong with it."""
    document = load_json(text, source) if looks_like_json(text) else None
    if not isinstance(document, dict) or document.get("format") != REPLAY_FORMAT:
        expected = f'{{"format": "{REPLAY_FORMAT}", "version": {REPLAY_VERSION}, …}}'
        raise board_error(f"not a replay; expected {expected}", source)
    if (version := document.get("version")) != REPLAY_VERSION or isinstance(version, bool):
        message = f"version {version!r} of the format; only version {REPLAY_VERSION} can be read"
        raise board_error(message, source)
    if unknown := sorted(document.keys() - REPLAY_KEYS):
        raise board_error(f"unknown key `{unknown[0]}`; expected {', '.join(sorted(REPLAY_KEYS))}", source)
    game_id, gave_up = document.get("id"), document.get("gave_up", False)
    if game_id is not None and not isinstance(game_id, str):
        raise board_error("`id` must be a text such as 16x30n99#42, or null", source)
    if not isinstance(gave_up, bool):
        raise board_error("`gave_up` must be true or false", source)
    rows: Any = document.get("mines")
    are_rows = isinstance(rows, list) and all(isinstance(row, str) and row.strip() for row in rows)
    if not are_rows or not rows or any(len(row.splitlines()) != 1 for row in rows):
        raise board_error('`mines` must be a list of rows, such as ["*..", "..*"]', source)
    board = Board(parse_mines("\n".join(rows), source=f"{source}:mines"))
    return Replay(board, _moves(document.get("moves"), board, source), game_id, gave_up)


def _moves(written: Any, board: Board, source: str) -> tuple[Move, ...]:
    if not isinstance(written, list):
        raise board_error(f"`moves` must be a list of texts: {MOVE_EXPECTED}", source)
    moves, faults = [], []
    for number, text in enumerate(written, 1):
        try:
            moves.append(_move(text, board))
        except InputError as error:
            faults.append(Fault(0, 0, f"move {number}: {error}"))
            if len(faults) == FAULTS_COLLECTED:
                break
    if faults:
        raise BoardError(faults, source)
    return tuple(moves)


def _move(text: object, board: Board) -> Move:
    action, _, cell_text = text.partition(" ") if isinstance(text, str) else ("", "", "")
    if action not in list(Action):
        raise InputError(f"expected {MOVE_EXPECTED}, found {str(text)[:40]!r}")
    cell = read_cell(cell_text)
    if cell.row >= board.rows or cell.col >= board.cols:
        raise InputError(f"{cell} is outside the {board.rows}×{board.cols} board")
    return Move(Action(action), cell)
