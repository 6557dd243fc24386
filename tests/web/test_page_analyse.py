"""The tab Analyse in a browser: from the first visit to a board that is drawn, read, analysed and saved."""

from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from browser_pages import (
    Pages,
    board_of,
    cell_of,
    click_cell,
    expect_cell,
    keep_picture,
    place_of,
    rows_of,
)

TWO_SOLUTIONS = "_, 1, _"
ONE_SOLUTION = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
CODE = "3x4~3a2c2b31a"
CONFLICT = "1, _, 1\n_, _, _\n5, _, 1"


def verdict(page: Page, words: str) -> None:
    """Wait for a sentence of the verdict."""
    expect(page.locator(".analyse-sentence")).to_contain_text(words)


def enter_text(page: Page, text: str) -> None:
    """Type a board into the dialog."""
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("textbox", name="Board as text").fill(text)


def enter_board(page: Page, text: str) -> None:
    """Take over a board that is typed into the dialog."""
    enter_text(page, text)
    page.get_by_role("button", name="Use this board").click()


def test_the_first_visit_shows_a_sample_that_is_analysed(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "This board has 24 solutions.")
    expect(page.get_by_text("A number counts the traps around it.")).to_be_visible()
    expect(board_of(page)).to_have_attribute("aria-rowcount", "9")
    assert page.title() == "Analyse – Gem Hunter"
    keep_picture(page, "analyse-first-visit")


def test_a_pasted_board_is_analysed(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "24 solutions")
    page.evaluate("text => navigator.clipboard.writeText(text)", ONE_SOLUTION)
    page.keyboard.press("Control+v")
    verdict(page, "This board has exactly one solution.")
    assert rows_of(page) == ["3_2_", "__2_", "_31_"]
    keep_picture(page, "analyse-pasted")


def test_faults_of_a_pasted_board_are_listed_with_line_and_column(pages: Pages) -> None:
    page = pages.open()
    pages.expect_failure("api/v1/read")
    enter_text(page, "1, x, _\n1, 1")
    faults = page.locator(".analyse-faults li")
    expect(faults).to_have_count(2)
    expect(faults.first).to_contain_text("line 1, column 4")
    faults.first.get_by_role("button").click()
    selected = """() => {
        const { value, selectionStart, selectionEnd } = document.activeElement;
        return value.slice(selectionStart, selectionEnd);
    }"""
    assert page.evaluate(selected) == "x"
    expect(page.get_by_role("button", name="Use this board")).to_be_disabled()
    expect(page.get_by_role("dialog")).to_contain_text("a hidden cell")
    keep_picture(page, "analyse-faults")


def test_a_board_is_drawn_with_the_mouse(pages: Pages) -> None:
    page = pages.open("#analyse?b=2x3~f")
    page.locator("[data-tool='1']").click()
    click_cell(page, "r1c1")
    page.locator("[data-tool=trap]").click()
    page.mouse.move(*place_of(page, "r2c1"))
    page.mouse.down()
    page.mouse.move(*place_of(page, "r2c3"), steps=4)
    page.mouse.up()
    expect_cell(page, "r2c3", "trap")
    assert rows_of(page) == ["1__", "TTT"]
    verdict(page, "r1c1")
    expect(cell_of(page, "r1c1")).to_have_attribute("aria-label", "row 1, column 1, clue 1, in conflict")
    keep_picture(page, "analyse-drawn")


