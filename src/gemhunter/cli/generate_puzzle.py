"""`gemhunter generate puzzle`: puzzles with one solution, as hard as wished."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter.cli.exit_codes import GAVE_UP, SOLVED
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.notes import complain, note, quiet_option, write_output
from gemhunter.cli.option_types import AT_LEAST_ONE, OutputFile, RealNumber, options_as
from gemhunter.cli.options import lines_format_option, output_option, seconds_option, seed_option
from gemhunter.cli.progress import Progress
from gemhunter.core.plurals import counted
from gemhunter.deduce.rules import RULES
from gemhunter.errors import InputError
from gemhunter.formats.files import write_atomically
from gemhunter.generate.puzzles import generate_puzzle
from gemhunter.generate.wishes import (
    DIFFICULTIES,
    SOLUTIONS,
    SYMMETRIES,
    GeneratedPuzzle,
    NotGenerated,
    PuzzleWish,
    Solutions,
)
from gemhunter.printable import json_text
from gemhunter.records.puzzles import puzzle_record
from gemhunter.render.sheets import SheetBoard, draw_sheets
from gemhunter.solving.run import Limits, Run

PUZZLE_SIZE = re.compile(r"(\d{1,9})[x×](\d{1,9})", re.ASCII)
MINIMAL = "minimal"

SHARE = RealNumber(0, 1)


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """The options of `gemhunter generate puzzle`."""

    density: float
    clues: float | None
    given: float
    difficulty: str | None
    rule: str | None
    symmetry: str
    solutions: Solutions
    count: int
    seed: int
    time_limit: float | None
    form: str
    output: Path | None
    folder: Path | None
    sheet: Path | None


def _read_clues(ctx: click.Context, param: click.Parameter, text: str) -> float | None:
    return None if text.strip().lower() == MINIMAL else float(SHARE.convert(text, param, ctx))


@click.command()
@click.argument("size", metavar="ROWSxCOLS")
@click.option(
    "--density", type=SHARE, default=0.2, show_default=True, metavar="SHARE", help="The share of traps."
)
@click.option(
    "--clues",
    default=MINIMAL,
    show_default=True,
    metavar="minimal|SHARE",
    callback=_read_clues,
    help="As few clues as possible, or the share of cells that show one.",
)
@click.option(
    "--given",
    type=SHARE,
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="The share of cells that are filled in already, as T or G.",
)
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), help="How hard the puzzle is for a person.")
@click.option("--rule", type=click.Choice(list(RULES)), help="The hardest rule that is needed.")
@click.option(
    "--symmetry",
    type=click.Choice(list(SYMMETRIES)),
    default="none",
    show_default=True,
    help="How the places of clues are arranged.",
)
@click.option(
    "--solutions",
    type=click.Choice(SOLUTIONS),
    default="one",
    show_default=True,
    help="One, many, or none: then one clue is changed.",
)
@click.option(
    "--count", type=AT_LEAST_ONE, default=1, show_default=True, metavar="N", help="How many puzzles."
)
@seed_option
@seconds_option("Give up on a puzzle after this many seconds.")
@lines_format_option("Boards as text, or one JSON object per line.")
@output_option("the puzzle, or all puzzles as JSON lines,")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write each puzzle and its solution to files of their own, as text.",
)
@click.option(
    "--sheet",
    type=OutputFile(),
    metavar="FILE.svg",
    help="Write the puzzles on pages to print, and the solutions on pages of their own.",
)
@quiet_option
@options_as(PuzzleOptions)
def puzzle(size: str, options: PuzzleOptions) -> int:
    """Make puzzles with one solution, as hard as wished.

    Traps are dealt at random, and clues are taken away until none can go. The difficulty is that of
    `gemhunter explain`. Puzzle i has the seed N + i, which gives it again.

    \b
    Examples:
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 6x6 --difficulty expert --seed 7
      gemhunter generate puzzle 8x12 --symmetry half-turn --count 20 --folder boards
      gemhunter generate puzzle 10x10 --count 100 --format jsonl -o puzzles.jsonl
      gemhunter generate puzzle 8x8 --difficulty hard --count 6 --sheet hard.svg
      gemhunter generate puzzle 5x5 --solutions none
    """
    _require_a_place(options)
    wish = _wish(size, options)
    made, code = list[GeneratedPuzzle](), SOLVED
    for found in _puzzles(wish, options):
        if isinstance(found, NotGenerated):
            complain(f"no puzzle for seed {found.seed}: {found.reason}")
            code = GAVE_UP
        else:
            made.append(found)
            _show(found, options)
    if options.output is not None and made:
        write_output(options.output, "".join(_text(each, options.form) for each in made), "the puzzles")
    if options.sheet is not None and made:
        _write_sheets(options.sheet, made)
    stop_if_pending()
    return code


def _require_a_place(options: PuzzleOptions) -> None:
    """Several boards as text cannot be told apart in one file."""
    if options.folder is not None and options.output is not None:
        raise click.UsageError("--folder and -o exclude each other")
    if options.folder is not None and options.form == "jsonl":
        raise click.UsageError("--folder writes text; JSON lines go to standard output or to -o")
    if options.folder is not None and any(options.folder.glob("puzzle-*.txt")):
        raise InputError(f"{options.folder} has puzzles already")
    if options.output is not None and options.form == "text" and options.count > 1:
        raise click.UsageError("several boards as text need --folder; -o takes one board, or --format jsonl")


def read_puzzle_size(text: str) -> tuple[int, int]:
    """Rows and columns of a size such as `9x9`."""
    match = PUZZLE_SIZE.fullmatch(text.strip().lower())
    if match is None:
        raise click.UsageError(f"a size is written 9x9, rows before columns; found {text!r}")
    return int(match[1]), int(match[2])


def _wish(size: str, options: PuzzleOptions) -> PuzzleWish:
    return PuzzleWish(
        *read_puzzle_size(size),
        density=options.density,
        clues=options.clues,
        given=options.given,
        difficulty=options.difficulty,
        rule=options.rule,
        symmetry=options.symmetry,
        solutions=options.solutions,
    )


def _puzzles(wish: PuzzleWish, options: PuzzleOptions) -> Iterator[GeneratedPuzzle | NotGenerated]:
    """The puzzles, with progress, until Ctrl-C."""
    progress = Progress(options.count)
    try:
        for seed in range(options.seed, options.seed + options.count):
            progress.begin(f"puzzle {seed}")
            run = Run(Limits(options.time_limit), cancel=is_pending, progress=progress.tick)
            found = generate_puzzle(wish, seed=seed, run=run)
            progress.clear()
            if is_pending():
                return
            yield found
    finally:
        progress.clear()


def _show(made: GeneratedPuzzle, options: PuzzleOptions) -> None:
    """Print a puzzle, or write it to its files, as soon as it is there."""
    if options.folder is not None:
        _write_pair(options.folder, made)
    elif options.output is None:
        click.echo(_text(made, options.form), nl=options.form == "text" and options.count > 1)
    if options.form == "text":
        clues = int((made.grid.cells >= 0).sum())
        note(f"seed {made.seed}: {made.difficulty.word}, {counted(clues, 'clue')}")


def _text(made: GeneratedPuzzle, form: str) -> str:
    return f"{json_text(puzzle_record(made))}\n" if form == "jsonl" else f"{made.grid}\n"


def _write_sheets(file: Path, made: list[GeneratedPuzzle]) -> None:
    """Pages with the puzzles, and pages with the solutions of those that have one."""
    puzzles = [
        SheetBoard(f"{number} · {each.difficulty.word}", each.grid) for number, each in enumerate(made, 1)
    ]
    solutions = [
        SheetBoard(str(number), each.solution) for number, each in enumerate(made, 1) if not each.conflict
    ]
    for title, ending, boards in (("Puzzles", "", puzzles), ("Solutions", "-solutions", solutions)):
        pages = draw_sheets(title, boards) if boards else []
        for number, page in enumerate(pages, 1):
            suffix = ending if number == 1 else f"{ending}-{number}"
            write_output(file.with_name(f"{file.stem}{suffix}.svg"), page, f"{title.lower()}, page {number}")


def _write_pair(folder: Path, made: GeneratedPuzzle) -> None:
    """The puzzle and, if it has one, its solution."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"puzzle-{made.seed}.txt", _text(made, "text"))
    if not made.conflict:
        write_atomically(folder / f"solution-{made.seed}.txt", f"{made.solution}\n")
