"""Explanations and hints as plain data."""

from collections.abc import Iterable
from typing import Any

from gemhunter import __version__
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.deduce.difficulty import Difficulty
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.queries.explain import Explanation
from gemhunter.queries.explain_cell import CellExplanation
from gemhunter.queries.explain_conflict import ExplainedConflict
from gemhunter.queries.hint import CLUES_RUNG, CONCLUSION_RUNG, HintLadder, NothingToDeduce
from gemhunter.solving.outcomes import GaveUp

VALUE_NAMES = {TRAP: "trap", GEM: "gem", HIDDEN: None}
"""What a cell is, if it is forced."""


def explanation_record(board: str, found: Explanation) -> dict[str, Any]:
    """A board explained step by step; `open` are the hidden cells that are not forced."""
    return {
        "board": board,
        "traps": found.total,
        "steps": [step_record(step) for step in found.steps],
        "difficulty": difficulty_record(found.difficulty),
        "open": _names(found.open),
        "examples": _grids(found.examples),
        "conflict": _conflict_record(found.conflict),
        "gave_up": _reason(found.gave_up),
        "version": __version__,
    }


def cell_explanation_record(board: str, found: CellExplanation) -> dict[str, Any]:
    """Why one cell is what it is; `value` is null if it can be both.

    `supposed` is its other value, if the steps show what goes wrong with that.
    """
    is_opposite = found.value != HIDDEN and found.conflict is not None
    return {
        "board": board,
        "traps": found.total,
        "cell": str(found.cell),
        "value": VALUE_NAMES[found.value],
        "supposed": VALUE_NAMES[TRAP if found.value == GEM else GEM] if is_opposite else None,
        "steps": [step_record(step) for step in found.steps],
        "examples": _grids(found.examples),
        "conflict": _conflict_record(found.conflict),
        "gave_up": _reason(found.gave_up),
        "version": __version__,
    }


def step_record(step: ExplanationStep) -> dict[str, Any]:
    """One step: the rule, the clues it rests on, the cells it decides, and why."""
    return {
        "rule": step.rule.name,
        "level": step.rule.level,
        "clues": _names(step.clues),
        "total": step.with_total,
        "decides": {"traps": _names(step.traps), "gems": _names(step.gems)},
        "sentence": step.sentence,
        "thoughts": [{"depth": each.depth, "sentence": each.sentence} for each in step.thoughts],
        "choices": step.choices,
    }


def difficulty_record(difficulty: Difficulty) -> dict[str, Any]:
    """How hard a board is for a person."""
    return {
        "word": difficulty.word,
        "rule": difficulty.rule,
        "level": difficulty.level,
        "score": difficulty.score,
        "most_clues": difficulty.most_clues,
        "narrowest": difficulty.narrowest,
    }


def hint_record(board: str, found: HintLadder | NothingToDeduce, rung: int) -> dict[str, Any]:
    """The texts of a hint up to a rung; the clues and the step only from the rungs that give them away.

    If nothing can be deduced, `reason` says why.
    """
    if isinstance(found, NothingToDeduce):
        nothing: dict[str, Any] = {"rung": None, "rungs": [], "rule": None, "clues": []}
        return {
            "board": board,
            **nothing,
            "step": None,
            "filled": None,
            "reason": found.reason,
            "version": __version__,
        }
    return {
        "board": board,
        "rung": rung,
        "rungs": list(found.rungs[:rung]),
        "rule": found.step.rule.name,
        "clues": _names(found.step.clues) if rung >= CLUES_RUNG else [],
        "step": step_record(found.step) if rung >= CONCLUSION_RUNG else None,
        "filled": str(found.filled).splitlines() if rung > CONCLUSION_RUNG else None,
        "reason": None,
        "version": __version__,
    }


def _conflict_record(conflict: ExplainedConflict | None) -> dict[str, Any] | None:
    if conflict is None:
        return None
    return {
        "clues": _names(conflict.clues),
        "total": conflict.with_total,
        "minimal": conflict.is_minimal,
        "smallest": conflict.is_smallest,
        "broken": None if conflict.broken is None else str(conflict.broken),
        "followed": conflict.is_followed,
        "sentence": conflict.sentence,
    }


def _names(cells: Iterable[Cell]) -> list[str]:
    return [str(cell) for cell in cells]


def _grids(grids: Iterable[Grid]) -> list[list[str]]:
    return [str(grid).splitlines() for grid in grids]


def _reason(gave_up: GaveUp | None) -> str | None:
    return None if gave_up is None else gave_up.reason
