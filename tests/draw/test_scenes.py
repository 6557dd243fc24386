"""Scenes of an explanation: pictures, the page that plays them, and the animation."""

import json
import re
from html import unescape
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from PIL.ImageFont import load_default

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.draw.grids import SVG_SIDE
from gemhunter.draw.palette import CROSS_COLOUR, INK_COLOUR, SURE_TRAP, rgb
from gemhunter.draw.pixels import wrapped
from gemhunter.draw.scenes import (
    ANIMATED_SCENES,
    Scene,
    Storyboard,
    animated_scenes,
    draw_player,
    draw_scene,
    framed_player,
    scene_images,
    scene_limit,
    trimmed,
)
from gemhunter.files.text import parse_grid
from made_report import PageReader

Pixels = NDArray[np.uint8]
HOSTILE = '</script><script>alert(1)</script><!-- & "quoted" \' ]]>'
GRID = parse_grid("_, 1, _\n_, 2, _")
STORY = Storyboard(
    "a board",
    GRID,
    (
        Scene("The board", "Two steps."),
        Scene("Step 1 of 2", "By r1c2.", (Cell(0, 1),), (Cell(0, 0),), (Cell(0, 2),)),
        Scene("Step 2 of 2", "A line.", (Cell(1, 1),), (Cell(1, 2),), thoughts=((0, "Suppose."), (1, "So."))),
        Scene("The end", "r2c2 breaks.", (Cell(0, 1),), broken=(Cell(1, 1),), unsure=(Cell(1, 0),)),
    ),
)


def named(parent: Element, tag: str) -> list[Element]:
    """All elements of a kind, in order."""
    return [part for part in parent.iter() if part.tag == f"{{http://www.w3.org/2000/svg}}{tag}"]


