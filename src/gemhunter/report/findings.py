"""What a report knows so far, read from its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gemhunter.bench.runs import Measurement, RunTask, WorkersUsed
from gemhunter.bench.summary import Summary, summarise
from gemhunter.errors import UnknownNameError
from gemhunter.experiments.game_tables import ClueShares, S5Line
from gemhunter.report.document import SECTION_TITLES
from gemhunter.report.ledger import (
    BoardAnswer,
    CluesLine,
    OwnGiven,
    OwnLine,
    PartAnswer,
    PartMap,
    PartRun,
    ReportHeading,
    ReportLine,
    S5GamesLine,
)
from gemhunter.report.plan import ReportPlan, lines_of_report
from gemhunter.wording import counted
from gemhunter.work.ledger import Lines


@dataclass(frozen=True, slots=True)
class OwnWords:
    """All words that the author has given so far; the report supplies those that are empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    course: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Markdown by section."""

    def updated(self, given: OwnGiven) -> "OwnWords":
        """These words, with newly given ones in place of older ones."""
        texts = given.get("texts", {})
        for section in texts:
            require_section(section)
        authors = tuple(given.get("authors", self.authors))
        title, course = given.get("title", self.title), given.get("course", self.course)
        return OwnWords(title, authors, course, {**self.texts, **texts})


def require_section(name: str) -> None:
    """Raise an error that suggests the nearest match if no section has this name."""
    if name not in SECTION_TITLES:
        raise UnknownNameError("section", name, SECTION_TITLES)


@dataclass(slots=True)
class Findings:
    """The findings so far, which grow with every line of the ledger."""

    plan: ReportPlan
    measurements: list[dict[RunTask, Measurement]] = field(init=False)
    """The runs of each part."""
    answers: dict[tuple[int, str], BoardAnswer] = field(default_factory=dict)
    """By part and board."""
    maps: dict[tuple[int, str, str], str] = field(default_factory=dict)
    """By part, board and engine: `T` or `G` for each hidden cell; empty if there is no map."""
    lines: list[S5Line] = field(init=False)
    """S5's table, followed by the lines of `csp`, which plays the same games."""
    counts: dict[str, list[tuple[int, ...]]] = field(default_factory=dict)
    """By level: for each dealt board, the number of gems with each clue."""
    workers: list[WorkersUsed] = field(init=False)
    """The sets of workers that made the runs, in order; empty if they were not recorded."""
    own: OwnWords = field(default_factory=OwnWords)

    def __post_init__(self) -> None:
        self.measurements = [{} for _ in self.plan.parts]
        self.workers = [] if self.plan.workers is None else [self.plan.workers]
        self.lines = lines_of_report() if self.plan.games else []

    def add(self, line: "ReportLine") -> None:
        """Add a line of the ledger; `ValueError` or `LookupError` if it does not fit the plan."""
        match line:
            case PartRun(part, run):
                self.plan.parts[part].heading.require_run(run, self.measurements[part])
                self.measurements[part][run.task] = run
            case PartMap(part, board, engine, text):
                if len(text) not in (0, self._hidden(part, board)):
                    raise ValueError(f"a map with {counted(len(text), 'letter')}")
                self.maps[part, board, engine] = text
            case PartAnswer(part, board, answer):
                self._hidden(part, board)
                self.answers[part, board] = answer
            case WorkersUsed():
                self.workers.append(line)
            case OwnLine(own):
                self.own = self.own.updated(own)
            case CluesLine(clues):
                for level, counts in clues.items():
                    self.counts.setdefault(level, []).extend(counts)
            case S5GamesLine(games):
                played = self.lines[games.line]
                rounds = games.rounds if played.counter == "rounds" else games.backtracks
                if rounds is None:
                    raise ValueError(f"games without {played.counter}")
                self.lines[games.line] = replace(
                    played,
                    marked=np.append(played.marked, games.marked),
                    rounds=np.append(played.rounds, rounds),
                )

    def _hidden(self, part: int, board: str) -> int:
        """The number of hidden cells of a board; `LookupError` if there is no such board."""
        return {facts.name: facts.unknown for facts in self.plan.parts[part].heading.boards}[board]

    def summary(self, part: int) -> Summary:
        """The summary of the runs of a part."""
        heading = self.plan.parts[part].heading
        boards = [board.name for board in heading.boards]
        return summarise(self.measurements[part].values(), boards=boards, engines=heading.engines)

    @property
    def clues(self) -> list[ClueShares]:
        """The dealt boards, level by level."""
        return [ClueShares(level, np.array(counts, np.int64)) for level, counts in self.counts.items()]


_LINE_KINDS: dict[str, type] = {
    "run": PartRun,
    "map": PartMap,
    "answer": PartAnswer,
    "workers": WorkersUsed,
    "own": OwnLine,
    "clues": CluesLine,
    "games": S5GamesLine,
}
"""The kinds of lines, each by a field that no other kind has."""


def read_findings(lines: Lines) -> Findings:
    """The findings in a ledger."""
    heading = lines.heading(ReportHeading, "report")
    parts = tuple(each.part for each in heading.parts)
    findings = Findings(ReportPlan(heading.effort, parts, heading.games, heading.dealt))
    lines.records(_LINE_KINDS, findings.add)
    return findings
