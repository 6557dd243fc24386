"""Words that people read: numbers with nouns, lists, large numbers, times, and the name of the program."""

import os
import shlex
from collections.abc import Collection, Iterable, Sequence
from math import log10

# Numbers with nouns, and lists of words.


def counted(count: int, thing: str, things: str = "") -> str:
    """`1 cell`, `2 cells`, `1,000 cells`; `things` is for irregular plurals."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def listed(words: Iterable[str]) -> str:
    """Words with commas and `and` between them: `r1c1, r1c2 and r1c3`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """`two`; from eleven on, `11`."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else f"{number:,}"


def traps_text(number: int) -> str:
    """`one trap`, `two traps`, `no trap`."""
    return f"{number_word(number)} {'trap' if number < 2 else 'traps'}"


def joined(names: Sequence[str], things: str = "others") -> str:
    """`a`, `a and b`, `a, b and c`; a long list ends with the number of other names. Empty for none."""
    # A sentence names at most twelve cells or clues; of a longer list, it names eleven and counts the others.
    if len(names) > 12:
        names = [*names[:11], f"{len(names) - 11:,} {things}"]
    return listed(names) if names else ""


def are(cells: Collection[object], kind: str) -> str:
    """`is a trap`, `are traps`."""
    return f"is a {kind}" if len(cells) == 1 else f"are {kind}s"


def capital(text: str) -> str:
    """The text with a capital letter in front, unless it begins with the name of a cell."""
    return text if text.startswith("r") and text[1:2].isdigit() else text[:1].upper() + text[1:]


# Numbers of solutions, which can have millions of digits.


EXACT_BITS = 200
"""The number of leading bits that the short form of a number is based on."""


def about(number: int) -> str:
    """The short form of a large number, as in 1.2e34."""
    from decimal import Decimal  # few commands need it

    if number.bit_length() <= EXACT_BITS:
        return f"{Decimal(number):.1e}".replace("e+", "e")
    exponent = digit_count(number) - 1
    leading = f"{10 ** (_logarithm(number) - exponent):.1f}"
    return f"1.0e{exponent + 1}" if leading == "10.0" else f"{leading}e{exponent}"


def digit_count(number: int) -> int:
    """The number of decimal digits of a number above 0; writing them out could take long."""
    power = _logarithm(number)
    nearest = round(power)
    if abs(power - nearest) > 1e-6:
        return int(power) + 1
    return nearest + 1 if number >= 10**nearest else nearest


def _logarithm(number: int) -> float:
    """The decimal logarithm of a number above 0, from its leading bits."""
    shift = max(number.bit_length() - EXACT_BITS, 0)
    return log10(number >> shift) + shift * log10(2)


# Running times as text: for people in a suitable unit, for files in seconds.


def seconds_text(seconds: float) -> str:
    """A running time for the screen, with three significant digits in a suitable unit."""
    if seconds < 1e-6:  # the clock cannot measure shorter times
        return "<1 µs"
    for unit, per_second in (("µs", 1e6), ("ms", 1e3), ("s", 1.0)):
        rounded = float(f"{seconds * per_second:.3g}")
        if rounded < 1000:
            decimals = 2 if rounded < 10 else 1 if rounded < 100 else 0
            return f"{rounded:.{decimals}f} {unit}"
    return f"{seconds:,.0f} s"


def seconds_in_file(seconds: float) -> str:
    """A running time for files: seconds with six decimals."""
    return f"{seconds:.6f}"


# What people type to start this program: `gemhunter`, or in a clone `./run`.


PROGRAM_NAME = "gemhunter"

STARTED_AS = "GEMHUNTER_COMMAND"
"""The environment variable in which `./run` and `run.cmd` say how they were called."""


def program_name() -> str:
    """The first word of a suggested command, quoted if the shell needs that."""
    started = os.environ.get(STARTED_AS, PROGRAM_NAME)
    if os.name == "nt":
        return f'"{started}"' if " " in started else started
    return shlex.quote(started)
