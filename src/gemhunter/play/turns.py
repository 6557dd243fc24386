"""Lets a player play a game, turn by turn; the player sees views and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

from gemhunter.core.game_status import Status
from gemhunter.core.grid import Cell
from gemhunter.errors import EngineError
from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.view import View


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
    """What a player chose, and the game after each move that came of it."""

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
    """Every turn of `player` to the end, each with at least one move; a player that is stuck gives up."""
    while game.view.status is Status.PLAYING:
        turn = take_turn(game, player)
        if isinstance(turn.choice, Stuck):
            last = turn.games[-1] if turn.games else game
            turn = Turn(turn.choice, (*turn.games, last.give_up()))
        if not turn.games:
            raise EngineError("this agent chose nothing that changes the game")
        game = turn.game
        yield turn


def take_turn(game: Played, player: Player) -> Turn[Played]:
    """Ask a player, put flags on the traps it knows, and reveal what it wants to see.

    A flag is removed from a cell that is revealed. A player that is stuck only puts flags.
    """
    choice = player.choose(game.view)
    games = [game]
    for cell in choice.traps:
        if not games[-1].view.flags[cell]:
            games.append(games[-1].flag(cell))
    for cell in choice.safe if isinstance(choice, Choice) else ():
        view = games[-1].view
        if view.status is not Status.PLAYING or not view.is_hidden(cell):
            continue
        if view.flags[cell]:
            games.append(games[-1].flag(cell))
        games.append(games[-1].reveal(cell))
    return Turn(choice, tuple(games[1:]))
