"""How many puzzles are made per processor second.

Targets, with minimal clues: 20 of 10×10, 1 of 30×30, and 100×100 at all.
"""

import argparse
from collections import Counter
from functools import partial

from gemhunter.generate.puzzles import generate_puzzle
from gemhunter.generate.wishes import DIFFICULTIES, GeneratedPuzzle, PuzzleWish
from timing import cpu_seconds, print_table

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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="a puzzle of 100×100 too, which takes a minute")
    options = parser.parse_args()
    generate_puzzle(PuzzleWish(4, 4))
    sizes = {**SIZES, **({100: 1} if options.large else {})}
    rows = [timed_row(f"{size}×{size}", PuzzleWish(size, size), number) for size, number in sizes.items()]
    rows += [timed_row(f"10×10, {word}", PuzzleWish(10, 10, difficulty=word), 5) for word in DIFFICULTIES]
    print_table(["puzzle", "made", "per CPU s", "difficulty"], rows)


if __name__ == "__main__":
    main()
