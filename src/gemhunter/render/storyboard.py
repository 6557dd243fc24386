"""A deduction as scenes: what the pictures, the page and the animation of an explanation are drawn from."""

from collections.abc import Iterable
from dataclasses import dataclass

from gemhunter.core.grid import GEM, TRAP, Cell, Grid


@dataclass(frozen=True, slots=True)
class Scene:
    """What one picture shows: `traps` and `gems` that follow from `clues`, and the words below the board.

    `broken` are clues that cannot hold, `unsure` hidden cells that can be both. Each of `thoughts` is a
    sentence with the number of suppositions that it stands under.
    """

    heading: str
    sentence: str
    clues: tuple[Cell, ...] = ()
    traps: tuple[Cell, ...] = ()
    gems: tuple[Cell, ...] = ()
    broken: tuple[Cell, ...] = ()
    unsure: tuple[Cell, ...] = ()
    thoughts: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Storyboard:
    """A grid and scenes in order; each begins with what the scenes before it have decided."""

    title: str
    grid: Grid
    scenes: tuple[Scene, ...]

    def before(self, number: int) -> Grid:
        """The grid that a scene, counted from 0, begins with."""
        return with_scenes(self.grid, self.scenes[:number])


def with_scenes(grid: Grid, scenes: Iterable[Scene]) -> Grid:
    """The grid with the cells that these scenes decide."""
    codes = grid.cells.copy()
    for scene in scenes:
        for cells, code in ((scene.traps, TRAP), (scene.gems, GEM)):
            for cell in cells:
                codes[cell] = code
    return Grid(codes)
