"""`gemhunter generate`: puzzles, games and suites to order."""

import os
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import click
import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.cli.declare import Group, argument, command, number, option
from gemhunter.cli.exit_codes import GAVE_UP, SOLVED, complain, is_pending, note, stop_if_pending
from gemhunter.cli.options import (
    FIRST_SEED_OPTION,
    RealNumber,
    cell_option,
    complete_level,
    cores,
    is_given,
    seconds_option,
    workers_option,
)
from gemhunter.cli.output import (
    FOLDER,
    Outputs,
    ending_of,
    form_of,
    format_option,
    output_option,
    write_output,
)
from gemhunter.cli.progress import Progress
from gemhunter.draw.sheets import SheetBoard, draw_sheets, sheet_pages
from gemhunter.errors import InputError
from gemhunter.explanation.rules import RULES
from gemhunter.files.access import write_atomically
from gemhunter.files.minesweeper import mine_map
from gemhunter.generate.games import NoGuessGame, Using, generate_games
from gemhunter.generate.puzzles import (
    DIFFICULTIES,
    SOLUTIONS,
    SYMMETRIES,
    GeneratedPuzzle,
    NotGenerated,
    PuzzleWish,
    Solutions,
    generate_puzzles,
)
from gemhunter.generate.suites import SuiteWish, continue_suite, generate_suite, write_case, write_index
from gemhunter.printable import json_text
from gemhunter.records.boards import puzzle_record
from gemhunter.records.games import generated_game_record
from gemhunter.wording import counted
from gemhunter.work.pieces import Watch
from gemhunter.work.workers import dask_cluster, require_workers

Made = TypeVar("Made")

SHARE = RealNumber(0, 1)
WORKERS_OPTION = workers_option("Work")


@click.group(
    cls=Group,
    kind="generator",
    instead={"sheet": "generate puzzle 9x9 --count 12 -o sheet.pdf"},
    no_args_is_help=False,
)
def generate() -> None:
    """Make puzzles and games to order.

    Puzzles have one solution, few clues and a chosen difficulty; games need no guess. A seed gives the same
    puzzles and games on every machine.

    \b
    Examples:
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 9x9 --difficulty hard --count 12 -o sheet.pdf
      gemhunter generate game expert
      gemhunter generate suite boards --size 5x5 --size 9x9 --difficulty easy --difficulty hard
    """


# Puzzles.


def _read_clues(ctx: click.Context, param: click.Parameter, text: str) -> float | None:
    return None if text.strip().lower() == "minimal" else float(SHARE.convert(text, param, ctx))


