"""Heat maps: signs, colours, pictures, and the analysis behind them."""

import json
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.cli.analyse import exit_code, summary
from gemhunter.draw.grids import PICTURE_PIXELS, draw_heat, draw_heat_png, heat_look, heat_sign, narrow_sign
from gemhunter.draw.palette import (
    COLD,
    CUBE_COLOURS,
    HOT,
    NAMED_COLOURS,
    SURE_GEM,
    SURE_TRAP,
    TRUE_COLOURS,
    WARM,
    heat_colour,
)
from gemhunter.draw.pixels import PIXEL_GAP, PNG_SCALE, number_margins
from gemhunter.errors import InputError, WrongAnswerError
from gemhunter.files.text import parse_grid
from gemhunter.questions import analyse as module
from gemhunter.questions.analyse import Analysis, analyse
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities
from gemhunter.questions.solve import solve
from gemhunter.records.boards import analysis_record
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason

NAN = float("nan")
LATE = GaveUp(StopReason.TIME)


@pytest.mark.parametrize(
    ("code", "risk", "sign"),
    [
        *((3, NAN, "3"), (-2, NAN, "T"), (HIDDEN, NAN, "??"), (HIDDEN, 0.0, "G"), (HIDDEN, 1.0, "T")),
        *((HIDDEN, 1e-9, "01"), (HIDDEN, 1 - 1e-9, "99"), (HIDDEN, 0.074, "07"), (HIDDEN, 0.5, "50")),
    ],
)
def test_a_risk_has_two_digits_and_certainty_a_letter(code: int, risk: float, sign: str) -> None:
    assert heat_sign(code, risk) == sign


def test_colours_go_from_cold_over_warm_to_hot() -> None:
    assert [heat_colour(risk) for risk in (0.0, 0.5, 1.0)] == [COLD, WARM, HOT]


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 99))
def test_pictures_of_rectangles_are_well_formed(rows: int, cols: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    grid = Grid(chance.integers(-3, 9, (rows, cols), np.int8))
    risk = np.where(chance.random((rows, cols)) < 0.2, NAN, chance.random((rows, cols)))
    picture = ElementTree.fromstring(draw_heat(grid, risk))
    assert sum(part.tag.endswith("rect") for part in picture) == rows * cols
    top, left = number_margins(rows)
    width, height = 26 * cols + 1 + left + PIXEL_GAP, 26 * rows + 1 + top + PIXEL_GAP
    assert size_of(draw_heat_png(grid, risk)) == (PNG_SCALE * width, PNG_SCALE * height)


@pytest.mark.parametrize(
    ("code", "risk", "sign"),
    [
        *((3, NAN, "3"), (-2, NAN, "T"), (HIDDEN, NAN, "?"), (HIDDEN, 0.0, "G"), (HIDDEN, 1.0, "T")),
        *((HIDDEN, 1e-9, "a"), (HIDDEN, 0.1, "b"), (HIDDEN, 0.499, "e"), (HIDDEN, 1 - 1e-9, "j")),
    ],
)
def test_narrow_maps_have_a_letter_for_each_tenth(code: int, risk: float, sign: str) -> None:
    assert narrow_sign(code, risk) == sign


@pytest.mark.parametrize("depth", [TRUE_COLOURS, CUBE_COLOURS, NAMED_COLOURS])
def test_certain_cells_never_look_like_likely_ones(depth: int) -> None:
    likely = {heat_look(HIDDEN, percent / 100, depth) for percent in range(1, 100)}
    for risk, near in ((0.0, 1e-9), (1.0, 1 - 1e-9)):
        certain = heat_look(HIDDEN, risk, depth)
        assert certain.bold
        assert certain.bg not in {look.bg for look in (*likely, heat_look(HIDDEN, near, depth))}


def test_in_pictures_only_certain_cells_have_their_colours() -> None:
    grid, risk = parse_grid("_, _, _, _"), np.array([[0.0, 0.001, 0.999, 1.0]])
    rects = [part for part in ElementTree.fromstring(draw_heat(grid, risk)) if part.tag.endswith("rect")]
    fills = [str(part.get("fill")) for part in rects]
    assert (fills[0], fills[3]) == (SURE_GEM, SURE_TRAP)
    assert len(set(fills)) == 4
    with Image.open(BytesIO(draw_heat_png(grid, risk))) as image:
        top, left = number_margins(1)
        corners = [(PNG_SCALE * (left + 26 * col + 2), PNG_SCALE * (top + 2)) for col in range(4)]
        pixels = [image.convert("RGB").getpixel(corner) for corner in corners]
    assert len(set(pixels)) == 4


def test_a_large_board_becomes_a_picture_of_small_cells() -> None:
    grid = Grid(np.full((600, 900), HIDDEN, np.int8))
    width, height = size_of(draw_heat_png(grid, np.full((600, 900), 0.3)))
    assert (width - 1) % 900 == (height - 1) % 600 == 0
    assert width * height <= 1.1 * PICTURE_PIXELS


def size_of(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png), formats=["PNG"]) as image:
        image.load()
        return image.size


