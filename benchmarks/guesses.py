"""What a guess of `expert` is worth, and whether other weights would choose better cells.

In each position where `expert` guesses by looking ahead, every cell it looks at is revealed on the true board
and `fast` plays on. The truth is as likely as any other solution, so the mean over positions of what a rule
would have won is what the rule is worth, whatever the rule; rules are compared position by position.

python benchmarks/guesses.py [--games N] [--seed S] [--level NAME] [--rule safe|opening] [--jobs J]
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.kernels.play.guess_scores import GEMS_WEIGHT, SECOND_WEIGHT, STANDOFF_WEIGHT
from gemhunter.play.levels import read_level
from gemhunter.work.workers import WorkerDied, process_workers, results_of
from guess_looks import (
    FAST_WINS,
    GAMES_PER_TASK,
    LOG_SOLUTIONS,
    Floats,
    Weights,
    looks_of,
    won_by,
)
from guess_positions import LevelCodes
from timing import print_table, run_compiled

EXPERT_WEIGHTS: Weights = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)

PHASES = ((0.0, 25.0), (25.0, 150.0), (150.0, np.inf))
"""Positions by the logarithm of the number of their solutions."""


def looks_of_games(level: LevelCodes, seeds: range, jobs: int) -> Floats:
    """What is kept of the guesses of all games, in the order of their seeds."""
    waiting = iter(seeds)

    with process_workers(jobs) as workers:

        def submit(seed: int) -> Future[Floats]:
            return workers.submit(looks_of, level, seed)

        found: dict[int, Floats] = {}
        for seed, looks in results_of(lambda: next(waiting, None), submit, workers):
            if isinstance(looks, WorkerDied):
                raise SystemExit(looks.reason)
            found[seed] = looks
    return np.concatenate([found[seed] for seed in seeds])


def rules() -> dict[str, Weights]:
    """Weights around those of `expert`, one changed at a time."""
    second, gems, standoffs = EXPERT_WEIGHTS
    return {
        **{f"second safest {x}": (x, gems, standoffs) for x in (0.0, 0.2, 0.6, 0.8)},
        **{f"gems {x}": (second, x, standoffs) for x in (0.0, 0.01, 0.04, 0.1)},
        **{f"standoffs {x}": (second, gems, x) for x in (0.0, 0.5, 1.2)},
    }


def difference(won: Floats, than: Floats) -> str:
    """By how many per cent of all guesses more were won, ± one standard error."""
    more = 100.0 * (won - than)
    return f"{more.mean():+.3f} ± {more.std() / np.sqrt(max(len(more), 1)):.3f}"


def table(looks: Floats) -> list[Sequence[str]]:
    """A row per rule: what is won of all guesses, by phase."""
    ours = won_by(looks, EXPERT_WEIGHTS)
    solutions = looks[:, 0, LOG_SOLUTIONS]
    phases = [(low <= solutions) & (solutions < high) for low, high in PHASES]
    rows: list[Sequence[str]] = [
        ["guesses", *(str(int(phase.sum())) for phase in phases)],
        ["won by expert's choice, %", *(f"{100 * ours[phase].mean():.2f}" for phase in phases)],
        ["the safest cell", *(difference(looks[phase, 0, FAST_WINS], ours[phase]) for phase in phases)],
    ]
    for name, weights in rules().items():
        won = won_by(looks, weights)
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
    codes = (level.rows, level.cols, level.total, rule)
    looks_of(codes, given.seed)  # compiles what the other processes then find in the cache
    seeds = range(given.seed, given.seed + given.games, GAMES_PER_TASK)
    looks = looks_of_games(codes, seeds, given.jobs)
    names = [f"{low:.0f} to {high:.0f}" if high < np.inf else f"from {low:.0f}" for low, high in PHASES]
    print_table(["logarithm of the solutions left", *names], table(looks))


if __name__ == "__main__":
    run_compiled(main)
