"""DPLL under each order of decisions against the recursion one would write first, and against MiniSat."""

import argparse
import sys

from boards import boards_of_others, hard_board, lattice_without_solution, one_clue_raised, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.cnf.encode import encode
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from timing import print_table, run_compiled

ENGINES = ["dpll", "dpll:first", "dpll:jeroslow-wang", "dpll:pure-literals", "pysat:minisat22"]
LARGEST_FOR_LOOP = 6_000
"""Clauses; plain Python gets no larger formulas."""

TIME_LIMIT = 2.0
"""Seconds for one board."""


def satisfiable_by_loop(clauses: list[list[int]], until: float) -> bool | None:
    """The textbook: new lists of clauses for every literal that is set; None when the time is over."""
    while units := [clause[0] for clause in clauses if len(clause) == 1]:
        simpler = without(clauses, units[0])
        if simpler is None:
            return False
        clauses = simpler
    if not clauses:
        return True
    if working_cpu_clock() > until:
        return None
    for literal in (clauses[0][0], -clauses[0][0]):
        simpler = without(clauses, literal)
        answer = False if simpler is None else satisfiable_by_loop(simpler, until)
        if answer is not False:
            return answer
    return False


def without(clauses: list[list[int]], literal: int) -> list[list[int]] | None:
    """What remains to be satisfied when a literal holds; None if a clause breaks."""
    rest = []
    for clause in clauses:
        if literal not in clause:
            shorter = [other for other in clause if other != -literal]
            if not shorter:
                return None
            rest.append(shorter)
    return rest


def families() -> dict[str, list[BenchBoard]]:
    """Small boards by kind, those of others only where there are some."""
    others = [board for board in boards_of_others() if board.grid.cells.size <= 400]
    lattices = [
        BenchBoard(f"{rows}×{cols}", lattice_without_solution(rows, cols)) for rows, cols in [(3, 4), (4, 4)]
    ]
    return {
        **({"others": others} if others else {}),
        "random 10×10": [random_board(10, seed=seed) for seed in range(10)],
        "random 20×20": [random_board(20, seed=seed) for seed in range(5)],
        "dense 20×20": [random_board(20, 0.3, 0.4, seed) for seed in range(5)],
        "one raised 20×20": [one_clue_raised(random_board(20, seed=seed)) for seed in range(4)],
        "lattices": lattices,
        "random 100×100": [random_board(100, 0.15, 0.5, seed) for seed in range(3)],
        "wire": [hard_board(16)],
    }


def by_engine(boards: list[BenchBoard], engine: str, repeats: int) -> list[str]:
    """Boards decided, decisions made and processor seconds taken, without encoding."""
    best, decided, decisions = 1e9, 0, 0
    for _ in range(repeats):
        reports = [
            solve(board.grid, engine, total=board.total, run=Run(Limits(TIME_LIMIT), clock=working_cpu_clock))
            for board in boards
        ]
        best = min(best, sum(report.seconds["solve"] for report in reports))
        decided = sum(not isinstance(report.outcome, GaveUp) for report in reports)
        decisions = sum(report.counters.get("decisions", 0) for report in reports)
    return [f"{decided}/{len(boards)}", f"{decisions:,}", f"{best:.4f}"]


def by_loop(boards: list[BenchBoard]) -> list[str]:
    """Boards decided in plain Python, and processor seconds."""
    formulas = [encode(board.grid, total=board.total).clauses() for board in boards]
    if max(map(len, formulas)) > LARGEST_FOR_LOOP:
        return ["", "", ""]
    seconds, decided = 0.0, 0
    for clauses in formulas:
        began = working_cpu_clock()
        decided += satisfiable_by_loop(clauses, began + TIME_LIMIT) is not None
        seconds += working_cpu_clock() - began
    return [f"{decided}/{len(boards)}", "", f"{seconds:.4f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="the least time of this many runs is shown")
    options = parser.parse_args()
    sys.setrecursionlimit(100_000)
    rows = []
    for name, boards in families().items():
        solve(boards[0].grid, "dpll")
        loop = by_loop(boards)
        minisat = by_engine(boards, "pysat:minisat22", options.repeats)
        rows.append([name, "plain Python", *loop, "", ""])
        for engine in ENGINES:
            taken = minisat if engine == ENGINES[-1] else by_engine(boards, engine, options.repeats)
            against_loop = f"{float(loop[2]) / float(taken[2]):.0f}" if loop[2] else ""
            rows.append([name, engine, *taken, against_loop, f"{float(taken[2]) / float(minisat[2]):.2f}"])
    header = ["boards", "engine", "decided", "decisions", "solve s", "plain ÷ it", "it ÷ MiniSat"]
    print_table(header, rows)


if __name__ == "__main__":
    run_compiled(main)
