"""Gem Hunter: solve, check and encode trap grids (Gem Hunter boards and Minesweeper positions).

>>> import gemhunter
>>> report = gemhunter.solve(gemhunter.parse_grid("3, _, 2, _\\n_, _, 2, _\\n_, 3, 1, _"))
>>> print(report.filled)
3, T, 2, G
T, T, 2, G
T, 3, 1, G
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gemhunter.public_names import HOME_OF

if TYPE_CHECKING:
    from gemhunter.board.board import Board, grid_from_traps
    from gemhunter.board.checker import Violation, check
    from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
    from gemhunter.board.position import Action, FirstClick, Move, Position, Replay, Status
    from gemhunter.board.puzzle import Puzzle, Solution, read_puzzle
    from gemhunter.cnf.dimacs import parse_formula, read_formula, write_dimacs
    from gemhunter.cnf.drat import Proof, read_drat, write_drat
    from gemhunter.cnf.encode import encode
    from gemhunter.cnf.formula import Cnf
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
    from gemhunter.explanation.explain import difficulty, explain, explain_cell, explain_opposite
    from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
    from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint
    from gemhunter.explanation.pictures import explanation_gif, explanation_html, explanation_svg
    from gemhunter.explanation.steps import Difficulty, ExplanationStep
    from gemhunter.files.boards import read_board, read_replay, write_board
    from gemhunter.files.json_boards import write_replay
    from gemhunter.files.text import parse_grid
    from gemhunter.generate.games import NoGuessGame, Using, generate_games
    from gemhunter.generate.puzzles import (
        GeneratedPuzzle,
        NotGenerated,
        PuzzleWish,
        generate_puzzle,
        generate_puzzles,
    )
    from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite
    from gemhunter.play.advice import Advice, advise
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.game import Game, View, new_game, replayed
    from gemhunter.play.game_ids import GameId, Level
    from gemhunter.play.game_names import open_game, read_grid, read_position
    from gemhunter.play.guessing.candidates import Candidate
    from gemhunter.play.many_games import Games, play_games
    from gemhunter.play.player import Choice, Player, Stuck, Turn, play_game
    from gemhunter.questions.analyse import Analysis, analyse
    from gemhunter.questions.bounds import Bounds, count_bounds
    from gemhunter.questions.count import count, count_by_traps
    from gemhunter.questions.forced import Forced, forced, is_unique
    from gemhunter.questions.probability import Probabilities, probabilities, probabilities_of_many
    from gemhunter.questions.proof_checker import Accepted, Rejected, check_formula_proof, check_proof
    from gemhunter.questions.sample import sample
    from gemhunter.questions.solutions import Ending, Solutions, solutions
    from gemhunter.questions.solve import FormulaReport, solve, solve_formula
    from gemhunter.questions.trace import Step, trace, trace_formula
    from gemhunter.solving.engine import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
    from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved, StopReason
    from gemhunter.solving.registry import get_engine, list_engines
    from gemhunter.solving.run import Limits, Run
    from gemhunter.work.pieces import Watch
    from gemhunter.work.workers import dask_cluster

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
    modules = {name for name, value in globals().items() if isinstance(value, ModuleType)}
    special = {name for name in globals() if name.startswith("__")}
    return sorted(modules | special | set(__all__))
