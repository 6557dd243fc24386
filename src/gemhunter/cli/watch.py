"""`gemhunter watch`: an agent plays a game."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.options import OutputFile, agent_option, complete_game, format_option

if TYPE_CHECKING:
    from gemhunter.play.game import Game
    from gemhunter.play.playing import Turn
    from gemhunter.play.watching import Watched


@click.command()
@click.argument("game", default="easy#1", shell_complete=complete_game)
@agent_option(
    "Who plays: resolution, logic, logic+random, fast or expert.", default="resolution", show_default=True
)
@click.option(
    "--initial",
    metavar="half|one|two|N",
    help="Begin with so many times the root of the number of cells, or N, safe cells "
    "[default: one for resolution, otherwise none].",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the agent.")
@click.option("--steps", is_flag=True, help="Print every turn as it comes.")
@click.option(
    "--frames",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a picture of the board after every step.",
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

    GAME is a level and a seed, such as easy#1, expert#42 or 16x30n99#42, or a file with a game, which goes
    on as it stands. In pictures, grey cells are unmarked, green ones safe and yellow ones held for traps;
    the truth is written on each.

    \b
    Examples:
      gemhunter watch
      gemhunter watch hard#7 --initial two --steps
      gemhunter watch easy#3 --frames frames/ --animate game.gif
      gemhunter watch expert#42 --agent expert --format json
      gemhunter watch board.mine --agent logic
    """
    from gemhunter.formats.files import require_writable_folder

    if how["frames"] is not None:
        require_writable_folder(how["frames"])
    start, given = _start(game, agent, how["initial"])
    watched = _play(start, agent, seed=how["seed"], show=how["steps"] and form == "text")
    if form == "json":
        record = _record(watched, game, agent=agent, given=given)
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        click.echo(_summary(watched, game, agent=agent, given=given))
    _write_pictures(watched, how["frames"], how["frames_format"], how["animate"])


def _start(game: str, agent: str, initial: str | None) -> "tuple[Game, int]":
    """The game that the agent finds, and how many safe cells it was given."""
    from gemhunter.play.game import new_game
    from gemhunter.play.game_ids import read_game_id
    from gemhunter.play.giving import game_with_given, safe_cells
    from gemhunter.play.opening_files import is_game, is_game_id, open_game

    if is_game(game) and not is_game_id(game):
        if initial is not None:
            raise click.UsageError("--initial is for games with an id; a file is played as it is")
        return open_game(game), 0
    game_id = read_game_id(game)
    given = safe_cells(game_id.level, initial or ("one" if agent == "resolution" else "0"))
    if not given:
        return new_game(game_id), 0
    return game_with_given(game_id, given), given


def _play(start: "Game", agent: str, *, seed: int, show: bool) -> "Watched":
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.cli.screen import Progress
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.watching import watch_game
    from gemhunter.solving.run import Run

    player, progress, turns = new_player(agent, seed=seed), Progress(1, unit="turns"), 0
    run = Run()
    progress.begin(f"{agent} plays")

    def after(turn: "Turn[Game]") -> None:
        nonlocal turns
        stop_if_pending()
        turns += 1
        if show:
            progress.clear()
            click.echo(f"{turns}. {_told(turn)}")
        progress.tick(run.elapsed, turns)

    try:
        return watch_game(start, player, after)
    finally:
        progress.clear()


def _told(turn: "Turn[Game]") -> str:
    """A turn in one line."""
    from gemhunter.play.agents.player import Choice

    choice, parts = turn.choice, []
    if choice.traps:
        parts.append(f"traps {' '.join(map(str, choice.traps))}")
    if isinstance(choice, Choice):
        parts.append(f"{'guess' if turn.is_guess else 'reveal'} {' '.join(map(str, choice.safe))}")
    else:
        parts.append("stuck")
    risk = f", risk {choice.risk:.1%}" if isinstance(choice, Choice) and turn.is_guess else ""
    return f"{', '.join(parts)} ({choice.why}{risk})"


def _summary(watched: "Watched", name: str, *, agent: str, given: int) -> str:
    from gemhunter.cli.screen import coloured, has_colours

    end, risks = watched.end, watched.risks
    cells = end.level.rows * end.level.cols
    begun = f" with {given} initial safe cells" if given else ""
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
    """So many things, or a single one."""
    return f"{count} {things.removesuffix('s') if count == 1 else things}"


def _record(watched: "Watched", name: str, *, agent: str, given: int) -> dict[str, Any]:
    from gemhunter.formats.json_boards import grid_rows
    from gemhunter.play.agents.player import Choice

    turns = [
        {
            "safe": [str(cell) for cell in choice.safe] if isinstance(choice, Choice) else [],
            "traps": [str(cell) for cell in choice.traps],
            "risk": choice.risk if isinstance(choice, Choice) else None,
            "why": choice.why,
        }
        for choice in (turn.choice for turn in watched.turns)
    ]
    return {
        "game": str(watched.start.game_id or name),
        "agent": agent,
        "initial": given,
        "outcome": watched.end.status.value,
        "marked": watched.marked,
        "counters": dict(watched.counters),
        "guesses": watched.risks,
        "grid": grid_rows(watched.grid),
        "turns": turns,
    }


def _write_pictures(watched: "Watched", folder: Path | None, form: str, animate: Path | None) -> None:
    """All frames as files, in place of those of an earlier game, and as one animation."""
    from gemhunter.formats.files import make_folder, write_atomically
    from gemhunter.play.filming import animation, film
    from gemhunter.render.frames import draw_frame, draw_frame_png

    if folder is None and animate is None:
        return
    frames = list(film(watched.start, watched.turns))
    if folder is not None:
        make_folder(folder)
        for number, frame in enumerate(frames, 1):
            drawn = draw_frame(frame) if form == "svg" else draw_frame_png(frame)
            write_atomically(folder / f"frame-{number:04}.{form}", drawn)
        for stale in folder.glob(f"frame-[0-9][0-9][0-9][0-9]*.{form}"):
            if stale.stem[6:].isdigit() and int(stale.stem[6:]) > len(frames):
                stale.unlink()
    if animate is not None:
        write_atomically(animate, animation(frames))
