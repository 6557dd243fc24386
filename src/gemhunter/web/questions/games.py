"""Questions about a game: the view after some moves, hints, risks, agents, and the review of a finished game.

Each question has a body and a task that answers it; they are listed at the end.
"""

from itertools import pairwise
from math import isnan
from typing import Annotated, Any

from pydantic import Field

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import Action, FirstClick, Status
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.dialects import read_cell, read_moves
from gemhunter.play.advice import BestGuess, NoHint, game_hint, guess_words
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import Game, new_game, play_moves
from gemhunter.play.game_ids import GameId, new_seed, read_game_id, read_level
from gemhunter.play.player import Stuck, take_turn, watch_game
from gemhunter.play.review import look_again, review_moves
from gemhunter.play.risks import risks_of_view
from gemhunter.records.boards import hint_record
from gemhunter.records.games import (
    compared_record,
    review_summary,
    reviewed_record,
    second_look_record,
    table_record,
    watched_record,
)
from gemhunter.web.questions.question import (
    BOARD_NAME,
    ApiQuestion,
    Body,
    CellName,
    Name,
    Rung,
    Seconds,
    Seed,
    Worker,
)
from gemhunter.work.jobs import StoppedJobError


class GameBody(Body):
    """A game: its id, and all moves so far, each an action and a cell."""

    id: Name = Field(examples=["9x9n10#42"])
    moves: list[Annotated[str, Field(max_length=40)]] = Field([], fail_fast=True, max_length=20_000)


def show_game(worker: Worker, body: GameBody) -> dict[str, Any]:
    """What the player of a game sees, after the moves up to the first one that changes nothing."""
    game, rejected = new_game(_game_id(worker, body)), None
    for number, move in enumerate(read_moves(body.moves), 1):
        after = game.play(move)
        if after is game:
            rejected = f"move {number}, {move}, changes nothing"
            break
        game = after
    return {**table_record(game), "rejected": rejected}


class NewGameBody(Body):
    """A level, the rule for the first click, and the seed of a particular game."""

    level: Name = "beginner"
    seed: Seed | None = None
    first_click: Name = "safe"


def name_game(worker: Worker, body: NewGameBody) -> dict[str, Any]:
    """The id of a new game."""
    level = read_level(body.level)
    worker.require_size(level.rows * level.cols)
    seed = new_seed() if body.seed is None else body.seed
    rules = [rule.value for rule in FirstClick]
    if body.first_click not in rules:
        raise UnknownNameError("first-click rule", body.first_click, rules)
    return {"id": str(GameId(level, seed, FirstClick(body.first_click)))}


class GameHintBody(GameBody):
    """A game, how much to say about the next deduction, and a cell near which to look for it.

    If nothing can be deduced, the best guesses are compared for `think` seconds by simulated games.
    """

    rung: Rung = 1
    near: CellName | None = None
    think: Seconds | None = None


def hint_in_game(worker: Worker, body: GameHintBody) -> dict[str, Any]:
    """The next deduction up to a rung of the hint ladder, or the best guess."""
    game = _unfinished_game(worker, body)
    near = Cell(0, 0) if body.near is None else read_cell(body.near)
    think = None if body.think is None else min(body.think, worker.limits.seconds)
    match game_hint(game.view, near, worker.new_run(), think=think):
        case BestGuess(cell, risk, win_chance, compared, is_comparable) as guess:
            return {
                "kind": "guess",
                "cell": str(cell),
                "risk": risk,
                "win_chance": win_chance,
                "comparable": is_comparable,
                "compared": None if compared is None else compared_record(compared),
                "sentence": guess_words(guess),
            }
        case NoHint(reason):
            return {"kind": "none", "reason": reason}
        case ladder:
            return {"kind": "deduction", **hint_record(BOARD_NAME, ladder, body.rung)}


def risks_in_game(worker: Worker, body: GameBody) -> dict[str, Any]:
    """The risk of each hidden cell."""
    game = _unfinished_game(worker, body)
    known = risks_of_view(game.view, worker.new_run())
    rows = [[None if isnan(risk) else risk for risk in row] for row in known.risks.tolist()]
    return {"risk": rows, "gap": known.gap}


