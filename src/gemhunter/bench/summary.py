"""The results of a comparison: an entry per board and engine, disagreements, and which engine is faster."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from statistics import median, stdev

import numpy as np

from gemhunter.bench.runs import RUN_STAGES, Measurement, Verdict
from gemhunter.work.confidence_intervals import Interval, mean_of

ANSWER_VERDICTS = (Verdict.SOLVED, Verdict.REFUTED)

VERDICT_WORDS = {
    Verdict.SOLVED: "solved",
    Verdict.REFUTED: "no solution",
    Verdict.GAVE_UP: "gave up",
    Verdict.CRASHED: "crashed",
    Verdict.WRONG: "wrong answer",
}
"""The verdicts in words; a table shows the reason of a run that gave up instead, if there is one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The seconds of the runs with an answer: mean, shortest, longest and standard deviation."""

    mean: Interval
    shortest: float
    longest: float
    deviation: float


@dataclass(frozen=True, slots=True)
class EngineOnBoard:
    """The results of all runs of one engine on one board.

    `median` is in seconds. A run without an answer counts as longer than any other, so that an engine gains
    nothing from being stopped; there is no median if at least half have no answer. `spread` is None if
    all have none.
    """

    board: str
    engine: str
    verdicts: Mapping[Verdict, int]
    """The number of runs for each verdict."""
    reasons: Mapping[str, int]
    """The number of runs without an answer for each reason, most frequent first."""
    median: float | None
    spread: Spread | None
    stages: Mapping[str, float]
    """The median seconds of each stage over the runs with an answer."""
    counters: Mapping[str, float]
    """The median of each counter over the runs that have it, with or without an answer."""
    memory: int | None
    """The peak memory of all runs, in bytes."""

    @property
    def runs(self) -> int:
        """The number of runs."""
        return sum(self.verdicts.values())

    @property
    def answered(self) -> int:
        """The number of runs that found a solution or refuted the board."""
        return sum(self.verdicts.get(verdict, 0) for verdict in ANSWER_VERDICTS)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of all runs; None if they differ."""
        return next(iter(self.verdicts)) if len(self.verdicts) == 1 else None

    @property
    def contradicts_itself(self) -> bool:
        """Whether some runs found a solution and others refuted the board."""
        return all(verdict in self.verdicts for verdict in ANSWER_VERDICTS)

    @property
    def words(self) -> str:
        """A remark about the time; empty if every run found a solution.

        Examples are `time limit` if no run has an answer, `no solution` for a refutation, and `2 of 3, time
        limit` if some runs have an answer.
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
    """Boards and engines in the order in which they are shown, and an entry for each pair that has runs."""

    boards: tuple[str, ...]
    engines: tuple[str, ...]
    entries: Mapping[tuple[str, str], EngineOnBoard]

    def of(self, board: str, engine: str) -> EngineOnBoard | None:
        """The entry of an engine on a board; None if it has no runs there."""
        return self.entries.get((board, engine))

    def median(self, board: str, engine: str) -> float | None:
        """The median seconds of an engine on a board; None if it has none."""
        entry = self.of(board, engine)
        return None if entry is None else entry.median

    @property
    def counters(self) -> tuple[str, ...]:
        """The names of all counters, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for entry in self.entries.values() for name in entry.counters))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Engines that cannot all be right about a board: some solved it and others refuted it, or are wrong."""

    board: str
    solved: tuple[str, ...]
    refuted: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def text(self) -> str:
        """The board and the engines, in one line."""
        parts = []
        if self.solved and self.refuted:
            says = "says" if len(self.refuted) == 1 else "say"
            parts.append(f"{', '.join(self.solved)} solved it")
            parts.append(f"{', '.join(self.refuted)} {says} it has no solution")
        if self.wrong:
            parts.append(f"{', '.join(self.wrong)} gave a wrong answer")
        return f"{self.board}: {'; '.join(parts)}"


def summarise(
    measurements: Iterable[Measurement], *, boards: Sequence[str] = (), engines: Sequence[str] = ()
) -> Summary:
    """An entry for each board and engine that has runs.

    `boards` and `engines` come first, in this order and even without runs; others follow as they appear.
    """
    groups: dict[tuple[str, str], list[Measurement]] = {}
    for run in measurements:
        groups.setdefault((run.board, run.engine), []).append(run)
    return Summary(
        tuple(dict.fromkeys([*boards, *(board for board, _ in groups)])),
        tuple(dict.fromkeys([*engines, *(engine for _, engine in groups)])),
        {key: _entry(runs) for key, runs in groups.items()},
    )


def disagreements(measurements: Iterable[Measurement]) -> tuple[Disagreement, ...]:
    """Boards that were both solved and refuted, or have a wrong answer, with the engines concerned."""
    engines: dict[str, dict[Verdict, dict[str, None]]] = {}
    for run in measurements:
        engines.setdefault(run.board, {}).setdefault(run.verdict, {})[run.engine] = None
    answers = [
        Disagreement(
            board, *(tuple(by_verdict.get(verdict, ())) for verdict in (*ANSWER_VERDICTS, Verdict.WRONG))
        )
        for board, by_verdict in engines.items()
    ]
    return tuple(answer for answer in answers if answer.wrong or (answer.solved and answer.refuted))


def _entry(runs: Sequence[Measurement]) -> EngineOnBoard:
    answered = [run for run in runs if run.total is not None]
    times = [run.total for run in runs if run.total is not None]
    middle = median([*times, *[inf] * (len(runs) - len(times))])
    spread = None
    if times:
        deviation = stdev(times) if len(times) > 1 else 0.0
        spread = Spread(mean_of(np.array(times)), min(times), max(times), deviation)
    reasons = Counter(
        (run.verdict is Verdict.GAVE_UP and run.reason) or VERDICT_WORDS[run.verdict]
        for run in runs
        if run.total is None
    )
    return EngineOnBoard(
        runs[0].board,
        runs[0].engine,
        Counter(run.verdict for run in runs),
        dict(reasons.most_common()),
        None if middle == inf else middle,
        spread,
        _medians([run.seconds for run in answered], RUN_STAGES),
        _medians([run.counters for run in runs]),
        max((run.memory for run in runs if run.memory is not None), default=None),
    )


def _medians(runs: Sequence[Mapping[str, float]], order: Sequence[str] = ()) -> dict[str, float]:
    """The median of each number over the runs that have it; names in `order` come first."""
    names = dict.fromkeys([*order, *(name for numbers in runs for name in numbers)])
    by_name = {name: [numbers[name] for numbers in runs if name in numbers] for name in names}
    return {name: median(numbers) for name, numbers in by_name.items() if numbers}


# Which engine is faster, and by how much: on one board, over all boards, and after a change.


@dataclass(frozen=True, slots=True)
class RankOnBoard:
    """An engine's median seconds on a board, also as a multiple of the fastest engine's."""

    engine: str
    seconds: float
    ratio: float


@dataclass(frozen=True, slots=True)
class OverallRank:
    """An engine over all boards.

    `answered` is the number of boards on which it has a median time, `fastest` the number of those on which
    no engine has a shorter one. `ratio` is its time as a multiple of the best engine's: the geometric mean
    over the `compared` boards on which both have a time, None if there is no such board.
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
    """All engines, best first: by the boards they answer, then by how close they are to the fastest.

    The ratio of each engine is to the first one.
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
    """An engine's time as a multiple of that of `reference`, for each board on which both have one."""
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
    # The clock may not advance during a very short run, which is not infinitely fast.
    return max(seconds, 1e-9) / max(reference, 1e-9)


