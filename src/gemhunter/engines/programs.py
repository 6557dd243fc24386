"""Engines from outside this package: a SAT solver, a program that fills in boards, or a file of Python code.

From top to bottom: `cmd:PROGRAM` is a SAT solver, which reads DIMACS from a file and prints `s` and `v`
lines. `grid:PROGRAM` is any other program, which reads a board and prints it filled in. `./mine.py` is a
function, which is called in another process (`python_file_child`). `SolverProgram` also runs PySAT's solvers
in another process.
"""

import json
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import Puzzle, Solution, untouched_cells
from gemhunter.cnf.dimacs import SolverStatus, dimacs_blocks, parse_output
from gemhunter.cnf.drat import Proof, read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import BoardError, EngineError, GemHunterError, InputError, ModelError, ProofError
from gemhunter.files.access import decode
from gemhunter.files.answers.cases import answer_byte_limit
from gemhunter.files.answers.lines import Claim
from gemhunter.files.answers.sections import read_sections
from gemhunter.solving.engine import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import Event, Exhausted, ModelFound, Yielded
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import IMPORT, Limits, Run
from gemhunter.wording import counted, program_name
from gemhunter.work.child_process import (
    CHILD_POLL_SECONDS,
    BoardProgram,
    ChildCommand,
    Exit,
    LineProgram,
    child_folder,
    command_words,
    module_command,
    path_of_program,
    run_child,
    unescaped,
)
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.supervisor import start_supervisor

# `cmd:PROGRAM ARGS`: any SAT-competition style solver.


def make_solver(command: str) -> "CommandSolver":
    """The engine for a command line such as `kissat --quiet`."""
    words = command_words(command, "cadical")
    # MiniSat prints no model but writes it to a second file.
    minisats = ("minisat", "minisat-simp", "minisat_static")
    if Path(words[0]).name.removesuffix(".exe") in minisats and "{out}" not in command:
        words += ("{out}",) if "{in}" in command else ("{in}", "{out}")
    return CommandSolver(SolverProgram(ChildCommand(f"cmd:{command}", words)))


