"""The plan of a report, its findings so far, and the work that completes them.

A `ReportPlan` is the first line of the report's ledger, `Findings` are the content of all its lines, and
`collect` measures what is missing.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np
from msgspec import Meta, Struct, convert

from gemhunter.bench.ledger import (
    BenchHeading,
    are_same_boards,
    comparison_of,
    facts_of,
    heading_of,
    run_line,
)
from gemhunter.bench.runs import (
    BenchLimits,
    EngineComparison,
    Measurement,
    RunSetting,
    RunTask,
    Verdict,
    WorkersUsed,
    has_map,
    map_letters,
    run_tasks,
)
from gemhunter.bench.suites import (
    BUILT_IN_SUITES,
    INDEX_SUFFIX,
    BenchBoard,
    Notice,
    Suite,
    chosen_engines,
    ignore,
    load_boards,
)
from gemhunter.bench.summary import Summary, summarise
from gemhunter.errors import GemHunterError, UnknownNameError
from gemhunter.experiments.game_tables import (
    BOARDS_AT_ONCE,
    COURSE_LEVELS,
    GAMES_AT_ONCE,
    ClueShares,
    S5Line,
    lines_of_s5,
    measure_clues,
    measure_s5,
)
from gemhunter.files.dialects import Zero
from gemhunter.files.text import parse_grid
from gemhunter.questions.count import count
from gemhunter.questions.forced import is_unique
from gemhunter.questions.solve import solve
from gemhunter.records.boards import decimal_text
from gemhunter.report.document import SECTION_TITLES
from gemhunter.solving.outcomes import GaveUp, Solved
from gemhunter.solving.registry import get_engine, require_installed
from gemhunter.solving.run import Limits, Run, never
from gemhunter.wording import counted
from gemhunter.work.ledger import Lines, Text, Whole, Wholes
from gemhunter.work.workers import Workers

FIRST_GAME = 1
"""The seed of the first game and of the first dealt board, as in `gemhunter experiment`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured; `most_runs` and `most_seconds`, unless None, lower the values of a suite."""

    name: str
    most_runs: int | None
    most_seconds: float | None
    games: int
    """The games of S5 for each level and number of initial safe cells."""
    dealt: int
    """The boards of each level whose clues are counted."""


QUICK_EFFORT = Effort("quick", 3, 2.0, 20, 300)
FULL_EFFORT = Effort("full", None, None, 1000, 3000)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """One comparison of a report: its heading and its boards."""

    heading: BenchHeading
    boards: tuple[BenchBoard, ...]

    @property
    def comparison(self) -> EngineComparison:
        """The engines, boards and runs of this part."""
        heading = self.heading
        return comparison_of(heading, Suite(heading.suite, heading.title, self.boards))

    def board(self, name: str) -> BenchBoard:
        """The board with this name."""
        return next(board for board in self.boards if board.name == name)

    @property
    def title(self) -> str:
        """The name of the suite, and its title if an index gives it one."""
        suite, title = self.heading.suite, self.heading.title
        return f"{suite}: {title}" if self.heading.arguments[0] in BUILT_IN_SUITES else suite

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that make the runs of this part only: one for each number of runs."""
        heading, commands = self.heading, []
        by_runs: dict[int, list[str]] = {}
        for engine in heading.engines:
            by_runs.setdefault(heading.runs_of.get(engine, heading.runs), []).append(engine)
        for runs, engines in by_runs.items():
            words = ["gemhunter", "bench", *heading.arguments]
            words += [word for engine in engines for word in ("-e", engine)]
            words += [
                "--runs",
                str(runs),
                "--time-limit",
                f"{heading.seconds:g}",
                "--seed",
                str(heading.seed),
            ]
            words += ["--zero", heading.zero] if heading.zero != "clue" else []
            commands.append(shlex.join(words))
        return tuple(commands)


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """The parts of a report; `games` and `dealt` are 0 if it is not about S5."""

    effort: str
    parts: tuple[ReportPart, ...]
    games: int
    dealt: int

    def made_by(self, workers: WorkersUsed) -> "ReportPlan":
        """This plan with the workers of its first runs."""
        parts = (replace(part, heading=part.heading.made_by(workers)) for part in self.parts)
        return replace(self, parts=tuple(parts))

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines of all parts, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.heading.engines))

    @property
    def workers(self) -> WorkersUsed | None:
        """The workers of the first runs, which all parts share; None if they were not recorded."""
        return self.parts[0].heading.workers if self.parts else None


