"""The genetic algorithm on five small boards, 100 seeds each, and its generations per second beside a loop.

The loop is what one would write first: the same steps on lists of booleans, with `random.choices` as wheel.
"""

import argparse
import random
from statistics import median

from boards import lattice_without_solution
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.engines.genetic import without_units
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Report, Solved
from timing import print_table, run_compiled, seconds_of

FIVE = [
    "010/201/020",
    "0020/2020/0300/0001",
    "00000/20302/03030/20302/00000",
    "01000/01060/00000/11100/00000",
    "102000/000000/103000/000220/020000/021000",
]
PLAIN = "genetic:raw,elite=0,restarts=0"
"""The wheel over raw fitness, no survivors, no restarts."""

Clauses = list[list[int]]
Chromosome = list[bool]


def generations_by_loop(clauses: Clauses, variables: int, population: int, generations: int) -> None:
    """Breed for `generations` generations, or until all clauses hold."""
    random_state = random.Random(0)
    people = [[random_state.random() < 0.5 for _ in range(variables)] for _ in range(population)]
    for _ in range(generations):
        holding = [_holding(clauses, person) for person in people]
        if max(holding) == len(clauses):
            return
        best = sorted(range(population), key=lambda i: -holding[i])[:2]
        wheel = [0.5 ** (holding[best[0]] - count) for count in holding]
        children = [people[i] for i in best]
        while len(children) < population:
            mother, father = random_state.choices(people, wheel, k=2)
            cut = random_state.randrange(1, variables) if random_state.random() < 0.9 else 0
            for child in (mother[:cut] + father[cut:], father[:cut] + mother[cut:]):
                if random_state.random() < 0.9:
                    gene = random_state.randrange(variables)
                    child[gene] = not child[gene]
                children.append(child)
        people = children[:population]


def _holding(clauses: Clauses, person: Chromosome) -> int:
    return sum(any(person[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)


def clauses_left(grid: Grid) -> tuple[Clauses, int]:
    """The clauses that unit clauses leave, over variables counted from 1, and how many of these there are."""
    rest = without_units(encode_puzzle(read_puzzle(grid), "binomial"))
    if rest is None:
        raise ValueError("this board is refuted by unit clauses")
    ends = rest.starts.tolist()
    flat = rest.literals.tolist()
    return [flat[ends[i] : ends[i + 1]] for i in range(len(ends) - 1)], int(rest.variables.size)


def row_of(board: str, engine: str, seeds: int) -> list[str]:
    """What the table says of one board."""
    grid = parse_grid(board.replace("/", "\n"), "unknown")
    reports: list[Report] = []
    seconds = seconds_of(lambda: reports.extend(solve(grid, engine, seed=seed) for seed in range(seeds)))
    solved = sum(isinstance(report.outcome, Solved) for report in reports)
    generations = [report.counters.get("generations", 0) for report in reports]
    return [
        board,
        engine,
        str(len(clauses_left(grid)[0])),
        f"{solved}/{seeds}",
        f"{median(generations):g}",
        str(max(generations)),
        f"{seconds / seeds:.4f}",
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="runs for each board")
    parser.add_argument(
        "--generations", type=int, default=20, help="of the loop; ours breeds for 500 times as many"
    )
    options = parser.parse_args()
    lattice = lattice_without_solution(3, 3)
    solve(lattice, "genetic", step_limit=1)
    rows = [row_of(board, engine, options.seeds) for engine in ("genetic", PLAIN) for board in FIVE]
    header = ["board", "engine", "clauses", "solved", "median generations", "most", "s per run"]
    print_table(header, rows)
    clauses, variables = clauses_left(lattice)
    few, many = options.generations, options.generations * 500
    loop = few / seconds_of(lambda: generations_by_loop(clauses, variables, 256, few))
    ours = many / seconds_of(lambda: solve(lattice, f"genetic:restarts=0,generations={many}"))
    print()
    print_table(
        [f"{len(clauses)} clauses without a model, population 256", "generations/s", "ratio"],
        [["loop", f"{loop:.1f}", ""], ["genetic", f"{ours:.0f}", f"{ours / loop:.0f}"]],
    )


if __name__ == "__main__":
    run_compiled(main)
