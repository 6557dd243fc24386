"""Many games by one agent, played by kernels from beginning to end if the agent is compiled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, Cell, count_around
from gemhunter.board.position import LOST, STUCK, WON, FirstClick, Status
from gemhunter.engines.resolution.knowledge_base import grown
from gemhunter.jit.arrays import Codes
from gemhunter.play import notes as codes
from gemhunter.play import whole_games as playing
from gemhunter.play.agents import resolution as kernels
from gemhunter.play.agents.command import open_player
from gemhunter.play.agents.player import Choice, Player
from gemhunter.play.agents.registry import AGENTS, first_of_agent
from gemhunter.play.agents.resolution import new_knowledge
from gemhunter.play.end_game import NO_CELL
from gemhunter.play.game import Game, View, new_game
from gemhunter.play.game_ids import GameId, dealt_codes
from gemhunter.play.levels import Level
from gemhunter.play.luck import LUCK_UNITS, luck_of_reveal
from gemhunter.play.risks import log_factorials
from gemhunter.play.watched_games import Turn, play_game

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """What became of the games with the seeds from `first_seed` on, one entry per game.

    `ends` has the codes of `Status`. `reveals` counts the cells that were revealed, including those that a 0
    opened and a trap at the end: the order in which safe cells are revealed changes nothing. `guesses` counts
    the reveals that could have hit a trap, the first click among them only under the rule `any`. `reason` is
    the number, in `REASONS`, of the last guess. `luck` is how much of each result was luck, where a win is 1;
    its mean over all boards is 0.
    """

    first_seed: int
    ends: Numbers
    reveals: Numbers
    guesses: Numbers
    reason: Numbers
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
    table = _results(agent, level, first_click, seeds, first=first)
    return _games(seeds.start, table)


def _games(first_seed: int, table: Numbers) -> Games:
    ends, reveals, guesses, reason, luck, *_ = table.T
    return Games(first_seed, ends, reveals, guesses, reason, luck / LUCK_UNITS)


def prepare_games(agent: str, level: Level, plain_seconds: float) -> None:
    """Compile an agent if that pays off for games that take plain Python this long.

    Other processes then find it in the cache.
    """
    if (code := _code(agent)) is not None:
        table = np.zeros((1, codes.RESULT_COLUMNS), np.int64)
        dealt, begun = np.empty((0, level.cols), np.int8), _nothing_shown(level)
        playing.play_seeds.prepare(
            plain_seconds, code, level.rows, level.cols, level.total, 0, 0, 0, dealt, begun, table
        )


def _nothing_shown(level: Level) -> Codes:
    return np.full((level.rows, level.cols), HIDDEN, np.int8)


def _code(agent: str) -> int | None:
    return AGENTS[agent].code if agent in AGENTS else None


def _results(
    agent: str, level: Level, first_click: FirstClick, seeds: range, *, first: Cell | None
) -> Numbers:
    """A row for each game, in the columns of `play.notes`."""
    code = _code(agent)
    if code is None:
        open_player(agent)  # an unknown agent is an error even where there are no games to play
        return play_one_by_one(lambda seed: open_player(agent, seed=seed), level, first_click, seeds)
    table = np.zeros((len(seeds), codes.RESULT_COLUMNS), np.int64)
    rule, size = first_click.code, (level.rows, level.cols)
    first = first or first_of_agent(code, level, first_click)[0]
    begin = first.row * level.cols + first.col
    dealt = _dealt(level, first_click, seeds, begin)
    playing.play_seeds(
        code, *size, level.total, rule, begin, seeds.start, dealt, _nothing_shown(level), table
    )
    return table


def _dealt(level: Level, first_click: FirstClick, seeds: range, begin: int) -> Codes:
    """The boards of these games below each other, unless the kernel that plays them deals them too."""
    if not first_click.needs_no_guess or not seeds:
        return np.empty((0, level.cols), np.int8)
    return np.concatenate([dealt_codes(GameId(level, seed, first_click), begin) for seed in seeds])


def is_won_by_logic(boards: Sequence[Board], first: Cell, *, with_total: bool) -> Mask:
    """On which of these boards, all of one level, an agent that never guesses wins from this cell on."""
    rows, cols, total = boards[0].rows, boards[0].cols, boards[0].total
    table = np.zeros((len(boards), codes.RESULT_COLUMNS), np.int64)
    agent, rule = codes.LOGIC if with_total else codes.CLUE_LOGIC, FirstClick.OPENING.code
    dealt = np.concatenate([board.codes() for board in boards])
    begin, begun = first.row * cols + first.col, np.full((rows, cols), HIDDEN, np.int8)
    playing.play_seeds(agent, rows, cols, total, rule, begin, 0, dealt, begun, table)
    return np.equal(table[:, codes.OUTCOME], WON)


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

    All boards, given as clues and traps, agree with it; a gem is hidden. The agent reveals `first` if it is
    given; the luck of that reveal is not counted.
    """
    code = AGENTS[agent].code
    if code is None:
        raise AssertionError(f"{agent} is not compiled")
    table = np.zeros((len(boards), codes.RESULT_COLUMNS), np.int64)
    rule, (rows, cols) = FirstClick.SAFE.code, shown.shape
    dealt, begun = np.concatenate(boards), shown.copy()
    begin = NO_CELL if first is None else first.row * cols + first.col
    playing.play_seeds(code, rows, cols, total, rule, begin, first_seed, dealt, begun, table)
    return _games(first_seed, table)


