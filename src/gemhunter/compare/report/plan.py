"""What a report is about: its boards, the comparisons on them, and the games of S5."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemhunter.board.grid import Grid
from gemhunter.compare.ledger import BenchHeading, comparison_of, heading_of
from gemhunter.compare.runs import EngineComparison, RunSetting
from gemhunter.compare.suites import (
    BUILT_IN_SUITES,
    INDEX_SUFFIX,
    BenchBoard,
    BenchLimits,
    Notice,
    Suite,
    WorkersUsed,
    ignore,
    load_boards,
)
from gemhunter.files.dialects import Zero
from gemhunter.solving.registry import get_engine, require_installed

SOURCE_SUITES = ("s1", "s2", "s3", "s4")
"""What a report is about if no boards are named; S5, which plays games, comes with them."""

REPORT_ENGINES = ("pysat", "cdcl", "dpll", "backtracking", "brute-force", "genetic", "resolution")
"""The engines compared if neither the user nor the suite names any: every algorithm of the sources."""

FIRST_GAME = 1
"""The seed of the first game and of the first dealt board, as in `gemhunter experiment`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: at most this many runs, and seconds for each; None for what the suite says."""

    name: str
    most_runs: int | None
    most_seconds: float | None
    games: int
    """Games of S5 for each level and number of initial safe cells."""
    dealt: int
    """Boards dealt for each level to count clues."""


QUICK_EFFORT = Effort("quick", 3, 2.0, 20, 300)
FULL_EFFORT = Effort("full", None, None, 1000, 3000)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """One comparison of a report: how it was begun, and its boards."""

    heading: BenchHeading
    boards: tuple[BenchBoard, ...]

    @property
    def comparison(self) -> EngineComparison:
        """The runs to make."""
        heading = self.heading
        return comparison_of(heading, Suite(heading.suite, heading.title, self.boards))

    def grid(self, board: str) -> Grid:
        """The grid of a board by its name."""
        return next(each.grid for each in self.boards if each.name == board)

    @property
    def title(self) -> str:
        """The name of the suite, and its title if an index gives it one."""
        suite, title = self.heading.suite, self.heading.title
        return f"{suite}: {title}" if self.heading.arguments[0] in BUILT_IN_SUITES else suite

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that make the runs of this part alone: one for each number of runs."""
        heading = self.heading
        runs = {engine: heading.runs_of.get(engine, heading.runs) for engine in heading.engines}
        return tuple(
            self._command([engine for engine in runs if runs[engine] == number], number)
            for number in dict.fromkeys(runs.values())
        )

    def _command(self, engines: Sequence[str], runs: int) -> str:
        setting, zero = self.heading.setting, self.heading.zero
        words = ["gemhunter", "bench", *self.heading.arguments]
        words += [word for engine in engines for word in ("-e", engine)]
        words += ["--runs", str(runs), "--time-limit", f"{setting.limits.seconds:g}"]
        words += ["--seed", str(setting.seed)] + (["--zero", zero] if zero != "clue" else [])
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """All parts of a report; `games` and `dealt` are 0 if it is not about S5."""

    effort: str
    parts: tuple[ReportPart, ...]
    games: int
    dealt: int

    def made_by(self, workers: WorkersUsed) -> "ReportPlan":
        """This plan with the workers that make its first runs."""
        parts = (replace(part, heading=replace(part.heading, workers=workers)) for part in self.parts)
        return replace(self, parts=tuple(parts))

    @property
    def workers(self) -> WorkersUsed | None:
        """Those that made the first runs, which all parts share; None if that is not known."""
        return self.parts[0].heading.workers if self.parts else None


def new_plan(
    arguments: Sequence[str],
    effort: Effort,
    *,
    engines: Sequence[str] = (),
    zero: Zero = "clue",
    seed: int = 0,
    notice: Notice = ignore,
) -> ReportPlan:
    """The plan for these boards and suites; for all sources if there are none."""
    for name in engines:
        require_installed(get_engine(name))  # raises before any work is done
    groups = _groups(arguments or SOURCE_SUITES)
    parts = tuple(
        _part(group, load_boards(group, zero, notice), effort, engines=engines, zero=zero, seed=seed)
        for group in groups
    )
    with_games = not arguments
    return ReportPlan(effort.name, parts, effort.games * with_games, effort.dealt * with_games)


def plan_for(suite: Suite, effort: Effort, *, engines: Sequence[str] = (), seed: int = 0) -> ReportPlan:
    """The plan for boards that are at hand; its commands call their files after them."""
    files = tuple(f"{board.name}.txt" for board in suite.boards)
    part = _part(files, suite, effort, engines=engines, zero="clue", seed=seed)
    return ReportPlan(effort.name, (part,), 0, 0)


def _groups(arguments: Sequence[str]) -> list[tuple[str, ...]]:
    """Each suite or folder for itself; all board files together."""
    suites = [name for name in dict.fromkeys(arguments) if _is_suite(name)]
    files = tuple(name for name in arguments if name not in suites)
    return [*((name,) for name in suites), *([files] if files else [])]


def _is_suite(name: str) -> bool:
    return name in BUILT_IN_SUITES or Path(name).is_dir() or Path(name).suffix.lower() == INDEX_SUFFIX


def _part(
    arguments: tuple[str, ...],
    suite: Suite,
    effort: Effort,
    *,
    engines: Sequence[str],
    zero: Zero,
    seed: int,
) -> ReportPart:
    chosen = tuple(dict.fromkeys(engines or suite.engines or REPORT_ENGINES))
    seconds = min(suite.seconds, effort.most_seconds or suite.seconds)
    runs = min(suite.runs, effort.most_runs or suite.runs)
    runs_of = {
        name: min(count, effort.most_runs or count) for name, count in suite.runs_of.items() if name in chosen
    }
    runs_of = {name: count for name, count in runs_of.items() if count != runs}
    comparison = EngineComparison(suite, chosen, RunSetting(BenchLimits(seconds), seed), runs, runs_of)
    return ReportPart(heading_of(comparison, arguments, zero), suite.boards)


def begun_here(part: ReportPart) -> BenchHeading:
    """The heading that this part would have if it were begun here and now."""
    return heading_of(part.comparison, part.heading.arguments, part.heading.zero)
