"""The question "about how many solutions are there?", answered by ApproxMC with a guarantee."""

from dataclasses import dataclass

import numpy as np

from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import Puzzle, Solution, read_puzzle, untouched_cells
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.cnf.formula import Literals
from gemhunter.errors import EngineError, InputError
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.work.child_process import Exit, child_folder, module_command, run_child


@dataclass(frozen=True, slots=True)
class Estimate:
    """With probability 1 - `delta` or more, `value` is within a factor of 1 + `epsilon` of the count."""

    value: int
    epsilon: float
    delta: float


def estimate_count(
    grid: Grid,
    *,
    total: int | None = None,
    epsilon: float = 0.8,
    delta: float = 0.2,
    seed: int = 0,
    time_limit: float | None = None,
    run: Run | None = None,
) -> Estimate | GaveUp:
    """About how many solutions there are, with `total` traps on the whole board if that is known.

    Needs the package pyapproxmc; raises `EngineError` if it is missing.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit), seed=seed)
    if not epsilon > 0:
        raise InputError(f"epsilon must be above 0, not {epsilon}")
    if not 0 < delta < 1:
        raise InputError(f"delta must be between 0 and 1, not {delta}")
    if not has_package("pyapproxmc"):
        raise EngineError(missing_text("estimates need", "pyapproxmc"))
    if limit := run.spend():
        return GaveUp(limit)
    outcome = solve(grid, total=total, run=run.within()).outcome
    if isinstance(outcome, GaveUp):
        return outcome
    if isinstance(outcome, Refuted):
        return Estimate(0, epsilon, delta)
    puzzle = read_puzzle(grid, total)
    untouched = untouched_cells(puzzle)
    found: int | GaveUp = 1
    if not untouched.all():
        question = (str(epsilon), str(delta), str(run.seed % 2**32))
        clauses, projection = _formula(puzzle, outcome.solution)
        found = _ask(run, question, clauses, projection)
    if isinstance(found, GaveUp):
        return found
    return Estimate(found << int(np.count_nonzero(untouched)), epsilon, delta)


def _formula(puzzle: Puzzle, solution: Solution) -> tuple[Literals, Literals]:
    """The clauses of a board with one extra model, each ending with a 0, and the variables to count.

    pyapproxmc 4.4 does not count variables that are free, or that preprocessing finds to be free. So one
    variable is added: if it is true, the cells are as in `solution`. Then no cell is free, because changing
    one matters where that variable is true.
    """
    formula = encode_puzzle(puzzle)
    ends = np.zeros(formula.size, np.int32)
    clauses = np.insert(formula.literals, formula.starts[1:], ends)
    cells = np.flatnonzero(~untouched_cells(puzzle)) + 1
    switch = formula.variables + 1
    chosen = np.where(solution.traps[cells - 1], cells, -cells)
    copies = np.stack([np.full_like(cells, -switch), chosen, np.zeros_like(cells)], axis=1)
    flat = np.concatenate([clauses, copies.ravel()]).astype(np.int32)
    return flat, np.append(cells, switch).astype(np.int32)


def _ask(run: Run, question: tuple[str, ...], clauses: Literals, projection: Literals) -> int | GaveUp:
    """The count of ApproxMC, without the added model; it runs in a process, which can be ended."""
    with child_folder() as folder:
        np.savez(folder / "formula.npz", clauses=clauses, projection=projection)
        command = module_command("pyapproxmc", "gemhunter.questions.approxmc", str(folder), *question)
        ended = run_child(command, folder, seconds_left=lambda: run.seconds_left, stop=run.spend)
        if not isinstance(ended, Exit):
            return GaveUp(ended)
        if ended.code:
            raise EngineError(f"pyapproxmc: {ended.failure}; try another seed")
        found = int((folder / "count").read_text(encoding="ascii"))
    # If the board has a single solution, the added variable is itself free.
    return max(found - 1, 1)
