"""How hard games are for a player who thinks: against playing them with a solver's forced cells."""

import pytest

from gemhunter import forced, new_game
from gemhunter.board.grid import Cell
from gemhunter.board.position import Status
from gemhunter.experiments.game_tables import game_difficulty
from gemhunter.explanation.steps import NEEDS_A_GUESS, Difficulty
from gemhunter.play.game import Game
from gemhunter.questions.forced import Forced
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run


def game_after_a_click_in_the_middle(game_id: str) -> Game:
    game = new_game(game_id)
    return game.reveal(Cell(game.level.rows // 2, game.level.cols // 2))


def is_won_by_opening_certain_gems(game: Game) -> bool:
    """Whether a player who opens nothing but gems that all solutions share wins."""
    while game.status is Status.PLAYING:
        found = forced(game.view.grid, total=game.level.total)
        assert isinstance(found, Forced)
        if not found.gems:
            return False
        for cell in found.gems:
            game = game.reveal(cell)
    return game.status is Status.WON


@pytest.mark.parametrize("level", ["7x9n10", "5x5n6"])
def test_a_game_needs_a_guess_exactly_if_certain_gems_do_not_win_it(level: str) -> None:
    words = []
    for seed in range(25):
        game = game_after_a_click_in_the_middle(f"{level}#{seed}")
        found = game_difficulty(game)
        assert isinstance(found, Difficulty)
        assert (found.word != NEEDS_A_GUESS) == is_won_by_opening_certain_gems(game)
        words.append(found.word)
    assert len({word == NEEDS_A_GUESS for word in words}) == 2


def test_a_game_of_single_clues_is_easy_and_scores_one_for_each_step() -> None:
    found = game_difficulty(game_after_a_click_in_the_middle("beginner#1:opening"))
    assert isinstance(found, Difficulty)
    assert (found.word, found.level, found.most_clues) == ("easy", 1, 1)
    assert found.score > 1


def test_a_game_that_takes_too_many_steps_is_given_up() -> None:
    game = game_after_a_click_in_the_middle("beginner#1:opening")
    assert game_difficulty(game, Run(Limits(steps=3))) == GaveUp(StopReason.STEPS)
