"""All boards of the suite `hard`, and the three impossible families at twice their size, beside CaDiCaL.

Seconds are those of the clock, without importing and compiling; a dash means no answer within the limit. Then
linear elimination and the search for conflict sets on their own, in milliseconds of the processor.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from boards import (
    alternating_sum,
    hard_board,
    hard_boards,
    mutilated_board,
    one_clue_raised,
    parity_circuit,
    random_board,
)
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.grid import Cell
from gemhunter.board.puzzle import read_puzzle
from gemhunter.counting.linear import PRIMES, LinearConflict, eliminated
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.questions.solve import solve
from gemhunter.solving.conflict_sets import find_conflict_set
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved
from gemhunter.solving.run import Limits, Run
from timing import print_table, run_compiled

Found = TypeVar("Found")


def boards() -> list[tuple[BenchBoard, type[Outcome]]]:
    """Boards with the answers they should get."""
    kept = [(board, Refuted if board.name.endswith("_unsat") else Solved) for board in hard_boards()]
    return [*kept, *((board, Refuted) for board in doubled())]


def doubled() -> list[BenchBoard]:
    """The impossible families at twice the size of the largest in the suite `hard`."""
    return [alternating_sum(81), mutilated_board(40), parity_circuit(48)]


def row_of(board: BenchBoard, expected: type[Outcome], limit: float) -> list[str]:
    """What the table says of a board."""
    run = Run(Limits(seconds=limit))
    outcome = solve(board.grid, total=board.total, run=run).outcome
    ours = run.elapsed
    if not isinstance(outcome, expected):
        raise TypeError(f"{board.name}: expected {expected.__name__}, found {outcome}")
    deciders = [name.removeprefix("by_").replace("_", " ") for name in run.counters if name.startswith("by_")]
    decider = deciders[0] if deciders else "parts" if "parts" in run.counters else "clauses"
    theirs = Run(Limits(seconds=limit))
    answer = solve(board.grid, "pysat:cadical153", total=board.total, run=theirs).outcome
    cadical = "–" if isinstance(answer, GaveUp) else f"{theirs.elapsed:.2f}"
    return [board.name, expected.__name__.lower(), f"{ours:.3f}", decider, cadical]


def elimination_row(board: BenchBoard) -> list[str]:
    """Elimination modulo each prime; a star where it refutes the board."""
    puzzle = read_puzzle(board.grid)
    cells = []
    for prime in PRIMES:
        found, milliseconds = _timed(partial(eliminated, puzzle, prime))
        cells.append(f"{milliseconds:.1f}{' *' if isinstance(found, LinearConflict) else ''}")
    return [board.name, f"{puzzle.traps.size:,}", *cells]


def conflict_row(board: BenchBoard, suspects: int) -> list[str]:
    """The conflict set of all clues, or of those within `suspects` rows and columns of a changed one."""
    row, col = (int(number) - 1 for number in board.name.split()[-2][1:].split("c"))
    clues = [Cell(int(r), int(c)) for r, c in np.argwhere(board.grid.cells >= 0)]
    near = [clue for clue in clues if max(abs(clue.row - row), abs(clue.col - col)) <= suspects]
    found, milliseconds = _timed(partial(find_conflict_set, board.grid, near))
    return [board.name, f"{len(near):,}", str(len(found.clues)), f"{milliseconds:.1f}"]


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    """The result of a call and its processor milliseconds."""
    began = working_cpu_clock()
    found = work()
    return found, 1000 * (working_cpu_clock() - began)


def print_parts() -> None:
    """Measure elimination and conflict sets on their own."""
    kinds = [random_board(200), random_board(200, 0.2, 0.3), random_board(200, 0.4, 0.4)]
    chosen = [hard_board(2), hard_board(5), hard_board(7), *doubled(), hard_board(11), *kinds]
    primes = [f"modulo {prime:,}, ms" for prime in PRIMES]
    print_table(["board", "clues", *primes], [elimination_row(board) for board in chosen])
    print()
    changed = [one_clue_raised(random_board(200, shown=shown), seed=1) for shown in (0.5, 0.3)]
    rows = [conflict_row(board, distance) for board in changed for distance in (8, 200)]
    print_table(["board", "suspects", "clues in set", "ms"], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only-parts", action="store_true", help="elimination and conflict sets only")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for one board")
    options = parser.parse_args()
    solve(hard_board(9).grid, run=Run())
    if not options.only_parts:
        rows = [row_of(board, expected, options.limit) for board, expected in boards()]
        print_table(["board", "answer", "auto s", "decided by", "cadical153 s"], rows)
        print()
    print_parts()


if __name__ == "__main__":
    run_compiled(main)
