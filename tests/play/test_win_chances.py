"""The chance to win a position: exact near the end, and by sampled games that agents play on."""

from dataclasses import replace

import numpy as np
import pytest

from gemhunter.board.board import Board
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, count_around
from gemhunter.board.position import Status
from gemhunter.files.text import parse_grid
from gemhunter.jit.kernel import Codes
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import Game, View, new_game
from gemhunter.play.guessing import rollouts as win_chances
from gemhunter.play.guessing.rollouts import chance_of_winning
from gemhunter.play.many_games import finished_games
from gemhunter.play.player import play_game
from gemhunter.questions.sample import sample
from gemhunter.solving.run import Limits, Run

FIFTY = "1, _\n1, _"


def view_of(text: str, total: int) -> View:
    grid = parse_grid(text)
    return View(grid, np.zeros(grid.cells.shape, bool), total, Status.PLAYING)


def truth_of(filled: Grid) -> Codes:
    traps = filled.cells == TRAP
    return np.where(filled.cells == GEM, count_around(traps), filled.cells).astype(np.int8)


def begun(seed: int) -> Game:
    return new_game(f"6x8n10#{seed}:opening").reveal(Cell(3, 4))


@pytest.mark.parametrize("agent", ["fast", "expert"])
@pytest.mark.parametrize("seed", range(4))
def test_games_that_are_finished_end_as_the_agent_ends_them_turn_by_turn(seed: int, agent: str) -> None:
    game = begun(seed)
    drawn = sample(game.view.grid, 6, total=10, seed=seed)
    assert isinstance(drawn, list)
    boards = [truth_of(grid) for grid in drawn]
    found = finished_games(agent, game.view.grid.cells, boards, total=10)
    for codes, won in zip(boards, found.won, strict=True):
        other = replace(game, board=Board(codes == TRAP), game_id=None)
        *_, last = play_game(other, new_player(agent))
        assert (last.game.status is Status.WON) == won


def test_near_the_end_the_chance_is_exact() -> None:
    found = chance_of_winning(view_of(FIFTY, 1), Run())
    assert found is not None
    assert (found.is_exact, found.interval.value) == (True, 0.5)


def test_sampled_games_agree_with_the_exact_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    view = begun(6).view
    exact = chance_of_winning(view, Run())
    assert exact is not None
    assert exact.is_exact
    monkeypatch.setattr(win_chances, "win_chance", lambda *_: None)
    sampled = chance_of_winning(view, Run(seed=3), games=300)
    assert sampled is not None
    assert not sampled.is_exact
    assert sampled.interval.low <= exact.interval.value <= sampled.interval.high


def test_a_run_that_is_over_leaves_fewer_games_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_chances, "win_chance", lambda *_: None)
    assert chance_of_winning(begun(5).view, Run(Limits(steps=1))) is None


def test_a_game_before_its_first_move_has_no_chance_yet() -> None:
    assert chance_of_winning(new_game("6x8n10#1").view, Run()) is None


def test_a_position_without_a_gem_to_reveal_has_none() -> None:
    view = view_of("1, _\n1, 1", 1)
    assert np.count_nonzero(view.grid.cells == HIDDEN) == 1
    assert chance_of_winning(view, Run()) is None
