"""How long finding all forced cells takes, by solver, and if solutions need not differ; then listing some."""

import sys
from functools import partial
from itertools import islice
from unittest.mock import patch

from boards import even_lattice, hard_board, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.solutions import solutions
from gemhunter.solving import session
from gemhunter.solving.session import SatSession
from timing import cpu_seconds, print_table, run_compiled

SOLVERS = ["minisat22", "glucose4"]
WALKED = 1000


def boards() -> list[BenchBoard]:
    """Random, sparse, lattices, a parity circuit."""
    sparse = random_board(60, shown=0.3)
    return [random_board(200), sparse, even_lattice(40), even_lattice(100), hard_board(8)]


def forced_count(board: BenchBoard) -> int:
    """How many cells are forced."""
    answer = forced(board.grid)
    return len(answer.traps) + len(answer.gems) if isinstance(answer, Forced) else -1


def walk(board: BenchBoard, length: int) -> None:
    """List the first `length` solutions."""
    list(islice(solutions(board.grid), length))


def timed(board: BenchBoard, solver: str, *, differ: bool = True) -> str:
    """Seconds for all forced cells with another solver, or without asking solutions to differ."""
    prefer = SatSession.prefer if differ else lambda *_: None
    without_tables = patch("gemhunter.questions.forced.TABLE_COST_LIMIT", -1)
    with_solver = patch.object(session, "SESSION_SOLVER", solver)
    with without_tables, with_solver, patch.object(SatSession, "prefer", prefer):
        return f"{cpu_seconds(lambda: forced_count(board)):.2f}"


def main() -> None:
    """Print two tables."""
    forced_count(even_lattice(6))
    rows, walks = [], []
    for board in boards():
        print(board.name, file=sys.stderr)
        times = [timed(board, solver) for solver in SOLVERS] + [timed(board, SOLVERS[0], differ=False)]
        usual = f"{cpu_seconds(partial(forced_count, board)):.3f}"
        rows.append([board.name, f"{forced_count(board):,}", usual, *times])
    print_table(["board", "forced", "as used", *SOLVERS, "not asked to differ"], rows)
    print()
    for board in boards()[:3]:
        times = [f"{cpu_seconds(partial(walk, board, length)):.2f}" for length in (1, WALKED)]
        walks.append([board.name, *times])
    print_table(["board", "first solution s", f"first {WALKED:,} s"], walks)


if __name__ == "__main__":
    run_compiled(main)
