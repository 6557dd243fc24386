"""Analyses, explanations, traces and new puzzles as plain data."""

from collections.abc import Sequence
from decimal import Decimal
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from gemhunter import __version__
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.files.json_boards import grid_rows
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities, assumption_words
from gemhunter.records.engines import asked_record
from gemhunter.solving.outcomes import GaveUp, Refuted

if TYPE_CHECKING:  # a record of one kind loads nothing of the others
    from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
    from gemhunter.explanation.hint import HintLadder, NothingToDeduce
    from gemhunter.explanation.steps import Difficulty, ExplanationStep
    from gemhunter.generate.puzzles import GeneratedPuzzle
    from gemhunter.questions.analyse import Analysis
    from gemhunter.questions.bounds import Bounds
    from gemhunter.questions.trace import Step


def analysis_record(
    board: str,
    found: "Analysis",
    *,
    total: int | None = None,
    density: float | None = None,
    bounds: "Bounds | GaveUp | None" = None,
) -> dict[str, Any]:
    """What is true of all solutions of a board; questions that gave up are null, and `gave_up` says why.

    `total` and `density` were assumed. Bounds on the number of solutions have a field only if requested.
    """
    refuted = found.verdict if isinstance(found.verdict, Refuted) else None
    probabilities = found.probabilities if isinstance(found.probabilities, Probabilities) else None
    return {
        "board": board,
        "traps": total,
        "density": density,
        "assumption": assumption_words(total, density),
        "verdict": _verdict_name(found),
        "reason": None if refuted is None else refuted.reason,
        "clues": [] if refuted is None else _cell_names(refuted.clues),
        "count": None if isinstance(found.count, GaveUp) else decimal_text(found.count),
        **({} if bounds is None else {"bounds": _bounds_record(bounds)}),
        "unique": None if isinstance(found.unique, GaveUp) else found.unique,
        **_forced_fields(found),
        "probability": None if probabilities is None else _probability_rows(probabilities),
        "safest": None if probabilities is None else _cell_names(probabilities.safest()),
        "gave_up": {name: answer.reason for name, answer in found.gave_up.items()},
        "version": __version__,
    }


def _bounds_record(answer: "Bounds | GaveUp") -> dict[str, str] | None:
    """Proven bounds on the number of solutions, with all digits."""
    if isinstance(answer, GaveUp):
        return None
    return {"low": decimal_text(answer.low), "high": decimal_text(answer.high)}


def decimal_text(number: int) -> str:
    """A number with all its digits; `str` refuses more than 4300."""
    return format(Decimal(number), "f")


def _verdict_name(found: "Analysis") -> str:
    if isinstance(found.verdict, Refuted):
        return "refuted"
    return "gave-up" if found.solvable is None else "solved"


def _forced_fields(found: "Analysis") -> dict[str, Any]:
    """All forced cells, or those that were decided before the engine gave up."""
    match found.forced:
        case Forced(_, traps, gems):
            return {"forced": {"traps": _cell_names(traps), "gems": _cell_names(gems)}, "decided": None}
        case GaveUp(decided=decided):
            return {"forced": None, "decided": _decided(found.grid, decided)}
        case _:
            return {"forced": None, "decided": None}


def _decided(grid: Grid, decided: Sequence[int]) -> dict[str, list[str]]:
    hidden = np.flatnonzero(grid.cells == HIDDEN)
    cells = [(value > 0, str(grid.cell(hidden[abs(value) - 1]))) for value in decided]
    return {
        "traps": [cell for is_trap, cell in cells if is_trap],
        "gems": [cell for is_trap, cell in cells if not is_trap],
    }


def _cell_names(cells: Sequence[Cell]) -> list[str]:
    return [str(cell) for cell in cells]


def _probability_rows(probabilities: Probabilities) -> list[list[float | None]]:
    return [[None if isnan(value) else value for value in row] for row in probabilities.values.tolist()]


# Explanations and hints.


VALUE_NAMES = {TRAP: "trap", GEM: "gem", HIDDEN: None}
"""The value of a cell, if it is forced."""


def explanation_record(board: str, found: "Explanation") -> dict[str, Any]:
    """A board explained step by step; `open` has the hidden cells that are not forced."""
    return {
        "board": board,
        "traps": found.total,
        "steps": [step_record(step) for step in found.steps],
        "difficulty": difficulty_record(found.difficulty),
        "open": _cell_names(found.open),
        "examples": [grid_rows(grid) for grid in found.examples],
        "conflict": _conflict_record(found.conflict),
        "gave_up": _reason(found.gave_up),
        "version": __version__,
    }


