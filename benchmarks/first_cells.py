"""Where to begin: win rates by first cell, of a player that takes the least risk afterwards.

python benchmarks/first_cells.py [--games N] [--seed S] [--agent NAME]
"""

import argparse

from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.play.game_ids import LEVELS
from gemhunter.play.many_games import play_games
from gemhunter.work.confidence_intervals import share_of
from timing import run_compiled

CELLS = [(0, 0), (0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (7, 7)]
"""Row and column, from a corner inwards."""


def main() -> None:
    """Print a markdown table for each rule."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--agent", default="fast")
    given = options.parse_args()
    names = ["beginner", "intermediate", "expert"]
    for rule in (FirstClick.SAFE, FirstClick.OPENING):
        print(f"\nfirst click: {rule.value}; {given.agent}, {given.games} games each\n")
        print("| first cell | " + " | ".join(names) + " |")
        print("|---|" + "---|" * len(names))
        for cell in map(Cell._make, CELLS):
            rates = [won(given, name, rule, cell) for name in names]
            print(f"| {cell} | " + " | ".join(rates) + " |", flush=True)


def won(given: argparse.Namespace, level: str, rule: FirstClick, cell: Cell) -> str:
    """The win rate in percent with half of its interval."""
    size = LEVELS[level]
    if cell.row >= size.rows or cell.col >= size.cols:
        return ""
    seeds = range(given.seed, given.seed + given.games)
    played = play_games(given.agent, size, rule, seeds, first=cell)
    rate = share_of(int(played.won.sum()), given.games)
    return f"{100 * rate.value:.2f} ± {50 * (rate.high - rate.low):.2f}"


if __name__ == "__main__":
    run_compiled(main)
