"""What the runs of a comparison come to, where engines disagree, and which is faster, by how much."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from statistics import median, stdev

import numpy as np

from gemhunter.compare.suites import RUN_STAGES, Measurement, Verdict
from gemhunter.work.estimates import Interval, mean_of

# What the runs of a comparison come to: one entry per board and engine, and where engines disagree.


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


# Which engine is faster, and by how much: on one board, over all boards, and before and after a change.


SHORTEST_SECONDS = 1e-9
"""A clock that did not move between two looks does not make an engine infinitely fast."""


@dataclass(frozen=True, slots=True)
class RankOnBoard:
    """An engine's median seconds on a board, and how many times the fastest engine's they are."""

    engine: str
    seconds: float
    ratio: float


@dataclass(frozen=True, slots=True)
class OverallRank:
    """An engine over all boards.

    `answered` is on how many boards it has a median time and `fastest` on how many no engine has a shorter
    one. `ratio` is how many times as long as the best engine it takes, as the geometric mean over the
    `compared` boards on which both have a time; None if there is no such board.
    """

    engine: str
    answered: int
    fastest: int
    compared: int
    ratio: Interval | None


def rank_on_board(summary: Summary, board: str) -> tuple[RankOnBoard, ...]:
    """The engines that have a time on this board, fastest first."""
    timed = [(engine, summary.median(board, engine)) for engine in summary.engines]
    times = sorted(((engine, time) for engine, time in timed if time is not None), key=lambda pair: pair[1])
    return tuple(RankOnBoard(engine, time, ratio_of(time, times[0][1])) for engine, time in times)


def rank_overall(summary: Summary) -> tuple[OverallRank, ...]:
    """All engines, best first: those that answer more boards, then those nearer to the fastest on each.

    The first one is what the others' ratios are to.
    """
    ranks = {board: rank_on_board(summary, board) for board in summary.boards}
    ratios: dict[str, list[float]] = {engine: [] for engine in summary.engines}
    for on_board in ranks.values():
        for rank in on_board:
            ratios[rank.engine].append(rank.ratio)

    def standing(engine: str) -> tuple[int, float]:
        near = ratios[engine]
        return -len(near), geometric_mean_of(near).value if near else 0.0

    ordered = sorted(summary.engines, key=standing)
    return tuple(
        OverallRank(
            engine,
            len(ratios[engine]),
            sum(ratio == 1.0 for ratio in ratios[engine]),
            len(against := ratios_between(summary, engine, ordered[0])),
            geometric_mean_of(list(against.values())) if against else None,
        )
        for engine in ordered
    )


def ratios_between(summary: Summary, engine: str, reference: str) -> dict[str, float]:
    """How many times as long as `reference` an engine takes, for each board on which both have a time."""
    pairs = {
        board: (summary.median(board, engine), summary.median(board, reference)) for board in summary.boards
    }
    return {
        board: ratio_of(time, other)
        for board, (time, other) in pairs.items()
        if time is not None and other is not None
    }


def ratio_of(seconds: float, reference: float) -> float:
    """One time as a multiple of another."""
    return max(seconds, SHORTEST_SECONDS) / max(reference, SHORTEST_SECONDS)


def geometric_mean_of(ratios: Sequence[float]) -> Interval:
    """The geometric mean with Student's interval of their logarithms, unbounded for a single one."""
    logs = mean_of(np.array([log(ratio) for ratio in ratios]))
    return Interval(exp(logs.value), exp(logs.low), exp(logs.high))


@dataclass(frozen=True, slots=True)
class PairedEntry:
    """One engine on one board, as each of the two sets has it."""

    before: EngineOnBoard
    after: EngineOnBoard

    @property
    def board(self) -> str:
        """The board that both are about."""
        return self.before.board

    @property
    def engine(self) -> str:
        """The engine that both are about."""
        return self.before.engine

    @property
    def ratio(self) -> float | None:
        """The second median as a multiple of the first, above 1 if slower; None if either is missing."""
        if self.before.median is None or self.after.median is None:
            return None
        return ratio_of(self.after.median, self.before.median)


@dataclass(frozen=True, slots=True)
class EngineChange:
    """The geometric mean of an engine's ratios over the boards on which both sets have a time."""

    engine: str
    boards: int
    ratio: Interval | None


@dataclass(frozen=True, slots=True)
class PairedSummary:
    """What two sets of measurements have in common, and what only one of them has.

    `names` say which is which. What is only in one is listed as board and engine.
    """

    names: tuple[str, str]
    pairs: tuple[PairedEntry, ...]
    engines: tuple[EngineChange, ...]
    only_before: tuple[tuple[str, str], ...]
    only_after: tuple[tuple[str, str], ...]


def compare(
    before: Iterable[Measurement],
    after: Iterable[Measurement],
    names: tuple[str, str] = ("before", "after"),
) -> PairedSummary:
    """Pair each engine on each board with itself, in the order of the first set."""
    first, second = summarise(before), summarise(after)
    pairs = tuple(
        PairedEntry(entry, second.entries[key]) for key, entry in _in_order(first) if key in second.entries
    )
    engines = dict.fromkeys(pair.engine for pair in pairs)
    return PairedSummary(
        names,
        pairs,
        tuple(_change(engine, pairs) for engine in engines),
        tuple(key for key, _ in _in_order(first) if key not in second.entries),
        tuple(key for key, _ in _in_order(second) if key not in first.entries),
    )


def _in_order(summary: Summary) -> list[tuple[tuple[str, str], EngineOnBoard]]:
    """Entries board by board."""
    keys = ((board, engine) for board in summary.boards for engine in summary.engines)
    return [(key, summary.entries[key]) for key in keys if key in summary.entries]


def _change(engine: str, pairs: Sequence[PairedEntry]) -> EngineChange:
    found = [pair.ratio for pair in pairs if pair.engine == engine]
    ratios = [ratio for ratio in found if ratio is not None]
    return EngineChange(engine, len(ratios), geometric_mean_of(ratios) if ratios else None)
