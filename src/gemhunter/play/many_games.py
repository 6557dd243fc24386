"""Many games of one agent, played by kernels from beginning to end if the agent is compiled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, Cell, count_around
from gemhunter.board.position import LOST, STUCK, WON, FirstClick, Status
from gemhunter.engines.resolution import grown
from gemhunter.jit.kernel import Codes, Ints
from gemhunter.play.agents import compiled
from gemhunter.play.agents import resolution as kernels
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.compiled import LUCK_UNITS, first_of_agent, luck_of_reveal
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.agents.resolution import new_knowledge
from gemhunter.play.deal import dealt_codes
from gemhunter.play.game import Game, View, new_game
from gemhunter.play.game_ids import GameId, Level
from gemhunter.play.guessing.choose import CLUE_LOGIC, LOGIC
from gemhunter.play.guessing.end_game import NO_CELL
from gemhunter.play.player import ELSEWHERE, FIRST_MOVE, FRONTIER, Choice, Player, Turn, play_game
from gemhunter.play.risks import log_factorials

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """The results of the games with the seeds from `first_seed` on, one entry per game.

    `ends` has the codes of `Status`. `reveals` counts the cells that were revealed, including those that a 0
    opened and a trap at the end: the order in which safe cells are revealed changes nothing. `guesses` counts
    the reveals that could have hit a trap, including the first click only under the rule `any`. `reason` is
    the number, in `REASONS`, of the last guess. `luck` is the part of each result that was luck, where a win
    is 1; its mean over all boards is 0.
    """

    first_seed: int
    ends: Ints
    reveals: Ints
    guesses: Ints
    reason: Ints
    luck: NDArray[np.float64]

    @property
    def won(self) -> Mask:
        """Which games were won."""
        return np.equal(self.ends, WON)

    @property
    def lost(self) -> Mask:
        """Which games were lost."""
        return np.equal(self.ends, LOST)

    @property
    def stuck(self) -> Mask:
        """Which games were given up."""
        return np.equal(self.ends, STUCK)


def play_games(
    agent: str, level: Level, first_click: FirstClick, seeds: range, *, first: Cell | None = None
) -> Games:
    """Let an agent play the games of these consecutive seeds; the results are the same every time.

    A compiled agent begins at `first` if it is given.
    """
    code = _code(agent)
    if code is None:
        open_player(agent)  # an unknown agent is an error even if there are no games to play
        table = play_one_by_one(lambda seed: open_player(agent, seed=seed), level, first_click, seeds)
        return _games(seeds.start, table)
    table = np.zeros((len(seeds), compiled.RESULT_COLUMNS), np.int64)
    rule, size = first_click.code, (level.rows, level.cols)
    first = first or first_of_agent(code, level, first_click)[0]
    begin = first.row * level.cols + first.col
    dealt, begun = np.empty((0, level.cols), np.int8), np.full(size, HIDDEN, np.int8)
    if first_click.needs_no_guess and seeds:  # the kernel does not deal such boards
        dealt = np.concatenate([dealt_codes(GameId(level, seed, first_click), begin) for seed in seeds])
    compiled.play_seeds(code, *size, level.total, rule, begin, seeds.start, dealt, begun, table)
    return _games(seeds.start, table)


def _games(first_seed: int, table: Ints) -> Games:
    ends, reveals, guesses, reason, luck, *_ = table.T
    return Games(first_seed, ends, reveals, guesses, reason, luck / LUCK_UNITS)


def prepare_games(agent: str, level: Level, plain_seconds: float) -> None:
    """Compile an agent for all processes if that pays off for games that take plain Python this long."""
    if (code := _code(agent)) is not None:
        size, table = (level.rows, level.cols), np.zeros((1, compiled.RESULT_COLUMNS), np.int64)
        dealt, begun = np.empty((0, level.cols), np.int8), np.full(size, HIDDEN, np.int8)
        compiled.play_seeds.prepare(plain_seconds, code, *size, level.total, 0, 0, 0, dealt, begun, table)


def _code(agent: str) -> int | None:
    return AGENTS[agent].code if agent in AGENTS else None


def is_won_by_logic(boards: Sequence[Board], first: Cell, *, with_total: bool) -> Mask:
    """Whether an agent that never guesses wins from this cell on each board; all are of one level."""
    rows, cols, total = boards[0].rows, boards[0].cols, boards[0].total
    table = np.zeros((len(boards), compiled.RESULT_COLUMNS), np.int64)
    agent, rule = LOGIC if with_total else CLUE_LOGIC, FirstClick.OPENING.code
    dealt = np.concatenate([board.codes() for board in boards])
    begin, begun = first.row * cols + first.col, np.full((rows, cols), HIDDEN, np.int8)
    compiled.play_seeds(agent, rows, cols, total, rule, begin, 0, dealt, begun, table)
    return np.equal(table[:, compiled.OUTCOME], WON)


def finished_games(
    agent: str,
    shown: Codes,
    boards: Sequence[Codes],
    *,
    total: int,
    first_seed: int = 0,
    first: Cell | None = None,
) -> Games:
    """Let a compiled agent that guesses play on from what is shown, once on each of these boards.

    All boards, given as clues and traps, agree with what is shown; at least one gem is hidden. The agent
    reveals `first` if it is given; the luck of that reveal is not counted.
    """
    code = AGENTS[agent].code
    if code is None:
        raise AssertionError(f"{agent} is not compiled")
    table = np.zeros((len(boards), compiled.RESULT_COLUMNS), np.int64)
    rule, (rows, cols) = FirstClick.SAFE.code, shown.shape
    dealt, begun = np.concatenate(boards), shown.copy()
    begin = NO_CELL if first is None else first.row * cols + first.col
    compiled.play_seeds(code, rows, cols, total, rule, begin, first_seed, dealt, begun, table)
    return _games(first_seed, table)


def play_one_by_one(
    player_of: Callable[[int], Player], level: Level, first_click: FirstClick, seeds: range
) -> Ints:
    """Let Python objects play, one game after the other; a row of results for each.

    `player_of` makes the player of a seed. The reason of a guess says only where it was made.
    """
    results = np.zeros((len(seeds), compiled.RESULT_COLUMNS), np.int64)
    for row, seed in zip(results, seeds, strict=True):
        game = new_game(GameId(level, seed, first_click))
        row[compiled.LAST_REASON] = FIRST_MOVE
        for turn in play_game(game, player_of(seed)):
            if isinstance(turn.choice, Choice) and turn.is_guess:
                _add_guess(row, game.view, turn.choice.safe[0], turn)
            game = turn.game
        row[compiled.OUTCOME] = game.status.code
        row[compiled.REVEALS] = np.count_nonzero(game.shown != HIDDEN) + (game.status is Status.LOST)
    return results


def _add_guess(row: Ints, view: View, cell: Cell, turn: Turn[Game]) -> None:
    """Count a guess at a cell in a row of results; `view` is the one before the turn."""
    if view.is_fresh:
        row[compiled.GUESSES] += view.first_click is FirstClick.ANY
        return
    row[compiled.GUESSES] += 1
    at_clue = count_around(view.grid.cells != HIDDEN)[cell] > 0
    row[compiled.LAST_REASON] = FRONTIER if at_clue else ELSEWHERE
    is_safe = any(not game.view.is_hidden(cell) for game in turn.games)
    cells, index = view.grid.cells.copy(), cell.row * view.grid.cols + cell.col
    luck = luck_of_reveal(cells, view.total, index, is_safe, log_factorials(cells.size))
    row[compiled.LUCK] += round(luck * LUCK_UNITS)


@dataclass(frozen=True, slots=True, eq=False)
class ResolutionGames:
    """The results of games of the agent `resolution`, which marks cells; one entry per game.

    The games have the seeds from `first_seed` on. `marked` counts cells, `rounds` matching rounds, `wrong`
    wrong marks, and `conflicts` is 1 if the knowledge base had a conflict. The last two are 0 in every game,
    which tests check.
    """

    level: Level
    first_seed: int
    marked: Ints
    rounds: Ints
    wrong: Ints
    conflicts: Ints

    @property
    def finished(self) -> Mask:
        """The games in which every cell was marked."""
        return np.equal(self.marked, self.level.rows * self.level.cols)


def play_resolution_games(level: Level, given: int, seeds: range) -> ResolutionGames:
    """Let `resolution` play the games of these consecutive seeds, each with `given` initial safe cells."""
    known = new_knowledge(level.rows * level.cols)
    memory = np.zeros(kernels.MEMORIES, np.int64)
    boards = np.empty((2, level.rows, level.cols), np.int8)
    results = np.zeros((len(seeds), kernels.RESOLUTION_COLUMNS), np.int64)
    done = 0
    while done < len(seeds):
        first = seeds.start + done
        done += kernels.play_seeds(known, memory, boards, level.total, given, first, results[done:])
        if done < len(seeds):
            known = grown(known)
    columns = [kernels.CELLS_MARKED, kernels.MATCHING_ROUNDS, kernels.WRONG_MARKS, kernels.HAS_CONFLICT]
    return ResolutionGames(level, seeds.start, *results.T[columns])
