"""What a server offers: engines, agents, levels, samples, and its limits."""

from typing import Any

from gemhunter import __version__
from gemhunter.board.position import FirstClick
from gemhunter.errors import EngineError
from gemhunter.explanation.rules import RULES
from gemhunter.files.samples import SAMPLES
from gemhunter.generate.games import Using
from gemhunter.generate.puzzles import DIFFICULTIES, SYMMETRIES
from gemhunter.play.advice import USUAL_DENSITY
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.levels import LEVELS
from gemhunter.questions.trace import TRACEABLE
from gemhunter.records.answers import engine_record, sample_record
from gemhunter.solving.registry import NEEDS_ARGUMENT, engine_names, get_engine
from gemhunter.web.tasks.boards import EXPORT_KINDS, Asked, Worker


def describe(worker: Worker, _: Asked) -> dict[str, Any]:
    """Everything that the page lists."""
    return {
        "version": __version__,
        "limits": {"cells": worker.limits.cells, "seconds": worker.limits.seconds},
        "engines": [*_engines()],
        "traceable": list(TRACEABLE),
        "agents": [{"name": agent.name, "about": agent.about} for agent in AGENTS.values()],
        "levels": [
            {"name": name, "rows": level.rows, "cols": level.cols, "traps": level.total}
            for name, level in LEVELS.items()
        ],
        "samples": [sample_record(name) for name in SAMPLES],
        "first_click": [rule.value for rule in FirstClick],
        "using": [using.value for using in Using],
        "difficulties": list(DIFFICULTIES),
        "symmetries": list(SYMMETRIES),
        "rules": [{"name": rule.name, "level": rule.level, "about": rule.about} for rule in RULES.values()],
        "usual_density": USUAL_DENSITY,
        "export_kinds": list(EXPORT_KINDS),
    }


def _engines() -> list[dict[str, Any]]:
    """The engines that the page may ask for."""
    found = []
    for name in engine_names():
        if name.partition(":")[0] in NEEDS_ARGUMENT:
            continue
        try:
            engine = get_engine(name)
        except EngineError:  # a plug-in that cannot be loaded
            continue
        found.append({**engine_record(engine.info, engine), "name": name})
    return found
