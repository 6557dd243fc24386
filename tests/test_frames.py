"""Frames of games: colours, pictures and animations, read by somebody else's decoder."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from gemhunter.core.board import Board
from gemhunter.core.grid import TRAP, Cell, Grid
from gemhunter.play.agents.registry import new_player
from gemhunter.play.filming import LAST_DELAY, STEP_DELAY, animation, film
from gemhunter.play.game_ids import read_game_id
from gemhunter.play.giving import game_with_given
from gemhunter.play.marks import CellMark
from gemhunter.play.view import Status
from gemhunter.play.watching import Watched, watch_game
from gemhunter.render.frames import (
    CROSS_COLOUR,
    EXPLODED,
    HELD,
    MARK_COLOURS,
    MOST_PIXELS,
    PALETTE,
    SAFE,
    UNMARKED,
    Frame,
    draw_frame,
    draw_frame_png,
    frame_pixels,
)
from gemhunter.render.gif import gif_file
from gemhunter.render.png import Pixels
from gemhunter.render.svg import rgb

GREY = tuple((value, value, value) for value in range(256))


def colours_of(file: bytes, frame: int = 0) -> Pixels:
    """Red, green and blue of every pixel, as Pillow reads them."""
    with Image.open(BytesIO(file)) as image:
        image.seek(frame)
        return np.asarray(image.convert("RGB"))


def frames_of(seed: int, count: int, shape: tuple[int, int], colours: int) -> list[Pixels]:
    """Pictures in which a random rectangle changes from one to the next, by noise or by one colour."""
    chance = np.random.default_rng(seed)
    pictures = [chance.integers(0, colours, shape, np.uint8)]
    for _ in range(count - 1):
        pixels = pictures[-1].copy()
        top, left = (int(chance.integers(size)) for size in shape)
        part = pixels[top : top + 9, left : left + 7]
        part[:] = chance.integers(0, colours, part.shape if chance.random() < 0.5 else 1, np.uint8)
        pictures.append(pixels)
    return pictures


@settings(max_examples=30)
@given(
    st.integers(0, 999),
    st.integers(1, 6),
    st.tuples(st.integers(1, 40), st.integers(1, 60)),
    st.sampled_from([1, 2, 3, 4, 15, 17, 255, 256]),
)
def test_animations_are_what_another_program_reads(
    seed: int, count: int, shape: tuple[int, int], colours: int
) -> None:
    pictures = frames_of(seed, count, shape, colours)
    file = gif_file(((pixels, 7) for pixels in pictures), GREY[:colours])
    with Image.open(BytesIO(file)) as image:
        assert image.size == shape[::-1]
        assert getattr(image, "n_frames", 1) == count
    read = [colours_of(file, frame)[:, :, 0] for frame in range(count)]
    assert all(np.array_equal(*pair) for pair in zip(read, pictures, strict=True))


@pytest.mark.parametrize("colours", [2, 16, 256])
def test_pictures_that_fill_the_table_of_runs_many_times_are_read_right(colours: int) -> None:
    (pixels,) = frames_of(1, 1, (300, 200), colours)
    assert np.array_equal(colours_of(gif_file([(pixels, 1)], GREY[:colours]))[:, :, 0], pixels)


def test_a_flat_picture_is_small() -> None:
    assert len(gif_file([(np.zeros((400, 400), np.uint8), 1)], GREY[:2])) < 1000


def test_an_animation_has_a_frame() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        gif_file([], GREY)


def watched(game_id: str, agent: str = "resolution") -> Watched:
    """A game with 7 initial safe cells, played to its end."""
    return watch_game(game_with_given(read_game_id(game_id), 7), new_player(agent), lambda _: None)


def frames_of_game(game: Watched) -> list[Frame]:
    """What is drawn of it."""
    assert game.end.board is not None
    return list(film(game.end.board, game.marks))


def test_an_animation_of_a_game_shows_every_frame_for_its_time_and_repeats() -> None:
    frames = frames_of_game(watched("6x9n8#2"))
    file = animation(frames)
    with Image.open(BytesIO(file)) as image:
        durations = []
        for number, frame in enumerate(frames):
            image.seek(number)
            durations.append(image.info["duration"] // 10)
            assert np.array_equal(np.asarray(image.convert("RGB")), np.array(PALETTE)[frame_pixels(frame)])
        assert durations == [STEP_DELAY] * (len(frames) - 1) + [LAST_DELAY]
        assert image.info["loop"] == 0


def test_there_is_one_picture_per_mark_and_the_last_has_all_that_is_known() -> None:
    game = watched("6x9n8#2")
    marked = [int(np.count_nonzero(frame.marks)) for frame in frames_of_game(game)]
    assert marked == list(range(55))
    assert game.end.status is Status.WON


@pytest.mark.parametrize("agent", ["logic", "expert", "logic+random"])
def test_other_agents_have_one_picture_per_move(agent: str) -> None:
    game = watched("6x9n8#5", agent)
    marked = [int(np.count_nonzero(frame.marks)) for frame in frames_of_game(game)]
    assert marked[:8] == list(range(8))
    assert marked == sorted(set(marked))
    assert marked[-1] == game.marked + (game.end.status is Status.LOST)


def test_colours_say_what_became_of_each_cell() -> None:
    board = Board(np.array([[True, False, True, False]]))
    marks = [
        CellMark(Cell(0, 1), is_trap=False),
        CellMark(Cell(0, 0), is_trap=True),
        CellMark(Cell(0, 2), is_trap=False),
    ]
    *_, before, last = film(board, marks)
    assert before.marks.tolist() == [[HELD, SAFE, UNMARKED, UNMARKED]]
    assert last.marks.tolist() == [[HELD, SAFE, EXPLODED, UNMARKED]]


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 99))
def test_pictures_of_rectangles_have_the_truth_on_every_cell(rows: int, cols: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    truth = Board(chance.random((rows, cols)) < 0.3).grid()
    marks = chance.integers(0, 4, (rows, cols), np.uint8)
    frame = Frame(truth, marks)
    pixels = colours_of(draw_frame_png(frame))
    assert pixels.shape == (24 * rows + 1, 24 * cols + 1, 3)
    for (row, col), mark in np.ndenumerate(marks):
        square = pixels[24 * row + 1 : 24 * row + 24, 24 * col + 1 : 24 * col + 24].reshape(-1, 3).tolist()
        assert tuple(square[0]) == rgb(MARK_COLOURS[mark])
        assert (list(rgb(CROSS_COLOUR)) in square) == (truth[row, col] == TRAP)
    parts = list(ElementTree.fromstring(draw_frame(frame)))[1:]
    fills = [part.get("fill") for part in parts if part.tag.endswith("rect")]
    signs = [part.text for part in parts if part.tag.endswith("text")]
    assert fills == [MARK_COLOURS[mark] for mark in marks.ravel()]
    assert signs == ["×" if code == TRAP else str(code) for code in truth.cells.ravel()]


def test_a_large_game_has_small_cells() -> None:
    frame = Frame(Grid(np.zeros((500, 700), np.int8)), np.zeros((500, 700), np.uint8))
    height, width = frame_pixels(frame).shape
    assert ((height - 1) % 500, (width - 1) % 700) == (0, 0)
    assert height * width <= 1.1 * MOST_PIXELS
