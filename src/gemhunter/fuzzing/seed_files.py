"""Small valid files of every kind that a command reads, made by our own writers."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.bench.ledger import BenchHeading, heading_of, heading_record, measurement_record
from gemhunter.bench.runs import EngineComparison, RunSetting
from gemhunter.bench.values import (
    BenchBoard,
    BenchLimits,
    Measurement,
    RunTask,
    Suite,
    Verdict,
    WorkersUsed,
)
from gemhunter.cnf.drat import write_drat
from gemhunter.cnf.proof import Proof
from gemhunter.core.board import Board
from gemhunter.core.grid import Cell
from gemhunter.core.moves import Action, Move, Replay
from gemhunter.core.positions import whole_position
from gemhunter.formats.game_files import board_content
from gemhunter.formats.mine_map import parse_mines
from gemhunter.formats.mine_text import write_mine
from gemhunter.formats.replays import replay_text
from gemhunter.formats.sgt import begun, write_sgt
from gemhunter.formats.text import parse_grid
from gemhunter.fuzzing.cases import FormulaCase
from gemhunter.play.game_ids import deal_board, read_game_id
from gemhunter.report.findings import heading_of_report, run_record
from gemhunter.report.plan import ReportPart, ReportPlan

SEED_GAME_ID = "3x4n2#1"

SEED_BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"

SEED_ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"

SEED_REFUTED_BOARD = "_, 1, _\n2, 0, _\n_, _, 1\n"

SEED_MINES = "*...\n....\n..*.\n"

SEED_SCREEN = "# # 1\n# 2 1\n1 1  \n"
"""A copy of a screen: `#` is hidden, a blank is an opened cell with no trap around it."""

SEED_FORMULA = FormulaCase(3, ((1, 2), (-1, 2), (1, -2), (-1, -2), (3,)))

SEED_PROOF = Proof(np.array([2, 1, 2], np.int32), np.array([0, 1, 3, 3]), np.array([False, True, False]))

SEED_BINARY_PROOF = b"a\x04\x00d\x02\x04\x00a\x00"

SEED_MODEL = "c a comment\ns SATISFIABLE\nv 1 -2 3 4\nv -5 6 -7 0\n"

BOARD_FILE = "board.txt"
"""The board that these ledgers speak of; its content is `SEED_BOARD`."""

SEED_ENGINES = ("dpll", "brute-force")

SEED_MACHINE: dict[str, str | int] = {"processor": "any", "cores": 2, "system": "any"}

SEED_VERSIONS = {"gemhunter": __version__, "python": "3.11.0"}

SEED_DIGEST = "0123456789abcdef"
"""What these ledgers say of the machine and the program: the same everywhere, as cases depend on it."""


@cache
def board_files() -> MappingProxyType[str, bytes]:
    """A board, a position or a game in every format, by file names."""
    board = Board(parse_mines(SEED_MINES))
    moves = tuple(Move(Action(action), Cell(row, col)) for action, row, col in _MOVES)
    written: dict[str, str | bytes] = {
        "board.txt": SEED_BOARD,
        "board.csv": SEED_BOARD.replace(", ", ";"),
        "total.txt": f"# traps: 4\n{SEED_BOARD}",
        "zero.txt": "0 1 0\n2 0 1\n0 2 0\n",
        "sized.txt": "3 4\n3_2_\n__2_\n_31_\n",
        "screen.txt": SEED_SCREEN,
        "impossible.txt": SEED_REFUTED_BOARD,
        "board.json": json.dumps({"grid": ["3 _ 2 _", "_ _ 2 _", "_ 3 1 _"], "traps": 4}),
        "rows.json": json.dumps([[3, None, 2, "_"], ["_", "T", 2, "G"]]),
        "truth.json": json.dumps({"mines": SEED_MINES.split()}),
        "game.json": replay_text(Replay(board, moves)),
        "dealt.json": replay_text(Replay(_dealt(moves[0].cell), moves[:1], SEED_GAME_ID, gave_up=True)),
        "board.mine": write_mine(whole_position(board)),
        "map.txt": SEED_MINES,
        "truth.txt": f"{board.grid()}\n",
        "board.mbf": board_content(board, "mbf"),
        "board.abf": board_content(board, "mbf"),
        "board.sgt": board_content(board, "sgt"),
        "masked.sgt": write_sgt(begun(board), masked=True) + "\n",
    }
    return MappingProxyType({name: _bytes(content) for name, content in written.items()})


_MOVES = (("reveal", 0, 3), ("flag", 0, 0), ("chord", 0, 1), ("reveal", 2, 0))


def _dealt(first: Cell) -> Board:
    return deal_board(read_game_id(SEED_GAME_ID), first)


@cache
def other_files() -> MappingProxyType[str, bytes]:
    """Formulas, proofs, answers of solvers, and filled-in boards."""
    sections = f"--- pysat ---\n{SEED_ANSWER}\n--- dpll ---\n{SEED_ANSWER}time: 0.1 s\n"
    written: dict[str, str | bytes] = {
        "formula.cnf": SEED_FORMULA.text(("made by hand",)),
        "easy.cnf": FormulaCase(4, ((1, -2), (2, 3, -4), (4,))).text(),
        "proof.drat": write_drat(SEED_PROOF),
        "binary.drat": SEED_BINARY_PROOF,
        "model.txt": SEED_MODEL,
        "minisat.txt": "SAT\n1 -2 3 4 -5 6 -7 0\n",
        "answer.txt": SEED_ANSWER,
        "sections.txt": sections,
        "claim.txt": "No solution\n",
        "answer.json": json.dumps([["3", "T", "2", "G"], ["T", "T", "2", "G"], ["T", "3", "1", "G"]]),
    }
    return MappingProxyType({name: _bytes(content) for name, content in written.items()})


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@cache
def ledger_files() -> MappingProxyType[str, bytes]:
    """A whole ledger and one that lacks a run, of each kind, by file names."""
    runs = [_measurement(engine) for engine in SEED_ENGINES]
    bench = heading_record(_heading())
    report = heading_of_report(_plan())
    records: dict[str, list[dict[str, Any]]] = {
        "bench.jsonl": [bench, *map(measurement_record, runs)],
        "half.jsonl": [bench, measurement_record(runs[0])],
        "report.jsonl": [report, *(run_record(0, each) for each in runs), *_FOUND],
        "games.jsonl": [_WIN_RATE | {"gemhunter": __version__, "players": SEED_DIGEST}, *_PLAYED],
    }
    return MappingProxyType({name: _lines(each) for name, each in records.items()})


def _comparison() -> EngineComparison:
    suite = Suite("board", BOARD_FILE, (BenchBoard("board", parse_grid(SEED_BOARD)),))
    return EngineComparison(suite, SEED_ENGINES, RunSetting(BenchLimits(10.0, None), 0), 1, {})


def _plan() -> ReportPlan:
    comparison = _comparison()
    return ReportPlan("quick", (ReportPart(_heading(), comparison.suite.boards),), 0, 0)


def _heading() -> BenchHeading:
    """The heading of a comparison that was made elsewhere, so that it is the same everywhere."""
    here = heading_of(_comparison(), [BOARD_FILE], "clue", WorkersUsed(2))
    return replace(here, machine=SEED_MACHINE, versions=SEED_VERSIONS, sources=SEED_DIGEST, compiled=False)


def _measurement(engine: str) -> Measurement:
    seconds = {"read": 0.001, "encode": 0.002, "solve": 0.003, "check": 0.001}
    return Measurement(RunTask("board", engine, 1), Verdict.SOLVED, "", seconds, {"conflicts": 3}, 10**8)


def _lines(records: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records).encode()


_FOUND: list[dict[str, Any]] = [
    *({"part": 0, "board": "board", "engine": engine, "map": "TGTTGTG"} for engine in SEED_ENGINES),
    {"part": 0, "board": "board", "answer": {"solutions": "3", "unique": False, "reason": ""}},
]
"""What a report needs besides runs, so that nothing is missing."""

_WIN_RATE: dict[str, Any] = {
    "experiment": "winrate",
    "agents": ["logic"],
    "levels": ["4x4n3"],
    "first_click": "safe",
    "seed": 0,
    "games": 4,
}

_PLAYED: list[dict[str, Any]] = [
    {
        "agent": "logic",
        "level": "4x4n3",
        "seed": 0,
        "ends": "SWSS",
        "reasons": "1111",
        "guesses": [0, 0, 0, 0],
        "reveals": [1, 13, 1, 1],
        "cpu_seconds": 0.004,
        "seconds": 0.03,
    }
]
