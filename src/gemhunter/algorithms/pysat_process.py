"""A program around one PySAT solver: SOLVER IN OUT CONFLICTS. It writes `s` and `v` lines to OUT.

`SeparatePySat` runs it where a solver cannot be stopped from within its process.
"""

import sys
from pathlib import Path


def main(name: str, source: str, target: str, conflicts: str) -> None:
    """Solve the DIMACS file `source`; 0 conflicts means no limit."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=CNF(from_file=source)) as solver:
        if int(conflicts):
            solver.conf_budget(int(conflicts))
            satisfiable = solver.solve_limited()
        else:
            satisfiable = solver.solve()
        words = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: "UNKNOWN"}[satisfiable]
        model = " ".join(map(str, solver.get_model() or [])) if satisfiable else ""
    Path(target).write_text(f"s {words}\nv {model} 0\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
