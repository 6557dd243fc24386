"""Engines, as plain data."""

from dataclasses import asdict
from typing import Any

from gemhunter import __version__
from gemhunter.records.reports import settings_record
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.engine_families import engine_family
from gemhunter.solving.protocols import Engine, EngineInfo
from gemhunter.solving.registry import get_engine


def asked_record(name: str, seed: int) -> dict[str, Any]:
    """The engine that is asked, with its version, seed, settings, and encoding if it has one."""
    engine = get_engine(name)
    info = engine.info
    return {
        "engine": info.name,
        "version": __version__,
        "seed": seed,
        "settings": settings_record(info.name, info.settings),
        "encoding": engine.encoding if isinstance(engine, CnfEngine) else None,
    }


def engine_record(info: EngineInfo, engine: Engine | None) -> dict[str, Any]:
    """Everything known about an engine; `engine` is None for a plug-in that cannot be loaded."""
    reads = None if engine is None else "clauses" if isinstance(engine, CnfEngine) else "board"
    return {
        **asdict(info),
        "settings": list(info.settings),
        "limits": list(info.limits),
        "reads": reads,
        "installed": engine is not None and info.is_installed,
        "family": engine_family(info.name),
    }
