"""Passes over a circuit, forwards and backwards, in slices that ask the run whether to go on."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.plan import Planned
from gemhunter.kernels.counting.weights import lay_out, mark_live, trace_back, weigh
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from gemhunter.kernels.counting.circuit import Circuit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_BYTES = 4_000_000_000
"""What weights may take where there is no memory limit."""

BYTES_PER_WEIGHT = 24
"""A weight, its share of the whole, and where it is."""

WORK_PER_SLICE = 20_000_000
"""Additions between two looks at the clock."""

OUT_OF_RANGE = GaveUp(
    StopReason.UNDECIDED, "the weights of its solutions differ by more than a number can hold"
)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weight of every state, as `kernels.counting.weights` lays them out, and how they were come by."""

    spans: Ints
    values: Floats
    scale: Floats
    by_traps: bool
    odds: float
    only_whether: bool


@dataclass(frozen=True, eq=False)
class Passes:
    """The circuit of a planned board, to be gone through within a run."""

    planned: Planned
    circuit: "Circuit"
    run: Run

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        """The states that a solution goes through."""
        return mark_live(self.planned.plan, self.planned.steps, self.circuit)

    def weigh(self, *, by_traps: bool, odds: float, only_whether: bool) -> Weights | GaveUp:
        """Weigh every state; gives up at a limit, or if weights differ by more than a number can hold."""
        circuit, steps, run = self.circuit, self.planned.steps, self.run
        spans = lay_out(circuit, int(circuit.starts[steps]), by_traps)
        size = BYTES_PER_WEIGHT * int(spans[-1])
        if not run.fits(size) or (run.limits.memory is None and size > MOST_BYTES):
            return GaveUp(StopReason.MEMORY, f"{spans[-1]:,} weights would not fit")
        found = Weights(spans, np.zeros(spans[-1]), np.ones(steps), by_traps, odds, only_whether)
        for first, last in self._slices(spans):
            in_range = weigh(
                self.planned.plan,
                first,
                last,
                circuit,
                self.live,
                spans,
                by_traps,
                odds,
                only_whether,
                found.values,
                found.scale,
            )
            if not in_range:
                return OUT_OF_RANGE
            if limit := run.spend():
                return GaveUp(limit)
        return found

    def trace_back(self, weights: Weights, bounds: Ints, counts: Floats) -> tuple[Floats, Floats] | GaveUp:
        """For each open cell the weight of all solutions with a trap in it, and with a gem.

        Weight i of part p, from `bounds[p]` on, counts `counts[i]`.
        """
        planned, circuit, spans = self.planned, self.circuit, weights.spans
        share = np.zeros(weights.values.size)
        first = spans[circuit.starts[planned.plan.roots]]
        share[np.repeat(first - bounds[:-1], np.diff(bounds)) + np.arange(bounds[-1])] = counts
        cells = planned.parts.group_cells.size
        trapped, spared = np.zeros(cells), np.zeros(cells)
        for begin, end in reversed(list(self._slices(spans))):
            trace_back(
                planned.plan,
                begin,
                end,
                circuit,
                self.live,
                spans,
                weights.by_traps,
                weights.odds,
                weights.only_whether,
                weights.values,
                weights.scale,
                share,
                trapped,
                spared,
            )
            if limit := self.run.spend():
                return GaveUp(limit)
        return trapped, spared

    def _slices(self, spans: Ints) -> Iterator[tuple[int, int]]:
        """Ranges of steps that take about the same time each."""
        circuit, steps = self.circuit, self.planned.steps
        states = np.diff(circuit.starts[: steps + 1])
        weights = np.diff(spans[circuit.starts[: steps + 1]])
        width = weights / np.maximum(states, 1)
        pairs = np.diff(circuit.pair_starts[: steps + 1])
        # A pair multiplies all weights of one state with all of another; a cell adds up a state's own.
        work = np.cumsum(weights + pairs * width[circuit.below[:steps]] * width[circuit.beside[:steps]])
        cuts = np.searchsorted(work, np.arange(0.0, work[-1] if steps else 0.0, WORK_PER_SLICE)[1:])
        yield from pairwise([0, *np.unique(cuts[cuts > 0]).tolist(), steps])
