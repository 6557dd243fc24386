"""The tab Compare in a browser: engines on boards, as a table and as a file."""

import csv
import io
import re

from playwright.sync_api import expect

from browser_pages import Pages, keep_picture

ENGINES = ("auto", "pysat")
"""Engines that compile nothing, so that runs are quick."""


def test_two_engines_are_compared_on_two_boards(pages: Pages) -> None:
    page = pages.open("#compare")
    for sample in ("3x4", "5x5"):
        page.get_by_role("button", name="Sample", exact=True).click()
        page.get_by_role("menuitem", name=sample).first.click()
        expect(page.get_by_role("textbox", name=f"Name of the board {sample}")).to_be_visible()
    for engine in ENGINES:
        page.get_by_label("Engine with settings").fill(engine)
        page.keyboard.press("Enter")
    page.get_by_label("Runs per engine").fill("1")
    page.evaluate("""() => {
        const look = () => window.seen.add(document.querySelector(".compare-now")?.textContent);
        window.seen = new Set();
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    }""")
    page.get_by_role("button", name="Compare", exact=True).first.click()
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    seen = page.evaluate("[...window.seen].join('\\n')")
    assert re.search(r"^Now, for \d+ s: auto on 3x4, run 1 of 1(, in plain Python)?$", seen, re.MULTILINE)
    expect(page.locator(".compare-now")).to_be_empty()
    table = page.get_by_role("region", name="Results").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Engine", "3x4", "5x5"])
    expect(table.get_by_role("rowheader")).to_have_text(list(ENGINES))
    expect(table.get_by_role("button", name="fastest")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    runs = list(csv.DictReader(io.StringIO(saved.value.path().read_text(encoding="utf-8"))))
    assert {(run["board"], run["engine"], run["verdict"]) for run in runs} == {
        (board, engine, "solved") for board in ("3x4", "5x5") for engine in ENGINES
    }
    keep_picture(page, "compare-finished")
    table.get_by_role("button", name="auto on 5x5").click()
    expect(page.get_by_role("dialog")).to_contain_text("auto")
    keep_picture(page, "compare-details")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="HTML report").click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"It takes about \d s\."))
    page.keyboard.press("Escape")
    page.reload()
    expect(table.get_by_role("rowheader")).to_have_text(list(ENGINES))


def test_an_engine_that_does_not_exist_is_refused_beside_its_field(pages: Pages) -> None:
    page = pages.open("#compare?s=3x4&e=cdcl")
    page.get_by_label("Engine with settings").fill("cmd:ls")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(
        "Engines that run an external program work only on the command line"
    )


def test_a_board_from_analyse_is_compared(pages: Pages) -> None:
    page = pages.open("#analyse?b=3x4~3a2c2b31a")
    page.get_by_role("button", name="Compare engines").click()
    expect(page.get_by_role("textbox", name="Name of the board board")).to_be_visible()
    expect(page.get_by_role("button", name="Compare", exact=True).first).to_be_enabled()
    keep_picture(page, "compare-chosen")
