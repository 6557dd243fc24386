"""Games, advice, reviews and half-filled boards as plain data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, assert_never

import numpy as np
from numpy.typing import NDArray

from gemhunter import __version__
from gemhunter.board.grid import Grid
from gemhunter.board.position import Position, Status
from gemhunter.files.json_boards import grid_rows
from gemhunter.files.minesweeper import mine_map
from gemhunter.play.advice import Advice, Comparison, SameGuess, compared_words
from gemhunter.play.fill_in import (
    CheckedMarks,
    ConflictsWithMarks,
    Consistent,
    DeadEnd,
    FillIn,
    NotFound,
    WrongMarks,
)
from gemhunter.play.game import Game, three_bv
from gemhunter.play.guessing.candidates import Candidate
from gemhunter.play.guessing.rollouts import Rollouts, WinChance
from gemhunter.play.player import Choice, PlayedGame
from gemhunter.play.review import (
    Guess,
    NeedlessRisk,
    ProvenSafe,
    ProvenTrap,
    ReviewedMove,
    SecondLook,
    chance_to_survive,
    judgement_words,
)
from gemhunter.questions.probability import assumption_words
from gemhunter.records.boards import step_record
from gemhunter.records.engines import interval_fields, outcome_name
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.work.confidence_intervals import Interval

if TYPE_CHECKING:  # only records of such games need what makes them
    from gemhunter.generate.games import NoGuessGame


def rows_with_flags(grid: Grid, flags: NDArray[np.bool_]) -> list[list[str]]:
    """The signs of a grid, row by row, with `F` for a flag."""
    rows = [row.split(", ") for row in grid_rows(grid)]
    for row, col in zip(*flags.nonzero(), strict=True):
        rows[row][col] = "F"
    return rows


def position_record(position: Position, game: Game | None = None) -> dict[str, Any]:
    """A position as rows of text with its total, and the game that led to it if it has an id."""
    rows = rows_with_flags(position.grid, position.flags)
    moves = None
    if game is not None and game.game_id is not None:
        moves = {"id": str(game.game_id), "moves": [str(move) for move in game.moves]}
    return {"grid": [", ".join(row) for row in rows], "traps": position.total, "game": moves}


# Games, and how agents played them.


def game_record(game: Game) -> dict[str, Any]:
    """The state of a game, and what its player sees."""
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
    """A game as its player sees it on a screen, and once it is over, the truth and its 3BV."""
    is_over, board = game.status is not Status.PLAYING, game.board
    return {
        **game_record(game),
        "traps": game.level.total,
        "counter": game.view.counter,
        "three_bv": three_bv(board) if is_over and board is not None else None,
        "truth": mine_map(board.traps).splitlines() if is_over and board is not None else None,
    }


def generated_game_record(game: "NoGuessGame") -> dict[str, Any]:
    """A game that needs no guess: its id, its first click, and its traps as rows of a mine map."""
    return {
        "id": str(game.game_id),
        "level": str(game.game_id.level),
        "seed": game.game_id.seed,
        "first": str(game.first),
        "traps": mine_map(game.board.traps).splitlines(),
    }


def seen_rows(game: Game) -> list[str]:
    """What the player sees, with `F` for a flag and `X` for an exploded trap."""
    rows = rows_with_flags(game.view.grid, game.flags)
    if game.exploded is not None:
        rows[game.exploded.row][game.exploded.col] = "X"
    return [", ".join(row) for row in rows]


def replay_record(file: str, game: Game, *, lists_moves: bool) -> dict[str, Any]:
    """A valid replay: its file, how its game ended and, on request, every move."""
    moves = {"list": [str(move) for move in game.moves]} if lists_moves else {}
    return {"file": file, "valid": True, **game_record(game), **moves}


def wrong_replay_record(file: str, reason: str) -> dict[str, Any]:
    """An invalid replay, and why."""
    return {"file": file, "valid": False, "reason": reason}


def watched_record(watched: PlayedGame, *, name: str, agent: str, given: int, seed: int) -> dict[str, Any]:
    """A game that an agent played, turn by turn and mark by mark.

    `name` is for a game without an id, `given` the number of initial safe cells, `seed` that of the agent.
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


# Boards that are being filled in.


def checked_record(board: FillIn, found: CheckedMarks) -> dict[str, Any]:
    """Whether the marks are right so far: a verdict, and the clues and marks that it concerns."""
    clues, marks, total, reason = list[str](), list[str](), False, None
    verdict: str
    match found:
        case _ if board.is_right:
            verdict = "right"
        case ConflictsWithMarks():
            verdict, total = "conflict", found.total
            clues, marks = [str(cell) for cell in found.clues], [str(cell) for cell in found.marks]
        case WrongMarks(cells):
            verdict, marks = "wrong", [str(cell) for cell in cells]
        case DeadEnd(is_unsolvable):
            verdict = "unsolvable" if is_unsolvable else "no-way-on"
        case Consistent():
            verdict = "fits"
        case NotFound(why):
            verdict, reason = "not-known", why
        case _:
            assert_never(found)
    return {
        "verdict": verdict,
        "clues": clues,
        "marks": marks,
        "total": total,
        "left": board.left,
        "reason": reason,
    }


# Advice on positions.


