"""The question "what is a solution?": reasons, reports, and answers that nobody gets to see."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.errors import EngineError, InputError, UnknownNameError, WrongAnswerError
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import Outcome, Refuted, Solved
from gemhunter.solving.run import Run

SAMPLE = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")


class Constant:
    """An engine with one assignment for every board."""

    def __init__(self, *traps: bool) -> None:
        self.info = EngineInfo("constant", "always the same", time_limit=False)
        self.traps = traps

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return Solved(Solution(np.array(self.traps, bool)))


class Denier:
    """An untrusted engine that finds no solution to any board."""

    info = EngineInfo("denier", "always denies", is_trusted=False)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return Refuted("so it says")


def test_the_second_opinion_on_a_refutation_stops_when_the_run_is_cancelled() -> None:
    with pytest.raises(WrongAnswerError, match="no solution, but there is one"):
        solve(SAMPLE, Denier())
    assert solve(SAMPLE, Denier(), run=Run(cancel=lambda: True)).outcome == Refuted("so it says")


def test_the_second_opinion_on_a_refutation_reports_progress() -> None:
    heard: list[int] = []
    with pytest.raises(WrongAnswerError):
        solve(SAMPLE, Denier(), run=Run(progress=lambda _, steps: heard.append(steps)))
    assert heard


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder where reproducers are kept."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_board_of_the_specification_is_solved() -> None:
    assert str(solve(SAMPLE).filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


def test_a_report_knows_its_board_its_engine_its_seed_and_the_seconds_of_each_stage() -> None:
    report = solve(SAMPLE, "pysat:g4", seed=7)
    assert (report.grid, report.engine, report.seed) == (SAMPLE, "pysat:glucose4", 7)
    assert set(report.seconds) == {"encode", "solve", "check"}


def test_an_impossible_clue_is_explained_and_named() -> None:
    outcome = solve(parse_grid("G, G, G\n3, _, _\nG, G, _")).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.reason.startswith("the clue 3 at r2c1 cannot hold: it needs 3 more traps")
    assert outcome.clues == ((1, 0),)


def test_several_impossible_clues_are_counted_and_all_named() -> None:
    outcome = solve(parse_grid("0, T, 0\n8, _, _")).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.reason.endswith("(and 2 more like it)")
    assert outcome.clues == ((0, 0), (0, 2), (1, 0))


def test_an_impossible_total_names_no_clue() -> None:
    outcome = solve(parse_grid("T, T, _"), total=1).outcome
    assert outcome == Refuted("the total cannot hold: 1 trap too many already on the board")


def test_conflicting_clues_are_refuted_in_the_name_of_the_engine() -> None:
    outcome = solve(parse_grid("1, _\n0, _"), "pysat:m22").outcome
    assert outcome == Refuted("the clues cannot all hold (shown by pysat:minisat22)")


def test_an_engine_may_be_an_object() -> None:
    assert str(solve(parse_grid("1, _"), Constant(True)).filled) == "1, T"


def test_a_wrong_answer_is_raised_with_the_broken_clue_and_kept_to_be_seen_again(kept: Path) -> None:
    message = "constant gave a wrong answer: r1c1 says 1, but touches 0 traps"
    with pytest.raises(WrongAnswerError, match=message) as caught:
        solve(parse_grid("1, _, G"), Constant(False))
    (reproducer,) = kept.iterdir()
    assert str(reproducer) in str(caught.value)
    assert json.loads(reproducer.read_text("utf-8")) == {
        "engine": "constant",
        "traps": None,
        "seed": 0,
        "grid": ["1, _, G"],
        "filled": ["1, G, G"],
        "broken": ["r1c1 says 1, but touches 0 traps"],
    }


def test_an_answer_that_breaks_the_total_is_wrong(kept: Path) -> None:
    with pytest.raises(WrongAnswerError, match="number of traps must be 2"):
        solve(parse_grid("_, _, _"), Constant(True, False, False), total=2)


@pytest.mark.parametrize("traps", [(), (True,), (True, False, True)])
def test_an_answer_for_another_number_of_cells_is_an_error(traps: tuple[bool, ...]) -> None:
    with pytest.raises(EngineError, match=f"constant filled {len(traps)} of 2 cells"):
        solve(parse_grid("_, 1, _"), Constant(*traps))


def test_a_trap_where_neither_a_clue_nor_a_total_constrains_a_cell_becomes_a_gem() -> None:
    assert str(solve(parse_grid("1, _, _"), Constant(True, True)).filled) == "1, T, G"
    assert str(solve(parse_grid("1, _, _"), Constant(True, True), total=2).filled) == "1, T, T"


def test_a_limit_that_an_engine_cannot_keep_is_refused() -> None:
    with pytest.raises(InputError, match="constant cannot keep a time limit; use a step limit instead"):
        solve(parse_grid("1, _"), Constant(True), time_limit=1)
    with pytest.raises(InputError, match="constant has no steps to limit; use a time limit instead"):
        solve(parse_grid("1, _"), Constant(True), step_limit=1)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'pysat'"):
        solve(SAMPLE, "pysta")