class BoardAnswer(Struct, frozen=True, omit_defaults=True):
    """The number of solutions of a board, in digits, and whether it has just one.

    `reason` says why a value is missing.
    """

    solutions: Annotated[str, Meta(pattern=r"\A[0-9]+\Z")] | None
    unique: bool | None
    reason: Text = ""


class OwnGiven(TypedDict, total=False):
    """The words that an author gives with one command, as a ledger keeps them."""

    title: Text
    authors: list[Text]
    course: Text
    texts: dict[str, Text]


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


def lines_of_report() -> list[S5Line]:
    """The lines of S5's table and those of `csp`, without games; ledgers refer to them by index."""
    return [*lines_of_s5(), *lines_of_s5(agents=("csp",))]


# The plan of a new report.


def new_plan(
    arguments: Sequence[str],
    effort: Effort,
    *,
    engines: Sequence[str] = (),
    zero: Zero = "clue",
    seed: int = 0,
    notice: Notice = ignore,
) -> ReportPlan:
    """The plan for these boards and suites, or for S1 to S5 without any."""
    for name in engines:
        require_installed(get_engine(name))  # raises before any work is done
    # Each suite or folder is a part of the report; all board files together are one more.
    named = arguments or ("s1", "s2", "s3", "s4")
    suites = [
        name
        for name in dict.fromkeys(named)
        if name in BUILT_IN_SUITES or Path(name).is_dir() or Path(name).suffix.lower() == INDEX_SUFFIX
    ]
    files = tuple(name for name in named if name not in suites)
    groups = [*((name,) for name in suites), *([files] if files else [])]
    parts = tuple(
        _part(group, load_boards(group, zero, notice), effort, engines=engines, zero=zero, seed=seed)
        for group in groups
    )
    with_games = not arguments
    return ReportPlan(effort.name, parts, effort.games * with_games, effort.dealt * with_games)


def plan_for(suite: Suite, effort: Effort, *, engines: Sequence[str] = (), seed: int = 0) -> ReportPlan:
    """The plan for the boards of a suite; its commands expect each board in a file with its name."""
    files = tuple(f"{board.name}.txt" for board in suite.boards)
    part = _part(files, suite, effort, engines=engines, zero="clue", seed=seed)
    return ReportPlan(effort.name, (part,), 0, 0)


def _part(
    arguments: tuple[str, ...], suite: Suite, effort: Effort, *, engines: Sequence[str], zero: Zero, seed: int
) -> ReportPart:
    # If neither the user nor the suite names engines, every algorithm of the sources is compared.
    usual = ("pysat", "cdcl", "dpll", "backtracking", "brute-force", "genetic", "resolution")
    chosen = chosen_engines(suite, engines, usual)
    seconds = min(suite.seconds, effort.most_seconds or suite.seconds)
    runs = min(suite.runs, effort.most_runs or suite.runs)
    limited = {name: min(number, effort.most_runs or number) for name, number in suite.runs_of.items()}
    runs_of = {name: number for name, number in limited.items() if name in chosen and number != runs}
    comparison = EngineComparison(suite, chosen, RunSetting(BenchLimits(seconds), seed), runs, runs_of)
    return ReportPart(heading_of(comparison, arguments, zero), suite.boards)


def begun_here(part: ReportPart) -> BenchHeading:
    """The heading that this part would have if it began now, on this machine."""
    return heading_of(part.comparison, part.heading.arguments, part.heading.zero)


# The lines of the ledger: the plan first, then runs, maps, answers, games and the author's words.


class PartHeading(Struct, frozen=True):
    """A part of the plan, including its boards, so that a report needs no other file."""

    heading: BenchHeading
    grids: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.heading.arguments:
            raise ValueError("a part names no boards")
        if not are_same_boards(tuple(map(facts_of, self.part.boards)), self.heading.boards):
            raise ValueError("a board is not the one that was measured")

    @property
    def part(self) -> ReportPart:
        """The part, with its boards read from `grids`."""
        boards = (
            BenchBoard(facts.name, parse_grid(text), facts.total, facts.note)
            for facts, text in zip(self.heading.boards, self.grids, strict=True)
        )
        return ReportPart(self.heading, tuple(boards))


