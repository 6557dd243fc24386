"""The tab Make in a browser: puzzles are generated, opened in Play, and printed."""

from playwright.sync_api import expect

from browser_pages import Pages, board_of, keep_picture


def test_a_puzzle_is_made_and_opened_in_play(pages: Pages) -> None:
    page = pages.open("#make")
    expect(page.get_by_role("button", name="An easy 6×6")).to_be_visible()
    keep_picture(page, "make-start")
    page.get_by_role("button", name="An easy 6×6").click()
    card = page.locator(".make-card")
    expect(card).to_have_count(1)
    expect(card.locator(".badge")).to_have_text("easy")
    expect(page.locator(".make-head .badge")).to_have_text("finished")
    keep_picture(page, "make-puzzle")
    card.get_by_role("button", name="Play").click()
    expect(board_of(page)).to_have_attribute("aria-label", "Board to fill in")
    expect(board_of(page)).to_have_attribute("aria-rowcount", "6")


def test_a_sheet_of_puzzles_is_printed_with_solutions(pages: Pages) -> None:
    page = pages.open("#make?rows=4&cols=5&count=3&seed=5")
    expect(page.locator(".make-head .badge")).to_have_text("finished")
    expect(page.locator(".make-card")).to_have_count(3)
    # No level of headings is left out.
    expect(page.get_by_role("heading", level=2).filter(has_text="Puzzle")).to_have_count(3)
    page.get_by_role("button", name="Print").click()
    sheets = page.locator(".make-paper")
    expect(sheets).to_have_count(2)
    page.wait_for_function("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    keep_picture(page, "make-sheet")
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 2
    with page.expect_download() as saved:
        page.get_by_role("button", name="PDF").click()
    assert saved.value.path().read_bytes().startswith(b"%PDF")
    page.keyboard.press("Escape")
    expect(page.locator(".make-card")).to_have_count(3)


def test_a_link_to_the_print_view_makes_its_puzzles_elsewhere(pages: Pages) -> None:
    page = pages.open("#make?rows=4&cols=5&seed=5&view=print")
    expect(page.locator(".make-paper")).to_have_count(2)
    page.get_by_role("button", name="Back to the puzzles").click()
    expect(page.locator(".make-card")).to_have_count(1)


def test_only_puzzles_with_one_solution_have_a_difficulty(pages: Pages) -> None:
    page = pages.open("#make?rows=4&cols=5&difficulty=easy")
    expect(page.locator(".make-card .badge")).to_have_text("easy")
    page.get_by_text("More options").click()
    page.get_by_label("None", exact=True).check(force=True)
    expect(page.get_by_label("Easy")).to_be_disabled()
    expect(page.get_by_label("Hardest rule needed")).to_be_disabled()
    expect(page.get_by_text("These puzzles were made with other options.")).to_be_visible()
    page.get_by_role("button", name="Make", exact=True).click()
    expect(page.locator(".make-card .badge")).to_have_text("no solution")


def test_a_wish_that_cannot_be_met_is_refused_beside_its_field(pages: Pages) -> None:
    pages.expect_failure("api/v1/generate/puzzles")
    page = pages.open("#make?density=1")
    expect(page.locator(".make-field", has_text="Traps").get_by_role("alert")).to_be_visible()


def test_a_game_without_guesses_is_made_and_played(pages: Pages) -> None:
    page = pages.open("#make?kind=game")
    page.get_by_role("spinbutton", name="Seed").fill("4")
    page.get_by_role("button", name="Make the game").click()
    expect(page.get_by_role("heading", name="A game that needs no guess")).to_be_visible()
    keep_picture(page, "make-game")
    page.get_by_role("button", name="Play").click()
    expect(board_of(page)).to_have_attribute("aria-label", "Minesweeper board")


def test_what_the_server_refuses_is_shown_beside_the_field_to_correct(pages: Pages) -> None:
    page = pages.open("#make?density=1")
    field = page.locator(".make-field", has=page.get_by_label("Traps"))
    expect(field.locator(".make-fault")).to_contain_text("leaves none of the 81 cells for a clue")
    expect(page.locator(".make-fault:not(:empty)")).to_have_count(1)


STICKS_OUT = """cards => cards.flatMap(card => [...card.querySelectorAll("button")]
    .filter(button => button.getBoundingClientRect().right > card.getBoundingClientRect().right)
    .map(button => button.ariaLabel ?? button.textContent))"""


def test_on_a_narrow_screen_a_card_holds_its_buttons_and_a_seed_its_digits(pages: Pages) -> None:
    page = pages.open()
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{pages.address}#make?rows=4&cols=5&seed=999999")
    expect(page.locator(".make-card")).to_have_count(1)
    assert page.locator(".make-card").evaluate_all(STICKS_OUT) == []
    seed = page.get_by_role("spinbutton", name="Seed")
    assert seed.evaluate("field => field.scrollWidth <= field.clientWidth")
