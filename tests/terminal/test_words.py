"""What the screen says, how a session is kept, and signs: without a screen."""

from dataclasses import replace

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move, Status
from gemhunter.explanation.hint import HintLadder
from gemhunter.explanation.rules import WHAT_IF
from gemhunter.explanation.steps import ExplanationStep, Thought
from gemhunter.files.text import parse_grid
from gemhunter.play.advice import BestGuess, NoHint, guess_words
from gemhunter.play.game import new_game
from gemhunter.play.player import Choice, Stuck, choice_words
from gemhunter.play.review import NeedlessRisk, ProvenSafe, ProvenTrap, Unjudged, judgement_words
from gemhunter.play.risks import Risks, percent
from gemhunter.terminal.board_widget import ASCII, UNICODE, GamePicture, risk_sign
from gemhunter.terminal.messages import ShownHintLadder, clock, ending_words, hint_ladder_words, refusal_words
from gemhunter.terminal.session import PACES, Aid, Pace, PlaySession, Stopwatch, begin_session
from table import mines

FIRST, SECOND = Cell(0, 0), Cell(0, 1)


@pytest.mark.parametrize(
    ("risk", "text"),
    [(0.0, "0 %"), (1.0, "100 %"), (1e-9, "0.1 %"), (1 - 1e-9, "99.9 %"), (0.206, "20.6 %")],
)
def test_only_certain_risks_are_0_or_100(risk: float, text: str) -> None:
    assert percent(risk) == text


@pytest.mark.parametrize(
    ("risk", "text"), [(0.0, "ok"), (1.0, "!!"), (1e-9, "01"), (1 - 1e-9, "99"), (0.05, "05"), (np.nan, "--")]
)
def test_risks_on_the_board_have_two_columns(risk: float, text: str) -> None:
    assert risk_sign(risk, 3)[0] == text


def test_hours_are_minutes() -> None:
    assert [clock(0), clock(59.9), clock(3661)] == ["0:00", "0:59", "61:01"]


def test_hints_without_a_deduction_say_what_is_known() -> None:
    assert guess_words(BestGuess(FIRST, 0.0, None)) == "r1c1 is safe, but no explanation was found in time"
    assert guess_words(BestGuess(FIRST, 0.25, None)).endswith("the best guess is r1c1, with a risk of 25.0 %")
    assert guess_words(NoHint("too many states")) == "no hint: too many states"


def test_a_conclusion_that_needs_a_line_of_thought_shows_it() -> None:
    thoughts = (Thought(0, "Suppose that r1c1 is a gem."), Thought(1, "The 1 at r1c2 cannot hold."))
    step = ExplanationStep(WHAT_IF, (SECOND,), False, (FIRST,), (), "r1c1 is a trap.", thoughts)
    ladder = HintLadder(step, ("What if?", "Look there.", "Look here.", step.sentence), parse_grid("T, 1"))
    assert hint_ladder_words(ShownHintLadder(ladder)) == "What if? (? says more)"
    assert hint_ladder_words(ShownHintLadder(ladder, 2)) == "What if? Look there. (? says more)"
    assert hint_ladder_words(ShownHintLadder(ladder, 4)) == (
        "r1c1 is a trap.\nSuppose that r1c1 is a gem.\n  The 1 at r1c2 cannot hold."
    )


def test_of_a_long_proof_the_verdict_gives_the_last_step() -> None:
    steps = [ExplanationStep(WHAT_IF, (), True, (FIRST,), (), f"Sentence {n}.") for n in (1, 2)]
    begin = "the clues showed it: r1c1 was certainly a trap"
    assert judgement_words(ProvenTrap(FIRST)) == begin
    assert judgement_words(ProvenTrap(FIRST, (steps[0],))) == f"{begin}. Sentence 1."
    assert (
        judgement_words(ProvenTrap(FIRST, (*steps,))) == f"{begin}. That takes 2 steps; the last: Sentence 2."
    )


