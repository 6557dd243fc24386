"""`gemhunter solve`: boards in, answers out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import click
from click.core import ParameterSource

from gemhunter.cli.board_arguments import BoardReading, are_formulas
from gemhunter.cli.exit_codes import BAD_INPUT
from gemhunter.cli.interrupts import is_pending, listen, stop_if_pending
from gemhunter.cli.notes import complain, note, quiet_option
from gemhunter.cli.option_types import AT_LEAST_ONE, SEED, OutputFile, options_as
from gemhunter.cli.options import (
    complete_board,
    engine_option,
    memory_option,
    output_option,
    plain_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.cli.proof import save_proof
from gemhunter.cli.solve_all import print_all
from gemhunter.cli.solve_formula import solve_formulas
from gemhunter.cli.solve_printout import Printout, SolveForm
from gemhunter.compiling.choice import Mode, compiling_everywhere
from gemhunter.formats.board_files import BoardFile, find_boards, is_folder
from gemhunter.formats.board_folders import skipped_text
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import STDIN
from gemhunter.queries.batch import BatchEvent, Question, Reader, answers, choose_mode
from gemhunter.solving.registry import FORMULA_ENGINE
from gemhunter.solving.run import Limits


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of `gemhunter solve`."""

    engine: tuple[str, ...]
    total: int | None
    zero: Zero
    time_limit: float | None
    step_limit: int | None
    memory_limit: int | None
    seed: int
    encoding: str | None
    form: SolveForm
    output: Path | None
    proof_file: Path | None
    workers: int
    every: bool
    limit: int | None
    force: bool

    @property
    def question(self) -> Question:
        """What each engine is asked."""
        limits = Limits(self.time_limit, self.step_limit, self.memory_limit)
        return Question(self.engine, limits, self.seed, self.proof_file is not None, self.encoding)

    @property
    def reading(self) -> BoardReading:
        """How boards are read."""
        return BoardReading(self.zero, self.total)


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...", shell_complete=complete_board)
@engine_option("Engine to ask; may be given several times.", multiple=True)
@traps_option
@seconds_option("Give up after this many seconds, per board and engine.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up after this many steps; `gemhunter engines NAME` says what a step is.",
)
@memory_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of randomised engines.")
@zero_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "csv", "md", "sat"]),
    default="text",
    show_default=True,
    help="How to print results; `csv` and `md` print a table of times, `sat` prints `s` and `v` lines and "
    "returns 10, 20 or 0.",
)
@plain_option
@output_option("the answers")
@quiet_option
@click.option(
    "--encoding",
    metavar="NAME",
    help="How clues become clauses, for engines that read clauses; the names are those of `gemhunter cnf`.",
)
@click.option(
    "-j",
    "--workers",
    type=AT_LEAST_ONE,
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes that solve boards at the same time.",
)
@click.option("--all", "every", is_flag=True, help="One board: all its solutions, one after the other.")
@click.option("--limit", type=AT_LEAST_ONE, metavar="N", help="With --all: no more than N solutions.")
@click.option(
    "--proof",
    "proof_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the proof that a board has no solution to FILE.",
)
@click.option(
    "--force",
    is_flag=True,
    help="A folder of test cases: overwrite output files and tables that gemhunter did not write.",
)
@options_as(SolveOptions)
def solve(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Fill in boards, or show that it cannot be done.

    BOARD is a file, a folder, or - for standard input. The board is shown, then the map and the running
    time of each engine. In a folder of test cases (testcase_1/input_1.txt) each gets its output_1.txt, and
    the times go to result_times.txt and times.csv. Engines written here run all compiled, or all as plain
    Python if that takes less time, and the table says which. Files of these names that gemhunter did not
    write, or that were changed since, are kept unless --force is given. Files in a folder that are
    not boards are skipped. A formula in DIMACS, by its name (.cnf) or its first line, is answered with `s`
    and `v` lines.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt -e pysat:glucose4 -e pysat:minicard -o answers.txt
      gemhunter solve testcases/ --time-limit 10 --workers 4
      gemhunter solve board.txt -e cdcl --encoding totalizer
      gemhunter solve *.txt -e cdcl -e dpll --format md
      gemhunter solve position.txt --traps 10 --format json
      gemhunter solve board.txt --proof board.drat
      gemhunter solve board.txt --all --limit 10
      gemhunter solve formula.cnf -e cdcl -e pysat:glucose4
    """
    if are_formulas(boards):
        question = replace(options.question, engines=_engines(options.engine))
        return solve_formulas(
            boards, question, form=options.form, output=options.output, proof_file=options.proof_file
        )
    if options.limit is not None and not options.every:
        raise click.UsageError("--limit needs --all")
    if options.every and options.workers > 1:
        raise click.UsageError("--all takes no --workers")
    return _solve_all(boards, options) if options.every else _solve_each(boards, options)


def _solve_each(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Ask every engine about every board."""
    several = len(boards) > 1 or len(options.engine) > 1 or any(map(is_folder, boards))
    if options.form == "sat" and several:
        raise click.UsageError("--format sat takes one board and one engine")
    if options.proof_file is not None and several:
        raise click.UsageError("--proof takes one board and one engine")
    question = options.question
    if question.encoding is not None:  # clauses go to an engine that reads clauses
        question = replace(question, engines=_engines(options.engine))
    found = find_boards(boards)
    folders = [Path(board) for board in boards if is_folder(board)]
    printed = Printout(options.form, several=several, force=options.force, shown=options.output is None)
    printed.require_own_files(found.boards, folders)
    read = _reader(options.reading)
    with compiling_everywhere(_mode(found.boards, question, read)):
        try:
            for event in _ask(found.boards, question, options.workers, read):
                printed.add(event)
            stop_if_pending()
        finally:
            printed.finish(options.output, folders)
    if found.skipped:
        note(skipped_text(found.skipped))
    for fault in found.faults:
        complain(fault)
    if options.proof_file is not None:
        save_proof(printed.results, options.proof_file)
    return max(printed.exit_code, BAD_INPUT) if found.faults else printed.exit_code


def _reader(reading: BoardReading) -> Reader:
    """Reads boards as often as they are asked for; standard input can be read only once, so it is kept."""
    standard_input = cache(partial(reading.read, STDIN))
    return lambda path: standard_input() if path == STDIN else reading.read(path)


def _mode(boards: Sequence[BoardFile], question: Question, read: Reader) -> Mode:
    """Whether engines written here run compiled, decided once for all boards and engines."""
    engines = question.board_engines()
    progress = Progress(len(boards) * len(engines))
    return choose_mode(boards, engines, question, read=read, progress=progress, cancel=is_pending)


def _ask(boards: Sequence[BoardFile], question: Question, workers: int, read: Reader) -> Iterator[BatchEvent]:
    """The boards and their results, found by this process or by several workers."""
    engines = question.board_engines()
    progress = Progress(len(boards) * len(engines))
    if min(workers, len(boards) * len(engines)) <= 1:
        return answers(boards, engines, question, read=read, progress=progress, cancel=is_pending)
    # Imported here, because importing what starts processes takes a while.
    from gemhunter.queries.parallel_batch import Interrupts, parallel_answers

    interrupts = Interrupts(listen, is_pending)
    return parallel_answers(boards, question, workers, read=read, progress=progress, interrupts=interrupts)


def _engines(given: tuple[str, ...]) -> tuple[str, ...]:
    """The engines to ask about clauses: those that were given, else the default for formulas."""
    source = click.get_current_context().get_parameter_source("engine")
    return (FORMULA_ENGINE,) if source is ParameterSource.DEFAULT else given


def _solve_all(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Print all solutions of one board, without the options that are about engines."""
    if len(boards) > 1 or is_folder(boards[0]):
        raise click.UsageError("--all takes one board")
    if options.form not in ("text", "json", "jsonl"):
        raise click.UsageError(f"--all prints text, json or jsonl, not {options.form}")
    unusable = {
        "engine": options.engine != ("auto",),
        "memory-limit": options.memory_limit is not None,
        "seed": options.seed != 0,
        "proof": options.proof_file is not None,
        "encoding": options.encoding is not None,
    }
    for name, is_given in unusable.items():
        if is_given:
            raise click.UsageError(f"--all takes no --{name}")
    position = options.reading.read_and_warn(boards[0])
    limits = Limits(options.time_limit, options.step_limit)
    return print_all(boards[0], position, options.form, options.output, limits=limits, limit=options.limit)
