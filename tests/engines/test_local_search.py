"""Local search: boards it must solve, where it stops, and that compiling changes nothing."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import oracles
from boards import FOLDER_VARIABLE, even_lattice, hard_board, random_board
from compiled import needs_compiler, output_either_way
from gemhunter import GaveUp, InputError, Refuted, Solved, StopReason, parse_grid, read_grid, solve
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.puzzle import read_puzzle
from gemhunter.engines.backtracking import new_search
from gemhunter.solving.registry import get_engine
from strategies import Planted, small_boards

NO_SOLUTION = parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
"""Nothing in its 16 cells is decided by a single clue."""


@pytest.mark.parametrize("number", [3, 8, 9, 13, 16])
def test_a_hard_board_is_solved(number: int) -> None:
    board = hard_board(number)
    assert isinstance(solve(board.grid, "local-search", total=board.total, seed=1).outcome, Solved)


@pytest.mark.parametrize("board", [random_board(200, 0.3), even_lattice(60)], ids=lambda board: board.name)
def test_a_large_board_is_solved(board: BenchBoard) -> None:
    assert isinstance(solve(board.grid, "local-search").outcome, Solved)


@pytest.mark.skipif(FOLDER_VARIABLE not in os.environ, reason=f"{FOLDER_VARIABLE} names no folder of boards")
def test_every_solvable_board_of_others_is_solved() -> None:
    folder = Path(os.environ[FOLDER_VARIABLE])
    with (folder / "index.csv").open(encoding="utf-8", newline="") as index:
        solvable = [folder / row["file"] for row in csv.DictReader(index) if row["sat"] == "True"]
    outcomes = {file.name: solve(read_grid(file), "local-search").outcome for file in solvable}
    assert [name for name, outcome in outcomes.items() if not isinstance(outcome, Solved)] == []


@given(small_boards())
def test_only_boards_without_a_solution_are_refuted_and_all_others_solved(planted: Planted) -> None:
    outcome = solve(planted.grid, "local-search:cap=5000", total=planted.traps).outcome
    if oracles.all_solutions(planted.grid, planted.traps):
        assert isinstance(outcome, Solved)
    else:
        assert isinstance(outcome, Refuted | GaveUp)


def test_what_single_clues_contradict_is_refuted() -> None:
    assert isinstance(solve(parse_grid("1, _, _\n0, _, _"), "local-search").outcome, Refuted)


def test_what_single_clues_decide_needs_no_flip() -> None:
    report = solve(parse_grid("2, _, 1\n_, G, 1"), "local-search")
    assert (str(report.filled), report.counters["flips"]) == ("2, T, 1\nT, G, 1", 0)


def test_it_gives_up_after_a_number_of_flips_for_each_open_cell() -> None:
    report = solve(NO_SOLUTION, "local-search")
    assert report.outcome == GaveUp(StopReason.ATTEMPTS, "320,000 flips tried")
    assert report.counters["flips"] == 20_000 * 16


@pytest.mark.parametrize("steps", [1, 999, 1_000_000])
@needs_compiler
def test_a_step_limit_takes_the_place_of_that_number(steps: int) -> None:
    report = solve(NO_SOLUTION, "local-search", step_limit=steps)
    assert report.outcome == GaveUp(
        StopReason.STEPS, "1 flip tried" if steps == 1 else f"{steps:,} flips tried"
    )
    assert report.counters["flips"] == steps


def test_each_round_is_twice_as_long_as_the_one_before() -> None:
    report = solve(NO_SOLUTION, "local-search:round=100", step_limit=1600 * (1 + 2 + 4) + 1)
    assert report.counters["restarts"] == 3


def test_a_seed_decides_everything() -> None:
    grid = random_board(30, 0.3).grid
    runs = [solve(grid, "local-search", seed=seed) for seed in (3, 3, 4)]
    assert (runs[0].outcome, runs[0].counters) == (runs[1].outcome, runs[1].counters)
    assert runs[0].counters != runs[2].counters


@pytest.mark.parametrize("traps", [None, 100])
def test_running_numbers_agree_with_the_filling(traps: int | None) -> None:
    from gemhunter.engines.local_search import WRONG_COUNT, _beginning, walk

    puzzle = read_puzzle(random_board(25, 0.3).grid, traps)
    search = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
    state = _beginning(search, 7)
    assert walk(state, 4.0 ** -np.arange(-9, 10.0), 500) == 500
    surplus = np.add.reduceat(state.traps[puzzle.cells], puzzle.starts[:-1], dtype=np.int64) - puzzle.traps
    assert state.surplus.tolist() == surplus.tolist()
    wrong = state.wrong[: state.numbers[WRONG_COUNT]]
    assert sorted(wrong.tolist()) == np.flatnonzero(surplus).tolist()
    assert (state.place[wrong] == np.arange(wrong.size)).all()


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("greed=0.5", "1 <= greed <= greediest <= 1000 must hold, found 0.5 and 20"),
        ("greed=30", "1 <= greed <= greediest <= 1000 must hold, found 30 and 20"),
        ("greediest=nan", "1 <= greed <= greediest <= 1000 must hold, found 2 and nan"),
        ("round=0", "round must be from 1 to 1,000,000,000 flips per cell, not 0"),
        ("cap=0", "cap must be from 1 to 1,000,000,000 flips per cell, not 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(argument: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^local-search: {message}$"):
        get_engine(f"local-search:{argument}")


def test_uncompiled_kernels_do_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        f"report = solve(parse_grid({str(NO_SOLUTION)!r}), 'local-search', step_limit=3000)\n"
        "other = solve(parse_grid('3, _, 2, _\\n_, _, 2, _\\n_, 3, 1, _'), 'local-search', total=5, seed=5)\n"
        "print(report.outcome, dict(report.counters), other.filled, dict(other.counters))"
    )
    output = output_either_way(program)
    assert "restarts" in output
