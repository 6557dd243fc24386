"""Frames of games: colours, pictures and animations, read by somebody else's decoder."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from gemhunter.board.board import Board
from gemhunter.board.grid import TRAP, Cell, Grid
from gemhunter.board.position import Status
from gemhunter.draw.frames import (
    EXPLODED,
    FOUND_SAFE,
    FRAME_PIXELS,
    MARK_COLOURS,
    PRESUMED_TRAP,
    UNMARKED,
    Frame,
    draw_frame_png,
    frame_image,
)
from gemhunter.draw.grids import draw_grid
from gemhunter.draw.palette import CROSS_COLOUR, rgb
from gemhunter.draw.pixels import PIXEL_GAP, PNG_SCALE, gif_file, number_margins
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import game_with_given, new_game
from gemhunter.play.game_ids import read_game_id
from gemhunter.play.player import (
    CellMark,
    PlayedGame,
    animation,
    frames_of_marks,
    frames_of_moves,
    watch_game,
)

Pixels = NDArray[np.uint8]


def colours_of(file: bytes, frame: int = 0) -> Pixels:
    """Red, green and blue of every pixel, as Pillow reads them."""
    with Image.open(BytesIO(file)) as image:
        image.seek(frame)
        return np.asarray(image.convert("RGB"))


@given(
    st.integers(0, 999),
    st.integers(1, 6),
    st.tuples(st.integers(1, 40), st.integers(1, 60)),
    st.sampled_from([1, 2, 3, 17, 256]),
)
def test_animations_keep_every_colour(seed: int, count: int, shape: tuple[int, int], colours: int) -> None:
    chance = np.random.default_rng(seed)
    palette = chance.integers(0, 256, (colours, 3), np.uint8)
    pictures = [palette[chance.integers(0, colours, shape)]]
    for _ in range(count - 1):
        pixels = pictures[-1].copy()
        top, left = (int(chance.integers(size)) for size in shape)
        pixels[top : top + 9, left : left + 7] = palette[int(chance.integers(colours))]
        if not np.array_equal(pixels, pictures[-1]):  # Pillow shows one of two equal frames twice as long
            pictures.append(pixels)
    file = gif_file((Image.fromarray(pixels), 7) for pixels in pictures)
    with Image.open(BytesIO(file)) as image:
        assert image.size == shape[::-1]
        assert getattr(image, "n_frames", 1) == len(pictures)
    for number, pixels in enumerate(pictures):
        assert np.array_equal(colours_of(file, number), pixels)


def watched(game_id: str, agent: str = "resolution") -> PlayedGame:
    """A game with 7 initial safe cells, played to its end."""
    return watch_game(game_with_given(read_game_id(game_id), 7), new_player(agent), lambda *_: None)


def frames_of_game(game: PlayedGame) -> list[Frame]:
    """What is drawn of it."""
    assert game.end.board is not None
    return list(frames_of_marks(game.end.board, game.marks))


def test_an_animation_of_a_game_shows_every_frame_for_its_time_and_repeats() -> None:
    frames = frames_of_game(watched("6x9n8#2"))
    file = animation(frames)
    with Image.open(BytesIO(file)) as image:
        durations = []
        for number, frame in enumerate(frames):
            image.seek(number)
            durations.append(image.info["duration"] // 10)
            assert np.array_equal(np.asarray(image.convert("RGB")), np.asarray(frame_image(frame, 24)))
        assert durations == [12] * (len(frames) - 1) + [300]
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
    *_, before, last = frames_of_marks(board, marks)
    assert before.marks.tolist() == [[PRESUMED_TRAP, FOUND_SAFE, UNMARKED, UNMARKED]]
    assert last.marks.tolist() == [[PRESUMED_TRAP, FOUND_SAFE, EXPLODED, UNMARKED]]


def random_frame(rows: int, cols: int, seed: int, *, shows_truth: bool) -> Frame:
    chance = np.random.default_rng(seed)
    truth = Board(chance.random((rows, cols)) < 0.3).grid()
    return Frame(truth, chance.integers(0, 4, (rows, cols), np.uint8), shows_truth)


def picture_of(frame: Frame) -> Pixels:
    """A frame as in an animation."""
    return np.asarray(frame_image(frame, 24))


@pytest.mark.parametrize(("rows", "cols", "least"), [(9, 9, 600), (16, 16, 1000), (16, 30, 1000)])
def test_pictures_are_large_enough_to_print(rows: int, cols: int, least: int) -> None:
    frame = random_frame(rows, cols, 1, shows_truth=True)
    height, width, _ = colours_of(draw_frame_png(frame)).shape
    assert (height, width) == tuple(PNG_SCALE * size for size in picture_of(frame).shape[:2])
    assert min(height, width) >= least
    assert (height // rows, width // cols) >= (64, 64)


def squares_of(frame: Frame) -> dict[tuple[int, int], list[list[int]]]:
    """The pixels of each cell as Pillow reads them, without lines."""
    rows, cols = frame.marks.shape
    top, left = number_margins(rows)
    pixels = picture_of(frame)
    assert pixels.shape == (24 * rows + 1 + top + PIXEL_GAP, 24 * cols + 1 + left + PIXEL_GAP, 3)
    inside = pixels[top:, left:]
    return {
        (row, col): inside[24 * row + 1 : 24 * row + 24, 24 * col + 1 : 24 * col + 24].reshape(-1, 3).tolist()
        for row in range(rows)
        for col in range(cols)
    }


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 99))
def test_a_frame_that_shows_the_truth_has_it_on_every_cell(rows: int, cols: int, seed: int) -> None:
    frame = random_frame(rows, cols, seed, shows_truth=True)
    for cell, square in squares_of(frame).items():
        assert tuple(square[0]) == rgb(MARK_COLOURS[frame.marks[cell]])
        assert (list(rgb(CROSS_COLOUR)) in square) == (frame.truth[cell] == TRAP)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 99))
def test_a_frame_shows_only_what_the_player_sees(rows: int, cols: int, seed: int) -> None:
    frame = random_frame(rows, cols, seed, shows_truth=False)
    for cell, square in squares_of(frame).items():
        kinds = {tuple(pixel) for pixel in square}
        assert tuple(square[0]) == rgb(MARK_COLOURS[frame.marks[cell]])
        assert (len(kinds) == 1) == (frame.marks[cell] == UNMARKED)
        is_seen = frame.marks[cell] in (FOUND_SAFE, EXPLODED) and frame.truth[cell] == TRAP
        assert (rgb(CROSS_COLOUR) in kinds) == is_seen


def test_a_flag_looks_alike_on_a_trap_and_on_a_gem() -> None:
    held = np.array([[PRESUMED_TRAP, PRESUMED_TRAP]], np.uint8)
    right, wrong = squares_of(Frame(Board(np.array([[True, False]])).grid(), held)).values()
    assert right == wrong


def test_numbers_stand_around_the_board() -> None:
    frame = random_frame(3, 12, 1, shows_truth=False)
    (numbers,) = [part for part in ElementTree.fromstring(draw_grid(frame.truth)) if part.tag.endswith("}g")]
    assert [part.text for part in numbers] == [str(n) for n in (*range(1, 13), *range(1, 4))]
    assert numbers.get("class") == "numbers"
    top, left = number_margins(3)
    pixels = picture_of(frame)
    above = [pixels[:top, left + 24 * col : left + 24 * (col + 1)] for col in range(12)]
    beside = [pixels[top + 24 * row : top + 24 * (row + 1), :left] for row in range(3)]
    assert len({part.tobytes() for part in above}) == 12
    assert len({part.tobytes() for part in beside}) == 3


def test_an_own_game_has_a_frame_per_move_and_a_flag_can_go_away() -> None:
    board = Board(np.array([[True, False, True, False]]))
    game = new_game(board).flag(Cell(0, 0)).flag(Cell(0, 0)).reveal(Cell(0, 1)).reveal(Cell(0, 2))
    assert [frame.marks.tolist()[0] for frame in frames_of_moves(game)] == [
        [UNMARKED] * 4,
        [PRESUMED_TRAP, *[UNMARKED] * 3],
        [UNMARKED] * 4,
        [UNMARKED, FOUND_SAFE, UNMARKED, UNMARKED],
        [UNMARKED, FOUND_SAFE, EXPLODED, UNMARKED],
    ]


def test_a_large_game_has_small_cells() -> None:
    frame = Frame(Grid(np.zeros((500, 700), np.int8)), np.zeros((500, 700), np.uint8))
    height, width, _ = colours_of(draw_frame_png(frame)).shape
    assert ((height - 1) % 500, (width - 1) % 700) == (0, 0), "no numbers either"
    assert height * width <= 1.1 * FRAME_PIXELS


def test_numbers_wider_than_their_columns_stand_at_every_tenth() -> None:
    frame = Frame(Grid(np.zeros((1, 1010), np.int8)), np.zeros((1, 1010), np.uint8))
    (numbers,) = [part for part in ElementTree.fromstring(draw_grid(frame.truth)) if part.tag.endswith("}g")]
    assert [part.text for part in numbers][:3] == ["10", "20", "30"]
    top, left = number_margins(1)
    above = picture_of(frame)[:top, left:]
    has_ink = [bool((above[:, 24 * col : 24 * col + 24] < 200).any()) for col in range(1010)]
    assert has_ink[19]
    assert not has_ink[4]
