"""CDCL that picks variables at random against Glucose 4, on boards of S3's three sizes, mean of three runs.

S3 wrote its CDCL in Python, without a heuristic, and found it 7 to 8 times slower than PySAT with Glucose 4.
"""

import argparse
from statistics import mean

from gemhunter.board.grid import Grid
from gemhunter.files.samples import boards_folder
from gemhunter.jit.choice import Mode, compiling
from gemhunter.play.game_names import read_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp
from timing import print_table

BOARDS = {"3×4": "sample-3x4.txt", "11×11": "board-11x11.txt", "66×66": "board-66x66.txt"}
PEER = "pysat:glucose4"
ENGINES = [
    ("cdcl:pick=random", Mode.ALWAYS),
    ("cdcl:pick=random", Mode.NEVER),
    ("cdcl:pick=first", Mode.ALWAYS),
    ("cdcl", Mode.ALWAYS),
]


def mean_seconds(grid: Grid, engine: str, runs: int, limit: float) -> tuple[float | None, float]:
    """Seconds of loading and searching and conflicts, on average, after a run that does not count.

    The seconds are None if a run did not end within the limit.
    """
    reports = [solve(grid, engine, seed=seed, time_limit=limit) for seed in (0, *range(runs))][1:]
    seconds = mean(report.seconds["solve"] for report in reports)
    conflicts = mean(report.counters.get("conflicts", 0) for report in reports)
    return None if any(isinstance(each.outcome, GaveUp) for each in reports) else seconds, conflicts


def rows_of(size: str, grid: Grid, runs: int, limit: float) -> list[list[str]]:
    """A row for each engine on one board."""
    peer, conflicts = mean_seconds(grid, PEER, runs, limit)
    if peer is None:
        raise ValueError(f"{PEER} needs more than {limit:g} s for the {size} board")
    rows = [[size, PEER, f"{conflicts:.0f}", f"{peer:.6f}", ""]]
    for engine, mode in ENGINES:
        with compiling(mode):
            taken, conflicts = mean_seconds(grid, engine, runs, limit)
        name = engine if mode is Mode.ALWAYS else f"{engine}, plain Python"
        times = ["", f"more than {limit:g} s"] if taken is None else [f"{taken:.6f}", f"{taken / peer:.2f}"]
        rows.append([size, name, f"{conflicts:.0f}", *times])
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how many runs the mean is taken over")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a run may take")
    options = parser.parse_args()
    rows = [
        row
        for size, name in BOARDS.items()
        for row in rows_of(size, read_grid(boards_folder() / name), options.runs, options.limit)
    ]
    print_table(["board", "engine", "conflicts", "seconds", f"÷ {PEER}"], rows)


if __name__ == "__main__":
    main()
