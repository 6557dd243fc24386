"""`gemhunter watch`: an agent plays a game; what is printed about it, and its pictures."""

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

from gemhunter.board.position import FirstClick, Status
from gemhunter.cli.board_arguments import seen_text, terminal_columns
from gemhunter.cli.notes import note, quiet_option, stop_if_pending, write_output
from gemhunter.cli.options import (
    SEED,
    OutputFile,
    RealNumber,
    agent_option,
    complete_game,
    first_click_option,
    format_option,
    options_as,
    truth_option,
)
from gemhunter.cli.play import dealt_id
from gemhunter.cli.progress import Progress
from gemhunter.cli.terminals import moves_cursor
from gemhunter.draw.frames import Frame, draw_frame, draw_frame_png
from gemhunter.files.access import make_folder, require_writable_folder, write_atomically
from gemhunter.files.json_boards import write_replay
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.player import Player
from gemhunter.play.agents.registry import AGENTS, STRONGEST_AGENT
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId, read_game_id
from gemhunter.play.game_names import (
    board_with_given,
    game_with_given,
    is_game,
    is_game_id,
    open_game,
    safe_cells,
)
from gemhunter.play.levels import LEVELS
from gemhunter.play.watched_games import CellMark, Watched, animation, film, film_of_moves, watch_game
from gemhunter.printable import counted, json_text
from gemhunter.records.games import watched_record
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from rich.live import Live


# A game as it is played: on the screen, as a picture for each mark, and as an animation.


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


# `gemhunter watch`: an agent plays a game, and what is printed about it.


*OTHER_AGENTS, LAST_AGENT = AGENTS
WHO_PLAYS = f"Who plays: {', '.join(OTHER_AGENTS)} or {LAST_AGENT}."


@dataclass(frozen=True, slots=True)
class AskedStart:
    """The options about how a game begins."""

    first_click: FirstClick | None
    initial: str | None
    seed: int | None


@click.command()
@click.argument("game", default="beginner", shell_complete=complete_game)
@agent_option(WHO_PLAYS, STRONGEST_AGENT)
@first_click_option
@click.option(
    "--initial",
    metavar="half|one|two|N",
    help="Begin with this multiple of the root of the number of cells, or N, safe cells "
    "[default: one for resolution and csp, otherwise none].",
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
    help="How long each move stands on the screen.",
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
    type=click.Choice(list(FRAME_WRITERS)),
    default=next(iter(FRAME_WRITERS)),
    show_default=True,
    help="What kind of pictures.",
)
@click.option("--animate", type=OutputFile(), metavar="FILE", help="Write all steps as an animated GIF.")
@click.option(
    "--save", type=OutputFile(), metavar="FILE", help="Write the game as a replay, which `replay` reviews."
)
@truth_option
@format_option
@quiet_option
@options_as(AskedStart, "begin")
@options_as(PictureChoices, "pictures")
def watch(
    game: str,
    *,
    agent: str,
    begin: AskedStart,
    pace: float,
    steps: bool,
    pictures: PictureChoices,
    save: Path | None,
    form: str,
) -> None:
    """Let an agent play a game to its end, and say how it went.

    GAME is, as for play, a level (beginner, intermediate, expert, easy, medium, hard, or a size such as
    16x30n99), the id of a game such as expert#42, or a file with a board or a game, which goes on as it
    stands. On a terminal the game is shown move by move. In pictures, grey cells are unmarked, green ones
    safe and yellow ones held for traps.

    \b
    Examples:
      gemhunter watch expert#42 --pace 0.5
      gemhunter watch hard#7 --agent resolution --initial two --steps
      gemhunter watch board.mine --agent resolution --initial 4 --seed 3
      gemhunter watch easy#3 --frames "{level}_{initial}_{marked}_{rounds}" --animate game.gif --truth
      gemhunter watch expert#42 --agent fast --save game.json
    """
    require_frames_folder(pictures.frames)
    start, given = _start(game, agent, begin)
    title = heading(start, game, agent=agent, given=given)
    seed = begin.seed or 0
    with LiveGame(start, title, pace, wanted=form == "text" and not steps) as live:
        watched = _play(start, open_player(agent, seed=seed), live, show=steps and form == "text")
    if form == "json":
        record = watched_record(watched, name=game, agent=agent, given=given, seed=seed)
        click.echo(json_text(record, indent=2))
    else:
        click.echo(summary(watched, game, agent=agent, given=given))
    write_pictures(watched, pictures, given)
    if save is not None:
        write_replay(save, watched.end.replay)


