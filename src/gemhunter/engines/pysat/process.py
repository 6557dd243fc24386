"""A program around one PySAT solver: SOLVER IN OUT CONFLICTS BYTES [PROOF]; `s` and `v` lines go to OUT.

It runs solvers that cannot be stopped from within their process, or that have a memory limit.
"""

import sys
from pathlib import Path

from gemhunter.engines.pysat.drivers import read_constraints
from gemhunter.work.memory import address_space, limit_address_space


def main(name: str, source: str, target: str, *limits: str) -> None:
    """Solve the constraints saved in `source`, with at most this many conflicts and bytes; 0 means no limit.

    The bytes are what clauses and search may take beyond the interpreter and the packages it has loaded. If
    a file is named after them, the proof of a refutation is written to it.
    """
    from pysat.solvers import Solver

    conflicts, size, *proof = limits
    if int(size):
        limit_address_space(address_space() + int(size))
    with Solver(name=name, **({"with_proof": True} if proof else {})) as solver:
        read_constraints(Path(source)).feed(solver)
        if int(conflicts):
            solver.conf_budget(int(conflicts))
            satisfiable = solver.solve_limited()
        else:
            satisfiable = solver.solve()
        words = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: "UNKNOWN"}[satisfiable]
        model = " ".join(map(str, solver.get_model() or [])) if satisfiable else ""
        if proof and satisfiable is False:
            Path(proof[0]).write_text("\n".join(solver.get_proof()), encoding="ascii", newline="\n")
        try:
            counted = [f"c counted {name} {count}" for name, count in solver.accum_stats().items()]
        except NotImplementedError:
            counted = []
    answer = "\n".join([*counted, f"s {words}", f"v {model} 0", ""])
    Path(target).write_text(answer, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
