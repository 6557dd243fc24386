"""What a guess of `expert` is worth, and whether other weights would choose better cells.

In each position where `expert` guesses by looking ahead, every cell it looks at is revealed on the true board
and `expert` plays on. The truth is as likely as any other solution, so the mean over positions of the result
is what a rule is worth, whatever the rule; rules are compared position by position, without luck. The last
rule is a score that is fitted to these results, and judged by guesses that it was not fitted to.

python benchmarks/guesses.py [--games N] [--seed S] [--level NAME] [--rule safe|opening] [--jobs J]
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from gemhunter.board.position import FirstClick
from gemhunter.play.expert import (
    GEMS_WEIGHT,
    LOG_NEW_GEMS,
    POSSIBLE_CLUES,
    SAFE_THEN_SECOND,
    SAFE_TWICE,
    SECOND_WEIGHT,
    STANDOFF_WEIGHT,
)
from gemhunter.play.game_ids import read_level
from gemhunter.work.pieces import WorkerDied, results_of
from gemhunter.work.workers import process_workers
from guess_looks import (
    AT_CLUE,
    GAMES_PER_TASK,
    LOG_SOLUTIONS,
    OPENING,
    RESULT,
    SAFE_PROBABILITY,
    STANDOFF_SHARE,
    UNDECIDED_AROUND,
    Floats,
    Weights,
    looks_of,
    worths_of,
)
from guess_positions import LevelCodes
from timing import print_table, run_compiled

EXPERT_WEIGHTS: Weights = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)

PHASES = ((0.0, 25.0), (25.0, 150.0), (150.0, np.inf))
"""Positions by the logarithm of the number of their solutions."""

CLOSE = 0.08
"""A candidate is close if it is worth less than the best one by no more than this."""

PARTS, RIDGE = 10, 50.0
SMALLEST_SAFETY = 1e-12


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


def difference(results: Floats, than: Floats) -> str:
    """By how many points results are better, ± one standard error."""
    more = 100.0 * (results - than)
    return f"{more.mean():+.3f} ± {more.std() / np.sqrt(max(len(more), 1)):.3f}"


def results_by(looks: Floats, scores: Floats) -> Floats:
    """The result of each guess, if the candidate with the highest score is revealed."""
    results: Floats = looks[np.arange(len(looks)), scores.argmax(axis=1), RESULT]
    return results


def traits_of(looks: Floats, worths: Floats) -> Floats:
    """What a fitted score is made of, for each candidate."""
    safety = np.maximum(looks[..., SAFE_PROBABILITY], SMALLEST_SAFETY)
    seen = [looks[..., column] / safety for column in (SAFE_TWICE, SAFE_THEN_SECOND, LOG_NEW_GEMS)]
    kept = (SAFE_PROBABILITY, STANDOFF_SHARE, OPENING, UNDECIDED_AROUND, AT_CLUE, POSSIBLE_CLUES)
    return np.stack([worths, *seen, *(looks[..., column] for column in kept)], axis=2)


def fitted_scores(looks: Floats, worths: Floats) -> Floats:
    """A linear score of each candidate, fitted to how results differ from that of `expert`'s choice.

    Each tenth of the guesses is scored by what the others say. Candidates that are worth much less than the
    best one are left out.
    """
    guesses, best = np.arange(len(looks)), worths.argmax(axis=1)
    is_close = worths > worths.max(axis=1, keepdims=True) - CLOSE
    traits = traits_of(looks, worths)
    traits = traits - traits[guesses, best][:, None]
    more = looks[..., RESULT] - looks[guesses, best, RESULT][:, None]
    traits /= np.maximum(traits[is_close].std(axis=0), SMALLEST_SAFETY)
    scores = np.full(worths.shape, -np.inf)
    for part in range(PARTS):
        mine = guesses * PARTS // len(guesses) == part  # guesses of one game stay together
        others = is_close & ~mine[:, None]
        known, wanted = traits[others], more[others]
        curve = known.T @ known + RIDGE * np.eye(known.shape[1])
        scores[mine] = np.where(
            is_close[mine], traits[mine] @ np.linalg.solve(curve, known.T @ wanted), -np.inf
        )
    return scores


def table(looks: Floats) -> list[Sequence[str]]:
    """A row per rule: the results of its guesses, by phase."""
    solutions = looks[:, 0, LOG_SOLUTIONS]
    phases = [looks[(low <= solutions) & (solutions < high)] for low, high in PHASES]
    ours = [worths_of(phase, EXPERT_WEIGHTS) for phase in phases]
    than = [results_by(phase, worths) for phase, worths in zip(phases, ours, strict=True)]
    rows: list[Sequence[str]] = [
        ["guesses", *(f"{len(phase):,}" for phase in phases)],
        ["won by expert's choice, %", *(f"{100 * results.mean():.2f}" for results in than)],
        [
            "the safest cell",
            *(difference(phase[:, 0, RESULT], base) for phase, base in zip(phases, than, strict=True)),
        ],
    ]
    for name, weights in rules().items():
        scores = [worths_of(phase, weights) for phase in phases]
        rows.append([name, *differences(phases, scores, than)])
    scores = [fitted_scores(phase, worths) for phase, worths in zip(phases, ours, strict=True)]
    return [*rows, ["a fitted score", *differences(phases, scores, than)]]


def differences(phases: Sequence[Floats], scores: Sequence[Floats], than: Sequence[Floats]) -> list[str]:
    """How much better results are by these scores, in each phase."""
    together = zip(phases, scores, than, strict=True)
    return [difference(results_by(phase, score), base) for phase, score, base in together]


def main() -> None:
    """Print a markdown table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=6_000)
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
