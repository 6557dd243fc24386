"""How fast `auto` is, from text to checked text, in processor seconds.

python benchmarks/auto.py others     against `pysat` on the boards in the folder that GEMHUNTER_BOARDS names
python benchmarks/auto.py scaling    from 10^4 to 10^7 cells; draws docs/scaling.svg

`benchmarks/peers.py large` holds `auto` against plain programs with other people's libraries.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from boards import boards_of_others, random_board
from gemhunter import parse_grid, solve
from gemhunter.board.board import grid_from_traps
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.solving.outcomes import Solved
from gemhunter.solving.run import Run
from gemhunter.work.memory import peak_memory
from timing import cpu_seconds, output_of_command, print_table, run_compiled

SIDES = [100, 178, 316, 562, 1000, 1778, 3162]
PICTURE = Path(__file__).parents[1] / "docs" / "scaling.svg"


def by_auto(text: str) -> str:
    """The answer of `auto` as text, or nothing if there is none."""
    report = solve(parse_grid(text))
    return str(report.filled) if isinstance(report.outcome, Solved) else ""


def others(repeats: int, worst: int) -> None:
    """The boards on which `auto` does worst compared with `pysat`, best of `repeats` times each.

    Naming the clues that conflict, which `pysat` does not do, is counted apart.
    """
    found = []
    for board in boards_of_others():
        stages = {"auto": dict[str, float](), "pysat": dict[str, float]()}
        for _ in range(repeats):
            for engine, least in stages.items():
                report = solve(board.grid, engine, run=Run(clock=working_cpu_clock))
                least.update({s: min(least.get(s, math.inf), taken) for s, taken in report.seconds.items()})
        naming = stages["auto"].pop("explain", 0.0)
        ours, theirs = (sum(least.values()) for least in stages.values())
        found.append((ours / theirs, board.name, ours, naming, theirs))
    found.sort(reverse=True)
    rows = [[name, *(f"{1000 * t:.2f}" for t in times), f"{r:.2f}"] for r, name, *times in found[:worst]]
    print_table(["board", "auto ms", "naming ms", "pysat ms", "auto ÷ pysat"], rows)
    print(f"\nmedian ratio over {len(found)} boards: {median(each[0] for each in found):.2f}")


def scaling(repeats: int) -> None:
    """Seconds and memory by the number of cells, each size in a process of its own."""
    rows, points = [], []
    for side in SIDES:
        command = [sys.executable, __file__, "one", str(side), "--repeats", str(repeats)]
        seconds, megabytes = output_of_command(command).split()
        points.append((side * side, float(seconds)))
        per_million = float(seconds) / side**2 * 1e6
        rows.append([f"{side * side:,}", f"{float(seconds):.4f}", f"{per_million:.3f}", megabytes])
        print(rows[-1], file=sys.stderr, flush=True)
    print_table(["cells", "processor s", "s per million", "peak MB"], rows)
    PICTURE.write_text(drawing(points), encoding="utf-8")


def one(side: int, repeats: int) -> None:
    """Processor seconds for one board of that side, warm, and the peak memory of this process in MB."""
    random = np.random.default_rng(0)
    traps = random.random((side, side)) < 0.2
    text = str(grid_from_traps(traps, random.random((side, side)) < 0.5))
    del traps
    by_auto(str(random_board(100).grid))
    seconds = median(cpu_seconds(partial(by_auto, text)) for _ in range(repeats))
    print(seconds, (peak_memory() or 0) // 2**20)


def drawing(points: Sequence[tuple[int, float]]) -> str:
    """A log-log picture: measured points, and the line of equal time per cell through the middle one."""
    left, top, width, height = 70, 20, 480, 300
    logs = [(math.log10(cells), math.log10(seconds)) for cells, seconds in points]
    low, high = math.floor(min(y for _, y in logs)), math.ceil(max(y for _, y in logs))
    first, last = math.floor(logs[0][0]), math.ceil(logs[-1][0])

    def place(x: float, y: float) -> str:
        across = left + (x - first) / (last - first) * width
        return f"{across:.1f},{top + (high - y) / (high - low) * height:.1f}"

    middle = logs[len(logs) // 2]
    line = [place(x, middle[1] + x - middle[0]) for x in (logs[0][0], logs[-1][0])]
    dots = [place(x, y).split(",") for x, y in logs]
    parts = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>']
    for x in range(first, last + 1):
        across = place(x, low).split(",")[0]
        parts.append(f'<text x="{across}" y="{top + height + 18}" text-anchor="middle">10{_raised(x)}</text>')
    for y in range(low, high + 1):
        down = place(first, y).split(",")[1]
        parts.append(f'<text x="{left - 8}" y="{down}" text-anchor="end" dy="4">10{_raised(y)} s</text>')
    parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="#bbb" stroke-dasharray="5 4"/>')
    parts += [f'<circle cx="{x}" cy="{y}" r="4" fill="#1f6fb2"/>' for x, y in dots]
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">cells</text>')
    size = f'width="{left + width + 20}" height="{top + height + 50}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">'
    return "\n".join([opening, *parts, "</svg>", ""])


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mode", choices=["others", "scaling", "one"])
    parser.add_argument("side", nargs="?", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    match chosen.mode:
        case "others":
            others(chosen.repeats, worst=8)
        case "scaling":
            scaling(chosen.repeats)
        case _:
            one(chosen.side, chosen.repeats)


if __name__ == "__main__":
    run_compiled(main)
