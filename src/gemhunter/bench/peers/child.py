"""Runs of a contestant on a board in a process of their own: `python -m gemhunter.bench.peers.child`.

Imports, compiling and first calls on tiny boards
come before the clock starts; it starts for each run, is set back if something is compiled, and has stopped
when a peer's answer is checked: solutions by the independent checker, other answers by comparison with ours.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.bench.child import FIRST_CALL_BOARDS
from gemhunter.bench.peers.contestants import CONTESTANTS, PEERS, Contestant, PeerQuestion
from gemhunter.bench.values import SHORT_WORDS, Verdict
from gemhunter.compiling.choice import Mode, compiling, current_mode, is_installed
from gemhunter.compiling.progress import listening, working_clock
from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN, Cell, Grid
from gemhunter.formats.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.queries.count import count
from gemhunter.queries.forced import forced
from gemhunter.queries.probability import probabilities
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.work.timed_child import TaskReporter, serve_tasks
from gemhunter.work.workers import pin_to_core

FIRST_TOTALS = (4, 1)
"""Totals of the tiny boards for first calls."""

LARGEST_DIFFERENCE = 1e-6
"""Probabilities that differ by more are different answers."""


def make_runs(task: Mapping[str, Any], reporter: TaskReporter) -> dict[str, Any]:
    """Make the runs of a task; the record of what they came to."""
    pin_to_core(task["core"])
    contestant, grid = CONTESTANTS[task["contestant"]], read_grid(Path(task["board"]))
    with compiling(_mode(contestant)):
        make_first_calls_of(contestant, has_total=task["traps"] is not None)
        with listening(reporter.say_compiling):
            return _runs(task, contestant, grid, reporter)


def _mode(contestant: Contestant) -> Mode:
    """Our contestants run compiled; peers need our kernels only to check their answers, plain or compiled."""
    if contestant in PEERS or current_mode() is Mode.NEVER or not is_installed():
        return current_mode()
    return Mode.ALWAYS


def make_first_calls_of(contestant: Contestant, *, has_total: bool) -> None:
    """Import what a contestant needs and let it get warm on boards that do not matter."""
    for codes, total in zip(FIRST_CALL_BOARDS * 4, FIRST_TOTALS * 4, strict=True):
        grid = Grid(np.array(codes, np.int8))
        contestant.prepare(grid, total if has_total else None, float("inf"))()


def _runs(
    task: Mapping[str, Any], contestant: Contestant, grid: Grid, reporter: TaskReporter
) -> dict[str, Any]:
    """Seconds of the runs, and what they came to.

    A first run warms up and does not count, unless it is the only one: no run is begun when those before have
    taken the time of the process.
    """
    total, limit = task["traps"], task["seconds"]
    work = contestant.prepare(grid, total, limit)
    seconds: list[float] = []
    answer: object = None
    while len(seconds) <= task["runs"] and sum(seconds) <= task["together"]:
        reporter.start_clock()
        began = working_clock()
        answer = work()
        seconds.append(working_clock() - began)
        if isinstance(answer, GaveUp):
            reason = SHORT_WORDS.get(answer.stop_reason, answer.stop_reason.value)
            return _record(Verdict.GAVE_UP, reason, [], sum(seconds))
    reporter.stop_clock()
    wrong = ""
    if contestant in PEERS:
        wrong = objection(contestant.question, answer, grid, total, seconds=limit)
    if wrong:
        return _record(Verdict.WRONG, wrong, [], sum(seconds))
    is_refuted = answer is None or isinstance(answer, Refuted) or (isinstance(answer, int) and answer == 0)
    verdict = Verdict.REFUTED if is_refuted else Verdict.SOLVED
    return _record(verdict, "", seconds[1:] or seconds, sum(seconds))


def _record(verdict: Verdict, reason: str, seconds: Sequence[float], spent: float) -> dict[str, Any]:
    return {"verdict": verdict, "reason": reason, "seconds": list(seconds), "spent": spent}


def objection(question: PeerQuestion, answer: Any, grid: Grid, total: int | None, *, seconds: float) -> str:
    """What is wrong with a peer's answer; empty if nothing is, or if we find no answer within `seconds`.

    `answer` is a filled board as rows of marks, a count, rows of probabilities, or certain gems and traps;
    None says that the board has no solution.
    """
    if answer is None or question is PeerQuestion.SOLUTION:
        return _about_solution(answer, grid, total, seconds)
    if question is PeerQuestion.COUNT:
        return _about_count(answer, grid, total, seconds)
    if question is PeerQuestion.PROBABILITIES:
        return _about_probabilities(np.array(answer, float), grid, total, seconds)
    return _about_certain(answer, grid, total, seconds)


def _about_solution(answer: list[list[str]] | None, grid: Grid, total: int | None, seconds: float) -> str:
    if answer is None:
        is_solved = isinstance(solve(grid, total=total, time_limit=seconds).outcome, Solved)
        return "says that there is no solution; auto has one" if is_solved else ""
    broken = check(grid, parse_grid("\n".join(", ".join(row) for row in answer)), total)
    return str(broken[0]) if broken else ""


def _about_count(answer: int, grid: Grid, total: int | None, seconds: float) -> str:
    ours = count(grid, total=total, time_limit=seconds)
    return "" if isinstance(ours, GaveUp) or ours == answer else f"counts {answer}; count says {ours}"


def _about_probabilities(answer: NDArray[np.float64], grid: Grid, total: int | None, seconds: float) -> str:
    ours = probabilities(grid, total=total, time_limit=seconds)
    if isinstance(ours, GaveUp):
        return ""
    if not isinstance(ours, Probabilities):
        return "has probabilities for a board without a solution"
    difference = np.abs(answer - ours.values)[grid.cells == HIDDEN].max(initial=0.0)
    return "" if difference <= LARGEST_DIFFERENCE else f"differs from probabilities by up to {difference:.2g}"


def _about_certain(
    answer: tuple[set[tuple[int, int]], set[tuple[int, int]]], grid: Grid, total: int | None, seconds: float
) -> str:
    """Cells with nothing shown around them are not compared: this peer does not look at them."""
    ours = forced(grid, total=total, time_limit=seconds)
    if isinstance(ours, GaveUp):
        return ""
    if not isinstance(ours, Forced):
        return "has certain cells on a board without a solution"
    for name, theirs, own in (("gem", answer[0], ours.gems), ("trap", answer[1], ours.traps)):
        known = {tuple(cell) for cell in own if _touches_something(grid, cell)}
        for row, col in sorted(theirs ^ known):
            side = "forced says so, the peer does not" if (row, col) in known else "forced does not say so"
            return f"{Cell(row, col)} is certainly a {name}: {side}"
    return ""


def _touches_something(grid: Grid, cell: Cell) -> bool:
    """Whether anything is shown around a hidden cell."""
    around = grid.cells[max(cell.row - 1, 0) : cell.row + 2, max(cell.col - 1, 0) : cell.col + 2]
    return bool((around != HIDDEN).any())


if __name__ == "__main__":
    serve_tasks(make_runs)
