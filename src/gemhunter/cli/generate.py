"""`gemhunter generate`: puzzles, games and suites to order."""

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.cli.exit_codes import GAVE_UP, SOLVED
from gemhunter.cli.main import CommandEntry, LazyGroup
from gemhunter.cli.notes import complain, is_pending, note, quiet_option, stop_if_pending, write_output
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    Command,
    OutputFile,
    RealNumber,
    WorkerOptions,
    complete_level,
    cores,
    dask_option,
    lines_format_option,
    options_as,
    output_option,
    read_cell_name,
    seconds_option,
    seed_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.cnf.encode import count_clauses
from gemhunter.draw.sheets import SheetBoard, draw_sheets, sheet_pages
from gemhunter.errors import InputError
from gemhunter.explanation.rules import RULES
from gemhunter.files.access import write_atomically
from gemhunter.files.minesweeper import mine_map
from gemhunter.files.tables import csv_rows
from gemhunter.generate.games import NoGuessGame, Using, generate_games
from gemhunter.generate.parallel import Watch, WorkersAsked
from gemhunter.generate.puzzles import (
    DIFFICULTIES,
    SOLUTIONS,
    SYMMETRIES,
    GeneratedPuzzle,
    NotGenerated,
    PuzzleWish,
    Solutions,
    clauses_of,
    generate_puzzles,
)
from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite
from gemhunter.printable import counted, json_text
from gemhunter.records.boards import puzzle_record
from gemhunter.records.games import generated_game_record
from gemhunter.solving.run import Limits
from gemhunter.work.workers import dask_cluster, require_workers

# What all generators share: the workers that make boards, and boards that come with progress.


Made = TypeVar("Made")


def generator_workers_options(command: Command) -> Command:
    """Where boards are made."""
    workers = click.option(
        "--workers",
        type=AT_LEAST_ONE,
        metavar="N",
        help="Processes that work, if it takes more than a few seconds [default: all cores].",
    )
    return workers(dask_option("Work")(command))


@contextmanager
def asked_workers(options: WorkerOptions) -> Iterator[WorkersAsked]:
    """The workers asked for: all cores of this machine, fewer of them, or those of a cluster."""
    number = options.workers or cores()
    require_workers(number)
    if options.dask is None:
        yield number
        return
    with dask_cluster(options.dask, number) as cluster:
        yield cluster


def watched_by(progress: Progress) -> Watch:
    """How a generator reports its progress, and hears of a stop that no exception reported."""
    return Watch(is_pending, progress.tick)


def with_progress(
    made: Generator[Made, None, None], names: Iterable[str], progress: Progress
) -> Iterator[Made]:
    """What a generator makes; each result has a name, which is shown until it is there."""
    try:
        with closing(made):
            for name in names:
                progress.begin(name)
                found = next(made, None)
                progress.clear()
                if found is None:
                    return
                yield found
    finally:
        progress.clear()


