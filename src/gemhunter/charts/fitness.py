"""The chart of a genetic search: how many clauses hold in each generation."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from gemhunter.board.grid import Grid
from gemhunter.charts.look import ChartLook, new_figure
from gemhunter.questions.trace import trace
from gemhunter.solving.events import Bred
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class FitnessCurve:
    """The best fitness after each generation, and the number of clauses after unit propagation."""

    fitness: tuple[int, ...]
    clauses: int


def fitness_curve(grid: Grid, seed: int) -> FitnessCurve | None:
    """The first 400 generations of one run; None if unit propagation leaves no clauses."""
    steps = islice(trace(grid, "genetic", run=Run(seed=seed)), 401)
    bred = [step.event for step in steps if isinstance(step.event, Bred)]
    return FitnessCurve(tuple(event.fitness for event in bred), bred[0].clauses) if bred else None


def fitness_chart(curve: FitnessCurve, look: ChartLook) -> "Figure":
    """The number of clauses that hold by generation, with a dashed line at the number of all clauses."""
    from matplotlib.ticker import MaxNLocator

    with new_figure(look, 6.4, 3.2) as figure:
        axes = figure.add_subplot()
        axes.axhline(curve.clauses, color=look.colours.faint, linestyle="--")
        marker = "o" if len(curve.fitness) <= 30 else ""
        axes.plot(range(len(curve.fitness)), curve.fitness, color=look.colours.engines[2], marker=marker)
        axes.set(xlabel="generation", ylabel="clauses that hold")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
    return figure
