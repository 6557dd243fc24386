"""A game as it is played: on the screen, as a picture for each mark, and as an animation."""

import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import click

from gemhunter.cli.board_text import seen_text
from gemhunter.cli.notes import note, write_output
from gemhunter.cli.terminals import moves_cursor
from gemhunter.core.plurals import counted
from gemhunter.formats.files import make_folder, require_writable_folder, write_atomically
from gemhunter.play.game import Game
from gemhunter.play.game_frames import animation, film, film_of_moves
from gemhunter.play.levels import LEVELS
from gemhunter.play.watched_games import Watched
from gemhunter.render.frames import Frame, draw_frame, draw_frame_png

if TYPE_CHECKING:
    from rich.live import Live

FRAME_WRITERS: Mapping[str, Callable[[Frame], str | bytes]] = MappingProxyType(
    {"png": draw_frame_png, "svg": draw_frame}
)
"""How pictures of marks are drawn, by the suffix of their files."""

FACTS = ("level", "initial", "marked", "rounds")
"""What the name of a folder of pictures can carry, in braces."""


@dataclass(frozen=True, slots=True)
class PictureChoices:
    """The options about pictures: their folder and kind, an animation, and whether they show all cells."""

    frames: Path | None
    frames_format: str
    animate: Path | None
    truth: bool


class LiveGame:
    """Redraws a game in place, if that is `wanted` and the terminal allows it.

    `pace` is how many seconds each position stands.
    """

    def __init__(self, game: Game, heading: str, pace: float, *, wanted: bool) -> None:
        self.heading, self._pace = heading, pace
        self.shows = wanted and sys.stdout.isatty() and moves_cursor()
        # Above the board there is a heading, below it a line about the move and one for the cursor.
        needed, lines = seen_text(game).count("\n") + 4, shutil.get_terminal_size().lines
        if self.shows and needed > lines:
            self.shows = False
            note(
                f"note: this game needs {needed} lines of the terminal, which has {lines}; "
                "only its end is shown"
            )
        self._before = game
        self._open = ExitStack()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.shows:
            from rich.console import Console
            from rich.live import Live

            console = Console(highlight=False)
            self._live = self._open.enter_context(Live(console=console, auto_refresh=False, transient=True))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def draw(self, game: Game, about: str) -> None:
        """Show a position, with a line below it; what has changed since the last one stands out."""
        if self._live is None:
            return
        from rich.text import Text

        text = f"{self.heading}\n{seen_text(game, self._before)}\n{about}"
        self._before = game
        self._live.update(Text.from_ansi(text, no_wrap=True, overflow="ellipsis"), refresh=True)
        time.sleep(self._pace)


def require_frames_folder(folder: Path | None) -> None:
    """Raise an error before the game is played if its pictures could not be written."""
    if folder is None:
        return
    try:
        str(folder).format(level="easy", initial=0, marked=0, rounds=0)
    except (LookupError, ValueError, AttributeError, TypeError):
        known = ", ".join(f"{{{fact}}}" for fact in FACTS)
        raise click.UsageError(f"--frames: braces in a folder's name are {known}, not {folder}") from None
    fixed = next((each for each in [*reversed(folder.parents), folder] if "{" in each.name), None)
    require_writable_folder(folder if fixed is None else fixed.parent)


def write_pictures(watched: Watched, choices: PictureChoices, given: int) -> None:
    """Write a picture for each mark, numbered from 0 for the unmarked board, and all of them as a GIF.

    They show what the player sees, and with `truth` all cells.
    """
    folder, animate, board = choices.frames, choices.animate, watched.end.board
    if (folder is None and animate is None) or board is None:
        return
    named = None if folder is None else Path(str(folder).format(**_facts(watched, given)))
    if named is not None and animate in (named, *named.parents):
        raise click.UsageError(f"--frames makes a folder of {animate}, so --animate needs another name")
    frames = list(film(board, watched.marks, shows_truth=choices.truth))
    if named is not None:
        _write_frames(frames, named, choices.frames_format)
        note(f"{named}: {counted(len(frames), 'picture')}")
    if animate is not None:
        write_output(animate, animation(frames), counted(len(frames), "frame"))


def _write_frames(frames: Sequence[Frame], folder: Path, suffix: str) -> None:
    """Write a numbered picture per frame; pictures of an earlier, longer game are removed."""
    make_folder(folder)
    for number, frame in enumerate(frames):
        write_atomically(folder / f"{number}.{suffix}", FRAME_WRITERS[suffix](frame))
    number = len(frames)
    while (stale := folder / f"{number}.{suffix}").is_file():
        stale.unlink()
        number += 1


def animate_moves(game: Game, path: Path, *, truth: bool) -> None:
    """Write a game that was played as a GIF, a frame for each move."""
    frames = list(film_of_moves(game, shows_truth=truth))
    write_output(path, animation(frames), counted(len(frames), "frame"))


def _facts(watched: Watched, given: int) -> dict[str, object]:
    """The values of the words in braces."""
    names = {level: name for name, level in LEVELS.items()}
    level = watched.start.level
    values = (names.get(level, str(level)), given, watched.marked, watched.rounds)
    return dict(zip(FACTS, values, strict=True))