def advice_record(position: str, advised: Advice | Refuted | GaveUp) -> dict[str, Any]:
    """What to play in a position, or why there is no advice; both have the same fields."""
    found = advised if isinstance(advised, Advice) else None
    best = found.best if found is not None else None
    gems, traps, wrong_flags = ((), (), ()) if found is None else (found.gems, found.traps, found.wrong_flags)
    densities = () if found is None else found.at_other_densities
    return {
        "position": position,
        "traps": None if found is None else found.total,
        "density": None if found is None else found.density,
        "assumption": None if found is None else assumption_words(found.total, found.density),
        "verdict": "advised" if isinstance(advised, Advice) else outcome_name(advised),
        "reason": None if isinstance(advised, Advice) else advised.reason,
        "best": None if best is None else str(best),
        "risk": None if found is None else found.risk,
        "why": None if found is None else found.why,
        "win_chance": None if found is None else found.win_chance,
        "safe_twice": None if not found or not found.candidates else found.candidates[0].safe_twice,
        "worth": None if not found or not found.candidates else found.candidates[0].worth,
        "runners_up": [] if found is None else [*map(_candidate_record, found.runners_up)],
        "forced": {
            "gems": [*map(str, gems)],
            "traps": [*map(str, traps)],
            "complete": found is not None and not found.gap,
        },
        "wrong_flags": [*map(str, wrong_flags)],
        "version": __version__,
        "at_other_densities": [{"density": density, "best": str(cell)} for density, cell in densities],
        "rollouts": None if found is None or found.rollouts is None else _rollouts_record(found.rollouts),
    }


def _rollouts_record(rollouts: Rollouts) -> dict[str, Any]:
    """How often the best guesses win, and by how much less often than the first of them."""
    rows = zip(rollouts.cells, rollouts.win_rates, rollouts.behind, strict=True)
    return {
        "games": rollouts.games,
        "cells": [
            {"cell": str(cell), **interval_fields("win_rate", rate), **interval_fields("behind", behind)}
            for cell, rate, behind in rows
        ],
    }


def _candidate_record(candidate: Candidate) -> dict[str, Any]:
    return {
        "cell": str(candidate.cell),
        "risk": candidate.risk,
        "win_chance": candidate.win_chance,
        "safe_twice": candidate.safe_twice,
        "worth": candidate.worth,
    }


# Reviews of games.


VERDICT_NAMES = {ProvenSafe: "safe", ProvenTrap: "proven-trap", NeedlessRisk: "needless-risk", Guess: "guess"}
"""The names of judgements by type; a move without one of these was not judged."""


def reviewed_record(reviewed: ReviewedMove) -> dict[str, Any]:
    """The review of one move: the verdict, the risk, and what would have been better."""
    found = reviewed.judgement
    safest, least, missed = None, None, None
    if isinstance(found, NeedlessRisk):
        safest, least, missed = str(found.safe), 0.0, found.missed
    elif isinstance(found, Guess):
        safest, least = str(found.safest), found.least
    return {
        "number": reviewed.number,
        "move": str(reviewed.move),
        "verdict": _move_verdict(reviewed),
        "cell": str(found.cell),
        "risk": reviewed.risk if type(found) in VERDICT_NAMES else None,
        "safest": safest,
        "least": least,
        "is_safest": found.is_safest if isinstance(found, Guess) else None,
        "sentence": judgement_words(found),
        "missed": None if missed is None else step_record(missed),
        "steps": [step_record(step) for step in found.steps] if isinstance(found, ProvenTrap) else [],
    }


def second_look_record(number: int, look: SecondLook) -> dict[str, Any]:
    """What simulated games say about move `number`: the win chance before it, and a comparison."""
    return {
        "number": number,
        "win_chance": None if look.win_chance is None else _win_chance_record(look.win_chance),
        "compared": None if look.comparison is None else compared_record(look.comparison),
    }


def compared_record(comparison: Comparison) -> dict[str, Any]:
    """Two guesses compared; a guess that `expert` would have made is compared with itself."""
    sentence = compared_words(comparison)
    if isinstance(comparison, SameGuess):
        cell, nothing = str(comparison.cell), interval_fields("more", Interval(0.0, 0.0, 0.0))
        return {"better": cell, "other": cell, **nothing, "boards": 0, "sentence": sentence}
    return {
        "better": str(comparison.better),
        "other": str(comparison.other),
        **interval_fields("more", comparison.more),
        "boards": comparison.boards,
        "sentence": sentence,
    }


def review_summary(game: Game, reviewed: Sequence[ReviewedMove]) -> dict[str, Any]:
    """How the moves of a game were judged, and the probability of surviving them all."""
    verdicts = [_move_verdict(move) for move in reviewed]
    return {
        "reviewed": len(reviewed),
        "guesses": verdicts.count("guess"),
        "needless": verdicts.count("needless-risk") + verdicts.count("proven-trap"),
        "survived": chance_to_survive(reviewed),
        "status": game.status.value,
    }


def _win_chance_record(found: WinChance) -> dict[str, Any]:
    interval = found.interval
    return {"value": interval.value, "low": interval.low, "high": interval.high, "exact": found.is_exact}


def _move_verdict(reviewed: ReviewedMove) -> str:
    return VERDICT_NAMES.get(type(reviewed.judgement), "not-judged")
