"""Small valid files of every kind that a command reads, most of them made by our own writers."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import structs, to_builtins

from gemhunter import __version__
from gemhunter.bench.ledger import heading_of, run_line
from gemhunter.bench.runs import BenchLimits, EngineComparison, Measurement, RunSetting, Verdict, WorkersUsed
from gemhunter.bench.suites import BenchBoard, Suite
from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move, Replay, whole_position
from gemhunter.files.boards import board_content
from gemhunter.files.json_boards import replay_text
from gemhunter.files.minesweeper import begun, parse_mines, write_mine, write_sgt
from gemhunter.files.text import parse_grid
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import read_game_id
from gemhunter.report.ledger import PartRun, heading_of_report
from gemhunter.report.plan import ReportPart, ReportPlan
from gemhunter.work.ledger import Machine

SEED_BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
SEED_ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
SEED_MINES = "*...\n....\n..*.\n"
SEED_MACHINE: Machine = {"processor": "any", "cores": 2, "system": "any"}
SEED_VERSIONS = {"gemhunter": __version__, "python": "3.11.0"}
SEED_DIGEST = "0123456789abcdef"
"""What ledgers say of the machine and the program: the same everywhere, as cases depend on it."""


@cache
def seed_files() -> Mapping[str, bytes]:
    """All files by name."""
    return {**board_files(), **_in_bytes(OTHER_FILES), **_ledgers()}


@cache
def board_files() -> Mapping[str, bytes]:
    """A board, a position or a game in every format."""
    board, game_id = Board(parse_mines(SEED_MINES)), "3x4n2#1"
    moves = (
        Move(Action.REVEAL, Cell(0, 3)),
        Move(Action.FLAG, Cell(0, 0)),
        Move(Action.CHORD, Cell(0, 1)),
        Move(Action.REVEAL, Cell(2, 0)),
    )
    dealt = deal_board(read_game_id(game_id), moves[0].cell)
    return _in_bytes(
        {
            "board.txt": SEED_BOARD,
            "board.csv": SEED_BOARD.replace(", ", ";"),
            "total.txt": f"# traps: 4\n{SEED_BOARD}",
            "zero.txt": "0 1 0\n2 0 1\n0 2 0\n",
            "sized.txt": "3 4\n3_2_\n__2_\n_31_\n",
            "screen.txt": "# # 1\n# 2 1\n1 1  \n",
            "impossible.txt": "_, 1, _\n2, 0, _\n_, _, 1\n",
            "board.json": json.dumps({"grid": ["3 _ 2 _", "_ _ 2 _", "_ 3 1 _"], "traps": 4}),
            "rows.json": json.dumps([[3, None, 2, "_"], ["_", "T", 2, "G"]]),
            "truth.json": json.dumps({"mines": SEED_MINES.split()}),
            "game.json": replay_text(Replay(board, moves)),
            "dealt.json": replay_text(Replay(dealt, moves[:1], game_id, gave_up=True)),
            "board.mine": write_mine(whole_position(board)),
            "map.txt": SEED_MINES,
            "truth.txt": f"{board.grid()}\n",
            "board.mbf": board_content(board, "mbf"),
            "board.abf": board_content(board, "mbf"),
            "board.sgt": board_content(board, "sgt"),
            "masked.sgt": write_sgt(begun(board), masked=True) + "\n",
        }
    )


OTHER_FILES: dict[str, str | bytes] = {
    "formula.cnf": "c made by hand\np cnf 3 5\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n3 0\n",
    "easy.cnf": "p cnf 4 3\n1 -2 0\n2 3 -4 0\n4 0\n",
    "proof.drat": "2 0\nd 1 2 0\n0\n",
    "binary.drat": b"a\x04\x00d\x02\x04\x00a\x00",
    "model.txt": "c a comment\ns SATISFIABLE\nv 1 -2 3 4\nv -5 6 -7 0\n",
    "minisat.txt": "SAT\n1 -2 3 4 -5 6 -7 0\n",
    "answer.txt": SEED_ANSWER,
    "sections.txt": f"--- pysat ---\n{SEED_ANSWER}\n--- dpll ---\n{SEED_ANSWER}time: 0.1 s\n",
    "claim.txt": "No solution\n",
    "answer.json": json.dumps([["3", "T", "2", "G"], ["T", "T", "2", "G"], ["T", "3", "1", "G"]]),
}
"""Formulas, proofs, answers of solvers, and filled-in boards."""


def _ledgers() -> Mapping[str, bytes]:
    """A whole ledger of each kind, and one of `bench` that lacks a run; all speak of `board.txt`."""
    engines, seconds = (
        ("dpll", "brute-force"),
        {"read": 0.001, "encode": 0.002, "solve": 0.003, "check": 0.001},
    )
    suite = Suite("board", "board.txt", (BenchBoard("board", parse_grid(SEED_BOARD)),))
    comparison = EngineComparison(suite, engines, RunSetting(BenchLimits(10.0, None), 0), 1, {})
    heading = structs.replace(
        heading_of(comparison, ["board.txt"], "clue", WorkersUsed(2)),
        machine=SEED_MACHINE,
        versions=SEED_VERSIONS,
        sources=SEED_DIGEST,
        compiled=False,
    )
    runs = [
        Measurement("board", name, 1, Verdict.SOLVED, "", seconds, {"conflicts": 3}, 10**8)
        for name in engines
    ]
    plan = ReportPlan("quick", (ReportPart(heading, suite.boards),), 0, 0)
    report = to_builtins(heading_of_report(plan))
    maps = [{"part": 0, "board": "board", "engine": name, "map": "TGTTGTG"} for name in engines]
    answer = {"part": 0, "board": "board", "answer": {"solutions": "3", "unique": False, "reason": ""}}
    levels = {"agents": ["logic"], "levels": ["4x4n3"], "first_click": "safe", "seed": 0, "games": 4}
    games = {"experiment": "winrate", **levels, "gemhunter": __version__, "players": SEED_DIGEST}
    counts = {"ends": "SWSS", "reasons": "1111", "guesses": [0, 0, 0, 0], "reveals": [1, 13, 1, 1]}
    played = {"agent": "logic", "level": "4x4n3", "seed": 0, **counts, "cpu_seconds": 0.004, "seconds": 0.03}
    bench = [to_builtins(heading), *(to_builtins(run_line(each)) for each in runs)]
    return {
        "bench.jsonl": _lines(bench),
        "half.jsonl": _lines(bench[:2]),
        "report.jsonl": _lines(
            [report, *(to_builtins(PartRun(0, run_line(each))) for each in runs), *maps, answer]
        ),
        "games.jsonl": _lines([games, played]),
    }


def _lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records).encode()


def _in_bytes(files: Mapping[str, str | bytes]) -> dict[str, bytes]:
    return {name: each.encode() if isinstance(each, str) else each for name, each in files.items()}
