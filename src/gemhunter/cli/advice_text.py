"""Advice on a position for people: what to open, what else could be, and where that is on the board."""

from collections.abc import Iterator, Sequence

from gemhunter.cli.board_text import MOST_MAPPED
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.screen import aligned, wrap
from gemhunter.core.grid import MARKS, Cell
from gemhunter.core.positions import Position
from gemhunter.play.advice import Advice
from gemhunter.play.candidates import Candidate
from gemhunter.render.palette import Look
from gemhunter.render.text_maps import StyledLine, StyledText, map_lines, sign_pieces
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.terminal.words import percent

BEST, GEM, TRAP, FLAG = "@", "+", "!", "F"
"""On the map: the cell to open, other cells that are certain, and flags."""

MEANINGS = {
    BEST: "is the cell to open",
    GEM: "another certain gem",
    TRAP: "a certain trap",
    FLAG: "a flag on another cell",
}

MOST_NAMES = 20
"""Cells that are listed by name; programs get them all."""

BEST_LOOK = Look("black", "green", bold=True)


def exit_code(advised: Advice | Refuted | GaveUp) -> int:
    """That a position has no solution, or is too large, is not what was asked for."""
    match advised:
        case Advice():
            return SOLVED
        case Refuted():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def advice_lines(
    position: Position, advised: Advice | Refuted | GaveUp, columns: int | None = None
) -> Iterator[StyledLine]:
    """The advice, the cells that were compared, and a map; lines are as wide as `columns` allows."""
    if not isinstance(advised, Advice):
        verdict = (
            "no solution" if isinstance(advised, Refuted) else "no cell is certain, and the risks gave up"
        )
        yield [StyledText(f"{verdict}: {advised.reason}")]
        return
    for text in _answer(advised, position):
        yield from ([StyledText(line)] for line in ([text] if columns is None else wrap(text, columns)))
    yield from ([StyledText(line)] for line in _comparison(advised))
    if max(position.grid.cells.shape) <= MOST_MAPPED:
        pieces = _map(position, advised)
        yield from map_lines(pieces, columns)
        legend = _legend({piece.text for row in pieces for piece in row})
        yield from ([StyledText(line)] for line in ([legend] if columns is None else wrap(legend, columns)))


def _answer(advised: Advice, position: Position) -> Iterator[str]:
    if advised.best is None or advised.risk is None:
        yield f"nothing to open: {advised.why}"
    else:
        yield f"open {advised.best}: {advised.why}, risk {percent(advised.risk)}"
    if advised.win_chance is not None:
        yield f"chance to win: {percent(advised.win_chance)}"
    yield f"forced gems: {_names(advised.gems)}"
    unmarked = [cell for cell in advised.traps if not position.flags[cell]]
    flagged = " (all of them have a flag)" if advised.traps and not unmarked else ""
    yield f"forced traps: {_names(advised.traps)}{flagged}"
    if advised.gap:
        yield f"further cells may be certain: {advised.gap}"
    if advised.wrong_flags:
        yield f"wrong flags, on gems: {_names(advised.wrong_flags)}"
    yield from _assumption(advised)


def _assumption(advised: Advice) -> Iterator[str]:
    """What was taken for granted where the number of traps is not known, and whether that matters."""
    if advised.density is None or advised.gems or not advised.candidates:
        return
    assumed = f"{100 * advised.density:g} % of all cells"
    yield f"number of traps not given: assumed {assumed}; --traps or --density says otherwise"
    for density, cell in advised.at_other_densities:
        best = "the same cell" if cell == advised.best else str(cell)
        yield f"at {100 * density:g} % instead, {best} is best"


def _comparison(advised: Advice) -> list[str]:
    """A table of the best cell and the runners-up, with what they are compared by."""
    if not advised.runners_up:
        return []
    first = advised.candidates[0]
    headings = ["cell", "risk"]
    headings += ["chance to win"] * (first.win_chance is not None)
    headings += ["this and the next safe", "worth"] * (first.worth is not None)
    return aligned([headings, *(_row(each)[: len(headings)] for each in advised.candidates)])


def _row(candidate: Candidate) -> list[str]:
    row = [str(candidate.cell), percent(candidate.risk)]
    if candidate.worth is not None and candidate.safe_twice is not None:
        return [
            *row,
            percent(candidate.safe_twice),
            "dead" if candidate.worth < 0 else f"{candidate.worth:.3f}",
        ]
    return [*row, "?" if candidate.win_chance is None else percent(candidate.win_chance)]


def _map(position: Position, advised: Advice) -> list[StyledLine]:
    """The board with the best cell, all that is certain, and the flags on other cells."""
    signs = [[MARKS[code] for code in codes] for codes in position.grid.cells.tolist()]
    for row, col in zip(*position.flags.nonzero(), strict=True):
        signs[row][col] = FLAG
    for cells, sign in ((advised.gems, GEM), (advised.traps, TRAP)):
        for cell in cells:
            signs[cell.row][cell.col] = sign
    pieces = sign_pieces(signs)
    if advised.best is not None:
        pieces[advised.best.row][advised.best.col] = StyledText(BEST, BEST_LOOK)
    return pieces


def _legend(signs: set[str]) -> str:
    """What the signs on a map mean."""
    return ", ".join(f"{sign} {meaning}" for sign, meaning in MEANINGS.items() if sign in signs)


def _names(cells: Sequence[Cell]) -> str:
    more = f" … ({len(cells):,} in all; --format json has them)" if len(cells) > MOST_NAMES else ""
    return " ".join(map(str, cells[:MOST_NAMES])) + more if cells else "none"