@dataclass(frozen=True, slots=True)
class CommandSolver:
    """A SAT solver that is a program."""

    program: "SolverProgram"

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            self.program.name,
            "any program that reads DIMACS and prints `s` and `v` lines",
            deterministic=False,
            memory_limit=can_limit_memory(),
            proofs=self.program.proves,
            own_process=True,
            is_trusted=False,
            program=self.program.command.words[0],
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Run the program on the formula."""

        def write(path: Path) -> StopReason | None:
            with path.open("wb") as stream:
                for block in dimacs_blocks(cnf):
                    if (reason := run.spend()) is not None:
                        return reason
                    stream.write(block)
            return None

        return self.program.ask(write, run)


OUTPUT_BYTES_LIMIT = 256 * 2**20
PROOF_BYTES_LIMIT = 2**30
"""Reading a proof takes several times as much memory."""
FORMULA_FILE, RESULT_FILE, PROOF_FILE = "in.cnf", "result", "proof"
SOLVER_EXIT_CODES: dict[int, SolverStatus] = {10: "satisfiable", 20: "unsatisfiable"}


@dataclass(frozen=True, slots=True)
class SolverProgram:
    """A command that solves the formula in a file.

    `{in}` in its arguments stands for that file, `{out}` for the file that it writes its result to, and
    `{proof}` for the file that it writes its proof to. Without `{in}`, the formula comes last.
    """

    command: ChildCommand
    limits_itself: bool = False
    """Whether the program itself keeps the memory limit of the run."""

    @property
    def name(self) -> str:
        """What the program is called in messages."""
        return self.command.name

    @property
    def proves(self) -> bool:
        """Whether its arguments say where to write a proof."""
        return any("{proof}" in word for word in self.command.words)

    def ask(self, write: Callable[[Path], StopReason | None], run: Run) -> SatAnswer:
        """Run the command on the file that `write` makes, until it answers or the run must stop.

        `write` returns the reason if it had to stop.
        """
        executable = path_of_program(self.command.words[0], self.name)
        with child_folder() as folder:
            with run.stage("encode"):
                reason = write(folder / FORMULA_FILE)
            if reason is not None:
                return GaveUp(reason)

            def reason_to_stop() -> StopReason | None:
                reason = run.spend()
                if reason is None:
                    self._require_moderate(folder)
                return reason

            with run.stage(IMPORT):
                start_supervisor()
            ended = run_child(
                self._filled_in(executable, folder, run),
                seconds_left=lambda: run.seconds_left,
                stop=reason_to_stop,
                output_limit=OUTPUT_BYTES_LIMIT,
            )
            return self._read(folder, ended, run) if isinstance(ended, Exit) else GaveUp(ended)

    def _filled_in(self, executable: str, folder: Path, run: Run) -> ChildCommand:
        """The command with files in place of `{in}`, `{out}` and `{proof}`, and with its memory limit."""
        given = self.command.words[1:]
        if not any("{in}" in word for word in given):
            given += ("{in}",)
        for placeholder, file in (("{in}", FORMULA_FILE), ("{out}", RESULT_FILE), ("{proof}", PROOF_FILE)):
            given = tuple(word.replace(placeholder, str(folder / file)) for word in given)
        memory = None if self.limits_itself else run.limits.memory
        return replace(self.command, words=(executable, *given), memory=memory)

    def _read(self, folder: Path, ended: Exit, run: Run) -> SatAnswer:
        """The answer in the files that the program wrote."""
        if run.limits.memory is not None and ended.code not in SOLVER_EXIT_CODES and ended.ran_out_of_memory:
            return GaveUp(StopReason.MEMORY, ended.failure)
        self._require_moderate(folder)
        written = folder / RESULT_FILE
        printed = ended.output + (b"\n" + written.read_bytes() if written.is_file() else b"")
        try:
            output = parse_output(printed.decode("ascii", "replace"))
        except ModelError as error:
            raise EngineError(f"{self.name}: {error}") from None
        run.count(**output.counters)
        run.spend(output.counters.get("conflicts", 0))
        if ended.code < 0:
            raise EngineError(f"{self.name}: {ended.failure}")
        status = output.status or SOLVER_EXIT_CODES.get(ended.code)
        if status == "unsatisfiable":
            return Unsatisfiable(self._proof(folder) if run.wants_proof and self.proves else None)
        if status == "unknown":
            if run.limits.steps is not None:
                return GaveUp(StopReason.STEPS)
            # MiniSat gives no other sign when it runs out of memory.
            if run.limits.memory is not None:
                return GaveUp(StopReason.MEMORY, "the program stopped without an answer")
            return GaveUp(StopReason.UNDECIDED)
        if status == "satisfiable" and output.model.size:
            return Satisfied(output.model)
        if status == "satisfiable":
            raise EngineError(f"{self.name}: found a model but printed none; it may need an option for that")
        if ended.code:
            raise EngineError(f"{self.name}: {ended.failure}")
        silent = "printed no answer; expected `s SATISFIABLE` or `s UNSATISFIABLE`"
        raise EngineError(f"{self.name}: {ended.with_last_words(silent)}")

    def _require_moderate(self, folder: Path) -> None:
        """Raise if the program has written more than is read."""
        file = folder / PROOF_FILE
        proof = file.stat().st_size if file.exists() else 0
        if proof > PROOF_BYTES_LIMIT:
            raise EngineError(f"{self.name}: wrote a proof of more than {PROOF_BYTES_LIMIT:,} bytes")
        written = sum(file.stat().st_size for file in folder.iterdir() if file.name != FORMULA_FILE)
        if written - proof > OUTPUT_BYTES_LIMIT:
            raise EngineError(f"{self.name}: wrote more than {OUTPUT_BYTES_LIMIT:,} bytes")

    def _proof(self, folder: Path) -> Proof:
        try:
            return read_drat((folder / PROOF_FILE).read_bytes())
        except FileNotFoundError:
            raise EngineError(
                f"{self.name}: wrote no proof; expected DRAT in the file for `{{proof}}`"
            ) from None
        except ProofError as error:
            raise EngineError(f"{self.name}: wrote a proof that cannot be read: {error}") from None


# `grid:PROGRAM ARGS`: any program that reads a board and prints it filled in, the way people print grids.


def make_grid_program(command: str) -> "GridProgram":
    r"""The engine for a command such as `python3 mine.py {board}` or `--stdin '1\n' ./solver`."""
    words = command_words(command, "python3 mine.py {board}", prefix="grid:")
    given = {"--stdin": "", "--place": "", "--answer": ""}
    while words[0] in given:
        if len(words) < 3:
            raise InputError(f"grid:{command}: {words[0]} needs a value, and after it the program to run")
        given[words[0]] = words[1]
        words = words[2:]
    stdin, place, answer = given.values()
    return GridProgram(BoardProgram(f"grid:{command}", words, unescaped(stdin), place, answer))


@dataclass(frozen=True, slots=True)
class GridProgram:
    """A program that is given a board and prints the answer."""

    program: BoardProgram

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            self.program.name,
            "any program that reads a board and prints it filled in",
            deterministic=False,
            memory_limit=can_limit_memory(),
            own_process=True,
            is_trusted=False,
            program=self.program.words[0],
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Run the program on the board; what it takes for a board of one cell is charged to `start`.

        That shows about how long it takes to start. But the program decides what it does on that board, so
        nothing is subtracted from the time of the run.
        """
        if reason := run.spend():
            return GaveUp(reason)
        with run.stage(IMPORT):
            start_supervisor()
            run.seconds["start"] = _start_seconds(self.program, min(run.limits.seconds or 20.0, 20.0))
        with run.stage("own process"):
            answer = _ask(self.program, str(puzzle.grid), run)
        if isinstance(answer, StopReason):
            return GaveUp(answer)
        content, ended = answer
        try:
            return outcome_of_text(decode(content, self.program.name), puzzle, self.program.name)
        except EngineError:
            if run.limits.memory is not None and ended.ran_out_of_memory:
                return GaveUp(StopReason.MEMORY, ended.failure)
            if ended.code:
                raise EngineError(f"{self.program.name}: {ended.failure}") from None
            raise


