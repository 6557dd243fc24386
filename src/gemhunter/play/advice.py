"""Advice: what `expert` would play in a position, what else it weighed, and comparisons of two guesses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TypeAlias, assert_never

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid, cells_where, require_grid
from gemhunter.board.position import FirstClick, Position, Status, bare_position
from gemhunter.errors import InputError
from gemhunter.explanation.hint import HintLadder, hint
from gemhunter.files.boards import KIND_OF_SUFFIX
from gemhunter.files.text import parse_position
from gemhunter.play.agents.compiled import first_cell
from gemhunter.play.game import Game, View
from gemhunter.play.game_ids import Level
from gemhunter.play.guessing.candidates import (
    SHOWN_CANDIDATES,
    AnalysedPosition,
    Candidate,
    Outlook,
    analyse_position,
    first_move,
    outlook,
    search_run,
    win_chance,
    win_chance_after,
)
from gemhunter.play.guessing.rollouts import Rollouts, can_roll_out, roll_out
from gemhunter.play.player import FIRST_MOVE, WHY
from gemhunter.play.risks import USUAL_LIMITS, Risks, percent, risks_of_grid
from gemhunter.questions.probability import SAME, assumption_words, trap_weight_of
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import joined
from gemhunter.work.confidence_intervals import Interval

USUAL_DENSITY = 0.2
"""The density that is assumed if neither it nor the total is known: one trap in five cells, as on Expert."""

LOOK_AHEAD_CELLS = 10_000
"""On larger boards the agent does not look ahead."""

BY_ROLLOUTS = "the best guess in games simulated from here"

_NAME = re.compile(rf"[^\s,]*(#\d+(:\w+)?|{'|'.join(map(re.escape, KIND_OF_SUFFIX))})")
"""Names of files and games; no board looks like one."""

Situation: TypeAlias = Game | View | Position | Grid | str
"""What `advise` accepts; a text is a board."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What `expert` would do in a position.

    `candidates` are the cells it weighs, the best one first; none if every hidden cell is a trap. `gems` and
    `traps` are the hidden cells that are certain. `wrong_flags` stand on gems. `density` is what was assumed
    if the total is not known, and `at_other_densities` has other densities with the best cell at each, if the
    usual density was assumed. `gap` says why further cells may be certain; it is empty if there are none.
    `rollouts` are the games played on from here, if there was time; they can put another cell first.
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
        """The cells that were weighed by looking ahead, which playing on can compare."""
        return tuple(each for each in self.candidates if each.worth is not None)

    @property
    def runners_up(self) -> tuple[Candidate, ...]:
        """The other cells that were weighed, the better ones first."""
        return self.candidates[1:]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.best is None or self.risk is None:
            yield f"nothing to open: {self.why}"
        else:
            yield f"open {self.best}: {self.why}, risk {percent(self.risk)}"
        if self.win_chance is not None:
            yield f"chance of winning: {percent(self.win_chance)}"
        for what, cells in (
            ("forced gems", self.gems),
            ("forced traps", self.traps),
            ("wrong flags, on gems", self.wrong_flags),
        ):
            if cells:
                yield f"{what}: {joined([*map(str, cells)])}"
        if self.gap:
            yield f"further cells may be certain: {self.gap}"
        yield assumption_words(self.total, self.density)

    def _repr_html_(self) -> str:
        """What notebooks show: the advice, and a table of the cells that were compared."""
        rows = [
            (str(each.cell), percent(each.risk), "" if each.win_chance is None else percent(each.win_chance))
            for each in self.candidates
        ]
        table = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
        heading = "<tr><th>cell</th><th>risk</th><th>chance of winning</th></tr>"
        text = "<br>".join(map(escape, self._lines()))
        return f"<p>{text}</p><table>{heading}{table}</table>"


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

    `total` is the number of traps on the whole board, by default that of the position. If neither is known,
    `density` is the probability that a cell was a trap before any clue was shown, by default one in five.
    With `think` and a known total, the best guesses are compared by playing on for this many seconds.
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
    known = risks_of_grid(grid, run, total=total, density=assumed)
    if isinstance(known, Refuted):
        return known
    gems = known.gems()
    if known.gave_up is not None and not gems:
        return known.gave_up
    weighed = _weighed_cells(position, known, assumed, first_click, search_run(run))
    is_guess = bool(weighed.candidates) and not gems
    advised = Advice(
        weighed.candidates,
        weighed.why,
        tuple(gems),
        tuple(known.traps()),
        tuple(cell for cell in gems if position.flags[cell]),
        weighed.candidates[0].win_chance if weighed.candidates else 1.0,
        total,
        assumed,
        _at_other_densities(grid, search_run(run)) if is_guess and assumed == USUAL_DENSITY else (),
        known.gap,
    )
    return advised if think is None else _with_rollouts(position, advised, run.of_seconds(think))


