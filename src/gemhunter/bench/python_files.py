"""`./mine.py` or `./mine.py:function`: a solver that the user has written, in a file of Python code.

The file is imported once, in another process, and its function is called there. Only that call is timed.
The name of its first parameter decides whether it gets a board, as a list of rows, or clauses and the
number of variables. What it returns is recognised by its shape: see `solution_of`.
"""

import json
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from gemhunter.bench.grid_programs import outcome_of_text
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.board.puzzle import Puzzle, Solution, untouched_cells
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.commands import OUTPUT_BYTES_LIMIT
from gemhunter.errors import EngineError, GemHunterError, InputError
from gemhunter.solving.engine import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import Event, Exhausted, ModelFound, Yielded
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import IMPORT, Run
from gemhunter.wording import program_name
from gemhunter.work.child_process import CHILD_POLL_SECONDS, module_command
from gemhunter.work.line_program import LineProgram
from gemhunter.work.memory import can_limit_memory

TRAP_SIGNS = ("T", "t", "X", "x", "*", "1", "-1", "True", "M", "B")
GEM_SIGNS = ("G", "g", ".", "0", "False", "S", "-")


def make_python_file(name: str, file: Path, settings: str) -> Engine | CnfSolver:
    """The engine for a file, with settings such as `solve_grid`, `cells=str` or `solve_grid,cells=str`."""
    if not file.is_file():
        raise InputError(
            f"there is no file {file}; `{program_name()} engines --new {file}` writes one to begin with"
        )
    function, cells = "", "int"
    for part in filter(None, settings.split(",")):
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
    """The engine for this version of a file; it is kept, so that its process starts once for all boards."""
    process = FileProcess(name, file, function, cells)
    if process.ready["reads"] == "clauses":
        return (TracedFileSolver if process.ready["traceable"] else FileSolver)(process)
    return (TracedFileEngine if process.ready["traceable"] else FileEngine)(process)


class _OfFile:
    """What all engines in files share: the process that has imported the file."""

    def __init__(self, process: "FileProcess") -> None:
        self._process = process

    @property
    def info(self) -> EngineInfo:
        """What is known about a solver that the user has written."""
        return EngineInfo(
            self._process.name,
            f"the solver {self._process.ready['name']} in a file of your own",
            complete=False,
            deterministic=False,
            memory_limit=can_limit_memory(),
            is_trusted=False,
        )


class FileEngine(_OfFile):
    """A solver that is given a board."""

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Call the solver on the board."""
        return self._outcome(self._process.ask(self._task(puzzle), run), puzzle)

    @staticmethod
    def _task(puzzle: Puzzle) -> dict[str, Any]:
        signs = {HIDDEN: "_", TRAP: "T", GEM: "G"}
        rows = [[signs.get(code, code) for code in row] for row in puzzle.grid.cells.tolist()]
        return {"rows": rows, "cols": puzzle.cols, "total": puzzle.total, "variables": puzzle.hidden.size}

    def _outcome(self, reply: dict[str, Any] | GaveUp, puzzle: Puzzle) -> Outcome:
        if isinstance(reply, GaveUp):
            return reply
        if "text" in reply:
            return outcome_of_text(reply["text"], puzzle, self._process.name)
        if "none" in reply:
            if "left" in reply and (filled := _filled_in(reply["left"], puzzle)) is not None:
                return Solved(filled)
            return Refuted(f"the clues cannot all hold, according to {self._process.name}")
        solution = solution_of(reply, puzzle, self._process.name)
        if solution is None:
            return Refuted(f"the clues cannot all hold ({self._process.name} returned an empty list)")
        return Solved(solution)


class TracedFileEngine(FileEngine):
    """A solver that is given a board and yields what it does."""

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """What the solver yields, and its answer."""
        return self._process.events(
            self._task(puzzle), run, lambda reply: isinstance(self._outcome(reply, puzzle), Refuted)
        )


class FileSolver(_OfFile):
    """A solver that is given clauses."""

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Call the solver on the formula."""
        return self._answer(self._process.ask(self._task(cnf), run), cnf)

    @staticmethod
    def _task(cnf: Cnf) -> dict[str, Any]:
        return {"clauses": cnf.clauses(), "variables": cnf.variables, "rows": [], "cols": 0, "total": None}

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
            self._task(cnf), run, lambda reply: isinstance(self._answer(reply, cnf), Unsatisfiable)
        )


