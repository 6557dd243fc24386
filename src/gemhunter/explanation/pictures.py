"""Explanations as storyboards, from which pictures, pages and animations are drawn."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.draw.scene_player import draw_player, framed_player
from gemhunter.draw.scenes import (
    Scene,
    Storyboard,
    animated_scenes,
    draw_scene,
    most_animated_scenes,
    trimmed,
)
from gemhunter.explanation.explain import CellExplanation, ExplainedConflict, Explanation
from gemhunter.explanation.hint import HintLadder
from gemhunter.explanation.rules import HARDEST_LEVEL
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.printable import counted, joined, printable

EASY_LEVEL = 1
"""Steps of this level are shown together first, and harder ones only if need be."""

UNTITLED = "Step by step"
"""The title of a story without a name."""


def explanation_html(found: Explanation | CellExplanation, title: str = "") -> str:
    """A page that plays the steps, as a complete HTML document."""
    return draw_player(storyboard(found, title))


def explanation_svg(found: Explanation | CellExplanation, title: str = "", step: int | None = None) -> str:
    """A picture of a step, counted from 1, or of the one that is worth it, as a complete SVG document."""
    return draw_scene(storyboard(found, title), main_scene(found) if step is None else step)


def explanation_gif(found: Explanation | CellExplanation) -> bytes:
    """The steps as an animation; in a long explanation one picture shows several easy ones."""
    return animated_scenes(short_storyboard(found))


def notebook_player(found: Explanation | CellExplanation) -> str:
    """What notebooks show of an explanation: a page in a frame that plays the steps."""
    return framed_player(storyboard(found))


def notebook_hint(found: HintLadder) -> str:
    """What notebooks show of a hint: a picture of its deduction."""
    return draw_scene(hint_storyboard(found), 0)


def storyboard(found: Explanation | CellExplanation, title: str = "") -> Storyboard:
    """The board, a scene for each step, whose number is that of the step, and how it ends."""
    return _story(found, title, [[step] for step in found.steps])


def short_storyboard(found: Explanation | CellExplanation) -> Storyboard:
    """A storyboard short enough for an animation: one scene can show several steps, easy ones first."""
    return _story(found, "", _grouped(found.steps, most_animated_scenes(found.grid)))


def main_scene(found: Explanation | CellExplanation) -> int:
    """The scene of the storyboard that is worth a picture of its own.

    Of a board it is the first of the hardest steps; of a cell, or if clues conflict, how it ends.
    """
    if isinstance(found, CellExplanation) or found.conflict is not None or not found.steps:
        return len(storyboard(found).scenes) - 1
    levels = [step.rule.level for step in found.steps]
    return 1 + levels.index(max(levels))


def hint_storyboard(found: HintLadder) -> Storyboard:
    """One scene: the deduction that the hint is about."""
    codes = found.filled.cells.copy()
    for cell in found.step.decides:
        codes[cell] = HIDDEN
    scene = _scene([found.step], found.step.rule.name)
    return Storyboard("The next deduction", Grid(codes), (scene,))


def _story(
    found: Explanation | CellExplanation, title: str, groups: Sequence[Sequence[ExplanationStep]]
) -> Storyboard:
    ends = list(accumulate(map(len, groups)))
    scenes = (
        _scene(group, _heading(group, last, len(found.steps), found.total))
        for group, last in zip(groups, ends, strict=True)
    )
    if isinstance(found, Explanation):
        opening, closing = _board_opening(found), _board_closing(found)
    else:
        opening, closing = _cell_opening(found), _cell_closing(found)
    return trimmed(Storyboard(printable(title) or UNTITLED, found.grid, (opening, *scenes, *closing)))


def _heading(group: Sequence[ExplanationStep], last: int, count: int, total: int | None) -> str:
    """`Step 3 of 40 · one-clue`, or `Steps 3 to 9 of 40`; a step that uses the total says what it is."""
    if len(group) == 1:
        traps = f" · {counted(total or 0, 'trap')} on the board" if group[0].with_total else ""
        return f"Step {last} of {count} · {group[0].rule.name}{traps}"
    return f"Steps {last - len(group) + 1} to {last} of {count}"


def _scene(group: Sequence[ExplanationStep], heading: str) -> Scene:
    clues = tuple(dict.fromkeys(clue for step in group for clue in step.clues))
    traps = tuple(cell for step in group for cell in step.traps)
    gems = tuple(cell for step in group for cell in step.gems)
    if len(group) == 1:
        (step,) = group
        thoughts = tuple((thought.depth, thought.sentence) for thought in step.thoughts)
        return Scene(heading, step.sentence, clues, traps, gems, thoughts=thoughts)
    kinds = [counted(len(cells), kind) for cells, kind in ((traps, "trap"), (gems, "gem")) if cells]
    return Scene(heading, f"{counted(len(group), 'step')} decide {' and '.join(kinds)}.", clues, traps, gems)


def _board_opening(found: Explanation) -> Scene:
    total = "" if found.total is None else f" with {counted(found.total, 'trap')}"
    size = f"{found.grid.rows}×{found.grid.cols}"
    steps = f"{counted(len(found.steps), 'step')}. Difficulty: {found.difficulty.word}."
    return Scene(f"A board of {size}{total}", f"Explained in {steps}")


def _board_closing(found: Explanation) -> tuple[Scene, ...]:
    if found.conflict is not None:
        return (_conflict_scene(found.conflict),)
    if found.gave_up is not None:
        return (Scene("Not finished", f"Gave up: {found.gave_up.reason}.", unsure=found.open),)
    if not found.open:
        return (Scene("The end", "Every cell is decided."),)
    cells = joined([str(cell) for cell in found.open], "other cells")
    return (Scene("Nothing more is forced", f"{cells} can be traps or gems.", unsure=found.open),)


def _cell_opening(found: CellExplanation) -> Scene:
    if found.conflict is not None and found.value != HIDDEN:
        return _supposition(found.cell, is_trap=found.value != TRAP)
    if found.value == HIDDEN:
        return Scene(f"What is {found.cell}?", "What the clues say about this cell.", unsure=(found.cell,))
    kind = "trap" if found.value == TRAP else "gem"
    steps = counted(len(found.steps), "step")
    return Scene(f"Why {found.cell} is a {kind}", f"Explained in {steps}.", unsure=(found.cell,))


def _supposition(cell: Cell, *, is_trap: bool) -> Scene:
    kind = "trap" if is_trap else "gem"
    traps, gems = ((cell,), ()) if is_trap else ((), (cell,))
    return Scene(f"Why {cell} cannot be a {kind}", f"Suppose that {cell} is a {kind}.", (), traps, gems)


def _cell_closing(found: CellExplanation) -> tuple[Scene, ...]:
    if found.conflict is not None:
        return (_conflict_scene(found.conflict),)
    if found.gave_up is not None:
        return (Scene("Not finished", f"Gave up: {found.gave_up.reason}.", unsure=(found.cell,)),)
    if found.value == HIDDEN:
        return (Scene("Not forced", f"{found.cell} can be a trap or a gem.", unsure=(found.cell,)),)
    return ()


def _conflict_scene(conflict: ExplainedConflict) -> Scene:
    broken = () if conflict.broken is None else (conflict.broken,)
    return Scene("Conflict", conflict.sentence, conflict.clues, broken=broken)


def _grouped(steps: Sequence[ExplanationStep], most: int) -> list[list[ExplanationStep]]:
    """Steps in at most `most` groups, which are as small as possible.

    Only easy steps stand in one group with their neighbours, unless there are too many groups then.
    """
    sizes = range(1, len(steps) + 1)
    for level in (EASY_LEVEL, HARDEST_LEVEL):
        fits = bisect_left(sizes, True, key=lambda size: len(_groups(steps, size, level)) <= most)
        if fits < len(sizes):
            return _groups(steps, sizes[fits], level)
    return []


def _groups(steps: Sequence[ExplanationStep], size: int, level: int) -> list[list[ExplanationStep]]:
    """Neighbours of at most this level, up to `size` of them together."""
    groups: list[list[ExplanationStep]] = []
    is_open = False
    for step in steps:
        if is_open and step.rule.level <= level and len(groups[-1]) < size:
            groups[-1].append(step)
        else:
            groups.append([step])
            is_open = step.rule.level <= level
    return groups
