"""Sets of boards for a course or a benchmark: sizes × densities × difficulties, some without a solution."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, product
from math import ceil, sqrt

from gemhunter.board.numbers import whole_number
from gemhunter.errors import InputError
from gemhunter.generate.parallel import Order, Watch, WorkersAsked, made_in_order, seeds_from
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, make_puzzles
from gemhunter.solving.run import Limits

Size = tuple[int, int]

CLAUSES_PER_CELL = 4.0
"""About how many clauses a puzzle has for each of its cells, whatever its size."""


@dataclass(frozen=True, slots=True)
class SuiteWish:
    """Every size with every density, every difficulty and every number of clauses, `each` times.

    A difficulty of None is any, and so is a number of clauses. Without sizes, each number of clauses has
    squares of a size that suits it. For every size, density and number of clauses there are also `unsolvable`
    boards, in which one clue of a puzzle is changed.
    """

    sizes: tuple[Size, ...]
    densities: tuple[float, ...] = (0.2,)
    difficulties: tuple[str | None, ...] = (None,)
    each: int = 1
    unsolvable: int = 0
    clauses: tuple[int | None, ...] = (None,)

    def __post_init__(self) -> None:
        whole_number(self.each, "the number of boards of a kind", 0)
        whole_number(self.unsolvable, "the number of boards without a solution", 0)
        if not self.wishes:
            raise InputError("a suite needs a size, a density and at least one board of each kind")

    @property
    def wishes(self) -> list[PuzzleWish]:
        """The boards in their order: small ones first, and those without a solution after the others."""
        found = []
        for clauses, density in product(self.clauses, self.densities):
            for rows, cols in self.sizes or _sizes_for(clauses):
                wish = PuzzleWish(rows, cols, density, clauses=clauses)
                for difficulty in self.difficulties:
                    found += [replace(wish, difficulty=difficulty)] * self.each
                found += [replace(wish, solutions="none")] * self.unsolvable
        return sorted(found, key=lambda wish: (wish.cells, wish.solutions == "none"))


def _sizes_for(clauses: int | None) -> tuple[Size, ...]:
    """A square on which puzzles have about as many clauses; none if any number will do."""
    if clauses is None:
        return ()
    side = max(ceil(sqrt(clauses / CLAUSES_PER_CELL)), 2)
    return ((side, side),)


@dataclass(frozen=True, slots=True, eq=False)
class SuiteBoard:
    """A board of a suite, counted from 1, with the wish behind it."""

    number: int
    wish: PuzzleWish
    puzzle: GeneratedPuzzle


def generate_suite(
    wish: SuiteWish,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
) -> Generator[SuiteBoard | NotGenerated, None, None]:
    """The boards of a suite as they are made; board i has the seed `seed` + i - 1.

    Each may use `limits`. They are the same, in the same order, with any number of workers.
    """
    orders, wishes, first = list[Order[PuzzleWish]](), wish.wishes, seed
    for each, alike in groupby(wishes):
        orders.append(Order(each, seeds_from(first, len(list(alike)))))
        first = orders[-1].seeds.stop
    found = made_in_order(orders, partial(make_puzzles, limits=limits), workers=workers, watch=watch)
    return (_numbered(wishes, each, each.seed - seed) for each in found)


def _numbered(
    wishes: list[PuzzleWish], made: GeneratedPuzzle | NotGenerated, place: int
) -> SuiteBoard | NotGenerated:
    return made if isinstance(made, NotGenerated) else SuiteBoard(place + 1, wishes[place], made)
