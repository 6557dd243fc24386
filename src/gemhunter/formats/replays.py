"""Replays as JSON: the truth as a mine map, the id, and every move."""

import os
from typing import Any

from gemhunter.core.board import Board
from gemhunter.core.moves import Action, Move, Replay
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault, InputError
from gemhunter.formats.cells import read_cell
from gemhunter.formats.files import write_atomically
from gemhunter.formats.json_boards import load_json, looks_like_json
from gemhunter.formats.mine_map import mine_map, parse_mines
from gemhunter.printable import json_text

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
    document = load_json(text, source)
    if not isinstance(document, dict) or document.get("format") != REPLAY_FORMAT:
        raise _fault(
            f'not a replay; expected {{"format": "{REPLAY_FORMAT}", "version": {REPLAY_VERSION}, …}}', source
        )
    if (version := document.get("version")) != REPLAY_VERSION or isinstance(version, bool):
        raise _fault(f"version {version!r} of the format; only version {REPLAY_VERSION} can be read", source)
    if unknown := sorted(document.keys() - REPLAY_KEYS):
        raise _fault(f"`{unknown[0]}` is none of {', '.join(sorted(REPLAY_KEYS))}", source)
    game_id, gave_up = document.get("id"), document.get("gave_up", False)
    if game_id is not None and not isinstance(game_id, str):
        raise _fault("`id` is a text such as 16x30n99#42, or null", source)
    if not isinstance(gave_up, bool):
        raise _fault("`gave_up` is true or false", source)
    board = _board(document.get("mines"), source)
    return Replay(board, _moves(document.get("moves"), board, source), game_id, gave_up)


def _board(rows: object, source: str) -> Board:
    if not isinstance(rows, list) or not rows or not all(map(_is_row, rows)):
        raise _fault('`mines` is a list of rows, such as ["*..", "..*"]', source)
    return Board(parse_mines("\n".join(rows), source=f"{source}:mines"))


def _is_row(row: object) -> bool:
    return isinstance(row, str) and len(row.splitlines()) == 1 and bool(row.strip())


def _moves(written: Any, board: Board, source: str) -> tuple[Move, ...]:
    if not isinstance(written, list):
        raise _fault(f"`moves` is a list of texts: {MOVE_EXPECTED}", source)
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


def _fault(message: str, source: str) -> BoardError:
    return BoardError([Fault(0, 0, message)], source)
