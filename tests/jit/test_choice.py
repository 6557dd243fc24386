"""When kernels are compiled: not for small work, at once for large work, and in the middle of a search."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gemhunter import parse_grid, solve
from gemhunter.counting.parts import merge_and_split
from gemhunter.counting.positions import weigh_positions
from gemhunter.engines import backtracking
from gemhunter.engines.backtracking import search_cells
from gemhunter.engines.brute_force import try_solutions
from gemhunter.errors import InputError
from gemhunter.jit import choice
from gemhunter.jit.choice import Mode, compiling, current_mode, listening, pays, seconds_to_have
from gemhunter.jit.kernel import Kernel, Options, kernel, tight_kernel
from gemhunter.play.agents.compiled import play_seeds


def numbers(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(count)


@kernel
def twice(number: int) -> int:
    """A kernel without an estimate."""
    return 2 * number


@kernel(estimate=lambda array: array.size)
def sum_twice(array: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    """A kernel that is said to take a second for each number."""
    total = 0
    for number in array:
        total += twice(int(number))
    return total


@tight_kernel
def first(array: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    """A kernel that allocates nothing."""
    return int(array[0])


def fresh(original: Kernel[..., int]) -> Kernel[..., int]:
    """The kernel as it is when a process starts."""
    return Kernel(original.__wrapped__, original.options, original._estimate)


def test_a_numba_that_cannot_be_loaded_means_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gemhunter.jit.compiler", None)
    monkeypatch.setattr("gemhunter.jit.choice._Process.said", set())
    said: list[str] = []
    with compiling(Mode.ALWAYS), listening(lambda line, lasting: said.append(line)):
        assert [fresh(sum_twice)(numbers(4)) for _ in range(2)] == [12, 12]
    assert len(said) == 1
    assert said[0].startswith("everything runs as plain Python, as Numba cannot be loaded: ")


def test_a_kernel_is_an_ordinary_function_to_its_callers() -> None:
    assert (sum_twice(numbers(4)), sum_twice.name, sum_twice.__doc__) == (
        12,
        f"{__name__}.sum_twice",
        "A kernel that is said to take a second for each number.",
    )
    assert sum_twice.closure == {sum_twice, twice}


def test_plain_kernels_call_plain_functions() -> None:
    assert sum_twice.plain.__globals__["twice"] is twice.plain
    assert not isinstance(twice.plain, Kernel)


def test_plain_results_are_numbers_of_python_as_compiled_ones_are() -> None:
    with compiling(Mode.NEVER):
        assert type(sum_twice(numbers(4))) is int


def test_small_work_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "seconds_to_have", lambda _: 8.0)
    with compiling(Mode.AUTO):
        assert not pays(sum_twice, 8.0)
        assert pays(sum_twice, 8.1)


@pytest.mark.parametrize(("mode", "answer"), [(Mode.NEVER, False), (Mode.ALWAYS, True)])
def test_a_mode_decides_for_all_kernels(mode: Mode, answer: bool) -> None:
    with compiling(mode):
        assert current_mode() is mode
        assert [pays(sum_twice, 0.0), pays(sum_twice, 1e9)] == [answer, answer]


def test_what_plain_python_has_taken_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that comes back again and again is compiled once it has used its plain budget."""
    asked = []
    monkeypatch.setattr(choice, "pays", lambda _, seconds: asked.append(seconds))
    counted = fresh(sum_twice)
    counted.plain_seconds = 5.0
    with compiling(Mode.AUTO):
        counted(numbers(3))
    assert asked == [8.0]
    assert counted.plain_seconds > 5.0


def test_a_kernel_without_an_estimate_is_compiled_in_its_callers_only() -> None:
    alone = fresh(twice)
    with compiling(Mode.ALWAYS):
        assert alone(4) == 8
    assert not alone.is_compiled


def test_without_numba_there_is_one_notice_where_compiling_would_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "is_installed", lambda: False)
    monkeypatch.setattr("gemhunter.jit.choice._Process.said", set())
    said: list[tuple[str, bool]] = []
    with compiling(Mode.AUTO), listening(lambda line, *, lasting: said.append((line, lasting))):
        assert [fresh(sum_twice)(numbers(count)) for count in (2, 300, 400)] == [2, 89700, 159600]
    assert said == [(choice.numba_missing(), True)]


def test_compiling_a_large_kernel_is_known_to_take_longer() -> None:
    small, middle, large = (
        choice.compile_seconds(each) for each in (try_solutions, weigh_positions, play_seeds)
    )
    assert 0.1 < small < 1 < middle < large < 100


