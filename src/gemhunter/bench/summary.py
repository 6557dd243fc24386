"""What the runs of a comparison come to: one entry per board and engine, and where engines disagree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median, stdev

import numpy as np

from gemhunter.bench.values import RUN_STAGES, Measurement, Verdict
from gemhunter.work.estimates import Interval, mean_of

ANSWER_VERDICTS = (Verdict.SOLVED, Verdict.REFUTED)

VERDICT_WORDS = {
    Verdict.SOLVED: "solved",
    Verdict.REFUTED: "no solution",
    Verdict.GAVE_UP: "gave up",
    Verdict.CRASHED: "crashed",
    Verdict.WRONG: "wrong answer",
}
"""What stands in a table for a verdict; for a run that gave up, its reason comes first."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Seconds of the runs that have an answer: their mean, the shortest, the longest, standard deviation."""

    mean: Interval
    shortest: float
    longest: float
    deviation: float


@dataclass(frozen=True, slots=True)
class EngineOnBoard:
    """What all runs of one engine on one board came to.

    `median` is in seconds. A run without an answer counts as longer than any other, so that an engine gains
    nothing from being stopped; there is no median if half of the runs have no answer. `spread` is None if
    none has one.
    """

    board: str
    engine: str
    verdicts: Mapping[Verdict, int]
    """How many runs came to which verdict."""
    reasons: Mapping[str, int]
    """How many runs have no answer for which reason, most frequent first."""
    median: float | None
    spread: Spread | None
    stages: Mapping[str, float]
    """The median seconds of each stage, over the runs that have an answer."""
    counters: Mapping[str, float]
    """The median of each counter, over the runs that have it, with or without an answer."""
    memory: int | None
    """The most memory that a run held, in bytes."""

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return sum(self.verdicts.values())

    @property
    def answered(self) -> int:
        """How many runs found a solution or refuted the board."""
        return sum(self.verdicts.get(verdict, 0) for verdict in ANSWER_VERDICTS)

    @property
    def verdict(self) -> Verdict | None:
        """What all runs came to; None if they differ."""
        return next(iter(self.verdicts)) if len(self.verdicts) == 1 else None

    @property
    def contradicts_itself(self) -> bool:
        """Whether some runs found a solution and others refuted the board."""
        return all(verdict in self.verdicts for verdict in ANSWER_VERDICTS)

    @property
    def words(self) -> str:
        """A remark about the time; empty if every run found a solution.

        `time limit` if no run has an answer, `no solution` for a refutation, `2 of 3, time limit` if some
        have one.
        """
        if self.contradicts_itself:
            counts = (f"{self.verdicts[verdict]} {VERDICT_WORDS[verdict]}" for verdict in ANSWER_VERDICTS)
            return ", ".join([f"contradicts itself: {', '.join(counts)}", *self._listed_reasons()])
        answer = [VERDICT_WORDS[Verdict.REFUTED]] if Verdict.REFUTED in self.verdicts else []
        if not self.reasons:
            return "".join(answer)
        part = [f"{self.answered} of {self.runs}"] if self.answered else []
        return ", ".join([*answer, *part, *self._listed_reasons()])

    def _listed_reasons(self) -> list[str]:
        if len(self.reasons) == 1:
            return list(self.reasons)
        return [f"{number} × {reason}" for reason, number in self.reasons.items()]


@dataclass(frozen=True, slots=True)
class Summary:
    """Boards and engines in the order in which they are shown, and an entry where there are runs."""

    boards: tuple[str, ...]
    engines: tuple[str, ...]
    entries: Mapping[tuple[str, str], EngineOnBoard]

    def of(self, board: str, engine: str) -> EngineOnBoard | None:
        """The entry of an engine on a board; None if it was not run there."""
        return self.entries.get((board, engine))

    def median(self, board: str, engine: str) -> float | None:
        """The median seconds of an engine on a board; None if there is no such time."""
        entry = self.of(board, engine)
        return None if entry is None else entry.median

    @property
    def counters(self) -> tuple[str, ...]:
        """The names of all counters, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for entry in self.entries.values() for name in entry.counters))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Engines that cannot all be right about a board: those that solved it, refuted it, or were wrong."""

    board: str
    solved: tuple[str, ...]
    refuted: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def text(self) -> str:
        """The board and the engines, in one line."""
        said = ((self.solved, "solved it"), (self.refuted, "says it has no solution"))
        parts = [f"{', '.join(engines)} {words}" for engines, words in said if self.solved and self.refuted]
        if self.wrong:
            parts.append(f"{', '.join(self.wrong)} gave a wrong answer")
        return f"{self.board}: {'; '.join(parts)}"


def summarise(
    measurements: Iterable[Measurement], *, boards: Sequence[str] = (), engines: Sequence[str] = ()
) -> Summary:
    """One entry per board and engine that has runs.

    `boards` and `engines` come first and in this order, even without runs; others follow as they first
    appear.
    """
    groups: dict[tuple[str, str], list[Measurement]] = {}
    for each in measurements:
        groups.setdefault((each.task.board, each.task.engine), []).append(each)
    return Summary(
        tuple(dict.fromkeys([*boards, *(board for board, _ in groups)])),
        tuple(dict.fromkeys([*engines, *(engine for _, engine in groups)])),
        {key: _entry(runs) for key, runs in groups.items()},
    )


def disagreements(measurements: Iterable[Measurement]) -> tuple[Disagreement, ...]:
    """Boards that were both solved and refuted, or got a wrong answer, with the engines concerned."""
    said: dict[str, dict[Verdict, dict[str, None]]] = {}
    for each in measurements:
        said.setdefault(each.task.board, {}).setdefault(each.verdict, {})[each.task.engine] = None
    found = [
        Disagreement(
            board, *(tuple(by_verdict.get(verdict, ())) for verdict in (*ANSWER_VERDICTS, Verdict.WRONG))
        )
        for board, by_verdict in said.items()
    ]
    return tuple(each for each in found if each.wrong or (each.solved and each.refuted))


def _entry(runs: Sequence[Measurement]) -> EngineOnBoard:
    times = [each.total for each in runs]
    answered = [each for each in runs if each.total is not None]
    middle = median(inf if seconds is None else seconds for seconds in times)
    memory = [each.memory for each in runs if each.memory is not None]
    reasons = Counter(_reason(each) for each in runs if each.total is None)
    return EngineOnBoard(
        runs[0].task.board,
        runs[0].task.engine,
        Counter(each.verdict for each in runs),
        dict(reasons.most_common()),
        None if middle == inf else middle,
        _spread([seconds for seconds in times if seconds is not None]),
        _medians([each.seconds for each in answered], RUN_STAGES),
        _medians([each.counters for each in runs]),
        max(memory, default=None),
    )


def _reason(run: Measurement) -> str:
    return (run.verdict is Verdict.GAVE_UP and run.reason) or VERDICT_WORDS[run.verdict]


def _spread(seconds: Sequence[float]) -> Spread | None:
    if not seconds:
        return None
    deviation = stdev(seconds) if len(seconds) > 1 else 0.0
    return Spread(mean_of(np.array(seconds)), min(seconds), max(seconds), deviation)


def _medians(runs: Sequence[Mapping[str, float]], order: Sequence[str] = ()) -> dict[str, float]:
    """The median of each number over the runs that have it; names in `order` first."""
    names = dict.fromkeys([*order, *(name for numbers in runs for name in numbers)])
    by_name = {name: [numbers[name] for numbers in runs if name in numbers] for name in names}
    return {name: median(numbers) for name, numbers in by_name.items() if numbers}
