"""`genetic`: assignments that are selected, crossed and mutated until one satisfies all clauses."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.core.plurals import counted
from gemhunter.engines.genetic_formula import Remainder, without_units
from gemhunter.errors import InputError
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings

if TYPE_CHECKING:
    from gemhunter.kernels.genetic import Breed

Scaling = Literal["power", "window", "raw"]

FIRST_SLICE = 20_000
"""Literals looked at, 64 chromosomes at a time, before the clock is for the first time."""


def make_engine(argument: str) -> "Genetic":
    """The engine with these settings."""
    return read_settings(Genetic, "genetic", argument)


@dataclass(frozen=True, slots=True)
class Genetic:
    """A chromosome is an assignment, its fitness the number of clauses that hold.

    Parents are drawn by a roulette wheel. Its sectors are in proportion to the fitness (`raw`), to what it
    is above that of the worst (`window`), or halved by each clause that does not hold (`power`). They are
    crossed at one point at the rate `crossover`, which makes two children; otherwise both go on as they are.
    At the rate `mutation` one value of a child is flipped. The best `elite` of a generation survive. After
    `restarts` generations without progress, if it is not 0, a new population is drawn. After `generations`,
    if it is not 0, it gives up.
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
        """Take out unit clauses, then breed in slices of generations."""
        from gemhunter.kernels import genetic as kernels

        if not run.fits(self._bytes_needed(cnf)):
            return GaveUp(StopReason.MEMORY, f"the population needs {self._bytes_needed(cnf):,} bytes")
        remainder = without_units(cnf)
        if remainder is None:
            return Unsatisfiable()
        if not remainder.literals.size:
            return Satisfied(remainder.decided)
        breed = self._first_generation(remainder, run.seed)
        cap = self.generations or 2**62
        work = remainder.literals.size * (self.population // kernels.WORD + 1)
        sizes = run.slice_sizes(max(FIRST_SLICE // work, 1))
        run.count(evaluations=self.population)
        while True:
            before = breed.numbers.copy()
            left = cap - int(before[kernels.GENERATIONS])
            code = self._breed(remainder, breed, min(run.slice(next(sizes)), left))
            generations, evaluations, restarts = (breed.numbers - before)[kernels.COUNTS].tolist()
            run.count(generations=generations, evaluations=evaluations, restarts=restarts)
            limit = run.spend(generations)
            if code == kernels.FOUND:
                return Satisfied(remainder.model(_values(breed, remainder.variables.size)))
            made = int(breed.numbers[kernels.GENERATIONS])
            if limit is not None or made >= cap:
                return GaveUp(limit or StopReason.ATTEMPTS, f"{counted(made, 'generation')} tried")

    def _bytes_needed(self, cnf: Cnf) -> int:
        """What the clauses take, with and without units, and two generations."""
        return 3 * (cnf.literals.nbytes + cnf.starts.nbytes) + 2 * self.population * (cnf.variables // 8 + 16)

    def _first_generation(self, remainder: Remainder, seed: int) -> "Breed":
        from gemhunter.kernels import genetic as kernels
        from gemhunter.kernels.random_state import new_random_state

        words = max(-(-remainder.variables.size // kernels.WORD), 1)
        now = np.random.default_rng(seed % 2**64).integers(0, 2**64, (self.population, words), np.uint64)
        broken, numbers = np.zeros(self.population, np.int64), np.zeros(6, np.int64)
        best = kernels.evaluate(remainder.literals, remainder.starts, now, broken)
        numbers[[kernels.BEST, kernels.FEWEST]] = best, broken[best]
        numbers[kernels.EVALUATIONS] = self.population
        after, chance = np.empty_like(now), new_random_state(seed)
        return kernels.Breed(remainder.literals, remainder.starts, now, after, broken, numbers, chance)

    def _breed(self, remainder: Remainder, breed: "Breed", generations: int) -> int:
        from gemhunter.kernels import genetic as kernels

        scaling = {"raw": kernels.RAW, "window": kernels.WINDOW, "power": kernels.POWER}[self.scaling]
        rates = np.array([self.crossover, self.mutation])
        size = remainder.variables.size
        return kernels.breed(breed, size, scaling, rates, self.elite, self.restarts, generations)


def _values(breed: "Breed", variables: int) -> NDArray[np.bool_]:
    """The values of the best chromosome."""
    from gemhunter.kernels import genetic as kernels

    row = breed.now[breed.numbers[kernels.BEST]]
    return np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")[:variables].astype(bool)