class ReportHeading(Struct, frozen=True, kw_only=True):
    """The first line: the plan."""

    ledger: Literal["report"]
    effort: Text
    games: Whole
    dealt: Whole
    parts: tuple[PartHeading, ...]


class PartRun(Struct, frozen=True):
    """A run of a part."""

    part: Whole
    run: Measurement


class PartMap(Struct, frozen=True):
    """The letters with which an engine filled the hidden cells of a board; empty if it did not."""

    part: Whole
    board: Text
    engine: Text
    map: Text


class PartAnswer(Struct, frozen=True):
    """The number of solutions of a board."""

    part: Whole
    board: Text
    answer: BoardAnswer


class OwnLine(Struct, frozen=True):
    """Words of the author, which replace older ones."""

    own: OwnGiven


class CluesLine(Struct, frozen=True):
    """Dealt boards, by level: the number of gems with each clue."""

    clues: dict[
        Literal["easy", "medium", "hard"],
        tuple[Annotated[tuple[Whole, ...], Meta(min_length=9, max_length=9)], ...],
    ]


class S5Games(Struct, frozen=True, omit_defaults=True):
    """Games of a line of `lines_of_report`."""

    line: Whole
    marked: Wholes
    rounds: Wholes | None = None
    backtracks: Wholes | None = None


class S5GamesLine(Struct, frozen=True):
    """Games of S5's table."""

    games: S5Games


ReportLine: TypeAlias = PartRun | PartMap | PartAnswer | WorkersUsed | OwnLine | CluesLine | S5GamesLine

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


def heading_of_report(plan: ReportPlan) -> ReportHeading:
    """The first line of the ledger of a plan."""
    parts = (
        PartHeading(part.heading, tuple(str(board.grid) for board in part.boards)) for part in plan.parts
    )
    return ReportHeading(
        ledger="report", effort=plan.effort, games=plan.games, dealt=plan.dealt, parts=tuple(parts)
    )


def read_findings(lines: Lines) -> Findings:
    """The findings in a ledger."""
    heading = lines.heading(ReportHeading, "report")
    parts = tuple(each.part for each in heading.parts)
    findings = Findings(ReportPlan(heading.effort, parts, heading.games, heading.dealt))
    lines.records(_LINE_KINDS, findings.add)
    return findings


# What a report lacks is measured: runs, result maps, numbers of solutions, and games of S5.


class LedgerLine(NamedTuple):
    """A line for the ledger, and a few words about it for the progress bar."""

    record: ReportLine
    words: str