@command(group=generate)
def puzzle(
    size: str = argument(metavar="ROWSxCOLS"),
    *,
    difficulty: str | None = option(
        "--difficulty", "How hard the puzzle is for a person.", choices=DIFFICULTIES
    ),
    count: int = number("--count", "How many puzzles.", default=1),
    seed: int = FIRST_SEED_OPTION,
    density: float = option("--density SHARE", "The share of traps.", type=SHARE, default=0.2),
    clues: float | None = option(
        "--clues minimal|SHARE",
        "As few clues as possible, or the share of cells with a clue.",
        default="minimal",
        callback=_read_clues,
    ),
    solutions: Solutions = option(
        "--solutions",
        "How many solutions the puzzle has; for none, a clue is changed, and the conflict is known.",
        choices=SOLUTIONS,
        default="one",
    ),
    form: str = format_option("text", "jsonl", what="Boards as text, or one JSON object per line."),
    outputs: Outputs = output_option(
        "txt jsonl",
        "the puzzles",
        pdf="sheets to print, with pages of solutions",
        svg="sheets to print, with pages of solutions",
        **{FOLDER: "a file for each puzzle and each solution"},
    ),
    rule: str | None = option(
        "--rule NAME", f"The hardest rule that is needed: {', '.join(RULES)}.", rare=True, choices=RULES
    ),
    symmetry: str = option(
        "--symmetry", "The symmetry of the cells with clues.", rare=True, choices=SYMMETRIES, default="none"
    ),
    given: float = option(
        "--given SHARE",
        "The share of cells that are already filled in, as T or G.",
        rare=True,
        type=SHARE,
        default=0,
    ),
    time_limit: float | None = seconds_option("Give up on a puzzle after this many seconds.", rare=True),
    workers: int | str | None = WORKERS_OPTION,
) -> int:
    """Make puzzles with one solution, at a chosen difficulty.

    \b
    Examples:
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 8x8 --difficulty hard --count 12 -o sheet.pdf
      gemhunter generate puzzle 8x12 --symmetry half-turn --count 20 -o boards/
      gemhunter generate puzzle 10x10 --count 100 -o puzzles.jsonl
      gemhunter generate puzzle 5x5 --solutions none --format jsonl

    Traps are placed at random, and clues are removed until each is needed. The difficulty is that of
    `gemhunter explain`. Puzzle i has the seed N + i, with which it can be made again.
    """
    if solutions == "none" and (difficulty or rule):
        other = "--difficulty" if difficulty else "--rule"
        raise click.UsageError(f"--solutions none and {other} exclude each other")
    folders, files = outputs.ending(""), outputs.ending("txt", "jsonl")
    if count > 1 and outputs.ending("txt"):
        raise click.UsageError("several boards do not fit in one .txt; use -o FOLDER/ or -o FILE.jsonl")
    for folder in folders:
        if any(folder.glob("puzzle-*.txt")) or any(folder.glob("solution-*.txt")):
            raise InputError(f"{folder} has puzzles already")
    if outputs.ending("pdf"):
        from gemhunter.charts.sheets import require_pdf

        require_pdf()
    wish = PuzzleWish(
        *read_puzzle_size(size),
        density=density,
        clues=clues,
        given=given,
        difficulty=difficulty,
        rule=rule,
        symmetry=symmetry,
        solutions=solutions,
    )
    for path in outputs.ending("svg"):
        _require_room_for_pages(path, wish, count, [other for other in outputs.paths if other != path])
    prints = is_given("form") or not outputs.paths
    made, code = list[GeneratedPuzzle](), SOLVED

    def text(form: str, each: GeneratedPuzzle) -> str:
        return f"{json_text(puzzle_record(each))}\n" if form == "jsonl" else f"{each.grid}\n"

    new_puzzles = partial(generate_puzzles, wish, seed=seed, number=count, time_limit=time_limit)
    names = [f"puzzle {each}" for each in range(seed, seed + count)]
    try:
        with _made(workers, names, new_puzzles) as puzzles:
            for found in puzzles:
                if isinstance(found, NotGenerated):
                    complain(f"no puzzle for seed {found.seed}: {found.reason}")
                    code = GAVE_UP
                    continue
                made.append(found)
                for folder in folders:
                    _write_pair(folder, found)
                if prints:
                    click.echo(text(form, found), nl=form == "text" and count > 1)
                if form == "text":
                    shown = counted(int((found.grid.cells >= 0).sum()), "clue")
                    note(f"seed {found.seed}: {found.difficulty.word}, {shown}")
    finally:
        # However the work ended, finished puzzles are written.
        if made:
            for path in files:
                write_output(path, "".join(text(form_of(path, form), each) for each in made), "the puzzles")
            for path in outputs.ending("pdf", "svg"):
                write_sheets(path, made)
    stop_if_pending()
    return code


def read_puzzle_size(text: str) -> tuple[int, int]:
    """Rows and columns of a size such as `9x9`."""
    match = re.fullmatch(r"(\d{1,9})[x×](\d{1,9})", text.strip().lower(), re.ASCII)
    if match is None:
        raise click.UsageError(f"a size is written 9x9, rows before columns; found {text!r}")
    return int(match[1]), int(match[2])


def _write_pair(folder: Path, made: GeneratedPuzzle) -> None:
    """Write the solution of a puzzle, if it has one, and then the puzzle."""
    folder.mkdir(parents=True, exist_ok=True)
    if not made.conflict:
        write_atomically(folder / f"solution-{made.seed}.txt", f"{made.solution}\n")
    write_atomically(folder / f"puzzle-{made.seed}.txt", f"{made.grid}\n")


def write_sheets(file: Path, made: list[GeneratedPuzzle]) -> None:
    """Write pages with the puzzles, and pages with the solutions of those that have one."""
    numbered = [*enumerate(made, 1)]
    puzzles = [SheetBoard(f"{number} · {each.difficulty.word}", each.grid) for number, each in numbered]
    solutions = [SheetBoard(str(number), each.solution) for number, each in numbered if not each.conflict]
    if ending_of(file) == "pdf":
        from gemhunter.charts.sheets import pdf_of_sheets

        pages = [*sheet_pages("Puzzles", puzzles), *sheet_pages("Solutions", solutions)]
        write_output(file, pdf_of_sheets(pages), "the puzzles and their solutions")
        return
    for title, ending, boards in (("Puzzles", "", puzzles), ("Solutions", "-solutions", solutions)):
        for place, page in enumerate(draw_sheets(title, boards), 1):
            write_output(page_file(file, ending, place), page, f"{title.lower()}, page {place}")


