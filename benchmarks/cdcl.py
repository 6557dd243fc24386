"""Our CDCL against MiniSat 2.2 and Glucose 4 on the same formulas, the seconds of searching only.

Targets: at most 1.2 times MiniSat's and 1.5 times Glucose's, median over the formulas of each family.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import geometric_mean, median

from pysat.solvers import Solver

from formulas import FAMILIES
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl.engine import FormulaSearch, Policy
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.run import Limits, Run
from gemhunter.solving.settings import read_settings
from timing import print_table, run_compiled

SHORTEST = 1e-5
"""Seconds; the clock does not resolve less."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search: whether there is a model, None if it took too long, the seconds, the conflicts."""

    verdict: bool | None
    seconds: float
    conflicts: int


def ours(cnf: Cnf, policy: Policy, limit: float) -> Search:
    """A search by our own CDCL, loading not counted."""
    formula = FormulaSearch(cnf, policy)
    run = Run(Limits(seconds=limit), clock=working_cpu_clock)
    began = working_cpu_clock()
    answer = formula.answer(run)
    taken = working_cpu_clock() - began
    verdict = {Satisfied: True, Unsatisfiable: False}.get(type(answer))
    return Search(verdict, max(taken, SHORTEST), formula.counters["conflicts"])


def theirs(cnf: Cnf, name: str) -> Search:
    """A search by one of PySAT's solvers, loading not counted."""
    with Solver(name=name, bootstrap_with=cnf.clauses()) as solver:
        began = working_cpu_clock()
        verdict = solver.solve()
        taken = working_cpu_clock() - began
        return Search(verdict, max(taken, SHORTEST), solver.accum_stats()["conflicts"])


def row_of(
    family: str, make: Callable[[int], Cnf], count: int, policies: dict[str, Policy]
) -> list[list[str]]:
    """Measure one family; a row per policy of ours."""
    searches: dict[str, list[Search]] = {name: [] for name in [*policies, "minisat22", "glucose4"]}
    for number in range(count):
        cnf = make(number)
        for peer in ("minisat22", "glucose4"):
            searches[peer].append(theirs(cnf, peer))
        verdict, limit = searches["minisat22"][-1].verdict, 20 * searches["minisat22"][-1].seconds + 20
        for name, policy in policies.items():
            searches[name].append(ours(cnf, policy, limit))
            if searches[name][-1].verdict not in (verdict, None):
                raise AssertionError(f"{family}, formula {number}: {name} is wrong")
    rows = []
    for name in policies:
        row = [
            f"{family}{f', {name}' if len(policies) > 1 else ''}",
            f"{sum(s.seconds for s in searches[name]):.2f}",
        ]
        for peer in ("minisat22", "glucose4"):
            pairs = list(zip(searches[name], searches[peer], strict=True))
            ratios = [mine.seconds / other.seconds for mine, other in pairs]
            row += [
                f"{sum(other.seconds for _, other in pairs):.2f}",
                f"{median(ratios):.2f}",
                f"{geometric_mean(ratios):.2f}",
            ]
        conflicts = [
            max(mine.conflicts, 1) / max(other.conflicts, 1)
            for mine, other in zip(searches[name], searches["minisat22"], strict=True)
        ]
        rows.append([*row, f"{geometric_mean(conflicts):.2f}"])
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--formulas", type=int, default=30, help="formulas of each family")
    parser.add_argument("--family", default="", help="only families whose name has this in it")
    parser.add_argument(
        "--policy", action="append", default=[], help="settings of ours, such as restarts=glue"
    )
    options = parser.parse_args()
    policies = {text or "default": read_settings(Policy, "cdcl", text) for text in options.policy or [""]}
    header = ["family", "cdcl s", "MiniSat s", "median", "mean", "Glucose s", "median", "mean", "conflicts"]
    chosen = {name: make for name, make in FAMILIES.items() if options.family in name}
    print_table(
        header,
        [row for name, make in chosen.items() for row in row_of(name, make, options.formulas, policies)],
    )


if __name__ == "__main__":
    run_compiled(main)
