"""How many puzzles are made per processor second, or with workers per second on the clock.

Targets, with minimal clues: 20 of 10×10, 1 of 30×30, and 100×100 at all.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import (
    DIFFICULTIES,
    GeneratedPuzzle,
    PuzzleWish,
    generate_puzzle,
    generate_puzzles,
)
from timing import cpu_seconds, print_table, seconds_of

SIZES = {10: 40, 20: 10, 30: 4, 60: 1}
"""Rows and columns, and how many puzzles are made of this size."""


def made(wish: PuzzleWish, number: int, words: Counter[str]) -> None:
    """Make the puzzles of the first seeds, and count how hard they are."""
    for seed in range(number):
        found = generate_puzzle(wish, seed=seed)
        words[found.difficulty.word if isinstance(found, GeneratedPuzzle) else "not made"] += 1


def timed_row(name: str, wish: PuzzleWish, number: int) -> list[str]:
    """A row of the table."""
    words: Counter[str] = Counter()
    taken = cpu_seconds(partial(made, wish, number, words))
    shares = ", ".join(f"{count} {word}" for word, count in words.most_common())
    return [name, str(number), f"{number / taken:.2f}", shares]


SHARED: dict[str, tuple[int, Callable[..., Iterator[object]]]] = {
    "puzzles 10×10": (400, partial(generate_puzzles, PuzzleWish(10, 10))),
    "puzzles 30×30": (40, partial(generate_puzzles, PuzzleWish(30, 30))),
    "games 16×30, 99 traps": (30_000, partial(generate_games, "expert")),
}
"""How many boards are made by several workers, and what makes them."""


def made_by(workers: int, number: int, generate: Callable[..., Iterator[object]]) -> None:
    """Make some boards and forget them."""
    for _ in generate(number=number, workers=workers):
        pass


def shared_rows(most: int) -> list[list[str]]:
    """A row for each kind of board and number of workers; starting the workers counts."""
    rows = []
    for name, (number, generate) in SHARED.items():
        seconds = [seconds_of(partial(made_by, workers, number, generate)) for workers in range(1, most + 1)]
        for workers, taken in enumerate(seconds, 1):
            figures = [f"{taken:.1f}", f"{number / taken:,.1f}", f"{seconds[0] / taken:.2f}"]
            rows.append([name, f"{number:,}", str(workers), *figures])
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="a puzzle of 100×100 too, which takes a minute")
    parser.add_argument("--workers", type=int, metavar="N", help="boards by 1 to N workers, and nothing else")
    options = parser.parse_args()
    generate_puzzle(PuzzleWish(4, 4))
    if options.workers:
        header = ["boards", "made", "workers", "seconds", "per second", "times as fast"]
        print_table(header, shared_rows(options.workers))
        return
    sizes = {**SIZES, **({100: 1} if options.large else {})}
    rows = [timed_row(f"{size}×{size}", PuzzleWish(size, size), number) for size, number in sizes.items()]
    rows += [timed_row(f"10×10, {word}", PuzzleWish(10, 10, difficulty=word), 5) for word in DIFFICULTIES]
    print_table(["puzzle", "made", "per CPU s", "difficulty"], rows)


if __name__ == "__main__":
    main()
