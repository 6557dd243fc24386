"""`gemhunter watch`: an agent plays a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import SEED, OutputFile, RealNumber
from gemhunter.cli.options import agent_option, complete_game, first_click_option, format_option, truth_option
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.cli.live_game import LiveGame
    from gemhunter.play.agents.player import Player
    from gemhunter.play.game import Game
    from gemhunter.play.game_ids import GameId
    from gemhunter.play.watched_games import CellMark, Watched


@click.command()
@click.argument("game", default="beginner", shell_complete=complete_game)
@agent_option(
    "Who plays: resolution, logic, logic+random, fast or expert.", default="expert", show_default=True
)
@first_click_option
@click.option(
    "--initial",
    metavar="half|one|two|N",
    help="Begin with this multiple of the root of the number of cells, or N, safe cells "
    "[default: one for resolution, otherwise none].",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Deal the game of this seed, if GAME is a level; it is also the seed of the agent, and of the "
    "initial safe cells of a board of your own.",
)
@click.option(
    "--pace",
    type=RealNumber(min=0, max=60),
    default=0.25,
    show_default=True,
    metavar="SECONDS",
    help="How long each turn stands on the screen.",
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
@truth_option
@format_option
@quiet_option
def watch(game: str, *, agent: str, form: str, **how: Any) -> None:
    """Let an agent play a game to its end, and say how it went.

    GAME is, as for play, a level (beginner, intermediate, expert, easy, medium, hard, or a size such as
    16x30n99), the id of a game such as expert#42, or a file with a board or a game, which goes on as it
    stands. On a terminal the game is shown as it goes. In pictures, grey cells are unmarked, green ones safe
    and yellow ones held for traps.

    \b
    Examples:
      gemhunter watch expert
      gemhunter watch expert#42 --pace 0.5
      gemhunter watch hard#7 --agent resolution --initial two --steps
      gemhunter watch board.mine --agent resolution --initial 4 --seed 3
      gemhunter watch easy#3 --frames "{level}_{initial}_{marked}_{rounds}" --animate game.gif --truth
      gemhunter watch expert#42 --format json
    """
    from gemhunter.cli.game_pictures import require_frames_folder, write_pictures
    from gemhunter.cli.live_game import LiveGame
    from gemhunter.cli.watch_texts import heading, summary
    from gemhunter.play.agents.registry import new_player

    require_frames_folder(how["frames"])
    start, given = _start(game, agent, how)
    title = heading(start, game, agent=agent, given=given)
    is_live = form == "text" and not how["steps"]
    with LiveGame(start, title, how["pace"], wanted=is_live) as live:
        player = new_player(agent, seed=how["seed"] or 0)
        watched = _play(start, player, live, show=how["steps"] and form == "text")
    if form == "json":
        record = _record(watched, game, agent=agent, given=given)
        record["seed"] = how["seed"] or 0
        click.echo(json_text(record, indent=2))
    else:
        click.echo(summary(watched, game, agent=agent, given=given))
    write_pictures(
        watched, how["frames"], how["animate"], form=how["frames_format"], given=given, truth=how["truth"]
    )


def _start(game: str, agent: str, how: dict[str, Any]) -> "tuple[Game, int]":
    """The game that the agent finds, and how many safe cells it was given."""
    from gemhunter.core.game_status import Status
    from gemhunter.play.game import new_game
    from gemhunter.play.game_names import is_game, is_game_id, open_game
    from gemhunter.play.initial_cells import board_with_given, game_with_given, safe_cells

    initial = how["initial"]
    wanted = initial or ("one" if agent == "resolution" and how["first_click"] is None else "0")
    if is_game(game) and how["first_click"] is not None:
        raise click.UsageError("--first-click is for levels; an id or a file has its own")
    if is_game(game) and not is_game_id(game):
        start = open_game(game)
        is_untouched = start.view.is_fresh and not start.moves and start.status is Status.PLAYING
        if start.board is None or not is_untouched:
            if initial is not None:
                raise click.UsageError("--initial is for a game that has not begun; this one has")
            return start, 0
        given = safe_cells(start.level, wanted)
        return (board_with_given(start.board, given, how["seed"] or 0) if given else start), given
    game_id = _game_id(game, how["seed"], how["first_click"])
    given = safe_cells(game_id.level, wanted)
    if given and how["first_click"] is not None:
        raise click.UsageError(
            "--initial and --first-click exclude each other: initial cells replace a click"
        )
    return (game_with_given(game_id, given) if given else new_game(game_id)), given


def _game_id(name: str, seed: int | None, first_click: str | None) -> "GameId":
    """The id itself, or that of a game of a level, dealt as `play` deals it."""
    from gemhunter.cli.play import dealt_id
    from gemhunter.play.game_ids import read_game_id
    from gemhunter.play.game_names import is_game

    return read_game_id(name) if is_game(name) else dealt_id(name, seed, first_click)


def _play(start: "Game", player: "Player", live: "LiveGame", *, show: bool) -> "Watched":
    """Let a player play to the end: on the screen, line by line if `show`, or with a line of progress."""
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.cli.progress import Progress
    from gemhunter.cli.watch_texts import Story
    from gemhunter.play.watched_games import watch_game
    from gemhunter.solving.run import Run

    progress, story, run = Progress(1, unit="marks"), Story(), Run()
    progress.begin(live.heading)

    def after(game: "Game", marks: "Sequence[CellMark]") -> None:
        stop_if_pending()
        lines = story.lines(marks)
        if live.shows:
            live.draw(game, lines[-1] if lines else "")
            return
        if show and lines:
            progress.clear()
            click.echo("\n".join(lines))
        progress.tick(run.elapsed, story.marks)

    try:
        watched = watch_game(start, player, after)
    finally:
        progress.clear()
    if show:
        click.echo("\n".join([*story.rounds_until(watched.rounds), ""]), nl=False)
    return watched


def _record(watched: "Watched", name: str, *, agent: str, given: int) -> dict[str, Any]:
    from gemhunter.records.games import watched_record

    game = str(watched.start.game_id or name)
    return {"game": game, "agent": agent, "initial": given, **watched_record(watched)}
