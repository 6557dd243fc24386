"""Ids of games: a level, a seed and a rule are all it takes to deal the same board anywhere."""

import secrets
from dataclasses import dataclass

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import TRAP, Cell
from gemhunter.board.numbers import LARGEST_SEED, whole_number
from gemhunter.board.position import FirstClick
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.jit.arrays import Codes
from gemhunter.play.deal import deal
from gemhunter.play.levels import Level, read_level
from gemhunter.play.no_guess import deal_no_guess

SHORT_SEEDS = 1_000_000_000
"""Seeds of new games are below this: short enough to be typed."""


@dataclass(frozen=True, slots=True)
class GameId:
    """A game that can be dealt: `16x30n99#42`, with `:opening` or the like behind it for the other rules."""

    level: Level
    seed: int
    first_click: FirstClick = FirstClick.SAFE

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", whole_number(self.seed, "a seed", 0, LARGEST_SEED))

    def __str__(self) -> str:
        rule = "" if self.first_click is FirstClick.SAFE else f":{self.first_click.value}"
        return f"{self.level}#{self.seed}{rule}"


def read_game_id(text: str) -> GameId:
    """The game of an id; the level may also be a name, as in `expert#42`."""
    game, colon, rule = text.strip().partition(":")
    level, mark, seed = game.partition("#")
    if not mark or not (seed.isascii() and seed.isdigit()):
        raise InputError(f"{text!r} is not a game id; expected LEVEL#SEED, such as 16x30n99#42 or expert#42")
    known = [each.value for each in FirstClick]
    if colon and rule not in known:
        raise UnknownNameError("first-click rule", rule, known, see="play --help")
    return GameId(read_level(level), int(seed.lstrip("0")[:30] or 0), FirstClick(rule or FirstClick.SAFE))


def new_seed() -> int:
    """A random seed for a new game."""
    return secrets.randbelow(SHORT_SEEDS)


def deal_board(game: GameId, first: Cell) -> Board:
    """The board of this game if its player begins at `first`."""
    return Board(dealt_codes(game, first.row * game.level.cols + first.col) == TRAP)


def dealt_codes(game: GameId, first: int) -> Codes:
    """The clues and traps of this game if its player begins at the cell of this index."""
    if game.first_click.needs_no_guess:
        with_total = game.first_click is FirstClick.NO_GUESS
        return deal_no_guess(game.level, game.seed, first, with_total=with_total)
    codes = np.empty((game.level.rows, game.level.cols), np.int8)
    deal(game.seed, game.first_click.code, first, game.level.total, codes)
    return codes