def test_a_board_is_drawn_by_keyboard_alone(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "24 solutions")
    new = page.get_by_role("button", name="New", exact=True)
    while not new.evaluate("button => button === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for key in ("1", "Tab", "3", "Enter"):
        page.keyboard.press(key)
    expect(board_of(page)).to_be_focused()
    for key in ("ArrowRight", "1", "ArrowRight", "g"):
        page.keyboard.press(key)
    verdict(page, "This board has exactly one solution.")
    expect_cell(page, "r1c1", "hidden, shown as a trap")
    assert rows_of(page) == ["_1G"]


def test_a_contradictory_board_shows_the_clues_in_conflict(pages: Pages) -> None:
    page = pages.open()
    enter_board(page, CONFLICT)
    verdict(page, "r3c1")
    expect(page.locator(".analyse-verdict .badge")).to_have_text("no solution")
    expect(cell_of(page, "r3c1")).to_have_attribute("aria-label", "row 3, column 1, clue 5, in conflict")
    keep_picture(page, "analyse-conflict")


def test_solutions_are_browsed(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x3~a1a")
    page.get_by_role("button", name="Browse solutions").click()
    place = page.locator(".analyse-flip strong")
    expect(place).to_have_text("1 of 2")
    expect_cell(page, "r1c1", "hidden, shown as a gem")
    page.keyboard.press("n")
    expect(place).to_have_text("2 of 2")
    expect_cell(page, "r1c1", "hidden, shown as a trap")
    keep_picture(page, "analyse-solutions")
    page.keyboard.press("Escape")
    expect(place).to_have_count(0)


def test_the_solution_that_is_shown_is_exported(pages: Pages, tmp_path: Path) -> None:
    page = pages.open(f"#analyse?b={CODE}")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_text("The board shows the only solution.")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Solution as text").click()
    saved.value.save_as(tmp_path / "solution.txt")
    assert (tmp_path / "solution.txt").read_text() == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"


def test_a_forced_cell_is_explained(pages: Pages) -> None:
    page = pages.open(f"#analyse?b={CODE}")
    verdict(page, "exactly one solution")
    click_cell(page, "r1c2")
    page.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("heading", name="Why is r1c2 a trap?")).to_be_visible()


def test_a_file_is_opened(pages: Pages) -> None:
    page = pages.open()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Open", exact=True).click()
    chosen.value.set_files(FilePayload(name="small.txt", mimeType="text/plain", buffer=ONE_SOLUTION.encode()))
    # What is said disappears after some seconds.
    expect(page.locator("#toasts")).to_contain_text("Board of 3×4 read from small.txt")
    verdict(page, "exactly one solution")


def test_a_dropped_file_is_opened_and_its_faults_are_listed(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "24 solutions")
    pages.expect_failure("api/v1/read")
    drop = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.txt"));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    }"""
    page.evaluate(drop, "1, 2\n1, ?\n9, x")
    expect(page.locator(".analyse-faults")).to_contain_text("line 3, column 4")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate(drop, TWO_SOLUTIONS)
    verdict(page, "This board has 2 solutions.")


def test_the_exported_text_is_the_board(pages: Pages, tmp_path: Path) -> None:
    page = pages.open(f"#analyse?b={CODE}")
    verdict(page, "exactly one solution")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Text .txt", exact=True).click()
    assert saved.value.suggested_filename == "board.txt"
    saved.value.save_as(tmp_path / "board.txt")
    assert (tmp_path / "board.txt").read_text() == f"{ONE_SOLUTION}\n"


def test_the_board_in_the_address_survives_reload_and_back(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x3~a1a")
    verdict(page, "2 solutions")
    enter_board(page, ONE_SOLUTION)
    verdict(page, "exactly one solution")
    page.wait_for_url(f"**/#analyse?b={CODE}")
    page.reload()
    verdict(page, "exactly one solution")
    page.go_back()
    verdict(page, "2 solutions")
    assert rows_of(page) == ["_1_"]
    page.go_forward()
    verdict(page, "exactly one solution")


def test_edits_are_undone_and_redone(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x3~a1a")
    verdict(page, "2 solutions")
    page.get_by_role("button", name="Undo").is_disabled()
    click_cell(page, "r1c1", is_flag=True)
    expect_cell(page, "r1c1", "flag, risk 50 %")
    click_cell(page, "r1c1", is_flag=True)
    verdict(page, "exactly one solution")
    assert rows_of(page) == ["T1_"]
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("u")
    verdict(page, "2 solutions")
    assert rows_of(page) == ["_1_"]
    page.keyboard.press("Control+Shift+z")
    expect_cell(page, "r1c1", "flag, risk 50 %")


def test_a_link_without_a_board_is_refused_in_one_line(pages: Pages) -> None:
    page = pages.open("#analyse?b=nonsense")
    expect(page.get_by_role("alert")).to_have_text("This link holds no board.")
    verdict(page, "24 solutions")


@pytest.mark.parametrize("name", ["3x4", "nine", "16x30"])
def test_a_sample_is_chosen_from_the_menu(pages: Pages, name: str) -> None:
    page = pages.open()
    page.get_by_role("button", name="Samples").click()
    page.get_by_role("menuitem", name=f"{name} ").first.click()
    expect(page.locator(".analyse-sentence")).not_to_contain_text("24 solutions")
    expect(page.locator(".analyse-verdict .is-stale")).to_have_count(0)
