"""Advice: what `expert` would play in a position, what else it weighed, and two guesses beside each other."""

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid, require_grid
from gemhunter.board.position import FirstClick, Position, Status, bare_position
from gemhunter.errors import InputError
from gemhunter.files.boards import KIND_OF_SUFFIX
from gemhunter.files.text import parse_position
from gemhunter.play.agents.player import WHY
from gemhunter.play.expert import (
    MOST_COMPARED,
    Candidate,
    Outlook,
    WorkedOut,
    first_move,
    outlook,
    win_chance,
    win_chance_after,
    work_out_position,
)
from gemhunter.play.game import Game, View
from gemhunter.play.levels import Level
from gemhunter.play.notes import FIRST_MOVE
from gemhunter.play.risks import USUAL_LIMITS, Risks, know_grid
from gemhunter.play.rollouts import Rollouts, can_roll_out, roll_out
from gemhunter.play.whole_games import first_cell
from gemhunter.questions.answers import SAME
from gemhunter.questions.probability import trap_weight_of
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run
from gemhunter.work.estimates import Interval

# Advice: what the agent `expert` would play in a position, and what else it weighed.


USUAL_DENSITY = 0.2
"""The share of traps where neither the total nor a density is known: one in five, as on Expert."""

OTHER_DENSITIES = (0.12,)
"""What the answer is compared with: the density of Beginner. Each takes as long as the answer itself."""

LOOK_AHEAD_CELLS = 10_000
"""On larger boards the agent does not look ahead."""

MOST_ROLLED_OUT = 4
"""Guesses that are compared by playing on."""

CLEARLY_BETTER = 1.5
"""How many margins a guess has to win more often than the advice to take its place: one would be chance too
often, as it is the best of several."""

LEAST_BOARDS = 100
"""Boards on which guesses have to be compared before one takes the place of the advice."""

BY_ROLLOUTS = "the best guess by games played on from here"

SAFEST = "the safest cell; this position is too large to look ahead"

_SUFFIXES = "|".join(map(re.escape, KIND_OF_SUFFIX))
_NAME = re.compile(rf"[^\s,]*(?:#\d+(?::\w+)?|(?:{_SUFFIXES}))")
"""What files and games are called; no board looks like that."""

NOTHING_TO_OPEN = "every hidden cell is a trap"

Situation: TypeAlias = Game | View | Position | Grid | str
"""What advice can be asked about; a text is a board."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What `expert` would do in a position.

    `candidates` are the cells it weighs, the best one first; none if every hidden cell is a trap. `gems` and
    `traps` are the hidden cells that cannot be anything else. `wrong_flags` stand on gems. `density` is what
    was assumed where the total is not known, and `at_other_densities` has other densities with the best cell
    at each, if the usual one was assumed. `gap` says why further cells may be certain; it is empty if `gems`
    and `traps` are all there are.
    `rollouts` are there if there was time to play on, which can put another cell first.
    """

    candidates: tuple[Candidate, ...]
    why: str
    gems: tuple[Cell, ...]
    traps: tuple[Cell, ...]
    wrong_flags: tuple[Cell, ...]
    win_chance: float | None
    total: int | None
    density: float | None
    at_other_densities: tuple[tuple[float, Cell], ...] = ()
    gap: str = ""
    rollouts: Rollouts | None = None

    @property
    def best(self) -> Cell | None:
        """The cell to open; None if nothing but traps is hidden."""
        return self.candidates[0].cell if self.candidates else None

    @property
    def risk(self) -> float | None:
        """The risk of the best cell."""
        return self.candidates[0].risk if self.candidates else None

    @property
    def guesses(self) -> tuple[Candidate, ...]:
        """The cells that were weighed by looking ahead, which games played on could compare."""
        return tuple(each for each in self.candidates if each.worth is not None)

    @property
    def runners_up(self) -> tuple[Candidate, ...]:
        """The other cells that were weighed, the better ones first."""
        return self.candidates[1:]


