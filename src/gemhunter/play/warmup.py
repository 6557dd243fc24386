"""Compiles everything in advance, in parallel: games, engines and questions."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import process_time
from typing import TypeAlias

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, FirstClick, Move
from gemhunter.engines.cdcl.search import search
from gemhunter.jit.cache import is_cached
from gemhunter.jit.choice import Mode, compiled_kernels, compiling
from gemhunter.play.advice import advise, best_guess, game_hint
from gemhunter.play.agents.compiled import play_seeds as all_games
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game import game_with_given, new_game
from gemhunter.play.game_ids import GameId, Level
from gemhunter.play.many_games import play_games, play_one_by_one, play_resolution_games
from gemhunter.play.player import play_game
from gemhunter.play.review import judge
from gemhunter.questions.warmup import (
    PROOF_CHECKER,
    WARMUP_QUESTIONS,
    own_engines,
    use_engine,
    use_proof_checker,
    use_questions,
)
from gemhunter.work.workers import worker_pool

RULES_PART = "rules of the game"

WARMUP_LEVEL = Level(6, 7, 7)
"""Large enough for every agent to use all its kernels."""

WARMUP_SEEDS = range(5)
INITIAL_CELLS = 6

Parts: TypeAlias = dict[str, Callable[[], object]]
"""Engines, agents and other parts with kernels: a function that uses all of them, by name."""


@dataclass(frozen=True, slots=True)
class Warmed:
    """How many kernels a part compiled, and how many seconds of processor time that took."""

    name: str
    compiled: int
    seconds: float


def warm_up(jobs: int) -> Iterator[Warmed]:
    """Compile every kernel that is not in the cache yet, in two processes unless `jobs` is 1.

    Each part is yielded when it is done.
    """
    groups = part_groups()
    if jobs == 1:
        yield from map(warm_part, chain(*groups))
        return
    with ExitStack() as pools:
        futures: list[Future[Warmed]] = []
        for group in groups:
            pool = pools.enter_context(worker_pool(1))
            futures += [pool.schedule(warm_part, args=(name,)) for name in group]
        for done in as_completed(futures):
            yield done.result()


def is_warm() -> bool:
    """Whether the largest kernels, that of an engine and that of the agents, are in the cache."""
    return is_cached(search) and is_cached(all_games)


def part_groups() -> tuple[Parts, Parts]:
    """All parts, in two groups that take about the same time.

    A process compiles everything that a kernel calls unless it has done so before, so parts that call the
    same kernels are in one group. `auto` comes last: it needs some kernels of the first group, which are in
    the cache by then.
    """
    engines: Parts = {name: partial(use_engine, name) for name in own_engines()}
    agents: Parts = {f"agent {name}": partial(use_agent, name) for name in AGENTS}
    first: Parts = {WARMUP_QUESTIONS: use_questions, "tables": engines.pop("tables"), RULES_PART: use_rules}
    last: Parts = {
        PROOF_CHECKER: use_proof_checker,
        "agent resolution": agents.pop("agent resolution"),
        "table of resolution": partial(play_resolution_games, WARMUP_LEVEL, INITIAL_CELLS, WARMUP_SEEDS),
        "auto": engines.pop("auto"),
    }
    return {**first, **agents}, {**engines, **last}


def warm_part(name: str) -> Warmed:
    """Compile the kernels of a part by using it."""
    first, second = part_groups()
    before, began = len(compiled_kernels()), process_time()
    with compiling(Mode.ALWAYS):
        {**first, **second}[name]()
    return Warmed(name, len(compiled_kernels()) - before, process_time() - began)


def use_rules() -> None:
    """Begin a game under every rule, with advice, a hint and a judgement."""
    corner = Cell(0, 0)
    for rule in FirstClick:
        fresh = new_game(GameId(WARMUP_LEVEL, WARMUP_SEEDS.start, rule))
        judge(fresh.view, Move(Action.REVEAL, corner))
        game = fresh.reveal(corner).chord(corner)
        best_guess(game.view, advise(game))
        game_hint(game.view, corner)


def use_agent(name: str) -> None:
    """Let an agent play many games at once, and turn by turn, with initial safe cells and without."""
    for rule in FirstClick:
        play_games(name, WARMUP_LEVEL, rule, WARMUP_SEEDS)
    play_one_by_one(lambda seed: new_player(name, seed=seed), WARMUP_LEVEL, FirstClick.SAFE, WARMUP_SEEDS)
    for seed in WARMUP_SEEDS:
        game_id = GameId(WARMUP_LEVEL, seed)
        for game in (new_game(game_id), game_with_given(game_id, INITIAL_CELLS)):
            for _ in play_game(game, new_player(name, seed=seed)):
                pass
