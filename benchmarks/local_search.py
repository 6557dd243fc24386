"""Local search on families of boards with a solution, beside CaDiCaL and beside a loop.

The loop is ProbSAT on the clauses in plain Python: a clause that does not hold is drawn, then one of its
variables, weighted by how many clauses would no longer hold. Seconds are those of the processor; a board not
solved within the limit counts as twice the limit. The loop does not meet the largest boards.
"""

import argparse
import random
from itertools import pairwise
from statistics import median

from boards import boards_of_others, diagonal_lattice, even_lattice, hard_board, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.engines.genetic import without_units
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Solved
from gemhunter.solving.run import Limits, Run
from scoring import Ask, Score, asking, score
from timing import print_table, run_compiled

SMALL = ("others", "random 20", "random 50", "lattices", "parity")
DENSITIES = (0.1, 0.2, 0.3, 0.4)
BREAK_BASE = 2.5
"""Each further clause that would no longer hold makes a flip this many times less likely."""


def families(*, large: bool) -> dict[str, list[BenchBoard]]:
    """Boards that have a solution, by family."""
    others = [board for board in boards_of_others() if max(board.grid.rows, board.grid.cols) <= 20]
    by_size = {
        f"random {size}": [random_board(size, density, seed=seed) for density in DENSITIES for seed in seeds]
        for size, seeds in [(20, range(5)), (50, range(3)), (100, range(2)), (200, range(1))]
    }
    chosen = {
        "others": [board for board in others if isinstance(solve(board.grid).outcome, Solved)],
        **by_size,
        "lattices": [hard_board(3), hard_board(9), even_lattice(60), diagonal_lattice(150)],
        "large lattices": [hard_board(10), hard_board(11)],
        "parity": [hard_board(8)],
        "totals": [hard_board(13), hard_board(14)],
    }
    if large:
        chosen |= {"random 1000": [random_board(1000)]}
    return {name: boards for name, boards in chosen.items() if boards}


class ClauseWalk:
    """ProbSAT in plain Python; `wrong` lists the clauses that do not hold, `place` says where each stands."""

    def __init__(self, clauses: list[list[int]], variables: int) -> None:
        """Draw a first assignment."""
        self.random = random.Random(0)
        numbers = range(1, variables + 1)
        true = {number if self.random.random() < 0.5 else -number for number in numbers}
        self.clauses = clauses
        self.having: dict[int, list[int]] = {sign * number: [] for number in numbers for sign in (1, -1)}
        for index, clause in enumerate(clauses):
            for literal in clause:
                self.having[literal].append(index)
        self.holding = [sum(literal in true for literal in clause) for clause in clauses]
        self.wrong = [index for index, count in enumerate(self.holding) if not count]
        self.place = {index: place for place, index in enumerate(self.wrong)}

    def flip(self) -> None:
        """Draw a clause that does not hold and make one of its literals true."""
        clause = self.clauses[self.random.choice(self.wrong)]
        breaks = [sum(self.holding[other] == 1 for other in self.having[-literal]) for literal in clause]
        (literal,) = self.random.choices(clause, [BREAK_BASE**-count for count in breaks])
        for index in self.having[literal]:
            self.holding[index] += 1
            if self.holding[index] == 1:
                place, last = self.place.pop(index), self.wrong.pop()
                if last != index:
                    self.wrong[place] = last
                    self.place[last] = place
        for index in self.having[-literal]:
            self.holding[index] -= 1
            if not self.holding[index]:
                self.place[index] = len(self.wrong)
                self.wrong.append(index)


def flips_by_loop(board: BenchBoard, limit: float) -> int | None:
    """How many flips solve the board; None if the time is over before."""
    rest = without_units(encode_puzzle(read_puzzle(board.grid, board.total), "binomial"))
    if rest is None:
        raise ValueError(f"{board.name} has no solution")
    ends, flat = rest.starts.tolist(), rest.literals.tolist()
    clauses = [flat[start:end] for start, end in pairwise(ends)]
    walk = ClauseWalk(clauses, int(rest.variables.size))
    flips = 0
    until = working_cpu_clock() + limit
    while walk.wrong:
        if working_cpu_clock() > until:
            return None
        walk.flip()
        flips += 1
    return flips


def score_of_ours(
    boards: list[BenchBoard], limit: float, engine: str = "local-search"
) -> tuple[Score, list[int]]:
    """Boards solved, seconds, and the flips of each."""
    seconds, flips, solved = 0.0, [], 0
    for board in boards:
        run = Run(Limits(seconds=limit), clock=working_cpu_clock)
        report = solve(board.grid, engine, total=board.total, run=run)
        done = isinstance(report.outcome, Solved)
        solved += done
        seconds += report.seconds["encode"] + report.seconds["solve"] if done else 2 * limit
        flips.append(report.counters.get("flips", 0))
    return Score(solved, len(boards), seconds), flips


def score_of_loop(boards: list[BenchBoard], limit: float) -> tuple[Score, list[int]]:
    """Boards solved by the loop, its seconds, and the flips of each board that it solved."""
    seconds, flips = 0.0, []
    for board in boards:
        began = working_cpu_clock()
        needed = flips_by_loop(board, limit)
        seconds += 2 * limit if needed is None else working_cpu_clock() - began
        flips += [] if needed is None else [needed]
    return Score(len(flips), len(boards), seconds), flips


def row_of(ask: Ask, name: str, boards: list[BenchBoard], limit: float) -> list[str]:
    """What the table says of a family."""
    ours, flips = score_of_ours(boards, limit)
    cadical = score(ask, "pysat:cadical153", boards, {}, limit=limit)
    row = [
        name,
        str(ours),
        f"{median(flips):,.0f}",
        f"{max(flips):,}",
        f"{sum(flips) / ours.seconds / 1e6:.1f}",
    ]
    row += [str(cadical), f"{cadical.seconds / ours.seconds:.1f}"]
    if name not in SMALL:
        return [*row, "", "", ""]
    loop, flips_of_loop = score_of_loop(boards, limit)
    flips_needed = f"{median(flips_of_loop):,.0f}" if flips_of_loop else ""
    return [*row, str(loop), flips_needed, f"{loop.seconds / ours.seconds:.0f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for one board")
    parser.add_argument("--large", action="store_true", help="a 1000×1000 board as well")
    parser.add_argument("--settings", nargs="+", help="compare these, such as greed=4,greediest=4, instead")
    options = parser.parse_args()
    chosen = families(large=options.large)
    solve(random_board(20).grid, "local-search")
    if options.settings:
        engines = [f"local-search:{settings}" for settings in options.settings]
        scores = [
            [str(score_of_ours(boards, options.limit, engine)[0]) for boards in chosen.values()]
            for engine in engines
        ]
        print_table(["engine", *chosen], [[name, *row] for name, row in zip(engines, scores, strict=True)])
        return
    header = ["family", "local-search", "median flips", "most", "million flips/s"]
    header += ["cadical153", "ratio", "loop on clauses", "median flips", "ratio"]
    with asking() as ask:
        rows = [row_of(ask, name, boards, options.limit) for name, boards in chosen.items()]
    print_table(header, rows)


if __name__ == "__main__":
    run_compiled(main)
