"""Lets a player play a game, turn by turn; it is shown views and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

from gemhunter.core.grid import Cell
from gemhunter.errors import EngineError
from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.view import Status, View


class Playable(Protocol):
    """What a player's game has to offer: `Game` does, and so can a test that has no board at all."""

    @property
    def view(self) -> View:
        """What the player knows."""
        ...

    def reveal(self, cell: Cell) -> Self:
        """The game after revealing a cell."""
        ...

    def flag(self, cell: Cell) -> Self:
        """The game after putting a flag, or taking it away."""
        ...

    def give_up(self) -> Self:
        """The game ended where it stands."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A player that counts what it does."""

    def counters(self, view: View) -> Mapping[str, int]:
        """Numbers by what they count, at the end of a game, of which this is the last view."""
        ...


Played = TypeVar("Played", bound=Playable)


@dataclass(frozen=True, slots=True)
class Turn(Generic[Played]):
    """What a player chose, and the game after each move that came of it, at least one."""

    choice: Choice | Stuck
    games: tuple[Played, ...]

    @property
    def game(self) -> Played:
        """The game after the turn."""
        return self.games[-1]

    @property
    def is_guess(self) -> bool:
        """Whether it could have failed."""
        return isinstance(self.choice, Choice) and self.choice.risk > 0


def play_game(game: Played, player: Player) -> Iterator[Turn[Played]]:
    """Every turn of `player` from here to the end; the traps it knows are flagged, and stuck is given up."""
    while game.view.status is Status.PLAYING:
        choice = player.choose(game.view)
        games = [game]
        for trap in choice.traps:
            if not games[-1].view.flags[trap]:
                games.append(games[-1].flag(trap))
        if isinstance(choice, Stuck):
            games.append(games[-1].give_up())
        else:
            games += _revealed(games[-1], choice.safe)
        if len(games) == 1:
            raise EngineError("this player chose nothing that changes the game")
        game = games[-1]
        yield Turn(choice, tuple(games[1:]))


def _revealed(game: Played, cells: tuple[Cell, ...]) -> list[Played]:
    """The game after each of these cells that is revealed; a flag of the past does not keep it hidden."""
    games = [game]
    for cell in cells:
        view = games[-1].view
        if view.status is not Status.PLAYING or not view.is_hidden(cell):
            continue
        unflagged = games[-1].flag(cell) if view.flags[cell] else games[-1]
        games.append(unflagged.reveal(cell))
    return games[1:]
