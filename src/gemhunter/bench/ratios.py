"""Which engine is faster, and by how much: on one board, over all boards, and before and after a change."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from gemhunter.bench.summary import EngineOnBoard, Summary, summarise
from gemhunter.bench.values import Measurement
from gemhunter.work.estimates import Interval, mean_of

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
