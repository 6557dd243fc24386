"""What is known of a position, the hint it leads to, and the judgement of a move."""

import numpy as np
import pytest
from hypothesis import assume, given

import oracles
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.board.position import Action, Move, Status
from gemhunter.errors import InputError
from gemhunter.explanation.hint import HintLadder
from gemhunter.files.text import parse_grid
from gemhunter.play.advice import BestGuess, GameHint, NoHint, advise, best_guess, game_hint
from gemhunter.play.game import View
from gemhunter.play.review import Guess, Judgement, NeedlessRisk, ProvenSafe, ProvenTrap, Unjudged, judge
from gemhunter.play.risks import risks_of_view
from gemhunter.solving.run import Limits, Run
from strategies import Planted, planted_boards

A_GUESS = "_, 1, _"
A_BETTER_GUESS = "_, 1, _, _, _, _, _, _"
A_GEM_BESIDE_A_GUESS = "_, 1, _, _, _, 0"
GAP = "step limit reached (up to 2^1 states at once)"


def view_of(text: str, total: int, *flags: Cell) -> View:
    grid = parse_grid(text)
    flagged = np.zeros(grid.cells.shape, bool)
    for cell in flags:
        flagged[cell] = True
    return View(grid, flagged, total, Status.PLAYING)


def reveal(col: int) -> Move:
    """Reveal a cell of the first row, counted from 1."""
    return Move(Action.REVEAL, Cell(0, col - 1))


def at(col: int) -> Cell:
    return Cell(0, col - 1)


def proven_trap(judged: Judgement) -> tuple[Cell, list[str]]:
    """The cell, and the sentences that show it to be a trap."""
    assert isinstance(judged, ProvenTrap)
    return judged.cell, [step.sentence for step in judged.steps]


def needless_risk(judged: Judgement) -> tuple[Cell, float, Cell, str]:
    """The cell, its risk, the safe cell, and the deduction that was missed."""
    assert isinstance(judged, NeedlessRisk)
    assert judged.missed is not None
    return judged.cell, judged.risk, judged.safe, judged.missed.sentence


def test_a_cell_that_the_clues_show_to_be_a_trap_was_no_guess() -> None:
    assert proven_trap(judge(view_of("1, _", 1), reveal(2))) == (
        at(2),
        ["The 1 at r1c1 needs one trap, and r1c2 is its only hidden neighbour, so r1c2 is a trap."],
    )


def test_a_trap_that_takes_several_steps_is_shown_by_those_it_needs() -> None:
    judged = judge(view_of("0, _, 1, _", 1), reveal(4))
    assert proven_trap(judged) == (
        at(4),
        [
            "The 0 at r1c1 has no trap around it, so r1c2 is a gem.",
            "The 1 at r1c3 needs one trap, and r1c4 is its only hidden neighbour, so r1c4 is a trap.",
        ],
    )


def test_the_number_of_traps_counts_as_known() -> None:
    cell, sentences = proven_trap(judge(view_of("_, 2, _, _", 3), reveal(4)))
    assert cell == at(4)
    assert sentences[-1].startswith("Only three hidden cells are left for the last three traps, so r1c1")


IT_IS_A_GEM = "The 0 at r1c6 has no trap around it, so r1c5 is a gem."


@pytest.mark.parametrize("flags", [[], [at(5)]])
def test_a_risk_is_needless_while_another_cell_is_safe_even_under_a_wrong_flag(flags: list[Cell]) -> None:
    judged = judge(view_of(A_GEM_BESIDE_A_GUESS, 2, *flags), reveal(1))
    assert needless_risk(judged) == (at(1), 0.5, at(5), IT_IS_A_GEM)


def test_what_was_missed_is_a_deduction_of_a_gem_even_if_traps_are_easier() -> None:
    judged = judge(view_of("_, 1, _, _, 1, _, 1", 2), reveal(1))
    assert needless_risk(judged) == (
        at(1),
        0.5,
        at(4),
        "The 1 at r1c5 already has its trap, so r1c4 is a gem.",
    )


def test_a_guess_is_fair_if_no_cell_is_safer() -> None:
    judged = judge(view_of(A_GUESS, 1), reveal(3))
    assert judged == Guess(at(3), 0.5, at(3), 0.5)
    assert isinstance(judged, Guess)
    assert judged.is_safest


def test_a_guess_is_compared_with_a_better_one() -> None:
    judged = judge(view_of(A_BETTER_GUESS, 2), reveal(1))
    assert isinstance(judged, Guess)
    assert (judged.risk, judged.safest) == (0.5, at(4))
    assert judged.least == pytest.approx(0.2)
    assert not judged.is_safest


def test_a_safe_cell_is_proven_safe() -> None:
    assert judge(view_of(A_GEM_BESIDE_A_GUESS, 2), reveal(5)) == ProvenSafe(at(5))


