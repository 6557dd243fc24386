"""What is left of a board when its easy parts are solved."""

from gemhunter.algorithms.pysat import make_engine
from gemhunter.core.puzzle import Puzzle
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import Outcome
from gemhunter.solving.protocols import CnfSolver
from gemhunter.solving.run import Run


def solve_coupled(puzzle: Puzzle, run: Run) -> Outcome:
    """Solve a board, or what is left of one, or refute it; with or without a total."""
    engine = make_engine("")
    return (CnfEngine(engine) if isinstance(engine, CnfSolver) else engine).solve(puzzle, run)
