"""What an agent's own tests look like: it plays to the end, and guesses only where it has to."""

from gemhunter import Status, View, forced, new_game, new_player, play_game
from gemhunter.questions.forced import Forced


def has_certain_gem(view: View) -> bool:
    """Whether some hidden cell is a gem in every solution."""
    known = forced(view.grid, total=view.total)
    assert isinstance(known, Forced)
    return bool(known.gems)


def test_it_plays_every_game_to_its_end() -> None:
    for seed in range(5):
        *_, last = play_game(new_game(f"5x5n4#{seed}"), new_player("safest-cell"))
        assert last.game.view.status in (Status.WON, Status.LOST)


def test_it_guesses_only_where_nothing_is_certain() -> None:
    game = new_game("6x6n6#3")
    for turn in play_game(game, new_player("safest-cell")):
        assert game.view.is_fresh or turn.is_guess is not has_certain_gem(game.view)
        game = turn.game
