"""A SAT solver that answers one question after the other."""

import pytest

from gemhunter.cnf.encode import encode
from gemhunter.files.text import parse_grid
from gemhunter.solving import session
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run
from gemhunter.solving.session import SatSession

PAIR = [[1, 2], [-1, -2]]
REFUTED = encode(parse_grid("1_2_1\n_____\n2_3_2\n_____\n1_2_1")).clauses()


def test_assumptions_hold_for_one_question_and_clauses_from_then_on() -> None:
    with SatSession(Run(), PAIR) as asked:
        assert isinstance(asked.ask([1, 2]), Unsatisfiable)
        assert isinstance(asked.ask([1]), Satisfied)
        asked.add([-1])
        assert isinstance(asked.ask([1]), Unsatisfiable)
        assert isinstance(asked.ask(), Satisfied)


@pytest.mark.parametrize("literal", [1, -1])
def test_preferred_values_are_tried_first(literal: int) -> None:
    with SatSession(Run(), PAIR) as asked:
        asked.prefer([literal, -literal * 2])
        answer = asked.ask()
        assert isinstance(answer, Satisfied)
        assert answer.model[0] == literal


def test_a_new_variable_is_in_no_clause() -> None:
    with SatSession(Run(), PAIR) as asked:
        assert asked.new_variable() == 3
        asked.add([-3, 1])
        assert asked.new_variable() == 4


def test_questions_and_conflicts_are_steps() -> None:
    run = Run()
    with SatSession(run, PAIR) as asked:
        asked.ask()
        asked.ask([1])
    assert run.steps == 2


def test_slices_of_one_conflict_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "FIRST_QUESTION_CONFLICTS", 1)
    run = Run()
    with SatSession(run, REFUTED) as asked:
        assert isinstance(asked.ask(), Unsatisfiable)
    assert run.steps > 3


def test_a_step_limit_ends_a_question() -> None:
    with SatSession(Run(Limits(steps=3)), REFUTED) as asked:
        answer = asked.ask()
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.STEPS


def test_slices_are_the_limits_of_a_caller_with_its_own() -> None:
    with SatSession(Run(), REFUTED) as asked:
        assert asked.decide([], [1]) is None
        assert asked.decide([], [1, 1000, 1000]) is False
        assert asked.conflicts > 1
