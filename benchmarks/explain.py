"""How long explanations take, in processor seconds, beside finding the forced cells alone.

Targets: 0.2 for a 16×30 position, 2 for a 66×66 board, both warm; 0.5 for the whole command on a 9×9 board
with an empty cache; 2 for one cell of a million.
"""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from boards import random_board
from gemhunter.bench.suites import BenchBoard, load_suite
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.explanation.explain import explain, explain_cell
from gemhunter.play.game_names import read_grid
from gemhunter.questions.forced import forced
from timing import cpu_seconds, cpu_seconds_of_command, print_table

PROGRAM = [sys.executable, "-c", "from gemhunter.cli.main import main; main()"]


def whole_boards() -> list[BenchBoard]:
    """The positions of Expert games, and the largest sample boards."""
    samples = [
        BenchBoard(f"sample:{name}", read_grid(f"sample:{name}")) for name in ("16x30", "66x66", "66x66-hard")
    ]
    return [*load_suite("positions").boards, *samples]


def timed_row(board: BenchBoard, repeats: int) -> tuple[float, float, int]:
    """Processor seconds of the explanation and of the forced cells, and the number of steps."""
    explained = partial(explain, board.grid, total=board.total)
    found = partial(forced, board.grid, total=board.total)
    steps = len(explained().steps)
    times = [median(cpu_seconds(work) for _ in range(repeats)) for work in (explained, found)]
    return times[0], times[1], steps


def print_chains(repeats: int) -> None:
    """The chains of whole boards."""
    rows, positions = [], []
    for board in whole_boards():
        taken, alone, steps = timed_row(board, repeats)
        if board.name.startswith("sample:"):
            rows.append([board.name, str(steps), f"{taken:.3f}", f"{alone:.3f}"])
        else:
            positions.append((taken, alone, steps))
    slowest = max(positions)
    middle = [median(column) for column in zip(*positions, strict=True)]
    rows.insert(0, ["slowest position", str(slowest[2]), f"{slowest[0]:.3f}", f"{slowest[1]:.3f}"])
    rows.insert(0, ["positions, median", f"{middle[2]:.0f}", f"{middle[0]:.3f}", f"{middle[1]:.3f}"])
    print_table(["board", "steps", "explain s", "forced s"], rows)


def print_cells(repeats: int) -> None:
    """One cell of a board with a million cells."""
    grid = random_board(1000, shown=0.6).grid
    hidden = np.argwhere(grid.cells == HIDDEN)
    chosen = [
        Cell(*map(int, hidden[index])) for index in np.linspace(0, len(hidden) - 1, repeats).astype(int)
    ]
    taken = sorted(cpu_seconds(partial(explain_cell, grid, cell)) for cell in chosen)
    print_table(
        ["one cell of a million", "median s", "slowest s"],
        [[f"{repeats} cells", f"{median(taken):.3f}", f"{taken[-1]:.3f}"]],
    )


def print_commands(repeats: int) -> None:
    """Whole commands, each with an empty cache, and on a million cells."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        large = Path(name) / "million.txt"
        grid = random_board(1000, shown=0.6).grid
        large.write_text(f"{grid}\n", encoding="utf-8")
        cell = Cell(*map(int, np.argwhere(grid.cells == HIDDEN)[grid.cells.size // 4]))
        commands = {
            "explain sample:9x9": ["explain", "sample:9x9"],
            "explain million.txt --cell": ["explain", str(large), "--cell", str(cell)],
        }
        for title, words in commands.items():
            taken = []
            for number in range(repeats):
                cache = {
                    "XDG_CACHE_HOME": f"{name}/{title[:9]}{number}",
                    "NUMBA_CACHE_DIR": f"{name}/n{number}",
                }
                taken.append(cpu_seconds_of_command([*PROGRAM, *words], cache))
            rows.append([title, f"{median(taken):.2f}"])
    print_table(["command, empty cache", "CPU s"], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="the median of this many runs is shown")
    parser.add_argument("--cells", type=int, default=50, help="cells of the large board that are explained")
    options = parser.parse_args()
    print_chains(options.repeats)
    print()
    print_cells(options.cells)
    print()
    print_commands(options.repeats)


if __name__ == "__main__":
    main()
