"""`gemhunter play`: the game in the terminal."""

import os
import re
import sys
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.cli.options import complete_agent, complete_game, first_click_option

if TYPE_CHECKING:
    from gemhunter.core.moves import Replay
    from gemhunter.play.game import Game
    from gemhunter.play.levels import FirstClick
    from gemhunter.terminal.setting import Setting

AGENT = "expert"
"""Who helps if nobody else was asked for."""


@click.command()
@click.argument("game", default="beginner", shell_complete=complete_game)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Deal the game of this seed.")
@first_click_option
@click.option(
    "--watch", metavar="AGENT", shell_complete=complete_agent, help="Let an agent play, and look on."
)
@click.option("--no-colour", "--no-color", "plain", is_flag=True, help="Show no colours, as NO_COLOR does.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Use no signs beyond ASCII.")
def play(
    game: str, *, seed: int | None, first_click: str | None, watch: str | None, plain: bool, ascii_only: bool
) -> int:
    """Play a game in the terminal, with keyboard or mouse.

    GAME is a level (beginner, intermediate, expert, easy, medium, hard, or a size such as 16x30n99: rows,
    columns and traps), the id of a game such as expert#42:opening, or a file with a game. F1 lists the keys.

    \b
    Examples:
      gemhunter play
      gemhunter play expert --first-click opening
      gemhunter play 16x30n99#42
      gemhunter play expert --seed 7 --watch expert
    """
    from gemhunter.cli.exit_codes import INTERRUPTED
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.levels import FirstClick
    from gemhunter.terminal.setting import Setting

    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError("play needs a terminal to read from and to draw on")
    rule = None if first_click is None else FirstClick(first_click)
    chosen = find_game(game, seed, rule)
    setting = Setting(
        agent=watch or AGENT,
        new_player=lambda chance: new_player(watch or AGENT, seed=chance),
        save=save_replay,
        watch=watch is not None,
        plain=plain or wants_no_colours(),
        ascii_only=ascii_only or not (sys.stdout.encoding or "").lower().startswith("utf"),
    )
    if watch is not None:
        new_player(watch)
    code = _play(chosen, setting)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code


def find_game(name: str, seed: int | None, rule: "FirstClick | None") -> "Game":
    """The game that the arguments ask for; a level without a seed gets one that nobody chose."""
    from gemhunter.play.game import new_game
    from gemhunter.play.game_ids import GameId
    from gemhunter.play.levels import FirstClick, read_level
    from gemhunter.play.opening_files import is_game, open_game
    from gemhunter.terminal.setting import new_seed

    if is_game(name):
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return open_game(name)
    level = read_level(name)
    return new_game(GameId(level, new_seed() if seed is None else seed, rule or FirstClick.SAFE))


def save_replay(replay: "Replay") -> Path:
    """Write a replay to a new file in the current folder, named after its game."""
    from gemhunter.formats.replays import write_replay

    path = new_path(replay.game_id or "game")
    write_replay(path, replay)
    return path


def new_path(name: str) -> Path:
    """A file in the current folder that does not exist yet, named after a game."""
    stem = re.sub(r"\W+", "-", name)
    endings = chain([""], (f"-{number}" for number in count(2)))
    return next(path for path in (Path(f"{stem}{ending}.json") for ending in endings) if not path.exists())


def _play(game: "Game", setting: "Setting") -> int:
    """Let somebody play until they quit; print how it ended, so that the screen's last word stays."""
    from gemhunter.compiling.progress import listening
    from gemhunter.terminal.app import GameApp
    from gemhunter.terminal.words import ending_words

    app = GameApp(game, setting)
    try:
        with listening(app.thinker.hear):
            app.run()
    finally:
        app.thinker.drop()
        name = app.game.game_id or f"a game of {app.game.level}"
        click.echo(f"{name}: {ending_words(app.sitting, app.seconds)}")
    return app.return_code or 0


def wants_no_colours() -> bool:
    """Whether the environment asks for no colours, or names no terminal that has any; Windows names none."""
    unnamed = "dumb" if os.name == "posix" else ""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", unnamed) == "dumb"
