"""Compiles everything now, in parallel: games, engines and whatever answers questions."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import process_time

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, FirstClick, Move
from gemhunter.engines.cdcl.search import search
from gemhunter.jit.cache import is_cached
from gemhunter.jit.choice import Mode, compiled_kernels, compiling
from gemhunter.play.advice import advise
from gemhunter.play.agents.player import Player
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.game_names import game_with_given
from gemhunter.play.hints import best_guess, game_hint
from gemhunter.play.levels import Level
from gemhunter.play.many_games import play_games, play_one_by_one, play_resolution_games
from gemhunter.play.review import judge
from gemhunter.play.watched_games import play_game
from gemhunter.play.whole_games import play_seeds as all_games
from gemhunter.questions.warmup import (
    PROOF_CHECKER,
    WARMUP_QUESTIONS,
    own_engines,
    use_engine,
    use_proof_checker,
    use_questions,
)
from gemhunter.work.workers import worker_pool

RULES_PART, RESOLUTION_TABLE_PART = "rules of the game", "table of resolution"

WARMUP_LEVEL = Level(6, 7, 7)
"""Large enough for every agent to come to everything it does."""

WARMUP_SEEDS = range(5)
INITIAL_CELLS = 6


@dataclass(frozen=True, slots=True)
class WarmupTask:
    """Something with kernels: an engine, an agent or the like, and how to use all of them."""

    name: str
    use: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Warmed:
    """How many kernels a part compiled, and how many seconds of the processor that took."""

    name: str
    compiled: int
    seconds: float


def warm_up(jobs: int) -> Iterator[Warmed]:
    """Compile every kernel that is not in the cache yet, in two processes unless `jobs` is 1.

    Parts come as they are done.
    """
    groups = part_groups()
    if jobs == 1:
        for part in chain(*groups):
            yield warm_part(part.name)
        return
    with ExitStack() as pools:
        futures: list[Future[Warmed]] = []
        for group in groups:
            pool = pools.enter_context(worker_pool(1))
            futures += [pool.schedule(warm_part, args=(part.name,)) for part in group]
        for done in as_completed(futures):
            yield done.result()


def is_warm() -> bool:
    """Whether the largest kernels, one of an engine and that of the agents, are in the cache."""
    return is_cached(search) and is_cached(all_games)


def part_groups() -> tuple[list[WarmupTask], list[WarmupTask]]:
    """All parts in two groups that take about as long.

    A process compiles all that a kernel calls unless it has done so before; so parts that call the same
    kernels are in one group. `auto` needs some of the first group's, and finds them in the cache by the time
    it comes.
    """
    agents = {name: WarmupTask(f"agent {name}", partial(use_agent, name)) for name in AGENTS}
    resolution = [agents.pop("resolution"), WarmupTask(RESOLUTION_TABLE_PART, use_table)]
    engines = {name: WarmupTask(name, partial(use_engine, name)) for name in own_engines()}
    auto, tables = engines.pop("auto"), engines.pop("tables")
    questions, checker = (
        WarmupTask(WARMUP_QUESTIONS, use_questions),
        WarmupTask(PROOF_CHECKER, use_proof_checker),
    )
    first = [questions, tables, WarmupTask(RULES_PART, use_rules), *agents.values()]
    return first, [*engines.values(), checker, *resolution, auto]


def warm_part(name: str) -> Warmed:
    """Compile the kernels of one part, by using it."""
    part = next(part for group in part_groups() for part in group if part.name == name)
    before, began = len(compiled_kernels()), process_time()
    with compiling(Mode.ALWAYS):
        part.use()
    return Warmed(name, len(compiled_kernels()) - before, process_time() - began)


def use_rules() -> None:
    """Begin games under every rule, with hints and a judgement."""
    corner = Cell(0, 0)
    for rule in FirstClick:
        fresh = new_game(GameId(WARMUP_LEVEL, WARMUP_SEEDS.start, rule))
        judge(fresh.view, Move(Action.REVEAL, corner))
        game = fresh.reveal(corner).chord(corner)
        best_guess(game.view, advise(game))
        game_hint(game.view, corner)


def use_agent(name: str) -> None:
    """Let an agent play: many games at once, and turn by turn, with given cells and without."""
    for rule in FirstClick:
        play_games(name, WARMUP_LEVEL, rule, WARMUP_SEEDS)
    play_one_by_one(partial(_player, name), WARMUP_LEVEL, FirstClick.SAFE, WARMUP_SEEDS)
    for seed in WARMUP_SEEDS:
        game_id = GameId(WARMUP_LEVEL, seed)
        for game in (new_game(game_id), game_with_given(game_id, INITIAL_CELLS)):
            for _ in play_game(game, new_player(name, seed=seed)):
                pass


def _player(name: str, seed: int) -> Player:
    return new_player(name, seed=seed)


def use_table() -> None:
    """Let the resolution agent play as its table has it."""
    play_resolution_games(WARMUP_LEVEL, INITIAL_CELLS, WARMUP_SEEDS)
