"""`gemhunter generate suite`: a folder of boards for a course or a benchmark."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from gemhunter.cli.exit_codes import GAVE_UP, SOLVED
from gemhunter.cli.generate_puzzle import SHARE, read_puzzle_size
from gemhunter.cli.generate_workers import asked_workers, generator_workers_options, watched_by, with_progress
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import complain, note, quiet_option
from gemhunter.cli.option_types import WorkerOptions, options_as
from gemhunter.cli.options import seconds_option, seed_option
from gemhunter.cli.progress import Progress
from gemhunter.cnf.clause_origins import count_clauses
from gemhunter.core.grid import HIDDEN
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.formats.files import write_atomically
from gemhunter.generate.parallel import WorkersAsked
from gemhunter.generate.puzzles import clauses_of
from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite
from gemhunter.generate.wishes import DIFFICULTIES, NotGenerated
from gemhunter.solving.run import Limits

ANY_DIFFICULTY = "any"

MOST_OF_A_KIND = 10**6

FACT_COLUMNS = (
    *("board", "rows", "cols", "density", "traps", "clues", "hidden"),
    *("clauses_asked", "clauses", "s4_clauses"),
    *("solutions", "forced"),
    *("difficulty", "rule", "level", "score", "conflict", "seed"),
)
"""The columns of facts.csv."""


@dataclass(frozen=True, slots=True)
class SuiteOptions:
    """The options of `gemhunter generate suite`."""

    sizes: tuple[str, ...]
    densities: tuple[float, ...]
    difficulties: tuple[str, ...]
    each: int
    unsolvable: int
    clauses: tuple[int, ...]
    seed: int
    time_limit: float | None


def _read_numbers(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """The numbers of a list that is separated by commas."""
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(re.fullmatch(r"[1-9]\d{0,5}", word, re.ASCII) for word in words):
        raise click.BadParameter(f"expected numbers from 1 to 999,999 such as 20,80,120, not {text!r}")
    return tuple(dict.fromkeys(map(int, words)))


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--size",
    "sizes",
    multiple=True,
    metavar="ROWSxCOLS",
    help="A size; may be given several times  [default: 5x5 and 9x9, or as --clauses needs].",
)
@click.option(
    "--density",
    "densities",
    type=SHARE,
    multiple=True,
    metavar="SHARE",
    help="A share of traps; may be given several times  [default: 0.2].",
)
@click.option(
    "--difficulty",
    "difficulties",
    type=click.Choice([*DIFFICULTIES, ANY_DIFFICULTY]),
    multiple=True,
    help="A difficulty; may be given several times  [default: any].",
)
@click.option(
    "--each",
    type=click.IntRange(0, MOST_OF_A_KIND),
    default=3,
    show_default=True,
    metavar="N",
    help="Boards for each size, density and difficulty.",
)
@click.option(
    "--unsolvable",
    type=click.IntRange(0, MOST_OF_A_KIND),
    default=1,
    show_default=True,
    metavar="N",
    help="Boards without a solution for each size and density.",
)
@click.option(
    "--clauses",
    default="",
    metavar="LIST",
    callback=_read_numbers,
    help="Numbers of clauses to come near to, such as 20,80,120; without --size, each has a size that suits "
    "it.",
)
@seed_option
@seconds_option("Give up on a board after this many seconds.")
@generator_workers_options
@quiet_option
@options_as(SuiteOptions)
@options_as(WorkerOptions, "worker_options")
def suite(folder: Path, options: SuiteOptions, worker_options: WorkerOptions) -> int:
    """Write a folder of boards for a course or a benchmark.

    FOLDER, which must be new or empty, gets a test case for each board (testcase_1/input_1.txt), the answers
    that `gemhunter check` grades as right (expected/output_1.txt), facts about every board (facts.csv), and
    an index.toml, with which `gemhunter bench FOLDER` takes it as a suite.

    \b
    Examples:
      gemhunter generate suite boards
      gemhunter generate suite boards --size 5x5 --size 11x11 --difficulty easy --difficulty hard --each 5
      gemhunter generate suite boards --clauses 20,80,120 --each 2
      gemhunter check boards boards/expected
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty")
    made, code = list[SuiteBoard](), SOLVED
    try:
        with asked_workers(worker_options) as workers:
            for found in _boards(options, workers):
                if isinstance(found, NotGenerated):
                    complain(f"no board for seed {found.seed}: {found.reason}")
                    code = GAVE_UP
                else:
                    _write_case(folder, found)
                    made.append(found)
    finally:
        if made:
            _write_index(folder, made)
    note(f"{counted(len(made), 'board')} in {folder}")
    for asked in options.clauses:
        reached = [str(clauses_of(each.puzzle)) for each in made if each.wish.clauses == asked]
        if reached:
            note(f"clauses asked for: {asked}; reached: {', '.join(reached)}")
    stop_if_pending()
    return code


