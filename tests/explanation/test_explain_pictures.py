"""Explanations as storyboards."""

from dataclasses import replace

import numpy as np
import pytest

from gemhunter.board.grid import GEM, HIDDEN, Cell, Grid
from gemhunter.draw.scenes import ANIMATED_SCENES, Storyboard, draw_scene, framed_player, with_scenes
from gemhunter.explanation.explain import explain, explain_cell, explain_opposite
from gemhunter.explanation.explanations import CellExplanation, Explanation
from gemhunter.explanation.hint import HintLadder, hint
from gemhunter.explanation.pictures import hint_storyboard, main_scene, short_storyboard, storyboard
from gemhunter.explanation.rules import ONE_CLUE, WHAT_IF, Rule
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.files.text import parse_grid
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.wording import counted

OPEN = "_, 1, _\n_, _, _\n0, _, _"
DECIDED = "1, _\n1, 1"
CONFLICT = "3, _\n_, 1"


def final(story: Storyboard) -> Grid:
    """The grid after the last scene."""
    return with_scenes(story.grid, story.scenes)


def test_a_board_has_a_scene_for_each_step_at_the_number_of_the_step() -> None:
    found = explain(parse_grid(OPEN))
    story = storyboard(found)
    for number, step in enumerate(found.steps, 1):
        scene = story.scenes[number]
        assert (scene.sentence, scene.clues) == (step.sentence, step.clues)
        assert (scene.traps, scene.gems) == (step.traps, step.gems)
        assert scene.heading.startswith(f"Step {number} of {len(found.steps)} · ")
    assert final(story) == found.filled
    assert len(story.scenes) == len(found.steps) + 2


def test_the_first_scene_says_what_board_it_is() -> None:
    scene = storyboard(explain(parse_grid(DECIDED), total=1)).scenes[0]
    assert scene.heading == "A board of 2×2 with 1 trap"
    assert scene.sentence == "Explained in 1 step. Difficulty: easy."


def test_a_step_that_uses_the_total_says_what_it_is() -> None:
    step = storyboard(explain(parse_grid("_, 1, _, _"), total=1)).scenes[1]
    assert step.heading == "Step 1 of 1 · total · 1 trap on the board"


@pytest.mark.parametrize(
    ("board", "heading"), [(DECIDED, "The end"), (OPEN, "Nothing more is forced"), (CONFLICT, "Conflict")]
)
def test_the_last_scene_says_how_it_ends(board: str, heading: str) -> None:
    found = explain(parse_grid(board))
    last = storyboard(found).scenes[-1]
    assert last.heading == heading
    assert last.unsure == found.open
    assert (found.conflict is not None) == bool(last.clues)


def test_the_clue_that_cannot_hold_is_in_the_last_scene() -> None:
    found = explain(parse_grid(CONFLICT))
    assert found.conflict is not None
    last = storyboard(found).scenes[-1]
    assert last.broken == (found.conflict.broken,)
    assert last.sentence == found.conflict.sentence


def test_an_explanation_that_gave_up_says_why() -> None:
    found = replace(explain(parse_grid(OPEN)), gave_up=GaveUp(StopReason.STEPS))
    assert storyboard(found).scenes[-1].sentence == f"Gave up: {StopReason.STEPS.value}."


def test_the_story_of_a_cell_ends_with_it() -> None:
    found = explain_cell(parse_grid(DECIDED), (0, 1))
    story = storyboard(found)
    assert story.scenes[0].heading == "Why r1c2 is a trap"
    assert story.scenes[-1].traps == (Cell(0, 1),)


def test_the_opposite_of_a_cell_is_supposed_first() -> None:
    story = storyboard(explain_opposite(parse_grid(DECIDED), (0, 1)))
    assert story.scenes[0].sentence == "Suppose that r1c2 is a gem."
    assert story.scenes[0].gems == (Cell(0, 1),)
    assert story.scenes[-1].heading == "Conflict"


