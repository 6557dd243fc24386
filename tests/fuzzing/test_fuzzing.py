"""Differential fuzzing finds whoever is wrong, makes the case small, and finds nobody among our engines."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import oracles
from gemhunter.cli.main import run as run_command
from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.engines.pysat.engine import make_engine
from gemhunter.errors import InputError
from gemhunter.formats.text import parse_grid
from gemhunter.fuzzing.campaign import CampaignTally, default_engines, fuzz
from gemhunter.fuzzing.cases import BoardCase, FormulaCase, make_board, make_formula, read_case
from gemhunter.fuzzing.verdicts import has_solution, judge
from gemhunter.solving import registry
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from places import REGRESSIONS

CASE_FILES = sorted(path for path in REGRESSIONS.iterdir() if path.suffix != ".json")
RIGHT = get_engine("pysat:minicard")
FEW = ["brute-force", "backtracking:reading", "backtracking", "pysat:minicard", "pysat:minisat22"]


class Wrong:
    """Right, but for boards in which some clue is a 3: these it refutes."""

    info = EngineInfo("wrong", "refutes boards with a 3")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        if 3 in puzzle.traps.tolist():
            return Refuted("there is a 3")
        return RIGHT.solve(puzzle, run)


class AllGems(Wrong):
    """Takes every board for solved."""

    info = EngineInfo("all-gems", "no traps anywhere")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))


class Crashing(Wrong):
    """Crashes where two cells are hidden."""

    info = EngineInfo("crashing", "has a bug")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return GaveUp(StopReason.TIME, str(1 // (puzzle.hidden.size - 2)))


class Stuck(Wrong):
    """Calls itself complete."""

    info = EngineInfo("stuck", "gives up")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return GaveUp(StopReason.STUCK)


class Unproven(Wrong):
    """Says that it writes proofs."""

    info = EngineInfo("unproven", "refutes what is to be refuted, without the proof", proofs=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return RIGHT.solve(puzzle, run)


class WrongSolver:
    """Takes a formula with a repeated literal for unsatisfiable."""

    info = EngineInfo("wrong-solver", "trips over repeated literals")

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        if any(len(set(clause)) < len(clause) for clause in cnf.clauses()):
            return Unsatisfiable()
        solver = make_engine("minisat22")
        assert isinstance(solver, CnfSolver)
        return solver.solve_cnf(cnf, run)


class HalfAModel(WrongSolver):
    """Its model satisfies all clauses but those that begin with variable 1."""

    info = EngineInfo("half-a-model", "leaves clauses out")

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        answer = super().solve_cnf(cnf, run)
        return Satisfied(answer.model[1:]) if isinstance(answer, Satisfied) else answer


def campaign(engines: list[Engine], cases: int, *, formulas: bool = False, seed: int = 1) -> CampaignTally:
    """A campaign of so many cases."""
    tally = CampaignTally()
    for _ in fuzz(engines, tally, seed=seed, formulas=formulas):
        if tally.cases == cases or tally.findings:
            break
    return tally


def found(tally: CampaignTally) -> str:
    return "\n".join(finding.text() for finding in tally.findings)


@pytest.mark.parametrize("cases", [15, pytest.param(100, marks=pytest.mark.full)])
@pytest.mark.parametrize("formulas", [False, True])
def test_all_engines_agree(formulas: bool, cases: int) -> None:
    engines = [get_engine(name) for name in default_engines()]
    assert found(campaign(engines, cases, formulas=formulas)) == ""


@pytest.mark.full
@pytest.mark.parametrize(
    ("names", "formulas"), [(FEW, False), (["pysat:minisat22", "pysat:cadical153"], True)]
)
def test_a_few_engines_agree_on_many_cases(names: list[str], formulas: bool) -> None:
    assert found(campaign([get_engine(name) for name in names], 1000, formulas=formulas, seed=2)) == ""


@pytest.mark.parametrize(
    ("engine", "complaint", "cells"),
    [
        (Wrong, "refuted what has a solution", 6),
        (AllGems, "its solution is wrong", 2),
        (Crashing, "crashed: ZeroDivisionError", 4),
        (Stuck, "calls itself complete but gave up", 1),
        (Unproven, "its proof does not hold", 9),
    ],
)
def test_a_wrong_engine_is_caught_on_a_tiny_board(engine: type[Wrong], complaint: str, cells: int) -> None:
    tally = campaign([engine(), get_engine("backtracking")], 3000)
    assert {finding.complaint.engine.info.name for finding in tally.findings} == {engine.info.name}
    case = tally.findings[0].case
    assert isinstance(case, BoardCase)
    assert complaint in str(tally.findings[0].complaint)
    assert case.grid.cells.size <= cells


@pytest.mark.parametrize(
    ("solver", "complaint", "literals"),
    [(WrongSolver, "refuted what has a solution", 2), (HalfAModel, "its model leaves out the clause [", 1)],
)
def test_a_wrong_solver_is_caught_on_a_tiny_formula(
    solver: type[WrongSolver], complaint: str, literals: int
) -> None:
    tally = campaign([CnfEngine(solver())], 3000, formulas=True)
    case = tally.findings[0].case
    assert isinstance(case, FormulaCase)
    assert complaint in str(tally.findings[0].complaint)
    assert sum(map(len, case.clauses)) == literals


def test_a_witness_shows_what_trying_everything_cannot() -> None:
    board = BoardCase(parse_grid("_, _, _, _, _, _, _\n_, 3, _, _, _, _, _"))
    assert has_solution(board) is None
    assert not judge(board, [Wrong()])
    assert [each.message for each in judge(board, [Wrong(), get_engine("pysat")])] == [
        "refuted what has a solution"
    ]


def test_an_incomplete_engine_may_give_up() -> None:
    class Modest(Stuck):
        info = replace(Stuck.info, complete=False)

    assert judge(BoardCase(parse_grid("1, _, _")), [Modest()]) == []


@pytest.mark.parametrize("number", range(60))
def test_trying_everything_is_what_the_oracle_does(number: int) -> None:
    case = make_board(np.random.default_rng([5, number]))
    if (known := has_solution(case)) is not None:
        assert known == bool(oracles.all_solutions(case.grid, case.total))
    formula = make_formula(np.random.default_rng([5, number]))
    clauses = [list(clause) for clause in formula.clauses]
    assert has_solution(formula) in (None, bool(oracles.projected_models(clauses, [1]) if clauses else True))


@pytest.mark.parametrize("number", range(30))
def test_a_case_is_the_same_after_a_journey_through_its_file(number: int) -> None:
    board = make_board(np.random.default_rng([6, number]))
    again = read_case(board.text(("somebody: said something",)))
    assert isinstance(again, BoardCase)
    assert (str(again.grid), again.total) == (str(board.grid), board.total)
    formula = make_formula(np.random.default_rng([6, number]))
    assert read_case(formula.text(("somebody: said something",))) == formula


@pytest.mark.parametrize("text", ["2 1\n1 2\n", "2 1\n1 x 0\n", "2 2\n1 0\n", "1 1\n2 0\n", "1\n1 0\n"])
def test_a_formula_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="case: "):
        read_case(f"p cnf {text}")


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.name)
def test_nobody_is_wrong_about_a_case_that_was_once_a_problem(path: Path) -> None:
    case = read_case(path.read_text(encoding="utf-8"), str(path))
    assert judge(case, [get_engine(name) for name in default_engines()]) == []


def test_the_command_says_how_much_it_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["fuzz", "--boards", "30", "--seed", "4", "-e", "backtracking", "-o", str(tmp_path / "kept")]
    assert run_command(command) == 0
    assert capsys.readouterr().out == "30 boards, 1 engine, seed 4: 0 found\n"
    assert list((tmp_path / "kept").iterdir()) == []


def test_findings_are_kept_and_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        registry, "BUILT_IN_ENGINES", {**registry.BUILT_IN_ENGINES, "wrong": "test_fuzzing_wrong:make"}
    )
    monkeypatch.setattr(registry, "_find", lambda target: lambda argument: Wrong())
    wrong = ["fuzz", "-e", "wrong"]
    assert run_command([*wrong, "--boards", "60", "--seed", "1", "-o", str(tmp_path)]) == 1
    kept = sorted(tmp_path.iterdir())
    assert kept
    assert "wrong: refuted what has a solution" in kept[0].read_text(encoding="utf-8")
    assert run_command([*wrong, "--replay", str(tmp_path)]) == 1
    assert f"{len(kept)} found" in capsys.readouterr().out
    monkeypatch.undo()
    assert run_command(["fuzz", "-e", "pysat", "--replay", str(kept[0])]) == 0


def test_formulas_are_only_for_engines_that_read_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    named = ["-e", "backtracking", "-e", "pysat:minisat22"]
    assert run_command(["fuzz", "--formulas", "--boards", "5", *named]) == 0
    assert capsys.readouterr().out == "5 formulas, 1 engine, seed 0: 0 found\n"
    assert run_command(["fuzz", "--formulas", *named[:2]]) == 2


def test_the_same_seed_gives_the_same_cases() -> None:
    first, again = (make_board(np.random.default_rng([3, 8])) for _ in range(2))
    assert first.text() == again.text()


def test_ctrl_c_prints_the_summary_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gemhunter.fuzzing.campaign.judge", interrupted)
    assert run_command(["fuzz", "-e", "backtracking"]) == 130
    assert "0 boards, 1 engine, seed 0: 0 found" in capsys.readouterr().out