def test_judgements_without_exact_risks_say_so() -> None:
    assert judgement_words(NeedlessRisk(FIRST, 0.25, SECOND)) == (
        "a needless risk: r1c1 had a risk of 25.0 %, but r1c2 was certainly safe"
    )
    said = judgement_words(Unjudged(FIRST, "too many states"))
    assert said == "it is not known whether it was a fair guess: too many states"
    assert "certainly safe" in judgement_words(ProvenSafe(FIRST))


def test_of_many_cells_that_an_agent_reveals_some_are_named() -> None:
    cells = tuple(Cell(0, col) for col in range(5))
    assert choice_words("logic", Choice(cells, (), 0.0, "proven")) == (
        "logic reveals r1c1, r1c2, r1c3 and 2 more: proven"
    )
    guess = Choice(cells[:1], (), 0.25, "the first cell")
    assert choice_words("fast", guess) == "fast reveals r1c1: the first cell, a risk of 25.0 %"
    assert choice_words("logic", Stuck((), "a guess is needed")) == "logic is stuck: a guess is needed"


def test_every_help_is_named_at_the_end() -> None:
    session = begin_session(new_game(mines("*.")).reveal(SECOND))
    assert ending_words(session, 61) == "won in 1:01"
    for aid in Aid:
        session = session.helped(aid)
    assert ending_words(session, 61) == "won in 1:01, with an agent, checks, hints, risks shown and undo"


def test_other_ends_are_named_too() -> None:
    game = new_game(mines("*.*."))
    assert ending_words(begin_session(game), 5) == "left after 0:05"
    assert ending_words(begin_session(game.reveal(SECOND).give_up()), 5) == "given up after 0:05"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Move(Action.FLAG, SECOND), "r1c2 is shown already"),
        (Move(Action.REVEAL, FIRST), "r1c1 has a flag"),
        (Move(Action.CHORD, FIRST), "r1c1 shows no clue"),
        (Move(Action.CHORD, SECOND), "r1c2 has 1 flag near it, not 2"),
    ],
)
def test_a_move_that_changes_nothing_is_explained(move: Move, why: str) -> None:
    game = new_game(mines("*.*.")).reveal(SECOND).flag(FIRST)
    assert game.play(move) is game
    assert why in refusal_words(game, move)


def test_a_game_that_was_given_up_can_be_taken_up_again() -> None:
    game = new_game(mines("*.*.")).reveal(SECOND)
    session = begin_session(game.give_up())
    assert [each.status for each in session.games] == [Status.PLAYING, Status.PLAYING, Status.STUCK]
    assert session.undone().game.moves == game.moves


def test_large_boards_are_not_kept_without_end() -> None:
    game = new_game("2000x2000n5#1")
    session = PlaySession((game,))
    for _ in range(50):
        session = session.after(replace(game))
    assert len(session.games) == 25


def test_a_stopwatch_does_not_run_before_the_first_reveal() -> None:
    game = new_game(mines("*.*."))
    watch = Stopwatch().at(10.0, game.flag(FIRST)).at(20.0, game.reveal(SECOND))
    assert watch.read(25.0) == 5.0


def test_speeds_have_ends() -> None:
    assert Pace().changed(-99).seconds == PACES[0]
    assert Pace().changed(99).seconds == 0


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_no_two_kinds_of_cells_have_the_same_sign(signs: object) -> None:
    values = [getattr(signs, name) for name in ("hidden", "flag", "trap", "exploded", "wrong_flag", "blank")]
    assert len(set(values)) == 6
    assert not any(value.isdigit() for value in values)


def test_flags_stay_flags_among_risks() -> None:
    game = new_game(mines("*.*.")).flag(FIRST)
    picture = GamePicture(game, cursor=SECOND, known=Risks(np.full((1, 4), 0.5)))
    assert [picture.paint(Cell(0, col), UNICODE, 3)[0] for col in range(4)] == [" ⚑", "50", "50", "50"]