def _with_rollouts(position: Position, advised: Advice, run: Run) -> Advice:
    """Advice with rollouts, if it is about guesses; a cell that is clearly better comes first."""
    total, guesses = position.total, advised.guesses
    if total is None or len(guesses) < 2 or not can_roll_out(position.grid, total):
        return advised
    # Only the first four guesses are compared by playing on.
    rollouts = roll_out(position.grid, total, [guess.cell for guess in guesses[:4]], run)
    if rollouts is None:
        return advised
    behind = rollouts.behind[rollouts.cells.index(guesses[0].cell)]
    # Another guess comes first if it wins more often by 1.5 margins. As it is the best of several, it would
    # be ahead by one margin too often by chance. With fewer than 100 boards, the margin itself is unreliable.
    if rollouts.games < 100 or behind.value <= 1.5 * behind.margin:
        return replace(advised, rollouts=rollouts)
    better = [guess for guess in guesses if guess.cell == rollouts.cells[0]]
    others = [other for other in advised.candidates if other not in better]
    return replace(advised, candidates=(*better, *others), why=BY_ROLLOUTS, rollouts=rollouts)


def _weighed_cells(
    position: Position, known: Risks, density: float | None, first_click: FirstClick, run: Run
) -> Outlook:
    """The cells to weigh, and why the first is the best; all risks are known, or a cell is a certain gem.

    The run ends the exact search of the rest of the game.
    """
    grid, total = position.grid, position.total
    is_large = grid.cells.size > LOOK_AHEAD_CELLS
    if gems := known.gems():
        best_win_chance = None if is_large else win_chance(_analysed(grid, total, density), run)
        return Outlook((Candidate(gems[0], 0.0, best_win_chance),), WHY[0])
    if len(known.traps()) == np.count_nonzero(grid.cells == HIDDEN):
        return Outlook((), "every hidden cell is a trap")
    if (grid.cells == HIDDEN).all():
        if total is not None:
            exact = first_move(Level(grid.rows, grid.cols, total), first_click, run)
            if exact is not None:
                return exact
        traps = round((density or 0.0) * grid.cells.size) if total is None else total
        cell = grid.cell(first_cell(grid.rows, grid.cols, traps, first_click.code))
        risk = known.risk(cell) if first_click is FirstClick.ANY else 0.0
        return Outlook((Candidate(cell, risk),), WHY[FIRST_MOVE])
    if not is_large and (analysed := _analysed(grid, total, density)).is_weighed:
        return outlook(analysed, run)
    safest = tuple(Candidate(cell, known.risk(cell)) for cell in known.safest()[:SHOWN_CANDIDATES])
    return Outlook(safest, "the safest cell; this position is too large to look ahead")


def _at_other_densities(grid: Grid, run: Run) -> tuple[tuple[float, Cell], ...]:
    """The best cell at the density of Beginner, if the clues leave the number of traps open."""
    if grid.cells.size > LOOK_AHEAD_CELLS or (grid.cells == HIDDEN).all():
        return ()
    density = 0.12  # one is enough: each takes as long as the advice itself
    analysed = _analysed(grid, None, density)
    if not analysed.is_weighed or analysed.total is not None:
        return ()
    return ((density, outlook(analysed, run).candidates[0].cell),)


def _analysed(grid: Grid, total: int | None, density: float | None) -> AnalysedPosition:
    return analyse_position(grid, total, trap_weight_of(density, None))


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


# Two guesses compared: how much more often the better one wins.


COMPARED_BOARDS = 500
"""Boards on which two guesses are compared: a few seconds, for a margin of about three points."""


