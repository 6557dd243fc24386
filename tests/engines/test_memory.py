"""A memory limit is kept: engines that would outgrow it give up, and say so."""

import shutil
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from campaigns import first_of
from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cli.main import run as run_command
from gemhunter.cnf.encode import encode_puzzle, encoding_bytes
from gemhunter.cnf.encodings import ENCODINGS, most_literals, template
from gemhunter.engines import pysat
from gemhunter.errors import EngineError, InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.work import memory

SMALL = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
OURS = [
    *("brute-force", "backtracking:reading", "backtracking:most-constrained", "dpll", "cdcl"),
    *("resolution", "genetic", "local-search", "backtracking:clauses", "brute-force:clauses"),
]
PYSAT = first_of(["pysat:kissat404", "pysat:cadical153", "pysat:minisat22", "pysat:minicard"])


def large(side: int = 100) -> Grid:
    """A board of that side, about half of it shown."""
    random = np.random.default_rng(7)
    return grid_from_traps(random.random((side, side)) < 0.3, random.random((side, side)) < 0.5)


def outgrew(outcome: Outcome) -> bool:
    return isinstance(outcome, GaveUp) and outcome.stop_reason is StopReason.MEMORY


@pytest.mark.parametrize("name", [*OURS, *PYSAT])
def test_a_limit_that_is_not_reached_changes_nothing(name: str) -> None:
    assert isinstance(solve(SMALL, name, memory_limit=10**9, seed=1).outcome, Solved)


@pytest.mark.parametrize("name", [*OURS, *PYSAT])
def test_an_engine_gives_up_rather_than_outgrow_its_limit(name: str) -> None:
    assert outgrew(solve(large(), name, memory_limit=20_000, step_limit=1000, seed=1).outcome)


@pytest.mark.parametrize("name", first_of(["pysat:cadical153", "pysat:minisat22", "pysat:kissat404"]))
def test_a_solver_whose_search_outgrows_the_limit_gives_up(name: str) -> None:
    assert encoding_bytes(read_puzzle(large())) < 9_000_000
    assert outgrew(solve(large(), name, memory_limit=9_000_000, seed=1).outcome)


@pytest.mark.parametrize("command", ["minisat", "cadical -q", "picosat"])
def test_a_program_that_outgrows_the_limit_gives_up(command: str) -> None:
    if shutil.which(command.split(maxsplit=1)[0]) is None:
        pytest.skip(f"{command} is not installed")
    assert outgrew(solve(large(), f"cmd:{command}", memory_limit=7_000_000, seed=1).outcome)
    assert isinstance(solve(SMALL, f"cmd:{command}", memory_limit=10**9, seed=1).outcome, Solved)


@pytest.mark.parametrize(
    ("last_act", "gave_up"),
    [
        ("raise MemoryError", True),
        ("import os; os.abort()", True),
        ("sys.exit('std::bad_alloc')", True),
        ("bytearray(10**10)", True),
        ("sys.exit('no such option')", False),
    ],
)
def test_only_failures_for_want_of_memory_are_taken_for_it(
    last_act: str, gave_up: bool, tmp_path: Path
) -> None:
    program = tmp_path / "solver.py"
    program.write_text(f"import sys\n{last_act}\n", encoding="utf-8")
    name = f"cmd:{sys.executable} {program}"
    if gave_up:
        assert outgrew(solve(SMALL, name, memory_limit=10**9).outcome)
    else:
        with pytest.raises(EngineError, match="no such option"):
            solve(SMALL, name, memory_limit=10**9)
    with pytest.raises(EngineError):
        solve(SMALL, name) if last_act[0] != "b" else solve(SMALL, "cmd:false")


def test_a_proof_is_written_under_a_limit_too() -> None:
    grid = parse_grid("1_2_1\n_____\n2_3_2\n_____\n1_2_1")
    outcome = solve(grid, "pysat:glucose4", memory_limit=10**9, proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None


@pytest.mark.parametrize(("missing", "answer"), [("find_spec", None), ("address_space", 0)])
def test_a_platform_without_limits_for_processes_refuses_one(
    missing: str, answer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no module `resource`; macOS does not say how much address space is in use."""
    monkeypatch.setattr(memory, missing, lambda *_: answer)
    monkeypatch.setattr(pysat, "_info", pysat._info.__wrapped__)  # not what is kept of this platform
    for name in ("pysat", "cmd:cadical"):
        assert "memory" not in get_engine(name).info.limits
        with pytest.raises(InputError, match="cannot keep a memory limit"):
            solve(SMALL, name, memory_limit=10**9)


@pytest.mark.parametrize(("side", "traps"), [(150, None), (200, None), (20, 90), (30, 200)])
def test_the_size_of_a_formula_is_known_before_it_is_built(side: int, traps: int | None) -> None:
    puzzle = read_puzzle(large(side), traps)
    encode_puzzle(puzzle)
    tracemalloc.start()
    encode_puzzle(puzzle)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.2 * encoding_bytes(puzzle) < peak < 1.1 * encoding_bytes(puzzle) + 1_500_000


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("n", "k"), [(8, 3), (12, 11), (13, 2), (13, 6), (50, 1), (50, 25), (120, 60), (300, 0), (5, 5)]
)
def test_no_template_has_more_literals_than_it_is_said_to(encoding: str, n: int, k: int) -> None:
    assert sum(map(len, template(encoding, n, k).clauses)) <= most_literals(encoding, n, k)


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "board.txt"
    path.write_text(f"{SMALL}\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("size", ["150", "0.15kB", "0.15K", "0.14KiB", "0.00015 MB"])
def test_the_command_line_gives_up_with_exit_code_3(
    size: str, board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["solve", board, "-e", "backtracking", "--memory-limit", size]) == 3
    assert "too large to fit into memory" in capsys.readouterr().out


@pytest.mark.parametrize("size", ["500 GB", "2GiB", "1000000000"])
def test_the_command_line_solves_within_a_generous_limit(size: str, board: str) -> None:
    assert run_command(["solve", board, "-e", "backtracking", "--memory-limit", size]) == 0


@pytest.mark.parametrize("size", ["much", " ", "5 apples", "-1", "0", "3iB", "1e9", "5PB"])
def test_a_size_that_is_none_is_refused(size: str, board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["solve", board, "--memory-limit", size]) == 2
    assert "expected" in capsys.readouterr().err
