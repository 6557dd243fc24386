"""`tables`: dynamic programming over the sums of unfinished clues, cell by cell."""

from dataclasses import dataclass

from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.random_solutions import choose_solution
from gemhunter.errors import InputError
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved, refuted_by_engine
from gemhunter.solving.run import Run


def make_engine(argument: str) -> "Tables":
    """The engine; it has no settings."""
    if argument:
        raise InputError(f"tables takes no argument, found {argument!r}")
    return Tables()


@dataclass(frozen=True, slots=True)
class Tables:
    """Dynamic programming over the sums of unfinished clues: its cost grows with the width of the board."""

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        about = "dynamic programming over the sums of unfinished clues; gives up on wide boards"
        return EngineInfo("tables", about, complete=False, step="state", memory_limit=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Make the tables, and read a solution off them."""
        match choose_solution(BoardCircuit(puzzle.grid), puzzle.total, run):
            case Grid(cells):
                return Solved(Solution(cells[puzzle.grid.cells == HIDDEN] == TRAP))
            case GaveUp() as gave_up:
                return gave_up
            case _:
                return refuted_by_engine("tables")