def geometric_mean_of(ratios: Sequence[float]) -> Interval:
    """The geometric mean, with Student's interval of the logarithms; unbounded for a single ratio."""
    logs = mean_of(np.array([log(ratio) for ratio in ratios]))
    return Interval(exp(logs.value), exp(logs.low), exp(logs.high))


@dataclass(frozen=True, slots=True)
class PairedEntry:
    """The entries of one engine on one board in both sets."""

    before: EngineOnBoard
    after: EngineOnBoard

    @property
    def board(self) -> str:
        """The board of both entries."""
        return self.before.board

    @property
    def engine(self) -> str:
        """The engine of both entries."""
        return self.before.engine

    @property
    def ratio(self) -> float | None:
        """The second median as a multiple of the first; None if either is missing."""
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
    """Two sets of measurements, compared; `names` are the names of the sets.

    `only_before` and `only_after` have the board and engine of each entry that is in only one set.
    """

    names: tuple[str, str]
    pairs: tuple[PairedEntry, ...]
    engines: tuple[EngineChange, ...]
    only_before: tuple[tuple[str, str], ...]
    only_after: tuple[tuple[str, str], ...]


def compare(
    before: Iterable[Measurement], after: Iterable[Measurement], names: tuple[str, str] = ("before", "after")
) -> PairedSummary:
    """Pair each engine on each board with itself, in the order of the first set."""
    first, second = summarise(before), summarise(after)
    pairs = tuple(
        PairedEntry(entry, second.entries[key]) for key, entry in _in_order(first) if key in second.entries
    )
    ratios: dict[str, list[float]] = {pair.engine: [] for pair in pairs}
    for pair in pairs:
        if pair.ratio is not None:
            ratios[pair.engine].append(pair.ratio)
    return PairedSummary(
        names,
        pairs,
        tuple(
            EngineChange(engine, len(of_engine), geometric_mean_of(of_engine) if of_engine else None)
            for engine, of_engine in ratios.items()
        ),
        tuple(key for key, _ in _in_order(first) if key not in second.entries),
        tuple(key for key, _ in _in_order(second) if key not in first.entries),
    )


def _in_order(summary: Summary) -> list[tuple[tuple[str, str], EngineOnBoard]]:
    """Entries board by board."""
    keys = ((board, engine) for board in summary.boards for engine in summary.engines)
    return [(key, summary.entries[key]) for key in keys if key in summary.entries]
