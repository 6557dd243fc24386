"""`gemhunter watch`: an agent plays a game, shown on the screen, as text and in pictures."""

import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from gemhunter.board.grid import CELL_MARKS, TRAP
from gemhunter.board.position import FirstClick, Status
from gemhunter.cli.declare import argument, command, flag, option
from gemhunter.cli.exit_codes import moves_cursor, note, stop_if_pending
from gemhunter.cli.options import (
    FIRST_CLICK_OPTION,
    SEED,
    TRUTH_OPTION,
    RealNumber,
    complete_agent,
    complete_game,
)
from gemhunter.cli.output import (
    Outputs,
    format_option,
    json_document,
    output_option,
    styled,
    terminal_columns,
    write_output,
)
from gemhunter.cli.progress import Progress
from gemhunter.draw.frames import draw_frame_png
from gemhunter.draw.palette import JUST_CHANGED
from gemhunter.draw.text_maps import map_lines, sign_pieces
from gemhunter.files.access import make_folder, require_writable_folder, write_atomically
from gemhunter.files.json_boards import write_replay
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.registry import AGENTS, STRONGEST_AGENT
from gemhunter.play.game import Game, board_with_given, game_with_given, new_game, safe_cells
from gemhunter.play.game_ids import LEVELS, dealt_id, read_game_id
from gemhunter.play.game_names import is_game, is_game_id, open_game
from gemhunter.play.player import CellMark, PlayedGame, Player, animation, frames_of_marks, watch_game
from gemhunter.play.risks import percent
from gemhunter.records.games import watched_record
from gemhunter.solving.run import Run
from gemhunter.wording import counted

*OTHER_AGENTS, LAST_AGENT = AGENTS


@command()
def watch(
    game: str = argument(default="beginner", shell_complete=complete_game),
    *,
    agent: str = option(
        "-a --agent NAME",
        f"Who plays: {', '.join(OTHER_AGENTS)} or {LAST_AGENT}.",
        default=STRONGEST_AGENT,
        shell_complete=complete_agent,
    ),
    seed: int | None = option(
        "--seed N",
        "Deal the game with this seed, if GAME is a level; it is also the seed of the agent, and of the "
        "initial safe cells of a board of your own.",
        type=SEED,
    ),
    initial: str | None = option(
        "--initial half|one|two|N",
        "Begin with N safe cells, or with this multiple of the square root of the number of cells "
        "[default: one for resolution and csp, otherwise none].",
    ),
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    pace: float = option(
        "--pace SECONDS",
        "How long each move stays on the screen.",
        type=RealNumber(min=0, max=60),
        default=0.25,
    ),
    steps: bool = flag("--steps", "Print every mark and every matching round."),
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option(
        json="the game as a replay, which `replay` reviews", gif="all steps as an animation"
    ),
    frames: Path | None = option(
        "--frames FOLDER",
        "Draw the board after every mark; the name may contain {level}, {initial}, {marked} and {rounds}.",
        rare=True,
        type=click.Path(file_okay=False, path_type=Path),
    ),
    truth: bool = TRUTH_OPTION,
) -> None:
    """Let an agent play a game to its end, and say how it went.

    \b
    Examples:
      gemhunter watch
      gemhunter watch expert#42 --pace 0.5 -o game.gif
      gemhunter watch expert#42 --agent fast -o game.json
      gemhunter watch hard#7 --agent resolution --initial two --steps
      gemhunter watch board.mine --agent resolution --initial 4 --seed 3
      gemhunter watch easy#3 --frames "{level}_{initial}_{marked}_{rounds}" --truth

    As for play, GAME is a level (beginner, intermediate, expert, easy, medium, hard, or a size such as
    16x30n99), the id of a game such as expert#42, or a file with a board or a game, which is continued. On a
    terminal, the game is shown move by move. In pictures, grey cells are unmarked, green ones safe, and
    yellow ones marked as traps.
    """
    if frames is not None:
        _require_frames_folder(frames)
    start, given = _start(game, agent, seed=seed, initial=initial, first_click=first_click)
    begun = f" with {counted(given, 'initial safe cell')}" if given else ""
    heading = f"{agent} plays {start.game_id or game}{begun}"
    player = open_player(agent, seed=seed or 0)
    if form == "text" and not steps and _fits_terminal(start):
        watched = _play_on_screen(start, player, heading, pace)
    else:
        watched = _play(start, player, heading, with_steps=steps and form == "text")

    summary = _summary(watched, heading)
    record = watched_record(watched, name=game, agent=agent, given=given, seed=seed or 0)
    outputs.give(form, lambda form: summary if form == "text" else json_document(record), "how it went")
    for path in outputs.ending("json"):
        write_replay(path, watched.end.replay)
        note(f"{path}: the game")
    if frames is not None or outputs.ending("gif"):
        _write_pictures(watched, frames, outputs.ending("gif"), given=given, truth=truth)


