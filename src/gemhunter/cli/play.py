"""`gemhunter play`: the game in the terminal."""

import re
import sys
import time
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import click

from gemhunter.board.position import FirstClick, Replay
from gemhunter.cli.exit_codes import INTERRUPTED, TERMINATED
from gemhunter.cli.notes import TerminatedError, listen
from gemhunter.cli.options import SEED, complete_agent, complete_game, first_click_option
from gemhunter.cli.terminals import wants_no_colours
from gemhunter.files.access import source_name
from gemhunter.files.json_boards import write_replay
from gemhunter.jit.choice import listening
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.fill_in import FillIn, open_fill_in, save_fill_in
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId, new_seed
from gemhunter.play.game_names import is_game, open_game
from gemhunter.play.levels import read_level
from gemhunter.terminal.app import ending_words
from gemhunter.terminal.sitting import FillInSetting, Setting


@click.command()
@click.argument("game", default="beginner", shell_complete=complete_game)
@click.option("--seed", type=SEED, metavar="N", help="Deal the game of this seed.")
@first_click_option
@click.option("--watch", metavar="AGENT", shell_complete=complete_agent, help="Watch an agent play.")
@click.option("--no-colour", "--no-color", "plain", is_flag=True, help="Show no colours, as NO_COLOR does.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Use no signs beyond ASCII.")
def play(
    game: str,
    *,
    seed: int | None,
    first_click: FirstClick | None,
    watch: str | None,
    plain: bool,
    ascii_only: bool,
) -> int:
    """Play a game in the terminal, with keyboard or mouse.

    GAME is a level (beginner, intermediate, expert, easy, medium, hard, or a size such as 16x30n99: rows,
    columns and traps), the id of a game such as expert#42:opening, or a file with a game. A file with a board
    that leaves cells open is filled in with traps and gems instead. F1 lists the keys.

    \b
    Examples:
      gemhunter play
      gemhunter play expert --first-click opening
      gemhunter play expert --first-click no-guess
      gemhunter play 16x30n99#42
      gemhunter play expert --seed 7 --watch expert
      gemhunter play board.txt
    """
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError("play needs a terminal to read from and to draw on")
    look = Appearance(plain=plain or wants_no_colours(), ascii_only=ascii_only or not _has_unicode())
    if (board := find_fill_in(game)) is not None:
        if any(option is not None for option in (seed, first_click, watch)):
            raise click.UsageError(
                "--seed, --first-click and --watch are for games, not for a board to fill in"
            )
        return _ended(_fill_in(game, board, look))
    chosen = find_game(game, seed, first_click)
    return _ended(_play(chosen, _setting(watch, look)))


class Appearance(NamedTuple):
    """What the terminal can show: no colours if `plain`, no signs beyond ASCII if `ascii_only`."""

    plain: bool
    ascii_only: bool


def _has_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().startswith("utf")


def _ended(code: int) -> int:
    """The exit code, unless a signal ended it; the event loop, which handled signals, has let go of them."""
    listen()
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code == TERMINATED:
        raise TerminatedError
    return code


def _setting(watch: str | None, look: Appearance) -> Setting:
    """Who plays along, and how it looks; an agent that does not exist is an error."""
    agent = watch or STRONGEST_AGENT
    if watch is not None:
        open_player(watch)
    return Setting(
        agent=agent,
        new_player=lambda seed: open_player(agent, seed=seed),
        save=save_replay,
        watch=watch is not None,
        plain=look.plain,
        ascii_only=look.ascii_only,
    )


def find_fill_in(name: str) -> FillIn | None:
    """The board to fill in that a name stands for; None if it stands for a level or a game."""
    return open_fill_in(name) if is_game(name) else None


def find_game(name: str, seed: int | None, rule: FirstClick | None) -> Game:
    """The game that the arguments ask for; a level without a seed gets a random one."""
    if is_game(name):
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return open_game(name)
    return new_game(dealt_id(name, seed, rule))


def dealt_id(level: str, seed: int | None, rule: FirstClick | None) -> GameId:
    """The id of a game of a level, with a random seed if there is none."""
    return GameId(read_level(level), new_seed() if seed is None else seed, rule or FirstClick.SAFE)


def save_replay(replay: Replay) -> Path:
    """Write a replay to a new file in the current folder, named after its game."""
    path = new_path(replay.game_id or "game")
    write_replay(path, replay)
    return path


def new_path(name: str) -> Path:
    """A file in the current folder that does not exist yet, named after a game."""
    stem = re.sub(r"\W+", "-", name)
    endings = chain([""], (f"-{number}" for number in count(2)))
    return next(path for path in (Path(f"{stem}{ending}.json") for ending in endings) if not path.exists())


def _play(game: Game, setting: Setting) -> int:
    """Let a person play until they quit; print how it ended, so that the last message stays on the screen."""
    from gemhunter.terminal.game_app import GameApp

    app = GameApp(game, setting)
    try:
        with listening(app.tasks.note_compiling):
            app.run()
    finally:
        app.tasks.drop()
        name = app.game.game_id or f"a game of {app.game.level}"
        click.echo(f"{name}: {ending_words(app.sitting, app.seconds)}")
        for verdict in app.lasting[1:]:
            click.echo(verdict)
    return app.return_code or 0


def _fill_in(name: str, board: FillIn, look: Appearance) -> int:
    """Let a person fill in a board until they quit; print how far they came."""
    from gemhunter.terminal.fill_in_app import FillInApp  # imports Textual

    def save(filled: FillIn) -> Path:
        path = new_path(f"{Path(name).stem.removesuffix('-filled')}-filled")
        save_fill_in(path, filled)
        return path

    app = FillInApp(board, FillInSetting(source_name(name), save, time.monotonic, *look))
    try:
        app.run()
    finally:
        app.tasks.drop()
        click.echo(f"{source_name(name)}: {app.ending}")
    return app.return_code or 0
