"""The pigeonhole formulas."""

import numpy as np

from gemhunter import Cnf, parse_formula


def pigeons(holes: int) -> Cnf:
    """One pigeon more than holes, none of which takes two: unsatisfiable, and hard to see."""
    variable = np.arange(1, holes * (holes + 1) + 1).reshape(holes + 1, holes)
    clauses = [row.tolist() for row in variable]
    for column in variable.T.tolist():
        clauses += [[-one, -other] for at, one in enumerate(column) for other in column[:at]]
    body = "\n".join(f"{' '.join(map(str, clause))} 0" for clause in clauses)
    return parse_formula(f"p cnf {variable.size} {len(clauses)}\n{body}\n")
