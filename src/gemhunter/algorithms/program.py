"""SAT solvers in another process: a file goes in, `s` and `v` lines come out."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gemhunter.algorithms import memory
from gemhunter.cnf.dimacs import SolverOutput, Status, parse_output
from gemhunter.cnf.drat import read_drat
from gemhunter.cnf.proof import Proof
from gemhunter.errors import EngineError, ModelError, ProofError
from gemhunter.solving.outcomes import GaveUp, Limit
from gemhunter.solving.protocols import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run

POLL_SECONDS = 0.05
LARGEST_OUTPUT = 256 * 2**20
LARGEST_PROOF = 2**30
"""Bytes. Reading a proof takes several times as much memory."""
PROOF_FILE = "proof"
CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGKILL)
CANNOT_BE_LOADED = 127
EXIT_CODES: dict[int, Status] = {10: "satisfiable", 20: "unsatisfiable"}


@dataclass(frozen=True, slots=True)
class Program:
    """A command that solves the formula in a file.

    `{in}` in its arguments stands for that file, `{out}` for a file that it writes its result to, `{proof}`
    for one that it writes its proof to; without `{in}` the file comes last.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    limits_itself: bool = False
    """Whether the program sees to the memory limit of the run by itself."""

    @property
    def proves(self) -> bool:
        """Whether it is told where to write a proof."""
        return any("{proof}" in word for word in self.command)

    def ask(self, write: Callable[[Path], None], run: Run) -> SatAnswer:
        """Run the command on the file that `write` makes, until it answers or the run must stop."""
        executable = shutil.which(self.command[0])
        if executable is None:
            raise EngineError(f"{self.name}: no program named {self.command[0]!r} on this machine")
        with tempfile.TemporaryDirectory(prefix="gemhunter-") as name:
            folder = Path(name)
            with run.stage("encode"):
                write(folder / "in.cnf")
            process = self._start(self._held(executable, run), folder)
            try:
                limit = self._wait(process, folder, run)
            finally:
                _end(process)
            return GaveUp(limit) if limit else self._read(folder, process.returncode, run)

    def _held(self, executable: str, run: Run) -> list[str]:
        """The program, behind one that limits its memory if there is a limit to keep."""
        if run.limits.memory is None or self.limits_itself:
            return [executable]
        return [sys.executable, "-I", "-S", memory.__file__, str(run.limits.memory), executable]

    def _start(self, program: list[str], folder: Path) -> "subprocess.Popen[bytes]":
        given = (
            self.command[1:] if any("{in}" in word for word in self.command) else (*self.command[1:], "{in}")
        )
        files = {"{in}": "in.cnf", "{out}": "result", "{proof}": PROOF_FILE}
        paths = {placeholder: str(folder / file) for placeholder, file in files.items()}
        with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
            try:
                return subprocess.Popen(
                    [*program, *(_replaced(argument, paths) for argument in given)],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    env={**os.environ, **self.environment},
                    start_new_session=True,
                )
            except OSError as error:
                raise EngineError(f"{self.name}: cannot be started: {error.strerror}") from None

    def _wait(self, process: "subprocess.Popen[bytes]", folder: Path, run: Run) -> Limit | None:
        while True:
            left = run.seconds_left
            try:
                process.wait(POLL_SECONDS if left is None else min(POLL_SECONDS, left))
            except subprocess.TimeoutExpired:
                if limit := run.spend():
                    return limit
                self._require_moderate(folder)
            else:
                return None

    def _read(self, folder: Path, exit_code: int, run: Run) -> SatAnswer:
        """The answer in what the program left behind."""
        if run.limits.memory is not None and _ran_out(exit_code, folder):
            return GaveUp(Limit.MEMORY, _failure(exit_code, folder))
        output = self._output(folder)
        run.count(**output.counters)
        run.spend(output.counters.get("conflicts", 0))
        if exit_code < 0:
            raise EngineError(f"{self.name}: {_failure(exit_code, folder)}")
        status = output.status or EXIT_CODES.get(exit_code)
        if status == "unsatisfiable":
            return Unsatisfiable(self._proof(folder) if run.wants_proof and self.proves else None)
        if status == "unknown":
            return _undecided(run)
        if status == "satisfiable" and output.model.size:
            return Satisfied(output.model)
        if status == "satisfiable":
            raise EngineError(f"{self.name}: found a model but printed none; it may need an option for that")
        raise EngineError(f"{self.name}: {_failure(exit_code, folder)}")

    def _require_moderate(self, folder: Path) -> None:
        """Raise if the program has written more than anybody will read."""
        proof = _size(folder / PROOF_FILE)
        if proof > LARGEST_PROOF:
            raise EngineError(f"{self.name}: wrote a proof of more than {LARGEST_PROOF:,} bytes")
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
        files = [file for file in (folder / "stdout", folder / "result") if file.exists()]
        text = "\n".join(file.read_bytes().decode("ascii", "replace") for file in files)
        try:
            return parse_output(text)
        except ModelError as error:
            raise EngineError(f"{self.name}: {error}") from None


def python_program(name: str, module: str, arguments: Sequence[str]) -> Program:
    """One of our own modules in a fresh interpreter that is blind to the current folder.

    It sees to a memory limit by itself, when it has imported what it needs.
    """
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return Program(
        name, (sys.executable, "-P", "-m", module, *arguments), {"PYTHONPATH": path}, limits_itself=True
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _replaced(argument: str, files: Mapping[str, str]) -> str:
    for placeholder, path in files.items():
        argument = argument.replace(placeholder, path)
    return argument


def _written(folder: Path) -> int:
    """How many bytes the program has left behind so far."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.name != "in.cnf")


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _signal_name(number: int) -> str:
    known = {member.value: member.name for member in signal.Signals}
    return known.get(number, f"signal {number}")


def _undecided(run: Run) -> GaveUp:
    """Why a program found no answer; MiniSat says nothing else when it gets no more memory."""
    if run.limits.steps is not None:
        return GaveUp(Limit.STEPS)
    if run.limits.memory is not None:
        return GaveUp(Limit.MEMORY, "the program stopped without an answer")
    return GaveUp(Limit.UNDECIDED)


def _ran_out(exit_code: int, folder: Path) -> bool:
    """Whether a program under a memory limit failed for want of memory.

    Many do not look whether they got what they asked for, and crash; some crash before they are loaded.
    """
    if exit_code in (0, *EXIT_CODES):
        return False
    said = b"".join((folder / name).read_bytes()[-2000:] for name in ("stdout", "stderr"))
    return memory.ran_out(said) or -exit_code in CRASHES or exit_code == CANNOT_BE_LOADED


def _failure(exit_code: int, folder: Path) -> str:
    """What went wrong with a program that gave no answer, in its own last words if it has any."""
    words = (folder / "stderr").read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
    last = f": {words[-1].strip()[:200]}" if words else ""
    if exit_code < 0:
        return f"ended by {_signal_name(-exit_code)}{last}"
    if exit_code:
        return f"failed with exit code {exit_code}{last}"
    return f"printed no answer; expected `s SATISFIABLE` or `s UNSATISFIABLE`{last}"
