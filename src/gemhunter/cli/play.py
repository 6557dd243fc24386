"""`gemhunter play`: the game in the terminal."""

import re
import sys
import time
from itertools import chain, count
from pathlib import Path

import click

from gemhunter.board.position import FirstClick, Replay
from gemhunter.cli.declare import argument, command, flag, option
from gemhunter.cli.exit_codes import INTERRUPTED, TERMINATED, TerminatedError, listen, wants_no_colours
from gemhunter.cli.options import FIRST_CLICK_OPTION, SEED, complete_agent, complete_game
from gemhunter.files.access import source_name
from gemhunter.files.json_boards import write_replay
from gemhunter.jit.choice import listening
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.fill_in import FillIn, open_fill_in, save_fill_in
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import dealt_id
from gemhunter.play.game_names import is_game, open_game
from gemhunter.terminal.session import FillInSetting, Setting


@command()
def play(
    game: str = argument(default="beginner", shell_complete=complete_game),
    *,
    seed: int | None = option("--seed N", "Deal the game with this seed.", type=SEED),
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    watch: str | None = option("--watch AGENT", "Watch an agent play.", shell_complete=complete_agent),
    plain: bool = flag("--no-colour --no-color", "Use no colours, as with NO_COLOR=1.", rare=True),
    ascii_only: bool = flag("--ascii", "Use only ASCII characters.", rare=True),
) -> int:
    """Play a game in the terminal, with keyboard or mouse.

    \b
    Examples:
      gemhunter play
      gemhunter play expert --first-click no-guess
      gemhunter play 16x30n99#42
      gemhunter play expert --seed 7 --watch expert
      gemhunter play board.txt

    GAME is a level (beginner, intermediate, expert, easy, medium, hard, or a size such as 16x30n99: rows,
    columns and traps), the id of a game such as expert#42:opening, or a file with a game. If a file has a
    board with unknown cells instead, you fill it in with traps and gems. F1 lists the keys.
    """
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError("play needs a terminal to read from and to draw on")
    plain = plain or wants_no_colours()
    ascii_only = ascii_only or not (sys.stdout.encoding or "").lower().startswith("utf")
    if (board := find_fill_in(game)) is not None:
        if any(option is not None for option in (seed, first_click, watch)):
            raise click.UsageError("--seed, --first-click and --watch are for games, not boards to fill in")
        code = _fill_in(game, board, plain=plain, ascii_only=ascii_only)
    else:
        chosen, agent = find_game(game, seed, first_click), watch or STRONGEST_AGENT
        if watch is not None:
            open_player(watch)  # raises if there is no such agent

        def save(replay: Replay) -> Path:
            path = new_path(replay.game_id or "game")
            write_replay(path, replay)
            return path

        setting = Setting(
            agent=agent,
            new_player=lambda seed: open_player(agent, seed=seed),
            save=save,
            watch=watch is not None,
            plain=plain,
            ascii_only=ascii_only,
        )
        code = _play(chosen, setting)
    listen()  # again, because the event loop handled signals meanwhile
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code == TERMINATED:
        raise TerminatedError
    return code


def find_fill_in(name: str) -> FillIn | None:
    """The board to fill in that a name refers to; None if it refers to a level or a game."""
    return open_fill_in(name) if is_game(name) else None


def find_game(name: str, seed: int | None, rule: FirstClick | None) -> Game:
    """The game that the arguments ask for; a level without a seed gets a random one."""
    if is_game(name):
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return open_game(name)
    return new_game(dealt_id(name, seed, rule))


def _play(game: Game, setting: Setting) -> int:
    """Let a person play until they quit; the result is printed, because the screen is restored."""
    from gemhunter.terminal.game_app import GameApp
    from gemhunter.terminal.messages import ending_words

    app = GameApp(game, setting)
    try:
        with listening(app.tasks.note_compiling):
            app.run()
    finally:
        app.tasks.drop()
        name = app.game.game_id or f"a game of {app.game.level}"
        click.echo(f"{name}: {ending_words(app.session, app.seconds)}")
        for verdict in app.lasting[1:]:
            click.echo(verdict)
    return app.return_code or 0


def _fill_in(name: str, board: FillIn, *, plain: bool, ascii_only: bool) -> int:
    """Let a person fill in a board until they quit; print how much they filled in."""
    from gemhunter.terminal.fill_in_app import FillInApp  # imports Textual

    def save(filled: FillIn) -> Path:
        path = new_path(f"{Path(name).stem.removesuffix('-filled')}-filled")
        save_fill_in(path, filled)
        return path

    app = FillInApp(board, FillInSetting(source_name(name), save, time.monotonic, plain, ascii_only))
    try:
        app.run()
    finally:
        app.tasks.drop()
        click.echo(f"{source_name(name)}: {app.ending}")
    return app.return_code or 0


def new_path(name: str) -> Path:
    """A file in the current folder that does not exist yet, named after a game."""
    stem = re.sub(r"\W+", "-", name)
    endings = chain([""], (f"-{number}" for number in count(2)))
    return next(path for path in (Path(f"{stem}{ending}.json") for ending in endings) if not path.exists())
