"""Sets of boards for a course or a benchmark: sizes × densities × difficulties, some without a solution.

At the end: how a suite is written to a folder, for the grader and the benchmark.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, product
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.board.grid import HIDDEN
from gemhunter.cnf.encode import count_clauses
from gemhunter.errors import InputError, whole_number
from gemhunter.files.access import write_atomically
from gemhunter.files.tables import csv_rows
from gemhunter.generate.puzzles import (
    GeneratedPuzzle,
    NotGenerated,
    PuzzleWish,
    given_limits,
    make_puzzles,
)
from gemhunter.printable import counted
from gemhunter.solving.run import Limits
from gemhunter.work.pieces import Piece, Pieces, Watch, WorkersAsked, made_in_order, seeds_from


@dataclass(frozen=True, slots=True)
class SuiteWish:
    """Every size with every density, every difficulty and every number of clauses, `each` times.

    None stands for any difficulty, and for any number of clauses. Without sizes, each number of clauses has
    squares of a suitable size. For every size, density and number of clauses there are also `unsolvable`
    boards, in which one clue of a puzzle is changed.
    """

    sizes: tuple[tuple[int, int], ...]
    densities: tuple[float, ...] = (0.2,)
    difficulties: tuple[str | None, ...] = (None,)
    each: int = 1
    unsolvable: int = 0
    clauses: tuple[int | None, ...] = (None,)

    def __post_init__(self) -> None:
        whole_number(self.each, "the number of boards of a kind", 0)
        whole_number(self.unsolvable, "the number of boards without a solution", 0)
        if not self.wishes:
            raise InputError("a suite needs a size, a density and at least one board of each kind")

    @property
    def wishes(self) -> list[PuzzleWish]:
        """The boards in their order: small ones first, and those without a solution after the others."""
        wishes = []
        for clauses, density in product(self.clauses, self.densities):
            sizes = self.sizes
            if not sizes and clauses is not None:
                side = max(ceil(sqrt(clauses / 4.0)), 2)  # about four clauses per cell, whatever the size
                sizes = ((side, side),)
            for rows, cols in sizes:
                wish = PuzzleWish(rows, cols, density, clauses=clauses)
                for difficulty in self.difficulties:
                    wishes += [replace(wish, difficulty=difficulty)] * self.each
                wishes += [replace(wish, solutions="none")] * self.unsolvable
        return sorted(wishes, key=lambda wish: (wish.cells, wish.solutions == "none"))


@dataclass(frozen=True, slots=True, eq=False)
class SuiteBoard:
    """A board of a suite, its number (from 1), and the wish that it meets."""

    number: int
    wish: PuzzleWish
    puzzle: GeneratedPuzzle


def generate_suite(
    wish: SuiteWish,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
    limits: Limits | None = None,
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
) -> Generator[SuiteBoard | NotGenerated, None, None]:
    """The boards of a suite as they are made; board i has the seed `seed` + i - 1.

    The limits apply to each; `limits` is their old form. The boards are the same, in the same order, with any
    number of workers.
    """
    limits = given_limits(limits, Limits(time_limit, step_limit))
    work, wishes, first = list[Piece[PuzzleWish]](), wish.wishes, seed
    for kind, alike in groupby(wishes):
        work.append(Piece(kind, seeds_from(first, len(list(alike)))))
        first = work[-1].seeds.stop
    puzzles = made_in_order(Pieces(work, workers), partial(make_puzzles, limits=limits), watch=watch)
    return (
        puzzle
        if isinstance(puzzle, NotGenerated)
        else SuiteBoard(puzzle.seed - seed + 1, wishes[puzzle.seed - seed], puzzle)
        for puzzle in puzzles
    )


def write_case(folder: Path, board: SuiteBoard) -> None:
    """Write a board as a test case, and an answer that `gemhunter check` grades as right."""
    case = folder / f"testcase_{board.number}"
    case.mkdir(parents=True)
    write_atomically(case / f"input_{board.number}.txt", f"{board.puzzle.grid}\n")
    expected = folder / "expected"
    expected.mkdir(exist_ok=True)
    answer = "No solution" if board.puzzle.conflict else str(board.puzzle.solution)
    write_atomically(expected / f"output_{board.number}.txt", f"{answer}\n")


def write_index(folder: Path, made: list[SuiteBoard]) -> None:
    """Write the facts of each board, and the suite that `gemhunter bench` reads."""
    facts = [_facts(board) for board in made]
    write_atomically(folder / "facts.csv", csv_rows([list(facts[0]), *(list(row.values()) for row in facts)]))
    title = f"{counted(len(made), 'board')} by gemhunter generate suite"
    index = f'title = "{title}"\n'
    for board, fact in zip(made, facts, strict=True):
        words = f"{fact['difficulty']}, {counted(fact['clues'], 'clue')}, seed {fact['seed']}"
        file = f"testcase_{board.number}/input_{board.number}.txt"
        index += f'\n[[boards]]\nfile = "{file}"\nnote = "{words}"\n'
    write_atomically(folder / "index.toml", index)


def _facts(board: SuiteBoard) -> dict[str, Any]:
    """A row of facts.csv."""
    puzzle, wish = board.puzzle, board.wish
    hidden = int(np.count_nonzero(puzzle.grid.cells == HIDDEN))
    hard, clauses = puzzle.difficulty, count_clauses(puzzle.grid)
    return {
        "board": f"testcase_{board.number}",
        "rows": wish.rows,
        "cols": wish.cols,
        "density": wish.density,
        "traps": wish.traps,
        "clues": int(np.count_nonzero(puzzle.grid.cells >= 0)),
        "hidden": hidden,
        "clauses_asked": wish.clauses or "",
        "clauses": clauses.default,
        "s4_clauses": clauses.s4,
        "solutions": 0 if puzzle.conflict else 1,
        "forced": "" if puzzle.conflict else hidden,
        "difficulty": hard.word,
        "rule": hard.rule or "",
        "level": hard.level,
        "score": hard.score,
        "conflict": " ".join(map(str, puzzle.conflict)),
        "seed": puzzle.seed,
    }