class AgentBody(GameBody):
    """A game and the agent that continues it."""

    agent: Name = "expert"
    seed: Seed = 0


def take_agents_turn(worker: Worker, body: AgentBody) -> dict[str, Any]:
    """The moves of an agent in one turn, and its reason."""
    game = _unfinished_game(worker, body)
    turn = take_turn(game, new_player(body.agent, seed=body.seed))
    after = turn.games[-1] if turn.games else game
    return {
        "moves": _new_moves(game, after),
        "revealed": _revealed(game, after),
        "why": turn.choice.why,
        "risk": 0.0 if isinstance(turn.choice, Stuck) else turn.choice.risk,
        "stuck": isinstance(turn.choice, Stuck),
    }


def watch_agent(worker: Worker, body: AgentBody) -> dict[str, Any]:
    """A whole game by an agent, turn by turn."""
    game_id = _game_id(worker, body)
    # An agent takes minutes to play a larger game.
    if game_id.level.rows * game_id.level.cols > 5000:
        raise InputError("agents are watched in games of at most 5,000 cells")
    start = _game(worker, body)

    def report(game: Game, _: object) -> None:
        worker.job.tick(0.0, len(game.moves))
        if worker.job.is_cancelled():
            raise StoppedJobError("cancelled")

    watched = watch_game(start, new_player(body.agent, seed=body.seed), report)
    record = watched_record(watched, name=body.id, agent=body.agent, given=0, seed=body.seed)
    games = [start, *(turn.game for turn in watched.turns)]
    moves = [_new_moves(before, after) for before, after in pairwise(games)]
    revealed = [_revealed(before, after) for before, after in pairwise(games)]
    return {**record, "moves": moves, "revealed": revealed, "end": table_record(watched.end)}


def review_game(worker: Worker, body: GameBody) -> dict[str, Any]:
    """Judge every move of a game, then take a second look at each move that could lose."""
    game = _game(worker, body)
    reviewed = []
    for move in review_moves(game, worker.new_run()):
        worker.job.send(reviewed_record(move))
        reviewed.append(move)
        if worker.job.is_cancelled():
            break
    for move in reviewed:
        if move.risk > 0 and not worker.job.is_cancelled():
            look = look_again(move, worker.new_run(seed=move.number))
            worker.job.send(second_look_record(move.number, look))
    return review_summary(game, reviewed)


def _game_id(worker: Worker, body: GameBody) -> GameId:
    game_id = read_game_id(body.id)
    worker.require_size(game_id.level.rows * game_id.level.cols)
    return game_id


def _game(worker: Worker, body: GameBody) -> Game:
    """The game after all moves of a request; `InputError` if one of them changes nothing."""
    return play_moves(new_game(_game_id(worker, body)), read_moves(body.moves))


def _unfinished_game(worker: Worker, body: GameBody) -> Game:
    game = _game(worker, body)
    if game.status is not Status.PLAYING:
        raise InputError(f"the game is {game.status.value}; there is nothing left to play")
    if not (game.shown == HIDDEN).any():
        raise InputError("nothing is hidden")
    return game


def _new_moves(before: Game, after: Game) -> list[str]:
    return [str(move) for move in after.moves[len(before.moves) :]]


def _revealed(before: Game, after: Game) -> list[str]:
    """The cells that the new moves reveal, without those that an opening shows."""
    new = after.moves[len(before.moves) :]
    return [str(move.cell) for move in new if move.action is Action.REVEAL]


GAME_QUESTIONS = (
    ApiQuestion("play", GameBody, show_game, "What the player of a game sees."),
    ApiQuestion("play/id", NewGameBody, name_game, "The id of a new game."),
    ApiQuestion("play/hint", GameHintBody, hint_in_game, "A hint to the player of a game."),
    ApiQuestion("play/risks", GameBody, risks_in_game, "The risk of each hidden cell."),
    ApiQuestion("play/turn", AgentBody, take_agents_turn, "The next moves of an agent."),
    ApiQuestion("play/watch", AgentBody, watch_agent, "A whole game by an agent."),
    ApiQuestion("play/review", GameBody, review_game, "Every move of a game judged.", is_long=True),
)
