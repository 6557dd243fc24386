"""Sets of boards for a course or a benchmark: sizes × densities × difficulties, some without a solution.

At the end: how a suite is written to a folder, for the grader and the benchmark.
"""

import csv
from collections.abc import Container, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, product
from math import ceil, sqrt
from pathlib import Path

import numpy as np

from gemhunter.board.grid import HIDDEN
from gemhunter.cnf.accounts import count_clauses
from gemhunter.errors import InputError, whole_number
from gemhunter.files.access import append, make_folder, read_text, write_atomically
from gemhunter.files.own_files import require_plain
from gemhunter.files.text_tables import csv_rows
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, given_limits, make_puzzles
from gemhunter.solving.run import Limits
from gemhunter.wording import counted
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
    without: Container[int] = (),
) -> Generator[SuiteBoard | NotGenerated, None, None]:
    """The boards of a suite as they are made; board i has the seed `seed` + i - 1.

    The limits apply to each; `limits` is their old form. The boards are the same, in the same order, with any
    number of workers. Boards with the numbers in `without` are left out.
    """
    limits = given_limits(limits, Limits(time_limit, step_limit))
    work, wishes, first = list[Piece[PuzzleWish]](), wish.wishes, seed
    for (kind, is_wanted), alike in groupby(
        (each, number not in without) for number, each in enumerate(wishes, 1)
    ):
        seeds = seeds_from(first, len(list(alike)))
        work += [Piece(kind, seeds)] * is_wanted
        first = seeds.stop
    puzzles = made_in_order(Pieces(work, workers), partial(make_puzzles, limits=limits), watch=watch)
    return (
        puzzle
        if isinstance(puzzle, NotGenerated)
        else SuiteBoard(puzzle.seed - seed + 1, wishes[puzzle.seed - seed], puzzle)
        for puzzle in puzzles
    )


Facts = dict[str, str]
"""A row of facts.csv."""

FACTS_FILE, INDEX_FILE = "facts.csv", "index.toml"

COLUMNS = (
    *("board", "rows", "cols", "density", "traps", "clues", "hidden"),
    *("clauses_asked", "clauses", "s4_clauses", "solutions", "forced"),
    *("difficulty", "rule", "level", "score", "conflict", "seed"),
)


def continue_suite(folder: Path, wish: SuiteWish, seed: int) -> dict[int, Facts]:
    """The facts of the boards, by number, that an earlier run with this wish wrote before it was stopped.

    There are none in a new or empty folder. `InputError` if the folder has a whole suite, or anything else.
    """
    # A process that was killed can leave a hidden draft of a file.
    names = {path.name for path in folder.iterdir() if path.name[0] != "."} if folder.exists() else set()
    if not names:
        return {}
    wishes, rows = wish.wishes, _read_facts(folder) if FACTS_FILE in names else []
    made: dict[int, Facts] = {}
    for row in rows:
        number = int(row["seed"]) - seed + 1
        if not 1 <= number <= len(wishes) or row | _asked(wishes[number - 1], number, seed) != row:
            raise InputError(f"{folder} is not empty")
        if (folder / row["board"] / f"input_{number}.txt").is_file():
            made[number] = row
    if FACTS_FILE not in names:
        raise InputError(f"{folder} is not empty")
    if len(made) == len(wishes) and INDEX_FILE in names:
        raise InputError(f"{folder} has all boards of this suite; nothing is missing")
    require_plain(folder, [folder / FACTS_FILE, folder / INDEX_FILE])
    if INDEX_FILE in names:
        if read_text(folder / INDEX_FILE) != _index(rows):
            raise InputError(f"{folder / INDEX_FILE} was changed and would be overwritten; move it")
        (folder / INDEX_FILE).unlink()  # it is about the earlier boards alone
    write_atomically(folder / FACTS_FILE, _table(list(made.values())))
    return made


