"""`./mine.py` or `./mine.py:function`: a solver of the user's own, in a file of Python code, as an engine.

The file is imported once, in another process (`python_file_child`), and its function is called there. Only
that call is timed. By the name of its first parameter the function gets a board, as a list of rows, or
clauses and the number of variables. What it returns is recognised by its shape: see `solution_of`.
"""

import json
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.board.puzzle import Puzzle, untouched_cells
from gemhunter.board.solution import Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.grid_program import outcome_of_text
from gemhunter.errors import EngineError, InputError
from gemhunter.printable import program_name
from gemhunter.solving.engine import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import Event, Exhausted, ModelFound, Yielded
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import IMPORT, Run
from gemhunter.work.child import module_command
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.programs import LineProgram

LONGEST_IMPORT_SECONDS = 60.0
ANSWER_POLL_SECONDS = 0.05

TRAP_SIGNS = ("T", "t", "X", "x", "*", "1", "-1", "True", "M", "B")
GEM_SIGNS = ("G", "g", ".", "0", "False", "S", "-")

EXPECTED = "a filled grid, the literals of a model, the cells with traps, or None if there is no solution"


def make_engine(name: str) -> Engine | CnfSolver:
    """The engine for a name such as `./mine.py`, `mine.py:solve_grid` or `mine.py:solve_grid,cells=str`."""
    typed, _, rest = name.partition(".py:")
    file = Path(typed if typed.endswith(".py") else f"{typed}.py")
    if not file.is_file():
        raise InputError(
            f"there is no file {file}; `{program_name()} engines --new {file}` writes one to begin with"
        )
    function, cells = "", "int"
    for part in filter(None, rest.split(",")):
        key, equals, value = part.strip().partition("=")
        if not equals:
            function = key
        elif (key, value) in (("cells", "str"), ("cells", "int")):
            cells = value
        else:
            raise InputError(
                f"{name}: expected the name of a function, cells=int or cells=str, not {part.strip()!r}"
            )
    stamp = file.stat()
    return _kept(name, str(file.resolve()), function, cells, (stamp.st_mtime_ns, stamp.st_size))


@lru_cache(maxsize=16)
def _kept(name: str, file: str, function: str, cells: str, _stamp: tuple[int, int]) -> Engine | CnfSolver:
    """One engine for each file as it is now, so that its process is started once for all boards."""
    process = FileProcess(name, file, function, cells)
    if process.ready["reads"] == "clauses":
        return (TracedFileSolver if process.ready["traceable"] else FileSolver)(process)
    return (TracedFileEngine if process.ready["traceable"] else FileEngine)(process)


class FileProcess:
    """The process that has imported the file; after a limit or a crash, the next question starts another."""

    def __init__(self, name: str, file: str, function: str, cells: str) -> None:
        self.name, self._arguments = name, (file, function, cells)
        self._program: LineProgram | None = None
        self._owner = 0
        self.ready: Mapping[str, Any] = {}
        self._start()

    @property
    def info(self) -> EngineInfo:
        """What is known of a solver whose code is the user's."""
        return EngineInfo(
            self.name,
            f"the solver {self.ready['name']} in a file of your own",
            complete=False,
            deterministic=False,
            memory_limit=can_limit_memory(),
            is_trusted=False,
        )

    def ask(self, task: Mapping[str, Any], run: Run) -> dict[str, Any] | GaveUp:
        """What the solver answers; only the time of its call is charged to `solve`."""
        *_, reply = self.replies({**task, "events": False}, run)
        return reply

    def replies(self, task: Mapping[str, Any], run: Run) -> Iterator[dict[str, Any] | GaveUp]:
        """What the process says until it has the answer, which comes last."""
        with run.stage(IMPORT):
            program = self._start()
        if reason := run.spend():
            yield GaveUp(reason)
            return
        is_idle = False
        try:
            with run.stage("own process"):
                began = perf_counter()
                program.send(json.dumps({"memory": run.limits.memory, **task}))
                while not is_idle:
                    reply = self._next(program, run)
                    if isinstance(reply, GaveUp):
                        run.seconds["solve"] = run.seconds.get("solve", 0.0) + perf_counter() - began
                        yield reply
                        return
                    is_idle = "event" not in reply
                    if is_idle:
                        run.seconds["solve"] = run.seconds.get("solve", 0.0) + reply["seconds"]
                        run.count(**reply["counts"])
                    yield reply
        finally:
            if not is_idle:
                self._end()

    def events(
        self, task: Mapping[str, Any], run: Run, is_refutation: Callable[[dict[str, Any]], bool]
    ) -> Iterator[Event]:
        """What the solver yields, and its answer; nothing comes last if it is stopped at a limit."""
        for reply in self.replies({**task, "events": True}, run):
            if isinstance(reply, GaveUp):
                return
            if "event" in reply:
                yield Yielded(reply["event"])
            else:
                yield Exhausted() if is_refutation(reply) else ModelFound()

    def _next(self, program: LineProgram, run: Run) -> dict[str, Any] | GaveUp:
        while True:
            left = run.seconds_left
            try:
                line = program.receive(
                    ANSWER_POLL_SECONDS if left is None else min(ANSWER_POLL_SECONDS, left)
                )
            except EngineError:
                if run.limits.memory is not None:
                    return GaveUp(StopReason.MEMORY, "the process ended")
                raise
            if line is not None:
                reply: dict[str, Any] = json.loads(line)
                if "fault" in reply:
                    raise EngineError(f"{self.name}: {reply['fault']}")
                return GaveUp(StopReason.MEMORY) if "memory" in reply else reply
            if reason := run.spend():
                return GaveUp(reason)

    def _start(self) -> LineProgram:
        """The process, started and ready."""
        if self._program is not None and self._owner == os.getpid():
            return self._program
        command = module_command(self.name, "gemhunter.engines.python_file_child", *self._arguments)
        program = LineProgram(self.name, command.words, command.environment)
        self._owner, until = os.getpid(), monotonic() + LONGEST_IMPORT_SECONDS
        try:
            while (line := program.receive(ANSWER_POLL_SECONDS)) is None:
                if monotonic() > until:
                    raise EngineError(
                        f"{self.name}: it was not imported within {LONGEST_IMPORT_SECONDS:g} s; put what it "
                        "does when it is started under `if __name__ == '__main__':`"
                    )
            reply = json.loads(line)
            if "fault" in reply:
                raise InputError(f"{self.name}: {reply['fault']}")
        except BaseException:
            program.end()
            raise
        self.ready, self._program = reply["ready"], program
        self._finalizer = weakref.finalize(self, _end, program, self._owner)
        return program

    def _end(self) -> None:
        """End the process: it is still at work on a question that is no longer of interest."""
        self._finalizer()
        self._program = None