def test_only_forced_cells_have_no_risk_or_all_of_it() -> None:
    grid = parse_grid("_, _, _, 1")
    solved = analyse(grid).verdict
    likely = Probabilities(grid, np.array([[0.0, 1.0, 1.0 - 1e-16, NAN]]))
    found = Analysis(grid, solved, 4, False, Forced(grid, (), (Cell(0, 0),)), likely)
    risk = found.risk[0]
    assert risk[0] == 0
    assert 0.999 < risk[1] < 1
    assert 0.999 < risk[2] < 1
    assert np.isnan(risk[3])


def test_without_probabilities_the_map_shows_what_is_certain() -> None:
    grid = parse_grid("0, _, _")
    late = GaveUp(StopReason.TIME)
    found = Analysis(grid, late, late, late, Forced(grid, (), (Cell(0, 1),)), late)
    assert np.array_equal(found.risk, [[NAN, 0, NAN]], equal_nan=True)
    assert set(found.gave_up) == {"verdict", "count", "unique", "probabilities"}


def test_rounding_makes_nothing_certain_while_the_forced_cells_are_not_all_known() -> None:
    grid = parse_grid("_, _, _, _")
    likely = Probabilities(grid, np.array([[0.0, 1.0, 0.25, 0.5]]))
    late = GaveUp(StopReason.TIME, decided=(3,))
    risk = Analysis(grid, late, late, late, late, likely).risk[0].tolist()
    assert risk == [2.0**-53, 1 - 2.0**-53, 1.0, 0.5]


def test_without_probabilities_the_map_shows_what_was_decided_before_giving_up() -> None:
    grid = parse_grid("_, 1, _")
    late = GaveUp(StopReason.TIME, decided=(-1,))
    found = Analysis(grid, late, late, late, late, late)
    assert np.array_equal(found.risk, [[0, NAN, NAN]], equal_nan=True)
    assert found.solvable is None


def test_a_count_of_none_contradicts_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "count_of", lambda *_, **__: 0)
    with pytest.raises(WrongAnswerError, match="no solution of a board that has one"):
        analyse(parse_grid("_, 1, _"))


@pytest.mark.parametrize("counted", [2, LATE])
def test_no_probabilities_contradict_a_solution(counted: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "count_of", lambda *_, **__: counted)
    monkeypatch.setattr(module, "probabilities_of", lambda *_, **__: Refuted("by mistake"))
    with pytest.raises(WrongAnswerError, match="no solution of a board that has one"):
        analyse(parse_grid("_, 1, _"))


def without(monkeypatch: pytest.MonkeyPatch, *questions: str) -> None:
    """Let questions give up."""
    report = replace(solve(parse_grid("_")), outcome=LATE)
    for name in questions:
        monkeypatch.setattr(module, name, lambda *_, of=name, **__: report if of == "solve" else LATE)


@pytest.mark.parametrize("silent", ["count_of", "probabilities_of"])
@pytest.mark.parametrize(("text", "solvable"), [("_, 1, _", True), ("4, _\n_, _", False)])
def test_other_answers_make_up_for_a_verdict_that_gave_up(
    silent: str, text: str, solvable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, "solve", silent)
    found = analyse(parse_grid(text))
    assert found.solvable is solvable
    assert "verdict" not in found.gave_up
    assert isinstance(found.verdict, GaveUp if solvable else Refuted)
    assert exit_code(found) == (3 if solvable else 1)
    assert summary(found, "traps: 2").startswith("has a solution\n" if solvable else "no solution: ")
    record = json.loads(json.dumps(analysis_record("b", found)))
    assert record["verdict"] == ("solved" if solvable else "refuted")


def test_nothing_is_said_if_every_question_gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "solve", "count_of", "probabilities_of")
    found = analyse(parse_grid("_, 1, _"))
    assert (found.solvable, exit_code(found)) == (None, 3)
    assert summary(found, "traps: 2").startswith("solution: gave up: ")


def test_an_analysis_has_all_answers_and_a_picture() -> None:
    found = analyse(parse_grid("_, 1, _\n_, _, _"), total=1)
    assert isinstance(found.verdict, Solved)
    assert (found.count, found.unique, found.gave_up) == (5, False, {})
    assert found._repr_svg_().startswith("<svg")


def test_an_analysis_prints_its_answers_and_a_map() -> None:
    printed = str(analyse(parse_grid("_, 1, 0\n_, 2, 1\n_, _, _")))
    assert printed.splitlines() == [
        "has a solution",
        "solutions: 4",
        "forced traps: none",
        "forced gems: r3c1",
        "risk in percent; T and G are certain:",
        "   1  2  3",
        "1 50  1  0",
        "2 50  2  1",
        "3  G 50 50",
    ]
    assert str(analyse(parse_grid("4, _\n_, _"))).startswith("no solution: the clue 4 at r1c1 cannot hold")
    assert "solutions: about 1.3e30\n" in str(analyse(parse_grid("_" * 100)))


def test_a_board_without_solution_is_refuted_in_every_answer() -> None:
    found = analyse(parse_grid("4, _\n_, _"))
    assert (found.count, found.unique) == (0, False)
    assert isinstance(found.forced, Refuted)
    assert isinstance(found.probabilities, Refuted)


@pytest.mark.parametrize(("traps", "density"), [(None, 0.0), (None, 1.0), (None, NAN), (1, 0.5)])
def test_a_bad_prior_is_refused(traps: int | None, density: float) -> None:
    with pytest.raises(InputError, match="density"):
        analyse(parse_grid("_, 1, _"), total=traps, density=density)
