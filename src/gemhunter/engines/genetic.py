"""`genetic`: assignments that are selected, crossed and mutated until one satisfies all clauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf, Ints, Literals
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.kernels import genetic as kernels
from gemhunter.kernels.codes import FOUND, UNASSIGNED
from gemhunter.kernels.genetic import Population, propagate_units
from gemhunter.kernels.random_state import new_random_state
from gemhunter.solving.events import Bred, Event, Exhausted, GenerationsSpent, ModelFound
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings

Scaling = Literal["power", "window", "raw"]

SCALINGS: dict[Scaling, int] = {
    "raw": kernels.RAW_SCALING,
    "window": kernels.WINDOW_SCALING,
    "power": kernels.POWER_SCALING,
}

GENETIC_COUNTERS = slice(kernels.GENERATION_COUNT, kernels.REDRAW_COUNT + 1)

FIRST_SLICE_LITERALS = 20_000
"""Literals to look at, 64 chromosomes at a time, before the first look at the clock."""


def make_engine(argument: str) -> "Genetic":
    """The engine with these settings."""
    return read_settings(Genetic, "genetic", argument)


@dataclass(frozen=True, slots=True, eq=False)
class Remainder:
    """Clauses of two or more literals, over variables 1..m that stand for `variables` of the formula.

    `decided` has the literals that unit clauses made true.
    """

    literals: Literals
    starts: Ints
    variables: Ints
    decided: Ints

    def model(self, values: NDArray[np.bool_]) -> Ints:
        """The model of the whole formula in which the remaining variables have these values."""
        return np.concatenate([self.decided, np.where(values, self.variables, -self.variables)])


@dataclass(frozen=True, slots=True)
class Genetic:
    """A chromosome is an assignment, its fitness the number of true clauses.

    Parents are drawn by a roulette wheel. Its sectors are proportional to the fitness (`raw`), to the
    difference from the worst (`window`), or halved by each false clause (`power`). Parents are crossed at one
    point at the rate `crossover`, which makes two children; otherwise both survive unchanged. At the rate
    `mutation` one value of a child is flipped. The best `elite` of a generation survive. If `restarts` is not
    0, the population is drawn again at random after that many generations without progress. If `generations`
    is not 0, it gives up after that many.
    """

    scaling: Scaling = "power"
    population: int = 256
    crossover: float = 0.9
    mutation: float = 0.9
    elite: int = 2
    restarts: int = 200
    generations: int = 10_000

    def __post_init__(self) -> None:
        for name in ("crossover", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"genetic: {name} is a rate from 0 to 1, not {getattr(self, name)}")
        if not 2 <= self.population <= 10_000:
            raise InputError(f"genetic: population is from 2 to 10,000, not {self.population}")
        if not 0 <= self.elite < self.population:
            raise InputError(f"genetic: elite is from 0 to less than the population, not {self.elite}")
        if self.restarts < 0:
            raise InputError(
                f"genetic: restarts is a number of generations or 0 for never, not {self.restarts}"
            )
        if self.generations < 0:
            raise InputError(
                f"genetic: generations is a whole number, 0 for no limit, not {self.generations}"
            )

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        most = f", at most {counted(self.generations, 'generation')}" if self.generations else ""
        return EngineInfo(
            name_with("genetic", self),
            f"genetic algorithm on the clauses{most}",
            complete=False,
            step="generation",
            memory_limit=True,
            settings=defaults(Genetic),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Propagate unit clauses, then breed in slices of generations."""
        if not run.fits(self._bytes_needed(cnf)):
            return GaveUp(StopReason.MEMORY, f"the population needs {self._bytes_needed(cnf):,} bytes")
        remainder = without_units(cnf)
        if remainder is None:
            return Unsatisfiable()
        if not remainder.literals.size:
            return Satisfied(remainder.decided)
        population = self._first_generation(remainder, run.seed)
        cap = self.generations or 2**62
        work = remainder.literals.size * (self.population // kernels.WORD_BITS + 1)
        sizes = run.slice_sizes(max(FIRST_SLICE_LITERALS // work, 1))
        run.count(evaluations=self.population)
        while True:
            before = population.numbers.copy()
            left = cap - int(before[kernels.GENERATION_COUNT])
            found = self._breed(remainder, population, min(run.slice(next(sizes)), left))
            generations, evaluations, restarts = (population.numbers - before)[GENETIC_COUNTERS].tolist()
            run.count(generations=generations, evaluations=evaluations, restarts=restarts)
            limit = run.spend(generations)
            if found:
                return Satisfied(remainder.model(_values(population, remainder.variables.size)))
            made = int(population.numbers[kernels.GENERATION_COUNT])
            if limit is not None or made >= cap:
                return GaveUp(limit or StopReason.ATTEMPTS, f"{counted(made, 'generation')} tried")

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Every generation with its best chromosome, until that is a model or there were too many."""
        remainder = without_units(cnf)
        if remainder is None:
            yield Exhausted()
            return
        if not remainder.literals.size:
            yield ModelFound()
            return
        population = self._first_generation(remainder, run.seed)
        found = int(population.numbers[kernels.FEWEST_FALSE]) == 0
        yield _bred(remainder, population)
        while not found:
            if int(population.numbers[kernels.GENERATION_COUNT]) == self.generations > 0:
                yield GenerationsSpent(self.generations)
                return
            found = self._breed(remainder, population, 1)
            yield _bred(remainder, population)
        yield ModelFound()

    def _bytes_needed(self, cnf: Cnf) -> int:
        """How many bytes the clauses take, with and without unit clauses, and two generations."""
        return 3 * (cnf.literals.nbytes + cnf.starts.nbytes) + 2 * self.population * (cnf.variables // 8 + 16)

    def _first_generation(self, remainder: Remainder, seed: int) -> Population:
        words = max(-(-remainder.variables.size // kernels.WORD_BITS), 1)
        now = np.random.default_rng(seed % 2**64).integers(0, 2**64, (self.population, words), np.uint64)
        false_clauses = np.zeros(self.population, np.int64)
        numbers = np.zeros(kernels.GENETIC_NUMBERS, np.int64)
        best = kernels.evaluate(remainder.literals, remainder.starts, now, false_clauses)
        numbers[[kernels.BEST_CHROMOSOME, kernels.FEWEST_FALSE]] = best, false_clauses[best]
        numbers[kernels.EVALUATION_COUNT] = self.population
        after, random = np.empty_like(now), new_random_state(seed)
        return Population(remainder.literals, remainder.starts, now, after, false_clauses, numbers, random)

    def _breed(self, remainder: Remainder, population: Population, generations: int) -> bool:
        scaling = SCALINGS[self.scaling]
        rates = np.array([self.crossover, self.mutation])
        size = remainder.variables.size
        code = kernels.breed(population, size, scaling, rates, self.elite, self.restarts, generations)
        return code == FOUND


def _bred(remainder: Remainder, population: Population) -> Bred:
    clauses = remainder.starts.size - 1
    best = int(population.numbers[kernels.BEST_CHROMOSOME])
    model = remainder.model(_values(population, remainder.variables.size))
    return Bred(
        int(population.numbers[kernels.GENERATION_COUNT]),
        clauses - int(population.false_clauses[best]),
        clauses,
        tuple(model.tolist()),
    )


def _values(population: Population, variables: int) -> NDArray[np.bool_]:
    """The values of the best chromosome."""
    row = population.now[population.numbers[kernels.BEST_CHROMOSOME]]
    return np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")[:variables].astype(bool)


def without_units(cnf: Cnf) -> Remainder | None:
    """What is left of a formula after unit propagation; None if that finds a conflict."""
    sizes = np.diff(cnf.starts)
    clause_of = np.repeat(np.arange(cnf.size), sizes)
    variable = np.abs(cnf.literals).astype(np.int64) - 1
    at = np.concatenate([[0], np.cumsum(np.bincount(variable, minlength=cnf.variables))])
    value = np.full(cnf.variables, UNASSIGNED, np.int8)
    places = np.argsort(variable, kind="stable")
    if not propagate_units(cnf.literals, cnf.starts, clause_of, at, places, value):
        return None
    true = value[variable] == (cnf.literals > 0)
    satisfied = np.bincount(clause_of[true], minlength=cnf.size) > 0
    kept = ~satisfied[clause_of] & (value[variable] == UNASSIGNED)
    left = np.bincount(clause_of[kept], minlength=cnf.size)[~satisfied]
    variables, numbers = np.unique(variable[kept], return_inverse=True)
    literals = np.where(cnf.literals[kept] > 0, numbers + 1, -numbers - 1).astype(np.int32)
    decided = np.flatnonzero(value != UNASSIGNED)
    signed = np.where(value[decided] == 1, decided + 1, -decided - 1)
    return Remainder(literals, np.concatenate([[0], np.cumsum(left)]), variables + 1, signed)
