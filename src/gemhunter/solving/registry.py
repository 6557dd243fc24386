"""Engines by name: a table for built-in ones, entry points for those of other packages.

A name is `engine` or `engine:argument`, or a file of Python code. Behind each stands a factory,
`module:attribute`, that takes the argument ("" if there is none) and returns an `Engine` or a `CnfSolver`.
Listing names imports none of them.
"""

import re
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from gemhunter.errors import EngineError, GemHunterError, InputError, UnknownNameError
from gemhunter.extras import has_package, missing_text
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.plug_ins import entry_points_of, guarded, make_plug_in
from gemhunter.solving.protocols import CnfSolver, Engine, EngineInfo

ENGINE_ENTRY_POINTS = "gemhunter.engines"
"""The entry-point group of third-party engines."""

BUILT_IN_ENGINES = {
    "auto": "gemhunter.engines.auto.engine:make_engine",
    "brute-force": "gemhunter.engines.brute_force:make_engine",
    "backtracking": "gemhunter.engines.backtracking.engine:make_engine",
    "dpll": "gemhunter.engines.dpll:make_engine",
    "cdcl": "gemhunter.engines.cdcl.engine:make_engine",
    "resolution": "gemhunter.engines.resolution.engine:make_engine",
    "genetic": "gemhunter.engines.genetic:make_engine",
    "local-search": "gemhunter.engines.local_search:make_engine",
    "tables": "gemhunter.engines.tables:make_engine",
    "pysat": "gemhunter.engines.pysat.engine:make_engine",
    "cp-sat": "gemhunter.engines.cp_sat:make_engine",
    "cmd": "gemhunter.engines.cmd:make_engine",
    "grid": "gemhunter.engines.grid_program:make_engine",
}

ENGINE_ARGUMENTS = {
    "brute-force": "gemhunter.engines.brute_force:BRUTE_FORCE_MODES",
    "backtracking": "gemhunter.engines.backtracking.engine:BACKTRACKING_MODES",
    "pysat": "gemhunter.engines.pysat.solvers:SOLVERS",
}
"""Where the arguments worth listing are, for engines that take one."""

NEEDS_ARGUMENT = {"cmd": "PROGRAM", "grid": "PROGRAM"}

PYTHON_FILE = re.compile(r".+\.py(:.*)?")
"""The name of an engine that is a file of the user's own, such as `./mine.py` or `mine.py:solve_grid`."""


FORMULA_ENGINE = "pysat"
"""The engine for formulas unless another one is named; `auto` reads boards."""

PROOF_ENGINE = "pysat:glucose4"
"""What `auto` stands for when a proof is wanted."""


def engine_names() -> list[str]:
    """The name of every engine, as people type it."""
    names = [name for name in BUILT_IN_ENGINES if name not in NEEDS_ARGUMENT]
    names += [f"{name}:{member}" for name, members in ENGINE_ARGUMENTS.items() for member in _find(members)]
    names += [f"{name}:{argument}" for name, argument in NEEDS_ARGUMENT.items()]
    return names + sorted(entry_points_of(ENGINE_ENTRY_POINTS))


def get_engine(name: str, *, proof: bool = False) -> Engine:
    """The engine of that name; raises `UnknownNameError` with the nearest match, or `EngineError`.

    With `proof`, `auto` is an engine that writes proofs.
    """
    if proof and name == "auto":
        name = PROOF_ENGINE
    base, _, argument = name.partition(":")
    if base in BUILT_IN_ENGINES:
        make = _as_engine_of if base in NEEDS_ARGUMENT else _kept_engine_of
        return make(BUILT_IN_ENGINES[base], argument)
    if PYTHON_FILE.fullmatch(name):
        return _as_engine(_find("gemhunter.engines.python_file:make_engine")(name))
    plug_in = entry_points_of(ENGINE_ENTRY_POINTS).get(base)
    if plug_in is None:
        if set(name.split(",")) <= set(engine_names()):
            raise InputError(f"{name!r} names several engines; give each an --engine of its own")
        raise UnknownNameError("engine", name, engine_names(), see="engines")
    return _as_engine(guarded(make_plug_in(plug_in, argument), plug_in.value))


def require_installed(engine: Engine) -> Engine:
    """The engine, or an `EngineError` that says how to install the package that it lacks."""
    info = engine.info
    if info.package and not has_package(info.package):
        raise EngineError(missing_text(f"{info.name} needs", info.package))
    return engine


def get_clause_engine(engine: str | Engine | CnfSolver) -> CnfEngine:
    """An engine that reads clauses, so that it can be asked about a formula; `InputError` for any other."""
    found = get_engine(engine) if isinstance(engine, str) else _as_engine(engine)
    if not isinstance(found, CnfEngine):
        others = ", ".join(clause_engines())
        raise InputError(f"{found.info.name} reads boards, not formulas; engines for formulas: {others}")
    return found


def clause_engines() -> list[str]:
    """The names of all engines that read clauses; `pysat` stands for all its solvers."""
    found: list[str] = []
    for name in engine_names():
        if name.partition(":")[0] not in found and isinstance(_engine_or_none(name), CnfEngine):
            found.append(name)
    return found


def _engine_or_none(name: str) -> Engine | None:
    """None for a plug-in that cannot be loaded."""
    try:
        return get_engine(name)
    except GemHunterError:
        return None


def list_engines() -> list[EngineInfo]:
    """The facts about each engine; for a plug-in that cannot be loaded, `about` says why."""
    return [_describe(name) for name in engine_names()]


def _describe(name: str) -> EngineInfo:
    try:
        info = get_engine(name).info
    except GemHunterError as error:
        return EngineInfo(name, str(error), complete=False, deterministic=False, time_limit=False)
    return replace(info, name=name)


def _find(target: str) -> Any:
    """What `module:attribute` names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _as_engine_of(target: str, argument: str) -> Engine:
    """The engine that a factory makes of an argument."""
    return _as_engine(_find(target)(argument))


_kept_engine_of = lru_cache(maxsize=64)(_as_engine_of)
"""Engines keep nothing between calls, so one is enough. Programs are looked up each time."""


def _as_engine(made: object) -> Engine:
    if isinstance(made, CnfSolver):
        return CnfEngine(made)
    if isinstance(made, Engine):
        return made
    raise EngineError(f"{type(made).__name__} is neither an Engine nor a CnfSolver")
