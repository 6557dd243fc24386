"""An analysis as text and as JSON."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import log10
from typing import Any

from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.core.grid import Cell
from gemhunter.core.plurals import counted
from gemhunter.printable import json_text
from gemhunter.queries.analyse import Analysis
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.records.analyses import analysis_record
from gemhunter.solving.outcomes import GaveUp, Refuted

MOST_NAMES = 20
"""Of equally safe cells that are listed by name; programs get them all."""

MOST_FORCED_NAMES = 200
"""Of forced cells that are listed by name: a player must not miss one."""

INDENT = "  "
"""Before the second line of a list that is too long for one, and all that follow."""

MOST_DIGITS = 60
"""Of a number of solutions that people get to see in full."""

EXACT_BITS = 200
"""Of a number that is shortened exactly; of a longer one, so many leading bits say all there is to show."""

READABLE_DIGITS = 15
"""Of a number that needs no second form."""


def exit_code(found: Analysis) -> int:
    """That a board has no solution comes first, then that something was not found out."""
    if found.solvable is False:
        return NO_SOLUTION
    return GAVE_UP if found.gave_up else SOLVED


def amount_of_digits(number: int) -> int:
    """How many decimal digits a number above 0 has, without writing them: that takes long for many."""
    power = _logarithm(number)
    nearest = round(power)
    if abs(power - nearest) > 1e-6:
        return int(power) + 1
    return nearest + 1 if number >= 10**nearest else nearest


def about(number: int) -> str:
    """A large number in short, as in 1.2e34."""
    if number.bit_length() <= EXACT_BITS:
        return f"{Decimal(number):.1e}".replace("e+", "e")
    exponent = amount_of_digits(number) - 1
    leading = f"{10 ** (_logarithm(number) - exponent):.1f}"
    return f"1.0e{exponent + 1}" if leading == "10.0" else f"{leading}e{exponent}"


def _logarithm(number: int) -> float:
    """The decimal logarithm of a number above 0, from its leading bits."""
    shift = max(number.bit_length() - EXACT_BITS, 0)
    return log10(number >> shift) + shift * log10(2)


def as_json(
    board: str, found: Analysis, rough: Mapping[str, Any], *, total: int | None, density: float | None
) -> str:
    """One object for programs, a line per field; `total` and `density` are what was assumed."""
    record = {"board": board, "traps": total, "density": density, **analysis_record(found, rough)}
    fields = (f"  {json.dumps(name)}: {json_text(value)}" for name, value in record.items())
    return "{\n" + ",\n".join(fields) + "\n}"


def summary(found: Analysis, more: Sequence[str] = (), columns: int | None = None) -> str:
    """Everything but the map, a line per answer; `more` is about the number of solutions.

    Lists of cells are wrapped to lines of `columns` characters.
    """
    lines = [_verdict_words(found)]
    if isinstance(found.verdict, Refuted):
        conflict = [_listed("conflicting clues", found.verdict.clues, columns)] * bool(found.verdict.clues)
        return "\n".join(lines + conflict)
    lines += [f"solutions: {_count_words(found.count)}", *more]
    lines.append(f"unique: {_unique_words(found.unique)}")
    match found.forced:
        case Forced(_, traps, gems):
            lines += [_listed("forced traps", traps, columns), _listed("forced gems", gems, columns)]
        case GaveUp() as gave_up:
            lines.append(f"forced cells: {_gave_up(gave_up)}")
    match found.probabilities:
        case Probabilities() as likely:
            lines.append(_wrapped(f"safest: {_safest_words(likely, found.forced)}", columns))
        case GaveUp() as gave_up:
            lines.append(f"safest: {_gave_up(gave_up)}")
    return "\n".join(lines)


def _verdict_words(found: Analysis) -> str:
    match found.verdict:
        case Refuted(reason):
            return f"no solution: {reason}"
        case GaveUp() as gave_up if found.solvable is None:
            return f"solution: {_gave_up(gave_up)}"
        case _:
            return "has a solution"


def _count_words(number: int | GaveUp) -> str:
    if isinstance(number, GaveUp):
        return _gave_up(number)
    if number < 10**READABLE_DIGITS:
        return f"{number:,}"
    if number < 10**MOST_DIGITS:
        return f"{number} (≈{about(number)})"
    return f"≈{about(number)} ({counted(amount_of_digits(number), 'digit')}; --format json has them)"


def _unique_words(unique: bool | GaveUp) -> str:
    if isinstance(unique, GaveUp):
        return _gave_up(unique)
    return "yes" if unique else "no"


def _safest_words(likely: Probabilities, forced: Forced | Refuted | GaveUp) -> str:
    if isinstance(forced, Forced) and forced.gems:
        return "the forced gems, risk 0 %"
    places = likely.safest_places()
    if not places.size:
        return "no cell is unknown"
    first = [Cell(row, col) for row, col in places[:MOST_NAMES].tolist()]
    more = f" … ({len(places):,} in all; --format json has them)" if len(places) > MOST_NAMES else ""
    return f"{' '.join(map(str, first))}{more}, risk {100 * likely[first[0]]:.3g} %"


def _gave_up(answer: GaveUp) -> str:
    return f"gave up: {answer.reason}"


def _listed(label: str, cells: Sequence[Cell], columns: int | None) -> str:
    """A label and the names of cells; of very many, how many more there are."""
    names = " ".join(map(str, cells[:MOST_FORCED_NAMES])) or "none"
    left = len(cells) - MOST_FORCED_NAMES
    more = f" and {left:,} more; --format json has them all" if left > 0 else ""
    return _wrapped(f"{label}: {names}{more}", columns)


def _wrapped(text: str, columns: int | None) -> str:
    if columns is None or len(text) <= columns:
        return text
    return textwrap.fill(text, columns, subsequent_indent=INDENT, break_on_hyphens=False)