class FileProcess:
    """The process that has imported the file; after a limit or a crash, the next question starts another."""

    def __init__(self, name: str, file: str, function: str, cells: str) -> None:
        self.name, self._arguments = name, (file, function, cells)
        self._program: LineProgram | None = None
        self._owner = 0
        self.ready: Mapping[str, Any] = {}
        self._start()

    def ask(self, task: Mapping[str, Any], run: Run) -> dict[str, Any] | GaveUp:
        """The answer of the solver; only the time of its call is charged to `solve`."""
        *_, reply = self.replies({**task, "events": False}, run)
        return reply

    def replies(self, task: Mapping[str, Any], run: Run) -> Iterator[dict[str, Any] | GaveUp]:
        """The replies of the process; the last one is the answer."""
        with run.stage(IMPORT):
            program = self._start()
        if reason := run.spend():
            yield GaveUp(reason)
            return
        is_idle = False
        try:
            with run.stage("own process"):
                question = json.dumps({"memory": run.limits.memory, **task})
                began = perf_counter()
                program.send(question)
                while not is_idle:
                    line = self._next_line(program, run)
                    waited = perf_counter() - began
                    reply = line if isinstance(line, GaveUp) else self._reply(line, EngineError)
                    if isinstance(reply, GaveUp) or "memory" in reply:
                        run.seconds["solve"] = run.seconds.get("solve", 0.0) + waited
                        yield reply if isinstance(reply, GaveUp) else GaveUp(StopReason.MEMORY)
                        return
                    is_idle = "event" not in reply
                    if is_idle:
                        taken = seconds_of_call(reply["seconds"], waited, len(question))
                        run.seconds["solve"] = run.seconds.get("solve", 0.0) + taken
                        run.count(**reply["counts"])
                    yield reply
        finally:
            if not is_idle:
                self._end()

    def events(
        self, task: Mapping[str, Any], run: Run, is_refutation: Callable[[dict[str, Any]], bool]
    ) -> Iterator[Event]:
        """What the solver yields, then its answer, unless a limit stops it."""
        for reply in self.replies({**task, "events": True}, run):
            if isinstance(reply, GaveUp):
                return
            if "event" in reply:
                yield Yielded(reply["event"])
            else:
                yield Exhausted() if is_refutation(reply) else ModelFound()

    def _next_line(self, program: LineProgram, run: Run) -> str | GaveUp:
        """The next line of the process, or why it is not waited for."""
        while True:
            left = run.seconds_left
            try:
                line = program.receive(CHILD_POLL_SECONDS if left is None else min(CHILD_POLL_SECONDS, left))
            except EngineError:
                if run.limits.memory is not None:
                    return GaveUp(StopReason.MEMORY, "the process ended")
                raise
            if line is not None:
                return line
            if reason := run.spend():
                return GaveUp(reason)

    def _reply(self, line: str, error: type[GemHunterError]) -> dict[str, Any]:
        """What a line of the process says; raises an `error` if the solver has failed or wrote the line."""
        key, _, text = line.partition(" ")
        try:
            reply: dict[str, Any] = json.loads(text) if key == self._key else {}
        except ValueError:  # it wrote into the middle of the line
            reply = {}
        if not reply:
            raise error(f"{self.name}: it wrote {line[:60]!r} into a pipe that it did not open")
        if "fault" in reply:
            raise error(f"{self.name}: {reply['fault']}")
        return reply

    def _start(self) -> LineProgram:
        """The process, started and ready."""
        if self._program is not None and self._owner == os.getpid():
            return self._program
        command = module_command(self.name, "gemhunter.bench.python_file_child", *self._arguments)
        program = LineProgram(self.name, command.words, command.environment, OUTPUT_BYTES_LIMIT)
        self._owner, seconds = os.getpid(), 60.0
        until = monotonic() + seconds
        try:
            self._key = token_hex()
            program.send(self._key)
            while (line := program.receive(CHILD_POLL_SECONDS)) is None:
                if monotonic() > until:
                    raise EngineError(
                        f"{self.name}: importing it took more than {seconds:g} s; move the code that "
                        "should not run on import under `if __name__ == '__main__':`"
                    )
            reply = self._reply(line, InputError)
        except BaseException:
            program.end()
            raise
        self.ready, self._program = reply["ready"], program
        self._finalizer = weakref.finalize(self, _end, program, self._owner)
        return program

    def _end(self) -> None:
        """End the process, which is still at work on an abandoned question."""
        self._finalizer()
        self._program = None


def seconds_of_call(claimed: float, waited: float, question: int) -> float:
    """The time of a call that a solver's process `claimed`, corrected if our clock cannot confirm it.

    A solver can replace any clock of its process. Ours also counts the pipes, reading a `question` of
    this length and writing the answer, which together stay below the overhead unless the machine is busy.
    """
    overhead = 0.001 + 1e-7 * question
    return min(max(waited - overhead, claimed), waited)


