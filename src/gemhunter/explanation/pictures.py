"""Explanations as storyboards, from which pictures, pages and animations are drawn."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.draw.scenes import (
    Scene,
    Storyboard,
    animated_scenes,
    draw_player,
    draw_scene,
    framed_player,
    scene_limit,
    trimmed,
)
from gemhunter.explanation.explanations import CellExplanation, Explanation
from gemhunter.explanation.hint import HintLadder
from gemhunter.explanation.rules import HARDEST_LEVEL
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.printable import printable
from gemhunter.wording import counted, joined


def explanation_html(found: Explanation | CellExplanation, title: str = "") -> str:
    """A page that plays the steps, as a complete HTML document."""
    return draw_player(storyboard(found, title))


def explanation_svg(found: Explanation | CellExplanation, title: str = "", step: int | None = None) -> str:
    """A picture of a step, counted from 1, or of the main scene, as a complete SVG document."""
    return draw_scene(storyboard(found, title), main_scene(found) if step is None else step)


def explanation_gif(found: Explanation | CellExplanation) -> bytes:
    """The steps as an animation; in a long explanation, one picture shows several easy steps."""
    return animated_scenes(short_storyboard(found))


def notebook_player(found: Explanation | CellExplanation) -> str:
    """What notebooks show of an explanation: a framed page that plays the steps."""
    return framed_player(storyboard(found))


def storyboard(found: Explanation | CellExplanation, title: str = "") -> Storyboard:
    """Scene 0 shows the board, scene n shows step n, and the last scene may show the ending."""
    return _story(found, title, [[step] for step in found.steps])


def short_storyboard(found: Explanation | CellExplanation) -> Storyboard:
    """A storyboard short enough for an animation, in which a scene can show several steps."""
    return _story(found, "", _grouped(found.steps, scene_limit(found.grid)))


def main_scene(found: Explanation | CellExplanation) -> int:
    """The number of the scene that is the best single picture of the explanation.

    For a board it is the first of the hardest steps; for a cell, or if clues conflict, the ending.
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
    opening = _board_opening(found) if isinstance(found, Explanation) else _cell_opening(found)
    scenes_and_ends = (opening, *scenes, *_closing(found))
    return trimmed(Storyboard(printable(title) or "Step by step", found.grid, scenes_and_ends))


def _heading(group: Sequence[ExplanationStep], last: int, count: int, total: int | None) -> str:
    """`Step 3 of 40 · one-clue`, or `Steps 3 to 9 of 40`; a step that uses the total gives it."""
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
    steps = f"Explained in {counted(len(found.steps), 'step')}."
    if found.open:
        steps += f" {counted(len(found.open), 'cell')} can be a trap or a gem." * (found.gave_up is None)
    return Scene(f"A board of {size}{total}", f"{steps} Difficulty: {found.difficulty.word}.")


def _cell_opening(found: CellExplanation) -> Scene:
    cell = found.cell
    if found.value == HIDDEN:
        return Scene(f"What is {cell}?", "What the clues say about this cell.", unsure=(cell,))
    is_trap = found.value == TRAP
    value, opposite = ("trap", "gem") if is_trap else ("gem", "trap")
    if found.conflict is not None:
        traps, gems = ((), (cell,)) if is_trap else ((cell,), ())
        supposed = f"Suppose that {cell} is a {opposite}."
        return Scene(f"Why {cell} cannot be a {opposite}", supposed, (), traps, gems)
    steps = counted(len(found.steps), "step")
    return Scene(f"Why {cell} is a {value}", f"Explained in {steps}.", unsure=(cell,))


def _closing(found: Explanation | CellExplanation) -> tuple[Scene, ...]:
    """How the explanation ends; no scene if its last step decides the cell in question."""
    if found.conflict is not None:
        broken = () if found.conflict.broken is None else (found.conflict.broken,)
        return (Scene("Conflict", found.conflict.sentence, found.conflict.clues, broken=broken),)
    unsure = found.open if isinstance(found, Explanation) else (found.cell,)
    if found.gave_up is not None:
        return (Scene("Not finished", f"Gave up: {found.gave_up.reason}.", unsure=unsure),)
    if isinstance(found, CellExplanation):
        not_forced = Scene("Not forced", f"{found.cell} can be a trap or a gem.", unsure=unsure)
        return (not_forced,) if found.value == HIDDEN else ()
    if not unsure:
        return (Scene("The end", "Every cell is decided."),)
    cells = joined([str(cell) for cell in unsure], "other cells")
    return (Scene("Nothing more is forced", f"{cells} can be traps or gems.", unsure=unsure),)


def _grouped(steps: Sequence[ExplanationStep], most: int) -> list[list[ExplanationStep]]:
    """Steps in at most `most` groups, which are as small as possible."""
    sizes = range(1, len(steps) + 1)
    # Steps of level 1 are grouped first, and harder ones only if that leaves too many groups.
    for level in (1, HARDEST_LEVEL):
        fits = bisect_left(sizes, True, key=lambda size: len(_groups(steps, size, level)) <= most)
        if fits < len(sizes):
            return _groups(steps, sizes[fits], level)
    return []


def _groups(steps: Sequence[ExplanationStep], size: int, level: int) -> list[list[ExplanationStep]]:
    """Groups of up to `size` neighbouring steps of at most this level; each harder step is alone."""
    groups: list[list[ExplanationStep]] = []
    is_open = False
    for step in steps:
        if is_open and step.rule.level <= level and len(groups[-1]) < size:
            groups[-1].append(step)
        else:
            groups.append([step])
            is_open = step.rule.level <= level
    return groups
