"""What a guess of `expert` is worth, and whether other weights would choose better cells.

In each position where `expert` guesses by looking ahead, every cell it looks at is revealed on the true board
and `fast` plays on. The truth is as likely as any other solution, so the mean over positions of what a rule
would have won is what the rule is worth, whatever the rule; rules are compared position by position.

python benchmarks/guesses.py [--games N] [--seed S] [--level NAME] [--rule safe|opening] [--jobs J]
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import WON
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.codes import FAST, OUTCOME, RESULT_COLUMNS
from gemhunter.kernels.play.deal import deal
from gemhunter.kernels.play.end_game import NO_CELL
from gemhunter.kernels.play.games import (
    cell_at,
    first_cell,
    next_certain,
    note_certain,
    note_opened,
    play_on,
)
from gemhunter.kernels.play.guess import MOST_CANDIDATES, exact_choice, promising
from gemhunter.kernels.play.guess_scores import (
    GEMS_WEIGHT,
    LOG_NEW_GEMS,
    LOOK_AHEAD_SIZE,
    SAFE_THEN_SECOND,
    SAFE_TWICE,
    SECOND_WEIGHT,
    STANDOFF_WEIGHT,
    look_ahead,
    worth,
)
from gemhunter.kernels.play.notes import PlayerNotes, blank_notes, copy_notes, place_of
from gemhunter.kernels.play.reveal import reveal
from gemhunter.kernels.play.risks import BY_TOTAL, WeighedPosition, log_factorials, risks_by_place, weigh_open
from gemhunter.kernels.play.standoffs import standoff_shares
from gemhunter.play.levels import read_level
from timing import print_table, run_compiled

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Size = tuple[int, int, int, int]
"""Rows, columns, traps, and the rule of the first click."""

CHANCE, SHARE, AMOUNT, WINS, LOOKED = range(LOOK_AHEAD_SIZE, LOOK_AHEAD_SIZE + 5)
"""What is kept of a cell after what looking ahead has seen: its chance to be safe and its share in standoffs,
the logarithm of the number of solutions, and whether `fast` won; and the number of all these."""

MOST_GUESSES = 40
"""A game that has more is not looked at any further."""

RUN = 100
"""Games that a process plays at a time."""

PHASES = ((0.0, 25.0), (25.0, 150.0), (150.0, np.inf))
"""Positions by the logarithm of the number of their solutions."""


class Table(NamedTuple):
    """A game under way, and room to look ahead and to play on in."""

    truth: Codes
    shown: Codes
    notes: PlayerNotes
    scratch: PlayerNotes
    later: PlayerNotes
    logs: Floats


@kernel
def look_at_guess(table: Table, w: WeighedPosition, traps: int, looks: Floats) -> int:
    """Fill in what is kept of the cells that `expert` looks at; the one that it chooses."""
    n, shown = table.notes, table.shown
    rows, cols = shown.shape
    chance, result = np.ones(1, np.uint64), np.zeros(RESULT_COLUMNS, np.int64)
    risks = risks_by_place(n.board, w, cols)
    shares = standoff_shares(n, table.scratch, w, risks, traps, table.logs)
    cells, best, most = promising(n.board, risks, shares, rows, cols), NO_CELL, -np.inf
    for c in range(cells.size):
        look, place = looks[c], place_of(n.board, cols, cells[c])
        look_ahead(n, table.scratch, w, place, traps, table.logs, look[:LOOK_AHEAD_SIZE])
        look[CHANCE], look[SHARE], look[AMOUNT] = 1.0 - risks[place], shares[place], w.amount
        if table.truth[cells[c] // cols, cells[c] % cols] != TRAP:
            copy_notes(n, table.later)
            play_on(FAST, table.truth, shown.copy(), table.later, traps, cells[c], table.logs, chance, result)
            look[WINS] = result[OUTCOME] == WON
        value = worth(look[:LOOK_AHEAD_SIZE], look[CHANCE], look[SHARE])
        if value > most:
            best, most = int(cells[c]), value
    return best


@kernel
def look_at_guesses(size: Size, first: int, first_seed: int, looks: Floats) -> int:
    """Play as many games as `looks` has rows of guesses for; how many guesses there were.

    `looks[g, c]` is what is kept of candidate c of guess g; where there is none, its chance is 0.
    """
    rows, cols, traps, rule = size
    logs = log_factorials(rows * cols)
    truth, opened = np.empty((rows, cols), np.int8), np.empty(rows * cols, np.int32)
    held = np.zeros((rows, cols), np.bool_)
    scratch, later = blank_notes(rows, cols), blank_notes(rows, cols)
    guesses = 0
    for game in range(looks.shape[0] // MOST_GUESSES):
        deal(first_seed + game, rule, first, traps, truth)
        shown = np.full((rows, cols), HIDDEN, np.int8)
        n, asked = blank_notes(rows, cols), np.zeros(1, np.int64)
        cell, last, count = first, guesses + MOST_GUESSES, 0
        while guesses < last and cell != NO_CELL and count >= 0:
            count = reveal(truth, shown, held, cell, opened)
            note_opened(n, shown, opened, count)
            place, cell = next_certain(n, asked), NO_CELL
            while place == NO_CELL and count >= 0:
                w = weigh_open(n.board, traps, BY_TOTAL, True, logs)
                if w.answer == WEIGHED and note_certain(n, w, cols):
                    place = next_certain(n, asked)
                    continue
                if w.answer == WEIGHED and w.free + w.risk.size > 0:
                    cell, _ = exact_choice(n, w, cols, traps)
                    if cell == NO_CELL:
                        table = Table(truth, shown, n, scratch, later, logs)
                        cell = look_at_guess(table, w, traps, looks[guesses])
                        guesses += 1
                break
            if place != NO_CELL:
                cell = cell_at(n.board, cols, place)
    return guesses


def looks_of(size: Size, first_seed: int) -> Floats:
    """The guesses of some games."""
    looks = np.zeros((RUN * MOST_GUESSES, MOST_CANDIDATES, LOOKED))
    guesses = look_at_guesses(size, first_cell(*size), first_seed, looks)
    return looks[:guesses]


def won_by(looks: Floats, second: float, gems: float, standoffs: float) -> Floats:
    """Which guesses a rule with such weights would have won; it does not set dead cells apart."""
    chance = np.maximum(looks[..., CHANCE], 1e-12)
    follow = (
        looks[..., SAFE_TWICE]
        + second * (looks[..., SAFE_THEN_SECOND] - looks[..., SAFE_TWICE])
        + gems * looks[..., LOG_NEW_GEMS]
    )
    value = np.where(looks[..., CHANCE] > 0, follow * (1.0 + standoffs * looks[..., SHARE] / chance), -1.0)
    return np.take_along_axis(looks[..., WINS], value.argmax(axis=1)[:, None], axis=1)[:, 0]


def rules() -> list[tuple[str, float, float, float]]:
    """Weights around those of `expert`, one changed at a time."""
    ours = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)
    return [
        *((f"second safest {x}", x, ours[1], ours[2]) for x in (0.0, 0.2, 0.6, 0.8)),
        *((f"gems {x}", ours[0], x, ours[2]) for x in (0.0, 0.01, 0.04, 0.1)),
        *((f"standoffs {x}", ours[0], ours[1], x) for x in (0.0, 0.5, 1.2)),
    ]


def difference(won: Floats, than: Floats) -> str:
    """By how many per cent of all guesses more were won, ± one standard error."""
    more = 100.0 * (won - than)
    return f"{more.mean():+.3f} ± {more.std() / np.sqrt(max(len(more), 1)):.3f}"


def table(looks: Floats) -> list[Sequence[str]]:
    """A row per rule: what is won of all guesses, by phase."""
    ours = won_by(looks, SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)
    amount = looks[:, 0, AMOUNT]
    phases = [(low <= amount) & (amount < high) for low, high in PHASES]
    rows: list[Sequence[str]] = [
        ["guesses", *(str(int(phase.sum())) for phase in phases)],
        ["won by expert's choice, %", *(f"{100 * ours[phase].mean():.2f}" for phase in phases)],
        ["the safest cell", *(difference(looks[phase, 0, WINS], ours[phase]) for phase in phases)],
    ]
    for name, *weights in rules():
        won = won_by(looks, *weights)
        rows.append([name, *(difference(won[phase], ours[phase]) for phase in phases)])
    return rows


def main() -> None:
    """Print a markdown table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--level", default="expert")
    options.add_argument("--rule", choices=["safe", "opening"], default="safe")
    options.add_argument("--jobs", type=int, default=1)
    given = options.parse_args()
    level, rule = read_level(given.level), FirstClick(given.rule).code
    size = (level.rows, level.cols, level.total, rule)
    looks_of(size, given.seed)
    seeds = range(given.seed, given.seed + given.games, RUN)
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("fork")) as pool:
        looks = np.concatenate(list(pool.map(looks_of, repeat(size), seeds)))
    names = [f"{low:.0f} to {high:.0f}" if high < np.inf else f"from {low:.0f}" for low, high in PHASES]
    print_table(["logarithm of the solutions left", *names], table(looks))


if __name__ == "__main__":
    run_compiled(main)