def page_file(file: Path, ending: str, place: int) -> Path:
    """The file for a page of sheets: for `sheet.svg`, `sheet-2.svg` or `sheet-solutions.svg`."""
    return file.with_name(f"{file.stem}{ending}{f'-{place}' if place > 1 else ''}{file.suffix}")


def _require_room_for_pages(file: Path, wish: PuzzleWish, count: int, others: Sequence[Path]) -> None:
    """Raise `InputError` if a page beside `file`, the first, would replace a file."""
    blank = SheetBoard("", Grid(np.full((wish.rows, wish.cols), HIDDEN, np.int8)))
    pages = range(1, len(sheet_pages("", [blank] * count)) + 1)
    for path in (page_file(file, ending, place) for ending in ("", "-solutions") for place in pages):
        if path in others or (path != file and os.path.lexists(path)):
            raise InputError(f"{path} would be overwritten; move it, or name another file than {file}")


# Games that need no guess.


@command(group=generate)
def game(
    level: str = argument(shell_complete=complete_level),
    *,
    count: int = number("--count", "How many games.", default=1),
    seed: int = FIRST_SEED_OPTION,
    first: Cell | None = cell_option(
        "--first", "Where the player begins, such as r1c1 [default: in the middle]."
    ),
    using: str = option(
        "--using",
        "What the player needs: the clues alone, or the number of traps too.",
        choices=[using.value for using in Using],
        default=Using.CLUES_AND_TOTAL.value,
    ),
    form: str = format_option("text", "jsonl", what="Mine maps, or one JSON object per line."),
    outputs: Outputs = output_option("txt jsonl", "the games"),
    workers: int | str | None = WORKERS_OPTION,
) -> int:
    """Make games that need no guess.

    \b
    Examples:
      gemhunter generate game expert
      gemhunter generate game 16x30n150 --using clues --seed 7
      gemhunter generate game beginner --first r1c1 --count 100 -o games.jsonl

    LEVEL is a level such as expert, or its rows, columns and traps as in 16x30n99. From the first click on,
    every step follows by logic. Boards are dealt at random and repaired where a player would get stuck; an
    agent that never guesses has won each of them. Game i has the seed N + i; its id deals it again, and
    `gemhunter convert ID -o game.mbf` writes it for other programs.
    """
    if count > 1 and outputs.ending("txt"):
        raise click.UsageError("several games do not fit in one .txt; use -o FILE.jsonl")
    made, code = list[NoGuessGame](), SOLVED

    def text(form: str, each: NoGuessGame) -> str:
        shown = json_text(generated_game_record(each)) if form == "jsonl" else mine_map(each.board.traps)
        return f"{shown}\n"

    new_games = partial(generate_games, level, using=using, seed=seed, number=count, first=first)
    try:
        with _made(workers, [f"game {each}" for each in range(seed, seed + count)], new_games) as games:
            try:
                for each in games:
                    made.append(each)
                    if outputs.is_printed:
                        click.echo(text(form, each), nl=form == "text" and count > 1)
                    if form == "text":
                        note(f"{each.game_id}, first click at {each.first}")
            except InputError as error:  # no such game was found; bad options have been reported above
                complain(error)
                code = GAVE_UP
    finally:
        for path in outputs.paths if made else ():
            write_output(path, "".join(text(form_of(path, form), each) for each in made), "the games")
    stop_if_pending()
    return code


# Suites: a folder of boards for a course or a benchmark.


UP_TO_A_MILLION = click.IntRange(0, 10**6)


def _read_numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, ...]:
    """The numbers in a list that is separated by commas."""
    words = [word.strip() for word in text.split(",")] if text and text.strip() else []
    if not all(re.fullmatch(r"[1-9]\d{0,5}", word, re.ASCII) for word in words):
        raise click.BadParameter(f"expected numbers from 1 to 999,999 such as 20,80,120, not {text!r}")
    return tuple(dict.fromkeys(map(int, words)))


