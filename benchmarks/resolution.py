"""How much resolution decides, and what it costs, by the length of the shorter of the two clauses."""

from boards import random_board
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Solved
from gemhunter.solving.run import Limits, Run
from timing import print_table, run_compiled

SIDES = (20, 50, 100, 200)
WIDTHS = (1, 2, 3)
TIME_LIMIT = 10.0
"""Seconds for one board."""


def main() -> None:
    """Measure and print."""
    rows = []
    for side in SIDES:
        for width in WIDTHS:
            run = Run(Limits(seconds=TIME_LIMIT), clock=working_cpu_clock)
            report = solve(random_board(side).grid, f"resolution:width={width}", run=run)
            said = "solved" if isinstance(report.outcome, Solved) else report.outcome.reason
            counted = [f"{report.counters[name]:,}" for name in ("clauses", "pairs", "resolvents", "rounds")]
            rows.append([f"{side}×{side}", str(width), said, *counted, f"{report.seconds['solve']:.3f}"])
    print_table(["board", "width", "answer", "clauses", "pairs", "resolvents", "rounds", "s"], rows)


if __name__ == "__main__":
    run_compiled(main)
