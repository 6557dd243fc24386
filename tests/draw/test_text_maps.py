"""Maps in the terminal: numbers, widths, colours, and lists of cells that leave none out."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from gemhunter.board.grid import Cell, Grid
from gemhunter.board.puzzle import Solution
from gemhunter.cli.analyse import heat_map, summary
from gemhunter.cli.main import run
from gemhunter.cli.output import board_text
from gemhunter.draw.text_maps import grid_pieces, map_lines, plain_text
from gemhunter.files.text import parse_grid
from gemhunter.questions.analyse import Analysis
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities
from gemhunter.solving.outcomes import GaveUp, Solved, StopReason

POSITION = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"
LATE = GaveUp(StopReason.TIME, "1 of 2 cells decided", (-2,))

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a position."""
    (desk / "position.txt").write_text(POSITION, encoding="utf-8")
    return desk


def in_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> None:
    """Put a terminal of 80 columns, with 16 colours by default, in the place of standard output."""
    for name in ("COLORTERM", "NO_COLOR", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", "COLUMNS": "80", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("click._compat.isatty", lambda _: True)


def given_up(grid: Grid) -> Analysis:
    """An analysis that knows no more than a solution."""
    traps = np.zeros(np.count_nonzero(grid.cells == -1), bool)
    return Analysis(grid, Solved(Solution(traps)), LATE, LATE, LATE, LATE)


def test_rows_and_columns_have_numbers() -> None:
    grid = Grid(np.arange(24, dtype=np.int8).reshape(2, 12) % 9)
    assert plain_text(map_lines(grid_pieces(grid))).splitlines() == [
        "                    1 1 1",
        "  1 2 3 4 5 6 7 8 9 0 1 2",
        "1 0 1 2 3 4 5 6 7 8 0 1 2",
        "2 3 4 5 6 7 8 0 1 2 3 4 5",
    ]


def test_cells_are_one_character_wide_where_needed_and_then_come_in_bands() -> None:
    rows = grid_pieces(parse_grid("1, T, _, 2, G"))
    assert plain_text(map_lines(rows, 11)).splitlines() == ["  1 2 3 4 5", "1 1 T _ 2 G"]
    assert plain_text(map_lines(rows, 10)).splitlines() == ["  12345", "1 1T_2G"]
    assert plain_text(map_lines(rows, 6)).splitlines() == [
        "  1 2",
        "1 1 T",
        "",
        "  3 4",
        "1 _ 2",
        "",
        "  5",
        "1 G",
    ]


def test_a_board_that_would_wrap_is_a_map_on_a_terminal_and_canonical_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_terminal(monkeypatch, NO_COLOR="1")
    small, wide = Grid(np.zeros((2, 27), np.int8)), Grid(np.zeros((16, 30), np.int8))
    assert board_text(small) == str(small)
    assert board_text(wide) == plain_text(map_lines(grid_pieces(wide)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert board_text(wide) == str(wide)


def test_only_a_huge_map_is_replaced_by_a_note() -> None:
    assert len([*heat_map(given_up(parse_grid("_, " * 40 + "1")))]) > 1
    assert plain_text(heat_map(given_up(Grid(np.full((201, 3), -1))))).startswith("no map of 201×3 cells")


def expert_position() -> Analysis:
    """A position of 16×30 cells with certain cells, likely ones and clues."""
    grid = Grid(np.tile(np.array([[-1, 1, -1], [-1, -1, -1]], np.int8), (8, 10)))
    risk = np.where(grid.cells == -1, 0.42, np.nan)
    risk[15, 29], risk[0, 0] = 1.0, 0.0
    sure = Forced(grid, (Cell(15, 29),), (Cell(0, 0),))
    return Analysis(grid, given_up(grid).verdict, 2, False, sure, Probabilities(grid, risk))


@pytest.mark.parametrize("columns", [80, 63, 62, 33])
def test_an_expert_map_fits_the_terminal_with_every_cell(columns: int) -> None:
    *lines, legend = plain_text(heat_map(expert_position(), columns)).splitlines()
    assert max(map(len, lines)) <= columns
    assert lines[-1].endswith("T")
    assert legend.startswith("a to j: risk below 10 %")
    rows = [line.split(maxsplit=1) for line in lines if line[:2].strip().isdigit()]
    assert [row for row, _ in rows] == [str(number) for number in range(1, 17)]
    assert all(len(cells.replace(" ", "")) == 30 for _, cells in rows)
    assert rows[0][1].replace(" ", "").startswith("G1ee1e")


def test_a_map_for_files_has_percentages_however_wide_it_is() -> None:
    first, *_, last, legend = plain_text(heat_map(expert_position())).splitlines()
    assert first.split() == [str(number) for number in range(1, 31)]
    assert last.split()[-3:] == ["42", "42", "T"]
    assert legend == "risk in percent, two digits; T and G are certain"


def test_a_map_wider_than_any_terminal_comes_in_bands() -> None:
    text = plain_text(heat_map(given_up(Grid(np.full((3, 90), -1, np.int8))), 80))
    assert max(map(len, text.splitlines())) <= 80
    numbers = [line.split() for line in text.splitlines() if not line.startswith(("1 ", "2 ", "3 ", "risk"))]
    assert [int(number) for line in numbers for number in line] == list(range(1, 91))
    assert text.count("??") == 3 * 90 - 1 + 1


@pytest.mark.parametrize(
    ("environment", "sure", "likely"),
    [
        ({"COLORTERM": "truecolor"}, "48;2;21;128;61", "48;2;"),
        ({"TERM": "xterm-256color"}, "48;5;", "48;5;"),
        ({"TERM": "xterm"}, "\x1b[37m\x1b[42m\x1b[1m", "\x1b[32m"),
    ],
)
def test_a_terminal_gets_as_many_colours_as_it_has(
    environment: dict[str, str],
    sure: str,
    likely: str,
    desk: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_terminal(monkeypatch, **environment)
    assert run(["analyse", "position.txt", "--traps", "3"]) == 0
    out = capsys.readouterr().out
    assert re.search(re.escape(sure) + r"[^ ]* G", out)
    assert re.search(re.escape(likely) + r"[^ ]*17", out)
    assert "\x1b[22m" not in out, "this would take boldness back"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "vt100"}])
def test_terminals_without_colours_get_none(
    environment: dict[str, str], desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_terminal(monkeypatch, **environment)
    for command in (
        ["analyse", "position.txt"],
        ["solve", "position.txt"],
        ["watch", "3x4n2#1", "--pace", "0"],
    ):
        assert run(command) == 0
    assert not re.search(r"\x1b\[[0-9;]*m", capsys.readouterr().out)


def test_the_legend_explains_what_is_not_known() -> None:
    found = given_up(parse_grid("_, 1, _"))
    assert plain_text(heat_map(found)).splitlines() == [
        "   1  2  3",
        "1 ??  1  G",
        "risk in percent, two digits; T and G are certain; ?? is not known",
    ]


def forced_traps(count: int) -> Analysis:
    grid = Grid(np.full((1, count), -1, np.int8))
    cells = tuple(Cell(0, col) for col in range(count))
    return Analysis(grid, given_up(grid).verdict, 1, True, Forced(grid, cells, ()), LATE)


def test_forced_cells_are_wrapped_and_none_is_left_out() -> None:
    text = summary(forced_traps(200), "traps: 2", (), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert [word for word in text.split() if word.startswith("r1c")] == [f"r1c{col}" for col in range(1, 201)]


def test_more_forced_cells_than_anybody_reads_are_counted() -> None:
    assert "r1c200 and 1,050 more; --format json has them all\n" in summary(forced_traps(1250), "traps: 2")