@command(group=generate)
def suite(
    folder: Path = argument(type=click.Path(file_okay=False, path_type=Path)),
    *,
    sizes: tuple[str, ...] = option(
        "--size ROWSxCOLS",
        "A size; may be given several times [default: 5x5 and 9x9, or as --clauses needs].",
        multiple=True,
    ),
    difficulties: tuple[str, ...] = option(
        "--difficulty",
        "A difficulty; may be given several times [default: any].",
        choices=[*DIFFICULTIES, "any"],
        multiple=True,
    ),
    densities: tuple[float, ...] = option(
        "--density SHARE",
        "A share of traps; may be given several times [default: 0.2].",
        type=SHARE,
        multiple=True,
    ),
    each: int = number(
        "--count", "Boards for each size, density and difficulty.", type=UP_TO_A_MILLION, default=3
    ),
    unsolvable: int = number(
        "--unsolvable",
        "Boards without a solution for each size and density.",
        type=UP_TO_A_MILLION,
        default=1,
    ),
    clauses: tuple[int, ...] = option(
        "--clauses LIST",
        "Approximate numbers of clauses, such as 20,80,120; without --size, each has a size that suits it.",
        callback=_read_numbers,
    ),
    seed: int = FIRST_SEED_OPTION,
    time_limit: float | None = seconds_option("Give up on a board after this many seconds.", rare=True),
    workers: int | str | None = WORKERS_OPTION,
) -> int:
    """Write a folder of boards for a course or a benchmark.

    \b
    Examples:
      gemhunter generate suite boards
      gemhunter generate suite boards --size 5x5 --size 11x11 --difficulty easy --difficulty hard --count 5
      gemhunter generate suite boards --clauses 20,80,120 --count 2
      gemhunter check boards boards/expected

    FOLDER, which must be new or empty, gets a test case for each board (testcase_1/input_1.txt), the answers
    that `gemhunter check` grades as right (expected/output_1.txt), facts about every board (facts.csv), and
    an index.toml, which makes it a suite for `gemhunter bench FOLDER`. If the command is stopped, the same
    command makes the boards that are missing.
    """
    wish = SuiteWish(
        tuple(map(read_puzzle_size, sizes or (() if clauses else ("5x5", "9x9")))),
        densities or (0.2,),
        tuple(None if word == "any" else word for word in difficulties or ("any",)),
        each,
        unsolvable,
        clauses or (None,),
    )

    made, code = continue_suite(folder, wish, seed), SOLVED
    if made:
        note(f"{counted(len(made), 'board')} in {folder} already")
    new_boards = partial(generate_suite, wish, seed=seed, time_limit=time_limit, without=set(made))
    names = [f"board {place}" for place in range(1, len(wish.wishes) + 1) if place not in made]
    try:
        with _made(workers, names, new_boards) as boards:
            for found in boards:
                if isinstance(found, NotGenerated):
                    complain(f"no board for seed {found.seed}: {found.reason}")
                    code = GAVE_UP
                else:
                    made[found.number] = write_case(folder, found)
    finally:
        if made:
            made = dict(sorted(made.items()))
            write_index(folder, [*made.values()])
    note(f"{counted(len(made), 'board')} in {folder}")
    for asked in clauses:
        reached = [facts["clauses"] for facts in made.values() if facts["clauses_asked"] == str(asked)]
        if reached:
            note(f"clauses asked for: {asked}; reached: {', '.join(reached)}")
    stop_if_pending()
    return code


# The workers that all generators use, and their progress.


@contextmanager
def _made(
    workers: int | str | None, names: Sequence[str], generator: Callable[..., Generator[Made, None, None]]
) -> Iterator[Iterator[Made]]:
    """The results of a generator; the line of progress names the one that is being made.

    The generator uses processes on this machine, by default one per core, or a Dask cluster.
    """
    processes = workers if isinstance(workers, int) else cores()
    require_workers(processes)
    with ExitStack() as stack:
        cluster = stack.enter_context(dask_cluster(workers, processes)) if isinstance(workers, str) else None
        progress = stack.enter_context(Progress(len(names)))
        # The watch stops the generator even if LLVM swallowed the exception of a Ctrl-C.
        watch = Watch(is_pending, progress.tick)
        made = stack.enter_context(
            closing(generator(workers=processes if cluster is None else cluster, watch=watch))
        )

        def with_progress() -> Iterator[Made]:
            for name in names:
                progress.begin(name)
                found = next(made, None)
                progress.clear()
                if found is None:
                    return
                yield found

        yield with_progress()
