"""Numbers with what they count, and lists of words."""

from collections.abc import Iterable


def counted(count: int, thing: str, things: str = "") -> str:
    """`1 cell`, `2 cells`, `1,000 cells`; `things` is for plurals that have more than an s."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def listed(words: Iterable[str]) -> str:
    """Words with commas and `and` between them: `r1c1, r1c2 and r1c3`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
