"""`gemhunter generate puzzle`: puzzles with one solution, as hard as wished."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter.cli.exit_codes import GAVE_UP, SOLVED
from gemhunter.cli.generate_workers import asked_workers, generator_workers_options, watched_by, with_progress
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import complain, note, quiet_option, write_output
from gemhunter.cli.option_types import AT_LEAST_ONE, RealNumber, WorkerOptions, options_as
from gemhunter.cli.options import lines_format_option, output_option, seconds_option, seed_option
from gemhunter.cli.progress import Progress
from gemhunter.cli.puzzle_sheets import SheetFile, write_sheets
from gemhunter.core.plurals import counted
from gemhunter.deduce.rules import RULES
from gemhunter.errors import InputError
from gemhunter.formats.files import write_atomically
from gemhunter.generate.parallel import WorkersAsked
from gemhunter.generate.puzzles import generate_puzzles
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
from gemhunter.solving.run import Limits

PUZZLE_SIZE = re.compile(r"(\d{1,9})[x×](\d{1,9})", re.ASCII)
MINIMAL = "minimal"

ASKED_SOLUTIONS = [word for word in SOLUTIONS if word != "none"]
"""`--unsat` asks for no solution."""

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
    unsat: bool
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
    type=click.Choice(ASKED_SOLUTIONS),
    default="one",
    show_default=True,
    help="How many solutions the puzzle has.",
)
@click.option(
    "--unsat", is_flag=True, help="Change one clue, so that there is no solution; the conflict is known."
)
@click.option(
    "--count", type=AT_LEAST_ONE, default=1, show_default=True, metavar="N", help="How many puzzles."
)
@seed_option
@seconds_option("Give up on a puzzle after this many seconds.")
@generator_workers_options
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
    type=SheetFile(),
    metavar="FILE.pdf|FILE.svg",
    help="Write the puzzles on pages to print, and the solutions on pages of their own, instead of printing "
    "them as text.",
)
@quiet_option
@options_as(PuzzleOptions)
@options_as(WorkerOptions, "worker_options")
def puzzle(size: str, options: PuzzleOptions, worker_options: WorkerOptions) -> int:
    """Make puzzles with one solution, as hard as wished.

    Traps are dealt at random, and clues are taken away until none can go. The difficulty is that of
    `gemhunter explain`. Puzzle i has the seed N + i, which gives it again.

    \b
    Examples:
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 6x6 --difficulty expert --seed 7
      gemhunter generate puzzle 8x12 --symmetry half-turn --count 20 --folder boards
      gemhunter generate puzzle 10x10 --count 100 --format jsonl -o puzzles.jsonl
      gemhunter generate puzzle 8x8 --difficulty hard --count 6 --sheet hard.pdf
      gemhunter generate puzzle 5x5 --unsat --format jsonl
    """
    _require_a_place(options)
    _require_one_wish(options)
    wish = _wish(size, options)
    made, code = list[GeneratedPuzzle](), SOLVED
    try:
        with asked_workers(worker_options) as workers:
            for found in _puzzles(wish, options, workers):
                if isinstance(found, NotGenerated):
                    complain(f"no puzzle for seed {found.seed}: {found.reason}")
                    code = GAVE_UP
                else:
                    made.append(found)
                    _show(found, options)
    finally:
        _write_files(made, options)
    stop_if_pending()
    return code


def _write_files(made: list[GeneratedPuzzle], options: PuzzleOptions) -> None:
    """What is finished goes to the files, however the work ended."""
    if options.output is not None and made:
        write_output(options.output, "".join(_text(each, options.form) for each in made), "the puzzles")
    if options.sheet is not None and made:
        write_sheets(options.sheet, made)


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


def _require_one_wish(options: PuzzleOptions) -> None:
    """A puzzle without a solution has no second one, and no difficulty."""
    others = {
        "--solutions many": options.solutions == "many",
        "--difficulty": options.difficulty is not None,
        "--rule": options.rule is not None,
    }
    for other, is_given in others.items():
        if options.unsat and is_given:
            raise click.UsageError(f"--unsat and {other} exclude each other")


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
        solutions="none" if options.unsat else options.solutions,
    )


def _puzzles(
    wish: PuzzleWish, options: PuzzleOptions, workers: WorkersAsked
) -> Iterator[GeneratedPuzzle | NotGenerated]:
    """The puzzles, with progress."""
    seed, number, progress = options.seed, options.count, Progress(options.count)
    made = generate_puzzles(
        wish,
        seed=seed,
        number=number,
        limits=Limits(options.time_limit),
        workers=workers,
        watch=watched_by(progress),
    )
    return with_progress(made, (f"puzzle {each}" for each in range(seed, seed + number)), progress)


def _show(made: GeneratedPuzzle, options: PuzzleOptions) -> None:
    """Print a puzzle, or write it to its files, as soon as it is there; a sheet takes the place of text."""
    if options.folder is not None:
        _write_pair(options.folder, made)
    elif options.output is None and (options.sheet is None or options.form == "jsonl"):
        click.echo(_text(made, options.form), nl=options.form == "text" and options.count > 1)
    if options.form == "text":
        clues = int((made.grid.cells >= 0).sum())
        note(f"seed {made.seed}: {made.difficulty.word}, {counted(clues, 'clue')}")


def _text(made: GeneratedPuzzle, form: str) -> str:
    return f"{json_text(puzzle_record(made))}\n" if form == "jsonl" else f"{made.grid}\n"


def _write_pair(folder: Path, made: GeneratedPuzzle) -> None:
    """The puzzle and, if it has one, its solution; a puzzle that is there has its solution there too."""
    folder.mkdir(parents=True, exist_ok=True)
    if not made.conflict:
        write_atomically(folder / f"solution-{made.seed}.txt", f"{made.solution}\n")
    write_atomically(folder / f"puzzle-{made.seed}.txt", _text(made, "text"))
