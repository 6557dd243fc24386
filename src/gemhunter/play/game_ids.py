"""Names of games: a level, a seed and a rule are all it takes to deal the same game anywhere."""

from dataclasses import dataclass

from gemhunter.core.numbers import LARGEST_SEED, whole_number
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.play.levels import FirstClick, Level, read_level


@dataclass(frozen=True, slots=True)
class GameId:
    """A game that can be dealt: `16x30n99#42`, and `:opening` or `:any` behind it for the other rules."""

    level: Level
    seed: int
    first_click: FirstClick = FirstClick.SAFE

    def __post_init__(self) -> None:
        whole_number(self.seed, "a seed", 0, LARGEST_SEED)

    def __str__(self) -> str:
        rule = "" if self.first_click is FirstClick.SAFE else f":{self.first_click.value}"
        return f"{self.level}#{self.seed}{rule}"


def read_game_id(text: str) -> GameId:
    """The game of an id; the level may also be a name, as in `expert#42`."""
    game, colon, rule = text.strip().partition(":")
    level, mark, seed = game.partition("#")
    if not mark or not (seed.isascii() and seed.isdigit()):
        raise InputError(f"{text!r} is no game id; expected LEVEL#SEED, such as 16x30n99#42 or expert#42")
    known = [each.value for each in FirstClick]
    if colon and rule not in known:
        raise UnknownNameError("first-click rule", rule, known, see="gemhunter play --help")
    return GameId(read_level(level), int(seed.lstrip("0")[:30] or 0), FirstClick(rule or FirstClick.SAFE))
