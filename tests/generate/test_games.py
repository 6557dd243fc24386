"""Games that need no guess: proven move for move, fair along the border, the same everywhere."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from compiled import needs_compiler, output_either_way
from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick, Status
from gemhunter.errors import InputError
from gemhunter.files.minesweeper import parse_mines
from gemhunter.generate.games import NoGuessGame, Using, generate_games
from gemhunter.play import deal
from gemhunter.play.agents.registry import new_player
from gemhunter.play.deal import deal_board
from gemhunter.play.game import Game, new_game, replayed
from gemhunter.play.game_ids import GameId, Level
from gemhunter.play.many_games import is_won_by_logic, play_games
from gemhunter.play.player import play_game
from gemhunter.questions.forced import Forced, forced

LEVELS_TRIED = ["5x7n8", "9x9n20", "4x11n15", "1x12n4", "13x3n7"]

PROGRAM = """
from gemhunter.files.minesweeper import mine_map
from gemhunter.generate.games import generate_games
for level in ("6x8n10", "5x5n8", "4x9n14", "1x9n3"):
    for using in ("clues", "clues+total"):
        for game in generate_games(level, using=using, seed=3, number=2):
            print(game.game_id, game.first)
            print(mine_map(game.board.traps))
"""


def begun(made: NoGuessGame) -> Game:
    """The game of the id after its first click, on the board that was generated."""
    game = new_game(made.game_id).reveal(made.first)
    assert game.board == made.board
    return game


def proven_gems(game: Game, using: Using) -> list[Cell]:
    """The hidden gems that are gems in every solution, by a query that shares no code with the players."""
    found = forced(game.view.grid, total=game.level.total if using is Using.CLUES_AND_TOTAL else None)
    assert isinstance(found, Forced)
    return list(found.gems)


def kinds(level: Level) -> NDArray[np.int64]:
    """0 inside, 1 on the border, 2 in a corner; more in a single row or column."""
    rows, cols = np.indices((level.rows, level.cols))
    return np.isin(rows, (0, level.rows - 1)).astype(int) + np.isin(cols, (0, level.cols - 1))


@pytest.mark.parametrize("using", Using)
@pytest.mark.parametrize("level", LEVELS_TRIED)
def test_the_agent_logic_wins_and_never_takes_a_risk(level: str, using: Using) -> None:
    for made in generate_games(level, using=using, seed=5, number=4):
        turns = list(play_game(begun(made), new_player("logic")))
        assert not any(turn.is_guess for turn in turns)
        assert not turns or turns[-1].game.status is Status.WON


@pytest.mark.parametrize("using", Using)
@pytest.mark.parametrize("level", LEVELS_TRIED)
def test_every_move_follows_from_what_may_be_used(level: str, using: Using) -> None:
    for made in generate_games(level, using=using, seed=50, number=3):
        game = begun(made)
        while game.status is Status.PLAYING:
            gems = proven_gems(game, using)
            assert gems
            for cell in gems:
                game = game.reveal(cell)
        assert game.status is Status.WON


def test_a_recorded_game_is_checked_against_its_id() -> None:
    game = begun(next(generate_games("5x7n8", seed=2)))
    assert replayed(game.replay).board == game.board
    other = replace(game.replay, game_id="5x7n8#3:no-guess")
    with pytest.raises(InputError, match="not the one that 5x7n8#3:no-guess deals"):
        replayed(other)


@needs_compiler
@pytest.mark.parametrize("level", [Level(16, 30, 150), Level(16, 30, 200), Level(40, 50, 400)])
def test_dense_and_large_games_are_won_from_the_cell_where_agents_begin(level: Level) -> None:
    games = play_games("logic", level, FirstClick.NO_GUESS, range(8))
    assert games.won.all()
    assert not games.guesses.any()


def test_a_gem_behind_traps_needs_the_total() -> None:
    behind = Board(parse_mines("....\n....\n..**\n..*."))
    assert is_won_by_logic([behind], Cell(0, 0), with_total=True).tolist() == [True]
    assert is_won_by_logic([behind], Cell(0, 0), with_total=False).tolist() == [False]


def test_corners_border_and_inside_keep_the_traps_that_were_dealt() -> None:
    level, first = Level(7, 10, 16), Cell(3, 5)
    moved = 0
    for made in generate_games(level, seed=9, number=12, first=first):
        dealt = deal_board(GameId(level, made.game_id.seed, FirstClick.OPENING), first)
        counts = [np.bincount(kinds(level)[board.traps], minlength=3) for board in (dealt, made.board)]
        assert counts[0].tolist() == counts[1].tolist()
        moved += dealt != made.board
    assert moved > 3


@needs_compiler
def test_the_border_has_its_share_of_the_traps() -> None:
    level, games = Level(9, 9, 16), 10_000
    first = np.zeros((9, 9), bool)
    first[3:6, 3:6] = True
    border = kinds(level) > 0
    sums = np.zeros((9, 9), int)
    for made in generate_games(level, using=Using.CLUES, number=games):
        sums += made.board.traps
    assert not sums[first].any()
    share = border.sum() / (81 - 9)
    expected, traps = games * 16 * share, games * 16
    spread = games * 16 * share * (1 - share) * (72 - 16) / (72 - 1)  # drawn without putting back
    chi_square = (sums[border].sum() - expected) ** 2 / spread
    assert chi_square < 10.8  # exceeded by chance once in a thousand
    inside = (traps - sums[border].sum()) / (~border & ~first).sum()
    assert abs(sums[border].sum() / border.sum() / inside - 1) < 0.02


def test_games_are_the_same_compiled_and_uncompiled() -> None:
    assert output_either_way(PROGRAM).count("no-guess-clues") == 8


def test_a_board_that_needs_no_repair_stays_as_dealt() -> None:
    level, first = Level(8, 8, 4), Cell(4, 4)
    made = {game.game_id.seed: game.board for game in generate_games(level, number=20)}
    same = [
        seed
        for seed, board in made.items()
        if board == deal_board(GameId(level, seed, FirstClick.OPENING), first)
    ]
    assert len(same) > 12


def test_games_come_one_by_one_and_without_end() -> None:
    games = list(islice(generate_games("4x6n4", seed=7), 5))
    assert [str(game.game_id) for game in games] == [f"4x6n4#{seed}:no-guess" for seed in range(7, 12)]


def test_a_game_without_room_for_an_opening_says_how_many_traps_fit() -> None:
    with pytest.raises(InputError, match=r"3x4n8 game needs a guess: .* r2c3 .* at most 3 traps"):
        next(generate_games("3x4n8"))


@pytest.mark.parametrize("level", ["1x1n0", "1x2n1", "2x2n3", "3x3n0"])
def test_a_game_that_one_click_wins_needs_no_guess(level: str) -> None:
    assert begun(next(generate_games(level))).status is Status.WON


def test_too_many_traps_end_with_what_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal, "DEALS", (2, 2))
    monkeypatch.setattr(deal, "REPAIR_TRIES", (3, 3))
    with pytest.raises(InputError, match=r"for a first click at r4c4: the best of 2 .* leaves \d+ cells"):
        next(generate_games("7x7n30"))


def test_wishes_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="using clues or clues\\+total, not 'total'"):
        generate_games("4x6n4", using="total")
    with pytest.raises(InputError, match="r5c1 is outside the 4×6 board"):
        generate_games("4x6n4", first=Cell(4, 0))
