"""Small valid files of every kind that a command reads, made by our own writers."""

import json
from functools import cache
from types import MappingProxyType

import numpy as np

from gemhunter.cnf.drat import write_drat
from gemhunter.cnf.proof import Proof
from gemhunter.core.board import Board
from gemhunter.core.grid import Cell
from gemhunter.core.moves import Action, Move, Replay
from gemhunter.core.positions import whole_position
from gemhunter.formats.game_files import board_content
from gemhunter.formats.mine_text import write_mine
from gemhunter.formats.mines import parse_mines
from gemhunter.formats.replays import replay_text
from gemhunter.formats.sgt import begun, write_sgt
from gemhunter.fuzzing.cases import FormulaCase
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import read_game_id

DEALT = "3x4n2#1"
BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
NO_SOLUTION = "_, 1, _\n2, 0, _\n_, _, 1\n"
MINES = "*...\n....\n..*.\n"
SCREEN = "# # 1\n# 2 1\n1 1  \n"
"""A copy of a screen: `#` is hidden, a blank is an opened cell with no trap around it."""
FORMULA = FormulaCase(3, ((1, 2), (-1, 2), (1, -2), (-1, -2), (3,)))
PROOF = Proof(np.array([2, 1, 2], np.int32), np.array([0, 1, 3, 3]), np.array([False, True, False]))
BINARY_PROOF = b"a\x04\x00d\x02\x04\x00a\x00"
MODEL = "c a comment\ns SATISFIABLE\nv 1 -2 3 4\nv -5 6 -7 0\n"


@cache
def board_files() -> MappingProxyType[str, bytes]:
    """A board, a position or a game in every format, by file names."""
    board = Board(parse_mines(MINES))
    moves = tuple(Move(Action(action), Cell(row, col)) for action, row, col in _MOVES)
    written: dict[str, str | bytes] = {
        "board.txt": BOARD,
        "board.csv": BOARD.replace(", ", ";"),
        "total.txt": f"# traps: 4\n{BOARD}",
        "zero.txt": "0 1 0\n2 0 1\n0 2 0\n",
        "sized.txt": "3 4\n3_2_\n__2_\n_31_\n",
        "screen.txt": SCREEN,
        "impossible.txt": NO_SOLUTION,
        "board.json": json.dumps({"grid": ["3 _ 2 _", "_ _ 2 _", "_ 3 1 _"], "traps": 4}),
        "rows.json": json.dumps([[3, None, 2, "_"], ["_", "T", 2, "G"]]),
        "truth.json": json.dumps({"mines": MINES.split()}),
        "game.json": replay_text(Replay(board, moves)),
        "dealt.json": replay_text(Replay(_dealt(moves[0].cell), moves[:1], DEALT, gave_up=True)),
        "board.mine": write_mine(whole_position(board)),
        "map.txt": MINES,
        "truth.txt": f"{board.grid()}\n",
        "board.mbf": board_content(board, "mbf"),
        "board.abf": board_content(board, "mbf"),
        "board.sgt": board_content(board, "sgt"),
        "masked.sgt": write_sgt(begun(board), masked=True) + "\n",
    }
    return MappingProxyType({name: _bytes(content) for name, content in written.items()})


_MOVES = (("reveal", 0, 3), ("flag", 0, 0), ("chord", 0, 1), ("reveal", 2, 0))


def _dealt(first: Cell) -> Board:
    return deal_board(read_game_id(DEALT), first)


@cache
def other_files() -> MappingProxyType[str, bytes]:
    """Formulas, proofs, answers of solvers, and filled-in boards."""
    sections = f"--- pysat ---\n{ANSWER}\n--- dpll ---\n{ANSWER}time: 0.1 s\n"
    written: dict[str, str | bytes] = {
        "formula.cnf": FORMULA.text(("made by hand",)),
        "easy.cnf": FormulaCase(4, ((1, -2), (2, 3, -4), (4,))).text(),
        "proof.drat": write_drat(PROOF),
        "binary.drat": BINARY_PROOF,
        "model.txt": MODEL,
        "minisat.txt": "SAT\n1 -2 3 4 -5 6 -7 0\n",
        "answer.txt": ANSWER,
        "sections.txt": sections,
        "claim.txt": "No solution\n",
        "answer.json": json.dumps([["3", "T", "2", "G"], ["T", "T", "2", "G"], ["T", "3", "1", "G"]]),
    }
    return MappingProxyType({name: _bytes(content) for name, content in written.items()})


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
