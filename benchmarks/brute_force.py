"""Attempts per second of our brute force against the loop one would write first. Target: 100 million."""

import argparse
from functools import partial
from itertools import product

from boards import lattice_without_solution
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.questions.solve import solve
from timing import median_seconds, print_table, run_compiled

ENGINES = ["brute-force:attempts=0", "brute-force:counting,attempts=0", "brute-force:clauses"]
"""The last has a variable for every cell, so that it gets a smaller board."""


def attempts_by_loop(grid: Grid) -> int:
    """Try all assignments, checking every region for each; how many it tried."""
    puzzle = read_puzzle(grid)
    regions = [(puzzle.region(i).tolist(), int(traps)) for i, traps in enumerate(puzzle.traps)]
    attempts = 0
    for values in product((0, 1), repeat=puzzle.hidden.size):
        attempts += 1
        if all(sum(values[cell] for cell in cells) == traps for cells, traps in regions):
            break
    return attempts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="the median of this many runs counts")
    options = parser.parse_args()
    small, large = lattice_without_solution(3, 3), lattice_without_solution(3, 5)
    loop = attempts_by_loop(small) / median_seconds(lambda: attempts_by_loop(small), options.repeats)
    rows = [["loop", f"2^{read_puzzle(small).hidden.size}", f"{loop / 1e6:.2f}", ""]]
    for engine in ENGINES:
        grid = small if "clauses" in engine else large
        attempts = solve(grid, engine).counters["attempts"]
        ours = attempts / median_seconds(partial(solve, grid, engine), options.repeats)
        rows.append([engine, f"2^{attempts.bit_length() - 1}", f"{ours / 1e6:.1f}", f"{ours / loop:.0f}"])
    print_table(["", "attempts", "million attempts/s", "ratio"], rows)


if __name__ == "__main__":
    run_compiled(main)