def _end(program: LineProgram, owner: int) -> None:
    # After a fork, the new process has a copy of the object, but must not end its parent's program.
    if os.getpid() == owner:
        program.end(seconds=0)


def solution_of(reply: Mapping[str, Any], puzzle: Puzzle, name: str) -> Solution | None:
    """The solution that an answer means; None for an empty list of traps on a board that has some.

    People number cells in several ways. Of the readings that an answer allows, the first that solves the
    board is taken; if none does, the answer is wrong in all of them.
    """
    readings = list(_readings(reply, puzzle, name))
    if not readings:
        raise _unexpected(
            name,
            reply,
            "a filled grid, the literals of a model, the cells with traps, or None if there is no solution",
        )
    for traps in readings:
        if not check(puzzle.grid, Solution(traps).fill(puzzle.grid), puzzle.total):
            return Solution(traps)
    return Solution(readings[0]) if reply.get("cells") != [] else None


def _readings(reply: Mapping[str, Any], puzzle: Puzzle, name: str) -> Iterator[Any]:
    """For each way to read the answer, whether each hidden cell is a trap."""
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
    """The solution in the rows that a solver was given, if it filled them in but returned nothing."""
    if any(cell in ("_", None) for row in rows for cell in row):
        return None
    with suppress(EngineError):
        solution = Solution(_traps_of_grid(rows, puzzle, ""))
        if not check(puzzle.grid, solution.fill(puzzle.grid), puzzle.total):
            return solution
    return None


def _literals(reply: Mapping[str, Any]) -> list[int] | None:
    """The literals of a model, which may be a table of variables; None if the answer is something else."""
    if "literals" in reply:
        literals: list[int] = reply["literals"]
        return literals
    values = reply.get("values", [[None, None]])
    if all(type(key) is int and key > 0 for key, _ in values):
        # For a variable, -1 often stands for false; on a board it stands for a trap.
        return [
            key if _is_trap(value) and str(value) != "-1" else -key
            for key, value in values
            if value is not None
        ]
    return None


def _traps_of_grid(rows: list[list[Any]], puzzle: Puzzle, name: str) -> Any:
    """Whether each hidden cell is a trap in a filled grid, which must be this board, filled in."""
    shape, codes = puzzle.grid.cells.shape, puzzle.grid.cells.ravel().tolist()
    if len({len(row) for row in rows}) > 1:
        raise EngineError(f"{name}: returned rows of unequal lengths; expected {shape[0]}×{shape[1]} cells")
    if (len(rows), len(rows[0])) != shape:
        size = f"a grid of {len(rows)}×{len(rows[0])}"
        raise EngineError(f"{name}: returned {size}; expected {shape[0]}×{shape[1]}")
    cells = [cell for row in rows for cell in row]
    if all(str(cell) in ("0", "1", "True", "False") for cell in cells):
        return np.array([_is_trap(cells[index]) for index in puzzle.hidden], bool)  # a trap map
    traps = np.zeros(puzzle.hidden.size, bool)
    untouched = untouched_cells(puzzle)
    for number, index in enumerate(puzzle.hidden.tolist()):
        sign = str(cells[index])
        if sign in TRAP_SIGNS:
            traps[number] = True
        elif sign not in GEM_SIGNS and not untouched[number]:
            cell = Cell(*divmod(index, puzzle.cols))
            raise EngineError(f"{name}: returned {cells[index]!r} for {cell}; expected T or G")
    given = {TRAP: TRAP_SIGNS, GEM: GEM_SIGNS}
    for index, code in enumerate(codes):
        if code != HIDDEN and str(cells[index]) not in given.get(code, (str(code),)):
            cell = Cell(*divmod(index, puzzle.cols))
            shown = {TRAP: "T", GEM: "G"}.get(code, f"the clue {code}")
            raise EngineError(f"{name}: returned {cells[index]!r} for {cell}, where the board has {shown}")
    return traps


def _is_trap(value: Any) -> bool:
    return value is True or str(value) in TRAP_SIGNS


def _unexpected(name: str, reply: Mapping[str, Any], expected: str) -> EngineError:
    known = ("grid", "literals", "cells", "values", "text", "unknown")
    returned = next(
        (f"{key} {reply[key]!r}" if key != "unknown" else reply[key] for key in known if key in reply), ""
    )
    return EngineError(f"{name}: returned {returned[:120]}; expected {expected}")
