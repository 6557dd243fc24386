"""`gemhunter solve`: boards or formulas in, answers out; `printout` prints them."""

from functools import cache
from pathlib import Path
from typing import Any

import click

from gemhunter.board.grid import Grid
from gemhunter.cli.declare import argument, command, flag, number, option
from gemhunter.cli.exit_codes import (
    BAD_INPUT,
    GAVE_UP,
    NO_SOLUTION,
    SOLVED,
    complain,
    is_pending,
    listen,
    note,
    stop_if_pending,
)
from gemhunter.cli.options import (
    ENGINE_SEED_OPTION,
    ENGINES_TO_NAME,
    MEMORY_OPTION,
    TRAPS_OPTION,
    ZERO_OPTION,
    are_formulas,
    complete_board,
    engine_option,
    is_given,
    read_board,
    read_with_warnings,
    refuse_options_about_boards,
    seconds_option,
)
from gemhunter.cli.output import Outputs, board_text, format_option, output_option
from gemhunter.cli.printout import Printout
from gemhunter.cli.progress import Progress
from gemhunter.files.access import STDIN
from gemhunter.files.dialects import Zero
from gemhunter.files.folders import find_boards, is_folder, skipped_text
from gemhunter.jit.choice import compiling_everywhere
from gemhunter.printable import json_text
from gemhunter.questions.batch import (
    Interrupts,
    Question,
    answers,
    choose_mode,
    formula_answers,
    parallel_answers,
)
from gemhunter.records.engines import solution_record
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.registry import FORMULA_ENGINE, engine_names
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import counted


@command()
def solve(
    boards: tuple[str, ...] = argument(
        nargs=-1, required=True, metavar="BOARD...", shell_complete=complete_board
    ),
    *,
    engine: tuple[str, ...] = engine_option(
        f"Engine to use: {ENGINES_TO_NAME}; may be given several times.", multiple=True
    ),
    total: int | None = TRAPS_OPTION,
    time_limit: float | None = seconds_option("Give up after this many seconds, per board and engine."),
    every: bool = flag("--all", "Print all solutions of one board."),
    limit: int | None = number("--limit", "With --all: no more than N solutions."),
    form: str = format_option(
        *("text", "json", "jsonl", "csv", "md", "sat"),
        what="How to print; `csv` and `md` print a table of times, `sat` prints `s` and `v` lines and "
        "returns 10, 20 or 0.",
    ),
    outputs: Outputs = output_option(
        "txt json jsonl", "the answers", csv="a table of times", md="a table of times", drat="a proof"
    ),
    encoding: str | None = option(
        "--encoding NAME",
        "How clues become clauses, for engines that read clauses; the names are those of `gemhunter cnf`.",
        rare=True,
    ),
    seed: int = ENGINE_SEED_OPTION,
    step_limit: int | None = number(
        "--step-limit",
        "Give up after this many steps; `gemhunter engines NAME` says what a step is.",
        rare=True,
    ),
    memory_limit: int | None = MEMORY_OPTION,
    workers: int = number(
        "--workers", "Worker processes that solve boards at the same time.", rare=True, default=1
    ),
    zero: Zero = ZERO_OPTION,
    force: bool = flag(
        "--force",
        "In a folder of test cases, overwrite output files and tables that Gem Hunter did not write.",
        rare=True,
    ),
) -> int:
    """Fill in boards, or show that it cannot be done.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt -e pysat:glucose4 -e cdcl -o answers.txt
      gemhunter solve testcases/ --time-limit 10 -o times.csv
      gemhunter solve position.txt --traps 10 --format json
      gemhunter solve board.txt --all --limit 10
      gemhunter solve board.txt -o board.drat
      gemhunter solve formula.cnf -e cdcl -e pysat:glucose4

    BOARD is a file, a folder, or - for standard input. The board is shown, then the filled board and the
    running time of each engine. In a folder of test cases (testcase_1/input_1.txt), each gets an
    output_1.txt, and the times go to result_times.txt and times.csv. Existing files of these names are kept
    unless Gem Hunter wrote them and they have not changed since; --force replaces them too. Files in a folder
    that are not boards are skipped. The engines of Gem Hunter run all compiled, or all as plain Python if
    that takes less time; the table says which. A file is a DIMACS formula if its name ends in .cnf or its
    first line says so; it is answered with `s` and `v` lines. A proof (.drat) shows that one board or formula
    has no solution.
    """
    for name in boards:
        if name in engine_names() and not Path(name).exists():
            raise click.UsageError(f"{name} is an engine, not a board; each engine needs its own -e")
    limits = Limits(time_limit, step_limit, memory_limit)
    formulas = are_formulas(boards)
    if (formulas or encoding is not None) and not is_given("engine"):
        engine = (FORMULA_ENGINE,)  # clauses go to an engine that reads clauses
    proofs = outputs.ending("drat")
    several = len(boards) > 1 or len(engine) > 1 or any(map(is_folder, boards))
    what = "formula" if formulas else "board"
    if form == "sat" and several:
        raise click.UsageError(f"--format sat takes one {what} and one engine")
    if proofs and several:
        raise click.UsageError(f"a proof is about one {what} and one engine; leave out {proofs[0]}")
    if not formulas and (every or limit is not None):
        if not every:
            raise click.UsageError("--limit needs --all")
        for name in ("engine", "memory_limit", "seed", "encoding", "workers", "force"):
            if is_given(name):
                raise click.UsageError(f"--all takes no --{name.replace('_', '-')}")
        if several:
            raise click.UsageError("--all takes one board")
        if unusable := outputs.ending("csv", "md", "drat"):
            raise click.UsageError(f"--all writes .txt, .json or .jsonl, not {unusable[0]}")
        if form not in ("text", "json", "jsonl"):
            raise click.UsageError(f"--all prints text, json or jsonl, not {form}")
        return _solve_all(boards[0], zero, total, form, outputs, limits, limit)
    question = Question(engine, limits, seed, bool(proofs), encoding)
    printed = Printout(form, outputs, several=several, force=force)
    if formulas:
        kept = ("engine", "time_limit", "step_limit", "memory_limit", "seed", "form", "outputs")
        refuse_options_about_boards(boards[0], *kept)
        engines = question.formula_engines()
        progress = Progress(len(boards) * len(engines))
        printed.add_all(formula_answers(boards, engines, question, progress=progress, cancel=is_pending))
        return printed.exit_code
    return _solve_boards(boards, zero, total, question, printed, workers)