def _require_frames_folder(folder: Path) -> None:
    """Raise an error if pictures could not be written to this folder."""
    try:
        str(folder).format(level="easy", initial=0, marked=0, rounds=0)
    except (LookupError, ValueError, AttributeError, TypeError):
        known = "{level}, {initial}, {marked}, {rounds}"
        raise click.UsageError(f"--frames: braces in a folder's name are {known}, not {folder}") from None
    fixed = next((each for each in [*reversed(folder.parents), folder] if "{" in each.name), None)
    require_writable_folder(folder if fixed is None else fixed.parent)


def _start(
    game: str, agent: str, *, seed: int | None, initial: str | None, first_click: FirstClick | None
) -> tuple[Game, int]:
    """The game that the agent plays, and the number of its initial safe cells."""
    wanted = initial or ("one" if agent in ("resolution", "csp") and first_click is None else "0")
    if is_game(game) and first_click is not None:
        raise click.UsageError("--first-click is for levels; an id or a file has its own")
    if is_game(game) and not is_game_id(game):
        start = open_game(game)
        is_untouched = start.view.is_fresh and not start.moves and start.status is Status.PLAYING
        if start.board is None or not is_untouched:
            if initial is not None:
                raise click.UsageError("--initial is for a game that has not begun; this one has")
            return start, 0
        given = safe_cells(start.level, wanted)
        return (board_with_given(start.board, given, seed or 0) if given else start), given
    game_id = read_game_id(game) if is_game(game) else dealt_id(game, seed, first_click)
    given = safe_cells(game_id.level, wanted)
    if given and first_click is not None:
        raise click.UsageError(
            "--initial and --first-click exclude each other: initial cells replace a click"
        )
    return (game_with_given(game_id, given) if given else new_game(game_id)), given


def _fits_terminal(game: Game) -> bool:
    """Whether a game can be redrawn in place; if the terminal has too few lines, print a note."""
    if not sys.stdout.isatty() or not moves_cursor():
        return False
    # Above the board there is a heading, below it a line about the move and one for the cursor.
    needed, lines = _seen_text(game).count("\n") + 4, shutil.get_terminal_size().lines
    if needed > lines:
        note(f"note: this game needs {needed} lines, but the terminal has {lines}; only its end is shown")
    return needed <= lines


