"""The suites that come with the package: they are what the sources have, and the page about them is true."""

import re
import string

import pytest
from hatchling.builders.wheel import WheelBuilder

from gemhunter import Refuted, Solved, encode, read_grid, solve
from gemhunter.bench.ledger import facts_of
from gemhunter.bench.suites import BUILT_IN_SUITES, SUITES_FOLDER, BenchBoard, Suite, load_suite, suite_names
from gemhunter.board.board import random_grid
from gemhunter.files.samples import boards_folder
from gemhunter.solving.registry import get_engine
from peers import can_answer
from places import ROOT

PAGE = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
SIZES = {
    "s1": ["5×5", "11×11", "20×20"],
    "s2": ["3×4", "5×5", "5×5", "11×11", "11×11", "20×20"],
    "s3": ["3×4", "11×11", "66×66"],
    "s4": ["3×3", "4×4", "5×5", "5×5", "6×6"],
    "scaling": ["10×10", "20×20", "50×50", "100×100", "200×200", "500×500", "1000×1000"],
}
PRINTED = {
    "s1": {"5x5": "s1-5x5.txt", "11x11": "s1-11x11.txt"},
    "s2": {"testcase_0": "s3-3x4.txt", "testcase_3": "s2-testcase-3-11x11.txt"},
    "s3": {"3x4": "s3-3x4.txt"},
    "s4": {f"s4-{number}": f"s4-{number}.txt" for number in range(1, 6)},
}
IN_A_SENTENCE = {
    "large": (
        r".*-raised",
        "Each also with the suffix `-raised`: one clue raised, so that it has no solution.",
    ),
    "unsat": (r"\d\d_.*_unsat", "Also the nine boards of [`hard`](#hard) whose names end in `_unsat`."),
    "positions": (
        r"expert-\d\d",
        "`expert-01` to `expert-20`: an Expert game under way, 187 to 379 of 381 gems shown.",
    ),
}
"""For boards that differ little: what their names match, and what the page says instead of a row for each."""


def sizes(suite: Suite) -> list[str]:
    return [f"{board.grid.rows}×{board.grid.cols}" for board in suite.boards]


def section(suite: Suite) -> str:
    """What the page says of a suite."""
    lines = [f"## {suite.name}", "", f"{suite.title[0].upper()}{suite.title[1:]}."]
    if suite.engines:
        engines = ", ".join(f"`{name}`" for name in suite.engines)
        runs = "; ".join([f"{suite.runs}", *(f"{runs} of `{name}`" for name, runs in suite.runs_of.items())])
        lines += ["", f"Engines: {engines}. Runs: {runs}. Time limit: {suite.seconds:,} s."]
    without_row, sentence = IN_A_SENTENCE.get(suite.name, ("", ""))
    rows = []
    for size, facts in zip(sizes(suite), map(facts_of, suite.boards), strict=True):
        if not re.fullmatch(without_row, facts.name):
            numbers = f"{facts.unknown:,} | {facts.clues:,} | {'' if facts.total is None else facts.total}"
            rows.append(f"| `{facts.name}` | {size} | {numbers} | {facts.note} |")
    if rows:
        heading = "| board | size | unknown | clues | total | where it is from |"
        lines += ["", heading, "|---|---|---:|---:|---:|---|", *rows]
    return "\n".join([*lines, "", sentence] if sentence else lines)


def test_the_built_in_names_are_the_folders_in_the_package() -> None:
    assert set(BUILT_IN_SUITES) == {path.name for path in SUITES_FOLDER.iterdir()}


def test_every_built_in_suite_has_a_title_of_its_own() -> None:
    titles = suite_names()
    assert list(titles) == list(BUILT_IN_SUITES)
    assert len(set(titles.values())) == len(BUILT_IN_SUITES)


@pytest.mark.parametrize("name", BUILT_IN_SUITES)
def test_every_board_of_a_suite_has_a_name_of_its_own_and_says_where_it_is_from(name: str) -> None:
    suite = load_suite(name)
    assert suite.name == name
    assert len({board.name for board in suite.boards}) == len(suite.boards)
    assert all(board.note for board in suite.boards)


@pytest.mark.parametrize("name", BUILT_IN_SUITES)
def test_every_engine_of_a_suite_is_there_and_keeps_time_limits(name: str) -> None:
    suite = load_suite(name)
    assert all(get_engine(engine).info.time_limit for engine in suite.engines)
    assert set(suite.runs_of) <= set(suite.engines)


@pytest.mark.parametrize("name", SIZES)
def test_the_boards_of_a_source_have_its_sizes(name: str) -> None:
    assert sizes(load_suite(name)) == SIZES[name]


