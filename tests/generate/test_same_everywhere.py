"""A seed gives the same boards on every system and Python version: these have been pinned on one of them.

A digest may change only together with the generator, if that is meant to give other boards.
"""

from hashlib import sha256
from typing import Any

import pytest

from gemhunter.board.grid import Cell
from gemhunter.files.minesweeper import mine_map
from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, generate_puzzles
from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite

PUZZLES: list[tuple[dict[str, Any], str]] = [
    ({"rows": 9, "cols": 9}, "133382b157c08351"),
    ({"rows": 4, "cols": 9, "density": 0.35}, "d58bc2306ff9ab95"),
    ({"clues": 0.5}, "adadb195dbdd0aa4"),
    ({"given": 0.15}, "5fa16516db929f1a"),
    ({"difficulty": "easy"}, "a85d17abbd91baff"),
    ({"difficulty": "medium"}, "af74de9521adf857"),
    ({"difficulty": "hard"}, "5d6b0512db7e1ca6"),
    ({"difficulty": "expert"}, "9177893405f7ad2d"),
    ({"rule": "subset", "cols": 5}, "e43dff9d4bdaccc6"),
    ({"symmetry": "half-turn"}, "7b21da100b14e9ab"),
    ({"symmetry": "both"}, "5294c32808e11ae8"),
    ({"solutions": "many"}, "46783f5068263953"),
    ({"solutions": "none"}, "fa2af2e1f29e4e0c"),
]

GAMES: list[tuple[str, dict[str, Any], str]] = [
    ("9x9n10", {}, "d8637f95d4948c8f"),
    ("9x9n10", {"using": "clues"}, "e3c0a7e2dac13676"),
    ("6x11n16", {"first": Cell(0, 0)}, "e7160b5298693340"),
    ("1x12n4", {}, "3152f56a2844fcce"),
]


def digest(texts: list[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


def puzzle_text(made: GeneratedPuzzle | NotGenerated) -> str:
    assert isinstance(made, GeneratedPuzzle), made
    return f"{made.seed} {made.difficulty.word}\n{made.grid}\n{made.solution}"


@pytest.mark.parametrize(("wishes", "pinned"), PUZZLES)
def test_puzzles_of_a_seed_stay_what_they_are(wishes: dict[str, Any], pinned: str) -> None:
    wish = PuzzleWish(**({"rows": 6, "cols": 6} | wishes))
    assert digest([puzzle_text(made) for made in generate_puzzles(wish, seed=1, number=1)]) == pinned


@pytest.mark.parametrize(("level", "wishes", "pinned"), GAMES)
def test_games_of_a_seed_stay_what_they_are(level: str, wishes: dict[str, Any], pinned: str) -> None:
    games = generate_games(level, seed=2**40, number=3, **wishes)
    assert digest([f"{game.game_id}\n{mine_map(game.board.traps)}" for game in games]) == pinned


def test_suites_of_a_seed_stay_what_they_are() -> None:
    wish = SuiteWish(((3, 5), (5, 5)), (0.15, 0.3), ("easy", None), unsolvable=1)
    boards = [each for each in generate_suite(wish, seed=4) if isinstance(each, SuiteBoard)]
    texts = [f"{board.number}\n{puzzle_text(board.puzzle)}" for board in boards]
    assert (len(boards), digest(texts)) == (12, "b943eb46caa41e28")
