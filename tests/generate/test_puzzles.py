"""Puzzles to order: one solution, no clue too many, as hard and as symmetric as wished."""

import re
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
import pytest

import oracles
from clue_judge import ClueJudge
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.explanation.explain import explain
from gemhunter.generate.puzzles import (
    DIFFICULTIES,
    GeneratedPuzzle,
    NotGenerated,
    PuzzleWish,
    generate_puzzle,
    generate_puzzles,
)
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Limits
from gemhunter.work.pieces import Watch


def made(rows: int = 5, cols: int = 7, seed: int = 0, **wishes: Any) -> GeneratedPuzzle:
    found = generate_puzzle(PuzzleWish(rows, cols, **wishes), seed=seed)
    assert isinstance(found, GeneratedPuzzle), found
    return found


def has_one_solution(grid: Grid) -> bool:
    with ClueJudge(grid, None) as judge:
        return judge.can_hold(judge.clues, with_total=False) and not judge.undecided(
            judge.hidden, with_total=False
        )


def without_clue(grid: Grid, index: int) -> Grid:
    codes = grid.cells.copy()
    codes.flat[index] = HIDDEN
    return Grid(codes)


def clue_indices(grid: Grid) -> list[int]:
    indices: list[int] = np.flatnonzero(grid.cells >= 0).tolist()
    return indices


@pytest.mark.parametrize("seed", range(4))
def test_a_puzzle_has_one_solution_and_no_clue_too_many(seed: int) -> None:
    found = made(seed=seed)
    assert has_one_solution(found.grid)
    assert not any(has_one_solution(without_clue(found.grid, clue)) for clue in clue_indices(found.grid))


def test_the_solution_of_a_puzzle_is_its_solution() -> None:
    found = made(6, 4, seed=3)
    marks = oracles.marks_of(found.grid)
    traps = tuple(found.solution[place] == TRAP for place in oracles.hidden_places(marks))
    assert oracles.is_solution(marks, traps)
    assert np.count_nonzero(found.solution.cells == TRAP) == round(0.2 * 24)


@pytest.mark.parametrize("word", DIFFICULTIES)
def test_a_puzzle_is_as_hard_as_wished(word: str) -> None:
    found = made(6, 6, seed=1, difficulty=word)
    assert explain(found.grid).difficulty == found.difficulty
    assert found.difficulty.word == word
    assert has_one_solution(found.grid)


def test_a_rule_that_is_asked_for_is_the_hardest_one_needed() -> None:
    found = made(6, 6, seed=2, rule="several-clues")
    assert explain(found.grid).difficulty.rule == found.difficulty.rule == "several-clues"


def test_an_easy_puzzle_has_no_clue_too_many_to_be_easy() -> None:
    found = made(4, 5, seed=1, difficulty="easy")
    for clue in clue_indices(found.grid):
        assert explain(without_clue(found.grid, clue)).difficulty.word != "easy"


@pytest.mark.parametrize(
    ("symmetry", "turned"),
    [
        ("half-turn", lambda shown: shown[::-1, ::-1]),
        ("left-right", lambda shown: shown[:, ::-1]),
        ("top-bottom", lambda shown: shown[::-1]),
        ("both", lambda shown: shown[::-1]),
    ],
)
@pytest.mark.parametrize("solutions", ["one", "many", "none"])
def test_clues_are_arranged_as_wished(symmetry: str, turned: Any, solutions: str) -> None:
    found = made(6, 7, seed=1, symmetry=symmetry, solutions=solutions)
    shown = found.grid.cells >= 0
    assert np.array_equal(shown, turned(shown))
    assert has_one_solution(found.grid) is (solutions == "one")


def test_a_share_of_clues_is_met_exactly() -> None:
    found = made(6, 5, seed=1, clues=0.6)
    assert len(clue_indices(found.grid)) == 18
    assert has_one_solution(found.grid)


def test_given_cells_are_shown_without_a_clue_and_right() -> None:
    found = made(6, 5, seed=1, given=0.2)
    given = np.isin(found.grid.cells, (TRAP, GEM))
    assert np.count_nonzero(given) == 6
    assert np.array_equal(found.grid.cells[given], found.solution.cells[given])
    assert has_one_solution(found.grid)


def test_a_notebook_shows_a_puzzle_without_its_solution() -> None:
    puzzle = made(3, 4)
    assert puzzle._repr_svg_() == puzzle.grid._repr_svg_()