def marked(picture: str) -> list[tuple[Cell, str]]:
    """The cells that a picture marks, each with the classes of what is drawn there."""
    found = []
    for group in named(ElementTree.fromstring(picture), "g"):
        if "transform" in group.attrib:
            x, y = map(int, re.findall(r"\d+", group.attrib["transform"]))
            drawn = " ".join(part.get("class") or part.text or "" for part in group)
            found.append((Cell(y // SVG_SIDE, x // SVG_SIDE), drawn))
    return found


def scripts(page: str) -> list[str]:
    """The texts of the scripts of a page, up to where a browser sees their end."""
    return re.findall(r"<script[^>]*>(.*?)</script", page, re.S | re.I)


def test_clues_are_outlined_and_conclusions_hatched_with_a_sign() -> None:
    assert marked(draw_scene(STORY, 1)) == [
        (Cell(0, 0), "trap hatch ✹"),
        (Cell(0, 2), "gem hatch ◆"),
        (Cell(0, 1), "outline"),
    ]
    paths = [part.get("d") for part in named(ElementTree.fromstring(draw_scene(STORY, 1)), "path")]
    assert len(set(paths)) == 2, "the hatches of traps and gems differ"


def test_cells_of_earlier_scenes_are_plain() -> None:
    picture = ElementTree.fromstring(draw_scene(STORY, 2))
    cells = [part.get("class") for part in picture if part.tag.endswith("rect")][1:]
    assert cells == ["trap", "clue", "gem", "hidden", "clue", "hidden"]


def test_clues_that_cannot_hold_are_crossed_out_and_open_cells_have_a_question_mark() -> None:
    assert marked(draw_scene(STORY, 3)) == [
        (Cell(1, 0), "hidden ?"),
        (Cell(0, 1), "outline"),
        (Cell(1, 1), "cross"),
    ]


def test_the_words_stand_below_the_board_with_thoughts_indented() -> None:
    (words,) = [
        group
        for group in named(ElementTree.fromstring(draw_scene(STORY, 2)), "g")
        if group.get("class") == "words"
    ]
    assert [part.text for part in words] == ["Step 2 of 2", "A line.", "Suppose.", "So."]
    left = [int(part.attrib["x"]) for part in words]
    assert left == sorted(left)
    assert len(set(left)) == 3
    assert min(int(part.attrib["y"]) for part in words) > GRID.rows * SVG_SIDE


def test_long_sentences_are_wrapped_inside_the_picture() -> None:
    sentence = " ".join(["The 2 at r3c4 still needs one trap."] * 9)
    picture = ElementTree.fromstring(draw_scene(Storyboard("t", GRID, (Scene("h", sentence),)), 0))
    lines = [part for part in named(picture, "text") if part.get("class") == "line"]
    assert " ".join(part.text or "" for part in lines) == sentence
    left, top, _, height = map(int, picture.attrib["viewBox"].split())
    assert left < 0
    assert max(int(part.attrib["y"]) for part in lines) < top + height


def test_a_picture_says_what_it_shows_to_a_screen_reader() -> None:
    picture = ElementTree.fromstring(draw_scene(STORY, 2))
    assert [part.tag.rpartition("}")[2] for part in picture][:2] == ["title", "desc"]
    assert picture[0].text == "a board: Step 2 of 2"
    assert picture[1].text == "A line. Suppose. So."


def test_hostile_texts_stay_texts() -> None:
    story = Storyboard(HOSTILE, GRID, (Scene(HOSTILE, HOSTILE, thoughts=((1, HOSTILE),)),))
    picture = ElementTree.fromstring(draw_scene(story, 0))
    assert HOSTILE in (picture[0].text or "")
    page = draw_player(story)
    assert PageReader(page).tags.count("script") == 2
    scene = json.loads(scripts(page)[0])["scenes"][0]
    assert scene == {"heading": HOSTILE, "sentence": HOSTILE, "thoughts": [[1, HOSTILE]]}


def test_every_scene_is_in_the_data_of_the_page_with_its_cells_as_indices() -> None:
    data = json.loads(scripts(draw_player(STORY))[0])
    assert (data["cols"], data["side"]) == (3, SVG_SIDE)
    assert data["scenes"] == [
        {"heading": "The board", "sentence": "Two steps."},
        {"heading": "Step 1 of 2", "sentence": "By r1c2.", "clues": [1], "traps": [0], "gems": [2]},
        {
            "heading": "Step 2 of 2",
            "sentence": "A line.",
            "clues": [4],
            "traps": [5],
            "thoughts": [[0, "Suppose."], [1, "So."]],
        },
        {"heading": "The end", "sentence": "r2c2 breaks.", "clues": [1], "broken": [4], "unsure": [3]},
    ]


def test_the_script_names_only_elements_and_marks_that_the_page_has() -> None:
    page = draw_player(STORY)
    data, script = scripts(page)
    ids = PageReader(page).ids
    called = re.findall(r"= \[([^\]]*)\]\.map\(find\)", script) + re.findall(r'find\(("\w+")\)', script)
    assert {name for names in called for name in re.findall(r'"(\w+)"', names)} | {"story"} == set(ids)
    kinds = re.findall(r'\["\w+", "([\w-]+)"\]', script)
    assert set(kinds) == set(json.loads(data)["marks"])


def test_the_page_is_well_formed_requests_nothing_and_forbids_requests() -> None:
    page = draw_player(STORY)
    assert PageReader(page).faults == []
    assert not re.search(r"(?<!-)\b(src|href|url|import|fetch)\b", page)
    assert "default-src 'none'" in page


def test_a_sentence_is_announced_and_all_controls_have_names() -> None:
    page = draw_player(STORY)
    assert '<div aria-live="polite">' in page
    assert re.findall(r'<button id="\w+" type="button">(\w+)<', page) == [
        *("First", "Back", "Play", "Next", "Last")
    ]
    assert 'aria-label="Step"' in page
    assert "prefers-reduced-motion" in page
    assert "prefers-color-scheme" in page


def test_a_page_grows_with_its_scenes_by_little_more_than_their_sentences() -> None:
    scene = Scene("Step 1 of 1", "The 2 at r3c4.", (Cell(0, 1),), (Cell(0, 0),))
    short, long = (draw_player(Storyboard("t", GRID, (scene,) * count)) for count in (1, 1001))
    assert len(long) - len(short) < 1000 * 100


def test_in_a_notebook_the_page_has_a_frame_of_its_own() -> None:
    frame = framed_player(STORY)
    assert PageReader(frame).tags == ["iframe"]
    assert unescape(frame.partition('srcdoc="')[2].partition('"')[0]) == draw_player(STORY)
    assert 'sandbox="allow-scripts"' in frame


def test_pictures_are_the_same_each_time() -> None:
    again = Storyboard(STORY.title, Grid(GRID.cells.copy()), STORY.scenes)
    for draw in (draw_player, framed_player, animated_scenes, lambda story: draw_scene(story, 2)):
        assert draw(STORY) == draw(again)


def test_an_animation_has_a_frame_for_each_scene_and_the_last_stands() -> None:
    with Image.open(BytesIO(animated_scenes(STORY))) as image:
        assert getattr(image, "n_frames", 1) == len(STORY.scenes)
        image.seek(len(STORY.scenes) - 1)
        assert image.info["duration"] == 5000


def test_frames_mark_what_their_scene_is_about() -> None:
    plain, first, second, last = (np.asarray(image)[: 16 + 2 * 24] for image in scene_images(STORY))

    def new(colour: str, frame: Pixels, before: Pixels) -> int:
        has_colour = [(pixels == rgb(colour)).all(axis=2) for pixels in (frame, before)]
        return int(np.count_nonzero(has_colour[0] & ~has_colour[1]))

    assert new(INK_COLOUR, first, plain) > 100
    assert new(INK_COLOUR, second, first) > 100
    assert new(SURE_TRAP, first, plain) > 30
    assert new(SURE_TRAP, second, first) > 30
    assert new(CROSS_COLOUR, last, second) > 0


def test_all_frames_show_their_words() -> None:
    frames = scene_images(STORY)
    assert len({frame.size for frame in frames}) == 1
    assert len({np.asarray(frame)[-60:].tobytes() for frame in frames}) == len(frames)


@pytest.mark.parametrize(("side", "most"), [(3, ANIMATED_SCENES), (66, 15)])
def test_animations_of_large_boards_have_fewer_scenes(side: int, most: int) -> None:
    assert scene_limit(Grid(np.full((side, side), HIDDEN, np.int8))) == most


def test_lines_are_as_wide_as_they_may_be_and_lose_no_word() -> None:
    text = "The 2 at r3c4 still needs one trap, and r2c5 is its only hidden neighbour."
    lines = wrapped(text, 200)
    assert " ".join(lines) == text
    length = load_default(16).getlength
    assert all(length(line) <= 200 for line in lines)
    for line, after in pairwise(lines):
        assert length(f"{line} {after.split()[0]}") > 200


def test_a_part_of_a_board_keeps_the_numbers_of_its_rows_and_columns() -> None:
    wide = Grid(np.full((200, 3000), HIDDEN, np.int8))
    story = trimmed(Storyboard("t", wide, (Scene("h", "s", (Cell(150, 2000),), (Cell(149, 1999),)),)))
    assert (story.corner, story.grid.cells.shape) == (Cell(146, 1996), (8, 8))
    (numbers,) = [
        part for part in ElementTree.fromstring(draw_scene(story, 0)) if part.get("class") == "numbers"
    ]
    assert [part.text for part in numbers] == ["2000", *map(str, range(147, 155))]
    assert marked(draw_scene(story, 0)) == [(Cell(3, 3), "trap hatch ✹"), (Cell(4, 4), "outline")]
    (frame,) = scene_images(story)
    (elsewhere,) = scene_images(Storyboard("t", story.grid, story.scenes))
    assert not np.array_equal(np.asarray(frame)[:, :20], np.asarray(elsewhere)[:, :20])
    assert trimmed(STORY) is STORY, "a small board is drawn as a whole"
