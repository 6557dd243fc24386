"""`gemhunter advise`: the best move in a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.notes import note, print_or_write, quiet_option
from gemhunter.cli.option_types import RealNumber
from gemhunter.cli.options import complete_game, format_option, output_option, traps_option, zero_option
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from gemhunter.core.positions import Position
    from gemhunter.play.advice import Advice
    from gemhunter.play.game import Game
    from gemhunter.solving.outcomes import GaveUp, Refuted


@click.command()
@click.argument("position", shell_complete=complete_game)
@click.argument("moves", nargs=-1, metavar="[MOVES]...")
@traps_option
@click.option(
    "--density",
    type=RealNumber(0, 1, min_open=True, max_open=True),
    metavar="P",
    help="How likely a cell is a trap before anything is known of it, if nothing says how many there are "
    "[default: 0.2].",
)
@zero_option
@format_option
@output_option("what would be printed, without colours,")
@quiet_option
def advise(
    position: str, moves: tuple[str, ...], *, zero: Any, form: str, output: Path | None, **prior: Any
) -> int:
    """Say what the agent `expert` would play in a position, and why.

    POSITION is a board file, which may show flags (F) and give its number of traps (`# traps: 40`), a .mine
    file, a replay, - for standard input, or the id of a game such as expert#42. MOVES continue a game: r1c1
    or reveal r1c1, flag r1c2, chord r1c1.

    Returns 0 with advice, 1 if the position has no solution, 2 for bad input, 3 if it is too large to tell.

    \b
    Examples:
      gemhunter advise position.txt --traps 99
      gemhunter advise position.txt --density 0.15
      gemhunter advise game.json
      gemhunter advise expert#42 r1c1 flag r3c2 --format json
    """
    from gemhunter.cli.advice_text import exit_code
    from gemhunter.play.advice import advise as advise_on

    if None not in prior.values():
        raise click.UsageError("--traps and --density exclude each other; give one of them")
    situation, shown = _with_prior(position, _open(position, moves, zero), **prior)
    advised = advise_on(situation, **prior)
    if form == "json":
        _print_json(position, advised, output)
    else:
        _print_text(shown, advised, output)
    return exit_code(advised)


def _with_prior(
    name: str, found: "Game | Position", *, total: int | None, density: float | None
) -> "tuple[Game | Position, Position]":
    """What to advise on and what to show; a density stands in the place of the total that is given."""
    from dataclasses import replace

    from gemhunter.cli.board_warnings import clue_warnings, total_warnings
    from gemhunter.core.positions import Position

    shown = found if isinstance(found, Position) else found.position
    for warning in [*total_warnings(shown.total, total), *clue_warnings(shown.grid)]:
        note(f"warning: {name}: {warning}")
    if density is None:
        return found, shown
    free = replace(shown, total=None)
    return free, free


def _open(name: str, words: tuple[str, ...], zero: Any) -> "Game | Position":
    """The game or position that the arguments name; a lost game as it stood before its last move."""
    from gemhunter.errors import InputError
    from gemhunter.formats.cells import read_moves
    from gemhunter.play.game import Game, before_last_move, play_moves
    from gemhunter.play.game_names import open_game, open_situation
    from gemhunter.play.view import Status

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


def _print_json(name: str, advised: "Advice | Refuted | GaveUp", output: Path | None) -> None:
    from gemhunter.records.advice import advice_record

    record = json_text({"position": name, **advice_record(advised)}, indent=2)
    print_or_write(f"{record}\n", output, "the advice")


def _print_text(shown: "Position", advised: "Advice | Refuted | GaveUp", output: Path | None) -> None:
    from gemhunter.cli.advice_text import advice_lines
    from gemhunter.cli.board_text import terminal_columns
    from gemhunter.cli.screen import styled
    from gemhunter.render.text_maps import plain_text

    if output is None:
        click.echo(styled(advice_lines(shown, advised, terminal_columns())))
    else:
        print_or_write(f"{plain_text(advice_lines(shown, advised))}\n", output, "the advice")
