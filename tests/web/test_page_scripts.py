"""Scripts that every tab uses, called without a view: numbers, messages, signals, pictures, geometry."""

from typing import Any

from playwright.sync_api import Page

from browser_pages import Pages

LOAD = 'name => import(new URL(`./${name}.js`, document.querySelector("script[type=module]").src))'


def run(page: Page, body: str) -> Any:
    """What some lines of JavaScript return; `load` imports a module of the page."""
    return page.evaluate(f"async () => {{ const load = {LOAD}; {body} }}")


def test_only_a_certain_probability_is_0_or_100_percent(pages: Pages) -> None:
    shown = run(
        pages.open(),
        """const { percent } = await load("words");
        return [0, 1e-9, 0.001, 0.2, 1 / 3, 0.9995, 1].map(percent);""",
    )
    assert shown == ["0 %", "under 0.1 %", "0.1 %", "20 %", "33.3 %", "over 99.9 %", "100 %"]


def test_notices_and_toasts_are_sentences_and_have_no_backticks(pages: Pages) -> None:
    shown = run(
        pages.open(),
        """const { notice, toast } = await load("widgets");
        const text = "unknown key `rows`; expected `shown`";
        toast(text);
        return [notice(text).querySelector("span").innerHTML, document.querySelector(".toast").innerHTML,
            notice("r1c2 is `open").textContent, notice("Is it running?").textContent];""",
    )
    sentence = "Unknown key <code>rows</code>; expected <code>shown</code>."
    assert shown == [sentence, sentence, "r1c2 is `open.", "Is it running?"]


def test_the_time_of_a_game_that_is_over_is_rounded_once(pages: Pages) -> None:
    shown = run(
        pages.open(),
        """const { Attempt } = await load("play/archive");
        const { clock, exactTime } = await load("play/words");
        const attempt = new Attempt("9x9n10#1", { spent: 7.96 });
        attempt.finish();
        return [clock(attempt.seconds), exactTime(attempt.seconds)];""",
    )
    assert shown == ["0:08", "8.0 s"]


def test_an_effect_that_throws_follows_no_signal_that_others_read(pages: Pages) -> None:
    runs = run(
        pages.open(),
        """const { signal, effect } = await load("signal");
        const [one, other] = [signal(1), signal(1)];
        let runs = 0;
        try {
            effect(() => { runs += 1; if (one.value) throw new Error("fails"); });
        } catch {}
        other.value;
        other.value = 2;
        return runs;""",
    )
    assert runs == 1


def test_a_picture_that_is_taken_off_the_page_is_not_kept(pages: Pages) -> None:
    page = pages.open()
    run(
        page,
        """const { picture } = await load("board/picture");
        const { Grid } = await load("grid");
        window.taken = new WeakRef(picture(Grid.blank(3, 3), { label: "a board", width: 60 }));""",
    )
    with_garbage = page.context.new_cdp_session(page)
    with_garbage.send("HeapProfiler.collectGarbage")
    assert page.evaluate("window.taken.deref() === undefined")


def test_a_logarithmic_axis_has_at_least_two_marks(pages: Pages) -> None:
    marks = run(
        pages.open(),
        """const { charts } = await load("compare/chart");
        const solved = { board: "3x4", engine: "auto", verdict: "solved", reason: "" };
        const chart = (times, width) => {
            const items = times.map((total, run) => ({ ...solved, run, total }));
            return charts({ boards: [{ name: "3x4" }], engines: ["auto"], runs: 2, items }, true, width)[0];
        };
        return [[[0.02], 700], [[0.02, 0.09], 250], [[0.01, 0.1], 250], [[1e-4, 900], 250]]
            .map(([times, width]) => chart(times, width).querySelectorAll(".compare-tick").length);""",
    )
    assert min(marks) >= 2


def test_the_whole_of_any_board_fits_and_its_cells_can_be_shown_together(pages: Pages) -> None:
    found = run(
        pages.open(),
        """const { View } = await load("board/view");
        const view = new View();
        const sees = ({ row, col }) => {
            const [x, y] = [view.x + col * view.cell, view.y + row * view.cell];
            return x >= 26 && y >= 22 && x + view.cell <= view.width && y + view.cell <= view.height;
        };
        const found = [];
        for (const [rows, cols] of [[500, 500], [1000, 250], [1, 250000], [9, 9], [30, 16]]) {
            Object.assign(view, { width: 390, height: 300 });
            view.setBoard(rows, cols);
            view.fit();
            const cells = [{ row: rows - 1, col: 0 }, { row: Math.max(0, rows - 9), col: 0 }];
            const fits = !view.overflows;
            view.show(cells);
            found.push([fits, cells.every(sees), view.cell >= 11]);
        }
        return found;""",
    )
    assert found == [[True, True, True]] * 5
