"""Numbers with what they count: one is never many."""

import re
from pathlib import Path

import pytest

import gemhunter
from gemhunter.wording import counted

SOURCES = sorted(Path(gemhunter.__file__).parent.rglob("*.py"))
BY_HAND = re.compile(r"""["']s["'] \* \(|\{len\([^{}]*\)(?::,)?\} [a-z]+s\b""")
"""An s that is added by hand, or a length before a plural."""


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1_000, "1,000 cells"), (1_234_567, "1,234,567 cells")],
)
def test_one_is_singular_and_thousands_are_parted(count: int, text: str) -> None:
    assert counted(count, "cell") == text


def test_a_plural_can_be_given() -> None:
    assert [counted(count, "entry", "entries") for count in (1, 2)] == ["1 entry", "2 entries"]


def test_no_message_makes_its_own_plurals() -> None:
    found = {path.name: BY_HAND.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {name: each for name, each in found.items() if each} == {}
