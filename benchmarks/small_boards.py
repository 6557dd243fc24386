"""How long a solution takes on boards that people make, from the grid in memory to the answer.

Plain programs with PySAT and CP-SAT and our engines take turns in one process, on one core. Ours keep a time
limit and check their solutions; the plain programs do neither. The least processor time is shown, because
others may be using the machine.

python benchmarks/small_boards.py                 every kernel compiled, as `benchmarks/peers.py` runs them
python benchmarks/small_boards.py --as-needed     kernels compiled when that pays, as in any other program
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import geometric_mean

from boards import random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.work.workers import pin_to_core
from peers import CONTESTANTS, default_boards
from timing import cpu_seconds, print_table, run_compiled

RANDOM_SIDES = (9, 20, 66, 300)
"""Beside those of `benchmarks/peers.py`, which has random boards of 40×40 and 100×100."""

TIME_LIMIT = 60.0
"""Seconds. No board here comes near it; keeping it is part of what our engines do."""

CALLS_IN_A_ROW = 10

MOST_SECONDS = 1.0
"""For all calls of a contestant on one board; slow ones have fewer turns."""

PEERS = ("plain-glucose3", "plain-cadical153", "plain-cp-sat")
PAIRS = (("plain-glucose3", "pysat:glucose3"), ("plain-cadical153", "pysat"), ("plain-cp-sat", "cp-sat"))
"""A peer, and the engine of ours that asks the same solver."""

Least = Mapping[str, float]
"""Seconds by the name of a contestant."""


def chosen_boards(most_cells: int) -> list[BenchBoard]:
    """The boards of `benchmarks/peers.py` and random ones, smallest first."""
    more = [random_board(side) for side in RANDOM_SIDES]
    boards = [*default_boards(), *(replace(board, name=board.name.split(",")[0]) for board in more)]
    fitting = [board for board in boards if board.grid.cells.size <= most_cells]
    return sorted(fitting, key=lambda board: board.grid.cells.size)


def least_on(board: BenchBoard, names: Sequence[str], runs: int) -> Least:
    """Each contestant's least time on a board; they take turns, so that all of them meet the same machine."""
    calls = {name: CONTESTANTS[name].prepare(board.grid, board.total, TIME_LIMIT) for name in names}
    turns = {name: _turns(call, runs) for name, call in calls.items()}
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(runs):
        for name, call in calls.items():
            if turn < turns[name]:
                # Several in a row: the contestant before has left its own data in the caches.
                seconds[name].append(min(cpu_seconds(call) for _ in range(CALLS_IN_A_ROW)))
    return {name: min(taken) for name, taken in seconds.items()}


def _turns(call: Callable[[], object], runs: int) -> int:
    """How many turns a call gets; the calls made here warm it up."""
    slow = max(cpu_seconds(call) for _ in range(2))
    return max(1, min(runs, int(MOST_SECONDS / slow / CALLS_IN_A_ROW)))


def row_of(board: BenchBoard, taken: Least) -> list[str]:
    """Microseconds of all contestants, and how many times as fast ours are."""
    best = min(taken[peer] for peer in PEERS)
    ratios = [taken[peer] / taken[own] for peer, own in PAIRS] + [best / taken["auto"]]
    title = f"{board.name}, {board.grid.rows}×{board.grid.cols}"
    return [title, *(f"{1e6 * each:.0f}" for each in taken.values()), *(f"{ratio:.2f}" for ratio in ratios)]


def mean_row(rows: Sequence[Sequence[str]]) -> list[str]:
    """The geometric mean of each column of ratios."""
    width = len(PAIRS) + 1
    columns = zip(*(map(float, row[-width:]) for row in rows), strict=True)
    means = [f"{geometric_mean(column):.2f}" for column in columns]
    return ["geometric mean", *[""] * (len(rows[0]) - width - 1), *means]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10, help="the most turns of each on a board")
    parser.add_argument("--most-cells", type=int, default=10_000, help="leave out larger boards")
    parser.add_argument("--core", type=int, default=1)
    parser.add_argument("--as-needed", action="store_true", help="compile kernels only when that pays")
    options = parser.parse_args()
    pin_to_core(options.core)
    contestants = [*PEERS, *(own for _, own in PAIRS), "auto"]
    rows = []
    for board in chosen_boards(options.most_cells):
        rows.append(row_of(board, least_on(board, contestants, options.runs)))
        print(*rows[-1], file=sys.stderr, sep="  ", flush=True)
    ratios = [*(f"plain ÷ {own}" for _, own in PAIRS), "best peer ÷ auto"]
    print_table(["board, µs", *contestants, *ratios], [*rows, mean_row(rows)])


if __name__ == "__main__":
    main() if "--as-needed" in sys.argv else run_compiled(main)
