"""The plan of a report: which boards, engines, runs and games it covers."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemhunter.bench.ledger import BenchHeading, comparison_of, heading_of
from gemhunter.bench.runs import BenchLimits, EngineComparison, RunSetting, WorkersUsed
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
from gemhunter.experiments.game_tables import S5Line, lines_of_s5
from gemhunter.files.dialects import Zero
from gemhunter.solving.registry import get_engine, require_installed

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
