"""Scenes of a deduction or a search: what pictures, pages and animations of them are drawn from."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid

TOP_LEFT = Cell(0, 0)

SMALL_BOARD_CELLS_DRAWN, TRIM_MARGIN = 10_000, 3
"""Boards of no more cells are drawn as a whole; others without what is further from the cells that matter."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one picture shows: `traps` and `gems` that follow from `clues`, and the words below the board.

    `broken` are clues that cannot hold, `unsure` hidden cells that can be both. Each of `thoughts` is a
    sentence with the number of suppositions that it stands under. A search also takes values back (`undone`),
    and its cells keep a mark: that they were a decision, and the decision level if it is not 0.
    """

    heading: str
    sentence: str
    clues: tuple[Cell, ...] = ()
    traps: tuple[Cell, ...] = ()
    gems: tuple[Cell, ...] = ()
    broken: tuple[Cell, ...] = ()
    unsure: tuple[Cell, ...] = ()
    thoughts: tuple[tuple[int, str], ...] = ()
    undone: tuple[Cell, ...] = ()
    level: int = 0
    is_decision: bool = False


DEDUCTION_LEGEND = (
    ("clue", "a clue that the step rests on"),
    ("new-trap", "now known to be a trap"),
    ("new-gem", "now known to be a gem"),
)
"""The marks that a page explains, by their names in `SCENE_MARKS`."""


@dataclass(frozen=True, slots=True, eq=False)
class Storyboard:
    """A grid and scenes in order; each begins with what the scenes before it have decided.

    `corner` is where the grid begins, if it is only a part of a board; cells are those of the grid. `legend`
    says what marks mean.
    """

    title: str
    grid: Grid
    scenes: tuple[Scene, ...]
    corner: Cell = TOP_LEFT
    legend: tuple[tuple[str, str], ...] = DEDUCTION_LEGEND

    def before(self, number: int) -> Grid:
        """The grid that a scene, counted from 0, begins with."""
        return with_scenes(self.grid, self.scenes[:number])


def with_scenes(grid: Grid, scenes: Iterable[Scene]) -> Grid:
    """The grid with the cells that these scenes decide, and without those that they take back."""
    codes = grid.cells.copy()
    for scene in scenes:
        for cells, code in ((scene.undone, HIDDEN), (scene.traps, TRAP), (scene.gems, GEM)):
            for cell in cells:
                codes[cell] = code
    return Grid(codes)


def trimmed(story: Storyboard) -> Storyboard:
    """A large board without the rows and columns that no scene is about; others as they are."""
    cells = [cell for scene in story.scenes for cells in _marked(scene) for cell in cells]
    if story.grid.cells.size <= SMALL_BOARD_CELLS_DRAWN or not cells:
        return story
    top, left = (max(min(places) - TRIM_MARGIN, 0) for places in zip(*cells, strict=True))
    bottom, right = (max(places) + TRIM_MARGIN + 1 for places in zip(*cells, strict=True))
    corner = Cell(top, left)
    scenes = tuple(_moved(scene, corner) for scene in story.scenes)
    part = Grid(story.grid.cells[top:bottom, left:right])
    return replace(story, grid=part, scenes=scenes, corner=corner)


def _marked(scene: Scene) -> tuple[tuple[Cell, ...], ...]:
    return scene.clues, scene.traps, scene.gems, scene.broken, scene.unsure, scene.undone


def _moved(scene: Scene, corner: Cell) -> Scene:
    """A scene on a grid that begins at `corner`."""
    clues, traps, gems, broken, unsure, undone = (
        tuple(Cell(row - corner.row, col - corner.col) for row, col in cells) for cells in _marked(scene)
    )
    return replace(scene, clues=clues, traps=traps, gems=gems, broken=broken, unsure=unsure, undone=undone)