def _ask(program: BoardProgram, board: str, run: Run) -> tuple[bytes, Exit] | StopReason:
    """The program's answer; the time from its start to its end is charged to `solve`."""
    return program.answer_to(
        board,
        seconds_left=lambda: run.seconds_left,
        stop=run.spend,
        memory=run.limits.memory,
        running=run.stage("solve"),
    )


@lru_cache(maxsize=16)
def _start_seconds(program: BoardProgram, seconds: float) -> float:
    """How many seconds a program takes for a board of one cell, whatever its answer; 0 if it hangs."""
    run = Run(Limits(seconds))
    with suppress(EngineError):
        if isinstance(_ask(program, "_", run), StopReason):
            return 0.0
    return run.seconds.get("solve", 0.0)


def outcome_of_text(text: str, puzzle: Puzzle, name: str) -> Outcome:
    """The answer in a printed text: its last filled grid, or that there is no solution."""
    most = answer_byte_limit(puzzle.grid.cells.size)
    if len(text) > most:
        raise EngineError(
            f"{name}: answered with {counted(len(text), 'character')}; at most {most:,} are read"
        )
    try:
        answer = read_sections(text, puzzle.grid, source=name)[-1].answer
    except BoardError as error:
        shown = " ".join(text.split())[:80]
        wanted = "expected a filled grid or `no solution`"
        raise EngineError(f"{name}: no answer found in {shown!r}; {wanted}") from error
    match answer:
        case Grid():
            is_shown = puzzle.grid.cells != HIDDEN
            if (answer.cells == HIDDEN).any() or (answer.cells != puzzle.grid.cells)[is_shown].any():
                raise EngineError(f"{name}: the grid in its answer is not this board, filled in")
            return Solved(Solution(answer.cells.ravel()[puzzle.hidden] == TRAP))
        case Claim.NO_SOLUTION:
            return Refuted(f"the clues cannot all hold, according to {name}")
        case Claim.GAVE_UP:
            return GaveUp(StopReason.UNDECIDED)
        case Claim.UNFILLED | Claim.EMPTY:
            raise EngineError(f"{name}: gave no answer; expected a filled grid or `no solution`")
    raise EngineError(f"{name}: {str(answer).splitlines()[0]}")


# `./mine.py` or `./mine.py:function`: a solver that the user has written, in a file of Python code.
#
# The file is imported once, in another process, and its function is called there. Only that call is timed.
# The name of its first parameter decides whether it gets a board, as a list of rows, or clauses and the
# number of variables. What it returns is recognised by its shape: see `solution_of`.

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
        command = module_command(self.name, "gemhunter.engines.python_file_child", *self._arguments)
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

    A solver can replace any clock of its process. Ours also counts the pipes, reading a `question` of so many
    bytes and writing the answer, which together stay below the overhead unless the machine is busy.
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
