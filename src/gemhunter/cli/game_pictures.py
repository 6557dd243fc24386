"""Pictures of a game: a file per mark, and an animation."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.cli.notes import note, write_output
from gemhunter.core.plurals import counted

if TYPE_CHECKING:
    from gemhunter.play.game import Game
    from gemhunter.play.watched_games import Watched

FACTS = ("level", "initial", "marked", "rounds")
"""What the name of a folder of pictures can carry, in braces."""


def require_frames_folder(folder: Path | None) -> None:
    """Raise an error before the game is played if its pictures could not be written."""
    from gemhunter.formats.files import require_writable_folder

    if folder is None:
        return
    try:
        str(folder).format(level="easy", initial=0, marked=0, rounds=0)
    except (LookupError, ValueError, AttributeError, TypeError):
        known = ", ".join(f"{{{fact}}}" for fact in FACTS)
        raise click.UsageError(f"--frames: braces in a folder's name are {known}, not {folder}") from None
    fixed = next((each for each in [*reversed(folder.parents), folder] if "{" in each.name), None)
    require_writable_folder(folder if fixed is None else fixed.parent)


def write_pictures(
    watched: "Watched", folder: Path | None, animate: Path | None, *, form: str, given: int, truth: bool
) -> None:
    """Write a picture for each mark, numbered from 0 for the unmarked board, and all of them as a GIF.

    They show what the player sees, and with `truth` all the rest. Pictures of an earlier game whose numbers
    go on where these end are removed.
    """
    from gemhunter.formats.files import make_folder, write_atomically
    from gemhunter.play.game_frames import animation, film
    from gemhunter.render.frames import draw_frame, draw_frame_png

    board = watched.end.board
    if (folder is None and animate is None) or board is None:
        return
    named = None if folder is None else Path(str(folder).format(**_facts(watched, given)))
    if named is not None and animate in (named, *named.parents):
        raise click.UsageError(f"--frames makes a folder of {animate}, so --animate needs another name")
    frames = list(film(board, watched.marks, shows_truth=truth))
    if named is not None:
        make_folder(named)
        for number, frame in enumerate(frames):
            drawn = draw_frame(frame) if form == "svg" else draw_frame_png(frame)
            write_atomically(named / f"{number}.{form}", drawn)
        number = len(frames)
        while (stale := named / f"{number}.{form}").is_file():
            stale.unlink()
            number += 1
        note(f"{named}: {counted(len(frames), 'picture')}")
    if animate is not None:
        write_output(animate, animation(frames), counted(len(frames), "frame"))


def animate_moves(game: "Game", path: Path, *, truth: bool) -> None:
    """Write a game that was played as a GIF, a frame for each move."""
    from gemhunter.play.game_frames import animation, film_of_moves

    frames = list(film_of_moves(game, shows_truth=truth))
    write_output(path, animation(frames), counted(len(frames), "frame"))


def _facts(watched: "Watched", given: int) -> dict[str, object]:
    """What stands for the words in braces."""
    from gemhunter.play.levels import LEVELS

    names = {level: name for name, level in LEVELS.items()}
    level = watched.start.level
    values = (names.get(level, str(level)), given, watched.marked, watched.rounds)
    return dict(zip(FACTS, values, strict=True))
