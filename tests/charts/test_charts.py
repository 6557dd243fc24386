"""Charts of measurements: read back from their SVG and PNG files."""

import io
import math
import re
import struct
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from gemhunter.bench.runs import Verdict
from gemhunter.bench.summary import Summary, summarise
from gemhunter.bench.tables import Average
from gemhunter.charts.look import ChartLook, decades, engine_marks, png_of, svg_of
from gemhunter.charts.suites import board_chart, cactus_chart, counters_chart, engines_chart, scaling_chart
from gemhunter.draw.themes import Theme
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.optional_packages import install_command
from made_measurements import refuted, solved, stopped, untimed
from places import SUPPORT

SVG = "{http://www.w3.org/2000/svg}"

BOARD = summarise(
    [
        *solved("11×11", "cdcl", 0.001, 0.002, 0.004, decisions=5, conflicts=2),
        *solved("11×11", "dpll", 0.5, 0.25, decisions=700),
        *stopped("11×11", "dpll", "time limit"),
        *stopped("11×11", "brute", "attempt limit", attempts=2_000_000),
        untimed("11×11", "buggy", Verdict.CRASHED),
    ],
    engines=["cdcl", "dpll", "brute", "buggy", "idle"],
)

MANY = summarise(
    [
        *(solved("10×10", "cdcl", 0.01) + solved("10×10", "dpll", 0.1)),
        *(solved("20×20", "cdcl", 0.04) + solved("20×20", "dpll", 2.0)),
        *(refuted("30×30", "cdcl", 0.09) + refuted("30×30", "dpll", 0.09)),
        *(solved("40×40", "cdcl", 0.3) + stopped("40×40", "dpll", "time limit")),
        *(stopped("50×50", "cdcl", "time limit") + stopped("50×50", "dpll", "time limit")),
    ]
)
CELLS = {"10×10": 100, "20×20": 400, "30×30": 900, "40×40": 1600, "50×50": 2500}