def _end(program: LineProgram, owner: int) -> None:
    if (
        os.getpid() == owner
    ):  # a process made by fork has a copy of the object, but the program is not its own
        program.end(seconds=0)


class FileEngine:
    """A solver that is given a board."""

    def __init__(self, process: FileProcess) -> None:
        self._process = process

    @property
    def info(self) -> EngineInfo:
        """What is known of the solver."""
        return self._process.info

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """What the solver answers about the board."""
        return self._outcome(self._process.ask(_board_task(puzzle), run), puzzle)

    def _outcome(self, reply: dict[str, Any] | GaveUp, puzzle: Puzzle) -> Outcome:
        if isinstance(reply, GaveUp):
            return reply
        if "text" in reply:
            return outcome_of_text(reply["text"], puzzle, self._process.name)
        if "none" in reply:
            if "left" in reply and (filled := _filled_in(reply["left"], puzzle)) is not None:
                return Solved(filled)
            return Refuted(f"the clues cannot all hold ({self._process.name} says so)")
        found = solution_of(reply, puzzle, self._process.name)
        if found is None:
            return Refuted(f"the clues cannot all hold ({self._process.name} returned an empty list)")
        return Solved(found)


class TracedFileEngine(FileEngine):
    """A solver that is given a board and yields what it does."""

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """What the solver yields, and its answer."""
        return self._process.events(
            _board_task(puzzle), run, lambda reply: isinstance(self._outcome(reply, puzzle), Refuted)
        )


class FileSolver:
    """A solver that is given clauses."""

    def __init__(self, process: FileProcess) -> None:
        self._process = process

    @property
    def info(self) -> EngineInfo:
        """What is known of the solver."""
        return self._process.info

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """What the solver answers about the formula."""
        return self._answer(self._process.ask(_formula_task(cnf), run), cnf)

    def _answer(self, reply: dict[str, Any] | GaveUp, cnf: Cnf) -> SatAnswer:
        if isinstance(reply, GaveUp):
            return reply
        if "none" in reply:
            return Unsatisfiable()
        literals = _literals(reply)
        if literals is None or any(not 0 < abs(literal) <= cnf.variables for literal in literals):
            raise _unexpected(self._process.name, reply, "the literals of a model, or None if there is none")
        return Satisfied(np.array(literals, np.int64))


class TracedFileSolver(FileSolver):
    """A solver that is given clauses and yields what it does."""

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """What the solver yields, and its answer."""
        return self._process.events(
            _formula_task(cnf), run, lambda reply: isinstance(self._answer(reply, cnf), Unsatisfiable)
        )


def _board_task(puzzle: Puzzle) -> dict[str, Any]:
    signs = {HIDDEN: "_", TRAP: "T", GEM: "G"}
    rows = [[signs.get(code, code) for code in row] for row in puzzle.grid.cells.tolist()]
    return {"rows": rows, "cols": puzzle.cols, "total": puzzle.total, "variables": puzzle.hidden.size}


def _formula_task(cnf: Cnf) -> dict[str, Any]:
    return {"clauses": cnf.clauses(), "variables": cnf.variables, "rows": [], "cols": 0, "total": None}


