"""An analysis as text and as JSON."""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import log10
from typing import Any

import numpy as np

from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.queries.analyse import Analysis
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.records.analyses import analysis_record
from gemhunter.render.heat import UNKNOWN, heat_colour, heat_signs
from gemhunter.solving.outcomes import GaveUp, Refuted

MOST_NAMES = 20
"""Cells that are listed by name; programs get them all."""

MOST_DIGITS = 60
"""Of a number of solutions that people get to see in full."""

EXACT_BITS = 200
"""Of a number that is shortened exactly; of a longer one, so many leading bits say all there is to show."""

READABLE_DIGITS = 15
"""Of a number that needs no second form."""

MOST_MAPPED = 200
"""Rows or columns of a map in text."""

HEAT_GAP = " "
"""Between two cells of it."""


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


def as_json(board: str, found: Analysis, rough: Mapping[str, Any], **prior: float | None) -> str:
    """One object for programs, a line per field; `prior` says what was assumed about the traps."""
    record = {"board": board, **prior, **analysis_record(found, rough)}
    fields = (
        f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in record.items()
    )
    return "{\n" + ",\n".join(fields) + "\n}"


def summary(found: Analysis, more: Sequence[str] = ()) -> str:
    """Everything but the map, a line per answer; `more` is about the number of solutions."""
    lines = [_verdict_words(found)]
    if isinstance(found.verdict, Refuted):
        clash = [f"clues that clash: {_list(found.verdict.clues)}"] * bool(found.verdict.clues)
        return "\n".join(lines + clash)
    lines += [f"solutions: {_count_words(found.count)}", *more]
    lines.append(f"unique: {_unique_words(found.unique)}")
    match found.forced:
        case Forced(_, traps, gems):
            lines += [f"forced traps: {_list(traps)}", f"forced gems: {_list(gems)}"]
        case GaveUp() as gave_up:
            lines.append(f"forced cells: {_gave_up(gave_up)}")
    match found.probabilities:
        case Probabilities() as likely:
            lines.append(f"safest: {_safest_words(likely, found.forced)}")
        case GaveUp() as gave_up:
            lines.append(f"safest: {_gave_up(gave_up)}")
    return "\n".join(lines)


def terminal_columns() -> int | None:
    """How many characters a line may have; None if that is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_heat(found: Analysis) -> bool:
    """Whether the risk of any cell is known."""
    return not np.isnan(found.risk).all()


def heat_note(found: Analysis, columns: int | None = None) -> str | None:
    """Why the map is not shown, if so: it would be too large, or its lines would wrap."""
    rows, cols = found.grid.cells.shape
    if max(rows, cols) > MOST_MAPPED:
        return f"no map of {rows}×{cols} cells in text; --svg or --png draw one"
    needed = len(HEAT_GAP) * (cols - 1) + 2 * cols
    if columns is not None and needed > columns:
        return f"the map needs {needed} columns, the terminal has {columns}; --svg or --png draw one"
    return None


def heat_text(found: Analysis) -> str:
    """The map without colours."""
    rows = heat_signs(found.grid, found.risk)
    lines = [HEAT_GAP.join(sign.rjust(2) for sign in row).rstrip() for row in rows]
    return "\n".join([*lines, _legend(rows)])


def _legend(rows: list[list[str]]) -> str:
    """What the signs of a map mean."""
    unknown = f"; {UNKNOWN} is not known" if any(UNKNOWN in row for row in rows) else ""
    return f"risk in percent, two digits; T and G are certain{unknown}"


def print_heat(found: Analysis) -> None:
    """The map in as many colours as the terminal has."""
    from rich.console import Console
    from rich.text import Text

    risk = found.risk
    text = Text()
    rows = heat_signs(found.grid, risk)
    for row, signs in enumerate(rows):
        for col, sign in enumerate(signs):
            known = found.grid[row, col] == HIDDEN and not np.isnan(risk[row, col])
            style = "black on rgb({},{},{})".format(*heat_colour(float(risk[row, col]))) if known else ""
            text.append(sign.rjust(2), style).append(HEAT_GAP)
        text.append("\n")
    Console(highlight=False).print(text.append(f"{_legend(rows)}\n"), end="")


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
    return f"≈{about(number)} ({amount_of_digits(number):,} digits; --format json has them)"


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
    return f"{_list(first, len(places))}, risk {100 * likely[first[0]]:.3g} %"


def _gave_up(answer: GaveUp) -> str:
    return f"gave up: {answer.reason}"


def _list(cells: Sequence[Cell], amount: int | None = None) -> str:
    """Names; of many the first, and how many there are, which is `amount` if not all are given."""
    if not cells:
        return "none"
    amount = len(cells) if amount is None else amount
    named = " ".join(map(str, cells[:MOST_NAMES]))
    more = f" … ({amount:,} in all; --format json has them)" if amount > MOST_NAMES else ""
    return f"{named}{more}"
