"""Algorithms at work: traces, implication graphs, the clauses of a clue, comparisons and reports."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from gemhunter.board.position import Position
from gemhunter.cnf.encode import clauses_of_clue
from gemhunter.compare.ledger import measurement_record
from gemhunter.compare.report.contents import write_document
from gemhunter.compare.report.findings import Findings, collect, count_missing
from gemhunter.compare.report.html import write_page
from gemhunter.compare.report.plan import QUICK_EFFORT, plan_for
from gemhunter.compare.runs import (
    EngineComparison,
    RunSetting,
    are_compiled,
    engine_processes,
    measure,
    run_workers,
)
from gemhunter.compare.suites import BenchBoard, BenchLimits, Measurement, RunTask, Suite, WorkersUsed
from gemhunter.draw.graphs import draw_graph
from gemhunter.errors import InputError
from gemhunter.extras import has_package
from gemhunter.files.tables import csv_rows
from gemhunter.printable import listed
from gemhunter.questions import trace as tracing
from gemhunter.questions.trace import TRACEABLE, Step
from gemhunter.records.answers import listed_clauses_record
from gemhunter.records.boards import trace_record
from gemhunter.solving.events import LAST_EVENTS, Learned
from gemhunter.solving.registry import get_engine, require_installed
from gemhunter.solving.run import Run
from gemhunter.web.tasks.boards import BOARD_NAME, Asked, Worker, require_harmless
from gemhunter.work.workers import first_core

MAY_COMPILE = "on a new machine, engines are compiled before they are measured"

COMPARED_COLUMNS = {
    **{name: name for name in ("board", "engine", "run", "verdict", "reason")},
    "seconds": "total",
    "memory_bytes": "memory",
}
"""The columns of a comparison as CSV, and the fields of a run that they show."""


def trace_engine(worker: Worker, asked: Asked) -> dict[str, Any]:
    """What an engine does about a board, step by step."""
    position = worker.position(asked)
    found = list(islice(_steps(worker, asked, position), asked["most"]))
    complete = bool(found) and isinstance(found[-1].event, LAST_EVENTS)
    engine, seed = asked["engine"], asked["seed"]
    return trace_record(BOARD_NAME, position.grid, found, engine=engine, seed=seed, complete=complete)


def draw_conflict(worker: Worker, asked: Asked) -> str:
    """The implication graph behind a learned clause, as SVG."""
    position, found = worker.position(asked), 0
    names = tracing.names_of(position.grid, position.total)
    for step in _steps(worker, asked, position):
        if isinstance(step.event, Learned):
            found += 1
            if found == asked["conflict"]:
                return draw_graph(names.graph(step.event))
    raise InputError(f"there is no conflict {asked['conflict']} to draw: {found} clauses were learned")


def _steps(worker: Worker, asked: Asked, position: Position) -> Iterator[Step]:
    """The steps of a search, until the client has left or the time is over."""
    engine = asked["engine"]
    if engine.partition(":")[0] not in TRACEABLE:
        raise InputError(f"{engine} cannot be traced; {listed(TRACEABLE)} can")
    run = worker.new_run(asked, seed=asked["seed"])
    steps = tracing.trace(position.grid, engine, total=position.total, run=Run(seed=asked["seed"]))
    for step in steps:
        yield step
        if run.spend(1) is not None:
            return


def list_clauses(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The clauses of one clue, in terms of cells."""
    position = worker.position(asked)
    return listed_clauses_record(clauses_of_clue(position.grid, worker.cell(asked, position)))


def compare_engines(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Every engine on every board, each engine in a process of its own; runs come as they are measured.

    No run waits for a compiler: unless most of it has been compiled, engines run as plain Python.
    """
    engines = _engines(asked)
    worker.desk.pause("starting engines")
    made: list[Measurement] = []
    with engine_processes():
        limits = BenchLimits(min(asked["seconds"], worker.limits.seconds))
        setting = RunSetting(limits, compiled=are_compiled(engines))
        comparison = EngineComparison(_suite(worker, asked), engines, setting, runs=asked["runs"])
        boards = {board.name: board for board in comparison.suite.boards}
        for task in comparison.tasks():

            def say(line: str, task: RunTask = task) -> None:
                mode = "" if setting.compiled else ", in plain Python"
                run = f"{task.engine} on {task.board}, run {task.run} of {comparison.runs}{mode}"
                worker.desk.pause(f"{run}: {line}" if line else run)

            say("")
            found = measure(
                task,
                boards[task.board],
                setting,
                core=first_core(),
                is_cancelled=worker.desk.is_cancelled,
                on_compiling=say,
            )
            if found is None:
                break
            made.append(found)
            worker.desk.send(_run_record(found))
    rows = [_run_record(found) for found in made]
    table = [
        tuple(COMPARED_COLUMNS),
        *(tuple(row[name] for name in COMPARED_COLUMNS.values()) for row in rows),
    ]
    return {"runs": len(rows), "csv": csv_rows(table)}


def write_report(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The report about engines on boards, measured now, as one HTML document."""
    with_charts = has_package("matplotlib")
    effort = replace(QUICK_EFFORT, most_seconds=min(asked["seconds"], worker.limits.seconds))
    plan = plan_for(_suite(worker, asked), effort, engines=_engines(asked))
    worker.desk.pause(MAY_COMPILE)
    with run_workers(None, 1) as workers:
        findings = Findings(plan.made_by(WorkersUsed.of(workers)))
        missing = count_missing(findings)
        lines = collect(findings, workers, is_cancelled=worker.desk.is_cancelled)
        for number, found in enumerate(lines, 1):
            findings.add(found.record)
            worker.desk.send({"done": number, "of": missing, "latest": found.words})
    if worker.desk.is_cancelled():
        raise InputError("cancelled")
    return {"html": write_page(write_document(findings, with_charts=with_charts))}


def _run_record(found: Measurement) -> dict[str, Any]:
    """A run as ledgers keep it, with the seconds of the engine if it has an answer."""
    return {**measurement_record(found), "total": found.total}


def _suite(worker: Worker, asked: Asked) -> Suite:
    """The boards of a request, each with a name of its own."""
    boards = {}
    for each in asked["boards"]:
        position = worker.position(each)
        if each["name"] in boards:
            raise InputError(f"two boards are called {each['name']!r}")
        boards[each["name"]] = BenchBoard(each["name"], position.grid, position.total)
    return Suite("the web page", "Boards of the web page", tuple(boards.values()))


def _engines(asked: Asked) -> tuple[str, ...]:
    """The engines of a request, all of which can be used."""
    for name in asked["engines"]:
        require_installed(get_engine(require_harmless(name)))
    return tuple(dict.fromkeys(asked["engines"]))
