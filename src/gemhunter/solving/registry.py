"""Engines by name: a table of the built-in ones, entry points for those of other packages.

A name is `engine`, `engine:argument` or a file of Python code. Each engine has a factory, `module:attribute`,
that takes the argument ("" if there is none) and returns an `Engine` or a `CnfSolver`. Listing the names
imports no engine.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, GemHunterError, InputError, UnknownNameError
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.printable import printable
from gemhunter.solving.engine import (
    CLAUSE_MODE,
    CnfEngine,
    CnfSolver,
    Engine,
    EngineInfo,
    SatAnswer,
    Satisfied,
    TracingEngine,
    TracingSolver,
    Unsatisfiable,
)
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENGINE_ENTRY_POINTS = "gemhunter.engines"
"""The entry-point group of third-party engines."""

BUILT_IN_ENGINES = {
    "auto": "gemhunter.engines.auto.engine:make_engine",
    "brute-force": "gemhunter.engines.brute_force:make_engine",
    "backtracking": "gemhunter.engines.backtracking:make_engine",
    "dpll": "gemhunter.engines.dpll:make_engine",
    "cdcl": "gemhunter.engines.cdcl.engine:make_engine",
    "resolution": "gemhunter.engines.resolution:make_engine",
    "genetic": "gemhunter.engines.genetic:make_engine",
    "local-search": "gemhunter.engines.local_search:make_engine",
    "tables": "gemhunter.engines.tables:make_engine",
    "pysat": "gemhunter.engines.pysat:make_engine",
    "cp-sat": "gemhunter.engines.cp_sat:make_engine",
    "cmd": "gemhunter.engines.programs:make_solver",
    "grid": "gemhunter.engines.programs:make_grid_program",
}

ENGINE_ARGUMENTS = {
    "brute-force": CLAUSE_MODE,
    "backtracking": f"most-constrained reading {CLAUSE_MODE}",
    "pysat": "cadical103 cadical153 cadical195 cadical300 cryptominisat ergo gluecard3 gluecard4 glucose3 "
    "glucose4 glucose42 kissat404 lingeling maplechrono maplecm maplesat mergesat3 minicard minisat22 "
    "minisat-gh minisat-ep",
}
"""The arguments that are listed with the engines."""

NEEDS_ARGUMENT = {"cmd": "PROGRAM", "grid": "PROGRAM"}

PYTHON_FILE = re.compile(r"(.+\.py)(?::([^/\\]*))?")
"""The name of an engine that is a file of Python code, such as `./mine.py` or `mine.py:solve_grid`.

