"""The wish "compile everything now", as far as games go: the rules, and every agent."""

from functools import partial

from gemhunter.core.grid import Cell
from gemhunter.core.moves import Action, Move
from gemhunter.play.agents.registry import agent_names, new_player
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.giving import game_with_given
from gemhunter.play.hinting import hint
from gemhunter.play.judging import judge
from gemhunter.play.knowing import know
from gemhunter.play.levels import FirstClick, Level
from gemhunter.play.matches import play_games
from gemhunter.play.playing import play_game
from gemhunter.play.resolution_games import play_resolution_games
from gemhunter.queries.warmup import Part

RULES, TABLE = "rules of the game", "table of resolution"

SMALL = Level(6, 7, 7)
"""Large enough for every agent to come to everything it does."""

SEEDS = range(5)
GIVEN = 6


def game_parts() -> list[Part]:
    """Everything that deals games and plays them."""
    agents = [Part(f"agent {name}", partial(use_agent, name)) for name in agent_names()]
    return [Part(RULES, use_rules), *agents, Part(TABLE, use_table)]


def use_rules() -> None:
    """Begin games under every rule, with hints and a judgement."""
    corner = Cell(0, 0)
    for rule in FirstClick:
        fresh = new_game(GameId(SMALL, SEEDS.start, rule))
        judge(fresh.view, Move(Action.REVEAL, corner))
        game = fresh.reveal(corner).chord(corner)
        hint(game.view, know(game.view), corner)


def use_agent(name: str) -> None:
    """Let an agent play: many games at once, and turn by turn, with given cells and without."""
    for rule in FirstClick:
        play_games(name, SMALL, rule, SEEDS)
    for seed in SEEDS:
        game_id = GameId(SMALL, seed)
        for game in (new_game(game_id), game_with_given(game_id, GIVEN)):
            for _ in play_game(game, new_player(name, seed=seed)):
                pass


def use_table() -> None:
    """Let the resolution agent play as its table has it."""
    play_resolution_games(SMALL, GIVEN, SEEDS)