def cell_explanation_record(board: str, found: "CellExplanation") -> dict[str, Any]:
    """Why one cell must be a trap or a gem; `value` is null if it can be either.

    `supposed` is the other value, if the steps show how that leads to a conflict.
    """
    is_opposite = found.value != HIDDEN and found.conflict is not None
    return {
        "board": board,
        "traps": found.total,
        "cell": str(found.cell),
        "value": VALUE_NAMES[found.value],
        "supposed": VALUE_NAMES[TRAP if found.value == GEM else GEM] if is_opposite else None,
        "steps": [step_record(step) for step in found.steps],
        "examples": [grid_rows(grid) for grid in found.examples],
        "conflict": _conflict_record(found.conflict),
        "gave_up": _reason(found.gave_up),
        "version": __version__,
    }


def step_record(step: "ExplanationStep") -> dict[str, Any]:
    """One step: the rule, the clues it rests on, the cells it decides, and why."""
    return {
        "rule": step.rule.name,
        "level": step.rule.level,
        "clues": _cell_names(step.clues),
        "total": step.with_total,
        "decides": {"traps": _cell_names(step.traps), "gems": _cell_names(step.gems)},
        "sentence": step.sentence,
        "thoughts": [{"depth": thought.depth, "sentence": thought.sentence} for thought in step.thoughts],
        "choices": step.choices,
    }


def difficulty_record(difficulty: "Difficulty") -> dict[str, Any]:
    """How hard a board is for a person."""
    return {
        "word": difficulty.word,
        "rule": difficulty.rule,
        "level": difficulty.level,
        "score": difficulty.score,
        "most_clues": difficulty.most_clues,
        "narrowest": difficulty.narrowest,
    }


def hint_record(board: str, found: "HintLadder | NothingToDeduce", rung: int) -> dict[str, Any]:
    """The texts of a hint up to a rung, and the clues and the step if the rung gives them away.

    If nothing can be deduced, `reason` says why, and `code` in a word for programs.
    """
    from gemhunter.explanation.hint import CLUES_RUNG, CONCLUSION_RUNG, NothingToDeduce

    if isinstance(found, NothingToDeduce):
        nothing: dict[str, Any] = {"rung": None, "rungs": [], "rule": None, "clues": []}
        nothing |= {"step": None, "filled": None, "reason": found.reason, "code": _code_of(found)}
        return {"board": board, **nothing, "version": __version__}
    return {
        "board": board,
        "rung": rung,
        "rungs": list(found.rungs[:rung]),
        "rule": found.step.rule.name,
        "clues": _cell_names(found.step.clues) if rung >= CLUES_RUNG else [],
        "step": step_record(found.step) if rung >= CONCLUSION_RUNG else None,
        "filled": grid_rows(found.filled) if rung > CONCLUSION_RUNG else None,
        "reason": None,
        "code": None,
        "version": __version__,
    }


def _code_of(found: "NothingToDeduce") -> str:
    if found.has_conflict:
        return "conflict"
    if found.gave_up is not None:
        return "gave-up"
    return "decided" if found.is_decided else "uncertain"


def _conflict_record(conflict: "ExplainedConflict | None") -> dict[str, Any] | None:
    if conflict is None:
        return None
    return {
        "clues": _cell_names(conflict.clues),
        "total": conflict.with_total,
        "minimal": conflict.is_minimal,
        "smallest": conflict.is_smallest,
        "broken": None if conflict.broken is None else str(conflict.broken),
        "followed": conflict.is_followed,
        "sentence": conflict.sentence,
    }


def _reason(gave_up: GaveUp | None) -> str | None:
    return None if gave_up is None else gave_up.reason


# Traces of searches.


def trace_record(
    source: str, grid: Grid | None, steps: "Sequence[Step]", *, engine: str, seed: int, complete: bool
) -> dict[str, Any]:
    """The search of an engine on a board or, without a `grid`, on a formula.

    Each step is an event and a sentence about it; `complete` says that no steps are missing.
    """
    traced = {"formula": source} if grid is None else {"board": source, "grid": grid_rows(grid)}
    return {
        **traced,
        **asked_record(engine, seed),
        "complete": complete,
        "events": [step.record for step in steps],
        "sentences": [step.sentence for step in steps],
    }


# Generated puzzles.


def puzzle_record(puzzle: "GeneratedPuzzle") -> dict[str, Any]:
    """A puzzle and its solution as rows of text, its difficulty, and the seed that reproduces it."""
    return {
        "grid": grid_rows(puzzle.grid),
        "solution": grid_rows(puzzle.solution) if not puzzle.conflict else None,
        "difficulty": difficulty_record(puzzle.difficulty),
        "seed": puzzle.seed,
        "conflict": _cell_names(puzzle.conflict) or None,
    }
