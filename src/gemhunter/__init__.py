"""Gem Hunter: solve, check and encode trap grids (Gem Hunter boards and Minesweeper positions).

>>> import gemhunter
>>> report = gemhunter.solve(gemhunter.parse_grid("3, _, 2, _\\n_, _, 2, _\\n_, 3, 1, _"))
>>> print(report.filled)
3, T, 2, G
T, T, 2, G
T, 3, 1, G
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gemhunter.public_names import HOME_OF

if TYPE_CHECKING:
    from gemhunter.cnf.dimacs import parse_formula, write_dimacs
    from gemhunter.cnf.drat import read_drat, write_drat
    from gemhunter.cnf.encode import encode
    from gemhunter.cnf.formula import Cnf
    from gemhunter.cnf.formula_files import read_formula
    from gemhunter.cnf.proof import Proof
    from gemhunter.core.board import Board
    from gemhunter.core.checker import Violation, check
    from gemhunter.core.first_click import FirstClick
    from gemhunter.core.game_status import Status
    from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
    from gemhunter.core.moves import Action, Move, Replay
    from gemhunter.core.positions import Position
    from gemhunter.core.puzzle import Puzzle, read_puzzle
    from gemhunter.core.solution import Solution
    from gemhunter.core.trap_maps import grid_from_traps
    from gemhunter.deduce.difficulty import Difficulty
    from gemhunter.deduce.steps import ExplanationStep
    from gemhunter.errors import (
        BoardError,
        EngineError,
        Fault,
        FormulaError,
        GemHunterError,
        InputError,
        ModelError,
        ProofError,
        TooLargeError,
        UnknownNameError,
        WrongAnswerError,
    )
    from gemhunter.formats.game_files import read_board, read_replay, write_board
    from gemhunter.formats.replays import write_replay
    from gemhunter.formats.text import parse_grid
    from gemhunter.generate.games import NoGuessGame, Using, generate_games
    from gemhunter.generate.parallel import Watch
    from gemhunter.generate.puzzles import generate_puzzle, generate_puzzles
    from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite
    from gemhunter.generate.wishes import GeneratedPuzzle, NotGenerated, PuzzleWish
    from gemhunter.play.advice import Advice, advise
    from gemhunter.play.agents.player import Choice, Player, Stuck
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.candidates import Candidate
    from gemhunter.play.game import Game, new_game, replayed
    from gemhunter.play.game_ids import GameId
    from gemhunter.play.game_names import open_game, read_grid, read_position
    from gemhunter.play.levels import Level
    from gemhunter.play.many_games import Games, play_games
    from gemhunter.play.turns import Turn, play_game
    from gemhunter.play.view import View
    from gemhunter.queries.analyse import Analysis, analyse
    from gemhunter.queries.answers import Forced, Probabilities
    from gemhunter.queries.bounds import Bounds, count_bounds
    from gemhunter.queries.count import count, count_by_traps
    from gemhunter.queries.estimate import Estimate, estimate_count
    from gemhunter.queries.explain import Explanation, difficulty, explain
    from gemhunter.queries.explain_cell import CellExplanation, explain_cell, explain_opposite
    from gemhunter.queries.explain_conflict import ExplainedConflict
    from gemhunter.queries.explain_pictures import explanation_gif, explanation_html, explanation_svg
    from gemhunter.queries.forced import forced
    from gemhunter.queries.formulas import FormulaReport, solve_formula
    from gemhunter.queries.hint import HintLadder, NothingToDeduce, hint
    from gemhunter.queries.probability import probabilities, probabilities_of_many
    from gemhunter.queries.proof import Accepted, Rejected, check_formula_proof, check_proof
    from gemhunter.queries.sample import sample
    from gemhunter.queries.solutions import Ending, Solutions, solutions
    from gemhunter.queries.solve import solve
    from gemhunter.queries.trace import Step, trace, trace_formula
    from gemhunter.queries.unique import is_unique
    from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved, StopReason
    from gemhunter.solving.protocols import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
    from gemhunter.solving.registry import get_engine, list_engines
    from gemhunter.solving.run import Limits, Run
    from gemhunter.work.cluster import dask_cluster

__version__ = "0.1.0"

__all__ = [
    "GEM",
    "HIDDEN",
    "TRAP",
    "Accepted",
    "Action",
    "Advice",
    "Analysis",
    "Board",
    "BoardError",
    "Bounds",
    "Candidate",
    "Cell",
    "CellExplanation",
    "Choice",
    "Cnf",
    "CnfSolver",
    "Difficulty",
    "Ending",
    "Engine",
    "EngineError",
    "EngineInfo",
    "Estimate",
    "ExplainedConflict",
    "Explanation",
    "ExplanationStep",
    "Fault",
    "FirstClick",
    "Forced",
    "FormulaError",
    "FormulaReport",
    "Game",
    "GameId",
    "Games",
    "GaveUp",
    "GemHunterError",
    "GeneratedPuzzle",
    "Grid",
    "HintLadder",
    "InputError",
    "Level",
    "Limits",
    "ModelError",
    "Move",
    "NoGuessGame",
    "NotGenerated",
    "NothingToDeduce",
    "Outcome",
    "Player",
    "Position",
    "Probabilities",
    "Proof",
    "ProofError",
    "Puzzle",
    "PuzzleWish",
    "Refuted",
    "Rejected",
    "Replay",
    "Report",
    "Run",
    "SatAnswer",
    "Satisfied",
    "Solution",
    "Solutions",
    "Solved",
    "Status",
    "Step",
    "StopReason",
    "Stuck",
    "SuiteBoard",
    "SuiteWish",
    "TooLargeError",
    "Turn",
    "UnknownNameError",
    "Unsatisfiable",
    "Using",
    "View",
    "Violation",
    "Watch",
    "WrongAnswerError",
    "advise",
    "analyse",
    "check",
    "check_formula_proof",
    "check_proof",
    "count",
    "count_bounds",
    "count_by_traps",
    "dask_cluster",
    "difficulty",
    "encode",
    "estimate_count",
    "explain",
    "explain_cell",
    "explain_opposite",
    "explanation_gif",
    "explanation_html",
    "explanation_svg",
    "forced",
    "generate_games",
    "generate_puzzle",
    "generate_puzzles",
    "generate_suite",
    "get_engine",
    "grid_from_traps",
    "hint",
    "is_unique",
    "list_engines",
    "new_game",
    "new_player",
    "open_game",
    "parse_formula",
    "parse_grid",
    "play_game",
    "play_games",
    "probabilities",
    "probabilities_of_many",
    "read_board",
    "read_drat",
    "read_formula",
    "read_grid",
    "read_position",
    "read_puzzle",
    "read_replay",
    "replayed",
    "sample",
    "solutions",
    "solve",
    "solve_formula",
    "trace",
    "trace_formula",
    "write_board",
    "write_dimacs",
    "write_drat",
    "write_replay",
]


def __getattr__(name: str) -> Any:
    if name not in HOME_OF:
        raise AttributeError(f"module 'gemhunter' has no attribute {name!r}")
    value = getattr(import_module(HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
