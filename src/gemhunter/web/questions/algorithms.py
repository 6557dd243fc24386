"""Questions about algorithms: traces, implication graphs, the clauses of a clue, comparisons and reports.

Each question has a body and a task that answers it; they are listed at the end.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Annotated, Any

from msgspec import to_builtins
from pydantic import Field

from gemhunter.bench.ledger import run_line
from gemhunter.bench.runs import (
    BenchLimits,
    EngineComparison,
    RunSetting,
    RunTask,
    WorkersUsed,
    are_compiled,
    engine_processes,
    measure,
    run_workers,
)
from gemhunter.bench.suites import BenchBoard, Suite
from gemhunter.board.position import Position
from gemhunter.cnf.accounts import clauses_of_clue
from gemhunter.draw.graphs import draw_graph
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.text_tables import csv_rows
from gemhunter.optional_packages import has_package
from gemhunter.questions import trace as tracing
from gemhunter.questions.trace import TRACEABLE, Step
from gemhunter.records.boards import trace_record
from gemhunter.records.formulas import listed_clauses_record
from gemhunter.report.collect import collect, count_missing
from gemhunter.report.contents import write_document
from gemhunter.report.findings import Findings
from gemhunter.report.formats.html import write_page
from gemhunter.report.plan import QUICK_EFFORT, plan_for
from gemhunter.solving.events import LastEvent, Learned
from gemhunter.solving.registry import (
    NEEDS_ARGUMENT,
    engine_names,
    get_engine,
    require_installed,
    starts_program,
)
from gemhunter.solving.run import Run
from gemhunter.web.questions.question import (
    BOARD_NAME,
    ApiQuestion,
    BoardBody,
    Body,
    CellName,
    Name,
    Seed,
    Worker,
    cell_on_board,
)
from gemhunter.wording import counted, listed
from gemhunter.work.jobs import StoppedJobError
from gemhunter.work.workers import first_core

TRACE_STEPS = 20_000
"""Steps of the longest trace."""


class TraceBody(BoardBody):
    """A board, the engine to watch, and the maximum number of steps to list."""

    engine: Name = "cdcl"
    seed: Seed = 0
    most: Annotated[int, Field(strict=True, ge=1, le=TRACE_STEPS)] = 2000


def trace_engine(worker: Worker, body: TraceBody) -> dict[str, Any]:
    """What an engine does on a board, step by step."""
    position = worker.position(body.grid, body.traps)
    steps = list(islice(_steps(worker, body, position), body.most))
    complete = bool(steps) and isinstance(steps[-1].event, LastEvent)
    return trace_record(
        BOARD_NAME, position.grid, steps, engine=body.engine, seed=body.seed, complete=complete
    )


class GraphBody(TraceBody):
    """A search by CDCL, and the number of the conflict to draw."""

    conflict: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 1


def draw_conflict(worker: Worker, body: GraphBody) -> str:
    """The implication graph behind a learned clause, as SVG."""
    position, learned = worker.position(body.grid, body.traps), 0
    names = tracing.names_of(position.grid, position.total)
    for step in _steps(worker, body, position):
        if isinstance(step.event, Learned):
            learned += 1
            if learned == body.conflict:
                return draw_graph(names.graph(step.event))
    raise InputError(f"there is no conflict {body.conflict} to draw: {counted(learned, 'clause')} learned")


def _steps(worker: Worker, body: TraceBody, position: Position) -> Iterator[Step]:
    """The steps of a search, until the client leaves or the time is up."""
    if body.engine.partition(":")[0] not in TRACEABLE:
        raise InputError(f"{body.engine} cannot be traced; {listed(TRACEABLE)} can")
    run = worker.new_run(seed=body.seed)
    # The search itself has no time limit, because it waits between the steps.
    for step in tracing.trace(position.grid, body.engine, total=position.total, run=Run(seed=body.seed)):
        yield step
        if run.spend(1) is not None:
            return


class ClueBody(BoardBody):
    """A board and one of its clues."""

    cell: CellName


def list_clauses(worker: Worker, body: ClueBody) -> dict[str, Any]:
    """The clauses of a clue, in terms of cells."""
    position = worker.position(body.grid, body.traps)
    return listed_clauses_record(clauses_of_clue(position.grid, cell_on_board(body.cell, position)))


COMPARISON_BOARDS, COMPARISON_ENGINES = 50, 20
"""Boards and engines in the largest comparison."""


class NamedBoard(BoardBody):
    """A board, and its name without control characters."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class CompareBody(Body):
    """Boards, engines, and the number of runs and the time limit of each engine on each board."""

    boards: Annotated[list[NamedBoard], Field(fail_fast=True, min_length=1, max_length=COMPARISON_BOARDS)]
    engines: Annotated[list[Name], Field(fail_fast=True, min_length=1, max_length=COMPARISON_ENGINES)]
    runs: Annotated[int, Field(strict=True, ge=1, le=10)] = 3
    seconds: Annotated[float, Field(strict=True, gt=0, le=60)] = 5.0