def test_a_cell_that_can_be_both_is_in_doubt() -> None:
    found = explain_cell(parse_grid("_, 1, _"), (0, 0))
    assert found.value == HIDDEN
    last = storyboard(found).scenes[-1]
    assert last.sentence == "r1c1 can be a trap or a gem."
    assert last.unsure == (Cell(0, 0),)


def test_titles_are_printable() -> None:
    assert storyboard(explain(parse_grid(DECIDED)), "a\x1b[31m").title == "a\\x1b[31m"


def made(levels: str) -> Explanation:
    """An explanation of one trap per step: `e` is an easy step, `h` a hard one."""
    rules: dict[str, Rule] = {"e": ONE_CLUE, "h": WHAT_IF}
    steps = tuple(
        ExplanationStep(rules[level], (), with_total=False, traps=(Cell(0, col),), gems=(), sentence="s")
        for col, level in enumerate(levels)
    )
    return Explanation(parse_grid(", ".join("_" * len(levels))), None, steps)


@pytest.mark.parametrize("levels", ["e" * 20, "e" * 500, ("e" * 90 + "h") * 3, "h" * 500, "eh" * 60, ""])
def test_short_storyboards_show_every_cell_in_few_scenes(levels: str) -> None:
    found = made(levels or "e")
    story = short_storyboard(found)
    assert len(story.scenes) <= ANIMATED_SCENES + 2
    assert final(story) == found.filled


def test_hard_steps_keep_scenes_of_their_own() -> None:
    story = short_storyboard(made("e" * 90 + "h" + "e" * 90))
    (hard,) = [scene for scene in story.scenes if "what-if" in scene.heading]
    assert hard.heading == "Step 91 of 181 · what-if"
    joined = [scene for scene in story.scenes if scene.heading.startswith("Steps ")]
    assert joined[0].heading == "Steps 1 to 4 of 181"
    assert joined[0].sentence == f"4 steps decide {counted(4, 'trap')}."


def test_the_main_scene_of_a_board_is_its_first_hardest_step() -> None:
    assert main_scene(made("eehehe")) == 3


@pytest.mark.parametrize(
    ("found", "heading"),
    [
        (explain(parse_grid("_, _")), "Nothing more is forced"),
        (explain(parse_grid(CONFLICT)), "Conflict"),
        (explain_cell(parse_grid(DECIDED), (0, 1)), "Step 1 of 1 · one-clue"),
        (explain_cell(parse_grid("_, 1, _"), (0, 0)), "Not forced"),
        (explain_opposite(parse_grid(DECIDED), (0, 1)), "Conflict"),
    ],
)
def test_the_main_scene_of_everything_else_is_the_last(
    found: Explanation | CellExplanation, heading: str
) -> None:
    assert storyboard(found).scenes[main_scene(found)].heading == heading


def test_of_a_large_board_only_what_matters_is_drawn() -> None:
    codes = np.full((300, 400), HIDDEN, np.int8)
    codes[100:102, 200:202] = parse_grid(DECIDED).cells
    codes[99:103, 199:203] = np.where(codes[99:103, 199:203] == HIDDEN, GEM, codes[99:103, 199:203])
    codes[100, 201] = HIDDEN
    found = explain_cell(Grid(codes), (100, 201))
    story = storyboard(found)
    assert story.grid.cells.size < 100
    step = story.scenes[-1]
    assert step.sentence == found.steps[-1].sentence
    (trap,) = step.traps
    assert Cell(trap.row + story.corner.row, trap.col + story.corner.col) == Cell(100, 201)


def test_notebooks_show_a_player_and_a_hint_its_deduction() -> None:
    grid = parse_grid(OPEN)
    for found in (explain(grid), explain_cell(parse_grid(DECIDED), (0, 1))):
        assert found._repr_html_() == framed_player(storyboard(found))
    ladder = hint(grid)
    assert isinstance(ladder, HintLadder)
    story = hint_storyboard(ladder)
    assert ladder._repr_svg_() == draw_scene(story, 0)
    assert story.grid == grid
    assert final(story) == ladder.filled