# `gemhunter generate game`: games that need no guess.


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of `gemhunter generate game`."""

    using: str
    first: Cell | None
    count: int
    seed: int
    form: str
    output: Path | None


@click.command()
@click.argument("level", shell_complete=complete_level)
@click.option(
    "--using",
    type=click.Choice([using.value for using in Using]),
    default=Using.CLUES_AND_TOTAL.value,
    show_default=True,
    help="What the player needs: the clues alone, or the number of traps too.",
)
@click.option(
    "--first",
    callback=read_cell_name,
    metavar="CELL",
    help="Where the player begins, such as r1c1 [default: in the middle].",
)
@click.option("--count", type=AT_LEAST_ONE, default=1, show_default=True, metavar="N", help="How many games.")
@seed_option
@generator_workers_options
@lines_format_option("Mine maps, or one JSON object per line.")
@output_option("the game, or all games as JSON lines,")
@quiet_option
@options_as(GameOptions)
@options_as(WorkerOptions, "worker_options")
def game(level: str, options: GameOptions, worker_options: WorkerOptions) -> int:
    """Make games that need no guess.

    LEVEL is a level such as expert, or its rows, columns and traps as in 16x30n99. From the first click on,
    every step follows by logic. Boards are dealt at random and repaired where a player would get stuck; an
    agent that never guesses has won each of them. Game i has the seed N + i; its id gives it again.

    \b
    Examples:
      gemhunter generate game expert
      gemhunter generate game 16x30n150 --using clues --seed 7
      gemhunter generate game beginner --first r1c1 --count 100 --format jsonl -o games.jsonl
    """
    if options.output is not None and options.form == "text" and options.count > 1:
        raise click.UsageError("several games as text do not fit in one file; use --format jsonl")
    made, code = list[str](), SOLVED
    try:
        with asked_workers(worker_options) as workers:
            games = _games(level, options, workers)
            try:
                for each in games:
                    made.append(_game_text(each, options.form))
                    _show_game(each, options)
            except InputError as error:
                complain(error)
                code = GAVE_UP
    finally:
        if options.output is not None and made:
            write_output(options.output, "".join(made), "the games")
    stop_if_pending()
    return code


def _games(level: str, options: GameOptions, workers: WorkersAsked) -> Iterator[NoGuessGame]:
    """The games, with progress."""
    seed, number, progress = options.seed, options.count, Progress(options.count)
    made = generate_games(
        level,
        using=options.using,
        seed=seed,
        number=number,
        first=options.first,
        workers=workers,
        watch=watched_by(progress),
    )
    return with_progress(made, (f"game {each}" for each in range(seed, seed + number)), progress)


def _show_game(made: NoGuessGame, options: GameOptions) -> None:
    """Print a game as soon as it is there, unless it goes to a file."""
    if options.output is None:
        click.echo(_game_text(made, options.form), nl=options.form == "text" and options.count > 1)
    if options.form == "text":
        note(f"{made.game_id}, first click at {made.first}")


def _game_text(made: NoGuessGame, form: str) -> str:
    if form == "jsonl":
        return f"{json_text(generated_game_record(made))}\n"
    return f"{mine_map(made.board.traps)}\n"


# Sheets of puzzles to print: pages with the puzzles, and pages of their own with the solutions.


SVG_ENDING, PDF_ENDING = ".svg", ".pdf"


class SheetFile(OutputFile):
    """A file of sheets to write, refused before any work is done if its kind cannot be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error."""
        path: Path = super().convert(value, param, ctx)
        if path.suffix not in {SVG_ENDING, PDF_ENDING}:
            raise InputError(f"{path} is no sheet; expected FILE{PDF_ENDING} or FILE{SVG_ENDING}")
        if path.suffix == PDF_ENDING:
            from gemhunter.compare.sheets import require_pdf

            require_pdf()
        return path


def write_sheets(file: Path, made: list[GeneratedPuzzle]) -> None:
    """Pages with the puzzles, and pages with the solutions of those that have one."""
    puzzles = [
        SheetBoard(f"{number} · {each.difficulty.word}", each.grid) for number, each in enumerate(made, 1)
    ]
    solutions = [
        SheetBoard(str(number), each.solution) for number, each in enumerate(made, 1) if not each.conflict
    ]
    if file.suffix == PDF_ENDING:
        from gemhunter.compare.sheets import pdf_of_sheets

        pages = [*sheet_pages("Puzzles", puzzles), *sheet_pages("Solutions", solutions)]
        write_output(file, pdf_of_sheets(pages), "the puzzles and their solutions")
        return
    for title, ending, boards in (("Puzzles", "", puzzles), ("Solutions", "-solutions", solutions)):
        for number, page in enumerate(draw_sheets(title, boards), 1):
            suffix = ending if number == 1 else f"{ending}-{number}"
            write_output(file.with_name(f"{file.stem}{suffix}.svg"), page, f"{title.lower()}, page {number}")


# `gemhunter generate puzzle`: puzzles with one solution, as hard as wished.


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
    wish = _puzzle_wish(size, options)
    made, code = list[GeneratedPuzzle](), SOLVED
    try:
        with asked_workers(worker_options) as workers:
            for found in _puzzles(wish, options, workers):
                if isinstance(found, NotGenerated):
                    complain(f"no puzzle for seed {found.seed}: {found.reason}")
                    code = GAVE_UP
                else:
                    made.append(found)
                    _show_puzzle(found, options)
    finally:
        _write_files(made, options)
    stop_if_pending()
    return code


def _write_files(made: list[GeneratedPuzzle], options: PuzzleOptions) -> None:
    """What is finished goes to the files, however the work ended."""
    if options.output is not None and made:
        write_output(
            options.output, "".join(_puzzle_text(each, options.form) for each in made), "the puzzles"
        )
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


def _puzzle_wish(size: str, options: PuzzleOptions) -> PuzzleWish:
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


def _show_puzzle(made: GeneratedPuzzle, options: PuzzleOptions) -> None:
    """Print a puzzle, or write it to its files, as soon as it is there; a sheet takes the place of text."""
    if options.folder is not None:
        _write_pair(options.folder, made)
    elif options.output is None and (options.sheet is None or options.form == "jsonl"):
        click.echo(_puzzle_text(made, options.form), nl=options.form == "text" and options.count > 1)
    if options.form == "text":
        clues = int((made.grid.cells >= 0).sum())
        note(f"seed {made.seed}: {made.difficulty.word}, {counted(clues, 'clue')}")


def _puzzle_text(made: GeneratedPuzzle, form: str) -> str:
    return f"{json_text(puzzle_record(made))}\n" if form == "jsonl" else f"{made.grid}\n"


def _write_pair(folder: Path, made: GeneratedPuzzle) -> None:
    """The puzzle and, if it has one, its solution; a puzzle that is there has its solution there too."""
    folder.mkdir(parents=True, exist_ok=True)
    if not made.conflict:
        write_atomically(folder / f"solution-{made.seed}.txt", f"{made.solution}\n")
    write_atomically(folder / f"puzzle-{made.seed}.txt", _puzzle_text(made, "text"))


# `gemhunter generate suite`: a folder of boards for a course or a benchmark.


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


def _suite_wish(options: SuiteOptions) -> SuiteWish:
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
    wish, limits = _suite_wish(options), Limits(options.time_limit)
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


# `gemhunter generate`: puzzles and games to order.


GENERATORS = {
    "game": CommandEntry(
        "gemhunter.cli.generate:game",
        "Make games that need no guess.",
    ),
    "puzzle": CommandEntry(
        "gemhunter.cli.generate:puzzle",
        "Make puzzles with one solution, as hard as wished.",
    ),
    "suite": CommandEntry(
        "gemhunter.cli.generate:suite",
        "Write a folder of boards for a course or a benchmark.",
    ),
}


@click.group(cls=LazyGroup, sections={"Generators": GENERATORS}, kind="generator", no_args_is_help=False)
def generate() -> None:
    """Make puzzles and games to order.

    Puzzles have one solution, few clues and a difficulty; games need no guess. The same seed gives the same
    puzzles and games on every machine.

    \b
    Examples:
      gemhunter generate game expert
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 8x8 --difficulty hard --count 20 --folder hard-boards
      gemhunter generate suite boards --size 5x5 --size 9x9 --difficulty easy --difficulty hard
    """
