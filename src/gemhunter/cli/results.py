"""A board's answer by one engine, as text and as JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.board_text import board_text
from gemhunter.cli.exit_codes import ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.core.grid import Grid
from gemhunter.formats.answers.sections import write_section
from gemhunter.printable import json_text
from gemhunter.records.reports import failure_record, report_record
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.report.tables.result_times import gave_up_words
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
    grid: Grid
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

    @property
    def seconds(self) -> float | None:
        """The running time, without reading the board; None for an engine that failed."""
        return None if isinstance(self.answer, Failure) else sum(self.answer.seconds.values())

    @property
    def ending(self) -> str:
        """What a table of times says beside the time: nothing for a solution."""
        if isinstance(self.answer, Failure):
            return "failed"
        match self.answer.outcome:
            case Solved():
                return ""
            case Refuted():
                return "no solution"
            case GaveUp(limit):
                return gave_up_words(limit)

    def section(self) -> str:
        """A labelled section for the screen: what happened, the running time, the grid as far as known."""
        text = write_section(self.engine, self._status(seconds_text), self._filled)
        shown = self._filled
        return text if shown is None else text.replace(str(shown), board_text(shown))

    def section_in_file(self) -> str:
        """A labelled section for a file, its running time in seconds."""
        status = self._status(lambda seconds: f"{seconds_in_file(seconds)} s")
        return write_section(self.engine, status, self._filled)

    def record(self) -> dict[str, Any]:
        """The fields of the JSON form."""
        if isinstance(self.answer, Failure):
            answer = failure_record(
                self.engine, self.answer.message, self.read, "grid", "partial", "encoding"
            )
        else:
            answer = report_record(self.answer, self.read)
        return {"board": self.board.path, **answer}

    @property
    def _filled(self) -> Grid | None:
        return None if isinstance(self.answer, Failure) else self.answer.filled or self.answer.partial

    def _status(self, written: Callable[[float], str]) -> str:
        if isinstance(self.answer, Failure):
            return f"failed: {self.answer.message.removeprefix(f'{self.engine}: ')}"
        taken = written(sum(self.answer.seconds.values()))
        match self.answer.outcome:
            case Solved():
                return f"solved in {taken}"
            case Refuted(reason):
                return f"no solution, in {taken}: {reason}"
            case GaveUp() as gave_up:
                return f"gave up after {taken}: {gave_up.reason}"


def as_json(records: list[dict[str, Any]], *, several: bool) -> str:
    """One object, or a list where several boards or engines were asked for."""
    return json_text(records if several or not records else records[0], indent=2)


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
