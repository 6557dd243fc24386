"""Games on request that need no guess, each checked by an agent that never guesses."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.errors import InputError
from gemhunter.jit.choice import working_clock
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import GameId, Level, read_level
from gemhunter.play.many_games import is_won_by_logic
from gemhunter.play.repair import prepare_no_guess
from gemhunter.work.pieces import Piece, Pieces, Watch, WorkersAsked, made_in_order, seeds_from


class Using(StrEnum):
    """What the player of a game that needs no guess can reason with."""

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
    """Yield games that need no guess, one per seed from `seed` on: `number` of them, or endlessly.

    Players begin in the middle unless `first` is another cell. The games and their order do not depend on the
    number of workers. Raises `InputError` if the level has too many traps.
    """
    size = read_level(level) if isinstance(level, str) else level
    try:
        rule = Using(using).rule
    except ValueError:
        raise InputError(f"a game is solved using {' or '.join(Using)}, not {using!r}") from None
    seeds = seeds_from(seed, number)
    begin = size.middle if first is None else first
    if not (0 <= begin.row < size.rows and 0 <= begin.col < size.cols):
        raise InputError(f"{begin} is outside the {size.rows}×{size.cols} board")
    pieces = Pieces([Piece((size, rule, begin), seeds)], workers)
    prepare = partial(prepare_no_guess, size)
    return _until_error(made_in_order(pieces, _make_games, watch=watch, prepare=prepare))


def _make_games(piece: Piece[tuple[Level, FirstClick, Cell]], watch: Watch) -> list[NoGuessGame | InputError]:
    """The games of these seeds, each won by an agent that never guesses; an error ends the list."""
    level, rule, first = piece.kind
    games, errors, began = list[NoGuessGame](), list[InputError](), working_clock()
    for seed in piece.seeds:
        watch.progress(working_clock() - began, 0)
        if watch.cancel():
            break
        game_id = GameId(level, seed, rule)
        try:
            games.append(NoGuessGame(game_id, first, deal_board(game_id, first)))
        except InputError as error:
            errors.append(error)
            break
    if games:
        boards = [game.board for game in games]
        won = is_won_by_logic(boards, first, with_total=rule is FirstClick.NO_GUESS)
        for game, is_won in zip(games, won, strict=True):
            if not is_won:
                raise AssertionError(f"{game.game_id} needs a guess if its player begins at {game.first}")
    return [*games, *errors]


def _until_error(
    games: Generator[NoGuessGame | InputError, None, None],
) -> Generator[NoGuessGame, None, None]:
    """The games before the first error, which is then raised."""
    with closing(games):
        for game in games:
            if isinstance(game, InputError):
                raise game
            yield game
