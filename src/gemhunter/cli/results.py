"""A board's answer by one engine, as text and as JSON."""

import json
from dataclasses import dataclass
from typing import Any

from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.exit_codes import ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.screen import coloured, seconds_text
from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows
from gemhunter.formats.sections import write_section
from gemhunter.solving.outcomes import GaveUp, Refuted, Report, Solved


@dataclass(frozen=True, slots=True)
class Failure:
    """An engine that could not do its work, and its own words about it."""

    engine: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """What one engine said about one board; `read` is how long reading the board took."""

    board: BoardFile
    size: str
    read: float
    answer: Report | Failure

    @property
    def engine(self) -> str:
        """Whose answer it is."""
        return self.answer.engine

    @property
    def exit_code(self) -> int:
        """What the command returns if this is the only result."""
        if isinstance(self.answer, Failure):
            return ENGINE_FAILED
        match self.answer.outcome:
            case Solved():
                return SOLVED
            case Refuted():
                return NO_SOLUTION
            case GaveUp():
                return GAVE_UP

    def time_text(self) -> str:
        """The running time, or what happened instead of an answer, for a table of times."""
        if isinstance(self.answer, Failure):
            return "failed"
        taken = seconds_text(sum(self.answer.seconds.values()))
        match self.answer.outcome:
            case Solved():
                return taken
            case Refuted():
                return f"{taken} (no solution)"
            case GaveUp():
                return f"{taken} (gave up)"

    def section(self, *, colours: bool = False) -> str:
        """A labelled section: what happened, the running time, the grid as far as it is filled."""
        filled = None if isinstance(self.answer, Failure) else self.answer.filled or self.answer.partial
        text = write_section(self.engine, self._status(), filled)
        return text.replace(str(filled), coloured(filled)) if colours and isinstance(filled, Grid) else text

    def record(self) -> dict[str, Any]:
        """The same for programs."""
        outcome, reason = _outcome_words(self.answer)
        filled, partial, seconds, counters = None, None, {"read": self.read}, {}
        if isinstance(self.answer, Report):
            filled, partial, counters = self.answer.filled, self.answer.partial, dict(self.answer.counters)
            seconds |= self.answer.seconds
        return {
            "board": self.board.path,
            "engine": self.engine,
            "outcome": outcome,
            "grid": None if filled is None else grid_rows(filled),
            "partial": None if partial is None else grid_rows(partial),
            "reason": reason,
            "seconds": {stage: round(taken, 6) for stage, taken in seconds.items()},
            "counters": counters,
        }

    def _status(self) -> str:
        if isinstance(self.answer, Failure):
            return f"failed: {self.answer.message.removeprefix(f'{self.engine}: ')}"
        taken = seconds_text(sum(self.answer.seconds.values()))
        match self.answer.outcome:
            case Solved():
                return f"solved in {taken}"
            case Refuted(reason):
                return f"no solution, in {taken}: {reason}"
            case GaveUp() as gave_up:
                return f"gave up after {taken}: {gave_up.reason}"


def as_json(records: list[dict[str, Any]], *, several: bool) -> str:
    """One object, or a list where several boards or engines were asked for."""
    return json.dumps(records if several or not records else records[0], indent=2, ensure_ascii=False)


def sat_lines(report: Report) -> str:
    """The result of a SAT competition: an `s` line, and a `v` line over the unknown cells."""
    match report.outcome:
        case Solved(solution):
            literals = [cell if trap else -cell for cell, trap in enumerate(solution.traps.tolist(), 1)]
            return f"s SATISFIABLE\nv {' '.join(map(str, [*literals, 0]))}"
        case Refuted():
            return "s UNSATISFIABLE"
        case GaveUp():
            return "s UNKNOWN"


def _outcome_words(answer: Report | Failure) -> tuple[str, str | None]:
    if isinstance(answer, Failure):
        return "failed", answer.message
    match answer.outcome:
        case Solved():
            return "solved", None
        case Refuted(reason):
            return "refuted", reason
        case GaveUp() as gave_up:
            return "gave-up", gave_up.reason