def _solve_boards(
    arguments: tuple[str, ...],
    zero: Zero,
    total: int | None,
    question: Question,
    printed: "Printout",
    workers: int,
) -> int:
    """Ask every engine about every board."""
    found = find_boards(arguments)
    boards, folders = found.boards, [Path(name) for name in arguments if is_folder(name)]
    printed.require_own_files(boards, folders)
    # A board is read again for each use; standard input can be read only once, so it is kept.
    standard_input = cache(lambda: read_with_warnings(STDIN, zero, total))

    def read(path: str) -> Any:
        return standard_input() if path == STDIN else read_with_warnings(path, zero, total)

    engines = question.board_engines()
    tasks = len(boards) * len(engines)
    # Whether our own engines run compiled is decided once for all boards and engines.
    mode = choose_mode(boards, engines, question, read=read, progress=Progress(tasks), cancel=is_pending)
    with compiling_everywhere(mode):
        progress = Progress(tasks)
        if min(workers, tasks) <= 1:
            events = answers(boards, engines, question, read=read, progress=progress, cancel=is_pending)
        else:
            interrupts = Interrupts(listen, is_pending)
            events = parallel_answers(
                boards, question, workers, read=read, progress=progress, interrupts=interrupts
            )
        printed.add_all(events, folders)
    if found.skipped:
        note(skipped_text(found.skipped))
    for fault in found.faults:
        complain(fault)
    return max(printed.exit_code, BAD_INPUT) if found.faults else printed.exit_code


def _solve_all(
    board: str, zero: Zero, total: int | None, form: str, outputs: Outputs, limits: Limits, limit: int | None
) -> int:
    """Print all solutions of one board as they are found, until something ends the search."""
    from gemhunter.questions.solutions import solutions

    position = read_board(board, zero, total)
    found: list[Grid] = []
    is_live = outputs.is_printed and form != "json"

    def text(form: str, place: int, filled: Grid, *, in_file: bool) -> str:
        if form == "text":
            return f"solution {place}\n{filled if in_file else board_text(filled)}\n\n"
        return f"{json_text(solution_record(board, place, filled))}\n"

    with Progress(1) as progress:
        progress.begin(board)
        run = Run(limits, cancel=is_pending, progress=progress.tick)
        walk = solutions(position.grid, total=position.total, limit=limit, run=run)
        try:
            for filled in walk:
                progress.clear()
                found.append(filled)
                if is_live:
                    click.echo(text(form, walk.found, filled, in_file=False), nl=False)
            stop_if_pending()
        finally:
            # However the search ended, the solutions so far are given.
            progress.clear()
            refuted = f"no solution: {walk.ending.reason}\n" if isinstance(walk.ending, Refuted) else ""

            def document(form: str) -> str:
                parts = [text(form, place, each, in_file=True) for place, each in enumerate(found, 1)]
                if form == "json":
                    return "[\n" + ",\n".join(part.rstrip() for part in parts) + "\n]\n" if parts else "[]\n"
                return "".join(parts) + (refuted if form == "text" else "")

            def printed(form: str) -> str:
                if not is_live:
                    return document(form)
                return refuted if form == "text" else ""

            size = counted(walk.found, "solution")
            outputs.give(form, printed, size, document)
    match walk.ending:
        case Refuted():
            if form != "text":
                note(refuted.rstrip())
            return NO_SOLUTION
        case GaveUp() as gave_up:
            note(f"{size}, then gave up: {gave_up.reason}")
            return GAVE_UP
        case ending:
            note(f"{size}: {ending}")
            return SOLVED
