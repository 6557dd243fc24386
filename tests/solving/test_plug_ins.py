"""Faulty plug-ins: exit code 4, the name of the plug-in, and what was expected."""

import importlib.metadata
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gemhunter import (
    Cell,
    Choice,
    EngineError,
    FirstClick,
    Level,
    Status,
    Stuck,
    UnknownNameError,
    View,
    encode,
    new_game,
    new_player,
    parse_grid,
    play_game,
    play_games,
    solve,
    solve_formula,
)
from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.cli.main import run
from gemhunter.cnf.formula import Cnf
from gemhunter.play.agents.registry import PlugInPlayer, agent_names
from gemhunter.questions.trace import trace
from gemhunter.solving.engine import EngineInfo, Satisfied
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Run

NAMED = "the plug-in 'their_package:make'"
ENGINE_FAILED = 4

Install = Callable[[object], None]


def untyped(value: object) -> Any:
    """The value, typed as `Any`."""
    return value


def fails_with(complaint: str) -> AbstractContextManager[object]:
    """The block raises an `EngineError` with the name of the plug-in and this complaint."""
    return pytest.raises(EngineError, match=f"^{re.escape(NAMED)}.*{re.escape(complaint)}")


def returned(answer: object) -> object:
    """The answer of a plug-in; an exception is raised."""
    if isinstance(answer, BaseException):
        raise answer
    return answer


class AnyEngine:
    """Answers every board with `outcome`, or raises it."""

    def __init__(self, outcome: object, info: object = None) -> None:
        self.outcome = outcome
        self.info = info or EngineInfo("theirs", "a plug-in")

    def solve(self, puzzle: Puzzle, run: Run) -> object:
        return returned(self.outcome)


class AnySolver:
    """Answers every formula with `answer`, or raises it."""

    info = EngineInfo("theirs", "a plug-in")

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def solve_cnf(self, cnf: Cnf, run: Run) -> object:
        return returned(self.answer)


class BrokenInfo:
    """An engine whose `info` raises."""

    @property
    def info(self) -> EngineInfo:
        raise ValueError("not configured")

    def solve(self, puzzle: Puzzle, run: Run) -> object:
        return None


class BrokenTrace(AnyEngine):
    """Fails while it reports its search."""

    def trace(self, puzzle: Puzzle, run: Run) -> object:
        raise RuntimeError("lost the thread")


