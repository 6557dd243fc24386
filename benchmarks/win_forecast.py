"""Fits the forecast of winning that luck is measured with, and says how much of the variance it removes.

`expert` and `fast` play; each guess that was safe is a case of what becomes of a game then. The weights of
the logistic forecast are printed for `FORECAST_WEIGHTS`. A forecast that is wrong makes no comparison unfair:
results without luck only vary more then.

python benchmarks/win_forecast.py [--games N] [--seed S]
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import TRAP
from gemhunter.board.position import PLAYING, WON, FirstClick
from gemhunter.counting.propagate import reading_index
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import kernel
from gemhunter.play.agents.compiled import FORECAST_TERMS, first_cell, forecast_terms
from gemhunter.play.expert import EXPERT, FAST, choose
from gemhunter.play.game_ids import read_level
from gemhunter.play.many_games import play_games
from gemhunter.play.notes import blank_notes
from gemhunter.play.risks import log_factorials
from guess_positions import LevelCodes, go_to_next_guess, new_game_under_way
from timing import COMPILE, print_table, run_compiled

Floats = NDArray[np.float64]

SAFE_COLUMN, WON_COLUMN = FORECAST_TERMS, FORECAST_TERMS + 1
"""Behind the terms of the forecast: whether the guess was safe, and whether the game was won."""

LEVELS = ("beginner", "intermediate", "expert")
RULES = (FirstClick.SAFE, FirstClick.OPENING)
MOST_GUESSES = 60
"""Guesses of a game that are looked at."""


@kernel(estimate=lambda *_: COMPILE)
def note_guesses(agent: int, level: LevelCodes, first_seed: int, cases: Floats) -> int:
    """Play a game for every `MOST_GUESSES` rows of `cases`, and fill in a row for each guess; how many."""
    rows, cols, total, rule = level
    first = first_cell(rows, cols, total, rule)
    logs, random, scratch = log_factorials(rows * cols), np.ones(1, np.uint64), blank_notes(rows, cols)
    count = 0
    for number in range(cases.shape[0] // MOST_GUESSES):
        game = new_game_under_way(level, first, first_seed + number)
        cell, begin = first, count
        while True:
            status, w = go_to_next_guess(game, total, cell, logs)
            if status != PLAYING or w.answer != WEIGHED or count == begin + MOST_GUESSES:
                break
            index, _, risk, _ = choose(agent, game.notes, scratch, w, total, logs, random)
            cell = int(reading_index(game.notes.board, index))
            forecast_terms(game.notes.board, w, total, risk, cases[count])
            cases[count, SAFE_COLUMN] = game.truth[cell // cols, cell % cols] != TRAP
            count += 1
        cases[begin:count, WON_COLUMN] = status == WON
    return count


def fitted(terms: Floats, won: Floats) -> Floats:
    """The weights of a logistic forecast with the largest likelihood, by Newton's method."""
    weights = np.zeros(terms.shape[1])
    for _ in range(30):
        forecast = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (won - forecast)
        curve = (terms * (forecast * (1 - forecast))[:, None]).T @ terms
        weights += np.linalg.solve(curve + 1e-6 * np.eye(weights.size), slope)
    return weights


def cases_of(agent: int, level: LevelCodes, seed: int, games: int) -> Floats:
    """A row for every guess of these games."""
    cases = np.zeros((games * MOST_GUESSES, FORECAST_TERMS + 2))
    return cases[: note_guesses(agent, level, seed, cases)]


def main() -> None:
    """Print the weights, and how much less results vary without luck."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=3000, help="games per agent, level and rule")
    options.add_argument("--seed", type=int, default=10_000_000)
    given = options.parse_args()
    cases = []
    for name in LEVELS:
        level = read_level(name)
        for rule in RULES:
            codes = (level.rows, level.cols, level.total, rule.code)
            cases += [cases_of(agent, codes, given.seed, given.games) for agent in (EXPERT, FAST)]
    all_cases = np.concatenate(cases)
    safe = all_cases[all_cases[:, SAFE_COLUMN] == 1]
    print("weights:", np.round(fitted(safe[:, :FORECAST_TERMS], safe[:, WON_COLUMN]), 3).tolist())
    rows = []
    for name in LEVELS:
        for rule in RULES:
            seeds = range(given.seed + given.games, given.seed + 2 * given.games)
            games = play_games("expert", read_level(name), rule, seeds)
            without = games.won - games.luck
            spread = f"{games.won.std():.3f}", f"{without.std():.3f}"
            rows.append(
                [f"{name}, {rule.value}", *spread, f"{games.won.mean():.4f}", f"{without.mean():.4f}"]
            )
    print_table(["games of `expert`", "deviation", "without luck", "won", "without luck"], rows)


if __name__ == "__main__":
    run_compiled(main)
