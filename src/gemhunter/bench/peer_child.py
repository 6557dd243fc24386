"""Runs of a contestant on a board in a process of their own: `python -m gemhunter.bench.peer_child FOLDER`.

The folder has the board and the task; what became of it is written there. Imports, compiling and first calls
on tiny boards come before the clock starts, and the check of a peer's answer after it has stopped. The file
STARTED is there while a run is under way, and touched when one starts and while something is compiled.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.bench.child import pin_to_core
from gemhunter.bench.files import BOARD, RESULT, STARTED, TASK, StartMark
from gemhunter.bench.peer_checks import objection
from gemhunter.bench.peers import CONTESTANTS, PEERS, Contestant
from gemhunter.bench.reasons import SHORT_WORDS
from gemhunter.bench.values import Verdict
from gemhunter.compiling.choice import Mode, compiling, current_mode, is_installed
from gemhunter.compiling.progress import listening, working_clock
from gemhunter.core.grid import Grid
from gemhunter.formats.files import write_atomically
from gemhunter.formats.text import read_grid
from gemhunter.queries.first_call import BOARDS, ROUNDS
from gemhunter.solving.outcomes import GaveUp, Refuted

FIRST_TOTALS = (4, 1)
"""Totals of the tiny boards for first calls."""


def main() -> None:
    """Make the runs of the task in the folder that the command line names."""
    folder = Path(sys.argv[1])
    task = json.loads((folder / TASK).read_text(encoding="utf-8"))
    pin_to_core(task["core"])
    contestant, grid = CONTESTANTS[task["contestant"]], read_grid(folder / BOARD)
    mark = StartMark(folder / STARTED)
    with compiling(_mode(contestant)):
        make_first_calls_of(contestant, has_total=task["traps"] is not None)
        with listening(mark.hear):
            record = _runs(task, contestant, grid, mark)
    write_atomically(folder / RESULT, json.dumps(record))


def _mode(contestant: Contestant) -> Mode:
    """Ours run compiled; for a peer only its check would be, which small boards do not need."""
    if contestant in PEERS or current_mode() is Mode.NEVER or not is_installed():
        return current_mode()
    return Mode.ALWAYS


def make_first_calls_of(contestant: Contestant, *, has_total: bool) -> None:
    """Import what a contestant needs and let it get warm on boards that do not matter."""
    for codes, total in zip(BOARDS * ROUNDS, FIRST_TOTALS * ROUNDS, strict=True):
        grid = Grid(np.array(codes, np.int8))
        contestant.prepare(grid, total if has_total else None, float("inf"))()


def _runs(task: Mapping[str, Any], contestant: Contestant, grid: Grid, mark: StartMark) -> dict[str, Any]:
    """Seconds of the runs, and what they came to.

    A first run warms up and does not count, unless it is the only one: no run is begun when those before have
    taken the time of the process.
    """
    total, limit = task["traps"], task["seconds"]
    work = contestant.prepare(grid, total, limit)
    seconds: list[float] = []
    answer: object = None
    while len(seconds) <= task["runs"] and sum(seconds) <= task["together"]:
        mark.start()
        began = working_clock()
        answer = work()
        seconds.append(working_clock() - began)
        if isinstance(answer, GaveUp):
            reason = SHORT_WORDS.get(answer.stop_reason, answer.stop_reason.value)
            return _record(Verdict.GAVE_UP, reason, [], sum(seconds))
    mark.stop()
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


if __name__ == "__main__":
    main()
