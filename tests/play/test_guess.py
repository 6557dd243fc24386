"""Which cell players guess, on positions made by hand, and what they say about it."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from compiled import needs_compiler
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.board.position import Status
from gemhunter.counting.propagate import index_with_margins
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import View, new_game
from gemhunter.play.guessing.choose import (
    EXACT_SOLUTIONS,
    GEMS_WEIGHT,
    LOOK_AHEAD_SIZE,
    SAFETY_TOLERANCE,
    SECOND_WEIGHT,
    look_ahead,
    worth,
)
from gemhunter.play.notes import blank_notes, read_grid
from gemhunter.play.player import WHY, Choice, Stuck, play_game
from gemhunter.play.risks import BY_TOTAL, log_factorials, weigh_in_play
from gemhunter.questions.count import count
from gemhunter.questions.probability import Probabilities, probabilities
from random_positions import TRAPPED, most_won, random_positions, shown_by_solutions, won_after
from standoff_oracle import shares_of
from strategies import grid_of

AT_A_CLUE, ELSEWHERE, FIFTY_FIFTY, END_GAME = WHY[2:6]


def view_of(rows: str, total: int) -> View:
    """A position in play; rows are divided by `/`."""
    grid = grid_of([list(row) for row in rows.split("/")])
    return in_play(grid, total)


def in_play(grid: Grid, total: int) -> View:
    return View(grid, np.zeros(grid.cells.shape, bool), total, Status.PLAYING)


@cache
def guesses_in_games() -> list[tuple[View, Choice]]:
    """All guesses but the first in some games of `expert`."""
    found = []
    for seed in range(25):
        game = new_game(f"12x22n55#{seed}")
        for turn in play_game(game, new_player("expert", seed=seed)):
            if turn.is_guess and not game.view.is_fresh and isinstance(turn.choice, Choice):
                found.append((game.view, turn.choice))
            game = turn.game
    return found


def guesses_of_the_expert(*reasons: str) -> list[tuple[View, Choice]]:
    """Those of them that were made for such a reason."""
    return [(view, choice) for view, choice in guesses_in_games() if choice.why in reasons]


def chosen(agent: str, view: View) -> Choice:
    choice = new_player(agent, seed=3).choose(view)
    assert isinstance(choice, Choice)
    return choice


def worth_of(view: View, cell: Cell, risk: float = 0.0, share: float = 0.0) -> float:
    """What revealing a cell is worth, with such a risk and share in standoffs."""
    notes = read_grid(view.grid.cells.copy())
    logs = log_factorials(view.grid.cells.size)
    w = weigh_in_play(notes.board, view.total, BY_TOTAL, True, logs)
    index = index_with_margins(notes.board, cell.row * view.grid.cols + cell.col)
    seen = np.empty(LOOK_AHEAD_SIZE)
    scratch = blank_notes(view.grid.rows, view.grid.cols)
    look_ahead(notes, scratch, w, index, view.total, logs, 1.0 - risk, -np.inf, seen)
    return float(worth(seen, 1.0 - risk, share))


def plain_worth(shows: NDArray[np.uint8], cell: int) -> float:
    """How likely a cell and the move after it are safe, over all solutions."""
    value = 0.0
    clues = set(shows[:, cell].tolist()) - {TRAPPED}
    for clue in clues:
        left = shows[shows[:, cell] == clue]
        others = np.delete(left, cell, axis=1) == TRAPPED
        is_won = others.all(axis=0).all() or others.shape[1] == 0
        least, second = sorted([*others.mean(axis=0), 1.0, 1.0])[:2]
        follow = 1.0 if is_won or least == 0 else 1.0 - least - SECOND_WEIGHT * (second - least)
        value += len(left) / len(shows) * follow
    return value if len(clues) > 1 else -1.0


def test_a_guess_is_worth_as_much_as_it_and_the_next_move_are_safe() -> None:
    dead = 0
    for grid, total in random_positions(13, 150, most_hidden=10):
        shows, view = shown_by_solutions(grid, total), in_play(grid, total)
        hidden = [Cell(*cell) for cell in np.argwhere(grid.cells == HIDDEN).tolist()]
        if (shows == TRAPPED).any(axis=0).all() and not (shows == TRAPPED).all(axis=0).any():
            for i, cell in enumerate(hidden):
                plain = plain_worth(shows, i)
                assert -1e-9 <= worth_of(view, cell) - plain <= GEMS_WEIGHT * np.log(1.0 + len(hidden))
                dead += plain == -1.0
    assert dead > 0


def test_a_cell_that_shows_more_is_worth_a_little_more_risk() -> None:
    # The last column is a trap every other time, the other cells two times of five.
    view = view_of("____/_2__", 3)
    assert chosen("fast", view).risk == pytest.approx(0.4)
    choice = chosen("expert", view)
    assert choice.safe[0].col == 3
    assert choice.risk == pytest.approx(0.5)
    assert choice.why == END_GAME


@needs_compiler
def test_looking_ahead_prefers_a_cell_that_shows_more_to_the_safest() -> None:
    riskier, for_standoffs = 0, 0
    for view, ahead in guesses_of_the_expert(AT_A_CLUE, ELSEWHERE):
        safe, shares = chosen("fast", view), shares_of(view.grid, view.total)
        enough = (1.0 - safe.risk) * (1.0 - SAFETY_TOLERANCE) - 1e-9
        assert safe.risk - 1e-9 <= ahead.risk
        assert 1.0 - ahead.risk + shares[ahead.safe[0]] >= enough
        if ahead.risk > safe.risk + 1e-6:
            riskier += 1
            for_standoffs += 1.0 - ahead.risk < enough
            best, other = (
                worth_of(view, choice.safe[0], choice.risk, shares[choice.safe[0]])
                for choice in (ahead, safe)
            )
            assert best > other - 1e-9
    assert riskier > 2
    assert for_standoffs > 0


@needs_compiler
def test_a_fifty_fifty_is_taken_at_once_and_called_by_its_name() -> None:
    assert chosen("expert", view_of("_1_", 1)) == Choice((Cell(0, 0),), (), 0.5, FIFTY_FIFTY)
    early = 0
    for view, choice in guesses_of_the_expert(FIFTY_FIFTY):
        assert choice.risk == pytest.approx(0.5)
        solutions = count(view.grid, total=view.total)
        assert isinstance(solutions, int)
        early += solutions > EXACT_SOLUTIONS
    assert early > 0


def test_words_say_where_the_guess_is() -> None:
    assert chosen("fast", view_of("_4_____/_______/_______", 6)).why == ELSEWHERE
    assert chosen("fast", view_of("_1_____/_______/_______", 9)).why == AT_A_CLUE
    assert chosen("logic+random", view_of("_1_____/_______", 4)).why == "a guess at random"


def test_an_agent_that_does_not_guess_names_the_remaining_traps() -> None:
    stuck = new_player("logic").choose(view_of("3_____/______", 5))
    assert isinstance(stuck, Stuck)
    assert stuck.traps == (Cell(0, 1), Cell(1, 0), Cell(1, 1))
    assert "does not guess" in stuck.why


@pytest.mark.parametrize("seed", range(3))
def test_the_end_of_a_game_is_played_as_well_as_can_be(seed: int) -> None:
    for grid, total in random_positions(seed + 20, 80, most_hidden=8):
        view = in_play(grid, total)
        choice, shows = chosen("expert", view), shown_by_solutions(grid, total)
        hidden = [tuple(cell) for cell in np.argwhere(grid.cells < 0).tolist()]
        if choice.risk > 0 and len(shows) <= 24:
            assert won_after(shows, hidden.index(tuple(choice.safe[0]))) == most_won(shows)
            assert choice.why in (FIFTY_FIFTY, END_GAME)


@pytest.mark.parametrize("agent", ["logic+random", "fast", "expert"])
def test_the_risk_of_a_choice_is_exact(agent: str) -> None:
    guesses = 0
    for grid, total in random_positions(31, 120, rows=6, cols=8, most_hidden=30):
        choice = chosen(agent, in_play(grid, total))
        exact = probabilities(grid, total=total)
        assert isinstance(exact, Probabilities)
        assert choice.risk == pytest.approx(exact[choice.safe[0]], abs=1e-9)
        guesses += choice.risk > 0
        if agent == "fast":
            assert choice.risk == pytest.approx(float(np.nanmin(exact.values)), abs=1e-9)
    assert guesses > 10