def play_one_by_one(
    player_of: Callable[[int], Player], level: Level, first_click: FirstClick, seeds: range
) -> Numbers:
    """Let Python objects play, one game after the other; a row for each, in the columns of
    `play.notes`.

    `player_of` makes the player of a seed. The reason of a guess says only where it was made.
    """
    results = np.zeros((len(seeds), codes.RESULT_COLUMNS), np.int64)
    for row, seed in zip(results, seeds, strict=True):
        game = new_game(GameId(level, seed, first_click))
        turns = list(play_game(game, player_of(seed)))
        _write_down(row, [game.view, *(turn.game.view for turn in turns)], turns, first_click)
    return results


def _write_down(
    row: Numbers, views: Sequence[View], turns: Sequence[Turn[Game]], first_click: FirstClick
) -> None:
    """Fill in one row; `views` are those that the turns were taken in, and the last."""
    row[codes.OUTCOME] = views[-1].status.code
    shown = int(np.count_nonzero(views[-1].grid.cells != HIDDEN))
    row[codes.REVEALS] = shown + (views[-1].status is Status.LOST)
    row[codes.LAST_REASON] = codes.FIRST_MOVE
    for view, turn in zip(views, turns, strict=False):
        if not isinstance(turn.choice, Choice) or not turn.is_guess:
            continue
        if view.is_fresh:
            row[codes.GUESSES] += first_click is FirstClick.ANY
        else:
            row[codes.GUESSES] += 1
            at_clue = count_around(view.grid.cells != HIDDEN)[turn.choice.safe[0]] > 0
            row[codes.LAST_REASON] = codes.FRONTIER if at_clue else codes.ELSEWHERE
            row[codes.LUCK] += round(_luck(view, turn, turn.choice.safe[0]) * LUCK_UNITS)


def _luck(view: View, turn: Turn[Game], cell: Cell) -> float:
    """How lucky it was to reveal a cell in a view, as the first one of a turn."""
    is_safe = any(not game.view.is_hidden(cell) for game in turn.games)
    cells, index = view.grid.cells.copy(), cell.row * view.grid.cols + cell.col
    return luck_of_reveal(cells, view.total, index, is_safe, log_factorials(cells.size))


@dataclass(frozen=True, slots=True, eq=False)
class ResolutionGames:
    """What became of games of the agent `resolution`, which marks cells; one entry per game.

    The games have the seeds from `first_seed` on. `marked` counts cells, `rounds` matching rounds, `wrong`
    wrong marks, and `conflicts` is 1 where the knowledge base contradicted itself. No game has either of the
    last two, and tests look at them.
    """

    level: Level
    first_seed: int
    marked: Numbers
    rounds: Numbers
    wrong: Numbers
    conflicts: Numbers

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
