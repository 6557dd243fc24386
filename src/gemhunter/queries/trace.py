"""The question "what happens, step by step?": a search as sentences about cells or variables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gemhunter.cnf.formula import Cnf
from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.plurals import listed
from gemhunter.core.puzzle import Puzzle, impossible_regions, read_puzzle
from gemhunter.deduce.sentences import impossible_clue
from gemhunter.errors import InputError
from gemhunter.queries.trace_words import CellNames, Names, VariableNames
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.events import Event
from gemhunter.solving.protocols import CnfSolver, Engine, TracingEngine, TracingSolver
from gemhunter.solving.registry import clause_engines, get_clause_engine, get_engine
from gemhunter.solving.run import Run

TRACEABLE = ("brute-force", "backtracking", "dpll", "cdcl", "resolution", "genetic", "local-search")
"""The engines of this package that report their steps; help, the web page and reports list these."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search: the event, as a sentence, and as plain data."""

    event: Event
    sentence: str
    record: dict[str, Any]


def trace(
    grid: Grid, engine: str | Engine = "cdcl", *, total: int | None = None, run: Run | None = None
) -> Iterator[Step]:
    """What an engine does to solve a board, step by step; the last step is its answer.

    The search goes no further than the steps that are taken from the iterator.
    """
    require_grid(grid)
    chosen = get_engine(engine) if isinstance(engine, str) else engine
    puzzle = read_puzzle(grid, total)
    impossible = impossible_regions(puzzle)
    if impossible.size:
        raise InputError(f"there is nothing to trace: {impossible_clue(puzzle, impossible[0])}")
    return _steps(_events(chosen, puzzle, run or Run()), _names(puzzle, chosen))


def trace_formula(
    formula: Cnf, engine: str | Engine | CnfSolver = "cdcl", *, run: Run | None = None
) -> Iterator[Step]:
    """What an engine does to solve a formula, step by step; `x7` is a true variable, `-x7` a false one.

    The search goes no further than the steps that are taken from the iterator.
    """
    chosen = get_clause_engine(engine)
    if not isinstance(chosen.solver, TracingSolver):
        others = [name for name in clause_engines() if _is_traced(name)]
        raise InputError(f"{chosen.info.name} cannot be traced on a formula; {listed(others)} can")
    empty = np.flatnonzero(np.diff(formula.starts) == 0)
    if empty.size:
        raise InputError(f"there is nothing to trace: clause {empty[0] + 1} is empty, so it cannot hold")
    return _steps(chosen.solver.trace_cnf(formula, run or Run()), VariableNames())


def names_of(grid: Grid, total: int | None = None, engine: str | Engine = "cdcl") -> CellNames:
    """The names that a trace of this board by this engine uses."""
    return _names(read_puzzle(grid, total), get_engine(engine) if isinstance(engine, str) else engine)


def _names(puzzle: Puzzle, engine: Engine) -> CellNames:
    return CellNames(
        puzzle.grid,
        puzzle,
        every_cell=isinstance(engine, CnfEngine) and engine.variables == "all",
        is_binomial=not isinstance(engine, CnfEngine) or engine.encoding == "binomial",
    )


def _is_traced(clause_engine: str) -> bool:
    return isinstance(get_clause_engine(clause_engine).solver, TracingSolver)


def _steps(events: Iterable[Event], names: Names) -> Iterator[Step]:
    return (Step(event, names.sentence(event), names.record(event)) for event in events)


def _events(engine: Engine, puzzle: Puzzle, run: Run) -> Iterator[Event]:
    if isinstance(engine, TracingEngine):
        return engine.trace(puzzle, run)
    if isinstance(engine, CnfEngine) and isinstance(engine.solver, TracingSolver):
        return engine.solver.trace_cnf(engine.encode(puzzle), run)
    how = f"{listed(TRACEABLE)} can" if engine.info.is_trusted else "a function that yields its steps can"
    raise InputError(f"{engine.info.name} cannot be traced; {how}")
