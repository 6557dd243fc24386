"""A program around one PySAT solver: SOLVER IN OUT CONFLICTS [PROOF]. It writes `s` and `v` lines to OUT.

It runs where a solver cannot be stopped from within its process.
"""

import sys
from pathlib import Path

from gemhunter.algorithms.pysat_load import Load


def main(name: str, source: str, target: str, conflicts: str, proof: str = "") -> None:  # noqa: PLR0917
    """Solve the saved load in `source`; 0 conflicts means no limit. `proof` is a file for a refutation."""
    from pysat.solvers import Solver

    with Solver(name=name, **({"with_proof": True} if proof else {})) as solver:
        Load.read(Path(source)).feed(solver)
        if int(conflicts):
            solver.conf_budget(int(conflicts))
            satisfiable = solver.solve_limited()
        else:
            satisfiable = solver.solve()
        words = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: "UNKNOWN"}[satisfiable]
        model = " ".join(map(str, solver.get_model() or [])) if satisfiable else ""
        if proof and satisfiable is False:
            Path(proof).write_text("\n".join(solver.get_proof()), encoding="ascii")
        try:
            counted = [f"c counted {name} {amount}" for name, amount in solver.accum_stats().items()]
        except NotImplementedError:
            counted = []
    Path(target).write_text("\n".join([*counted, f"s {words}", f"v {model} 0", ""]), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