@pytest.mark.parametrize("name", PRINTED)
def test_a_board_that_a_source_prints_is_that_board_and_the_note_of_any_other_says_so(name: str) -> None:
    for board in load_suite(name).boards:
        if board.name in PRINTED[name]:
            path = boards_folder() / "sources" / PRINTED[name][board.name]
            assert board.grid == read_grid(path, zero="unknown" if name == "s4" else "clue")
        else:
            assert board.note.startswith("ours; ")
            assert f"{name.upper()} has a board of this size and does not print it" in board.note


def test_s2_names_its_boards_as_its_folders() -> None:
    assert [board.name for board in load_suite("s2").boards] == [f"testcase_{number}" for number in range(6)]


def test_s2_has_two_different_boards_of_5_by_5() -> None:
    first, second = load_suite("s2").boards[1:3]
    assert first.grid != second.grid


def test_the_five_boards_of_s4_have_20_81_114_144_and_197_clauses() -> None:
    boards = load_suite("s4").boards
    clauses = [encode(board.grid, variables="all", keep_duplicates=True).size for board in boards]
    assert clauses == [20, 81, 114, 144, 197]
    assert all(f"{size} clauses" in board.note for size, board in zip(clauses, boards, strict=True))


def test_s4_runs_the_genetic_algorithm_five_times_and_cuts_off_at_1000_s() -> None:
    suite = load_suite("s4")
    assert (suite.runs, suite.runs_of, suite.seconds) == (1, {"genetic": 5}, 1000)


def test_s3_runs_everything_three_times() -> None:
    suite = load_suite("s3")
    assert (suite.runs, suite.runs_of) == (3, {})


def test_the_boards_of_scaling_are_made_from_a_seed() -> None:
    boards = load_suite("scaling").boards
    assert [path.name for path in (SUITES_FOLDER / "scaling").iterdir()] == ["index.toml"]
    assert boards[0].grid == random_grid(10, 10, density=0.2, shown=0.5, seed=0)


@pytest.mark.parametrize(
    "board", load_suite("large").boards[:6], ids=lambda board: str(board.name)
)  # the larger ones are made in the same way
def test_a_board_of_large_has_a_solution_unless_a_clue_was_raised(board: BenchBoard) -> None:
    outcome = solve(board.grid).outcome
    assert isinstance(outcome, Refuted if board.name.endswith("-raised") else Solved)


def test_a_raised_board_of_large_differs_from_the_one_before_in_one_clue() -> None:
    boards = load_suite("large").boards
    for plain, raised in zip(boards[::2], boards[1::2], strict=True):
        difference = raised.grid.cells - plain.grid.cells
        assert raised.name == f"{plain.name}-raised"
        assert (difference.sum(), (difference != 0).sum()) == (1, 1)


def test_positions_are_expert_games_under_way_that_ms_toollib_can_be_asked_about() -> None:
    boards = load_suite("positions").boards
    assert len(boards) == 20
    assert {(board.grid.rows, board.grid.cols, board.total) for board in boards} == {(16, 30, 99)}
    shown = [facts_of(board).clues for board in boards]
    assert (min(shown), max(shown)) == (187, 379)
    assert all(can_answer("ms_toollib", board) for board in boards)
    assert all(isinstance(solve(board.grid, total=99).outcome, Solved) for board in boards)


@pytest.mark.parametrize("board", load_suite("unsat").boards, ids=lambda board: str(board.name))
def test_no_board_of_unsat_has_a_solution(board: BenchBoard) -> None:
    assert isinstance(solve(board.grid, total=board.total).outcome, Refuted)


def test_unsat_has_every_board_of_hard_without_a_solution() -> None:
    hard = [board.name for board in load_suite("hard").boards if board.name.endswith("_unsat")]
    assert len(hard) == 9
    assert set(hard) < {board.name for board in load_suite("unsat").boards}


@pytest.mark.parametrize("name", BUILT_IN_SUITES)
def test_the_page_has_the_boards_engines_and_limits_of_the_index(name: str) -> None:
    assert f"{section(load_suite(name))}\n" in PAGE


def test_the_page_speaks_of_no_other_suite() -> None:
    headings = [line.removeprefix("## ") for line in PAGE.splitlines() if line.startswith("## ")]
    assert [heading for heading in headings if heading[0] in string.ascii_lowercase] == list(BUILT_IN_SUITES)


def test_the_wheel_has_every_file_of_the_suites_and_of_the_boards_they_share() -> None:
    packed = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    folders = (SUITES_FOLDER, boards_folder())
    files = {path for folder in folders for path in folder.rglob("*") if path.is_file()}
    assert {f"gemhunter/{path.relative_to(SUITES_FOLDER.parent).as_posix()}" for path in files} <= {
        path.replace("\\", "/") for path in packed
    }
