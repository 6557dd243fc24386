"""`gemhunter watch`: an agent plays a game."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.options import OutputFile, agent_option, complete_game, format_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.play.game import Game
    from gemhunter.play.marks import CellMark
    from gemhunter.play.watching import Watched


@click.command()
@click.argument("game", default="easy#1", shell_complete=complete_game)
@agent_option(
    "Who plays: resolution, logic, logic+random, fast or expert.", default="resolution", show_default=True
)
@click.option(
    "--initial",
    metavar="half|one|two|N",
    help="Begin with this multiple of the root of the number of cells, or N, safe cells "
    "[default: one for resolution, otherwise none].",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the agent, and of the initial safe cells of a board without a seed of its own.",
)
@click.option("--steps", is_flag=True, help="Print every mark and every matching round.")
@click.option(
    "--frames",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw the board after every mark; the name may contain {level}, {initial}, {marked} and {rounds}.",
)
@click.option(
    "--frames-format",
    type=click.Choice(["png", "svg"]),
    default="png",
    show_default=True,
    help="What kind of pictures.",
)
@click.option("--animate", type=OutputFile(), metavar="FILE", help="Write all steps as an animated GIF.")
@format_option
def watch(game: str, *, agent: str, form: str, **how: Any) -> None:
    """Let an agent play a game to its end, and say how it went.

    GAME is a level and a seed, such as easy#1, expert#42 or 16x30n99#42, or a file with a board or a game,
    which goes on as it stands. In pictures, grey cells are unmarked, green ones safe and yellow ones held for
    traps; the truth is written on each.

    \b
    Examples:
      gemhunter watch
      gemhunter watch hard#7 --initial two --steps
      gemhunter watch board.mine --initial 4 --seed 3
      gemhunter watch easy#3 --frames "{level}_{initial}_{marked}_{rounds}" --animate game.gif
      gemhunter watch expert#42 --agent expert --format json
    """
    from gemhunter.cli.game_pictures import require_frames_folder, write_pictures

    require_frames_folder(how["frames"])
    start, given = _start(game, agent, how["initial"], how["seed"])
    watched = _play(start, agent, seed=how["seed"], show=how["steps"] and form == "text")
    if form == "json":
        record = _record(watched, game, agent=agent, given=given)
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        click.echo(_summary(watched, game, agent=agent, given=given))
    write_pictures(watched, how["frames"], how["animate"], form=how["frames_format"], given=given)


def _start(game: str, agent: str, initial: str | None, seed: int) -> "tuple[Game, int]":
    """The game that the agent finds, and how many safe cells it was given."""
    from gemhunter.play.game import new_game
    from gemhunter.play.game_ids import read_game_id
    from gemhunter.play.giving import board_with_given, game_with_given, safe_cells
    from gemhunter.play.opening_files import is_game, is_game_id, open_game
    from gemhunter.play.view import Status

    wanted = initial or ("one" if agent == "resolution" else "0")
    if is_game(game) and not is_game_id(game):
        start = open_game(game)
        if (
            start.board is None
            or not start.view.is_fresh
            or start.moves
            or start.status is not Status.PLAYING
        ):
            if initial is not None:
                raise click.UsageError("--initial is for a game that has not begun; this one has")
            return start, 0
        given = safe_cells(start.level, wanted)
        return (board_with_given(start.board, given, seed) if given else start), given
    game_id = read_game_id(game)
    given = safe_cells(game_id.level, wanted)
    return (game_with_given(game_id, given) if given else new_game(game_id)), given


def _play(start: "Game", agent: str, *, seed: int, show: bool) -> "Watched":
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.cli.screen import Progress
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.watching import watch_game
    from gemhunter.solving.run import Run

    player, progress, told = new_player(agent, seed=seed), Progress(1, unit="marks"), _Story()
    run = Run()
    progress.begin(f"{agent} plays")

    def after(marks: "Sequence[CellMark]") -> None:
        stop_if_pending()
        lines = told.lines(marks)
        if show and lines:
            progress.clear()
            click.echo("\n".join(lines))
        progress.tick(run.elapsed, told.marks)

    try:
        watched = watch_game(start, player, after)
    finally:
        progress.clear()
    if show:
        click.echo("\n".join([*told.rounds_until(watched.rounds), ""]), nl=False)
    return watched


class _Story:
    """Numbers the marks and the matching rounds of a game, each in a line."""

    def __init__(self) -> None:
        self.marks = 0
        self._rounds = 0

    def lines(self, marks: "Sequence[CellMark]") -> list[str]:
        """A line for each of the next marks, and for each round before them."""
        lines = []
        for mark in marks:
            lines += self.rounds_until(mark.rounds)
            self.marks += 1
            lines.append(f"{self.marks}. {_told(mark)}")
        return lines

    def rounds_until(self, rounds: int) -> list[str]:
        """A line for each round up to number `rounds`."""
        first, self._rounds = self._rounds + 1, max(rounds, self._rounds)
        return [f"matching round {number}" for number in range(first, self._rounds + 1)]


def _told(mark: "CellMark") -> str:
    """A mark in one line."""
    opened = f", opens {_amount(len(mark.opened), 'more cells')}" if mark.opened else ""
    risk = f" (a guess, risk {mark.risk:.1%})" if mark.risk else ""
    return f"{mark.cell} {'trap' if mark.is_trap else 'safe'}{opened}{risk}"


def _summary(watched: "Watched", name: str, *, agent: str, given: int) -> str:
    from gemhunter.cli.screen import coloured, has_colours

    end, risks = watched.end, watched.risks
    cells = end.level.rows * end.level.cols
    begun = f" with {_amount(given, 'initial safe cells')}" if given else ""
    counted = [_amount(count, what) for what, count in watched.counters.items() if what != "marked cells"]
    guessed = f"guesses {', '.join(f'{risk:.1%}' for risk in risks)}" if risks else "no guess"
    facts = [
        f"{watched.marked} of {cells} cells marked",
        *counted,
        _amount(len(watched.turns), "turns"),
        guessed,
    ]
    return "\n".join(
        [
            f"{agent} plays {watched.start.game_id or name}{begun}",
            coloured(watched.grid) if has_colours() else str(watched.grid),
            f"{end.status.value}: {', '.join(facts)}",
        ]
    )


def _amount(count: int, things: str) -> str:
    """A count and what it counts, in the singular for 1."""
    return f"{count} {things.removesuffix('s') if count == 1 else things}"


def _record(watched: "Watched", name: str, *, agent: str, given: int) -> dict[str, Any]:
    from gemhunter.records.games import watched_record

    game = str(watched.start.game_id or name)
    return {"game": game, "agent": agent, "initial": given, **watched_record(watched)}
