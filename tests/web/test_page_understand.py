"""The tab Understand in a browser: explanations of cells, and engines at work, step by step."""

import re

from playwright.sync_api import Page, expect

from browser_pages import Pages, board_of, cell_of, click_cell, expect_cell, keep_picture

SMALL = "#understand?b=3x4~3a2c2b31a"
NO_SOLUTION = "#understand?b=3x3~1a1c5a1"


def this_step(page: Page, words: str | re.Pattern[str]) -> None:
    """Wait until the text about the current step contains these words."""
    expect(page.get_by_role("group", name="This step")).to_contain_text(words)


def place(page: Page, words: str) -> None:
    """Wait for a place in the list of steps."""
    expect(page.locator(".understand-place:visible")).to_have_text(words)


def open_sample(page: Page, mode: str, label: str) -> None:
    """Choose one of the offered boards."""
    page.get_by_label("Mode").get_by_label(mode, exact=True).check()
    page.get_by_role("button", name=label).click()


def test_the_steps_of_an_explanation_are_followed_by_keyboard_to_the_end(pages: Pages) -> None:
    page = pages.open()
    page.keyboard.press("Shift+Digit2")
    page.get_by_role("button", name="One cell needs a “what if”").press("Enter")
    place(page, "1 / 17")
    keep_picture(page, "understand-first-step")
    for number in range(2, 18):
        page.keyboard.press("n")
        place(page, f"{number} / 17")
    page.keyboard.press("n")
    place(page, "end")
    this_step(page, "done")
    expect(board_of(page).locator("[aria-label$='hidden']")).to_have_count(0)
    keep_picture(page, "understand-last-step")


def test_a_step_on_a_large_board_is_shown_enlarged_and_the_whole_board_fits(pages: Pages) -> None:
    page = pages.open(f"#understand?b=300x10~{'z' * 115}e0d")
    this_step(page, "The 0 at r300c6")
    expect(page.locator(".board.overflows:visible")).to_have_count(1)
    page.get_by_role("button", name="Fit the board").click()
    expect(page.locator(".board.overflows:visible")).to_have_count(0)


def test_explain_this_board_explains_also_after_an_algorithm_was_watched(pages: Pages) -> None:
    page = pages.open(f"{SMALL}&mode=watch")
    expect(page.get_by_role("form", name="Engine to watch")).to_be_visible()
    page.get_by_role("button", name="Edit in Analyse").click()
    page.get_by_role("button", name="Explain this board").click()
    expect(page.get_by_label("Mode").get_by_label("Why", exact=True)).to_be_checked()
    place(page, "1 / 4")


def test_on_a_phone_the_sentence_of_a_step_is_in_sight_beside_the_board(pages: Pages) -> None:
    page = pages.open()
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("Shift+Digit2")
    page.get_by_role("button", name="9×9 with undecided cells").click()
    page.keyboard.press("n")
    sentence = page.locator(".understand-now:visible")
    expect(sentence).to_contain_text("gem")
    box, bar = sentence.bounding_box(), page.get_by_role("navigation").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] <= bar["y"]
    keep_picture(page, "understand-phone-step")


def test_a_chosen_cell_is_explained_and_so_is_its_opposite(pages: Pages) -> None:
    page = pages.open(SMALL)
    place(page, "1 / 4")
    click_cell(page, "r1c2")
    expect(page.get_by_role("heading", name="Why is r1c2 a trap?")).to_be_visible()
    this_step(page, "r1c1")
    page.get_by_role("button", name="What if it were a gem?").click()
    expect(page.get_by_role("heading", name="What if r1c2 were a gem?")).to_be_visible()
    place(page, "1 / 2")
    this_step(page, "assumption")
    page.keyboard.press("End")
    place(page, "2 / 2")
    this_step(page, "conflict")
    expect(cell_of(page, "r1c1")).to_have_attribute("aria-label", re.compile("in conflict"))
    keep_picture(page, "understand-opposite")
    page.keyboard.press("Escape")
    place(page, "1 / 4")


def test_a_contradictory_board_is_followed_to_the_clue_that_cannot_hold(pages: Pages) -> None:
    page = pages.open(NO_SOLUTION)
    expect(page.locator(".understand-list .badge")).to_have_text("no solution")
    page.keyboard.press("End")
    this_step(page, "cannot hold")
    expect(cell_of(page, "r3c1")).to_have_attribute("aria-label", re.compile("in conflict"))
    keep_picture(page, "understand-no-solution")


