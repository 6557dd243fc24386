"""Games: the view after some moves, hints, risks, agents, and the review of a game that is over."""

from itertools import pairwise
from math import isnan
from typing import Any

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import FirstClick, Move, Status
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.dialects import read_cell, read_moves
from gemhunter.play.agents.player import Stuck
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import Game, new_game, play_moves
from gemhunter.play.game_ids import GameId, new_seed, read_game_id
from gemhunter.play.hints import BestGuess, NoHint, game_hint
from gemhunter.play.levels import read_level
from gemhunter.play.review import look_again, review_moves
from gemhunter.play.risks import know
from gemhunter.play.watched_games import take_turn, watch_game
from gemhunter.play.words import guess_words
from gemhunter.records.boards import hint_record
from gemhunter.records.games import (
    compared_record,
    review_summary,
    reviewed_record,
    second_look_record,
    table_record,
    watched_record,
)
from gemhunter.web.tasks.boards import BOARD_NAME, Asked, Worker

LARGEST_WATCHED = 5000
"""Cells of a game that an agent plays from beginning to end for a client."""


def show_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """What the player of a game sees; a move that changes nothing ends the list of moves."""
    game, rejected = new_game(_game_id(worker, asked)), None
    for number, move in enumerate(_moves(asked), 1):
        after = game.play(move)
        if after is game:
            rejected = f"move {number}, {move}, changes nothing"
            break
        game = after
    return {**table_record(game), "rejected": rejected}


def name_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The id of a new game."""
    level = read_level(asked["level"])
    worker.require_size(level.rows * level.cols)
    seed = new_seed() if asked["seed"] is None else asked["seed"]
    return {"id": str(GameId(level, seed, _first_click(asked["first_click"])))}


def hint_in_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The next deduction as far as a rung tells it, or the best guess."""
    game = _playing(worker, asked)
    near = Cell(0, 0) if asked["near"] is None else read_cell(asked["near"])
    run, think = worker.new_run(asked), asked["think"]
    found = game_hint(game.view, near, run, think=think and min(think, worker.limits.seconds))
    match found:
        case BestGuess(cell, risk, win_chance, compared, is_comparable):
            guess = {"cell": str(cell), "risk": risk, "win_chance": win_chance, "comparable": is_comparable}
            beside = None if compared is None else compared_record(compared)
            return {"kind": "guess", **guess, "compared": beside, "sentence": guess_words(found)}
        case NoHint(reason):
            return {"kind": "none", "reason": reason}
        case ladder:
            return {"kind": "deduction", **hint_record(BOARD_NAME, ladder, asked["rung"])}


def risks_in_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The risk of each hidden cell."""
    game = _playing(worker, asked)
    known = know(game.view, worker.new_run(asked))
    rows = [[None if isnan(risk) else risk for risk in row] for row in known.risks.tolist()]
    return {"risk": rows, "gap": known.gap}


def take_agents_turn(worker: Worker, asked: Asked) -> dict[str, Any]:
    """The moves of an agent in one turn, and why it makes them."""
    game = _playing(worker, asked)
    turn = take_turn(game, new_player(asked["agent"], seed=asked["seed"]))
    stuck = isinstance(turn.choice, Stuck)
    return {
        "moves": _new_moves(game, turn.games[-1] if turn.games else game),
        "why": turn.choice.why,
        "risk": 0.0 if isinstance(turn.choice, Stuck) else turn.choice.risk,
        "stuck": stuck,
    }


def watch_agent(worker: Worker, asked: Asked) -> dict[str, Any]:
    """A whole game by an agent, turn by turn."""
    game_id = _game_id(worker, asked)
    if game_id.level.rows * game_id.level.cols > LARGEST_WATCHED:
        raise InputError(f"agents are watched in games of at most {LARGEST_WATCHED:,} cells")
    start = _game(worker, asked)

    def go_on(game: Game, _: object) -> None:
        worker.desk.tick(0.0, len(game.moves))
        if worker.desk.is_cancelled():
            raise InputError("cancelled")

    watched = watch_game(start, new_player(asked["agent"], seed=asked["seed"]), go_on)
    record = watched_record(watched, name=asked["id"], agent=asked["agent"], given=0, seed=asked["seed"])
    games = [start, *(turn.game for turn in watched.turns)]
    moves = [_new_moves(before, after) for before, after in pairwise(games)]
    return {**record, "moves": moves, "end": table_record(watched.end)}


def review_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Every move of a game judged, then a second look at each that could lose."""
    game = _game(worker, asked)
    reviewed = []
    for move in review_moves(game, worker.new_run(asked)):
        worker.desk.send(reviewed_record(move))
        reviewed.append(move)
        if worker.desk.is_cancelled():
            break
    for move in reviewed:
        if move.risk > 0 and not worker.desk.is_cancelled():
            look = look_again(move, worker.new_run(asked, seed=move.number))
            worker.desk.send(second_look_record(move.number, look))
    return review_summary(game, reviewed)


def _game_id(worker: Worker, asked: Asked) -> GameId:
    game_id = read_game_id(asked["id"])
    worker.require_size(game_id.level.rows * game_id.level.cols)
    return game_id


def _moves(asked: Asked) -> list[Move]:
    return read_moves(asked["moves"])


def _game(worker: Worker, asked: Asked) -> Game:
    """The game after all moves of a request; an `InputError` if one of them changes nothing."""
    return play_moves(new_game(_game_id(worker, asked)), _moves(asked))


def _playing(worker: Worker, asked: Asked) -> Game:
    game = _game(worker, asked)
    if game.status is not Status.PLAYING:
        raise InputError(f"the game is {game.status.value}; there is nothing left to play")
    if not (game.shown == HIDDEN).any():
        raise InputError("nothing is hidden")
    return game


def _new_moves(before: Game, after: Game) -> list[str]:
    return [str(move) for move in after.moves[len(before.moves) :]]


def _first_click(name: str) -> FirstClick:
    known = [rule.value for rule in FirstClick]
    if name not in known:
        raise UnknownNameError("first-click rule", name, known)
    return FirstClick(name)
