"""Two sets of measurements side by side: before and after a change, or one machine and another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.bench.summary import EngineOnBoard, Summary, summarise
from gemhunter.bench.summary_ranks import geometric_mean_of, ratio_of
from gemhunter.bench.values import Measurement
from gemhunter.work.estimates import Interval


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
