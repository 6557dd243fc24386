"""The resolution agent of SPEC.md in plain sets and loops; nothing here is shared with the program."""

from typing import TypeAlias

import oracles
from gemhunter.board.board import Board
from gemhunter.board.grid import Cell

Clause: TypeAlias = frozenset[int]


class NaiveAgent:
    """Plays one board from safe cells to the end: `marks` has True for a trap, `rounds` counts matchings."""

    def __init__(self, board: Board, safe: list[Cell]) -> None:
        self.marks: dict[int, bool] = {}
        self.rounds = 0
        self._truth = oracles.marks_of(board.grid())
        self._cols, self._cells = board.cols, board.rows * board.cols
        self._clauses: list[Clause | None] = []
        self._total: int | None = board.total
        for cell in safe:
            self._insert(frozenset([-self._number((cell.row, cell.col))]))
        while self._tell_total() or self._mark_next() or self._match_all():
            pass

    def _number(self, place: oracles.Place) -> int:
        return place[0] * self._cols + place[1] + 1

    def _insert(self, clause: Clause) -> bool:
        """Append a clause, leaving empty places where it makes others superfluous; False if it is known."""
        if any(known is not None and known <= clause for known in self._clauses):
            return False
        self._clauses = [None if known is None or clause < known else known for known in self._clauses]
        self._clauses.append(clause)
        return True

    def _close_gaps(self) -> list[Clause]:
        """The clauses without the empty places."""
        clauses = [clause for clause in self._clauses if clause is not None]
        self._clauses = [*clauses]
        return clauses

    def _mark_next(self) -> bool:
        clauses = self._close_gaps()
        unit = next((literal for clause in clauses if len(clause) == 1 for literal in clause), None)
        if unit is None:
            return False
        self.marks[abs(unit)] = unit > 0
        self._clauses = [clause for clause in clauses if unit not in clause and -unit not in clause]
        for clause in clauses:
            if -unit in clause:
                self._insert(clause - {-unit})
        if unit < 0:
            self._hear(divmod(-unit - 1, self._cols))
        return True

    def _tell_total(self) -> bool:
        left = [cell for cell in range(1, self._cells + 1) if cell not in self.marks]
        if len(left) > 10 or self._total is None:
            return False
        self._tell(left, self._total - sum(self.marks.values()))
        self._total = None
        return True

    def _hear(self, place: oracles.Place) -> None:
        around = [self._number(near) for near in oracles.neighbours(self._truth, place)]
        hint = int(self._truth[place[0]][place[1]]) - sum(self.marks.get(cell, False) for cell in around)
        self._tell([cell for cell in around if cell not in self.marks], hint)

    def _tell(self, cells: list[int], traps: int) -> None:
        for clause in oracles.exactly(cells, traps):
            self._insert(frozenset(clause))

    def _match_all(self) -> bool:
        """One round; False if nothing new came of it, or there is nothing to match."""
        before = self._close_gaps()
        if not before:
            return False
        self.rounds += 1
        is_new = False
        for i in range(len(before)):
            for j in range(i + 1, len(self._clauses)):
                is_new |= self._match(i, j)
        return is_new

    def _match(self, i: int, j: int) -> bool:
        """Match two clauses, unless one of them is an empty place; whether something new came of it."""
        one, other = self._clauses[i], self._clauses[j]
        if one is None or other is None:
            return False
        if one <= other or other < one:
            self._clauses[j if one <= other else i] = None
            return True
        clashing = [literal for literal in one if -literal in other]
        if len(clashing) != 1 or (len(one) > 2 and len(other) > 2):
            return False
        return self._insert((one | other) - {clashing[0], -clashing[0]})
