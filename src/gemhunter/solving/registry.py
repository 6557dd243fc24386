"""Engines by name: a table of the built-in ones, entry points for those of other packages.

A name is `engine`, `engine:argument` or a file of Python code. Each engine has a factory, `module:attribute`,
that takes the argument ("" if there is none) and returns an `Engine` or a `CnfSolver`. Listing the names
imports no engine.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from gemhunter.errors import EngineError, GemHunterError, InputError, UnknownNameError
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.printable import printable
from gemhunter.solving.engine import CnfEngine, CnfSolver, Engine, EngineInfo
from gemhunter.solving.plug_ins import entry_points_of, guarded, make_plug_in
from gemhunter.solving.settings import CLAUSE_MODE

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
    "cmd": "gemhunter.engines.commands:make_solver",
    "grid": "gemhunter.bench.grid_programs:make_grid_program",
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
        make_file = _find("gemhunter.bench.python_files:make_python_file")
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
