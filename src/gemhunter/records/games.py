"""Games, and what agents did in them, as plain data."""

from typing import Any

from gemhunter import __version__
from gemhunter.core.game_status import Status
from gemhunter.formats.json_boards import grid_rows
from gemhunter.formats.mine_map import mine_map
from gemhunter.generate.games import NoGuessGame
from gemhunter.play.agents.player import Choice
from gemhunter.play.game import Game
from gemhunter.play.three_bv import three_bv
from gemhunter.play.watched_games import Watched
from gemhunter.records.positions import rows_with_flags


def game_record(game: Game) -> dict[str, Any]:
    """How far a game has come, and what its player sees."""
    return {
        "id": None if game.game_id is None else str(game.game_id),
        "level": str(game.level),
        "status": game.status.value,
        "exploded": None if game.exploded is None else str(game.exploded),
        "moves": len(game.moves),
        "flags": int(game.flags.sum()),
        "grid": seen_rows(game),
    }


def table_record(game: Game) -> dict[str, Any]:
    """A game as its player sees it on a screen; once it is over, the truth, and how many clicks it takes."""
    is_over, board = game.status is not Status.PLAYING, game.board
    return {
        **game_record(game),
        "traps": game.level.total,
        "counter": game.view.counter,
        "three_bv": three_bv(board) if is_over and board is not None else None,
        "truth": mine_map(board.traps).splitlines() if is_over and board is not None else None,
    }


def generated_game_record(made: NoGuessGame) -> dict[str, Any]:
    """A game that needs no guess: its id, where its player begins, and its traps as rows of a mine map."""
    return {
        "id": str(made.game_id),
        "level": str(made.game_id.level),
        "seed": made.game_id.seed,
        "first": str(made.first),
        "traps": mine_map(made.board.traps).splitlines(),
    }


def seen_rows(game: Game) -> list[str]:
    """What the player sees, a flag as `F`, the trap that ended the game as `X`."""
    rows = rows_with_flags(game.view.grid, game.flags)
    if game.exploded is not None:
        rows[game.exploded.row][game.exploded.col] = "X"
    return [", ".join(row) for row in rows]


def replay_record(file: str, game: Game, *, lists_moves: bool) -> dict[str, Any]:
    """A replay that holds: its file, how its game ended and, on request, every move."""
    moves = {"list": [str(move) for move in game.moves]} if lists_moves else {}
    return {"file": file, "valid": True, **game_record(game), **moves}


def wrong_replay_record(file: str, reason: str) -> dict[str, Any]:
    """A replay that does not hold, and why."""
    return {"file": file, "valid": False, "reason": reason}


def watched_record(watched: Watched, *, name: str, agent: str, given: int, seed: int) -> dict[str, Any]:
    """How a game that an agent played went, turn by turn and mark by mark.

    `name` is what the game is called if it has no id, `given` the number of initial safe cells, and `seed`
    the agent's.
    """
    turns = [
        {
            "safe": [str(cell) for cell in choice.safe] if isinstance(choice, Choice) else [],
            "traps": [str(cell) for cell in choice.traps],
            "risk": choice.risk if isinstance(choice, Choice) else None,
            "why": choice.why,
        }
        for choice in (turn.choice for turn in watched.turns)
    ]
    marks = [
        {"cell": str(mark.cell), "mark": "trap" if mark.is_trap else "safe", "rounds": mark.rounds}
        for mark in watched.marks
    ]
    return {
        "game": str(watched.start.game_id or name),
        "agent": agent,
        "initial": given,
        "version": __version__,
        "outcome": watched.end.status.value,
        "marked": watched.marked,
        "counters": dict(watched.counters),
        "guesses": watched.risks,
        "grid": grid_rows(watched.grid),
        "turns": turns,
        "marks": marks,
        "seed": seed,
    }