Its groups are the file and what follows the colon; the colon in `a.py:b/mine.py` belongs to a folder.
"""

FORMULA_ENGINE = "pysat"
"""The default engine for formulas; `auto` reads boards."""

PROOF_ENGINE = "pysat:glucose4"
"""The engine that replaces `auto` when a proof is requested."""


def is_built_in(name: str) -> bool:
    """Whether an engine is one of the table above; a file of Python code or a plug-in is not."""
    return name.partition(":")[0] in BUILT_IN_ENGINES


def engine_names() -> list[str]:
    """The name of every engine, as users type it."""
    names = [name for name in BUILT_IN_ENGINES if name not in NEEDS_ARGUMENT]
    names += [f"{name}:{word}" for name, words in ENGINE_ARGUMENTS.items() for word in words.split()]
    names += [f"{name}:{argument}" for name, argument in NEEDS_ARGUMENT.items()]
    return names + sorted(entry_points_of(ENGINE_ENTRY_POINTS))


def get_engine(name: str, *, proof: bool = False) -> Engine:
    """The engine with this name; `UnknownNameError` with the nearest match, or `EngineError`.

    With `proof`, `auto` means an engine that writes proofs.
    """
    if proof and name == "auto":
        name = PROOF_ENGINE
    base, _, argument = name.partition(":")
    if base in BUILT_IN_ENGINES:
        make = _new_engine if base in NEEDS_ARGUMENT else _kept_engine
        return make(BUILT_IN_ENGINES[base], argument)
    if match := PYTHON_FILE.fullmatch(name):
        make_file = _find("gemhunter.engines.programs:make_python_file")
        return _as_engine(make_file(name, Path(match[1]), match[2] or ""))
    plug_in = entry_points_of(ENGINE_ENTRY_POINTS).get(base)
    if plug_in is None:
        if set(name.split(",")) <= set(engine_names()):
            raise InputError(f"{name!r} names several engines; give a separate --engine for each")
        if Path(f"{base}.py").is_file():
            raise InputError(f"no engine named {name!r}; the solver in this folder is ./{base}.py")
        raise UnknownNameError("engine", name, engine_names(), see="engines")
    return _as_engine(guarded(make_plug_in(plug_in, argument), plug_in.value))


# Files made by other people name engines and agents too. Such a name must not start anything.


def starts_program(name: str) -> bool:
    """Whether an engine or agent of this name is a program, or a file of Python code."""
    base = name.partition(":")[0]
    return base in NEEDS_ARGUMENT or (
        base not in BUILT_IN_ENGINES and PYTHON_FILE.fullmatch(name) is not None
    )


def refuse_programs(names: Sequence[str], option: str, source: str) -> None:
    """Raise `InputError` if one of the names that a file gives would start a program.

    `source` is the file, and `option` the one with which a user names engines or agents.
    """
    programs = list(filter(starts_program, names))
    if programs:
        raise InputError(
            f"{source} would start {printable(', '.join(programs))}; if you trust it, repeat these names, "
            f"each with {option}: {printable(', '.join(names))}"
        )


def list_engines() -> list[EngineInfo]:
    """The facts about each engine; for a plug-in that cannot be loaded, `about` says why."""
    listed = []
    for name in engine_names():
        try:
            info = replace(get_engine(name).info, name=name)
        except GemHunterError as error:
            info = EngineInfo(name, str(error), complete=False, deterministic=False, time_limit=False)
        listed.append(info)
    return listed


def require_installed(engine: Engine) -> Engine:
    """The engine, or an `EngineError` that says how to install the package it needs."""
    info = engine.info
    if info.package and not has_package(info.package):
        raise EngineError(missing_text(f"{info.name} needs", info.package))
    return engine


def get_clause_engine(engine: str | Engine | CnfSolver) -> CnfEngine:
    """The engine as one that reads clauses, for questions about a formula; `InputError` if it does not."""
    chosen = get_engine(engine) if isinstance(engine, str) else _as_engine(engine)
    if not isinstance(chosen, CnfEngine):
        others = ", ".join(clause_engines())
        raise InputError(f"{chosen.info.name} reads boards, not formulas; engines for formulas: {others}")
    return chosen


def clause_engines() -> list[str]:
    """The names of all engines that read clauses; `pysat` stands for all its solvers."""
    names: list[str] = []
    for name in engine_names():
        with suppress(GemHunterError):  # a plug-in that cannot be loaded
            if name.partition(":")[0] not in names and isinstance(get_engine(name), CnfEngine):
                names.append(name)
    return names


def _find(target: str) -> Any:
    """The object that `module:attribute` names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _new_engine(target: str, argument: str) -> Engine:
    return _as_engine(_find(target)(argument))


_kept_engine = lru_cache(maxsize=64)(_new_engine)
"""Engines keep nothing between calls, so one is enough. Programs are looked up each time."""


def _as_engine(engine: object) -> Engine:
    if isinstance(engine, CnfSolver):
        return CnfEngine(engine)
    if isinstance(engine, Engine):
        return engine
    raise EngineError(f"{type(engine).__name__} is neither an Engine nor a CnfSolver")


# Engines grouped by who wrote their solver.

WRITTEN_HERE, PYSAT, OTHERS = "written here", "PySAT's solvers", "others"


def engine_family(name: str) -> str:
    """The family of an engine: written here, one of PySAT's solvers, or another, such as a plug-in."""
    base = name.partition(":")[0]
    if base == "pysat":
        return PYSAT
    # Three engines of this package run a solver that was not written here.
    is_ours = base in BUILT_IN_ENGINES and base not in ("cp-sat", "cmd", "grid")
    return WRITTEN_HERE if is_ours else OTHERS


def by_family(names: Iterable[str]) -> dict[str, list[str]]:
    """Names of engines by family; those that differ only in the argument stand together."""
    members: dict[str, list[str]] = {}
    for name in names:
        members.setdefault(name.partition(":")[0], []).append(name)
    families: dict[str, list[str]] = {WRITTEN_HERE: [], PYSAT: [], OTHERS: []}
    for base, same_base in members.items():
        families[engine_family(base)] += same_base
    return {family: engines for family, engines in families.items() if engines}


# Code of other packages: its faults become errors that name the package and say what was expected.


