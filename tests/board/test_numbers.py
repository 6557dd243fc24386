"""Numbers from Python callers: NumPy's are taken, and what cannot be is named in the error."""

from typing import Any

import numpy as np
import pytest

from gemhunter import InputError, count, parse_grid, probabilities, sample, solve
from gemhunter.errors import whole_number
from gemhunter.generate.puzzles import PuzzleWish, generate_puzzle
from gemhunter.play.game_ids import GameId, read_level
from gemhunter.solving.run import Limits
from gemhunter.work.pieces import seeds_from

BOARD = parse_grid("1, _\n_, _")
WRONG: list[Any] = [-1, 1.5, 2.0, "3", None, True, np.True_, float("nan"), float("inf"), [1], 1j, 2**63]


@pytest.mark.parametrize("number", [np.int8(3), np.uint64(3), np.int64(3), 3])
def test_whole_numbers_of_any_kind_become_ints(number: Any) -> None:
    taken = whole_number(number, "a seed", 0, 10)
    assert (taken, type(taken)) == (3, int)
    assert solve(BOARD, "cdcl:pick=random", seed=number).seed == 3
    assert solve(BOARD, step_limit=number, engine="dpll").outcome == solve(BOARD, engine="dpll").outcome
    # Kernels would be compiled again for numbers of another type.
    limits = Limits(steps=number, memory=number)
    seeds = GameId(read_level("easy"), number).seed, seeds_from(number, 1).start
    assert {type(taken) for taken in (limits.steps, limits.memory, *seeds)} == {int}
    made, expected = (generate_puzzle(PuzzleWish(3, 4), seed=seed) for seed in (number, 3))
    assert repr(made) == repr(expected)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_seed_is_named(wrong: Any) -> None:
    with pytest.raises(InputError, match="a seed must be a whole number from 0 to 9223372036854775807, not "):
        solve(BOARD, "cdcl", seed=wrong)
    with pytest.raises(InputError, match="a seed must be a whole number"):
        GameId(read_level("easy"), wrong)


@pytest.mark.parametrize("wrong", [-1, 1.5, "3", True, float("nan"), [1]])
def test_a_wrong_total_is_named(wrong: Any) -> None:
    for ask in (solve, count, probabilities):
        with pytest.raises(InputError, match="the number of traps must be a whole number ≥ 0, not "):
            ask(BOARD, total=wrong)
    with pytest.raises(InputError, match="the number of traps must be a whole number ≥ 0, not "):
        sample(BOARD, 1, total=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "3", True, float("nan"), float("inf")])
def test_a_wrong_step_limit_is_named(wrong: Any) -> None:
    with pytest.raises(InputError, match="a step limit must be a whole number ≥ 1, not "):
        solve(BOARD, "cdcl", step_limit=wrong)


@pytest.mark.parametrize("wrong", [0, -1.0, "3", True, float("nan"), [1]])
def test_a_wrong_time_limit_is_named(wrong: Any) -> None:
    with pytest.raises(InputError, match="a time limit must be a number of seconds above 0, not "):
        solve(BOARD, "cdcl", time_limit=wrong)


def test_a_control_character_in_a_value_is_written_out() -> None:
    with pytest.raises(InputError, match=r"not '\\x1b\[32m'"):
        solve(BOARD, seed="\x1b[32m")  # type: ignore[arg-type]


def test_a_number_too_long_to_be_written_is_described() -> None:
    with pytest.raises(InputError, match="not a number of many digits"):
        solve(BOARD, seed=10**5000)
