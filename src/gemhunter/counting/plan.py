"""A board taken apart, how its parts can be counted, and the circuit that all questions are answered from."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import regions_by_cell
from gemhunter.counting.arrays import longer
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.structure.take_apart import board_and_parts

if TYPE_CHECKING:
    from gemhunter.kernels.counting.circuit import Circuit
    from gemhunter.kernels.counting.plan import CountPlan
    from gemhunter.kernels.structure.parts import Parts

Ints = NDArray[np.int64]

STATE_LIMIT = 100_000_000
"""How many states are made when nobody says otherwise: ten seconds or so."""

MOST_KEPT = 16_000_000
"""States that are kept at a time, of some 40 bytes each; more is given up."""

FIRST_SLICE = 10_000
FIRST_STATES, FIRST_PAIRS = 4_096, 1_024
BYTES_PER_STATE, BYTES_PER_PAIR = 24, 12


@dataclass(frozen=True, slots=True, eq=False)
class NoSolution:
    """The clues of the board contradict each other.

    Where `clues` are known, as positions, these do so with what propagation has decided around them.
    """

    clues: Ints | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A board with all decided that follows at once, the parts that are left, and the plan to count them.

    `codes` are those of the board with what is decided; `free` are the hidden cells that no clue is left
    to touch.
    """

    grid: Grid
    codes: NDArray[np.int8]
    free: Ints
    parts: "Parts"
    plan: "CountPlan"
    steps: int

    @property
    def traps(self) -> int:
        """How many traps are known, on the board or by what follows at once."""
        return int(np.count_nonzero(self.codes == TRAP))

    @property
    def cost(self) -> float:
        """How many states there can be at most."""
        return float(self.plan.bound[: self.steps].sum())

    @property
    def width(self) -> str:
        """How large the largest table can be, in words."""
        return f"up to 2^{math.log2(self.plan.bound[: self.steps].max(initial=1)):.0f} states at once"


def plan_board(grid: Grid) -> Planned | NoSolution | GaveUp:
    """Take a board apart and plan how to count its parts."""
    from gemhunter.kernels.counting.plan import FITS
    from gemhunter.kernels.structure.grid_state import CONFLICT_AT, GRID_MARGIN, NONE, ROW_WIDTH

    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return NoSolution()
    wide = board.codes.reshape(-1, board.numbers[ROW_WIDTH])
    codes = wide[GRID_MARGIN : GRID_MARGIN + grid.rows, GRID_MARGIN : GRID_MARGIN + grid.cols]
    untouched = codes.ravel() == HIDDEN
    untouched[parts.group_cells] = False
    fits, plan, steps = _plan_parts(parts)
    if fits != FITS:
        width = _open_at_once(parts, steps)
        return GaveUp(StopReason.STATES, f"too wide: about {counted(width, 'clue')} would be open at once")
    return Planned(grid, codes, np.flatnonzero(untouched), parts, plan, steps)


def _plan_parts(parts: "Parts") -> "tuple[int, CountPlan, int]":
    """What the kernel `plan_parts` returns."""
    from gemhunter.kernels.counting.make_plan import plan_parts_flat
    from gemhunter.kernels.counting.plan import CountPlan

    fits, steps, *arrays = plan_parts_flat(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    return int(fits), CountPlan(*arrays), int(steps)


def _open_at_once(parts: "Parts", part: int) -> int:
    """How many clues of a part have some of their cells decided, but not all, in reading order, at most."""
    at, clues = regions_by_cell(parts.clue_starts, parts.clue_groups, parts.group_starts.size - 1)
    first = np.arange(parts.need.size)
    np.minimum.at(first, clues, np.repeat(clues[at[:-1]], np.diff(at)))
    low, high = parts.part_clues[part], parts.part_clues[part + 1]
    opened = np.bincount(first[low:high] - low, minlength=high - low)
    return int((np.cumsum(opened) - np.arange(high - low)).max())


def build_circuit(planned: Planned, run: Run) -> "Circuit | NoSolution | GaveUp":
    """Make all tables of a plan, within the limits of the run."""
    from gemhunter.kernels.counting.circuit import DONE, EMPTY, MORE, NEXT, NO_STATES, build, make_circuit

    plan, steps = planned.plan, planned.steps
    states, pairs, made = FIRST_STATES, FIRST_PAIRS, 0
    circuit = make_circuit(steps, states, pairs)
    sizes = state_slice_sizes(run)
    while True:
        answer = build(plan, steps, circuit, made + run.slice(next(sizes)))
        now = int(circuit.starts[circuit.numbers[NEXT]])
        limit = run.spend(now - made)
        made = now
        if answer == DONE:
            return circuit
        if answer == EMPTY:
            return NoSolution(_clues_behind(planned, int(circuit.numbers[NEXT])))
        if answer == MORE:
            if limit or run.steps >= STATE_LIMIT > (run.limits.steps or 0):
                return GaveUp(limit or StopReason.STATES, planned.width)
            continue
        if answer == NO_STATES:
            states *= 2
        else:
            pairs *= 2
        size = BYTES_PER_STATE * states + BYTES_PER_PAIR * pairs
        if limit or max(states, pairs) > MOST_KEPT or not run.fits(size):
            return GaveUp(limit or StopReason.STATES, planned.width)
        circuit = _grown(circuit, states, pairs)


def _clues_behind(planned: Planned, step: int) -> Ints:
    """The positions of all clues that have a say in the table of a step, the last one that was made."""
    from gemhunter.kernels.counting.plan import BEGIN, CELL

    plan, parts = planned.plan, planned.parts
    # A step uses the table before it, and a join also the one before the steps that made that.
    depth, first = 1, step
    while depth:
        kind = plan.kind[first]
        depth += 0 if kind == CELL else -1 if kind == BEGIN else 1
        first -= 1
    cells = plan.cell[first + 1 : step + 1]
    group = np.searchsorted(parts.group_starts, cells[cells >= 0], side="right") - 1
    at, clues = regions_by_cell(parts.clue_starts, parts.clue_groups, parts.group_starts.size - 1)
    found = np.unique(np.concatenate([clues[at[each] : at[each + 1]] for each in np.unique(group)]))
    places: Ints = parts.clue_indices[found]
    return places


def state_slice_sizes(run: Run, weight: int = 1) -> Iterator[int]:
    """How many states may be made before the run is asked again, each as much work as `weight` others."""
    return run.slice_sizes(max(FIRST_SLICE // weight, 1))


def _grown(circuit: "Circuit", states: int, pairs: int) -> "Circuit":
    """The same circuit in more room."""
    return circuit._replace(
        keys=longer(circuit.keys, states),
        gem=longer(circuit.gem, states),
        trap=longer(circuit.trap, states),
        fewest=longer(circuit.fewest, states),
        most=longer(circuit.most, states),
        pairs=longer(circuit.pairs, pairs),
    )
