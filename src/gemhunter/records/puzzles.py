"""Generated puzzles as plain data."""

from typing import Any

from gemhunter.core.grid import Grid
from gemhunter.generate.wishes import GeneratedPuzzle
from gemhunter.records.explanations import difficulty_record


def puzzle_record(puzzle: GeneratedPuzzle) -> dict[str, Any]:
    """A puzzle and its solution as rows of text, its difficulty, and the seed that gives it again."""
    return {
        "grid": _rows(puzzle.grid),
        "solution": _rows(puzzle.solution) if not puzzle.conflict else None,
        "difficulty": difficulty_record(puzzle.difficulty),
        "seed": puzzle.seed,
        "conflict": [str(clue) for clue in puzzle.conflict] or None,
    }


def _rows(grid: Grid) -> list[str]:
    return str(grid).splitlines()