class Picture:
    """What an SVG file shows: its texts, and its groups by id."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.texts = {"".join(text.itertext()) for text in self.root.iter(f"{SVG}text")}
        self.groups = {group.get("id", ""): group for group in self.root.iter(f"{SVG}g")}

    def ids(self, prefix: str) -> set[str]:
        return {name for name in self.groups if name.startswith(prefix)}

    def markers(self, name: str) -> list[tuple[float, float]]:
        uses = self.groups[name].iter(f"{SVG}use")
        return [(float(use.get("x", "nan")), float(use.get("y", "nan"))) for use in uses]

    def height(self, name: str) -> float:
        ys = self._rectangle(name)[1::2]
        return max(ys) - min(ys)

    def width(self, name: str) -> float:
        xs = self._rectangle(name)[::2]
        return max(xs) - min(xs)

    def _rectangle(self, name: str) -> list[float]:
        """The corners of a bar."""
        path = next(self.groups[name].iter(f"{SVG}path")).get("d", "")
        return [float(word) for word in re.split(r"[MLz\s]+", path) if word]


def test_times_that_differ_much_are_dots_on_a_logarithmic_axis() -> None:
    picture = Picture(svg_of(board_chart(BOARD, "11×11")))
    assert (picture.ids("dot-"), picture.ids("bar-")) == ({"dot-cdcl", "dot-dpll"}, set())
    assert {"2.00 ms", "500 ms", "11×11", "seconds (logarithmic)"} <= picture.texts
    assert {"cdcl", "dpll", "brute", "buggy", "idle"} <= picture.texts


def test_an_engine_without_a_time_has_a_label_that_says_why() -> None:
    texts = Picture(svg_of(board_chart(BOARD, "11×11"))).texts
    assert {"attempt limit", "crashed", "not run", "2 of 3"} <= texts
    assert "no solution" not in texts


def test_an_engine_that_contradicts_itself_is_marked() -> None:
    runs = [*solved("b", "liar", 1.0), *refuted("b", "liar", 1.0)]
    assert {"contradicts", "itself"} <= Picture(svg_of(board_chart(summarise(runs), "b"))).texts


def test_bars_are_as_high_as_their_seconds() -> None:
    runs = [*solved("b", "one", 0.001), *solved("b", "two", 0.002)]
    picture = Picture(svg_of(board_chart(summarise(runs), "b")))
    assert "seconds" in picture.texts
    assert picture.height("bar-two") == pytest.approx(2 * picture.height("bar-one"), rel=1e-4)


def test_one_long_run_does_not_flatten_the_others() -> None:
    runs = [*solved("b", "one", 0.001, 0.001, 9.0), *solved("b", "two", 0.004, 0.004, 0.004)]
    picture = Picture(svg_of(board_chart(summarise(runs), "b")))
    (one,), (two,) = picture.markers("dot-one"), picture.markers("dot-two")
    assert one[1] - two[1] > 15


def test_bars_of_counters_start_at_0_and_become_dots_if_one_engine_counts_far_more() -> None:
    runs = [*solved("b", "one", 0.001, nodes=20), *solved("b", "two", 0.002, nodes=40)]
    bars = Picture(svg_of(counters_chart(summarise(runs), "b", counters=["nodes"])))
    assert bars.width("nodes-two") == pytest.approx(2 * bars.width("nodes-one"), rel=1e-4)
    runs += solved("b", "three", 0.001, nodes=200_000)
    dots = Picture(svg_of(counters_chart(summarise(runs), "b", counters=["nodes"])))
    assert len(dots.markers("nodes-three")) == 1
    assert "the axes are logarithmic" in dots.texts


LONG_ENGINE, LONG_BOARD = (
    "src/backtrack_sol.py:solve_backtrack",
    "testcase_17_of_the_exam_of_2024_question_two",
)


def test_long_names_are_inside_the_picture() -> None:
    other = "cmd:/opt/solvers/a-solver-with-a-long-name --time=100"
    runs = [*solved(LONG_BOARD, LONG_ENGINE, 0.2, nodes=9), *stopped(LONG_BOARD, other, "time limit")]
    summary, look = summarise(runs), ChartLook(LONG_BOARD + " " + LONG_BOARD)
    for figure in (
        board_chart(summary, LONG_BOARD, look),
        counters_chart(summary, LONG_BOARD, look, counters=["nodes"]),
        scaling_chart(summary, {LONG_BOARD: 25}, look, limit=10.0),
        cactus_chart(summary, look, limit=10.0),
        engines_chart(summary, (LONG_ENGINE, other), look),
    ):
        image = Image.open(io.BytesIO(png_of(figure, dpi=50))).convert("L")
        width, height = image.size
        edge = [(x, y) for x in range(width) for y in (0, height - 1)]
        edge += [(x, y) for x in (0, width - 1) for y in range(height)]
        assert {image.getpixel(place) for place in edge} == {255}


def test_engines_without_a_time_are_named_beside_the_lines() -> None:
    summary = summarise([*solved("b", "cdcl", 0.1), *stopped("b", "dpll", "time limit")])
    assert {"cdcl", "dpll (no time)"} <= Picture(svg_of(cactus_chart(summary))).texts


def test_a_line_with_markers_has_a_point_per_engine_with_a_time() -> None:
    picture = Picture(svg_of(board_chart(BOARD, "11×11", line=True)))
    assert picture.ids("bar-") == set()
    assert len(picture.markers("line")) == 2


def test_charts_of_means_show_means() -> None:
    texts = Picture(svg_of(board_chart(BOARD, "11×11", average=Average.MEAN))).texts
    assert {"2.33 ms", "375 ms"} <= texts


def test_counters_stand_beside_seconds() -> None:
    picture = Picture(svg_of(counters_chart(BOARD, "11×11")))
    assert {"seconds", "decisions", "conflicts", "attempts"} <= picture.texts
    assert not {"propagations", "generations", "idle"} & picture.texts
    assert picture.ids("decisions-") == {"decisions-cdcl", "decisions-dpll"}
    assert picture.ids("seconds-") == {"seconds-cdcl", "seconds-dpll"}
    assert {"700", "2,000,000", "attempt limit", "–"} <= picture.texts


def test_scaling_has_a_line_per_engine_up_to_its_last_time() -> None:
    picture = Picture(svg_of(scaling_chart(MANY, CELLS, limit=10.0)))
    assert (len(picture.markers("line-cdcl")), len(picture.markers("line-dpll"))) == (4, 3)
    assert {"cells", "seconds", "time limit", "100", "10,000"} <= picture.texts


def test_scaling_is_logarithmic_both_ways() -> None:
    runs = [run for side in (10, 100, 1000) for run in solved(f"{side}", "cdcl", side**2 / 1e6)]
    cells = {f"{side}": side**2 for side in (10, 100, 1000)}
    first, second, third = Picture(svg_of(scaling_chart(summarise(runs), cells))).markers("line-cdcl")
    assert second[0] - first[0] == pytest.approx(third[0] - second[0], abs=1e-3)
    assert second[1] - first[1] == pytest.approx(third[1] - second[1], abs=1e-3)


def test_a_cactus_plot_has_each_engine_s_answered_boards_sorted_by_time() -> None:
    picture = Picture(svg_of(cactus_chart(MANY)))
    points = picture.markers("line-dpll")
    assert len(points) == 3
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)
    assert "boards answered, of 5" in picture.texts


def test_a_cactus_plot_can_sum_up_times() -> None:
    runs = [run for board in "abc" for run in solved(board, "cdcl", 1.0)]
    flat, summed = (
        Picture(svg_of(cactus_chart(summarise(runs), summed=kind))).markers("line-cdcl")
        for kind in (False, True)
    )
    assert len({y for _, y in flat}) == 1
    rise = [summed[0][1] - y for _, y in summed]
    assert rise[2] / rise[1] == pytest.approx(math.log(3) / math.log(2), rel=1e-3)


def test_long_cactus_lines_keep_a_marker_on_their_last_board() -> None:
    runs = [run for board in range(90) for run in solved(f"b{board}", "cdcl", 0.01 * (board + 1))]
    every = Picture(svg_of(cactus_chart(summarise(runs)))).markers("line-cdcl")
    few = Picture(svg_of(cactus_chart(summarise(runs[:4] + runs[-1:], boards=[f"b{n}" for n in range(90)]))))
    assert len(every) <= 30
    assert every[-1][1] == pytest.approx(few.markers("line-cdcl")[-1][1], abs=1e-3)


def test_engine_against_engine_has_a_point_per_board_and_limits_on_the_border() -> None:
    picture = Picture(svg_of(engines_chart(MANY, ("cdcl", "dpll"))))
    assert {"solved (2)", "no solution (1)", "no time: dpll (1)", "no time: both (1)"} <= picture.texts
    assert {"cdcl, seconds", "dpll, seconds", "×10"} <= picture.texts
    counts = {name: len(picture.markers(name)) for name in ("solved", "no-solution", "no-time-dpll")}
    assert counts == {"solved": 2, "no-solution": 1, "no-time-dpll": 1}
    border = picture.markers("no-time-dpll")[0][1]
    assert border < min(y for name in ("solved", "no-solution") for _, y in picture.markers(name))


def test_equal_times_are_on_the_diagonal() -> None:
    runs = [
        run for board, time in (("a", 0.1), ("b", 2.0)) for name in "xy" for run in solved(board, name, time)
    ]
    picture = Picture(svg_of(engines_chart(summarise(runs), ("x", "y"))))
    (x, y), (other_x, other_y) = picture.markers("solved")
    assert other_x - x == pytest.approx(y - other_y, rel=1e-3)


@pytest.mark.parametrize("theme", Theme)
def test_equal_numbers_give_equal_files(theme: Theme) -> None:
    look = ChartLook("11×11", theme)
    first, second = board_chart(BOARD, "11×11", look), board_chart(BOARD, "11×11", look)
    assert svg_of(first) == svg_of(second)
    assert png_of(first) == png_of(second)
    assert "<dc:date>" not in svg_of(first)


def test_ids_of_named_charts_do_not_meet_on_one_page() -> None:
    figure = scaling_chart(MANY, CELLS)
    one, two = (Picture(svg_of(figure, name)) for name in ("one", "two"))
    ids = [{each.get("id") for each in picture.root.iter() if each.get("id")} for picture in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    link = "{http://www.w3.org/1999/xlink}href"
    used = {use.get(link, "")[1:] for use in one.root.iter(f"{SVG}use")}
    assert used <= ids[0]


@pytest.mark.parametrize(
    ("look", "background"),
    [
        (ChartLook(), (255, 255, 255, 255)),
        (ChartLook(theme=Theme.DARK), (15, 23, 42, 255)),
        (ChartLook(theme=Theme.DARK, transparent=True), (255, 255, 255, 0)),
    ],
)
def test_png_files_have_the_background_of_their_theme(
    look: ChartLook, background: tuple[int, int, int, int]
) -> None:
    image = Image.open(io.BytesIO(png_of(cactus_chart(MANY, look), dpi=50)))
    assert image.convert("RGBA").getpixel((1, 1)) == background


def test_png_files_have_the_size_that_is_asked_for() -> None:
    figure = scaling_chart(MANY, CELLS)
    sizes = [struct.unpack(">II", png_of(figure, dpi)[16:24]) for dpi in (50, 200)]
    assert [height for _, height in sizes] == [195, 780]
    assert sizes[1][0] == pytest.approx(4 * sizes[0][0], abs=4)


def test_names_are_shown_as_they_are() -> None:
    name = "a$b$ <&> 盤"
    picture = Picture(svg_of(board_chart(summarise(solved(name, "cmd:x_1", 1.0)), name)))
    assert {name, "cmd:x_1"} <= picture.texts


def test_seventy_engines_have_marks_of_their_own() -> None:
    marks = engine_marks([f"e{number}" for number in range(70)], ChartLook())
    assert len({(mark.colour, mark.shape) for mark in marks.values()}) == 70


def test_axes_reach_from_a_power_of_ten_to_another() -> None:
    assert decades([0.02, 3.0]) == pytest.approx((0.01, 10.0))
    assert decades([10.0]) == pytest.approx((10.0, 100.0))
    assert decades([]) == pytest.approx((1.0, 10.0))


@pytest.mark.parametrize("summary", [summarise(stopped("b", "cdcl", "stuck")), summarise([], boards=["b"])])
def test_charts_without_any_time_can_still_be_drawn(summary: Summary) -> None:
    figures = [board_chart(summary, "b"), counters_chart(summary, "b"), cactus_chart(summary)]
    assert all("<svg" in svg_of(each) for each in [*figures, scaling_chart(summary, {"b": 9})])


def test_unknown_boards_and_engines_are_named() -> None:
    with pytest.raises(UnknownNameError, match="no board named '11x11'"):
        board_chart(BOARD, "11x11")
    with pytest.raises(UnknownNameError, match="no engine named 'cdlc'; did you mean 'cdcl'"):
        engines_chart(MANY, ("cdlc", "dpll"))


def test_a_missing_matplotlib_is_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=re.escape(install_command("plots"))):
        cactus_chart(MANY)


def test_settings_of_the_user_change_nothing_and_pyplot_is_not_loaded() -> None:
    program = (
        "import matplotlib, sys\n"
        "from gemhunter.bench.summary import summarise\n"
        "from gemhunter.charts.look import svg_of\n"
        "from gemhunter.charts.suites import board_chart\n"
        "from made_measurements import solved\n"
        "summary = summarise(solved('b', 'cdcl', 1.0))\n"
        "plain = svg_of(board_chart(summary, 'b'))\n"
        "matplotlib.rcParams.update({'font.size': 30, 'axes.facecolor': 'red', 'svg.fonttype': 'path'})\n"
        "assert svg_of(board_chart(summary, 'b')) == plain\n"
        "assert matplotlib.rcParams['font.size'] == 30\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=SUPPORT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
