"""Numbers with what they count."""


def counted(count: int, thing: str, things: str = "") -> str:
    """`1 cell`, `2 cells`, `1,000 cells`; `things` is for plurals that have more than an s."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"