def advise(
    situation: Situation,
    *,
    total: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    think: float | None = None,
    run: Run | None = None,
) -> Advice | Refuted | GaveUp:
    """What `expert` would play in a game, a view, a position, a grid, or the text of a board.

    `total` is the number of traps on the whole board; without it, that of the position is used if it has
    one. Without either, every cell was a trap with the probability `density` before the clues were known:
    one in five by default. With `think`, the best guesses are compared for this many seconds by games that
    are played on, if the total is known.
    """
    run = run or Run(USUAL_LIMITS if time_limit is None else Limits(time_limit))
    position, first_click = _position_of(situation)
    if total is not None:
        position = replace(position, total=total)
    grid, total = position.grid, position.total
    if not (grid.cells == HIDDEN).any():
        raise InputError("nothing is hidden in this position")
    assumed = None if total is not None else density or USUAL_DENSITY
    if total is not None:
        trap_weight_of(density, total)
    known = know_grid(grid, run, total=total, density=assumed)
    if isinstance(known, Refuted):
        return known
    gems = known.gems()
    if known.gave_up is not None and not gems:
        return known.gave_up
    found = _found(position, known, assumed, first_click)
    advised = _advice(position, known, found, assumed)
    return advised if think is None else _thought_over(position, advised, run.of_seconds(think))


def _thought_over(position: Position, advised: Advice, run: Run) -> Advice:
    """Advice with rollouts, if it is about guesses; a cell that is clearly better comes first."""
    total, guesses = position.total, advised.guesses
    if total is None or len(guesses) < 2 or not can_roll_out(position.grid, total):
        return advised
    found = roll_out(position.grid, total, [each.cell for each in guesses[:MOST_ROLLED_OUT]], run)
    if found is None:
        return advised
    if found.games < LEAST_BOARDS:
        return replace(advised, rollouts=found)
    behind = dict(zip(found.cells, found.behind, strict=True))[guesses[0].cell]
    if behind.value <= CLEARLY_BETTER * behind.margin:
        return replace(advised, rollouts=found)
    better = [each for each in guesses if each.cell == found.cells[0]]
    others = [each for each in advised.candidates if each not in better]
    return replace(advised, candidates=(*better, *others), why=BY_ROLLOUTS, rollouts=found)


def _advice(position: Position, known: Risks, found: Outlook, density: float | None) -> Advice:
    """The outlook and what is certain, put together; `density` is what was assumed, if anything was."""
    grid, total, gems = position.grid, position.total, known.gems()
    is_guess = bool(found.candidates) and not gems
    return Advice(
        found.candidates,
        found.why,
        tuple(gems),
        tuple(known.traps()),
        tuple(cell for cell in gems if position.flags[cell]),
        found.candidates[0].win_chance if found.candidates else 1.0,
        total,
        density,
        _at_other_densities(grid) if is_guess and density == USUAL_DENSITY else (),
        known.gap,
    )


def _found(position: Position, known: Risks, density: float | None, first_click: FirstClick) -> Outlook:
    """The cells to weigh, and why the first is the best; all risks are known, or a cell is a certain gem."""
    grid, total = position.grid, position.total
    is_large = grid.cells.size > LOOK_AHEAD_CELLS
    if gems := known.gems():
        best_win_chance = None if is_large else win_chance(_worked_out(grid, total, density))
        return Outlook((Candidate(gems[0], 0.0, best_win_chance),), WHY[0])
    if len(known.traps()) == np.count_nonzero(grid.cells == HIDDEN):
        return Outlook((), NOTHING_TO_OPEN)
    if (grid.cells == HIDDEN).all():
        return _first_move(position, known, density, first_click)
    if not is_large and (worked := _worked_out(grid, total, density)).is_weighed:
        return outlook(worked)
    safest = known.safest()[:MOST_COMPARED]
    return Outlook(tuple(Candidate(cell, known.risk(cell)) for cell in safest), SAFEST)


def _first_move(position: Position, known: Risks, density: float | None, first_click: FirstClick) -> Outlook:
    """Where `expert` begins; the rule for the first cell can make that safe."""
    grid, total = position.grid, position.total
    if total is not None and (exact := first_move(Level(grid.rows, grid.cols, total), first_click)):
        return exact
    traps = round((density or 0.0) * grid.cells.size) if total is None else total
    cell = grid.cell(first_cell(grid.rows, grid.cols, traps, first_click.code))
    risk = known.risk(cell) if first_click is FirstClick.ANY else 0.0
    return Outlook((Candidate(cell, risk),), WHY[FIRST_MOVE])


