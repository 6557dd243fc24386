"""Players by name, and what all of them have in common: they see only views."""

from itertools import pairwise

import pytest

from adversary import Adversary, adversary
from gemhunter.board.grid import Cell
from gemhunter.board.position import Status
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game import View, new_game
from gemhunter.play.player import Choice, Stuck, Turn, play_game
from places import DOCS

SIZES = [(3, 4, 2), (4, 5, 4), (2, 7, 3)]


def turns_against_the_adversary(
    name: str, size: tuple[int, int, int], seed: int
) -> list[tuple[Adversary, Turn[Adversary]]]:
    """Every turn with the game before it."""
    game = adversary(*size, seed)
    turns = list(play_game(game, new_player(name, seed=seed)))
    return list(zip([game, *(turn.game for turn in turns)], turns, strict=False))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", AGENTS)
def test_a_player_that_sees_only_views_loses_its_first_guess(name: str, size: tuple[int, int, int]) -> None:
    for seed in range(6):
        _, *rest = turns_against_the_adversary(name, size, seed)  # the first cell is never a trap
        guesses = [turn.is_guess for _, turn in rest]
        assert guesses.count(True) <= 1
        assert True not in guesses[:-1]
        if rest:
            ending = rest[-1][1].game.view.status
            assert (ending is Status.LOST) == guesses[-1]


@pytest.mark.parametrize("name", AGENTS)
def test_a_trap_is_named_once(name: str) -> None:
    turns = list(play_game(new_game("9x9n10#5:opening"), new_player(name)))
    named = [cell for turn in turns for cell in turn.choice.traps]
    assert len(named) == len(set(named)) > 0


@pytest.mark.parametrize("name", AGENTS)
def test_a_trap_that_a_player_knows_cannot_be_a_gem(name: str) -> None:
    for before, turn in turns_against_the_adversary(name, (4, 5, 4), 3):
        assert all(before.must_be_trap(cell) for cell in turn.choice.traps)


@pytest.mark.parametrize("name", AGENTS)
def test_a_seed_reproduces_a_game(name: str) -> None:
    first, again = (list(play_game(new_game("8x9n9#7"), new_player(name, seed=5))) for _ in range(2))
    assert [turn.choice for turn in first] == [turn.choice for turn in again]
    assert first[-1].game.moves == again[-1].game.moves


@pytest.mark.parametrize("name", AGENTS)
def test_every_move_of_a_turn_is_a_game(name: str) -> None:
    turns = list(play_game(new_game("6x9n8#3"), new_player(name, seed=1)))
    games = [game for turn in turns for game in turn.games]
    assert all(len(after.moves) - len(before.moves) in (0, 1) for before, after in pairwise(games))
    assert all(game.status is Status.PLAYING for game in games[:-1])
    assert games[-1].status is not Status.PLAYING


def test_an_unknown_player_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no agent named 'resolutoin'; did you mean 'resolution'"):
        new_player("resolutoin")


class Repeating:
    """Always makes the same choice."""

    def __init__(self, choice: Choice | Stuck) -> None:
        self.choice = choice

    def choose(self, view: View) -> Choice | Stuck:
        return self.choice


def test_a_player_that_changes_nothing_is_stopped() -> None:
    with pytest.raises(EngineError, match="nothing that changes the game"):
        list(play_game(new_game("4x5n6#1"), Repeating(Choice((), (), 0.0, "idle"))))


def test_a_stuck_player_flags_what_it_knows_and_gives_up() -> None:
    (turn,) = play_game(new_game("4x5n6#1"), Repeating(Stuck((Cell(0, 1), Cell(2, 2)), "no idea")))
    assert turn.game.status is Status.STUCK
    assert [game.view.counter for game in turn.games] == [5, 4, 4]
    assert not turn.is_guess


def test_a_cell_that_was_flagged_by_mistake_is_revealed_all_the_same() -> None:
    game = new_game("4x5n6#1").flag(Cell(1, 1))
    turn = next(play_game(game, Repeating(Choice((Cell(1, 1),), (), 0.3, "guess"))))
    assert not turn.game.view.is_hidden(Cell(1, 1))
    assert turn.is_guess


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_is_in_the_table_of_the_docs(name: str) -> None:
    assert f"\n| `{name}` | " in (DOCS / "agents.md").read_text(encoding="utf-8")
