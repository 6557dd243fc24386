"""The fitness curve of the genetic algorithm: clauses that its best chromosome satisfies."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from gemhunter.core.grid import Grid
from gemhunter.queries.trace import trace
from gemhunter.report.charts.style import ChartLook, new_figure
from gemhunter.solving.events import Bred
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GENERATIONS = 400


@dataclass(frozen=True, slots=True)
class FitnessCurve:
    """The best fitness after each generation, and the number of clauses that are left without units."""

    fitness: tuple[int, ...]
    clauses: int


def fitness_curve(grid: Grid, seed: int) -> FitnessCurve | None:
    """The curve of one run on a board; None if propagating unit clauses leaves nothing to breed for."""
    steps = islice(trace(grid, "genetic", run=Run(seed=seed)), MOST_GENERATIONS + 1)
    bred = [step.event for step in steps if isinstance(step.event, Bred)]
    if not bred:
        return None
    return FitnessCurve(tuple(each.fitness for each in bred), bred[0].clauses)


def fitness_chart(curve: FitnessCurve, look: ChartLook) -> "Figure":
    """Generations on the x axis, clauses that hold on the y axis, a dashed line at all of them."""
    from matplotlib.ticker import MaxNLocator

    with new_figure(look, 6.4, 3.2) as figure:
        axes = figure.add_subplot()
        axes.axhline(curve.clauses, color=look.colours.faint, linestyle="--")
        marker = "o" if len(curve.fitness) <= 30 else ""
        axes.plot(range(len(curve.fitness)), curve.fitness, color=look.colours.engines[2], marker=marker)
        axes.set_xlabel("generation")
        axes.set_ylabel("clauses that hold")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
    return figure
