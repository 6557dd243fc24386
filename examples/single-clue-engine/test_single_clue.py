"""What an engine's own tests look like: the conformance check, and what it can do."""

from gemhunter import GaveUp, parse_grid, solve
from gemhunter.testing import check_engine


def test_it_keeps_the_promises_of_every_engine() -> None:
    check_engine("single-clue")


def test_it_solves_what_single_clues_decide() -> None:
    report = solve(parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), "single-clue")
    assert str(report.filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


def test_it_gives_up_where_a_guess_is_needed() -> None:
    outcome = solve(parse_grid("_, 1, _"), "single-clue").outcome
    assert isinstance(outcome, GaveUp)
    assert "stuck" in outcome.reason
