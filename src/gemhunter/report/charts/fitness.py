"""The fitness curve of the genetic algorithm: clauses that its best chromosome satisfies."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gemhunter.core.grid import Grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.engines.genetic import Genetic, Remainder
from gemhunter.kernels.genetic import Population
from gemhunter.report.charts.style import ChartLook, new_figure
from gemhunter.solving.registry import get_clause_engine
from gemhunter.solving.run import Limits, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GENERATIONS = 400


@dataclass(frozen=True, slots=True)
class FitnessCurve:
    """The best fitness after each generation, and the number of clauses that are left without units."""

    fitness: tuple[int, ...]
    clauses: int


@dataclass(frozen=True)
class WatchedGenetic(Genetic):
    """The genetic algorithm, one generation at a time, with a note after each."""

    notes: list[tuple[int, int]] = field(default_factory=list)
    """Clauses that are false under the best chromosome, and clauses in all."""

    def _breed(self, remainder: Remainder, population: Population, generations: int) -> bool:
        clauses = remainder.starts.size - 1
        if not self.notes:
            self.notes.append((int(population.false_clauses.min()), clauses))
        for _ in range(generations):
            found = super()._breed(remainder, population, 1)
            self.notes.append((int(population.false_clauses.min()), clauses))
            if found:
                return True
        return False


def fitness_curve(grid: Grid, seed: int) -> FitnessCurve | None:
    """The curve of one run on a board; None if propagating unit clauses leaves nothing to breed for."""
    watched = WatchedGenetic()
    cnf = get_clause_engine("genetic").encode(read_puzzle(grid))
    watched.solve_cnf(cnf, Run(Limits(steps=MOST_GENERATIONS), seed=seed))
    if not watched.notes:
        return None
    clauses = watched.notes[0][1]
    return FitnessCurve(tuple(clauses - false for false, _ in watched.notes), clauses)


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
