"""Numbers, lists, cells and clues in words, for sentences about deductions."""

from collections.abc import Collection, Iterable, Sequence

from gemhunter.core.plurals import listed
from gemhunter.deduce.knowledge import Knowledge

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MOST_NAMES = 12
"""A sentence names this many cells or clues, and counts the others."""


def number_word(number: int) -> str:
    """`two`; from eleven on, `11`."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else f"{number:,}"


def traps_text(number: int) -> str:
    """`one trap`, `two traps`, `no trap`."""
    return f"{number_word(number)} {'trap' if number < 2 else 'traps'}"


def joined(names: Sequence[str], things: str = "others") -> str:
    """`a`, `a and b`, `a, b and c`; of many, the first ones and the number of the others. Empty for none."""
    if len(names) > MOST_NAMES:
        shown = MOST_NAMES - 1
        names = [*names[:shown], f"{len(names) - shown:,} {things}"]
    return listed(names) if names else ""


def cells_text(known: Knowledge, cells: Iterable[int]) -> str:
    """`r1c1, r1c2 and r2c1`."""
    return joined([str(name) for name in known.names(cells)], "other cells")


def clue_text(known: Knowledge, region: int) -> str:
    """`the 2 at r3c4`."""
    return f"the {known.clue_number(region)} at {known.clue(region)}"


def needs_text(known: Knowledge, region: int) -> str:
    """`the 2 at r3c4 still needs one trap`."""
    needed = known.traps[region]
    still = "still " if needed < known.clue_number(region) else ""
    return f"{clue_text(known, region)} {still}needs {traps_text(needed)}"


def clues_text(known: Knowledge, regions: Iterable[int]) -> str:
    """`the 2 at r3c4 and the 1 at r3c5`."""
    return joined([clue_text(known, region) for region in regions], "other clues")


def are(cells: Collection[object], kind: str) -> str:
    """`is a trap`, `are traps`."""
    return f"is a {kind}" if len(cells) == 1 else f"are {kind}s"


def conclusion(known: Knowledge, traps: Collection[int], gems: Collection[int]) -> str:
    """`r1c1 is a trap, and r2c2 and r2c3 are gems`."""
    parts = [
        f"{cells_text(known, cells)} {are(cells, kind)}"
        for cells, kind in ((traps, "trap"), (gems, "gem"))
        if cells
    ]
    return ", and ".join(parts)


def supposed(known: Knowledge, traps: Collection[int], gems: Collection[int]) -> str:
    """`r1c1 were a trap`."""
    parts = [
        f"{cells_text(known, cells)} {f'were a {kind}' if len(cells) == 1 else f'were {kind}s'}"
        for cells, kind in ((traps, "trap"), (gems, "gem"))
        if cells
    ]
    return " and ".join(parts)


def capital(text: str) -> str:
    """The text with a capital letter in front, unless it begins with the name of a cell."""
    return text if text.startswith("r") and text[1:2].isdigit() else text[:1].upper() + text[1:]
