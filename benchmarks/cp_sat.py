"""How much CP-SAT should make of the linear relaxation: every hard board at each level, one worker."""

import argparse
import sys

from boards import hard_board
from scoring import asking
from timing import print_table, run_compiled

LEVELS = (0, 1, 2)
BOARDS = range(1, 18)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=3.0, help="seconds for one board")
    options = parser.parse_args()
    rows = []
    with asking() as ask:
        for board in map(hard_board, BOARDS):
            answers = [ask(f"cp-sat:linearization={level}", board, options.limit) for level in LEVELS]
            texts = [
                f"{answer.verdict} {sum(answer.seconds.values()):.2f}" if answer.verdict else "-"
                for answer in answers
            ]
            rows.append([board.name, *texts])
            print(*rows[-1], file=sys.stderr)
    print_table(["board", *(f"level {level}" for level in LEVELS)], rows)


if __name__ == "__main__":
    run_compiled(main)
