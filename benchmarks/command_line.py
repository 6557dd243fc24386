"""Processor seconds of whole commands, start included. Targets: 0.2 for help, 0.5 for a 20×20 board."""

import argparse
import sys
from pathlib import Path
from statistics import median

from timing import cpu_seconds_of_command, print_table

BOARD = Path(__file__).parents[1] / "src" / "gemhunter" / "sample_boards" / "board-20x20.txt"
PROGRAM = [sys.executable, "-c", "from gemhunter.cli.main import main; main()"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "gemhunter --help": [*PROGRAM, "--help"],
    "gemhunter solve board-20x20.txt": [*PROGRAM, "solve", str(BOARD)],
    "gemhunter solve board-20x20.txt -e backtracking": [*PROGRAM, "solve", str(BOARD), "-e", "backtracking"],
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="the median of this many runs counts")
    options = parser.parse_args()
    rows = []
    for name, command in COMMANDS.items():
        cpu_seconds_of_command(command)
        taken = median(cpu_seconds_of_command(command) for _ in range(options.repeats))
        rows.append([name, f"{taken:.2f}"])
    print_table(["command", "CPU s"], rows)


if __name__ == "__main__":
    main()
