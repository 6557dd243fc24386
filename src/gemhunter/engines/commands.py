"""`cmd:PROGRAM`: any SAT solver that is a program: it reads DIMACS from a file and prints `s` and `v` lines.

`SolverProgram` also runs PySAT's solvers in another process.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from gemhunter.cnf.dimacs import SolverStatus, dimacs_blocks, parse_output
from gemhunter.cnf.drat import Proof, read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, ModelError, ProofError
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import IMPORT, Run
from gemhunter.work.child_process import ChildCommand, Exit, child_folder, run_child
from gemhunter.work.command_words import command_words, path_of_program
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.supervisor import start_supervisor


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
