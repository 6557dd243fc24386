"""Dealing: what a seed, a rule and a first cell make, the same on every machine."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from math import comb

import numpy as np
import pytest

from compiled import output_either_way
from gemhunter.board.grid import TRAP, Cell
from gemhunter.board.position import FirstClick
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.minesweeper import mine_map
from gemhunter.play.deal import deal_board
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import LEVELS, GameId, Level, read_game_id, read_level

GOLDEN = {
    "9x9n10#42": ".....*.../........./.......*./.....*.../.*.*...../..*....../.....*.../*...*..*./.........",
    "4x7n8#0:opening": "....*../....**./..*..../**...**",
    "4x7n8#0:any": "....*../*...**./..*..../.*...**",
    "3x5n12#9:opening": "..***/.****/*****",
    "1x9n3#1": "....**.*.",
    "2x3n2#9223372036854775807:any": ".../**.",
    "6x9n14#42:no-guess": "....*...*/........*/....*..*./*.*..*.../.....*.*./**.*.*...",
    "6x9n14#40:no-guess": "......*../...*..***/.*.*.**../...**..../.*......./.....**..",
    "6x9n14#40:no-guess-clues": "..*....../....**.../..*....../..****..*/........*/**....**.",
}
"""Boards of a player who begins in the first corner. They must never change: ids are for keeps."""

PROGRAM = """
from gemhunter.board.grid import Cell
from gemhunter.files.minesweeper import mine_map
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import read_game_id
for name in ("9x9n10", "4x7n8", "3x5n12", "1x9n3"):
    for seed in (0, 1, 42, 2**32, 2**63 - 1):
        for rule in ("safe", "opening", "any"):
            game = read_game_id(f"{name}#{seed}:{rule}")
            for first in (Cell(0, 0), Cell(game.level.rows - 1, game.level.cols // 2)):
                print(mine_map(deal_board(game, first).traps))
"""


def near(level: Level, first: Cell) -> set[Cell]:
    """A cell and its neighbours."""
    rows = range(max(first.row - 1, 0), min(first.row + 2, level.rows))
    return {
        Cell(row, col) for row in rows for col in range(max(first.col - 1, 0), min(first.col + 2, level.cols))
    }


def traps_of(game: GameId, first: Cell) -> set[Cell]:
    return {Cell(*place) for place in np.argwhere(deal_board(game, first).traps).tolist()}


def order_of(rows: int, cols: int, seed: int) -> list[Cell]:
    """The order of the cells, read off boards with more and more traps."""
    order: list[Cell] = []
    for traps in range(1, rows * cols):
        game = GameId(Level(rows, cols, traps), seed, FirstClick.ANY)
        order += traps_of(game, Cell(0, 0)) - set(order)
    every = {Cell(row, col) for row in range(rows) for col in range(cols)}
    return order + list(every - set(order))


@pytest.mark.parametrize("game_id", GOLDEN)
def test_ids_mean_the_same_boards_forever(game_id: str) -> None:
    board = deal_board(read_game_id(game_id), Cell(0, 0))
    assert mine_map(board.traps).replace("\n", "/") == GOLDEN[game_id]


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (1, 9), (5, 2)])
@pytest.mark.parametrize("seed", [0, 7])
def test_traps_are_the_first_cells_of_an_order_that_the_seed_alone_decides(
    rows: int, cols: int, seed: int
) -> None:
    order = order_of(rows, cols, seed)
    for traps in range(rows * cols):
        level = Level(rows, cols, traps)
        for first in (Cell(0, 0), Cell(rows - 1, cols // 2), order[0], order[-1]):
            kept = {
                FirstClick.ANY: set[Cell](),
                FirstClick.SAFE: {first},
                FirstClick.OPENING: near(level, first),
            }
            for rule, free in kept.items():
                last = [first] if first in free else []
                ranked = [cell for cell in order if cell not in free]
                ranked += [cell for cell in order if cell in free and cell != first] + last
                assert traps_of(GameId(level, seed, rule), first) == set(ranked[:traps])


@pytest.mark.parametrize("level", [Level(4, 6, 5), Level(4, 6, 15), Level(1, 8, 5), Level(16, 30, 99)])
def test_the_first_cell_is_what_its_rule_promises(level: Level) -> None:
    for seed in range(150):
        first = Cell(seed % level.rows, seed % level.cols)
        assert first not in traps_of(GameId(level, seed), first)
        assert not traps_of(GameId(level, seed, FirstClick.OPENING), first) & near(level, first)


@pytest.mark.parametrize("traps", range(16, 24))
def test_an_opening_gives_way_cell_by_cell_where_traps_do_not_fit_elsewhere(traps: int) -> None:
    level, first = Level(4, 6, traps), Cell(1, 2)
    for seed in range(20):
        inside = traps_of(GameId(level, seed, FirstClick.OPENING), first) & near(level, first)
        assert first not in inside
        assert len(inside) == traps - 15


@pytest.mark.parametrize(
    ("rule", "level", "free"),
    [
        (FirstClick.ANY, Level(2, 3, 2), 0),
        (FirstClick.SAFE, Level(2, 3, 2), 1),
        (FirstClick.OPENING, Level(3, 4, 2), 4),
        (FirstClick.OPENING, Level(3, 4, 10), None),
    ],
)
def test_every_board_that_a_rule_allows_is_dealt_equally_often(
    rule: FirstClick, level: Level, free: int | None
) -> None:
    possible = 3 if free is None else comb(level.rows * level.cols - free, level.total)
    games = 200 * possible
    dealt = Counter(deal_board(GameId(level, seed, rule), Cell(0, 0)) for seed in range(games))
    assert len(dealt) == possible
    chi_square = sum((times - 200) ** 2 / 200 for times in dealt.values())
    # Its mean is possible - 1, its deviation √(2 possible): four of them away would be no chance.
    assert chi_square < possible + 4 * (2 * possible) ** 0.5


def test_seeds_that_follow_each_other_have_nothing_in_common() -> None:
    boards = [deal_board(GameId(Level(16, 30, 99), seed, FirstClick.ANY), Cell(0, 0)) for seed in range(300)]
    shared = [int((one.traps & other.traps).sum()) for one, other in pairwise(boards)]
    assert abs(np.mean(shared) - 99 * 99 / 480) < 4 * 3.6 / 299**0.5
    assert max(shared) < 40


def test_the_clues_of_the_kernel_are_those_of_the_board() -> None:
    from gemhunter.board.position import SAFE_CLICK
    from gemhunter.play.deal import deal

    for seed in range(20):
        codes = np.empty((5, 8), np.int8)
        deal(seed, SAFE_CLICK, 0, 11, codes)
        board = deal_board(GameId(Level(5, 8, 11), seed), Cell(0, 0))
        assert np.array_equal(codes, board.codes())
        assert np.count_nonzero(codes == TRAP) == 11


def test_games_are_the_same_compiled_or_not_and_in_every_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == output_either_way(PROGRAM)


@pytest.mark.parametrize(
    ("text", "game_id"),
    [
        ("16x30n99#42", "16x30n99#42"),
        (" Expert#42:opening ", "16x30n99#42:opening"),
        ("hard#042:safe", "16x30n99#42"),
        ("3×4n5#" + "0" * 40 + "7:any", "3x4n5#7:any"),
        ("medium#9223372036854775807", "16x16n25#9223372036854775807"),
    ],
)
def test_ids_are_read_as_people_write_them(text: str, game_id: str) -> None:
    assert str(read_game_id(text)) == game_id
    assert read_game_id(game_id) == read_game_id(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("expert", "'expert' is not a game id; expected LEVEL#SEED"),
        ("expert#", "is not a game id"),
        ("expert#-1", "is not a game id"),
        ("expert#٣", "is not a game id"),
        ("expert#9223372036854775808", "a seed must be a whole number from 0 to 9223372036854775807"),
        ("expert#" + "9" * 5000, "a seed must be a whole number from 0 to"),
        ("4x4#1", "'4x4' is not a size; expected ROWSxCOLSnTRAPS"),
        ("4x4n16#1", "a 4×4 game can have from 0 to 15 traps, not 16"),
        ("0x4n0#1", "a game has from 1 to"),
        ("9999x9999n1#1", "a game has from 1 to"),
    ],
)
def test_what_is_no_id_is_told(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        new_game(text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_colon_asks_for_a_rule() -> None:
    with pytest.raises(UnknownNameError, match="no first-click rule named ''"):
        read_game_id("expert#1:")


@pytest.mark.parametrize(("text", "nearest"), [("exprt#1", "expert"), ("expert#1:opning", "opening")])
def test_a_misspelt_name_is_an_error_with_the_nearest_name(text: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{nearest}'"):
        read_game_id(text)


def test_levels_have_the_sizes_of_their_games() -> None:
    assert {name: str(level) for name, level in LEVELS.items()} == {
        "beginner": "9x9n10",
        "intermediate": "16x16n40",
        "expert": "16x30n99",
        "easy": "9x9n10",
        "medium": "16x16n25",
        "hard": "16x30n99",
    }
    assert read_level("INTERMEDIATE") == read_level("16x16n40")