def write_case(folder: Path, board: SuiteBoard) -> Facts:
    """Write a board as a test case, and an answer that `gemhunter check` grades as right; returns its facts.

    Its row in facts.csv comes last, so that a row stands for a test case that is complete.
    """
    case, expected = folder / f"testcase_{board.number}", folder / "expected"
    files = (case / f"input_{board.number}.txt", expected / f"output_{board.number}.txt")
    make_folder(folder)
    if not (folder / FACTS_FILE).exists():  # it comes first, because it shows what the folder is
        write_atomically(folder / FACTS_FILE, _table([]))
    require_plain(folder, files)
    answer = "No solution" if board.puzzle.conflict else str(board.puzzle.solution)
    for path, text in zip(files, (board.puzzle.grid, answer), strict=True):
        make_folder(path.parent)
        write_atomically(path, f"{text}\n")
    facts = _facts(board)
    append(folder / FACTS_FILE, csv_rows([list(facts.values())]))
    return facts


def write_index(folder: Path, facts: Sequence[Facts]) -> None:
    """Write the facts of all boards, and the suite that `gemhunter bench` reads."""
    write_atomically(folder / FACTS_FILE, _table(facts))
    write_atomically(folder / INDEX_FILE, _index(facts))


def _index(facts: Sequence[Facts]) -> str:
    """The index of a suite with these boards."""
    title = f"{counted(len(facts), 'board')} by gemhunter generate suite"
    index = f'title = "{title}"\n'
    for row in facts:
        words = f"{row['difficulty']}, {counted(int(row['clues']), 'clue')}, seed {row['seed']}"
        file = f"{row['board']}/{row['board'].replace('testcase', 'input')}.txt"
        index += f'\n[[boards]]\nfile = "{file}"\nnote = "{words}"\n'
    return index


def _table(facts: Sequence[Facts]) -> str:
    """The content of facts.csv."""
    return csv_rows([COLUMNS, *(list(row.values()) for row in facts)])


def _read_facts(folder: Path) -> list[Facts]:
    """The whole rows of facts.csv; `InputError` if it is another table."""
    whole, _, _ = read_text(folder / FACTS_FILE).rpartition("\n")
    headings, *rows = csv.reader(whole.splitlines()) if whole else ((), ())
    facts = [dict(zip(COLUMNS, row, strict=False)) for row in rows]
    are_whole = all(len(row) == len(COLUMNS) for row in rows)
    are_numbers = are_whole and all(row[column].isdecimal() for row in facts for column in ("clues", "seed"))
    if tuple(headings) != COLUMNS or not are_numbers:
        raise InputError(f"{folder} is not empty")
    return facts


def _asked(wish: PuzzleWish, number: int, seed: int) -> Facts:
    """The facts about a board that a wish decides."""
    asked = {
        "board": f"testcase_{number}",
        "rows": wish.rows,
        "cols": wish.cols,
        "density": wish.density,
        "traps": wish.traps,
        "clauses_asked": wish.clauses or "",
        "solutions": 0 if wish.solutions == "none" else 1,
        "seed": seed + number - 1,
    }
    asked |= {} if wish.difficulty is None else {"difficulty": wish.difficulty}
    return {column: str(value) for column, value in asked.items()}


def _facts(board: SuiteBoard) -> Facts:
    """A row of facts.csv."""
    puzzle = board.puzzle
    hidden = int(np.count_nonzero(puzzle.grid.cells == HIDDEN))
    hard, clauses = puzzle.difficulty, count_clauses(puzzle.grid)
    facts = {
        "clues": int(np.count_nonzero(puzzle.grid.cells >= 0)),
        "hidden": hidden,
        "clauses": clauses.default,
        "s4_clauses": clauses.s4,
        "forced": "" if puzzle.conflict else hidden,
        "difficulty": hard.word,
        "rule": hard.rule or "",
        "level": hard.level,
        "score": hard.score,
        "conflict": " ".join(map(str, puzzle.conflict)),
    }
    known = _asked(board.wish, board.number, puzzle.seed - board.number + 1)
    known |= {column: str(value) for column, value in facts.items()}
    return {column: known[column] for column in COLUMNS}
