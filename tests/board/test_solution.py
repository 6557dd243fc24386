"""A solution fills the hidden cells of its board, in reading order."""

import numpy as np
import pytest

from gemhunter.board.solution import Solution
from gemhunter.files.text import parse_grid


def test_a_solution_fills_hidden_cells_in_reading_order() -> None:
    filled = Solution(np.array([True, False, True])).fill(parse_grid("_, 1, _\n2, _, G"))
    assert str(filled) == "T, 1, G\n2, T, G"


def test_a_solution_of_another_size_does_not_fill_a_board() -> None:
    with pytest.raises(ValueError, match="2 values for 3 hidden cells"):
        Solution(np.array([True, False])).fill(parse_grid("_, _, _"))


def test_a_model_is_read_as_far_as_the_hidden_cells_go() -> None:
    model = np.array([-1, 2, 3, -4, 5], np.int64)
    assert Solution.of_model(model, hidden=3) == Solution(np.array([False, True, True]))


def test_cells_that_a_model_leaves_out_are_gems() -> None:
    assert Solution.of_model(np.array([2], np.int64), hidden=3).traps.tolist() == [False, True, False]


def test_equal_traps_make_equal_solutions_with_equal_hashes() -> None:
    one, other = Solution(np.array([True, False])), Solution(np.array([1, 0], bool))
    assert (one, hash(one)) == (other, hash(other))


def test_a_solution_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Solution(np.array([True])).traps[0] = False
