"""Attempts per second of our brute force against the loop one would write first. Target: 100 million."""

import argparse
from itertools import product

from boards import lattice_without_solution
from gemhunter.core.grid import Grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.queries.solve import solve
from timing import median_seconds, print_table, run_compiled


def attempts_by_loop(grid: Grid) -> int:
    """Try all fillings, checking every region of each; how many there were."""
    puzzle = read_puzzle(grid)
    regions = [(puzzle.region(i).tolist(), int(traps)) for i, traps in enumerate(puzzle.traps)]
    attempts = 0
    for filling in product((0, 1), repeat=puzzle.hidden.size):
        attempts += 1
        if all(sum(filling[cell] for cell in cells) == traps for cells, traps in regions):
            break
    return attempts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="the median of so many runs counts")
    options = parser.parse_args()
    small, large = lattice_without_solution(3, 3), lattice_without_solution(3, 5)
    hidden = int(read_puzzle(large).hidden.size)
    solve(small, "brute-force")
    loop = attempts_by_loop(small) / median_seconds(lambda: attempts_by_loop(small), options.repeats)
    ours = 2**hidden / median_seconds(
        lambda: solve(large, "brute-force", step_limit=2**hidden), options.repeats
    )
    rows = [["loop", f"{loop / 1e6:.2f}", ""], ["brute-force", f"{ours / 1e6:.1f}", f"{ours / loop:.0f}"]]
    print_table([f"2^{hidden} fillings", "million attempts/s", "ratio"], rows)


if __name__ == "__main__":
    run_compiled(main)
