"""`cmd:PROGRAM ARGS`: any SAT-competition style solver as an engine."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gemhunter.cnf.dimacs import dimacs_blocks
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.solver_program import Program
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer
from gemhunter.solving.run import Run
from gemhunter.work.child import ChildCommand
from gemhunter.work.command_words import command_words
from gemhunter.work.memory import can_limit_memory

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
