"""The tab Analyse in a browser: boards are drawn, read, analysed and saved."""

import re
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from browser_pages import (
    Pages,
    board_of,
    cell_of,
    click_cell,
    expect_cell,
    expect_rows,
    hold_answers,
    keep_picture,
    place_of,
)

TWO_SOLUTIONS = "_, 1, _"
ONE_SOLUTION = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
CODE = "3x4~3a2c2b31a"
CONFLICT = "1, _, 1\n_, _, _\n5, _, 1"


def verdict(page: Page, words: str) -> None:
    """Wait until the verdict contains these words."""
    expect(page.locator(".analyse-sentence")).to_contain_text(words)


def enter_text(page: Page, text: str) -> None:
    """Type a board into the dialog."""
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("textbox", name="Board as text").fill(text)


def enter_board(page: Page, text: str) -> None:
    """Type a board into the dialog and use it."""
    enter_text(page, text)
    page.get_by_role("button", name="Use this board").click()


def test_the_first_visit_shows_a_sample_that_is_analysed(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "This board has 24 solutions.")
    expect(page.get_by_text("A number counts the traps around it.")).to_be_visible()
    expect(board_of(page)).to_have_attribute("aria-rowcount", "9")
    expect(page).to_have_title("Analyse – Gem Hunter")
    keep_picture(page, "analyse-first-visit")


def test_a_pasted_board_is_analysed(pages: Pages) -> None:
    page = pages.open()
    verdict(page, "24 solutions")
    page.evaluate("text => navigator.clipboard.writeText(text)", ONE_SOLUTION)
    page.keyboard.press("Control+v")
    verdict(page, "This board has exactly one solution.")
    expect_rows(page, ["3_2_", "__2_", "_31_"])
    keep_picture(page, "analyse-pasted")


def test_faults_of_a_pasted_board_are_listed_with_line_and_column(pages: Pages) -> None:
    page = pages.open()
    pages.expect_failure("api/v1/read")
    enter_text(page, "1, x, _\n1, 1")
    faults = page.locator(".analyse-faults li")
    expect(faults).to_have_count(2)
    expect(faults.first).to_contain_text("line 1, column 4")
    faults.first.get_by_role("button").click()
    page.wait_for_function("""() => {
        const { value, selectionStart, selectionEnd } = document.activeElement;
        return value?.slice(selectionStart, selectionEnd) === "x";
    }""")
    expect(page.get_by_role("button", name="Use this board")).to_be_disabled()
    expect(page.get_by_role("dialog")).to_contain_text("a hidden cell")
    keep_picture(page, "analyse-faults")


def test_the_number_of_traps_is_part_of_the_text(pages: Pages) -> None:
    page = pages.open()
    total = page.get_by_role("spinbutton", name="Number of traps")
    total.fill("23")
    total.press("Enter")
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("button", name="Load the current board").click()
    expect(page.get_by_role("textbox", name="Board as text")).to_have_value(re.compile("^# traps: 23\n"))
    page.get_by_role("button", name="Use this board").click()
    expect(total).to_have_value("23")


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
    expect_rows(page, ["1__", "TTT"])
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
    expect(page.get_by_role("dialog")).to_be_visible()
    for key in ("1", "Tab", "3", "Enter"):
        page.keyboard.press(key)
    expect(board_of(page)).to_be_focused()
    for key in ("ArrowRight", "1", "ArrowRight", "g"):
        page.keyboard.press(key)
    verdict(page, "This board has exactly one solution.")
    expect_cell(page, "r1c1", "hidden, shown as a trap")
    expect_rows(page, ["_1G"])


