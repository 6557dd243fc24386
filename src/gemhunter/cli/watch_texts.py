"""What `watch` says of a game."""

from collections.abc import Sequence

from gemhunter.cli.board_text import seen_text, terminal_columns
from gemhunter.core.plurals import counted
from gemhunter.play.game import Game
from gemhunter.play.watched_games import CellMark, Watched


class Story:
    """Numbers the marks and the matching rounds of a game, each in a line."""

    def __init__(self) -> None:
        self.marks = 0
        self._rounds = 0

    def lines(self, marks: Sequence[CellMark]) -> list[str]:
        """A line for each of the next marks, and for each round before them."""
        lines = []
        for mark in marks:
            lines += self.rounds_until(mark.rounds)
            self.marks += 1
            lines.append(f"{self.marks}. {_told(mark)}")
        return lines

    def rounds_until(self, rounds: int) -> list[str]:
        """A line for each round up to number `rounds`."""
        first, self._rounds = self._rounds + 1, max(rounds, self._rounds)
        return [f"matching round {number}" for number in range(first, self._rounds + 1)]


def _told(mark: CellMark) -> str:
    """A mark in one line."""
    opened = f", opens {counted(len(mark.opened), 'more cell')}" if mark.opened else ""
    risk = f" (a guess, risk {mark.risk:.1%})" if mark.risk else ""
    return f"{mark.cell} {'trap' if mark.is_trap else 'safe'}{opened}{risk}"


def summary(watched: Watched, name: str, *, agent: str, given: int) -> str:
    """Who played what, the board in the end, and how it went in numbers."""
    end, risks = watched.end, watched.risks
    cells = end.level.rows * end.level.cols
    numbers = [
        counted(count, what.removesuffix("s"))
        for what, count in watched.counters.items()
        if what != "marked cells"
    ]
    guessed = f"guesses {', '.join(f'{risk:.1%}' for risk in risks)}" if risks else "no guess"
    facts = [
        f"{watched.marked} of {counted(cells, 'cell')} marked",
        *numbers,
        counted(len(watched.turns), "turn"),
        guessed,
    ]
    return "\n".join(
        [
            heading(watched.start, name, agent=agent, given=given),
            seen_text(end) if terminal_columns() is not None else str(watched.grid),
            f"{end.status.value}: {', '.join(facts)}",
        ]
    )


def heading(start: Game, name: str, *, agent: str, given: int) -> str:
    """Who plays what."""
    begun = f" with {counted(given, 'initial safe cell')}" if given else ""
    return f"{agent} plays {start.game_id or name}{begun}"
