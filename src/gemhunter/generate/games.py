"""Games to order that need no guess, checked from scratch by an agent that never guesses."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from gemhunter.core.board import Board
from gemhunter.core.first_click import FirstClick
from gemhunter.core.grid import Cell
from gemhunter.core.numbers import LARGEST_SEED, whole_number
from gemhunter.errors import InputError
from gemhunter.play.game_ids import GameId, deal_board
from gemhunter.play.levels import Level, read_level
from gemhunter.play.many_games import is_won_by_logic

LARGEST_BATCH = 64
"""Games that are checked together; the first ones come singly, so that they are there at once."""


class Using(StrEnum):
    """What the player of a game that needs no guess has to reason with."""

    CLUES = "clues"
    CLUES_AND_TOTAL = "clues+total"

    @property
    def rule(self) -> FirstClick:
        """The rule of such games in their ids."""
        return FirstClick.NO_GUESS_CLUES if self is Using.CLUES else FirstClick.NO_GUESS


@dataclass(frozen=True, slots=True)
class NoGuessGame:
    """A game in which every step follows by logic once `first` has been revealed.

    Its id deals this board to a player who begins there.
    """

    game_id: GameId
    first: Cell
    board: Board


def generate_games(
    level: Level | str,
    *,
    using: Using | str = Using.CLUES_AND_TOTAL,
    seed: int = 0,
    number: int | None = None,
    first: Cell | None = None,
) -> Iterator[NoGuessGame]:
    """Games of the seeds from `seed` on that need no guess: `number` of them, or without end.

    Players begin in the middle unless `first` says where. An `InputError` if a level has too many traps.
    """
    size = read_level(level) if isinstance(level, str) else level
    rule = _read_using(using).rule
    whole_number(seed, "a seed", 0, LARGEST_SEED)
    begin = Cell(size.rows // 2, size.cols // 2) if first is None else first
    if not (0 <= begin.row < size.rows and 0 <= begin.col < size.cols):
        raise InputError(f"{begin} is outside the {size.rows}×{size.cols} board")
    end = LARGEST_SEED + 1 if number is None else seed + number
    return _checked(_dealt(GameId(size, each, rule), begin) for each in range(seed, end))


def _read_using(name: Using | str) -> Using:
    try:
        return Using(name)
    except ValueError:
        raise InputError(f"a game is solved using {' or '.join(Using)}, not {name!r}") from None


def _dealt(game_id: GameId, first: Cell) -> NoGuessGame:
    return NoGuessGame(game_id, first, deal_board(game_id, first))


def _checked(games: Iterator[NoGuessGame]) -> Iterator[NoGuessGame]:
    """The games, after an agent that never guesses has won them."""
    size = 1
    while batch := list(islice(games, size)):
        with_total = batch[0].game_id.first_click is FirstClick.NO_GUESS
        won = is_won_by_logic([game.board for game in batch], batch[0].first, with_total=with_total)
        for game, is_won in zip(batch, won, strict=True):
            if not is_won:
                raise AssertionError(f"{game.game_id} needs a guess if its player begins at {game.first}")
            yield game
        size = min(2 * size, LARGEST_BATCH)