@dataclass(frozen=True, slots=True)
class ComparedGuesses:
    """By how much `better` wins more often than `other`, with a 95 % confidence interval.

    Games were played on from both cells on the same number of `boards`, and luck is left out; `boards` is 0
    if the answer is exact.
    """

    better: Cell
    other: Cell
    more: Interval
    boards: int

    @property
    def is_clear(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.more.low > 0.0


@dataclass(frozen=True, slots=True)
class SameGuess:
    """The cell is the one that `expert` would have opened."""

    cell: Cell


Comparison: TypeAlias = ComparedGuesses | SameGuess


def compare_guess(view: View, cell: Cell, run: Run) -> Comparison | None:
    """Compare a guess with the one that `expert` would make; None if the run ends first.

    No cell of the view is certain to be a gem.
    """
    if view.is_fresh or not can_roll_out(view.grid, view.total):
        return None
    advised = advise(view, run=run.within())
    if not isinstance(advised, Advice) or advised.best is None:
        return None
    if advised.best == cell:
        return SameGuess(cell)
    position = analyse_position(view.grid, view.total, 1.0)
    chance, chance_of_cell = (
        win_chance_after(position, each, search_run(run)) for each in (advised.best, cell)
    )
    if chance is None or chance_of_cell is None:
        rollouts = roll_out(view.grid, view.total, [advised.best, cell], run, most=COMPARED_BOARDS)
        return None if rollouts is None else _compared_with_first(rollouts, rollouts.cells[1])
    more = chance - chance_of_cell
    more = 0.0 if abs(more) < SAME else more
    # The advice can be the worse one: it comes from looking ahead if the search of all cells takes too long.
    better, other = (advised.best, cell) if more >= 0.0 else (cell, advised.best)
    return ComparedGuesses(better, other, Interval(abs(more), abs(more), abs(more)), 0)


def compared_advice(advised: Advice) -> ComparedGuesses | None:
    """What the rollouts of advice say, if it has any.

    They compare the advised cell with the best of the others, or with the cell whose place it took.
    """
    rollouts, best = advised.rollouts, advised.best
    if rollouts is None or best is None:
        return None
    if advised.why == BY_ROLLOUTS:
        return _compared_with_first(rollouts, advised.candidates[1].cell)
    return _compared_with_first(rollouts, rollouts.cells[1] if rollouts.cells[0] == best else best)


def _compared_with_first(rollouts: Rollouts, other: Cell) -> ComparedGuesses:
    behind = rollouts.behind[rollouts.cells.index(other)]
    return ComparedGuesses(rollouts.cells[0], other, behind, rollouts.games)


@dataclass(frozen=True, slots=True)
class BestGuess:
    """Nothing can be deduced that has not been flagged; this is the best cell to guess.

    The risk is 0 if the cell is certain but no deduction was found in time. `win_chance` is None if it is not
    known exactly. `compared` is what playing on says, if there was time; `is_comparable` says whether it is
    possible.
    """

    cell: Cell
    risk: float
    win_chance: float | None
    compared: ComparedGuesses | None = None
    is_comparable: bool = False


@dataclass(frozen=True, slots=True)
class NoHint:
    """There is no hint, and why."""

    reason: str


GameHint: TypeAlias = HintLadder | BestGuess | NoHint


def game_hint(view: View, near: Cell, run: Run | None = None, *, think: float | None = None) -> GameHint:
    """The easiest deduction that shows more than the flags do; of several, the nearest to `near`.

    Without any, the best guess; with `think`, it is compared with others for this many seconds.
    """
    run = run or Run(USUAL_LIMITS)
    ladder = hint(view.grid, total=view.total, marked=cells_where(view.flags), near=near, run=run)
    if isinstance(ladder, HintLadder):
        return ladder
    return best_guess(view, advise(view, think=think, run=run.within()))


def best_guess(view: View, advised: Advice | Refuted | GaveUp) -> BestGuess | NoHint:
    """The advice as a hint, if nothing can be deduced."""
    if not isinstance(advised, Advice):
        return NoHint(advised.reason)
    if advised.best is None or advised.risk is None:
        return NoHint(advised.why)
    is_comparable = len(advised.guesses) > 1 and can_roll_out(view.grid, view.total)
    compared = compared_advice(advised)
    return BestGuess(advised.best, advised.risk, advised.win_chance, compared, is_comparable)


def guess_words(hint: BestGuess | NoHint) -> str:
    """The words of a hint if nothing can be deduced."""
    match hint:
        case BestGuess(cell, risk=0.0):
            return f"{cell} is safe, but no explanation was found in time"
        case BestGuess(cell, risk, wins, compared):
            rest = "" if wins is None else f"; the chance of winning from here is {percent(wins)}"
            rest += "" if compared is None else f"; {compared_words(compared)}"
            return f"nothing is certain; the best guess is {cell}, with a risk of {percent(risk)}{rest}"
        case NoHint(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(hint)


def compared_words(comparison: Comparison) -> str:
    """Which of two guesses wins more often, and by how much."""
    match comparison:
        case SameGuess(cell):
            return f"`expert` would have opened {cell} too"
        case ComparedGuesses(better, other, more, boards=0):
            if more.value == 0.0:
                return f"{better} and {other} win equally often"
            return f"{better} wins {100 * more.value:.1f} points more often than {other}, exactly"
        case ComparedGuesses(better, other, more, boards):
            points = f"{100 * more.value:.1f} ±{100 * more.margin:.1f} points more often"
            doubt = "" if comparison.is_clear else ": too close to call"
            return f"{better} wins {points} than {other} in games on the same {boards:,} boards{doubt}"
        case _:
            assert_never(comparison)
