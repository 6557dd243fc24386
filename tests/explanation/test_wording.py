"""Lists in sentences about deductions."""

import pytest

from gemhunter.printable import MOST_NAMES, joined


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b", "c"], "a, b and c"),
        (["a"] * MOST_NAMES, ", ".join(["a"] * (MOST_NAMES - 1)) + " and a"),
        (["a"] * (MOST_NAMES + 1), ", ".join(["a"] * (MOST_NAMES - 1)) + " and 2 others"),
    ],
)
def test_many_names_are_counted_and_none_are_an_empty_text(names: list[str], text: str) -> None:
    assert joined(names) == text