def count_missing(findings: Findings) -> int:
    """The number of lines that the ledger lacks if every missing run finds a solution."""
    plan = findings.plan
    runs = [(plan.parts[part], task) for part, tasks in _missing_runs(findings) for task in tasks]
    maps = sum(task.run == 1 and has_map(part.board(task.board).grid) for part, task in runs)
    known = len([*_missing_maps(findings)]) + len([*_missing_answers(findings)])
    # Games are played, and boards are dealt, several at a time.
    left = [(plan.games - line.marked.size, GAMES_AT_ONCE) for line in findings.lines]
    left += [(plan.dealt - _dealt_so_far(findings), BOARDS_AT_ONCE)]
    return len(runs) + maps + known + sum(-(-missing // size) for missing, size in left if missing > 0)


def most_seconds(findings: Findings, at_once: int) -> float:
    """How long the missing runs take if each uses all of its time limit and `at_once` run in parallel."""
    parts = findings.plan.parts
    return sum(parts[part].heading.seconds * len(tasks) for part, tasks in _missing_runs(findings)) / at_once


def collect(
    findings: Findings, workers: Workers, *, is_cancelled: Callable[[], bool] = never
) -> Iterator[LedgerLine]:
    """Measure what is missing, and yield each line when it is ready; the caller adds it to the findings.

    `is_cancelled` ends the current runs.
    """
    for part, tasks in _missing_runs(findings):
        comparison = findings.plan.parts[part].comparison
        comparison = replace(comparison, setting=replace(comparison.setting, keeps_maps=True))
        for run in run_tasks(comparison, tasks, workers, is_cancelled=is_cancelled):
            board, engine = run.task.board, run.task.engine
            yield LedgerLine(PartRun(part, run_line(run)), f"{board}, {engine}")
            if run.map:
                yield LedgerLine(PartMap(part, board, engine, run.map), f"{board}, {engine}")
    for index, board in list(_missing_answers(findings)):
        answer = _answer(findings.plan.parts[index], board)
        yield LedgerLine(PartAnswer(index, board, answer), f"{board}, solutions")
    for index, board, engine in list(_missing_maps(findings)):
        text = _map(findings.plan.parts[index], board, engine)
        yield LedgerLine(PartMap(index, board, engine, text), f"{board}, {engine}")
    yield from chain(_games(findings), _dealt(findings))


def _missing_runs(findings: Findings) -> list[tuple[int, list[RunTask]]]:
    pairs = zip(findings.plan.parts, findings.measurements, strict=True)
    missing = enumerate(part.comparison.missing(runs.values()) for part, runs in pairs)
    return [(part, tasks) for part, tasks in missing if tasks]


def _missing_answers(findings: Findings) -> Iterator[tuple[int, str]]:
    for part, each in enumerate(findings.plan.parts):
        for board in each.boards:
            if (part, board.name) not in findings.answers:
                yield part, board.name


def _missing_maps(findings: Findings) -> Iterator[tuple[int, str, str]]:
    """Boards and engines whose first run found a solution that was lost when a process died."""
    for part, each in enumerate(findings.plan.parts):
        for run in findings.measurements[part].values():
            key = (part, run.board, run.engine)
            is_solved = run.run == 1 and run.verdict is Verdict.SOLVED
            if is_solved and key not in findings.maps and has_map(each.board(run.board).grid):
                yield key


def _map(part: ReportPart, name: str, engine: str) -> str:
    """The result map of an engine with the seed of its first run; empty if it finds no solution."""
    board, heading = part.board(name), part.heading
    keeps_time = get_engine(engine).info.time_limit
    run = Run(Limits(heading.seconds if keeps_time else None), seed=heading.seed)
    try:
        outcome = solve(board.grid, engine, total=board.total, run=run).outcome
    except GemHunterError:
        return ""
    return map_letters(outcome.solution, board.grid) if isinstance(outcome, Solved) else ""


def _answer(part: ReportPart, name: str) -> BoardAnswer:
    """The number of solutions of a board and whether it has just one, if each is found in 5 seconds."""
    board, limits = part.board(name), Limits(5.0)
    try:
        number = count(board.grid, total=board.total, run=Run(limits))
        if not isinstance(number, GaveUp):
            return BoardAnswer(decimal_text(number), number == 1)
        unique = is_unique(board.grid, total=board.total, run=Run(limits))
    except GemHunterError as error:
        return BoardAnswer(None, None, str(error))
    return BoardAnswer(None, None if isinstance(unique, GaveUp) else unique, number.stop_reason.value)


def _games(findings: Findings) -> Iterator[LedgerLine]:
    empty = lines_of_report() if findings.plan.games else []
    for place, line in enumerate(empty):
        for first in range(findings.lines[place].marked.size, findings.plan.games, GAMES_AT_ONCE):
            games = min(GAMES_AT_ONCE, findings.plan.games - first)
            *_, (played,) = measure_s5([line], games, FIRST_GAME + first)
            rounds = {line.counter: tuple(played.rounds.tolist())}
            yield LedgerLine(S5GamesLine(S5Games(place, tuple(played.marked.tolist()), **rounds)), line.name)


def _dealt(findings: Findings) -> Iterator[LedgerLine]:
    for first in range(_dealt_so_far(findings), findings.plan.dealt, BOARDS_AT_ONCE):
        boards = min(BOARDS_AT_ONCE, findings.plan.dealt - first)
        *_, levels = measure_clues(boards, FIRST_GAME + first)
        clues = {"clues": {each.level: each.counts.tolist() for each in levels}}
        yield LedgerLine(convert(clues, CluesLine), "dealt boards")


def _dealt_so_far(findings: Findings) -> int:
    return len(findings.counts.get(COURSE_LEVELS[0], []))
