"""A guess beside the one that `expert` would make: exact near the end, by games on the same boards before."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import oracles
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import Action, Move, Status
from gemhunter.files.text import parse_grid
from gemhunter.play import advice as compared_guesses
from gemhunter.play.advice import (
    BY_ROLLOUTS,
    Advice,
    BestGuess,
    ComparedGuesses,
    SameGuess,
    advise,
    compare_guess,
    compared_advice,
    compared_words,
    game_hint,
    guess_words,
)
from gemhunter.play.game import View
from gemhunter.play.guessing.candidates import Candidate, analyse_position, win_chance_after
from gemhunter.play.guessing.rollouts import ROLLOUT_BATCH, Rollouts
from gemhunter.play.review import Guess, ReviewedMove, chance_to_survive, judge, look_again
from gemhunter.solving.run import Run
from gemhunter.work.confidence_intervals import Interval

Place = tuple[int, int]
Truth = frozenset[Place]

ENDS = [("1__\n___", 2), ("_2_\n___\n_2_", 4), ("__2\n___\n1__", 3)]
"""No cell is certain."""
OPEN = "\n".join(["1_______", *["________"] * 6])
"""Has too many boards for an exact end."""


def view_of(text: str, total: int) -> View:
    grid = parse_grid(text)
    return View(grid, np.zeros(grid.cells.shape, bool), total, Status.PLAYING)


def won_by_hand(text: str, total: int, first: Place) -> float:
    """The share of all boards that a perfect player wins who opens `first`; tries everything."""
    marks = oracles.marks_of(parse_grid(text))
    hidden = oracles.hidden_places(marks)
    truths = [
        frozenset(place for place, is_trap in zip(hidden, solution, strict=True) if is_trap)
        for solution in oracles.all_solutions(parse_grid(text), total)
    ]

    def after(truths: frozenset[Truth], opened: frozenset[Place], cell: Place) -> int:
        near = set(oracles.neighbours(marks, cell))
        shown: dict[int, set[Truth]] = {}
        for truth in truths:
            if cell not in truth:
                shown.setdefault(len(near & truth), set()).add(truth)
        return sum(won(frozenset(kept), opened | {cell}) for kept in shown.values())

    @cache
    def won(truths: frozenset[Truth], opened: frozenset[Place]) -> int:
        left = [place for place in hidden if place not in opened]
        if len(left) == total:
            return len(truths)
        return max(after(truths, opened, cell) for cell in left)

    return after(frozenset(truths), frozenset(), first) / len(truths)


@pytest.mark.parametrize(("text", "total"), ENDS)
def test_the_chance_after_a_cell_is_that_of_a_player_who_tries_everything(text: str, total: int) -> None:
    grid = parse_grid(text)
    worked = analyse_position(grid, total, 1.0)
    found = {cell: win_chance_after(worked, cell, Run()) for cell in grid.where(HIDDEN)}
    assert found == pytest.approx({cell: won_by_hand(text, total, cell) for cell in found})


def test_a_cell_that_shows_a_clue_has_no_such_chance() -> None:
    assert win_chance_after(analyse_position(parse_grid(ENDS[0][0]), 3, 1.0), Cell(0, 0), Run()) is None


@pytest.mark.parametrize(("text", "total"), ENDS)
def test_near_the_end_the_difference_is_exact(text: str, total: int) -> None:
    view = view_of(text, total)
    advised = advise(view)
    assert isinstance(advised, Advice)
    best = advised.best
    assert best is not None
    assert compare_guess(view, best, Run()) == SameGuess(best)
    for cell in view.grid.where(HIDDEN):
        if cell != best:
            found = compare_guess(view, Cell(*cell), Run())
            assert isinstance(found, ComparedGuesses)
            assert (found.better, found.other, found.boards, found.more.margin) == (best, cell, 0, 0.0)
            expected = won_by_hand(text, total, best) - won_by_hand(text, total, cell)
            assert found.more.value == pytest.approx(expected)
            assert found.more.value >= -1e-12


@pytest.fixture
def one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_guesses, "COMPARED_BOARDS", ROLLOUT_BATCH)


@pytest.mark.usefixtures("one_batch")
def test_before_that_both_are_played_on_on_the_same_boards() -> None:
    view = view_of(OPEN, 12)
    found = compare_guess(view, Cell(1, 1), Run())
    assert isinstance(found, ComparedGuesses)
    assert found.boards == ROLLOUT_BATCH
    assert Cell(1, 1) in (found.better, found.other)
    assert found.more.low < found.more.value < found.more.high
    assert found == compare_guess(view, Cell(1, 1), Run())


def test_without_time_or_room_there_is_no_comparison() -> None:
    assert compare_guess(view_of(OPEN, 12), Cell(1, 1), Run(cancel=lambda: True)) is None
    assert compare_guess(view_of("____\n____", 2), Cell(0, 0), Run()) is None
    assert (
        compare_guess(view_of("\n".join(["1" + "_" * 50, *["_" * 51] * 40]), 300), Cell(0, 1), Run()) is None
    )


CELLS = tuple(Cell(0, col) for col in range(3))
BEHIND = tuple(Interval(0.01 * i, 0.0, 0.02 * i) for i in range(3))


def thought_over(why: str, *candidates: Cell) -> Advice:
    """Advice with these candidates; in rollouts, the first of `CELLS` did best, and the last one worst."""
    found = Rollouts(CELLS, 50, BEHIND, BEHIND)
    weighed = tuple(Candidate(cell, 0.2) for cell in candidates)
    return Advice(weighed, why, (), (), (), None, 9, None, rollouts=found)


@pytest.mark.parametrize(("best", "other"), [(0, 1), (1, 1), (2, 2)])
def test_advice_is_put_beside_the_cell_that_did_best_apart_from_it(best: int, other: int) -> None:
    found = compared_advice(thought_over("a guess", CELLS[best]))
    assert found == ComparedGuesses(CELLS[0], CELLS[other], BEHIND[other], 50)


def test_advice_that_was_changed_is_put_beside_what_it_was() -> None:
    found = compared_advice(thought_over(BY_ROLLOUTS, CELLS[0], CELLS[2], CELLS[1]))
    assert found == ComparedGuesses(CELLS[0], CELLS[2], BEHIND[2], 50)


def test_advice_without_rollouts_is_compared_with_nothing() -> None:
    assert compared_advice(replace(thought_over("a guess", CELLS[0]), rollouts=None)) is None


@pytest.mark.parametrize(("chances", "better", "more"), [((0.2, 0.5), 1, 0.3), ((0.1 + 0.2, 0.3), 0, 0.0)])
def test_the_better_of_two_is_first_even_if_it_is_not_what_expert_plays(
    chances: tuple[float, float], better: int, more: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = view_of(*ENDS[0])
    advised = advise(view)
    assert isinstance(advised, Advice)
    best, other = advised.best, advised.candidates[1].cell
    rigged = {best: chances[0], other: chances[1]}
    monkeypatch.setattr(compared_guesses, "win_chance_after", lambda _, cell, __: rigged[cell])
    found = compare_guess(view, other, Run())
    assert isinstance(found, ComparedGuesses)
    assert found.better == (best, other)[better]
    assert found.more.value == pytest.approx(more)
    assert found.is_clear == (more > 0)


@pytest.mark.parametrize(
    ("more", "boards", "words"),
    [
        (
            (0.018, 0.012, 0.024),
            5000,
            "1.8 ±0.6 points more often than r1c2 in games on the same 5,000 boards",
        ),
        ((0.018, -0.012, 0.048), 50, "r1c2 in games on the same 50 boards: too close to call"),
        ((0.25, 0.25, 0.25), 0, "r1c1 wins 25.0 points more often than r1c2, exactly"),
        ((0.0, 0.0, 0.0), 0, "r1c1 and r1c2 win equally often"),
    ],
)
def test_a_comparison_in_words(more: tuple[float, float, float], boards: int, words: str) -> None:
    found = ComparedGuesses(Cell(0, 0), Cell(0, 1), Interval(*more), boards)
    assert compared_words(found).endswith(words)


def test_a_guess_that_expert_would_make_is_praised() -> None:
    assert compared_words(SameGuess(Cell(0, 0))) == "`expert` would have opened r1c1 too"


def test_a_hint_that_was_thought_over_says_what_was_found() -> None:
    view = view_of(OPEN, 12)
    quick, thought = game_hint(view, Cell(0, 0)), game_hint(view, Cell(0, 0), think=0.01)
    assert isinstance(quick, BestGuess)
    assert isinstance(thought, BestGuess)
    assert quick.is_comparable
    assert quick.compared is None
    assert thought.compared is not None
    assert thought.cell in (thought.compared.better, thought.compared.other)
    assert guess_words(thought).endswith(compared_words(thought.compared))


@pytest.mark.parametrize(("text", "total"), [ENDS[0], ("____\n____", 3)])
def test_a_hint_near_the_end_or_to_the_first_move_promises_no_comparison(text: str, total: int) -> None:
    found = game_hint(view_of(text, total), Cell(0, 0))
    assert isinstance(found, BestGuess)
    assert not found.is_comparable


def test_a_second_look_has_the_chance_before_a_guess_and_a_comparison() -> None:
    view, move = view_of(*ENDS[0]), Move(Action.REVEAL, Cell(1, 2))
    reviewed = ReviewedMove(1, move, view, judge(view, move))
    assert isinstance(reviewed.judgement, Guess)
    look = look_again(reviewed, Run())
    assert look.win_chance is not None
    assert look.comparison == compare_guess(view, Cell(1, 2), Run())
    assert chance_to_survive([reviewed, reviewed]) == pytest.approx((1 - reviewed.risk) ** 2)


def test_a_chord_that_opens_several_cells_is_not_compared_with_one() -> None:
    view = view_of("1_\n__", 1)
    flagged = View(view.grid, np.array([[False, True], [False, False]]), 1, Status.PLAYING)
    move = Move(Action.CHORD, Cell(0, 0))
    look = look_again(ReviewedMove(2, move, flagged, judge(flagged, move)), Run())
    assert look.win_chance is not None
    assert look.comparison is None
