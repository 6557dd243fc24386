"""What a solver's own tests look like: the conformance check, and what it can do."""

from gemhunter import GaveUp, encode, parse_grid, read_grid, solve, solve_formula
from gemhunter.testing import check_engine


def test_it_keeps_the_promises_of_every_engine() -> None:
    check_engine("random-walk")


def test_it_solves_boards() -> None:
    report = solve(read_grid("sample:3x4"), "random-walk")
    assert str(report.filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


def test_it_solves_formulas() -> None:
    report = solve_formula(encode(parse_grid("_, 1, _")), "random-walk")
    assert sorted(map(abs, report.model or ())) == [1, 2]


def test_it_gives_up_on_a_board_without_a_solution() -> None:
    outcome = solve(read_grid("sample:no-solution"), "random-walk", step_limit=100).outcome
    assert isinstance(outcome, GaveUp)