def test_a_digit_goes_to_the_cell_under_the_pointer_or_to_the_cursor_which_moves_on(pages: Pages) -> None:
    page = pages.open("#analyse?b=2x3~f")
    expect(page.locator(".analyse-sentence")).to_be_visible()
    page.mouse.move(*place_of(page, "r2c2"))
    page.keyboard.press("5")
    page.keyboard.press("3")
    expect_cell(page, "r2c2", "clue 3")
    page.mouse.move(5, 5)
    page.keyboard.type("12")  # nothing has the focus: the cursor is at the first cell
    expect(board_of(page)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_rows(page, ["12_", "_3_"])
    click_cell(page, "r1c3")
    page.keyboard.type("1xt8")  # from the clicked cell on, through the end of the row
    expect_rows(page, ["121", "_T8"])
    page.keyboard.press("Backspace")
    expect_rows(page, ["121", "_T_"])
    page.mouse.move(*place_of(page, "r1c1"))
    page.keyboard.press("ArrowLeft")  # the keyboard was used last, so the cursor is meant
    page.keyboard.press("0")
    expect_rows(page, ["121", "_0_"])
    page.locator("[data-tool='3']").click()  # the tool has the focus now
    page.mouse.move(*place_of(page, "r1c3"))
    page.keyboard.press("Delete")
    expect_rows(page, ["12_", "_0_"])


def test_a_contradictory_board_shows_the_clues_in_conflict(pages: Pages) -> None:
    page = pages.open()
    enter_board(page, CONFLICT)
    verdict(page, "r3c1")
    expect(page.locator(".analyse-verdict .badge")).to_have_text("no solution")
    expect(cell_of(page, "r3c1")).to_have_attribute("aria-label", "row 3, column 1, clue 5, in conflict")
    expect(page.get_by_role("button", name="Fill it in")).to_be_hidden()
    keep_picture(page, "analyse-conflict")
    page.get_by_role("link", name="Play").click()
    offered = page.get_by_role("button", name="Use the board from Analyse")
    expect(page.get_by_role("button", name="Make one")).to_be_visible()
    expect(offered).to_be_hidden()
    page.get_by_role("link", name="Analyse", exact=True).click()
    enter_board(page, ONE_SOLUTION)
    expect(page.get_by_role("button", name="Fill it in")).to_be_visible()
    page.get_by_role("link", name="Play").click()
    expect(offered).to_be_visible()


def test_another_board_never_shows_the_verdict_of_the_board_before(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x3~a1a")
    verdict(page, "2 solutions")
    expect_cell(page, "r1c1", "hidden, risk 50 %")
    let_go = hold_answers(page, "analyse")
    card = page.locator(".analyse-verdict")
    with page.expect_request("**/api/v1/analyse"):
        page.evaluate("location.hash = '#analyse?b=1x3~1a1'")
    expect_cell(page, "r1c1", "clue 1")
    expect(card).to_have_text("Verdict Working…", use_inner_text=True)
    expect(page.locator(".board [aria-label*='risk']")).to_have_count(0)
    expect(page.get_by_role("button", name="Browse solutions")).to_be_hidden()
    let_go()
    verdict(page, "exactly one solution")
    with page.expect_request("**/api/v1/analyse"):
        page.keyboard.press("0")
    expect(card.locator(".analyse-sentence")).to_have_count(0)  # an edit that takes a while to answer
    let_go()
    verdict(page, "r1c1")


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
    drop = """(text, type = "drop", name = "dropped.txt") => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        const event = { dataTransfer: data, clipboardData: data, cancelable: true, bubbles: true };
        (type === "drop" ? window : document).dispatchEvent(
            type === "drop" ? new DragEvent(type, event) : new ClipboardEvent(type, event));
    }"""
    page.evaluate(drop, "1, 2\n1, ?\n9, x")
    expect(page.locator(".analyse-faults")).to_contain_text("line 3, column 4")
    bytes_of_png = "Uint8Array.from('\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR', (sign) => sign.charCodeAt(0))"
    # In the same task, before the browser takes the focus away from the text field of the closed dialog.
    page.evaluate(f"document.querySelector('dialog').close(); ({drop})({bytes_of_png}, 'paste', 'image.png')")
    expect(page.locator(".analyse-lines")).to_contain_text("“image.png”: a picture; expected a board as text")
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
    expect_rows(page, ["_1_"])
    page.go_forward()
    verdict(page, "exactly one solution")


def test_edits_are_undone_and_redone(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x3~a1a")
    verdict(page, "2 solutions")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    click_cell(page, "r1c1", is_flag=True)
    expect_cell(page, "r1c1", "flag, risk 50 %")
    click_cell(page, "r1c1", is_flag=True)
    verdict(page, "exactly one solution")
    expect_rows(page, ["T1_"])
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("u")
    verdict(page, "2 solutions")
    expect_rows(page, ["_1_"])
    page.keyboard.press("Control+Shift+z")
    expect_cell(page, "r1c1", "flag, risk 50 %")


def test_a_link_without_a_board_is_refused_in_one_line(pages: Pages) -> None:
    page = pages.open("#analyse?b=nonsense")
    expect(page.get_by_role("alert")).to_have_text("This link does not contain a board.")
    verdict(page, "24 solutions")


def test_samples_are_chosen_from_the_menu(pages: Pages) -> None:
    page = pages.open()
    for name, rows in (("3x4", "3"), ("nine", "5"), ("16x30", "16")):
        page.get_by_role("button", name="Samples").click()
        page.get_by_role("menuitem", name=f"{name} ").first.click()
        expect(board_of(page)).to_have_attribute("aria-rowcount", rows)
        expect(page.locator(".analyse-sentence")).not_to_contain_text("24 solutions")
        expect(page.locator(".analyse-verdict.is-stale")).to_have_count(0)


def test_one_assumption_drives_the_risks_and_the_best_move(pages: Pages) -> None:
    page = pages.open("#analyse?b=1x8~a1f")
    same, assumed = (page.get_by_role("radio", name=name) for name in ("All solutions", "Assume 20 %"))
    advice = page.get_by_role("region", name="Best move")
    expect_cell(page, "r1c4", "hidden, risk 50 %")
    expect(same).to_be_checked()
    page.get_by_role("button", name="Suggest a move").click()
    # What is said disappears after some seconds.
    expect(page.locator("#toasts")).to_contain_text("The risks now assume 20 % traps")
    expect(advice).to_contain_text(
        "Traps: unknown; assuming 20 % of all cells; at 12 %, the same cell would be best."
    )
    expect(advice).to_contain_text("Risk20 %")
    expect_cell(page, "r1c4", "hidden, risk 20 %")
    expect(assumed).to_be_checked()
    keep_picture(page, "analyse-assumed")
    page.wait_for_url("**&assume=1")
    page.reload()
    expect(advice).to_contain_text("Risk20 %")
    expect_cell(page, "r1c4", "hidden, risk 20 %")
    same.check(force=True)
    expect_cell(page, "r1c4", "hidden, risk 50 %")
    expect(advice.get_by_role("button", name="Suggest a move")).to_be_visible()
    assumed.check(force=True)
    expect(advice).to_contain_text("Risk20 %")
    # A number takes the place of what was assumed, and another board begins without an assumption.
    page.get_by_role("spinbutton", name="Number of traps").fill("3")
    expect(advice).to_contain_text("Traps: 3.")
    expect_cell(page, "r1c4", "hidden, risk 40 %")
    expect(same).to_be_hidden()
    enter_board(page, TWO_SOLUTIONS)
    expect(same).to_be_checked()
    page.wait_for_url("**/#analyse?b=1x3~a1a")
