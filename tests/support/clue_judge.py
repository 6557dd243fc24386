"""A board as clauses, with a switch for each clue and for the total: what do some of them force?

Written from the rules of the puzzle and asked of PySAT. Nothing is shared with the program's encodings.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import count
from typing import Any, Self

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

import oracles
from gemhunter.board.grid import Grid
from oracles import Place

MOST_LISTED_CELLS = 12
"""A total of more cells is not written out as all choices of them, but counted by PySAT."""

Values = Mapping[Place, bool]
"""True for a trap."""


class ClueJudge:
    """Answers what clues and the total of one board allow, with some cells given."""

    def __init__(self, grid: Grid, total: int | None) -> None:
        self.marks, self.total = oracles.marks_of(grid), total
        marks = self.marks
        self.hidden = oracles.hidden_places(marks)
        self.clues = [(row, col) for row, col in oracles.places(marks) if marks[row][col].isdigit()]
        shown = set(self.hidden)
        self.region = {
            clue: [place for place in oracles.neighbours(marks, clue) if place in shown]
            for clue in self.clues
        }
        self.needed = {
            (row, col): int(marks[row][col]) - oracles.traps_around(marks, (row, col))
            for row, col in self.clues
        }
        numbers = count(1)
        self._variable = {place: next(numbers) for place in self.hidden}
        self._switch = {clue: next(numbers) for clue in self.clues}
        self._numbers = numbers
        self._solver: Any = Solver(name="minisat22")
        for clue in self.clues:
            cells = [self._variable[place] for place in self.region[clue]]
            self._add(oracles.exactly(cells, self.needed[clue]), self._switch[clue])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    @property
    def hidden_traps(self) -> int:
        """How many hidden traps the total leaves."""
        assert self.total is not None
        return self.total - sum(row.count("T") for row in self.marks)

    def can_hold(self, clues: Iterable[Place], given: Values | None = None, *, with_total: bool) -> bool:
        """Whether these clues, and the total if it is asked for, can hold together with the given cells."""
        return bool(self._solver.solve(self._assumptions(clues, given or {}, with_total=with_total)))

    def force(self, clues: Iterable[Place], given: Values, cells: Values, *, with_total: bool) -> bool:
        """Whether these clues force all these cells, once the given cells are known."""
        some_other = next(self._numbers)
        others = [-self._literal(place, is_trap) for place, is_trap in cells.items()]
        self._solver.add_clause([*others, -some_other])
        asked = [*self._assumptions(clues, given, with_total=with_total), some_other]
        return not self._solver.solve(asked)

    def undecided(self, cells: Collection[Place], *, with_total: bool) -> set[Place]:
        """Which of these cells are a trap in one solution of the whole board and a gem in another."""
        every = self._assumptions(self.clues, {}, with_total=with_total)
        seen: dict[Place, set[bool]] = {place: set() for place in cells}
        for place, values in seen.items():
            for is_trap in {True, False} - values:
                if self._solver.solve([*every, self._literal(place, is_trap)]):
                    true = {literal for literal in self._solver.get_model() if literal > 0}
                    for each, found in seen.items():
                        found.add(self._variable[each] in true)
        return {place for place, values in seen.items() if len(values) == 2}

    def _assumptions(self, clues: Iterable[Place], given: Values, *, with_total: bool) -> list[int]:
        switches = [self._switch[clue] for clue in clues] + ([self._total_switch] if with_total else [])
        return switches + [self._literal(place, is_trap) for place, is_trap in given.items()]

    def _literal(self, place: Place, is_trap: bool) -> int:
        return self._variable[place] if is_trap else -self._variable[place]

    @cached_property
    def _total_switch(self) -> int:
        switch, cells, traps = next(self._numbers), list(self._variable.values()), self.hidden_traps
        if len(cells) <= MOST_LISTED_CELLS or not 0 <= traps <= len(cells):
            clauses = oracles.exactly(cells, traps)
        else:
            top = next(self._numbers)
            counted = CardEnc.equals(cells, traps, top_id=top, encoding=EncType.seqcounter)
            self._numbers = count(max(top, counted.nv) + 1)
            clauses = counted.clauses
        self._add(clauses, switch)
        return switch

    def _add(self, clauses: Iterable[Iterable[int]], switch: int) -> None:
        for clause in clauses:
            self._solver.add_clause([*clause, -switch])
