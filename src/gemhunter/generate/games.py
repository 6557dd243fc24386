"""Games to order that need no guess, checked from scratch by an agent that never guesses."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.errors import InputError
from gemhunter.generate.parallel import Order, Watch, WorkersAsked, made_in_order, seeds_from
from gemhunter.jit.choice import working_clock
from gemhunter.play.game_ids import GameId, deal_board
from gemhunter.play.levels import Level, read_level
from gemhunter.play.many_games import is_won_by_logic
from gemhunter.play.no_guess import prepare_no_guess


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
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
) -> Generator[NoGuessGame, None, None]:
    """Games of the seeds from `seed` on that need no guess: `number` of them, or without end.

    Players begin in the middle unless `first` says where. They are the same, in the same order, with any
    number of workers. An `InputError` if a level has too many traps.
    """
    size = read_level(level) if isinstance(level, str) else level
    rule = _read_using(using).rule
    seeds = seeds_from(seed, number)
    begin = Cell(size.rows // 2, size.cols // 2) if first is None else first
    if not (0 <= begin.row < size.rows and 0 <= begin.col < size.cols):
        raise InputError(f"{begin} is outside the {size.rows}×{size.cols} board")
    order = Order(_GameWish(size, rule, begin), seeds)
    prepare = partial(prepare_no_guess, size)
    return _raising(made_in_order([order], _make_games, workers=workers, watch=watch, prepare=prepare))


def _read_using(name: Using | str) -> Using:
    try:
        return Using(name)
    except ValueError:
        raise InputError(f"a game is solved using {' or '.join(Using)}, not {name!r}") from None


@dataclass(frozen=True, slots=True)
class _GameWish:
    """Games of a level and a rule whose players begin at `first`."""

    level: Level
    rule: FirstClick
    first: Cell


def _make_games(order: Order[_GameWish], watch: Watch) -> list[NoGuessGame | InputError]:
    """The games of an order, after an agent that never guesses has won them; an error ends the list."""
    wish, made, errors, began = order.wish, list[NoGuessGame](), list[InputError](), working_clock()
    for seed in order.seeds:
        watch.progress(working_clock() - began, 0)
        if watch.cancel():
            break
        game_id = GameId(wish.level, seed, wish.rule)
        try:
            made.append(NoGuessGame(game_id, wish.first, deal_board(game_id, wish.first)))
        except InputError as error:
            errors.append(error)
            break
    _require_won(made, wish)
    return [*made, *errors]


def _require_won(games: list[NoGuessGame], wish: _GameWish) -> None:
    if not games:
        return
    boards = [game.board for game in games]
    won = is_won_by_logic(boards, wish.first, with_total=wish.rule is FirstClick.NO_GUESS)
    for game, is_won in zip(games, won, strict=True):
        if not is_won:
            raise AssertionError(f"{game.game_id} needs a guess if its player begins at {game.first}")


def _raising(made: Generator[NoGuessGame | InputError, None, None]) -> Generator[NoGuessGame, None, None]:
    """The games until one could not be made; its error is raised after the games before it."""
    with closing(made):
        for game in made:
            if isinstance(game, InputError):
                raise game
            yield game
