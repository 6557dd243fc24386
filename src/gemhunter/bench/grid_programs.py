"""`grid:PROGRAM`: any program that reads a board and prints it filled in, the way people print grids."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.errors import BoardError, EngineError, InputError
from gemhunter.files.access import decode
from gemhunter.grading.cases import answer_byte_limit
from gemhunter.grading.lines import Claim
from gemhunter.grading.programs import BoardProgram, unescaped
from gemhunter.grading.sections import read_sections
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import IMPORT, Limits, Run
from gemhunter.wording import counted
from gemhunter.work.child_process import Exit
from gemhunter.work.command_words import command_words
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.supervisor import start_supervisor


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