class AnyPlayer:
    """Answers every position with `choice`, or raises it."""

    def __init__(self, choice: object) -> None:
        self.choice = choice

    def choose(self, view: View) -> object:
        return returned(self.choice)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Pretend that a package offers this engine or agent under the name `theirs`."""

    def pretend(made: object) -> None:
        module = ModuleType("their_package")
        untyped(module).make = lambda argument: made
        monkeypatch.setitem(sys.modules, "their_package", module)
        monkeypatch.setattr(
            importlib.metadata,
            "entry_points",
            lambda group: [EntryPoint("theirs", "their_package:make", group)],
        )

    return pretend


@pytest.mark.parametrize(
    ("outcome", "complaint"),
    [
        (None, "`solve` returned None; expected Solved, Refuted or GaveUp"),
        ([True, False], "`solve` returned a list; expected Solved, Refuted or GaveUp"),
        (np.zeros(7, bool), "`solve` returned an array of bool with the shape (7,); expected Solved"),
        (
            Solved(untyped(np.zeros(7, bool))),
            "`Solved` has an array of bool with the shape (7,); expected a Solution",
        ),
        (Refuted(untyped(None)), "`Refuted` has None; expected the reason as a text"),
        (GaveUp(untyped("time")), "`GaveUp` has a str; expected a StopReason"),
        (ValueError("no licence"), "failed: ValueError: no licence"),
        (ZeroDivisionError(), "failed: ZeroDivisionError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_engine_with_a_wrong_answer_fails_with_its_name(
    install: Install, outcome: object, complaint: str
) -> None:
    install(AnyEngine(outcome))
    with fails_with(complaint):
        solve(parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), "theirs")


def test_a_solution_of_the_wrong_size_fails(install: Install) -> None:
    install(AnyEngine(Solved(Solution(np.zeros(3, bool)))))
    with pytest.raises(EngineError, match="theirs filled 3 of 2 cells"):
        solve(parse_grid("_, 1, _"), "theirs")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "`solve_cnf` returned None; expected Satisfied, Unsatisfiable or GaveUp"),
        (Satisfied(untyped([1, -2])), "`Satisfied` has a list; expected a NumPy array of the literals"),
        (Satisfied(untyped(np.array([0.5]))), "`Satisfied` has an array of float64 with the shape (1,)"),
        (KeyError("x1"), "failed: KeyError: 'x1'"),
        (SystemExit(5), "failed: SystemExit: 5"),
        (BaseException("b"), "failed: BaseException: b"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_solver_with_a_wrong_answer_fails_with_its_name(
    install: Install, answer: object, complaint: str
) -> None:
    install(AnySolver(answer))
    grid = parse_grid("_, 1, _")
    with fails_with(complaint):
        solve(grid, "theirs")
    with fails_with(complaint):
        solve_formula(encode(grid), "theirs")


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [
        (BrokenInfo(), "failed: ValueError: not configured"),
        (AnyEngine(None, info={"name": "theirs"}), "`info` is a dict; expected an EngineInfo"),
        (42, "did not return an engine: int is neither an Engine nor a CnfSolver"),
    ],
    ids=["raises", "no EngineInfo", "no engine"],
)
def test_an_engine_that_cannot_be_made_is_an_engine_error(
    install: Install, engine: object, complaint: str
) -> None:
    install(engine)
    with fails_with(complaint):
        solve(parse_grid("_, 1, _"), "theirs")


def test_an_engine_that_breaks_off_while_it_is_traced_fails_with_its_name(install: Install) -> None:
    install(BrokenTrace(None))
    with fails_with("failed: RuntimeError: lost the thread"):
        list(trace(parse_grid("_, 1, _"), "theirs"))


def test_the_command_line_returns_4_for_a_plug_in_that_fails(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(AnyEngine(None))
    assert run(["solve", "sample:two-ways", "-e", "theirs"]) == ENGINE_FAILED
    printed = capsys.readouterr()
    assert f"{NAMED}: `solve` returned None" in printed.out + printed.err


def test_an_engine_given_as_an_object_that_returns_nothing_is_an_engine_error() -> None:
    with pytest.raises(EngineError, match="theirs returned None; expected Solved, Refuted or GaveUp"):
        solve(parse_grid("_, 1, _"), untyped(AnyEngine(None)))


def test_an_agent_of_another_package_is_listed_and_plays(install: Install) -> None:
    install(AnyPlayer(Choice((Cell(0, 0),), (), 0.0, "the corner")))
    assert agent_names()[-1] == "theirs"
    turns = play_game(new_game("2x2n0#1"), new_player("theirs"))
    assert [turn.game.view.status for turn in turns] == [Status.WON]


def test_an_agent_of_another_package_does_not_replace_one_of_ours(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(AnyPlayer(None))
    points = [EntryPoint("expert", "their_package:make", "gemhunter.agents")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    assert agent_names().count("expert") == 1
    assert not isinstance(new_player("expert"), PlugInPlayer)


@pytest.mark.parametrize(
    ("choice", "complaint"),
    [
        (None, "`choose` returned None; expected a Choice or Stuck"),
        (Cell(0, 0), "`choose` returned a Cell; expected a Choice or Stuck"),
        (Choice((Cell(2, 0),), (), 0.0, ""), "it chose Cell(row=2, col=0); expected a Cell of the 2×2 board"),
        (Choice((Cell(0, -1),), (), 0.0, ""), "it chose Cell(row=0, col=-1); expected a Cell of the 2×2"),
        (Choice(untyped((("a", 1),)), (), 0.0, ""), "it chose ('a', 1); expected a Cell of the 2×2 board"),
        (Choice(untyped(((0.5, 1),)), (), 0.0, ""), "it chose (0.5, 1); expected a Cell of the 2×2 board"),
        (Choice((Cell(untyped("a"), 1),), (), 0.0, ""), "it chose Cell(row='a', col=1); expected a Cell"),
        (Choice(untyped(None), (), 0.0, ""), "the cells of its choice are None; expected a tuple of Cells"),
        (Choice((Cell(0, 0),), (), untyped("low"), ""), "the risk of its `Choice` is a str; expected"),
        (Choice(untyped(("r1c1",)), (), 0.0, ""), "it chose 'r1c1'; expected a Cell of the 2×2 board"),
        (Stuck((Cell(9, 9),), ""), "it chose Cell(row=9, col=9); expected a Cell of the 2×2 board"),
        (IndexError("list index out of range"), "failed: IndexError: list index out of range"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_agent_with_a_wrong_choice_fails_with_its_name(
    install: Install, choice: object, complaint: str
) -> None:
    install(AnyPlayer(choice))
    with fails_with(complaint):
        list(play_game(new_game("2x2n1#1"), new_player("theirs")))


def test_a_factory_that_makes_no_player_fails_with_its_name(install: Install) -> None:
    install(42)
    with fails_with("its factory made an int; expected a player with `choose"):
        new_player("theirs")


def test_the_command_line_returns_4_for_an_agent_that_fails(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(AnyPlayer(None))
    assert run(["watch", "2x2n1#1", "--agent", "theirs"]) == ENGINE_FAILED
    assert f"{NAMED}: `choose` returned None" in capsys.readouterr().err


def test_an_unknown_agent_is_an_error_before_any_game_is_played() -> None:
    with pytest.raises(UnknownNameError, match="no agent named 'expart'; did you mean 'expert'"):
        play_games("expart", Level(2, 2, 1), FirstClick.SAFE, range(0))