def solution_of(reply: Mapping[str, Any], puzzle: Puzzle, name: str) -> Solution | None:
    """The solution that an answer means; None for an empty list of traps where there are some.

    People number cells in several ways. Of the readings that an answer allows, the first that fits the board
    is meant; if none does, the answer is wrong in all of them.
    """
    readings = list(_readings(reply, puzzle, name))
    if not readings:
        raise _unexpected(name, reply, EXPECTED)
    for traps in readings:
        if not check(puzzle.grid, Solution(traps).fill(puzzle.grid), puzzle.total):
            return Solution(traps)
    return Solution(readings[0]) if reply.get("cells") != [] else None


def _readings(reply: Mapping[str, Any], puzzle: Puzzle, name: str) -> Iterator[Any]:
    """Booleans for the hidden cells, for each way to read the answer."""
    rows, cols, hidden = puzzle.grid.cells.shape[0], puzzle.cols, puzzle.hidden
    if "grid" in reply:
        yield _traps_of_grid(reply["grid"], puzzle, name)
    elif (literals := _literals(reply)) is not None:
        true = {literal for literal in literals if literal > 0}
        largest = max(map(abs, literals), default=0)
        if largest <= hidden.size:
            yield np.array([number in true for number in range(1, hidden.size + 1)], bool)
        if largest <= rows * cols:
            yield np.array([int(index) + 1 in true for index in hidden], bool)
    elif "cells" in reply or "values" in reply:
        pairs = (
            reply["cells"] if "cells" in reply else [key for key, value in reply["values"] if _is_trap(value)]
        )
        if not all(isinstance(pair, list) for pair in pairs):
            return
        for first in (0, 1):
            indices = [
                (row - first) * cols + col - first for row, col in pairs if first <= row < rows + first
            ]
            if len(indices) == len(pairs) and all(first <= col < cols + first for _, col in pairs):
                yield np.isin(hidden, indices)


def _filled_in(rows: list[list[Any]], puzzle: Puzzle) -> Solution | None:
    """The solution in the rows that a solver was given, if it has filled in one without saying so."""
    if any(cell in ("_", None) for row in rows for cell in row):
        return None
    with suppress(EngineError):
        found = Solution(_traps_of_grid(rows, puzzle, ""))
        if not check(puzzle.grid, found.fill(puzzle.grid), puzzle.total):
            return found
    return None


def _literals(reply: Mapping[str, Any]) -> list[int] | None:
    """The literals of a model, also if it is a table of variables; None if the answer is something else."""
    if "literals" in reply:
        literals: list[int] = reply["literals"]
        return literals
    values = reply.get("values", [[None, None]])
    if all(type(key) is int and key > 0 for key, _ in values):
        return [key if _is_true(value) else -key for key, value in values if value is not None]
    return None


def _traps_of_grid(rows: list[list[Any]], puzzle: Puzzle, name: str) -> Any:
    """Where a filled grid has traps; an `EngineError` if it is another board, or not filled."""
    shape, codes = puzzle.grid.cells.shape, puzzle.grid.cells.ravel().tolist()
    if len({len(row) for row in rows}) > 1:
        raise EngineError(f"{name}: returned rows of unequal lengths; expected {shape[0]}×{shape[1]} cells")
    if (len(rows), len(rows[0])) != shape:
        size = f"a grid of {len(rows)}×{len(rows[0])}"
        raise EngineError(f"{name}: returned {size}; expected {shape[0]}×{shape[1]}")
    cells = [cell for row in rows for cell in row]
    if all(str(cell) in ("0", "1", "True", "False") for cell in cells):
        return np.array([_is_trap(cells[index]) for index in puzzle.hidden], bool)  # a map of the traps
    traps = np.zeros(puzzle.hidden.size, bool)
    untouched = untouched_cells(puzzle)
    for number, index in enumerate(puzzle.hidden.tolist()):
        sign, cell = str(cells[index]), f"r{index // puzzle.cols + 1}c{index % puzzle.cols + 1}"
        if sign in TRAP_SIGNS:
            traps[number] = True
        elif sign not in GEM_SIGNS and not untouched[number]:
            raise EngineError(f"{name}: returned {cells[index]!r} for {cell}; expected T or G")
    given = {TRAP: TRAP_SIGNS, GEM: GEM_SIGNS}
    for index, code in enumerate(codes):
        if code != HIDDEN and str(cells[index]) not in given.get(code, (str(code),)):
            cell = f"r{index // puzzle.cols + 1}c{index % puzzle.cols + 1}"
            shown = {TRAP: "T", GEM: "G"}.get(code, f"the clue {code}")
            raise EngineError(f"{name}: returned {cells[index]!r} for {cell}, where the board has {shown}")
    return traps


def _is_true(value: Any) -> bool:
    """Whether a variable is true; -1 often stands for false there, and for a trap on a board."""
    return _is_trap(value) and str(value) != "-1"


def _is_trap(value: Any) -> bool:
    return value is True or str(value) in TRAP_SIGNS


def _unexpected(name: str, reply: Mapping[str, Any], expected: str) -> EngineError:
    known = ("grid", "literals", "cells", "values", "text", "unknown")
    found = next(
        (f"{key} {reply[key]!r}" if key != "unknown" else reply[key] for key in known if key in reply), ""
    )
    return EngineError(f"{name}: returned {found[:120]}; expected {expected}")