def entry_points_of(group: str) -> dict[str, "EntryPoint"]:
    """The entry points of a group in all installed packages, by name, without importing any."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


def make_plug_in(point: "EntryPoint", argument: Any) -> object:
    """Call the factory of a plug-in with an argument; `EngineError` if that fails."""
    try:
        factory: Callable[[Any], object] = point.load()
        return factory(argument)
    except GemHunterError:
        raise
    except Exception as error:
        raise EngineError(f"the plug-in {point.value!r} cannot be loaded: {_words(error)}") from error


def guarded(engine: object, source: str) -> Engine | CnfSolver:
    """The engine or solver of a plug-in; its faults become errors that name `source`."""
    with faults_of(source):
        if not isinstance(engine, Engine | CnfSolver):
            kind = f"{type(engine).__name__} is neither an Engine nor a CnfSolver"
            needed = "`info`, and `solve` or `solve_cnf`"
            raise EngineError(f"the plug-in {source!r} did not return an engine: {kind}; expected {needed}")
        info: object = engine.info
    if not isinstance(info, EngineInfo):
        raise unexpected(source, "`info` is", info, "an EngineInfo")
    if isinstance(engine, CnfSolver):
        return (TracedPlugInSolver if isinstance(engine, TracingSolver) else PlugInSolver)(engine, source)
    return (TracedPlugInEngine if isinstance(engine, TracingEngine) else PlugInEngine)(engine, source)


@contextmanager
def faults_of(source: str) -> Iterator[None]:
    """A context in which every exception becomes an `EngineError` that names the plug-in."""
    try:
        yield
    # A memory limit that was reached is an outcome; the others are not faults but end what is under way.
    except (GemHunterError, MemoryError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise EngineError(f"the plug-in {source!r} failed: {_words(error)}") from error


@dataclass(frozen=True, slots=True)
class PlugIn:
    """An engine or solver of another package."""

    wrapped: Any
    source: str

    @property
    def info(self) -> EngineInfo:
        """What is known about the engine or solver."""
        info: EngineInfo = self.wrapped.info
        return info


class PlugInEngine(PlugIn):
    """An engine of another package."""

    __slots__ = ()

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """The engine's outcome; `EngineError` if it is not one."""
        with faults_of(self.source):
            outcome: Outcome = self.wrapped.solve(puzzle, run)
        require_types(outcome, self.source, "solve", (Solved, Refuted, GaveUp))
        return outcome


class TracedPlugInEngine(PlugInEngine):
    """An engine of another package that reports its search."""

    __slots__ = ()

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Yield the engine's events."""
        with faults_of(self.source):
            yield from self.wrapped.trace(puzzle, run)


class PlugInSolver(PlugIn):
    """A SAT solver of another package."""

    __slots__ = ()

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """The solver's answer; `EngineError` if it is not one."""
        with faults_of(self.source):
            answer: SatAnswer = self.wrapped.solve_cnf(cnf, run)
        require_types(answer, self.source, "solve_cnf", (Satisfied, Unsatisfiable, GaveUp))
        return answer


class TracedPlugInSolver(PlugInSolver):
    """A SAT solver of another package that reports its search."""

    __slots__ = ()

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Yield the solver's events."""
        with faults_of(self.source):
            yield from self.wrapped.trace_cnf(cnf, run)


def require_types(answer: object, source: str, method: str, kinds: tuple[type, type, type]) -> None:
    """Raise `EngineError` unless a plug-in's answer is one of `kinds` and its value has the right type."""
    if not isinstance(answer, kinds):
        first, second, third = (kind.__name__ for kind in kinds)
        raise unexpected(source, f"`{method}` returned", answer, f"{first}, {second} or {third}")
    value: object
    match answer:
        case Solved(value):
            is_right, expected = isinstance(value, Solution), "a Solution, a boolean for each hidden cell"
        case Refuted(value):
            is_right, expected = isinstance(value, str), "the reason as a text"
        case GaveUp(value):
            is_right, expected = isinstance(value, StopReason), "a StopReason, such as run.spend() returns"
        case Satisfied():
            model: object = answer.model
            is_vector = isinstance(model, np.ndarray) and model.ndim == 1
            value, is_right = model, is_vector and np.issubdtype(answer.model.dtype, np.integer)
            expected = "a NumPy array of the literals that are true"
        case _:
            return
    if not is_right:
        raise unexpected(source, f"`{type(answer).__name__}` has", value, expected)


def unexpected(source: str, where: str, found: object, expected: str) -> EngineError:
    """The error that says what a plug-in returned and what was expected."""
    name = type(found).__name__
    kind = f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
    if found is None:
        kind = "None"
    elif isinstance(found, np.ndarray):
        kind = f"an array of {found.dtype} with the shape {found.shape}"
    return EngineError(f"the plug-in {source!r}: {where} {kind}; expected {expected}")


def _words(error: BaseException) -> str:
    """The type and text of an exception."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
