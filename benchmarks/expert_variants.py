"""What single decisions in the agent `expert` are worth: variants of it on the same boards, without luck.

Each variant is `expert` with other constants, in a process and with a cache of compiled kernels of its own.
The table has what it wins more often than `expert` as it is, ± one standard error, and its speed in per cent.

python benchmarks/expert_variants.py [--games N] [--seed S] [--level NAME] [--rule safe|opening] [NAME ...]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.position import FirstClick
from gemhunter.play import expert
from gemhunter.play.game_ids import read_level
from gemhunter.play.many_games import play_games
from timing import print_table, run_compiled

Constants = dict[str, float]

AS_IT_IS = "expert"
VARIANTS: dict[str, Constants] = {
    AS_IT_IS: {},
    "no cells because they are near clues": {"CANDIDATES_NEAR_CLUES": 0},
    "24 cells because they are near clues": {"CANDIDATES_NEAR_CLUES": 24},
    "cells up to 15 % less safe": {"SAFETY_TOLERANCE": 0.15},
    "exact ends of 2,000 solutions": {"EXACT_SOLUTIONS": 2_000, "EXACT_SETS": 20_000},
    "standoffs with two hidden walls": {"HIDDEN_WALLS_ALLOWED": 2},
}
"""What is changed, by the names of constants in `play/expert.py`."""

WARM_UP_GAMES = 300
"""Games that are played before the clock starts, because they compile."""

GAMES_PER_CALL = 1000


class VariantGames(NamedTuple):
    """The results of a variant less their luck, one per game, and its games per second of the processor."""

    results: NDArray[np.float64]
    pace: float


def play_variant(name: str, options: argparse.Namespace) -> VariantGames:
    """Play all games in this process, whose kernels are not compiled yet."""
    for constant, value in VARIANTS[name].items():
        if not hasattr(expert, constant):
            raise AttributeError(constant)
        setattr(expert, constant, value)
    level, rule = read_level(options.level), FirstClick(options.rule)
    play_games("expert", level, rule, range(WARM_UP_GAMES))
    began, results = process_time(), []
    for first in range(options.seed, options.seed + options.games, GAMES_PER_CALL):
        seeds = range(first, min(first + GAMES_PER_CALL, options.seed + options.games))
        games = play_games("expert", level, rule, seeds)
        results.append(games.won - games.luck)
    return VariantGames(np.concatenate(results), options.games / (process_time() - began))


def in_its_own_process(name: str, folder: Path) -> VariantGames:
    """Let another process play a variant, with a cache of its own."""
    file = folder / "results.npz"
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, __file__, *sys.argv[1:], "--play", name, "--into", str(file)]
    subprocess.run(command, env={**os.environ, **cache}, check=True)
    with np.load(file) as kept:
        return VariantGames(kept["results"], float(kept["pace"]))


def compare(options: argparse.Namespace) -> None:
    """Play all variants one after the other, and print a row for each."""
    rows, base = [], None
    for name in dict.fromkeys([AS_IT_IS, *(options.names or VARIANTS)]):
        with tempfile.TemporaryDirectory() as folder:
            played = in_its_own_process(name, Path(folder))
        base = base or played
        more = 100 * (played.results - base.results)
        error = more.std() / np.sqrt(more.size)
        won = f"{100 * played.results.mean():.2f}"
        rows.append([name, won, f"{more.mean():+.2f} ± {error:.2f}", f"{100 * played.pace / base.pace:.0f}"])
    print_table(["variant", "won without luck, %", "more often than `expert`", "speed, %"], rows)


def main() -> None:
    """Compare, or play one variant for a process that compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(VARIANTS)}")
    parser.add_argument("--games", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=3_000_000)
    parser.add_argument("--level", default="expert")
    parser.add_argument("--rule", choices=["safe", "opening"], default="safe")
    parser.add_argument("--play", help=argparse.SUPPRESS)
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.names) - VARIANTS.keys():
        parser.error(f"no variant named {', '.join(sorted(unknown))}")
    if options.play is None:
        compare(options)
    else:
        played = play_variant(options.play, options)
        np.savez(options.into, results=played.results, pace=played.pace)


if __name__ == "__main__":
    run_compiled(main)