def test_a_first_move_into_the_dark_is_a_fair_guess() -> None:
    judged = judge(view_of("_, _, _\n_, _, _", 2), reveal(2))
    assert isinstance(judged, Guess)
    assert judged.risk == pytest.approx(1 / 3)
    assert judged.is_safest


def test_a_chord_is_judged_by_the_riskiest_cell_that_it_reveals() -> None:
    # The flag stands on a gem, so the chord reveals the trap, and after it a gem.
    view = view_of("_, 1, 0\n_, 1, 0\n_, 0, 0", 1, Cell(1, 0))
    cell, _ = proven_trap(judge(view, Move(Action.CHORD, Cell(1, 1))))
    assert cell == Cell(0, 0)


def test_flagged_cells_are_not_revealed_by_a_chord() -> None:
    assert judge(view_of(A_GUESS, 1, at(1)), Move(Action.CHORD, at(2))) == Guess(at(3), 0.5, at(3), 0.5)


@pytest.mark.parametrize(
    "move", [Move(Action.FLAG, at(1)), Move(Action.REVEAL, at(2)), Move(Action.CHORD, at(2))]
)
def test_a_move_that_reveals_nothing_is_not_judged(move: Move) -> None:
    with pytest.raises(InputError, match="reveals nothing"):
        judge(view_of(A_GUESS, 1, at(1), at(3)), move)


def without_patience() -> Run:
    """A run in which exact answers give up at once."""
    return Run(Limits(steps=1))


def test_where_exact_answers_give_up_the_clues_still_decide() -> None:
    known = risks_of_view(view_of(A_GEM_BESIDE_A_GUESS, 2), without_patience())
    assert known.gems() == [at(5)]
    assert known.gap == GAP
    assert known.safest() == []


def test_without_exact_answers_a_cell_beside_a_gem_is_not_called_needless() -> None:
    judged = judge(view_of(A_GEM_BESIDE_A_GUESS, 2), reveal(1), without_patience())
    assert judged == Unjudged(at(1), GAP)


def test_without_exact_answers_a_guess_is_not_judged() -> None:
    judged = judge(view_of(A_BETTER_GUESS, 2), reveal(1), without_patience())
    assert judged == Unjudged(at(1), GAP)


@given(planted_boards(rows=3, cols=4))
def test_what_is_known_is_what_all_solutions_say(planted: Planted) -> None:
    grid = Grid(np.where(planted.grid.cells < HIDDEN, HIDDEN, planted.grid.cells))
    assume(planted.traps is not None)
    chances = oracles.marginals(grid, planted.traps) or []
    known = risks_of_view(View(grid, np.zeros(grid.cells.shape, bool), planted.traps or 0, Status.PLAYING))
    cells = [Cell(*place) for place in oracles.hidden_places(oracles.marks_of(grid))]
    assert known.gems() == [cell for cell, chance in zip(cells, chances, strict=True) if chance == 0]
    assert known.traps() == [cell for cell, chance in zip(cells, chances, strict=True) if chance == 1]
    assert [known.risk(cell) for cell in cells] == pytest.approx([float(chance) for chance in chances])


def rungs_of(found: GameHint) -> tuple[str, ...]:
    assert isinstance(found, HintLadder)
    return found.rungs


def test_a_hint_leads_to_the_easiest_deduction() -> None:
    found = game_hint(view_of(A_GEM_BESIDE_A_GUESS, 2), at(1))
    assert rungs_of(found)[:4] == (
        "The next step decides 1 cell, by a single clue.",
        "Look at row 1 and column 6.",
        "Look at the 0 at r1c6.",
        IT_IS_A_GEM,
    )


def test_of_several_deductions_the_nearest_is_hinted_at() -> None:
    found = game_hint(view_of("_, 0, _, 1, _, 1, _, _, 0, _", 1), at(10))
    assert rungs_of(found)[3] == "The 0 at r1c9 has no trap around it, so r1c8 and r1c10 are gems."


def test_a_trap_is_hinted_at_until_it_has_a_flag() -> None:
    view = view_of("_, 1, _, _, 1", 2)
    assert rungs_of(game_hint(view, at(1)))[3].endswith("so r1c4 is a trap.")
    assert game_hint(view_of("_, 1, _, _, 1", 2, at(4)), at(1)) == BestGuess(at(1), 0.5, 0.5)


def test_without_certainty_the_best_guess_is_hinted_at_with_its_risk() -> None:
    found = game_hint(view_of(A_BETTER_GUESS, 2), at(1))
    assert isinstance(found, BestGuess)
    assert found.cell == at(4)
    assert found.risk == pytest.approx(0.2)


def test_without_exact_answers_there_may_be_no_hint() -> None:
    view = view_of(A_BETTER_GUESS, 2)
    assert best_guess(view, advise(view, run=without_patience())) == NoHint(GAP)


def test_where_traps_are_all_that_is_hidden_there_is_no_hint() -> None:
    assert game_hint(view_of("1, _", 1, at(2)), at(1)) == NoHint("every hidden cell is a trap")