def test_many_solutions_are_more_than_one() -> None:
    found = made(4, 5, seed=2, solutions="many")
    assert len(oracles.all_solutions(found.grid)) > 1
    assert found.difficulty.word == "needs a guess"


def test_a_puzzle_without_a_solution_differs_in_one_clue_and_names_its_conflict() -> None:
    found = made(5, 5, seed=2, solutions="none")
    changed = np.flatnonzero((found.grid.cells >= 0) & (found.grid.cells != found.solution.cells))
    assert changed.size == 1
    with ClueJudge(found.grid, None) as judge:
        assert not judge.can_hold(found.conflict, with_total=False)
        for clue in found.conflict:
            assert judge.can_hold([other for other in found.conflict if other != clue], with_total=False)


def test_a_seed_gives_the_same_puzzle_again_and_another_one_another() -> None:
    wish = PuzzleWish(5, 5)
    first = [
        each.grid for each in generate_puzzles(wish, seed=7, number=3) if isinstance(each, GeneratedPuzzle)
    ]
    again = [
        each.grid for each in islice(generate_puzzles(wish, seed=7), 3) if isinstance(each, GeneratedPuzzle)
    ]
    assert first == again
    assert len(set(first)) == 3


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"density": 1.0}, "leaves none of the"),
        ({"density": 1.5}, "a number from 0 to 1"),
        ({"clues": float("nan")}, "a number from 0 to 1"),
        ({"rows": 0}, "number of rows"),
        ({"rows": 1, "cols": 1, "density": 0.6}, "leaves none of the 1 cells for a clue"),
        ({"clues": 0.9}, "leaves 20 of 25 cells for clues, not 22"),
        ({"rows": 10**6, "cols": 10**6}, "at most 250,000 cells"),
        ({"solutions": "many", "difficulty": "easy"}, "puzzles with one solution"),
        ({"rule": "total"}, "have no total"),
        ({"rule": "what-if", "difficulty": "easy"}, "is not easy"),
    ],
)
def test_impossible_wishes_are_refused(wishes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        PuzzleWish(**({"rows": 5, "cols": 5} | wishes))


def test_unknown_names_get_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="medium"):
        PuzzleWish(5, 5, difficulty="mediun")


def test_a_wish_that_no_board_fulfils_says_what_was_reached() -> None:
    found = generate_puzzle(PuzzleWish(2, 2, density=0.25, difficulty="expert"), seed=1)
    assert isinstance(found, NotGenerated)
    assert "not expert, in 200 attempts" in found.reason
    assert found.nearest is not None


def test_given_cells_that_leave_no_room_for_the_clues_are_reported() -> None:
    found = generate_puzzle(PuzzleWish(3, 4, clues=0.7, given=0.5), seed=1)
    assert isinstance(found, NotGenerated)
    assert re.search(r"has room for \d clues, not 8, in 200 attempts", found.reason)


def test_the_smallest_board_is_a_puzzle() -> None:
    assert str(made(1, 1).grid) == "0"


def test_a_limit_stops_the_work_and_says_so() -> None:
    stopped = generate_puzzle(PuzzleWish(6, 6), seed=0, step_limit=5)
    assert isinstance(stopped, NotGenerated)
    assert stopped.stop_reason is StopReason.STEPS


def test_a_limit_costs_one_puzzle_and_the_stream_goes_on() -> None:
    found = list(generate_puzzles(PuzzleWish(6, 6), number=40, step_limit=60))
    assert len(found) == 40
    assert {type(each) for each in found} == {GeneratedPuzzle, NotGenerated}
    assert [each.seed for each in found] == list(range(40))


def test_limits_in_their_old_form_are_still_accepted() -> None:
    wish = PuzzleWish(6, 6)
    old = generate_puzzles(wish, number=9, limits=Limits(steps=60))
    new = generate_puzzles(wish, number=9, step_limit=60)
    assert list(map(type, old)) == list(map(type, new))
    with pytest.raises(InputError, match=r"give limits as time_limit= and step_limit=, without limits="):
        generate_puzzles(wish, number=9, time_limit=1, limits=Limits(steps=60))


def test_a_cancelled_stream_ends_without_the_puzzle_that_was_cut_short() -> None:
    answers = chain(repeat(False, 200), repeat(True))
    watch = Watch(cancel=lambda: next(answers))
    found = list(generate_puzzles(PuzzleWish(6, 6), watch=watch))
    assert found
    assert all(isinstance(each, GeneratedPuzzle) for each in found)
