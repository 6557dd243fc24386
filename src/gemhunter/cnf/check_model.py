"""Does a model satisfy a formula? Checked without any code of the engines, which find models."""

import numpy as np

from gemhunter.cnf.formula import Cnf, Ints


def complete_model(model: Ints, variables: int) -> Ints:
    """A literal for each variable, in order; variables that `model` leaves out are false."""
    names = np.arange(1, variables + 1)
    true = np.zeros(variables, bool)
    true[model[(model > 0) & (model <= variables)] - 1] = True
    return np.where(true, names, -names)


def false_clauses(cnf: Cnf, model: Ints) -> Ints:
    """The indices of the clauses that do not hold in a complete model; none if it is right."""
    holds = model[np.abs(cnf.literals) - 1] == cnf.literals
    true_before = np.concatenate([[0], np.cumsum(holds)])
    return np.flatnonzero(true_before[cnf.starts[1:]] == true_before[cnf.starts[:-1]])
