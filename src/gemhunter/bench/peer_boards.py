"""The boards on which peers are compared unless the user names others."""

from gemhunter.bench.suites import load_boards
from gemhunter.bench.values import BenchBoard
from gemhunter.core.grid import Cell
from gemhunter.core.trap_maps import random_grid
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import new_game
from gemhunter.play.turns import play_game

SUITES = ("s1", "s2", "s3")
RANDOM_SIDES = (40, 100)
GAMES = ("expert#4:opening", "expert#12:opening", "expert#21:opening")
MIDDLE = Cell(8, 15)
"""Where games begin."""


def default_boards() -> list[BenchBoard]:
    """The boards of S1 to S3, each once, random ones, and positions of Expert games with their total."""
    found = [*load_boards(SUITES).boards, *map(_random_board, RANDOM_SIDES), *map(stuck_position, GAMES)]
    different = {(str(board.grid), board.total): board for board in reversed(found)}
    return [board for board in found if different[str(board.grid), board.total] is board]


def stuck_position(game_id: str) -> BenchBoard:
    """The position of a game in which the agent `logic` is stuck: nothing but probabilities helps on."""
    game = new_game(game_id).reveal(MIDDLE)
    for turn in play_game(game, new_player("logic")):
        game = turn.game
    return BenchBoard(game_id, game.view.grid, game.view.total, "where the agent logic is stuck")


def _random_board(side: int) -> BenchBoard:
    grid = random_grid(side, side, density=0.2, shown=0.5, seed=0)
    return BenchBoard(f"random-{side}x{side}", grid, note="20 % traps, 50 % shown, seed 0")
