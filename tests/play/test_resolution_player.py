"""The resolution player: never wrong, as strong as its calculus, and the same every time."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiled import needs_compiler, output_either_way
from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import Status
from gemhunter.errors import InputError
from gemhunter.play.agents import resolution
from gemhunter.play.agents.resolution import ResolutionPlayer
from gemhunter.play.game import Game, View, game_with_given, new_game, safe_cells
from gemhunter.play.game_ids import LEVELS, GameId, Level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.play.player import Stuck, Turn, play_game
from gemhunter.questions.forced import Forced, forced
from naive_agent import NaiveAgent

MANY = [
    (Level(3, 5, 2), 3, 4500),
    (Level(4, 6, 3), 5, 3000),
    (Level(5, 7, 5), 6, 1000),
    (Level(7, 9, 8), 9, 500),
    (LEVELS["easy"], 9, 600),
    (LEVELS["medium"], 8, 350),
    (LEVELS["hard"], 44, 50),
]
"""Ten thousand boards, most of them small."""


@pytest.mark.full
@pytest.mark.parametrize(("level", "given", "games"), MANY, ids=str)
@needs_compiler
def test_no_cell_is_marked_wrongly_on_ten_thousand_boards(level: Level, given: int, games: int) -> None:
    played = play_resolution_games(level, given, range(games))
    assert not played.wrong.any()
    assert not played.conflicts.any()
    assert (played.marked >= min(given, level.rows * level.cols - level.total)).all()
    assert played.finished.any()
    assert sum(count for _, _, count in MANY) == 10_000


def played_out(game: Game) -> tuple[list[Turn[Game]], Mapping[str, int]]:
    """All turns, and what the player counted."""
    player = ResolutionPlayer(0)
    turns = list(play_game(game, player))
    return turns, player.counters(turns[-1].game.view if turns else game.view)


def levels(most_cells: int) -> st.SearchStrategy[Level]:
    sizes = st.tuples(st.integers(1, 7), st.integers(1, 9)).filter(
        lambda size: size[0] * size[1] <= most_cells
    )
    return sizes.flatmap(
        lambda size: st.builds(Level, *map(st.just, size), st.integers(0, (size[0] * size[1] - 1) // 2))
    )


@settings(max_examples=40)
@given(level=levels(35), seed=st.integers(0, 999), given_cells=st.integers(0, 9))
def test_it_marks_what_plain_loops_mark(level: Level, seed: int, given_cells: int) -> None:
    game = game_with_given(GameId(level, seed), given_cells)
    assert game.board is not None
    plain = NaiveAgent(game.board, [Cell(int(r), int(c)) for r, c in np.argwhere(game.shown != HIDDEN)])
    played = play_resolution_games(level, given_cells, range(seed, seed + 1))
    assert played.marked[0] == len(plain.marks)
    assert played.rounds[0] == plain.rounds


@settings(max_examples=40)
@given(level=levels(63), seed=st.integers(0, 999), given_cells=st.integers(1, 12))
def test_compiled_games_and_games_by_views_are_the_same(level: Level, seed: int, given_cells: int) -> None:
    played = play_resolution_games(level, given_cells, range(seed, seed + 1))
    turns, counters = played_out(game_with_given(GameId(level, seed), given_cells))
    assert not any(turn.is_guess for turn in turns)
    assert all(turn.game.status is not Status.LOST for turn in turns)
    if turns:
        assert list(counters.values()) == [played.marked[0], played.rounds[0]]


@settings(max_examples=15)
@given(level=levels(48), seed=st.integers(0, 999))
def test_what_it_marks_is_among_what_exact_inference_forces(level: Level, seed: int) -> None:
    game = game_with_given(GameId(level, seed), 6)
    for turn in play_game(game, ResolutionPlayer(0)):
        exact = forced(game.view.grid, total=level.total)
        assert isinstance(exact, Forced)
        assert set(turn.choice.traps) <= set(exact.traps)
        if not isinstance(turn.choice, Stuck):
            assert set(turn.choice.safe) <= set(exact.gems)
        game = turn.game


def test_batches_and_growing_change_nothing() -> None:
    level = LEVELS["hard"]
    together = play_resolution_games(level, 22, range(5, 13))
    apart = [play_resolution_games(level, 22, range(seed, seed + 1)) for seed in range(5, 13)]
    assert together.marked.tolist() == [games.marked[0] for games in apart]
    assert together.rounds.tolist() == [games.rounds[0] for games in apart]
    assert len(set(together.marked.tolist())) > 1


@pytest.mark.parametrize("steps", [1, 3])
def test_slices_change_nothing(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game_with_given(GameId(Level(7, 9, 13), seed), 9) for seed in range(4)]
    whole = [played_out(game)[1] for game in games]
    monkeypatch.setattr(resolution, "MARKING_STEPS", steps)
    assert [played_out(game)[1] for game in games] == whole
    assert len({tuple(counters.values()) for counters in whole}) > 1


def test_without_any_cell_it_begins_at_one_by_chance_and_never_guesses_again() -> None:
    first, *rest = played_out(new_game("9x12n12#7:any"))[0]
    assert first.is_guess
    assert not any(turn.is_guess for turn in rest)
    places = {ResolutionPlayer(seed).choose(new_game("9x12n12#4").view) for seed in range(5)}
    assert len(places) > 1


def test_cells_revealed_by_others_are_used_when_it_is_stuck() -> None:
    traps = np.zeros((1, 25), bool)
    traps[0, [2, 20]] = True
    player, game = ResolutionPlayer(0), new_game(Board(traps)).reveal(Cell(0, 1))
    assert isinstance(player.choose(game.view), Stuck)
    assert player.choose(game.reveal(Cell(0, 0)).view).traps == (Cell(0, 2),)


@pytest.mark.parametrize(("hidden", "is_stuck"), [(10, False), (11, True)])
def test_the_total_is_used_when_ten_cells_are_unmarked(hidden: int, is_stuck: bool) -> None:
    grid = Grid(np.array([[HIDDEN, 1, *[HIDDEN] * (hidden - 1)]], np.int8))
    view = View(grid, np.zeros((1, hidden + 1), bool), 1, Status.PLAYING)
    assert isinstance(ResolutionPlayer(0).choose(view), Stuck) == is_stuck


def test_clues_that_contradict_each_other_are_no_game() -> None:
    view = View(Grid(np.array([[1, 0, HIDDEN]], np.int8)), np.zeros((1, 3), bool), 1, Status.PLAYING)
    with pytest.raises(InputError, match="clues of this game conflict"):
        ResolutionPlayer(0).choose(view)


@pytest.mark.parametrize(
    ("level", "wanted", "cells"),
    [
        *(("easy", "half", 4), ("easy", "one", 9), ("easy", "two", 18), ("medium", "half", 8)),
        *(("hard", "half", 11), ("hard", "one", 22), ("hard", "two", 44), ("hard", "7", 7)),
    ],
)
def test_initial_safe_cells_are_shares_of_the_root_or_a_number(level: str, wanted: str, cells: int) -> None:
    assert safe_cells(LEVELS[level], wanted) == cells


@pytest.mark.parametrize("wanted", ["some", "-1", "72", "99999999999999", "²"])
def test_other_initial_safe_cells_are_refused(wanted: str) -> None:
    with pytest.raises(InputError, match="half, one, two or a number from 0 to 71"):
        safe_cells(LEVELS["easy"], wanted)


@given(level=levels(30), seed=st.integers(0, 99), given_cells=st.integers(0, 40))
def test_given_cells_are_gems_and_open_nothing(level: Level, seed: int, given_cells: int) -> None:
    game = game_with_given(GameId(level, seed), given_cells)
    assert game.board is not None
    gems = level.rows * level.cols - level.total
    shown = game.shown != HIDDEN
    assert np.count_nonzero(shown) == min(given_cells, gems)
    assert (game.shown[shown] == game.board.codes()[shown]).all()
    assert not (game.board.codes()[shown] == TRAP).any()
    assert (game.status is Status.WON) == (given_cells >= gems)


def test_the_uncompiled_player_does_the_same() -> None:
    program = (
        "from gemhunter.play.game_ids import Level\n"
        "from gemhunter.play.many_games import play_resolution_games\n"
        "games = play_resolution_games(Level(5, 6, 6), 5, range(4))\n"
        "print(games.marked.tolist(), games.rounds.tolist())"
    )
    assert output_either_way(program).startswith("[")


def test_games_are_the_same_everywhere() -> None:
    played = play_resolution_games(LEVELS["hard"], 11, range(1, 7))
    assert played.marked.tolist() == [480, 376, 478, 478, 480, 480]
