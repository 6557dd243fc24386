"""What once broke among the features of the sources, and holds now."""

import json
import sys
from itertools import chain
from pathlib import Path

import pytest

from gemhunter import parse_formula
from gemhunter.cli.main import run
from gemhunter.questions.solve import solve_formula
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from text_files import put

SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
LOST = {"format": "gemhunter-replay", "version": 1, "id": None, "mines": ["*..", "..*"], "gave_up": False}

Captured = pytest.CaptureFixture[str]


def test_brute_force_on_many_clauses_looks_at_the_clock_early() -> None:
    formula = parse_formula("p cnf 40 20001\n" + "1 2 0\n" * 20000 + "-1 0\n")
    times = chain([0.0] * 3, iter(lambda: 2.0, None))
    clock_run = Run(Limits(seconds=1.0), clock=lambda: next(times))
    report = solve_formula(formula, "brute-force:clauses", run=clock_run)
    assert isinstance(report.outcome, GaveUp)
    assert report.counters["attempts"] * formula.literals.size <= 100_000


@pytest.mark.parametrize("engine", ["cdcl", "cdcl:pick=random", "genetic", "local-search", "resolution"])
@pytest.mark.parametrize("seed", ["-1", str(2**63), str(10**30)])
def test_a_seed_out_of_range_is_refused(engine: str, seed: str, desk: Path, capsys: Captured) -> None:
    put(desk / "board.txt", SMALL)
    assert run(["solve", "board.txt", "-e", engine, "--seed", seed]) == 2
    expected = "expected 0 or more" if seed == "-1" else f"0<=x<={2**63 - 1}"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("name", ["1²2.txt", "1²2/input_1.txt", "٣.txt"])
def test_digits_of_other_scripts_in_file_names_are_sorted(name: str, desk: Path, capsys: Captured) -> None:
    put(desk / "d" / name, SMALL)
    assert run(["solve", "d"]) == 0


@pytest.mark.parametrize(
    ("moves", "said"), [(["reveal r1c1"], "lost at r1c1: "), (["flag r1c2"], "plays r.json"), ([], "stuck: ")]
)
def test_a_game_that_has_begun_or_ended_is_watched_as_it_stands(
    moves: list[str], said: str, desk: Path, capsys: Captured
) -> None:
    put(desk / "r.json", json.dumps({**LOST, "moves": moves, "gave_up": not moves}))
    assert run(["watch", "r.json", "--initial", "two"]) == 2
    assert "--initial is for a game that has not begun" in capsys.readouterr().err
    assert run(["watch", "r.json"]) == 0
    out = capsys.readouterr().out
    assert said in out
    assert "initial safe cells" not in out


@pytest.mark.parametrize("blocked", ["result_times.txt", "times.csv", "testcase_1/output_1.txt"])
def test_a_file_that_cannot_be_written_costs_no_other(blocked: str, desk: Path, capsys: Captured) -> None:
    put(desk / "j" / "testcase_1" / "input_1.txt", SMALL)
    put(desk / "j" / "testcase_2" / "input_2.txt", SMALL)
    (desk / "j" / blocked).mkdir()
    assert run(["solve", "j", "--format", "json"]) == 2
    assert f"{Path('j') / blocked} would be overwritten" in capsys.readouterr().err
    assert run(["solve", "j", "--format", "json", "--force"]) == 2
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)) == 2
    assert f"error: cannot write {Path('j') / blocked}" in printed.err
    files = {"result_times.txt", "times.csv", "testcase_1/output_1.txt", "testcase_2/output_2.txt"}
    assert all((desk / "j" / name).is_file() for name in files - {blocked})


def test_a_menu_without_input_ends(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["menu"]) == 2
    assert capsys.readouterr() == ("", "error: standard input is closed, so nothing can be chosen\n")


def test_a_number_of_thousands_of_digits_is_no_choice(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["9" * 5000, "q"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert run(["menu"]) == 0
    assert "is not a choice" in capsys.readouterr().out


def test_a_word_that_takes_no_value_is_explained(desk: Path, capsys: Captured) -> None:
    put(desk / "board.txt", SMALL)
    assert run(["solve", "board.txt", "-e", "brute-force:clauses=yes"]) == 2
    assert "did you mean 'clauses'?" not in capsys.readouterr().err
