"""The boards that come with the package: a name such as `sample:9x9` works wherever a board file does."""

import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from gemhunter.errors import UnknownNameError

SAMPLE_PREFIX = "sample:"
"""The prefix of a sample's name; `./sample:9x9` is a file."""

FIRST_SAMPLE = "sample:3x4"
"""The board to show when none is named."""


@dataclass(frozen=True, slots=True)
class SampleBoard:
    """A board of the package: its file, and what is special about it."""

    file: str
    about: str


SAMPLES = MappingProxyType(
    {
        "3x4": SampleBoard("sample-3x4.txt", "small enough to solve by hand; one solution"),
        "5x5": SampleBoard("board-5x5.txt", "random; one solution"),
        "9x9": SampleBoard("board-9x9.txt", "random, as large as a beginner's game; 24 solutions"),
        "11x11": SampleBoard("board-11x11.txt", "random, too large for brute force; 208 solutions"),
        "16x30": SampleBoard("board-16x30.txt", "random, as large as an expert's game"),
        "20x20": SampleBoard("board-20x20.txt", "random; 36,864 solutions"),
        "66x66": SampleBoard("board-66x66.txt", "random, within reach of simple searches"),
        "66x66-hard": SampleBoard("board-66x66-hard.txt", "fewer clues: backtracking takes far too long"),
        "no-solution": SampleBoard("no-solution-5x5.txt", "no solution: it takes all nine clues to see it"),
        "two-ways": SampleBoard("lessons/two-ways.txt", "one trap in one of two cells"),
        "one-two-one": SampleBoard("lessons/one-two-one.txt", "the best-known pattern of Minesweeper"),
        "backjump": SampleBoard("lessons/backjump.txt", "CDCL backjumps over a decision"),
        "stuck": SampleBoard("lessons/stuck-3x3.txt", "resolution is stuck at once; four solutions"),
        "position": SampleBoard("lessons/position-4x4.txt", "a game; with 3 traps, six solutions"),
        "learning": SampleBoard("lessons/learning-9x9.txt", "CDCL learns what DPLL finds again and again"),
        "thrashing": SampleBoard("lessons/thrashing-12x12.txt", "backtracking repeats the same mistake"),
        "what-if": SampleBoard("lessons/what-if-6x7.txt", "one solution, if you suppose the opposite"),
        "nine": SampleBoard("lessons/nine.txt", "a clue of 9, which can never hold"),
        "s1-5x5": SampleBoard("sources/s1-5x5.txt", "printed by the course program S1; four solutions"),
        "s1-11x11": SampleBoard("sources/s1-11x11.txt", "put together from two maps of S1; 144 solutions"),
        "s2-11x11": SampleBoard("sources/s2-testcase-3-11x11.txt", "printed by S2; seven solutions"),
        **{
            f"s4-{number}": SampleBoard(f"sources/s4-{number}.txt", f"printed by S4; {clauses} clauses there")
            for number, clauses in enumerate((20, 81, 114, 144, 197), 1)
        },
        "s5": SampleBoard("sources/s5-9x9.mine", "printed by S5, with its ten traps: watch sample:s5"),
    }
)
"""All samples; the first ones are good for a start."""


def boards_folder() -> Path:
    """Where the boards of the package are."""
    return Path(__file__).parents[1] / "sample_boards"


def is_sample(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a name such as `sample:9x9`."""
    return os.fspath(path).startswith(SAMPLE_PREFIX)


def file_of(path: str | os.PathLike[str]) -> Path:
    """The file that `sample:NAME` stands for, or the path itself; `UnknownNameError` for a wrong name."""
    if not is_sample(path):
        return Path(path)
    name = os.fspath(path).removeprefix(SAMPLE_PREFIX)
    if name not in SAMPLES:
        raise UnknownNameError("sample board", name, SAMPLES, see="samples")
    return boards_folder() / SAMPLES[name].file
