"""Processor seconds of whole commands, start included. Targets: 0.2 for help, 0.5 for a 20×20 board."""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from timing import print_table

BOARD = Path(__file__).parents[1] / "src" / "gemhunter" / "boards" / "board-20x20.txt"
PROGRAM = [sys.executable, "-c", "from gemhunter.cli.main import main; main()"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "gemhunter --help": [*PROGRAM, "--help"],
    "gemhunter solve board-20x20.txt": [*PROGRAM, "solve", str(BOARD)],
    "gemhunter solve board-20x20.txt -e backtracking": [*PROGRAM, "solve", str(BOARD), "-e", "backtracking"],
}


def processor_seconds(command: list[str]) -> float:
    """User and system time of one run."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="the median of so many runs counts")
    options = parser.parse_args()
    rows = []
    for name, command in COMMANDS.items():
        processor_seconds(command)
        rows.append([name, f"{median(processor_seconds(command) for _ in range(options.repeats)):.2f}"])
    print_table(["command", "CPU s"], rows)


if __name__ == "__main__":
    main()