def _play_on_screen(start: Game, player: Player, heading: str, pace: float) -> PlayedGame:
    """Let a player play to the end; each position is shown for `pace` seconds, with changes in colour."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    story, before = Story(), start

    def draw(game: Game, marks: Sequence[CellMark]) -> None:
        nonlocal before
        stop_if_pending()
        about = story.lines(marks)[-1:] or [""]
        text = "\n".join([heading, _seen_text(game, before), *about])
        before = game
        live.update(Text.from_ansi(text, no_wrap=True, overflow="ellipsis"), refresh=True)
        time.sleep(pace)

    with Live(console=Console(highlight=False), auto_refresh=False, transient=True) as live:
        return watch_game(start, player, draw)


def _play(start: Game, player: Player, heading: str, *, with_steps: bool) -> PlayedGame:
    """Let a player play to the end, with a line of progress, and a line per step if `with_steps`."""
    story, run = Story(), Run()
    with Progress(1, unit="marks") as progress:
        progress.begin(heading)

        def after(_: Game, marks: Sequence[CellMark]) -> None:
            stop_if_pending()
            lines = story.lines(marks)
            if with_steps and lines:
                progress.clear()
                click.echo("\n".join(lines))
            progress.tick(run.elapsed, story.marks)

        watched = watch_game(start, player, after)
    if with_steps:
        click.echo("".join(f"{line}\n" for line in story.rounds_until(watched.rounds)), nl=False)
    return watched


def _seen_text(game: Game, before: Game | None = None) -> str:
    """What the player sees, as a map: `T` is a flag, `X` the trap that was hit; changes are coloured."""
    seen = np.where(game.presumed_traps, np.int8(TRAP), game.shown)
    signs = [[CELL_MARKS[code] for code in codes] for codes in seen.tolist()]
    if game.exploded is not None:
        signs[game.exploded.row][game.exploded.col] = "X"
    pieces = sign_pieces(signs)
    if before is not None:
        has_changed = (game.shown != before.shown) | (game.presumed_traps != before.presumed_traps)
        for row, col in np.argwhere(has_changed):
            pieces[row][col] = pieces[row][col]._replace(look=JUST_CHANGED)
    return styled(map_lines(pieces, terminal_columns()))


class Story:
    """Numbers the marks and the matching rounds of a game, each in a line."""

    def __init__(self) -> None:
        self.marks = self._rounds = 0

    def lines(self, marks: Sequence[CellMark]) -> list[str]:
        """A line for each of the next marks, and for each round before them."""
        lines = []
        for mark in marks:
            lines += self.rounds_until(mark.rounds)
            self.marks += 1
            what = "trap" if mark.is_trap else "safe"
            opened = f", opens {counted(len(mark.opened), 'more cell')}" if mark.opened else ""
            risk = f" (a guess, risk {percent(mark.risk)})" if mark.risk else ""
            lines.append(f"{self.marks}. {mark.cell} {what}{opened}{risk}")
        return lines

    def rounds_until(self, rounds: int) -> list[str]:
        """A line for each round up to number `rounds`."""
        first, self._rounds = self._rounds + 1, max(rounds, self._rounds)
        return [f"matching round {number}" for number in range(first, self._rounds + 1)]


def _summary(watched: PlayedGame, heading: str) -> str:
    """Who played what, the final board, and numbers about the game."""
    end, risks = watched.end, watched.risks
    at = "" if end.exploded is None else f" at {end.exploded}"
    others = {what: count for what, count in watched.counters.items() if what != "marked cells"}
    taken = f"{'a risk' if len(risks) == 1 else 'risks'} of {', '.join(map(percent, risks))}"
    facts = [
        f"{watched.marked} of {counted(end.level.rows * end.level.cols, 'cell')} marked",
        *(counted(count, what.removesuffix("s")) for what, count in others.items()),
        counted(len(watched.turns), "turn"),
        f"{counted(len(risks), 'guess', 'guesses')} at {taken}" if risks else "no guess",
    ]
    board = _seen_text(end) if terminal_columns() is not None else str(watched.grid)
    return f"{heading}\n{board}\n{end.status.value}{at}: {', '.join(facts)}\n"


def _write_pictures(
    watched: PlayedGame, folder: Path | None, animations: Sequence[Path], *, given: int, truth: bool
) -> None:
    """Write a picture for each mark, numbered from 0 for the unmarked board, and all of them as a GIF."""
    board, level = watched.end.board, watched.start.level
    if board is None:
        return
    frames = list(frames_of_marks(board, watched.marks, shows_truth=truth))
    if folder is not None:
        # The last name of a level is the course's: 9×9 with 10 traps is `easy` in S5, `beginner` elsewhere.
        name = {known: name for name, known in LEVELS.items()}.get(level, str(level))
        facts = {"level": name, "initial": given, "marked": watched.marked, "rounds": watched.rounds}
        folder = Path(str(folder).format(**facts))
        for path in animations:
            if path in (folder, *folder.parents):
                raise click.UsageError(f"--frames creates the folder {path}, so -o needs another name")
        make_folder(folder)
        for number, frame in enumerate(frames):
            write_atomically(folder / f"{number}.png", draw_frame_png(frame))
        # Pictures of an earlier, longer game would seem to belong to this one.
        number = len(frames)
        while (stale := folder / f"{number}.png").is_file():
            stale.unlink()
            number += 1
        note(f"{folder}: {counted(len(frames), 'picture')}")
    for path in animations:
        write_output(path, animation(frames), counted(len(frames), "frame"))