def _start(game: str, agent: str, begin: AskedStart) -> tuple[Game, int]:
    """The game that the agent finds, and how many safe cells it was given."""
    wanted = begin.initial or ("one" if agent in ("resolution", "csp") and begin.first_click is None else "0")
    if is_game(game) and begin.first_click is not None:
        raise click.UsageError("--first-click is for levels; an id or a file has its own")
    if is_game(game) and not is_game_id(game):
        start = open_game(game)
        is_untouched = start.view.is_fresh and not start.moves and start.status is Status.PLAYING
        if start.board is None or not is_untouched:
            if begin.initial is not None:
                raise click.UsageError("--initial is for a game that has not begun; this one has")
            return start, 0
        given = safe_cells(start.level, wanted)
        return (board_with_given(start.board, given, begin.seed or 0) if given else start), given
    game_id = _game_id(game, begin.seed, begin.first_click)
    given = safe_cells(game_id.level, wanted)
    if given and begin.first_click is not None:
        raise click.UsageError(
            "--initial and --first-click exclude each other: initial cells replace a click"
        )
    return (game_with_given(game_id, given) if given else new_game(game_id)), given


def _game_id(name: str, seed: int | None, first_click: FirstClick | None) -> GameId:
    """The id itself, or that of a game of a level, dealt as `play` deals it."""
    return read_game_id(name) if is_game(name) else dealt_id(name, seed, first_click)


def _play(start: Game, player: Player, live: LiveGame, *, show: bool) -> Watched:
    """Let a player play to the end: on the screen, line by line if `show`, or with a line of progress."""
    progress, story, run = Progress(1, unit="marks"), Story(), Run()
    progress.begin(live.heading)

    def after(game: Game, marks: Sequence[CellMark]) -> None:
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


class Story:
    """Numbers the marks and the matching rounds of a game, each in a line."""

    def __init__(self) -> None:
        self.marks = 0
        self._rounds = 0

    def lines(self, marks: Sequence[CellMark]) -> list[str]:
        """A line for each of the next marks, and for each round before them."""
        lines = []
        for mark in marks:
            lines += self.rounds_until(mark.rounds)
            self.marks += 1
            lines.append(f"{self.marks}. {_mark_text(mark)}")
        return lines

    def rounds_until(self, rounds: int) -> list[str]:
        """A line for each round up to number `rounds`."""
        first, self._rounds = self._rounds + 1, max(rounds, self._rounds)
        return [f"matching round {number}" for number in range(first, self._rounds + 1)]


def _mark_text(mark: CellMark) -> str:
    """A mark in one line."""
    opened = f", opens {counted(len(mark.opened), 'more cell')}" if mark.opened else ""
    risk = f" (a guess, risk {mark.risk:.1%})" if mark.risk else ""
    return f"{mark.cell} {'trap' if mark.is_trap else 'safe'}{opened}{risk}"


def summary(watched: Watched, name: str, *, agent: str, given: int) -> str:
    """Who played what, the board in the end, and how it went in numbers."""
    end, risks = watched.end, watched.risks
    cells = end.level.rows * end.level.cols
    numbers = [
        counted(count, what.removesuffix("s"))
        for what, count in watched.counters.items()
        if what != "marked cells"
    ]
    of_what = "a risk" if len(risks) == 1 else "risks"
    taken = ", ".join(f"{risk:.1%}" for risk in risks)
    guessed = f"{counted(len(risks), 'guess', 'guesses')} at {of_what} of {taken}" if risks else "no guess"
    facts = [
        f"{watched.marked} of {counted(cells, 'cell')} marked",
        *numbers,
        counted(len(watched.turns), "turn"),
        guessed,
    ]
    return "\n".join(
        [
            heading(watched.start, name, agent=agent, given=given),
            seen_text(end) if terminal_columns() is not None else str(watched.grid),
            f"{_outcome(end)}: {', '.join(facts)}",
        ]
    )


def _outcome(end: Game) -> str:
    return end.status.value if end.exploded is None else f"{end.status.value} at {end.exploded}"


def heading(start: Game, name: str, *, agent: str, given: int) -> str:
    """Who plays what."""
    begun = f" with {counted(given, 'initial safe cell')}" if given else ""
    return f"{agent} plays {start.game_id or name}{begun}"
