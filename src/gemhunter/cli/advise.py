"""`gemhunter advise`: the best move in a position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from gemhunter.board.grid import CELL_MARKS, Cell
from gemhunter.board.position import Position, Status
from gemhunter.cli.board_arguments import (
    MOST_MAPPED,
    assumption_line,
    clue_warnings,
    require_one_prior,
    terminal_columns,
    total_warnings,
)
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import note, print_or_write, quiet_option
from gemhunter.cli.options import (
    RealNumber,
    complete_game,
    density_option,
    format_option,
    options_as,
    output_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import aligned, styled, wrap
from gemhunter.cli.progress import ask_with_progress
from gemhunter.draw.palette import Look
from gemhunter.draw.text_maps import StyledLine, StyledText, map_lines, plain_text, sign_pieces
from gemhunter.errors import InputError
from gemhunter.files.dialects import Zero, read_moves
from gemhunter.play.advice import USUAL_DENSITY, Advice, compared_advice
from gemhunter.play.advice import advise as advise_on
from gemhunter.play.expert import Candidate
from gemhunter.play.game import Game, before_last_move, play_moves
from gemhunter.play.game_names import open_game, open_situation
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.words import compared_words, percent
from gemhunter.printable import json_text
from gemhunter.records.games import advice_record
from gemhunter.solving.outcomes import GaveUp, Refuted

BEST_SIGN, GEM_SIGN, TRAP_SIGN, FLAG_SIGN = "@", "+", "!", "F"
"""On the map: the cell to open, other cells that are certain, and flags."""

SIGN_MEANINGS = {
    BEST_SIGN: "is the cell to open",
    GEM_SIGN: "another certain gem",
    TRAP_SIGN: "a certain trap",
    FLAG_SIGN: "a flag on another cell",
}

CELLS_LISTED = 20
"""Cells that are listed by name; programs get them all."""

LONGEST_THOUGHT = 86_400
"""Seconds."""

BEST_LOOK = Look("black", "green", bold=True)


@dataclass(frozen=True, slots=True)
class AdviseOptions:
    """The options of `gemhunter advise`."""

    total: int | None
    density: float | None
    zero: Zero
    think: float | None
    form: str
    output: Path | None


@click.command()
@click.argument("position", shell_complete=complete_game)
@click.argument("moves", nargs=-1, metavar="[MOVES]...")
@traps_option
@density_option(default=USUAL_DENSITY)
@click.option(
    "--think",
    type=RealNumber(0, LONGEST_THOUGHT, min_open=True),
    metavar="SECONDS",
    help="Compare the best guesses by games that are played on from here, for this long.",
)
@zero_option
@format_option
@output_option("what would be printed, without colours,")
@quiet_option
@options_as(AdviseOptions)
def advise(position: str, moves: tuple[str, ...], options: AdviseOptions) -> int:
    """Say what the agent `expert` would play in a position, and why.

    POSITION is a board file, which may show flags (F) and give its number of traps (`# traps: 40`), a .mine
    file, a replay, - for standard input, or the id of a game such as expert#42. MOVES continue a game: r1c1
    or reveal r1c1, flag r1c2, chord r1c1.

    Returns 0 with advice, 1 if the position has no solution, 2 for bad input, 3 if it is too large to decide.

    \b
    Examples:
      gemhunter advise position.txt --traps 99
      gemhunter advise position.txt --density 0.15
      gemhunter advise position.txt --traps 99 --think 10
      gemhunter advise game.json
      gemhunter advise expert#42 r1c1 flag r3c2 --format json
    """
    require_one_prior(options.total, options.density)
    situation = _open(position, moves, options.zero)
    shown = situation if isinstance(situation, Position) else situation.position
    for warning in [*total_warnings(shown.total, options.total), *clue_warnings(shown.grid)]:
        note(f"warning: {position}: {warning}")
    if options.density is not None:  # it takes the place of a total that the position has
        situation = shown = replace(shown, total=None)
    ask = partial(advise_on, situation, total=options.total, density=options.density, think=options.think)
    advised = ask_with_progress(position, USUAL_LIMITS.seconds, lambda run: ask(run=run))
    if options.think is not None and isinstance(advised, Advice) and advised.rollouts is None:
        note(f"note: {_why_not_thought_over(advised)}, so --think changes nothing")
    if options.form == "json":
        text = json_text(advice_record(position, advised), indent=2)
    elif options.output is None:
        text = styled(_advice_lines(shown, advised, options, terminal_columns()))
    else:
        text = plain_text(_advice_lines(shown, advised, options))
    print_or_write(f"{text}\n", options.output, "the advice")
    return _exit_code(advised)


def _why_not_thought_over(advised: Advice) -> str:
    """Why no games were played on from a position."""
    if advised.gems or not advised.candidates:
        return "nothing has to be guessed"
    if advised.total is None:
        return "the number of traps is not known"
    if advised.win_chance is not None:
        return "the best guess is known exactly"
    if len(advised.guesses) > 1:
        return "the board is too large, or shows cells that are marked already"
    return "there are no guesses to compare"


def _open(name: str, words: tuple[str, ...], zero: Zero) -> Game | Position:
    """The game or position that the arguments name; a lost game as it stood before its last move."""
    if moves := read_moves(words):
        found: Game | Position = play_moves(open_game(name), moves)
    else:
        found = open_situation(name, zero)
    if isinstance(found, Game) and found.status is Status.WON:
        raise InputError(f"{name}: the game is won; there is nothing left to play")
    if isinstance(found, Game) and found.status is Status.LOST:
        note(f"{name}: {found.moves[-1]} lost the game; this is the position before that move")
        return before_last_move(found)
    return found


def _exit_code(advised: Advice | Refuted | GaveUp) -> int:
    """What the command returns: 0 for advice only."""
    match advised:
        case Advice():
            return SOLVED
        case Refuted():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def _advice_lines(
    position: Position, advised: Advice | Refuted | GaveUp, options: AdviseOptions, columns: int | None = None
) -> Iterator[StyledLine]:
    """The advice, the cells that were compared, and a map; lines are as wide as `columns` allows."""
    if not isinstance(advised, Advice):
        verdict = (
            "no solution" if isinstance(advised, Refuted) else "no cell is certain, and the risks gave up"
        )
        yield [StyledText(f"{verdict}: {advised.reason}")]
        return
    for text in [*_answer(advised, position), *_assumption(advised, is_chosen=options.density is not None)]:
        yield from ([StyledText(line)] for line in ([text] if columns is None else wrap(text, columns)))
    yield from ([StyledText(line)] for line in [*_comparison(advised), *_played_on(advised)])
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


def _assumption(advised: Advice, *, is_chosen: bool) -> Iterator[str]:
    """What risks rest on, and what would be best at another density."""
    yield assumption_line(advised.total, advised.density, is_chosen=is_chosen)
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


def _played_on(advised: Advice) -> Iterator[str]:
    """What games that were played on from here say about the best guesses."""
    found, compared = advised.rollouts, compared_advice(advised)
    if found is None or compared is None:
        return
    rates = (
        f"{cell} {rate.text(1, percent=True)}"
        for cell, rate in zip(found.cells, found.win_rates, strict=True)
    )
    yield f"win rates on {found.games:,} boards drawn at random, without luck: {', '.join(rates)}"
    yield compared_words(compared)


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
    signs = [[CELL_MARKS[code] for code in codes] for codes in position.grid.cells.tolist()]
    for row, col in zip(*position.flags.nonzero(), strict=True):
        signs[row][col] = FLAG_SIGN
    for cells, sign in ((advised.gems, GEM_SIGN), (advised.traps, TRAP_SIGN)):
        for cell in cells:
            signs[cell.row][cell.col] = sign
    pieces = sign_pieces(signs)
    if advised.best is not None:
        pieces[advised.best.row][advised.best.col] = StyledText(BEST_SIGN, BEST_LOOK)
    return pieces


def _legend(signs: set[str]) -> str:
    """What the signs on a map mean."""
    return ", ".join(f"{sign} {meaning}" for sign, meaning in SIGN_MEANINGS.items() if sign in signs)


def _names(cells: Sequence[Cell]) -> str:
    more = f" … ({len(cells):,} in all; --format json has them)" if len(cells) > CELLS_LISTED else ""
    return " ".join(map(str, cells[:CELLS_LISTED])) + more if cells else "none"
