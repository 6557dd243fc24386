"""The resolution agent of SPEC.md in plain sets and loops; nothing here is shared with the program."""

import oracles
from gemhunter.core.board import Board
from gemhunter.core.grid import Cell


class NaiveAgent:
    """Plays one board from safe cells to the end: `marks` has True for a trap, `rounds` counts matchings."""

    def __init__(self, board: Board, safe: list[Cell]) -> None:
        self.marks: dict[int, bool] = {}
        self.rounds = 0
        self._truth = oracles.marks_of(board.grid())
        self._cols, self._cells = board.cols, board.rows * board.cols
        self._clauses: dict[frozenset[int], None] = {}
        self._total: int | None = board.total
        for cell in safe:
            self._insert(frozenset([-self._number((cell.row, cell.col))]))
        while self._tell_total() or self._mark_next() or self._match_all():
            pass

    def _number(self, place: oracles.Place) -> int:
        return place[0] * self._cols + place[1] + 1

    def _insert(self, clause: frozenset[int]) -> bool:
        if any(known <= clause for known in self._clauses):
            return False
        self._clauses = {known: None for known in self._clauses if not clause < known} | {clause: None}
        return True

    def _mark_next(self) -> bool:
        unit = next((literal for clause in self._clauses if len(clause) == 1 for literal in clause), None)
        if unit is None:
            return False
        self.marks[abs(unit)] = unit > 0
        before, self._clauses = list(self._clauses), {}
        for clause in before:
            if unit not in clause:
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
        if not self._clauses:
            return False
        self.rounds += 1
        clauses, is_new = list(self._clauses), False
        for one, other in ((one, other) for i, one in enumerate(clauses) for other in clauses[:i]):
            clashing = [literal for literal in one if -literal in other]
            both = one in self._clauses and other in self._clauses
            if both and len(clashing) == 1 and min(len(one), len(other)) <= 2:
                is_new |= self._insert((one | other) - {clashing[0], -clashing[0]})
        return is_new