def _at_other_densities(grid: Grid) -> tuple[tuple[float, Cell], ...]:
    """The best cell at other densities, where the clues leave the number of traps open."""
    if grid.cells.size > LOOK_AHEAD_CELLS or (grid.cells == HIDDEN).all():
        return ()
    worked = [(density, _worked_out(grid, None, density)) for density in OTHER_DENSITIES]
    return tuple(
        (density, outlook(each).candidates[0].cell)
        for density, each in worked
        if each.is_weighed and each.total is None
    )


def _worked_out(grid: Grid, total: int | None, density: float | None) -> WorkedOut:
    return work_out_position(grid, total, trap_weight_of(density, None))


def _position_of(position: object) -> tuple[Position, FirstClick]:
    match position:
        case Game():
            return _position_of(position.view)
        case View():
            if position.status in (Status.WON, Status.LOST):
                raise InputError(f"the game is {position.status.value}; there is nothing left to play")
            return Position(position.grid, position.flags, position.total), position.first_click
        case Position():
            return position, FirstClick.ANY
        case Grid():
            return bare_position(position), FirstClick.ANY
        case str() if _NAME.fullmatch(position):
            raise InputError(
                f"{position!r} is a name, not the text of a board; read it with read_position({position!r}) "
                f"or open_game({position!r})"
            )
        case str():
            return parse_position(position), FirstClick.ANY
        case _:
            require_grid(position)
            raise AssertionError("every grid has been dealt with")


# Two guesses beside each other: how much more often a game is won that goes on with the better one.


COMPARED_BOARDS = 500
"""Boards on which a guess is compared with another: a few seconds, for a margin of about three points."""


@dataclass(frozen=True, slots=True)
class ComparedGuesses:
    """By how much `better` wins more often than `other`, with a 95 % interval.

    Games were played on from both cells on the same `boards`, and luck is left out. There are 0 boards where
    the answer is exact.
    """

    better: Cell
    other: Cell
    more: Interval
    boards: int

    @property
    def is_clear(self) -> bool:
        """Whether there is a difference beyond doubt."""
        return self.more.low > 0.0


@dataclass(frozen=True, slots=True)
class SameGuess:
    """The cell is the one that `expert` would have opened."""

    cell: Cell


Comparison: TypeAlias = ComparedGuesses | SameGuess


def compare_guess(view: View, cell: Cell, run: Run) -> Comparison | None:
    """A guess beside the one that `expert` would make in a game; None where that is not found within the run.

    No cell is certain to be a gem.
    """
    if view.is_fresh or not can_roll_out(view.grid, view.total):
        return None
    advised = advise(view, run=run.within())
    if not isinstance(advised, Advice) or advised.best is None:
        return None
    if advised.best == cell:
        return SameGuess(cell)
    return _exactly(view, advised.best, cell) or _by_rollouts(view, advised.best, cell, run)


def compared_advice(advised: Advice) -> ComparedGuesses | None:
    """What games that were played on say about advice, if they were.

    An advised cell beside the one that did best apart from it, or beside the one whose place it took.
    """
    found, best = advised.rollouts, advised.best
    if found is None or best is None:
        return None
    if advised.why == BY_ROLLOUTS:
        return _beside_first(found, advised.candidates[1].cell)
    return _beside_first(found, found.cells[1] if found.cells[0] == best else best)


def _beside_first(found: Rollouts, other: Cell) -> ComparedGuesses:
    """The cell that did best, and another one that was rolled out."""
    return ComparedGuesses(found.cells[0], other, found.behind[found.cells.index(other)], found.games)


def _exactly(view: View, best: Cell, cell: Cell) -> ComparedGuesses | None:
    """By the win chances of both, where the rest of the game can be played exactly."""
    worked = work_out_position(view.grid, view.total, 1.0)
    chances = win_chance_after(worked, best), win_chance_after(worked, cell)
    if chances[0] is None or chances[1] is None:
        return None
    more = chances[0] - chances[1]
    more = 0.0 if abs(more) < SAME else more
    # Where the whole search takes too long, `best` is no more than what looking ahead says.
    better, other = (best, cell) if more >= 0.0 else (cell, best)
    return ComparedGuesses(better, other, Interval(abs(more), abs(more), abs(more)), 0)


def _by_rollouts(view: View, best: Cell, cell: Cell, run: Run) -> ComparedGuesses | None:
    found = roll_out(view.grid, view.total, [best, cell], run, most=COMPARED_BOARDS)
    return None if found is None else _beside_first(found, found.cells[1])
