"""Games that need no guess: boards per second of the processor, ours beside two other generators.

python benchmarks/no_guess.py [--seconds S] [--ms-toollib PYTHON]

`sgt-mines` is measured if Debian's package sgt-puzzles is installed, `laymine_solvable` if PYTHON can import
ms_toollib. The border column has the density of traps on the border in per cent of the density inside,
without the cells around the first click, which are always free.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.files.boards import parse_game_file
from gemhunter.generate.games import Using, generate_games
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.play.game_ids import Level, read_level
from timing import print_table, run_compiled

LEVELS = ("16x30n99", "16x30n150", "16x30n200", "100x100n2000")
MOST_BOARDS = 10_000
GAMES_FOLDER = "/usr/games"
NOTHING = "–"

LAY_MINES = """
import json, sys, time, ms_toollib
rows, cols, total, boards = map(int, sys.argv[1:5])
made, began = [], time.process_time()
while len(made) < boards and time.process_time() - began < float(sys.argv[5]):
    board, solvable = ms_toollib.laymine_solvable(rows, cols, total, rows // 2, cols // 2)
    made += [[[cell == -1 for cell in row] for row in board]] if solvable else []
print(json.dumps([time.process_time() - began, made]))
"""


@dataclass(frozen=True, slots=True)
class Made:
    """What a generator made, each board with its first cell, in how many seconds of the processor."""

    seconds: float
    boards: list[tuple[Board, Cell]]


def ours(level: Level, seconds: float, using: Using) -> Made:
    """Our games, checked by an agent that never guesses."""
    next(generate_games(level, using=using))  # compiles what is needed
    games, boards, began = generate_games(level, using=using), list[tuple[Board, Cell]](), working_cpu_clock()
    while working_cpu_clock() - began < seconds and len(boards) < MOST_BOARDS:
        boards += [(game.board, game.first) for game in islice(games, 64)]
    return Made(working_cpu_clock() - began, boards)


def sgt_mines(program: str, level: Level, seconds: float) -> Made:
    """Games of Simon Tatham's collection: ten times as many until they take long enough to be measured."""
    wanted, made = 1, Made(0.0, [])
    while made.seconds < seconds / 10 and wanted <= MOST_BOARDS:
        words = [program, "--generate", str(wanted), f"{level.cols}x{level.rows}n{level.total}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=5 * seconds)
        except subprocess.TimeoutExpired:
            return Made(0.0, [])  # one board that came early says nothing about the others
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        made = Made(spent, [_sgt_board(line) for line in done.stdout.split()])
        wanted *= 10
    return made


def _sgt_board(line: str) -> tuple[Board, Cell]:
    file = parse_game_file(line, "sgt", "clue", source="game id")
    if file.first is None:
        raise SystemExit(f"no first click in {line}")
    return file.board(), file.first


def lay_mines(python: str, level: Level, seconds: float) -> Made:
    """Games of ms_toollib, which deals boards until one needs no guess."""
    numbers = map(str, (level.rows, level.cols, level.total, MOST_BOARDS, seconds))
    words = [python, "-c", LAY_MINES, *numbers]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=5 * seconds)
    except subprocess.TimeoutExpired:
        return Made(0.0, [])
    spent, boards = json.loads(done.stdout)
    first = Cell(level.rows // 2, level.cols // 2)
    return Made(spent, [(Board(np.array(board)), first) for board in boards])


def border_share(boards: Iterable[tuple[Board, Cell]]) -> str:
    """The density on the border in per cent of that inside, without the cells around the first click."""
    counts = np.zeros((2, 2))  # inside, border: cells, traps
    for board, first in boards:
        rows, cols = np.indices(board.traps.shape)
        border = np.isin(rows, (0, board.rows - 1)) | np.isin(cols, (0, board.cols - 1))
        free = (abs(rows - first.row) <= 1) & (abs(cols - first.col) <= 1)
        for kind in (0, 1):
            cells = (border == kind) & ~free
            counts[kind] += cells.sum(), board.traps[cells].sum()
    inside, border_density = counts[:, 1] / counts[:, 0]
    return f"{100 * border_density / inside:.1f}"


def generators(python: str) -> dict[str, Callable[[Level, float], Made]]:
    """Ours, and the others that are installed."""
    found: dict[str, Callable[[Level, float], Made]] = {
        f"ours, {using.value}": partial(ours, using=using) for using in Using
    }
    program = shutil.which("sgt-mines", path=os.pathsep.join((os.environ["PATH"], GAMES_FOLDER)))
    if program is not None:
        found["sgt-mines"] = partial(sgt_mines, program)
    if subprocess.run([python, "-c", "import ms_toollib"], capture_output=True, check=False).returncode == 0:
        found["laymine_solvable"] = partial(lay_mines, python)
    return found


def main() -> None:
    """Print a markdown table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=9.0)
    options.add_argument("--ms-toollib", default=sys.executable)
    given = options.parse_args()
    rows = []
    for name in LEVELS:
        for generator, make in generators(given.ms_toollib).items():
            made = make(read_level(name), given.seconds)
            pace = f"{len(made.boards) / made.seconds:,.1f}" if made.boards else NOTHING
            border = border_share(made.boards) if made.boards else NOTHING
            rows.append([name, generator, f"{len(made.boards):,}", pace, border])
    print_table(["level", "generator", "boards", "per second", "border, %"], rows)


if __name__ == "__main__":
    run_compiled(main)
