"""The end of a game whose number of traps is not known, played perfectly.

With a total, all boards that are left are won at the same moment. Without one, a board with more traps may be
won earlier than others, so that the game is not over says that it is none of these. Nor are all boards
equally likely: a board weighs what its traps weigh. Where there is a total, `end_game` searches faster.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from gemhunter.jit.kernel import Bytes
from gemhunter.play.guessing.end_game import TRAPPED
from gemhunter.solving.run import Run


class BudgetSpentError(Exception):
    """The run ended before the answer was known."""


class EndWithoutTotal:
    """A search over these boards: `shows[b, c]` is what board b shows on cell c, as in `end_game.Listed`.

    A set of boards is an integer with a bit for each. A step of the run is a set. All cells that are safe in
    a whole set are open, as they cost nothing, so the set alone determines what is left to win.
    """

    def __init__(self, shows: Bytes, weights: Sequence[float], run: Run) -> None:
        self._all = (1 << len(shows)) - 1
        self._weights, self._run = weights, run
        self._won: dict[int, float] = {}
        # For each cell, the boards that show each clue on it, and those on which it is safe.
        self._classes = [
            [_as_set(column == clue) for clue in sorted({*column.tolist()} - {TRAPPED})] for column in shows.T
        ]
        self._safe = [_as_set(column != TRAPPED) for column in shows.T]

    def share_won(self, first: int | None = None) -> float | None:
        """The share that is won of all boards, by weight; None if the run ends before that is known.

        With `first`, that cell is opened first.
        """
        with suppress(BudgetSpentError):
            won = self._weight_won(self._all) if first is None else self._won_after(self._all, first)
            return won / self._weight(self._all)
        return None

    def _weight_won(self, boards: int) -> float:
        """The weight of the boards that are won, of a set that contains the truth."""
        if boards not in self._won:
            self._won[boards] = self._search(boards)
        return self._won[boards]

    def _won_after(self, boards: int, cell: int) -> float:
        return sum(self._weight_won(boards & shown) for shown in self._classes[cell] if boards & shown)

    def _weight(self, boards: int) -> float:
        return sum(self._weights[board] for board in _bits(boards))

    def _search(self, boards: int) -> float:
        if self._run.spend(1) is not None:
            raise BudgetSpentError
        closed = [cell for cell, safe in enumerate(self._safe) if boards & ~safe]
        # On a board without a safe cell that is closed the game is won, and over.
        going_on = 0
        for cell in closed:
            going_on |= boards & self._safe[cell]
        over = boards & ~going_on
        # What the open cells show, and that the game goes on, may leave several smaller sets.
        alike = [going_on] if going_on else []
        for cell, shown in enumerate(self._classes):
            if len(shown) > 1 and not boards & ~self._safe[cell]:
                alike = [part & clue for part in alike for clue in shown if part & clue]
        if alike != [boards]:
            return self._weight(over) + sum(map(self._weight_won, alike))
        # Guess: the safest cell first. A cell cannot win more than the boards on which it is safe.
        most = 0.0
        safest = sorted(closed, key=lambda cell: -self._weight(boards & self._safe[cell]))
        for cell in safest:
            if self._weight(boards & self._safe[cell]) <= most:
                break
            most = max(most, self._won_after(boards, cell))
        return most


def _as_set(holds: Bytes) -> int:
    return sum(1 << place for place in holds.nonzero()[0].tolist())


def _bits(boards: int) -> Iterator[int]:
    while boards:
        lowest = boards & -boards
        yield lowest.bit_length() - 1
        boards ^= lowest