def _wish(options: SuiteOptions) -> SuiteWish:
    words = options.difficulties or (ANY_DIFFICULTY,)
    sizes = options.sizes or (() if options.clauses else ("5x5", "9x9"))
    return SuiteWish(
        tuple(map(read_puzzle_size, sizes)),
        options.densities or (0.2,),
        tuple(None if word == ANY_DIFFICULTY else word for word in words),
        options.each,
        options.unsolvable,
        options.clauses or (None,),
    )


def _boards(options: SuiteOptions, workers: WorkersAsked) -> Iterator[SuiteBoard | NotGenerated]:
    """The boards, with progress."""
    wish, limits = _wish(options), Limits(options.time_limit)
    number = len(wish.wishes)
    progress = Progress(number)
    made = generate_suite(wish, seed=options.seed, limits=limits, workers=workers, watch=watched_by(progress))
    return with_progress(made, (f"board {each}" for each in range(1, number + 1)), progress)


def _write_case(folder: Path, board: SuiteBoard) -> None:
    case = folder / f"testcase_{board.number}"
    case.mkdir(parents=True)
    write_atomically(case / f"input_{board.number}.txt", f"{board.puzzle.grid}\n")
    expected = folder / "expected"
    expected.mkdir(exist_ok=True)
    answer = "No solution" if board.puzzle.conflict else str(board.puzzle.solution)
    write_atomically(expected / f"output_{board.number}.txt", f"{answer}\n")


def _write_index(folder: Path, made: list[SuiteBoard]) -> None:
    """What is true of each board, and the suite that `gemhunter bench` reads."""
    write_atomically(folder / "facts.csv", csv_rows([FACT_COLUMNS, *map(_facts, made)]))
    boards = [
        f'\n[[boards]]\nfile = "testcase_{each.number}/input_{each.number}.txt"\nnote = "{_words(each)}"\n'
        for each in made
    ]
    title = f"{counted(len(made), 'board')} by gemhunter generate suite"
    write_atomically(folder / "index.toml", f'title = "{title}"\n{"".join(boards)}')


def _words(board: SuiteBoard) -> str:
    clues = int(np.count_nonzero(board.puzzle.grid.cells >= 0))
    return f"{board.puzzle.difficulty.word}, {counted(clues, 'clue')}, seed {board.puzzle.seed}"


def _facts(board: SuiteBoard) -> tuple[object, ...]:
    puzzle, wish = board.puzzle, board.wish
    clues = int(np.count_nonzero(puzzle.grid.cells >= 0))
    hidden = int(np.count_nonzero(puzzle.grid.cells == HIDDEN))
    solutions, forced = (0, "") if puzzle.conflict else (1, hidden)
    hard, clauses = puzzle.difficulty, count_clauses(puzzle.grid)
    return (
        *(f"testcase_{board.number}", wish.rows, wish.cols, wish.density, wish.traps, clues, hidden),
        *(wish.clauses or "", clauses.default, clauses.s4),
        *(solutions, forced, hard.word, hard.rule or "", hard.level, hard.score),
        *(" ".join(map(str, puzzle.conflict)), puzzle.seed),
    )