def compare_engines(worker: Worker, body: CompareBody) -> dict[str, Any]:
    """Run every engine on every board, each engine in its own process, and send each run when it is measured.

    Unless most engines are compiled already, they run as plain Python, so that no run waits for a compiler.
    """
    engines = _engines(body)
    worker.job.pause("starting engines")
    rows: list[dict[str, Any]] = []
    with engine_processes():
        limits = BenchLimits(min(body.seconds, worker.limits.seconds))
        setting = RunSetting(limits, compiled=are_compiled(engines))
        comparison = EngineComparison(_suite(worker, body), engines, setting, runs=body.runs)
        boards = {board.name: board for board in comparison.suite.boards}
        for task in comparison.tasks():

            def report(line: str, task: RunTask = task) -> None:
                mode = "" if setting.compiled else ", in plain Python"
                run = f"{task.engine} on {task.board}, run {task.run} of {comparison.runs}{mode}"
                worker.job.pause(f"{run}: {line}" if line else run)

            report("")
            measurement = measure(
                task,
                boards[task.board],
                setting,
                core=first_core(),
                is_cancelled=worker.job.is_cancelled,
                on_compiling=report,
            )
            if measurement is None:  # cancelled
                break
            rows.append({**to_builtins(run_line(measurement)), "total": measurement.total})
            worker.job.send(rows[-1])
    # The columns of the CSV file, and the fields of a run that they show.
    columns = {name: name for name in ("board", "engine", "run", "verdict", "reason")}
    columns |= {"seconds": "total", "memory_bytes": "memory"}
    table = [tuple(columns), *(tuple(row[field] for field in columns.values()) for row in rows)]
    return {"runs": len(rows), "csv": csv_rows(table)}


def write_report(worker: Worker, body: CompareBody) -> dict[str, Any]:
    """Measure engines on boards, and return the report as one HTML document."""
    effort = replace(QUICK_EFFORT, most_seconds=min(body.seconds, worker.limits.seconds))
    plan = plan_for(_suite(worker, body), effort, engines=_engines(body))
    worker.job.pause("on a new machine, engines are compiled before they are measured")
    with run_workers(None, 1) as workers:
        findings = Findings(plan.made_by(WorkersUsed.of(workers)))
        missing = count_missing(findings)
        lines = collect(findings, workers, is_cancelled=worker.job.is_cancelled)
        for number, line in enumerate(lines, 1):
            findings.add(line.record)
            worker.job.send({"done": number, "of": missing, "latest": line.words})
    if worker.job.is_cancelled():
        raise StoppedJobError("cancelled")
    return {"html": write_page(write_document(findings, with_charts=has_package("matplotlib")))}


def _suite(worker: Worker, body: CompareBody) -> Suite:
    """The boards of a request, whose names must differ."""
    boards = {}
    for board in body.boards:
        position = worker.position(board.grid, board.traps)
        if board.name in boards:
            raise InputError(f"two boards are called {board.name!r}")
        boards[board.name] = BenchBoard(board.name, position.grid, position.total)
    return Suite("the web page", "Boards of the web page", tuple(boards.values()))


def _engines(body: CompareBody) -> tuple[str, ...]:
    """The engines of a request, which must be listed, because other names could run a program or a file."""
    offered = {name.partition(":")[0] for name in engine_names()} - set(NEEDS_ARGUMENT)
    for name in body.engines:
        base = name.partition(":")[0]
        if base not in offered:
            if starts_program(name):
                raise InputError(
                    f"{name!r} starts a program, which the web page does not do; use the command line"
                )
            raise UnknownNameError("engine", name, engine_names())
        require_installed(get_engine(name))
    return tuple(dict.fromkeys(body.engines))


MEASURED_SECONDS = 300.0
"""The time limit of a measured run, which leaves time to compile the engine first."""

ALGORITHM_QUESTIONS = (
    ApiQuestion("trace", TraceBody, trace_engine, "What an engine does, step by step."),
    ApiQuestion(
        "trace-graph",
        GraphBody,
        draw_conflict,
        "The implication graph behind a learned clause.",
        "image/svg+xml",
    ),
    ApiQuestion("clauses", ClueBody, list_clauses, "The clauses of one clue."),
    ApiQuestion(
        "compare",
        CompareBody,
        compare_engines,
        "Engines on boards, each engine in a separate process.",
        seconds=MEASURED_SECONDS,
        is_long=True,
    ),
    ApiQuestion(
        "report",
        CompareBody,
        write_report,
        "A report about engines on boards, measured now.",
        seconds=MEASURED_SECONDS,
        is_long=True,
    ),
)
