"""The CSP player: complete on the clues, never wrong, bounded, and the same every time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.board.position import Status
from gemhunter.errors import InputError
from gemhunter.play.agents import csp
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.game import View, game_with_given
from gemhunter.play.game_ids import LEVELS, GameId, Level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.play.player import Choice, Stuck, play_game
from gemhunter.questions.forced import Forced, forced


def certain_cells(view: View) -> Forced:
    """What follows from the clues, by SAT; with the total if the clues leave at most ten cells."""
    by_clues = forced(view.grid)
    assert isinstance(by_clues, Forced)
    hidden = np.count_nonzero(view.grid.cells == HIDDEN)
    if hidden - len(by_clues.traps) - len(by_clues.gems) > 10:
        return by_clues
    by_total = forced(view.grid, total=view.total)
    assert isinstance(by_total, Forced)
    return by_total


def assert_complete(level: Level, given_cells: int, seed: int) -> None:
    """In every position of a game the player decides all cells that are certain, and no others."""
    game = game_with_given(GameId(level, seed), given_cells)
    for turn in play_game(game, CspPlayer(seed)):
        exact = certain_cells(game.view)
        flagged = {game.view.grid.cell(int(index)) for index in np.flatnonzero(game.view.flags)}
        assert flagged | set(turn.choice.traps) == set(exact.traps)
        assert set(turn.choice.safe if isinstance(turn.choice, Choice) else ()) == set(exact.gems)
        game = turn.game


sizes = st.tuples(st.integers(2, 6), st.integers(2, 8))
levels = sizes.flatmap(
    lambda size: st.builds(Level, *map(st.just, size), st.integers(1, size[0] * size[1] // 3))
)


@settings(max_examples=25)
@given(level=levels, seed=st.integers(0, 999), given_cells=st.integers(1, 9))
def test_it_decides_exactly_what_is_certain(level: Level, seed: int, given_cells: int) -> None:
    assert_complete(level, given_cells, seed)


def test_it_decides_exactly_what_is_certain_on_a_large_board() -> None:
    assert_complete(LEVELS["hard"], 44, seed=9)


@pytest.mark.parametrize(("seed", "by_resolution", "by_csp"), [(5, 24, 24), (9, 15, 24), (28, 17, 21)])
def test_it_marks_what_resolution_marks_and_sometimes_more(
    seed: int, by_resolution: int, by_csp: int
) -> None:
    level = Level(4, 6, 5)
    assert play_resolution_games(level, 5, range(seed, seed + 1)).marked[0] == by_resolution
    player, game = CspPlayer(seed), game_with_given(GameId(level, seed), 5)
    *_, last = play_game(game, player)
    counters = player.counters(last.game.view)
    assert counters["marked cells"] == by_csp
    assert counters["assignments"] > counters["backtracks"] > 0


def test_a_search_that_is_stopped_decides_nothing_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = Grid(np.array([[HIDDEN] * 8, [1, 1, *[HIDDEN] * 6]], np.int8))
    view = View(grid, np.zeros((2, 8), bool), 5, Status.PLAYING)
    whole = CspPlayer(0).choose(view)
    assert isinstance(whole, Choice)
    assert set(whole.safe) == {Cell(0, 2), Cell(1, 2)}
    for limit in ("SEARCH_ASSIGNMENTS", "VIEW_ASSIGNMENTS"):
        with monkeypatch.context() as patched:
            patched.setattr(csp, limit, 1)
            assert CspPlayer(0).choose(view) == Stuck((), "nothing more follows from the clues")


@pytest.mark.parametrize(("hidden", "is_stuck"), [(10, False), (11, True)])
def test_the_total_is_a_constraint_when_ten_cells_are_unmarked(hidden: int, is_stuck: bool) -> None:
    grid = Grid(np.array([[HIDDEN, 1, *[HIDDEN] * (hidden - 1)]], np.int8))
    view = View(grid, np.zeros((1, hidden + 1), bool), 1, Status.PLAYING)
    assert isinstance(CspPlayer(0).choose(view), Stuck) == is_stuck


@pytest.mark.parametrize("clues", ["1 0 _", "_ 3 _ / _ 3 _", "1 _ 1 / _ _ _ / 1 _ 2"])
def test_clues_that_contradict_each_other_are_no_game(clues: str) -> None:
    rows = [[HIDDEN if sign == "_" else int(sign) for sign in row.split()] for row in clues.split("/")]
    grid = Grid(np.array(rows, np.int8))
    view = View(grid, np.zeros(grid.cells.shape, bool), 4, Status.PLAYING)
    with pytest.raises(InputError, match="clues of this game conflict"):
        CspPlayer(0).choose(view)