def test_the_clauses_of_a_clue_are_listed(pages: Pages) -> None:
    page = pages.open(SMALL)
    place(page, "1 / 4")
    click_cell(page, "r1c1")
    clauses = page.get_by_role("region", name="Clauses of the clue")
    expect(clauses).to_contain_text("The clue 3 at r1c1")
    expect(clauses).to_contain_text("C(3, 4) + C(3, 1) = 0 + 3 = 3 clauses")
    expect(clauses).to_contain_text("At least 3: each cell is a trap")
    expect(clauses.get_by_role("listitem")).to_have_text(["r1c2=T", "r2c1=T", "r2c2=T"])
    expect(cell_of(page, "r2c2")).to_have_attribute("aria-label", re.compile("outlined"))
    keep_picture(page, "understand-clauses")
    click_cell(page, "r1c3")
    expect(clauses.get_by_role("listitem").first).to_have_text("r1c2=G or r1c4=G or r2c2=G")
    page.get_by_label("Mode").get_by_label("Watch", exact=True).check()
    expect(clauses).to_be_hidden()


def test_the_board_of_analyse_is_offered(pages: Pages) -> None:
    page = pages.open("#analyse?b=3x4~3a2c2b31a")
    expect(page.locator(".analyse-sentence")).to_be_visible()
    page.keyboard.press("Shift+Digit2")
    page.get_by_role("button", name="Use the board from Analyse").click()
    place(page, "1 / 4")


def test_cdcl_is_watched_up_to_a_conflict_and_its_graph_is_drawn(pages: Pages) -> None:
    page = pages.open("#understand")
    open_sample(page, "Watch", "CDCL learns")
    this_step(page, "imply r5c8=T, by the clue 2 at r5c9")
    page.get_by_label("conflicts", exact=True).check()
    page.keyboard.press("Shift+ArrowRight")
    place(page, "37 / 220")
    this_step(page, "False clause")
    expect(page.get_by_role("button", name="Implication graph")).to_be_visible()
    page.keyboard.press("n")
    this_step(page, "learn")
    keep_picture(page, "understand-learned")
    page.keyboard.press("Shift+G")
    dialog = page.get_by_role("dialog", name="Implication graph of conflict 1")
    picture = dialog.get_by_role("img")
    expect(picture).to_be_visible()
    expect(dialog).to_contain_text("the yellow literal (the first unique implication point)")
    page.wait_for_function("picture => picture.naturalWidth > 0", arg=picture.element_handle())
    keep_picture(page, "understand-graph")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    this_step(page, "solved: every clue holds")


def test_generations_of_the_genetic_algorithm_are_watched(pages: Pages) -> None:
    page = pages.open("#understand")
    open_sample(page, "Watch", "A genetic algorithm")
    expect(page.get_by_role("img", name="Clauses that hold, per generation")).to_be_visible()
    this_step(page, "generation 0")
    page.keyboard.press("End")
    this_step(page, re.compile("solved|gave up"))
    keep_picture(page, "understand-genetic")


def test_attempts_and_flips_fill_the_board_and_cross_out_wrong_clues(pages: Pages) -> None:
    page = pages.open("#understand?b=2x3~c121&mode=watch&e=brute-force&s=2")
    this_step(page, "attempt 2: r1c1 is a trap; the clue 2 at r2c2 does not hold")
    expect(cell_of(page, "r2c2")).to_have_attribute("aria-label", re.compile("in conflict"))
    expect_cell(page, "r1c1", "hidden, now a trap")
    keep_picture(page, "understand-brute-force")
    page.get_by_role("combobox", name="Engine").select_option(label="Local search")
    this_step(page, "start at random")
    page.keyboard.press("End")
    this_step(page, "solved: every clue holds")
    expect_cell(page, "r1c2", "hidden, shown as a gem")


def test_the_step_in_the_address_survives_reload_and_goes_to_other_tabs(pages: Pages) -> None:
    page = pages.open(SMALL)
    place(page, "1 / 4")
    page.keyboard.press("n")
    page.wait_for_url("**s=2*")
    page.reload()
    place(page, "2 / 4")
    page.get_by_role("button", name="Edit in Analyse").click()
    expect(page.locator(".analyse-sentence")).to_have_text("This board has exactly one solution.")
    expect_cell(page, "r1c2", "hidden, shown as a trap")
