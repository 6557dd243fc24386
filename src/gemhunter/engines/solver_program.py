"""`cmd:PROGRAM`: SAT solvers that are programs, which read a file and print `s` and `v` lines."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gemhunter.cnf.dimacs import SolverOutput, SolverStatus, dimacs_blocks, parse_output
from gemhunter.cnf.drat import Proof, read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, ModelError, ProofError
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.work.child import STDOUT, ChildCommand, Exit, child_folder, module_command, run_child
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.programs import command_words

# SAT solvers that are programs: they read a file and print `s` and `v` lines.


LARGEST_OUTPUT = 256 * 2**20
LARGEST_PROOF_FILE = 2**30
"""Bytes. Reading a proof takes several times as much memory."""
FORMULA_FILE, RESULT_FILE, PROOF_FILE = "in.cnf", "result", "proof"
SOLVER_EXIT_CODES: dict[int, SolverStatus] = {10: "satisfiable", 20: "unsatisfiable"}


@dataclass(frozen=True, slots=True)
class Program:
    """A command that solves the formula in a file.

    `{in}` in its arguments stands for that file, `{out}` for a file that it writes its result to, `{proof}`
    for one that it writes its proof to; without `{in}` the file comes last.
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

        `write` returns the reason to stop, if it was stopped.
        """
        program = self.command.words[0]
        executable = shutil.which(program)
        if executable is None:
            raise EngineError(f"{self.name}: no program named {program!r} on this machine")
        with child_folder() as folder:
            with run.stage("encode"):
                reason = write(folder / FORMULA_FILE)
            if reason is not None:
                return GaveUp(reason)
            ended = run_child(
                self._filled_in(executable, folder, run),
                folder,
                seconds_left=lambda: run.seconds_left,
                stop=lambda: self._reason_to_stop(folder, run),
            )
            return self._read(folder, ended, run) if isinstance(ended, Exit) else GaveUp(ended)

    def _filled_in(self, executable: str, folder: Path, run: Run) -> ChildCommand:
        """The command with the files of a folder for its placeholders, under the memory limit of the run."""
        given = self.command.words[1:]
        if not any("{in}" in word for word in given):
            given += ("{in}",)
        files = {"{in}": FORMULA_FILE, "{out}": RESULT_FILE, "{proof}": PROOF_FILE}
        paths = {placeholder: str(folder / file) for placeholder, file in files.items()}
        return replace(
            self.command,
            words=(executable, *(_replaced(argument, paths) for argument in given)),
            memory=None if self.limits_itself else run.limits.memory,
        )

    def _reason_to_stop(self, folder: Path, run: Run) -> StopReason | None:
        """The reason to stop, if there is one; raise if the program has written too much."""
        reason = run.spend()
        if reason is None:
            self._require_moderate(folder)
        return reason

    def _read(self, folder: Path, ended: Exit, run: Run) -> SatAnswer:
        """The answer in the files that the program wrote."""
        if run.limits.memory is not None and ended.code not in SOLVER_EXIT_CODES and ended.ran_out_of_memory:
            return GaveUp(StopReason.MEMORY, ended.failure)
        output = self._output(folder)
        run.count(**output.counters)
        run.spend(output.counters.get("conflicts", 0))
        if ended.code < 0:
            raise EngineError(f"{self.name}: {ended.failure}")
        status = output.status or SOLVER_EXIT_CODES.get(ended.code)
        if status == "unsatisfiable":
            return Unsatisfiable(self._proof(folder) if run.wants_proof and self.proves else None)
        if status == "unknown":
            return _undecided(run)
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
        proof = _size(folder / PROOF_FILE)
        if proof > LARGEST_PROOF_FILE:
            raise EngineError(f"{self.name}: wrote a proof of more than {LARGEST_PROOF_FILE:,} bytes")
        if _written(folder) - proof > LARGEST_OUTPUT:
            raise EngineError(f"{self.name}: printed more than {LARGEST_OUTPUT:,} bytes")

    def _proof(self, folder: Path) -> Proof:
        self._require_moderate(folder)
        try:
            return read_drat((folder / PROOF_FILE).read_bytes())
        except FileNotFoundError:
            raise EngineError(
                f"{self.name}: wrote no proof; expected DRAT in the file for `{{proof}}`"
            ) from None
        except ProofError as error:
            raise EngineError(f"{self.name}: wrote a proof that cannot be read: {error}") from None

    def _output(self, folder: Path) -> SolverOutput:
        files = [file for file in (folder / STDOUT, folder / RESULT_FILE) if file.exists()]
        text = "\n".join(file.read_bytes().decode("ascii", "replace") for file in files)
        try:
            return parse_output(text)
        except ModelError as error:
            raise EngineError(f"{self.name}: {error}") from None


def python_program(name: str, module: str, *arguments: str) -> Program:
    """A module of this package, which sets its memory limit once it has imported what it needs."""
    return Program(module_command(name, module, *arguments), limits_itself=True)


def _replaced(argument: str, files: Mapping[str, str]) -> str:
    for placeholder, path in files.items():
        argument = argument.replace(placeholder, path)
    return argument


def _written(folder: Path) -> int:
    """How many bytes the program has written so far."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.name != FORMULA_FILE)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _undecided(run: Run) -> GaveUp:
    """Why a program found no answer; MiniSat gives no other sign when it runs out of memory."""
    if run.limits.steps is not None:
        return GaveUp(StopReason.STEPS)
    if run.limits.memory is not None:
        return GaveUp(StopReason.MEMORY, "the program stopped without an answer")
    return GaveUp(StopReason.UNDECIDED)


# `cmd:PROGRAM ARGS`: any SAT-competition style solver as an engine.


WRITES_RESULT_FILE = ("minisat", "minisat-simp", "minisat_static")
"""Programs that print no model but write it to a second file."""


def make_engine(command: str) -> "CommandSolver":
    """The engine for a command line such as `kissat --quiet`."""
    words = command_words(command, "cadical")
    if Path(words[0]).name.removesuffix(".exe") in WRITES_RESULT_FILE and "{out}" not in command:
        words += ("{out}",) if "{in}" in command else ("{in}", "{out}")
    return CommandSolver(command, words)


@dataclass(frozen=True, slots=True)
class CommandSolver:
    """A solver that is a program of its own."""

    typed: str
    words: tuple[str, ...]

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        about = "any program that reads DIMACS and prints `s` and `v` lines"
        return EngineInfo(
            f"cmd:{self.typed}",
            about,
            deterministic=False,
            memory_limit=can_limit_memory(),
            proofs=self._program.proves,
            own_process=True,
        )

    @property
    def _program(self) -> Program:
        return Program(ChildCommand(f"cmd:{self.typed}", self.words))

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Run the program on the formula."""
        return self._program.ask(partial(_write_formula, cnf, run), run)


def _write_formula(cnf: Cnf, run: Run, path: Path) -> StopReason | None:
    """Write the formula for the program; return the reason to stop, if one comes up meanwhile."""
    with path.open("wb") as stream:
        for block in dimacs_blocks(cnf):
            if (reason := run.spend()) is not None:
                return reason
            stream.write(block)
    return None
