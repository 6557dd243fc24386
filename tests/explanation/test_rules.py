"""Lines of thought: every consequence follows from its clue, every line ends as it says."""

from collections import Counter

from boards import diagonal_lattice
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.deductions import DeductionSearch
from gemhunter.solving.run import Run
from line_faults import deduction_faults
from random_grids import random_grids


def faults_of(grid: Grid, total: int | None, seen: Counter[str]) -> list[str]:
    """What is wrong with any line on the way through a board."""
    search = DeductionSearch(read_puzzle(grid, total), Run())
    found: list[str] = []
    for deduction, _ in search._chain:
        seen[deduction.rule.name] += len(deduction.lines)
        found += deduction_faults(search.known, deduction)
    return found


def test_lines_follow_clue_by_clue_and_end_as_they_say() -> None:
    seen = Counter[str]()
    lattices = [(diagonal_lattice(size, seed).grid, None) for size in (10, 14) for seed in range(6)]
    for grid, total in [*lattices, *random_grids(4, 100, rows=9, cols=12)]:
        assert faults_of(grid, total, seen) == [], f"{grid}\ntotal {total}"
    assert min(seen[name] for name in ("what-if", "case-split", "clue-set")) > 0
