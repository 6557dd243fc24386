"""Which encoding should count the traps of the whole board; clues are always binomial.

Boards with a total: the true one of a random board, the least one possible, and one below that. A board that
is not decided within the limit counts as twice the limit (PAR2). Seconds are those of the processor and
include encoding. The ranking is the geometric mean, over solvers and families, of the ratio to the best.
"""

import argparse
import sys
from dataclasses import replace
from unittest.mock import patch

from boards import hard_board, random_board_with_total
from gemhunter.bench.suites import BenchBoard
from gemhunter.cnf import encodings
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import ENCODINGS
from scoring import Ask, Score, asking, ratios_to_best, score
from timing import print_table, seconds_of

CANDIDATES = [name for name, encoding in ENCODINGS.items() if encoding.most_literals is not None]
SOLVERS = ["cadical153", "cadical195", "glucose4", "minisat22"]

LEAST = {(20, 0): 63, (20, 1): 69, (30, 0): 137, (30, 1): 140}
"""The least total of `random_board_with_total(size, seed=seed)`; one less is refuted below."""


def families() -> dict[str, list[BenchBoard]]:
    """The boards, by how much their total leaves open."""
    true = [random_board_with_total(size, seed=seed) for size in (20, 30, 40) for seed in range(3)]
    least = [
        replace(random_board_with_total(size, seed=seed), total=total)
        for (size, seed), total in LEAST.items()
    ]
    below = [replace(board, total=total - 1) for board, total in zip(least, LEAST.values(), strict=True)]
    return {
        "true total": true,
        "least total": [hard_board(13), hard_board(14), *least],
        "one below": [hard_board(12), hard_board(15), *below],
    }


def scores_of(
    ask: Ask, solver: str, boards: list[BenchBoard], *, verdicts: dict[BenchBoard, str], limit: float
) -> list[Score]:
    """One score per encoding."""
    scores = []
    for encoding in CANDIDATES:
        engine = f"pysat:{solver}"
        scores.append(score(ask, engine, boards, verdicts, limit=limit, total_encoding=encoding))
        print(f"{solver}, {encoding}: {scores[-1]}", file=sys.stderr)
    return scores


def size_of(encoding: str, board: BenchBoard) -> list[str]:
    """How large the formula of one board becomes, and how long that takes."""
    with patch.object(encodings, "FOR_THE_TOTAL", encoding):
        cnf = encode(board.grid, total=board.total)
        seconds = seconds_of(lambda: encode(board.grid, total=board.total))
    return [encoding, f"{cnf.variables:,}", f"{cnf.size:,}", f"{seconds:.3f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for one board")
    parser.add_argument("--solvers", nargs="+", default=SOLVERS, metavar="NAME", help="PySAT solvers")
    options = parser.parse_args()
    chosen = families()
    columns = [(solver, family) for solver in options.solvers for family in chosen]
    verdicts: dict[BenchBoard, str] = {}
    with asking() as ask:
        table = [
            scores_of(ask, solver, chosen[family], verdicts=verdicts, limit=options.limit)
            for solver, family in columns
        ]
    ranking = sorted(zip(ratios_to_best(table), CANDIDATES, *table, strict=True))
    rows = [[encoding, f"{ratio:.2f}", *map(str, scores)] for ratio, encoding, *scores in ranking]
    print(f"boards decided and seconds; {options.limit:g} s limit, twice that if not decided")
    print_table(["encoding", "ratio to best", *(f"{solver}, {family}" for solver, family in columns)], rows)
    largest = hard_board(14)
    print(f"\nthe whole formula of {largest.name}")
    print_table(
        ["encoding", "variables", "clauses", "encode s"], [size_of(name, largest) for name in CANDIDATES]
    )


if __name__ == "__main__":
    main()
