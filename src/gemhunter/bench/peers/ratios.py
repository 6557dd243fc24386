"""How many times as long as ours a peer takes: on one board, and over all boards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, exp, inf, log, sqrt
from statistics import NormalDist, median

from gemhunter.bench.peers.contestants import Contestant
from gemhunter.bench.peers.runs import ContestantOnBoard
from gemhunter.bench.ratios import SHORTEST_SECONDS, geometric_mean_of
from gemhunter.work.estimates import NORMAL_QUANTILE, Interval


@dataclass(frozen=True, slots=True)
class PairOnBoard:
    """A peer and ours on one board; `ratio` is the peer's median to ours, None unless both have a time."""

    peer: ContestantOnBoard
    ours: ContestantOnBoard
    ratio: Interval | None


@dataclass(frozen=True, slots=True)
class PairOverall:
    """A peer and ours on all boards.

    `ratio` is the geometric mean of the ratios of medians over the `compared` boards on which both have a
    time. `boards` is on how many they were asked, `peer_answered` and `ours_answered` how many each answered.
    """

    peer: Contestant
    ours: Contestant
    boards: int
    peer_answered: int
    ours_answered: int
    compared: int
    ratio: Interval | None


def pairs_on_boards(
    pairs: Sequence[tuple[Contestant, Contestant]], results: Iterable[ContestantOnBoard]
) -> list[PairOnBoard]:
    """Every pair on every board on which both were asked; boards as they first appear."""
    found = {(each.board, each.contestant): each for each in results}
    boards = dict.fromkeys(board for board, _ in found)
    return [
        PairOnBoard(theirs, own, _ratio_of_results(theirs, own))
        for board in boards
        for peer, ours in pairs
        if (theirs := found.get((board, peer.name))) and (own := found.get((board, ours.name)))
    ]


def pairs_overall(
    pairs: Sequence[tuple[Contestant, Contestant]], on_boards: Sequence[PairOnBoard]
) -> list[PairOverall]:
    """What the boards come to for each pair that was asked about any."""
    overall = [
        _overall(pair, [each for each in on_boards if _names(each) == (pair[0].name, pair[1].name)])
        for pair in pairs
    ]
    return [each for each in overall if each.boards]


def ratio_of_medians(
    peer: Sequence[float], ours: Sequence[float], medians: tuple[float, float] | None = None
) -> Interval:
    """The median of `peer` to that of `ours`, with the interval of Price and Bonett (2002).

    It assumes no distribution: the spread of a median is read off the order of the times. The
    interval of a single time is unbounded. `medians` are better ones, where they are known.
    """
    first, second = _positive(medians or (median(peer), median(ours)))
    value = log(first) - log(second)
    margin = NORMAL_QUANTILE * sqrt(_log_median_variance(peer) + _log_median_variance(ours))
    return Interval(exp(value), exp(value - margin), exp(value + margin) if margin < inf else inf)


def _log_median_variance(seconds: Sequence[float]) -> float:
    """The variance of the logarithm of a median, from two runs as far apart as about 95 % of medians are."""
    size, ordered = len(seconds), sorted(_positive(seconds))
    if size < 2:
        return inf
    low = max(round((size + 1) / 2 - sqrt(size)), 1)
    outside = 2 * sum(comb(size, below) for below in range(low)) / 2**size
    quantile = NormalDist().inv_cdf(1 - outside / 2)
    return float(((log(ordered[size - low]) - log(ordered[low - 1])) / (2 * quantile)) ** 2)


def _positive(seconds: Sequence[float]) -> list[float]:
    return [max(each, SHORTEST_SECONDS) for each in seconds]


def _ratio_of_results(peer: ContestantOnBoard, ours: ContestantOnBoard) -> Interval | None:
    """The ratio of the medians of all runs; its interval is that of the medians of processes.

    Runs of one process are more alike than runs of several, so they do not count one by one.
    """
    if peer.median is None or ours.median is None:
        return None
    return ratio_of_medians(peer.medians, ours.medians, (peer.median, ours.median))


def _names(pair: PairOnBoard) -> tuple[str, str]:
    return pair.peer.contestant, pair.ours.contestant


def _overall(pair: tuple[Contestant, Contestant], boards: Sequence[PairOnBoard]) -> PairOverall:
    ratios = [each.ratio.value for each in boards if each.ratio is not None]
    return PairOverall(
        *pair,
        boards=len(boards),
        peer_answered=sum(each.peer.median is not None for each in boards),
        ours_answered=sum(each.ours.median is not None for each in boards),
        compared=len(ratios),
        ratio=geometric_mean_of(ratios) if ratios else None,
    )
