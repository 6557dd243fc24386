"""What a player gets to see leads nowhere else."""

import gc
import pickle
from types import FunctionType, ModuleType

import numpy as np
import pytest

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import Game, new_game


def reachable(start: object) -> list[object]:
    """Everything that attributes, slots, items and the memory of arrays lead to; code is not followed."""
    found: dict[int, object] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType | FunctionType):
            continue
        found[id(thing)] = thing
        waiting += gc.get_referents(thing)
        if isinstance(thing, np.ndarray) and thing.base is not None:
            waiting.append(thing.base)
    return list(found.values())


def games() -> list[Game]:
    """Games in all states, the truth of each dealt."""
    playing = new_game("5x7n9#3").flag(Cell(4, 6)).reveal(Cell(0, 0))
    given = new_game(Board(parse_mines("*..\n...")))
    lost = given.reveal(Cell(0, 0))
    return [playing, playing.give_up(), given, lost, given.reveal(Cell(1, 2)), given.reveal(Cell(0, 1))]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.status.value)
def test_there_is_no_way_from_a_view_to_the_truth(game: Game) -> None:
    assert game.board is not None
    things = reachable(game.view)
    assert not [thing for thing in things if isinstance(thing, Board | Game)]
    arrays = [thing for thing in things if isinstance(thing, np.ndarray)]
    assert len(arrays) == 2
    assert all(array.base is None and array.flags.owndata and not array.flags.writeable for array in arrays)
    mine = [game.board.traps, game.shown, game.flags]
    assert not any(np.shares_memory(array, other) for array in arrays for other in mine)


def test_the_walk_finds_the_truth_where_there_is_a_way() -> None:
    game = games()[0]
    assert game.board is not None
    assert any(thing is game.board.traps for thing in reachable([{"a": game}]))


def test_views_of_different_truths_that_look_the_same_are_the_same_byte_by_byte() -> None:
    one, other = (new_game(Board(parse_mines(text))) for text in ("..*..*\n......", "..*...\n.....*"))
    views = [game.reveal(Cell(0, 1)).flag(Cell(1, 4)).view for game in (one, other)]
    assert pickle.dumps(views[0]) == pickle.dumps(views[1])


def test_a_player_cannot_change_the_game_through_its_view() -> None:
    view = games()[0].view
    for array in (view.grid.cells, view.flags):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
