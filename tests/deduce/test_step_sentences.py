"""What steps that use the total say."""

import pytest

from gemhunter.formats.text import parse_grid
from gemhunter.queries.explain import explain

PAIR = "1, _, _, _, 1\n_, _, _, _, _"
SHARE = "The 1 at r1c1 and the 1 at r1c5 share no hidden cell and need"
REST = "The other two must be in the two other hidden cells"


@pytest.mark.parametrize(
    ("board", "total", "sentence"),
    [
        ("_, 1, _, _", 1, "The 1 at r1c2 needs the only trap that is left, so r1c4 is a gem."),
        ("2, _, _\n_, _, _", 2, "The 2 at r1c1 needs both traps that are left, so r1c3 and r2c3 are gems."),
        (PAIR, 2, f"{SHARE} both traps that are left, so r1c3 and r2c3 are gems."),
        (PAIR, 4, f"{SHARE} two of the four traps that are left. {REST}, so r1c3 and r2c3 are traps."),
    ],
)
def test_the_total_and_clues_in_words(board: str, total: int, sentence: str) -> None:
    step = explain(parse_grid(board), total=total).steps[0]
    assert (step.rule.name, step.sentence) == ("total", sentence)
