"""`gemhunter analyse`, as a user would run it."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from compiled import needs_compiler
from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.puzzle import Solution
from gemhunter.cli.analyse import analysis_json, exit_code, summary
from gemhunter.cli.main import run
from gemhunter.draw.pixels import PIXEL_GAP, PNG_SCALE, number_margins
from gemhunter.files.text import parse_grid
from gemhunter.questions.analyse import Analysis
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities
from gemhunter.records import boards as analyses
from gemhunter.records.boards import analysis_record, decimal_text
from gemhunter.solving.outcomes import GaveUp, Solved, StopReason
from gemhunter.wording import about, digit_count

Captured = pytest.CaptureFixture[str]

POSITION = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"
FIELDS = [
    *("board", "traps", "density", "assumption", "verdict", "reason", "clues", "count", "unique"),
    *("forced", "decided", "probability", "safest", "gave_up", "version"),
]
LATE = GaveUp(StopReason.TIME, "1 of 2 cells decided", (-2,))


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a position, and a board that has no solution."""
    (desk / "position.txt").write_text(POSITION, encoding="utf-8")
    (desk / "four.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    return desk


def analysed(capsys: Captured, *arguments: str) -> dict[str, object]:
    """What the command says as JSON."""
    run(["analyse", *arguments, "--format", "json"])
    record: dict[str, object] = json.loads(capsys.readouterr().out)
    return record


def given_up(grid: Grid) -> Analysis:
    """An analysis that knows no more than a solution."""
    traps = np.zeros(np.count_nonzero(grid.cells == -1), bool)
    return Analysis(grid, Solved(Solution(traps)), LATE, LATE, LATE, LATE)


def test_all_answers_and_the_map_are_printed(desk: Path, capsys: Captured) -> None:
    assert run(["analyse", "position.txt"]) == 0
    assert capsys.readouterr().out == (
        "has a solution\n"
        "traps: unknown; all solutions count the same (see --traps, --density)\n"
        "solutions: 16\nunique: no\nforced traps: none\nforced gems: r3c3 r3c4\n"
        "safest: the forced gems, risk 0 %\n   1  2  3  4\n"
        "1 25  1 25 50\n2 25  2 25  1\n3 50 50  G  G\n4 50 50  1  0\n"
        "risk in percent, two digits; T and G are certain\n"
    )


def test_a_won_game_has_no_safest_cell(desk: Path, capsys: Captured) -> None:
    (desk / "won.txt").write_text("_, 2, _\n", encoding="utf-8")
    assert run(["analyse", "won.txt"]) == 0
    assert "safest: none, every hidden cell is a trap\n" in capsys.readouterr().out
    assert analysed(capsys, "won.txt")["safest"] == []


def test_json_has_all_fields_in_order(desk: Path, capsys: Captured) -> None:
    record = analysed(capsys, "position.txt", "--traps", "3")
    assert list(record) == FIELDS
    assert (record["verdict"], record["count"], record["unique"]) == ("solved", "6", False)
    assert record["forced"] == {"traps": [], "gems": ["r3c3", "r3c4"]}
    assert record["safest"] == ["r3c3", "r3c4"]
    assert (record["traps"], record["density"], record["gave_up"]) == (3, None, {})


def test_probabilities_are_rows_of_numbers_with_null_for_shown_cells(desk: Path, capsys: Captured) -> None:
    rows = analysed(capsys, "position.txt", "--density", "0.2")["probability"]
    assert isinstance(rows, list)
    assert [len(row) for row in rows] == [4, 4, 4, 4]
    assert rows[0] == [pytest.approx(0.1), None, pytest.approx(0.4), pytest.approx(0.2)]


def test_a_board_without_solution_names_the_conflicting_clues(desk: Path, capsys: Captured) -> None:
    assert run(["analyse", "four.txt"]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == ["conflicting clues: r1c1"]
    record = analysed(capsys, "four.txt")
    assert (record["verdict"], record["count"], record["unique"]) == ("refuted", "0", False)
    assert (record["clues"], record["forced"], record["probability"]) == (["r1c1"], None, None)


def test_whatever_gave_up_says_so_and_returns_3() -> None:
    found = given_up(parse_grid("_, 1, _"))
    record = json.loads(analysis_json(analysis_record("b", found)))
    assert exit_code(found) == 3
    assert summary(found, "traps: 2").splitlines() == [
        "has a solution",
        "traps: 2",
        *(f"{what}: gave up: {LATE.reason}" for what in ("solutions", "unique", "forced cells", "safest")),
    ]
    assert set(record["gave_up"]) == {"count", "unique", "forced", "probabilities"}
    assert record["decided"] == {"traps": [], "gems": ["r1c3"]}
    assert [record[name] for name in ("count", "unique", "forced", "probability", "safest")] == [None] * 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--traps", "3", "--density", "0.2"], "give either --traps or --density, not both"),
        (["--density", "1"], "1.0 is not in the range 0<x<1"),
        (["--density", "much"], "'much' is not a valid number"),
        (["--time-limit", "0"], "0.0 is not in the range x>0"),
    ],
)
def test_bad_options_are_one_line_errors(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["analyse", "position.txt", *arguments]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert message in printed.err


def test_pictures_are_written(desk: Path) -> None:
    assert run(["analyse", "position.txt", "-o", "heat.svg", "-o", "heat.png"]) == 0
    assert (desk / "heat.svg").read_text(encoding="utf-8").count("<rect") == 16
    content = (desk / "heat.png").read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    top, left = number_margins(4)
    usual = (4 * 26 + 1 + left + PIXEL_GAP, 4 * 26 + 1 + top + PIXEL_GAP)
    assert (width, height) == tuple(PNG_SCALE * size for size in usual)


def test_huge_counts_are_shortened_for_people_and_whole_for_programs() -> None:
    grid, amount = parse_grid("_, 1, _"), 12345 * 10**5000
    found = Analysis(grid, given_up(grid).verdict, amount, False, Forced(grid, (), ()), LATE)
    assert "solutions: ≈1.2e5004 (5,005 digits; --format json has them)" in summary(found, "traps: 2")
    assert json.loads(analysis_json(analysis_record("b", found)))["count"] == "12345" + "0" * 5000
    assert (about(2**100), decimal_text(2**100)) == ("1.3e30", str(2**100))


@pytest.mark.parametrize(
    ("number", "digits", "short"),
    [
        *((10**500, 501, "1.0e500"), (10**500 - 1, 500, "1.0e500"), (10**500 + 1, 501, "1.0e500")),
        *((1, 1, "1.0e0"), (999, 3, "1.0e3"), (10**59, 60, "1.0e59"), (3**1000, 478, "1.3e477")),
        *((2**200 - 1, 61, "1.6e60"), (2**200, 61, "1.6e60"), (96 * 10**700, 702, "9.6e701")),
    ],
)
def test_large_numbers_are_shortened_by_their_leading_bits(number: int, digits: int, short: str) -> None:
    assert (digit_count(number), about(number)) == (digits, short)


def test_people_do_not_wait_for_digits_that_they_do_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(number: int) -> str:
        raise AssertionError(number.bit_length())

    grid = parse_grid("_, 1, _")
    found = Analysis(grid, given_up(grid).verdict, 7 << 3_000_000, False, Forced(grid, (), ()), LATE)
    monkeypatch.setattr(analyses, "decimal_text", too_long)
    monkeypatch.setattr("decimal.Decimal", too_long)
    assert "≈6.8e903090 (903,091 digits; --format json has them)" in summary(found, "traps: 2")


def test_forced_cells_are_all_named_and_safest_ones_summarised() -> None:
    grid = Grid(np.full((1, 30), -1, np.int8))
    cells = tuple(Cell(0, col) for col in range(30))
    likely = Probabilities(grid, np.full((1, 30), 0.125))
    found = Analysis(grid, given_up(grid).verdict, 2, False, Forced(grid, cells, ()), likely)
    assert "r1c30\nforced gems: none" in summary(found, "traps: 2")
    assert summary(found, "traps: 2").endswith("(30 in all; --format json has them), risk 12.5 %")


@pytest.fixture
def wide(desk: Path) -> Path:
    """A lattice that is too wide to count."""
    random = np.random.default_rng(1)
    shown = np.zeros((40, 40), bool)
    shown[::2, ::2] = True
    path = desk / "wide.txt"
    path.write_text(str(grid_from_traps((random.random((40, 40)) < 0.5) & ~shown, shown)), encoding="utf-8")
    return path


@needs_compiler
def test_bounds_are_proven_on_request_where_counting_gives_up(wide: Path, capsys: Captured) -> None:
    assert run(["analyse", "wide.txt", "--bounds"]) == 3
    lines = capsys.readouterr().out.split("\n")
    assert lines[2].startswith("solutions: gave up: too many states (too wide: about ")
    assert lines[3].startswith("at least ")
    assert lines[3].endswith(" solutions, both proven")
    record = analysed(capsys, "wide.txt", "--bounds")
    assert record["count"] is None
    bounds = record["bounds"]
    assert isinstance(bounds, dict)
    assert 1 < int(bounds["low"]) < int(bounds["high"])


def test_what_is_counted_is_not_bounded(desk: Path, capsys: Captured) -> None:
    record = analysed(capsys, "position.txt", "--bounds")
    assert record["count"] == "16"
    assert "bounds" not in record
