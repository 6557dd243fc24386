"""The review of a whole game: every move that revealed something, judged by what was known before it."""

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.files.dialects import read_moves
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import new_game, play_moves
from gemhunter.play.review import Guess, NeedlessRisk, ProvenSafe, ProvenTrap, review_moves

BOARD = Board(parse_mines("....\n...*\n*..."))


def reviewed(*moves: str) -> list[tuple[int, type, float]]:
    game = play_moves(new_game(BOARD), read_moves(moves))
    return [(each.number, type(each.judgement), round(each.risk, 6)) for each in review_moves(game)]


def test_a_first_click_that_the_rule_makes_safe_is_left_out() -> None:
    game = new_game("5x6n5#3").reveal(Cell(0, 0))
    assert list(review_moves(game)) == []


def test_without_such_a_rule_the_first_click_is_a_guess() -> None:
    assert reviewed("r1c1") == [(1, Guess, 0.166667)]


def test_flags_are_counted_as_moves_but_not_judged() -> None:
    found = reviewed("r1c1", "flag r3c1", "r1c4")
    assert [number for number, _, _ in found] == [1, 3]


def test_a_trap_that_the_clues_showed_is_a_certain_loss() -> None:
    found = reviewed("r1c1", "r3c1")
    assert found[-1] == (2, ProvenTrap, 1.0)


def test_a_safe_move_risks_nothing_and_a_needless_one_what_it_risks() -> None:
    kinds = {kind: risk for _, kind, risk in reviewed("r1c1", "r1c4")}
    assert set(kinds) <= {Guess, ProvenSafe, NeedlessRisk}
    assert kinds.get(ProvenSafe, 0.0) == 0.0
