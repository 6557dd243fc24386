"""Which PySAT solver should answer when the user names none.

Every solver that runs in our process, on families of boards. A board that is not decided within the limit
counts as twice the limit (PAR2). Seconds are those of the processor for loading and searching, not encoding.
The ranking is the geometric mean, over the families, of the ratio to the best solver of each.
"""

import argparse
import sys
from collections.abc import Sequence

from boards import boards_of_others, diagonal_lattice, even_lattice, hard_board, one_clue_raised, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.engines.pysat import SOLVERS
from scoring import Ask, Score, asking, ratios_to_best, score
from timing import print_table

IN_PROCESS = [name for name, solver in SOLVERS.items() if solver.control != "process"]

DENSITIES = (0.1, 0.2, 0.3, 0.4)


def families(*, large: bool) -> dict[str, list[BenchBoard]]:
    """The boards, by family."""
    by_size = {
        f"random {size}": [random_board(size, density, seed=seed) for density in DENSITIES for seed in seeds]
        for size, seeds in [(20, range(5)), (50, range(3)), (100, range(2)), (200, range(1))]
    }
    raised = [one_clue_raised(random_board(size, seed=seed), seed) for size in (50, 100) for seed in range(3)]
    chosen = {
        "others": boards_of_others(),
        **by_size,
        "one raised": [*raised, hard_board(17)],
        "lattices": [hard_board(3), hard_board(9), even_lattice(60), diagonal_lattice(150)],
        "large lattices": [hard_board(10), hard_board(11)],
        "wire": [hard_board(16)],
        "totals": [hard_board(number) for number in (12, 13, 14, 15)],
    }
    if large:
        chosen |= {"random 300": [random_board(300)], "random 1000": [random_board(1000)]}
    return {name: boards for name, boards in chosen.items() if boards}


def scores_of_family(
    ask: Ask, name: str, boards: Sequence[BenchBoard], *, solvers: Sequence[str], limit: float
) -> list[Score]:
    """One score per solver."""
    verdicts: dict[BenchBoard, str] = {}
    scores = []
    for solver in solvers:
        scores.append(score(ask, f"pysat:{solver}", boards, verdicts, limit=limit, stages=["solve"]))
        print(f"{name}, {solver}: {scores[-1]}", file=sys.stderr)
    return scores


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for one board")
    parser.add_argument("--large", action="store_true", help="a 300×300 and a 1000×1000 board as well")
    parser.add_argument("--solvers", nargs="+", default=IN_PROCESS, choices=IN_PROCESS, metavar="NAME")
    parser.add_argument("--families", nargs="+", metavar="NAME", help="only these, as the table names them")
    options = parser.parse_args()
    every = families(large=options.large)
    chosen = {name: every[name] for name in options.families or every}
    with asking() as ask:
        table = [
            scores_of_family(ask, name, chosen[name], solvers=options.solvers, limit=options.limit)
            for name in chosen
        ]
    ranking = sorted(zip(ratios_to_best(table), options.solvers, *table, strict=True))
    rows = [[solver, f"{ratio:.2f}", *map(str, scores)] for ratio, solver, *scores in ranking]
    print(f"boards decided and seconds per family; {options.limit:g} s limit, twice that if not decided")
    print_table(["solver", "ratio to best", *chosen], rows)


if __name__ == "__main__":
    main()