def test_a_kernel_in_the_cache_is_used_for_less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = []
    for cached in (False, True):
        monkeypatch.setattr("gemhunter.jit.cache.is_cached", lambda _, cached=cached: cached)
        costs.append(seconds_to_have(weigh_positions))
    assert costs[1] < 1  # with what it takes to import Numba, unless another test has
    assert costs[0] > 10


def test_options_are_kept() -> None:
    assert (first.options, merge_and_split.options.tight) == (Options(tight=True), False)


def test_the_variable_has_three_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice._Current, "mode", None)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv(choice.MODE_VARIABLE, "sometimes")
    with pytest.raises(InputError, match="GEMHUNTER_COMPILE is one of auto, always, never, not 'sometimes'"):
        current_mode()
    for value, mode in [("always", Mode.ALWAYS), ("never", Mode.NEVER), ("", Mode.AUTO)]:
        monkeypatch.setattr(choice._Current, "mode", None)
        monkeypatch.setenv(choice.MODE_VARIABLE, value)
        assert current_mode() is mode


@pytest.mark.parametrize("before", [None, "always"])
def test_plain_python_applies_here_and_in_children_until_the_block_ends(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice._Current, "mode", Mode.AUTO)
    monkeypatch.delenv(choice.MODE_VARIABLE, raising=False)
    if before is not None:
        monkeypatch.setenv(choice.MODE_VARIABLE, before)
    with choice.compiling_everywhere(Mode.NEVER):
        assert (current_mode(), os.environ[choice.MODE_VARIABLE]) == (Mode.NEVER, "never")
    assert (current_mode(), os.environ.get(choice.MODE_VARIABLE)) == (Mode.AUTO, before)


INTERACTIVE = """
import sys
from itertools import islice
from gemhunter import analyse, parse_grid, solve
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game import new_game
from gemhunter.play.advice import game_hint
from gemhunter.play.advice import advise
from gemhunter.play.many_games import play_games
from gemhunter.board.position import FirstClick
from gemhunter.play.game_ids import LEVELS
from gemhunter.play.player import play_game
from gemhunter.questions.trace import trace
from gemhunter.questions.warmup import own_engines
from gemhunter.board.grid import Cell

board = parse_grid({board!r})
for name in own_engines():
    if name.partition(":")[0] not in ("brute-force", "cp-sat") and name != "backtracking:clauses":
        solve(board, name, step_limit=2000)
for name in ("dpll", "cdcl", "backtracking", "resolution"):
    list(islice(trace(board, name), 500))
for traps in (None, 20):
    analyse(board, total=traps)
game = new_game("expert#3").reveal(Cell(0, 0))
advise(game)
game_hint(game.view, Cell(5, 5))
for name in AGENTS:
    list(play_game(new_game("9x9n10#3"), new_player(name)))
play_games("expert", LEVELS["expert"], FirstClick.SAFE, range(1))
print("numba" in sys.modules)
"""


def test_what_people_do_interactively_needs_no_compiler(tmp_path: Path) -> None:
    """Numba is not even imported; the cache is empty."""
    board = (
        "0_1______\n12__2_2__\n__3_2__2_\n1_______2\n___5_3_21\n02_______\n_24___22_\n___1_1_32\n____0_2_1"
    )
    done = subprocess.run(
        [sys.executable, "-c", INTERACTIVE.format(board=board)],
        env={
            "PATH": "",
            "NUMBA_CACHE_DIR": str(tmp_path),
            "GEMHUNTER_COMPILE": "auto",
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_a_search_continues_compiled_with_the_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first slices are plain, the others compiled, and nothing shows it."""
    board = parse_grid("\n".join(["1_" * 6 + "1", "_" * 13] * 6 + ["1_" * 6 + "1"]))
    monkeypatch.setattr(backtracking, "FIRST_SLICE_NODES", 20)
    with compiling(Mode.NEVER):
        plain = solve(board, "backtracking", step_limit=600)
    monkeypatch.setattr(backtracking, "search_cells", fresh(search_cells))
    calls: list[float] = []

    def decide(_: object, seconds: float) -> bool:
        calls.append(seconds)
        return len(calls) > 3 and choice.is_installed()

    monkeypatch.setattr(choice, "pays", decide)
    with compiling(Mode.AUTO):
        changed = solve(board, "backtracking", step_limit=600)
    assert len(calls) > 3
    assert (changed.outcome, changed.counters) == (plain.outcome, plain.counters)
