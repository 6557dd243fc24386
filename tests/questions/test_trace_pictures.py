"""Searches played on their boards: a scene shows what an event changes, on pages and in animations."""

from io import BytesIO
from itertools import islice

import numpy as np
import pytest
from PIL import Image

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.draw.palette import GEM_GROUND, SURE_GEM, rgb
from gemhunter.draw.scenes import ANIMATED_SCENES, SCENE_CELL_PIXELS, Storyboard, scene_images
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.questions.trace import TRACEABLE, Step, names_of, trace
from gemhunter.questions.trace_pictures import (
    PLAYED_EVENT_LIMIT,
    TracedSearch,
    search_gif,
    search_html,
    search_storyboard,
)
from gemhunter.solving.events import (
    ClauseConflict,
    Decided,
    Event,
    Flipped,
    Implied,
    Learned,
    ModelFound,
    Yielded,
)
from gemhunter.solving.outcomes import Solved

BACKJUMP = parse_grid("_, _, _, 1, _\n_, 2, 1, 1, _")
ONE_TWO_ONE = parse_grid("_, _, _\n1, 2, 1")
TINY = parse_grid("_, 1, _")


def searched(grid: Grid, engine: str, most: int | None = None) -> TracedSearch:
    steps = list(islice(trace(grid, engine), most))
    return TracedSearch(f"{engine} on a board", names_of(grid, None, engine), steps, is_complete=most is None)


def told(grid: Grid, *events: Event) -> Storyboard:
    """The scenes of these events; the first one shows the board."""
    names = names_of(grid)
    steps = [Step(event, names.sentence(event), names.record(event)) for event in events]
    return search_storyboard(TracedSearch("told", names, steps, is_complete=True))


@pytest.mark.parametrize("engine", [*TRACEABLE, "brute-force:clauses", "backtracking:clauses"])
def test_the_last_scene_shows_the_solution(engine: str) -> None:
    grid = ONE_TWO_ONE
    story = search_storyboard(searched(grid, engine))
    outcome = solve(grid).outcome
    assert isinstance(outcome, Solved)
    assert story.before(len(story.scenes)) == outcome.solution.fill(grid)


def test_a_scene_for_each_event_has_its_number_its_level_and_its_sentence() -> None:
    story = search_storyboard(searched(BACKJUMP, "cdcl"))
    steps = list(trace(BACKJUMP, "cdcl"))
    assert [scene.sentence for scene in story.scenes[1:]] == [step.sentence for step in steps]
    levels = [step.event.level for step in steps if isinstance(step.event, Decided)]
    decided = [scene for scene in story.scenes if scene.is_decision]
    assert [scene.level for scene in decided] == levels
    assert decided[0].heading == "Event 1 · level 1"


def test_a_backjump_takes_back_the_cells_of_later_levels_only() -> None:
    learned = Learned((-1,), 1, (), (), (), (), "first-uip")
    story = told(BACKJUMP, Decided(2, 1), Decided(3, 2), Implied(-4, (-4,)), learned)
    assert story.scenes[-1].undone == (Cell(0, 2), Cell(0, 4))
    end = story.before(len(story.scenes))
    assert [end[0, col] for col in (1, 2, 4)] == [TRAP, HIDDEN, HIDDEN]


def test_a_flip_gives_the_cell_its_other_value_and_takes_back_what_followed() -> None:
    scene = told(BACKJUMP, Decided(1, 1), Implied(2, (2,)), Flipped(-1, 1)).scenes[-1]
    assert (scene.gems, scene.undone) == ((Cell(0, 0),), (Cell(0, 1),))


def test_a_conflict_crosses_out_its_clue_and_outlines_the_cells_of_its_clause() -> None:
    scene = told(TINY, ClauseConflict((1, 2))).scenes[-1]
    assert (scene.broken, scene.clues) == ((Cell(0, 1),), (Cell(0, 0), Cell(0, 2)))


def test_the_best_board_of_a_generation_has_its_wrong_clues_crossed_out() -> None:
    for step, scene in zip(
        trace(BACKJUMP, "genetic:population=3,elite=1"),
        search_storyboard(searched(BACKJUMP, "genetic:population=3,elite=1")).scenes[1:],
        strict=True,
    ):
        if "fitness" in step.record:
            assert bool(scene.broken) == (step.record["fitness"] < step.record["clauses"])


def test_cells_that_a_solver_of_ones_own_names_are_filled_taken_back_or_outlined() -> None:
    texts = ["decide r1c1 = T", "imply r1c3: gem", "backtrack from r1c1", "look at r1c2 and r9c9", "hello"]
    decide, imply, back, look, hello = told(TINY, *map(Yielded, texts)).scenes[1:]
    assert (decide.traps, decide.is_decision) == ((Cell(0, 0),), True)
    assert (imply.gems, imply.is_decision) == ((Cell(0, 2),), False)
    assert back.undone == (Cell(0, 0),)
    assert look.clues == (Cell(0, 1),)
    assert (hello.sentence, hello.traps, hello.clues) == ("hello", (), ())


def test_a_page_of_a_long_search_has_its_beginning_and_says_so() -> None:
    grid = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
    page, shown = search_html(searched(grid, "brute-force:clauses", PLAYED_EVENT_LIMIT + 1))
    assert shown == PLAYED_EVENT_LIMIT
    assert f"The search continues after {shown:,} events." in page


def test_an_animation_shows_consequences_together_rather_than_leave_out_the_rest() -> None:
    grid = parse_grid(f"{'_' * 60}\n{'0' * 60}")
    content, shown = search_gif(searched(grid, "dpll"))
    picture = Image.open(BytesIO(content))
    assert shown == 61
    assert getattr(picture, "n_frames", 0) == 3 < ANIMATED_SCENES


def test_decisions_are_drawn_darker_than_what_follows() -> None:
    *_, image = scene_images(told(TINY, Decided(-1, 1), Implied(-2, (-2,)), ModelFound()))
    dark, pale = ((np.asarray(image) == rgb(colour)).all(axis=2).sum() for colour in (SURE_GEM, GEM_GROUND))
    assert dark > SCENE_CELL_PIXELS**2 // 2
    assert pale > SCENE_CELL_PIXELS**2 // 2
