"""The tab Play in a browser: games by mouse, keyboard and touch, hints, risks, agents and reviews."""

import json
import re
from typing import Literal
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from browser_pages import (
    DESKTOP,
    Pages,
    board_of,
    cell_of,
    click_cell,
    expect_cell,
    expect_rows,
    is_soon,
    keep_picture,
    place_of,
    rows_of,
)
from web_server import WebServer

NO_GUESS = "9x9n10#3:no-guess"
"""A Beginner game that the agent `logic` wins in 20 moves."""
RISKY = "5x6n5#3"
FIRST_MOVE = "r1c1"

LAPTOP = ViewportSize(width=1024, height=600)
"""A window in which large boards overflow their frame."""

Button = Literal["left", "right"]


IS_UNCOVERED = """element => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const surface = element.closest("[role=grid]") ?? element;
    const isUncovered = ([x, y]) => surface.contains(document.elementFromPoint(x, y));
    return [[left + 1, top + 1], [right - 1, bottom - 1]].every(isUncovered);
}"""
"""Whether two corners of an element, or of a cell on its board, are on the screen and uncovered."""

IS_IN_SIGHT = """cell => {
    const [inner, outer] = [cell, cell.closest("[role=grid]")].map(each => each.getBoundingClientRect());
    return inner.right <= outer.right && inner.bottom <= outer.bottom;
}"""


def route_of(game: str, **parameters: str) -> str:
    """The address of a game."""
    rest = "".join(f"&{name}={quote(value)}" for name, value in parameters.items())
    return f"#play?id={quote(game)}{rest}"


def winning_moves(server: WebServer, game: str) -> list[tuple[str, str]]:
    """All moves of an agent that wins without a guess, as actions and cells."""
    watched = server.ask("play/watch", id=game, agent="logic")
    assert watched["end"]["status"] == "won"
    return [(move.split()[0], move.split()[1]) for turn in watched["moves"] for move in turn]


def ends(page: Page, words: str | re.Pattern[str]) -> None:
    """Wait until the game has ended with these words."""
    expect(page.locator(".play-ending-line")).to_contain_text(words)


def says(page: Page, words: str | re.Pattern[str]) -> None:
    """Wait for a message beside the board."""
    expect(page.locator(".play-say:visible")).to_contain_text(words)


def from_cell_to_cell(page: Page, start: str, end: str) -> None:
    """Move the cursor of the board by arrow keys."""
    (row, col), (to_row, to_col) = (map(int, name[1:].split("c")) for name in (start, end))
    for distance, forth, back in (
        (to_row - row, "ArrowDown", "ArrowUp"),
        (to_col - col, "ArrowRight", "ArrowLeft"),
    ):
        for _ in range(abs(distance)):
            page.keyboard.press(forth if distance > 0 else back)


def test_a_beginner_game_is_won_by_mouse_from_the_start_page_on(pages: Pages, server: WebServer) -> None:
    page = pages.open()
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_label("Kind of game").get_by_label("No guess").check()
    keep_picture(page, "play-start")
    page.get_by_role("button", name="Beginner 9×9, 10 traps").click()
    expect(board_of(page)).to_have_attribute("aria-rowcount", "9")
    page.wait_for_url("**/#play?id=9x9n10%23*%3Ano-guess")
    game = unquote(page.url.partition("id=")[2])
    expect(page.locator(".play-rule:visible")).to_have_attribute("title", game)
    for action, cell in winning_moves(server, game):
        click_cell(page, cell, is_flag=action == "flag")
        expect(cell_of(page, cell)).to_have_attribute(
            "aria-label", re.compile("flag" if action == "flag" else "clue")
        )
    ends(page, re.compile(r"Won in \d+\.\d s"))
    expect(page.get_by_label("traps left")).to_have_text("0")
    keep_picture(page, "play-won")


def test_a_game_is_won_by_keyboard_alone(pages: Pages, server: WebServer) -> None:
    page = pages.open(route_of(NO_GUESS))
    expect(board_of(page)).to_be_focused()
    before = "r1c1"
    for action, cell in winning_moves(server, NO_GUESS):
        from_cell_to_cell(page, before, cell)
        page.keyboard.press("f" if action == "flag" else "Enter")
        before = cell
    ends(page, "Won in")
    page.keyboard.press("v")
    expect(page.locator(".play-title:visible strong")).to_have_text("Review, Beginner")


def press_long(page: Page, name: str) -> None:
    """Keep a finger on a cell until it has a flag."""
    x, y = place_of(page, name)
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(cell_of(page, name)).to_have_attribute("aria-label", re.compile("flag"))
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def test_a_game_is_won_by_touch_with_flags_by_long_press(pages: Pages, server: WebServer) -> None:
    page = pages.open(route_of(NO_GUESS), is_phone=True)
    moves = winning_moves(server, NO_GUESS)
    flagged = [cell for action, cell in moves if action == "flag"][:2]
    for cell in (cell for action, cell in moves if action == "reveal"):
        page.touchscreen.tap(*place_of(page, cell))
        expect(cell_of(page, cell)).to_have_attribute("aria-label", re.compile("clue"))
        if flagged:
            press_long(page, flagged[-1])
            expect_cell(page, flagged.pop(), "flag")
    ends(page, "Won in")
    keep_picture(page, "play-won-by-touch")


def test_a_game_opened_again_on_a_phone_or_tablet_starts_at_its_last_move(pages: Pages) -> None:
    page = pages.open(route_of("16x30n99#42", m="rdb."), is_phone=True)
    for width, height in ((390, 844), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(cell_of(page, "r16c30")).to_have_attribute("aria-label", re.compile("clue"))
        last = cell_of(page, "r16c30").element_handle()
        page.wait_for_function(IS_IN_SIGHT, arg=last)
        assert cell_of(page, "r16c30").evaluate("cell => cell.getBoundingClientRect().width") >= 34


def traps_of(server: WebServer, game: str, *moves: str) -> set[str]:
    """The traps of a game: an agent that plays it to the end finds them."""
    rows = server.ask("play/watch", id=game, moves=list(moves), agent="fast")["end"]["truth"]
    return {f"r{r}c{c}" for r, line in enumerate(rows, 1) for c, sign in enumerate(line, 1) if sign == "*"}


@pytest.mark.parametrize(
    ("game", "window"),
    [pytest.param("9x9n20#7", DESKTOP, id="fits"), pytest.param("24x30n150#42", LAPTOP, id="overflows")],
)
def test_clicks_of_both_buttons_that_overlap_all_count(
    pages: Pages, server: WebServer, game: str, window: ViewportSize
) -> None:
    page = pages.open()
    page.set_viewport_size(window)
    page.goto(f"{pages.address}{route_of(game, m='r0.')}")
    expect(cell_of(page, FIRST_MOVE)).to_have_attribute("aria-label", re.compile("clue"))
    expect(page.locator(".board.play.overflows")).to_have_count(int(window == LAPTOP))
    # Cells that no window hides.
    hidden = [
        f"r{row}c{col}"
        for row, line in enumerate(rows_of(page)[:9], 1)
        for col, sign in enumerate(line[:9], 1)
        if sign == "_"
    ]
    traps = traps_of(server, game, f"reveal {FIRST_MOVE}")
    gems = [cell for cell in hidden if cell not in traps]
    pairs = list(zip(gems[:8], [cell for cell in hidden if cell in traps], strict=False))
    assert len(pairs) == 8
    clicks: list[tuple[str, Button]] = []
    for gem, trap in pairs:
        clicks += [(gem, "left"), (trap, "right")]
    held: Button | None = None
    for cell, button in clicks:
        page.mouse.move(*place_of(page, cell))
        page.mouse.down(button=button)
        if held:
            page.mouse.up(button=held)
        held = button
    page.mouse.up(button="right")
    for gem, trap in pairs:
        expect(cell_of(page, gem)).to_have_attribute("aria-label", re.compile("clue"))
        expect_cell(page, trap, "flag")


def test_clicks_count_while_a_button_pressed_beside_the_board_is_held(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, m="rk."))
    expect_cell(page, "r3c3", "clue 0")
    held_and_clicked: list[tuple[Button, Button]] = [("right", "left"), ("left", "right")]
    for held, button in held_and_clicked:
        box = page.locator(".board.play").bounding_box()
        assert box
        page.mouse.move(box["x"] - 5, box["y"] + box["height"] / 2)
        page.mouse.down(button=held)
        click_cell(page, "r4c9", is_flag=button == "right")
        expect_cell(page, "r4c9", "clue 2" if button == "left" else "flag")
        page.mouse.up(button=held)
        page.keyboard.press("u")
        expect_cell(page, "r4c9", "hidden")


def drag(page: Page, start: str, end: str | None) -> None:
    """Press the left button on a cell and release it on another, or beside the board."""
    page.mouse.move(*place_of(page, start))
    page.mouse.down()
    page.mouse.move(*(place_of(page, end) if end else (5, 5)))
    page.mouse.up()


def test_a_click_acts_where_the_button_is_released(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, m="rk."))
    expect_cell(page, "r3c3", "clue 0")
    before = rows_of(page)
    drag(page, "r3c6", None)
    expect_rows(page, before)
    drag(page, "r3c6", "r4c9")
    expect_cell(page, "r4c9", "clue 2")
    expect_cell(page, "r3c6", "hidden")


def test_on_a_board_larger_than_its_frame_the_wheel_pans_and_the_left_button_clicks(pages: Pages) -> None:
    page = pages.open()
    page.set_viewport_size(LAPTOP)
    page.goto(f"{pages.address}{route_of('24x30n150#42', m='r0.')}")
    expect(cell_of(page, FIRST_MOVE)).to_have_attribute("aria-label", re.compile("clue"))
    expect(page.locator(".board.play.overflows")).to_have_count(1)
    before = place_of(page, "r9c9")
    drag(page, "r9c8", "r9c9")
    expect(cell_of(page, "r9c9")).to_have_attribute("aria-label", re.compile("clue"))
    assert place_of(page, "r9c9") == before
    page.mouse.wheel(0, 60)
    assert is_soon(page, lambda: place_of(page, "r9c9") == (before[0], before[1] - 60))


def test_left_and_right_together_on_a_clue_chord(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, m="rk.f1."))
    expect_cell(page, "r1c2", "flag")
    page.mouse.move(*place_of(page, "r2c2"))
    orders: list[tuple[Button, Button]] = [("right", "left"), ("left", "right")]
    for buttons in orders:
        for button in buttons:
            page.mouse.down(button=button)
        for button in buttons:
            page.mouse.up(button=button)
        expect_cell(page, "r1c1", "clue 1")
        page.keyboard.press("u")
        expect_cell(page, "r1c1", "hidden")


def lose(page: Page, server: WebServer) -> str:
    """Reveal the first cell and then a trap; return the trap's name."""
    click_cell(page, FIRST_MOVE)
    expect(cell_of(page, FIRST_MOVE)).to_have_attribute("aria-label", re.compile("clue"))
    trap = min(traps_of(server, RISKY, f"reveal {FIRST_MOVE}"))
    click_cell(page, trap)
    return trap


def test_a_loss_is_judged_reviewed_and_taken_back(pages: Pages, server: WebServer) -> None:
    page = pages.open(route_of(RISKY))
    trap = lose(page, server)
    ends(page, f"Lost at {trap}")
    expect_cell(page, trap, "trap, exploded")
    expect(page.locator(".play-verdict")).to_contain_text(trap)
    keep_picture(page, "play-lost")
    page.locator(".play-ending").get_by_role("button", name="Review").click()
    expect(page.locator(".play-move")).to_have_count(1)
    expect(page.locator(".play-move")).to_contain_text(f"reveal {trap}")
    says(page, f"Move 2: reveal {trap}")
    expect(page.get_by_text("Still looking at the risky moves…")).to_have_count(0)
    keep_picture(page, "play-review")
    page.go_back()
    page.keyboard.press("u")
    expect_cell(page, trap, "hidden")
    says(page, "Undone")


def test_a_restarted_game_is_brought_back_by_undo(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS))
    click_cell(page, "r3c3")
    expect_cell(page, "r3c3", "clue 0")
    click_cell(page, "r1c1", is_flag=True)
    expect_cell(page, "r1c1", "flag")
    before = rows_of(page)
    blank = ["_" * 9] * 9
    for key in ("r", "Control+z"), ("r", "u"):
        page.keyboard.press(key[0])
        says(page, "Undo restores your moves")
        expect_rows(page, blank)
        page.keyboard.press(key[1])
        expect_cell(page, "r1c1", "flag")
        expect_rows(page, before)
    page.keyboard.press("r")
    expect_rows(page, blank)
    click_cell(page, "r9c9", is_flag=True)
    expect_cell(page, "r9c9", "flag")
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect_cell(page, "r1c1", "flag")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    # The browser's own way back leads there too.
    page.keyboard.press("r")
    says(page, "Undo restores your moves")
    page.go_back()
    expect_cell(page, "r1c1", "flag")
    expect_rows(page, before)


def test_a_hint_says_more_each_time(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, m="rk."))
    rungs = page.locator(".play-rungs")
    for rung in range(1, 5):
        expect(page.get_by_role("button", name="Hint")).to_be_enabled()
        page.keyboard.press("i")
        expect(rungs).to_have_attribute("aria-label", re.compile(f"^hint {rung} of 5"))
    keep_picture(page, "play-hint")
    expect(board_of(page).locator("[aria-label*=', now a ']").first).to_be_attached()


def test_a_flag_on_a_gem_is_removed_by_the_last_hint(pages: Pages) -> None:
    page = pages.open(route_of("9x9n10#23313694472:opening", m="r0."))
    expect_cell(page, "r1c1", "clue 0")
    click_cell(page, "r5c8", is_flag=True)
    expect_cell(page, "r5c8", "flag")
    before = rows_of(page)
    click_cell(page, "r5c9", is_flag=True)
    expect_cell(page, "r5c9", "flag")
    for rung in range(1, 5):
        expect(page.get_by_role("button", name="Hint")).to_be_enabled()
        page.keyboard.press("i")
        expect(page.locator(".play-rungs")).to_have_attribute("aria-label", re.compile(f"^hint {rung} of 5"))
    says(page, "Press Hint again to remove the wrong flag")
    page.keyboard.press("i")
    says(page, "Removed the flag from r5c9")
    expect_rows(page, before)


def test_every_unfinished_game_is_kept_and_can_be_told_from_the_others(pages: Pages) -> None:
    page = pages.open()
    games = [f"9x9n10#{seed}:no-guess" for seed in range(1, 7)] + ["16x30n99#7"]
    for game in games:
        page.goto(f"{pages.address}{route_of(game, m='rk.')}")
        expect(page.locator(".play-rule:visible")).to_have_attribute("title", game)
        expect(board_of(page).locator("[aria-label*='clue']").first).to_be_attached()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Analyse this position").click()
    page.goto(f"{pages.address}{route_of(games[0], v='watch', a='logic')}")
    says(page, re.compile("Turn [0-4]"))
    page.goto(f"{pages.address}#play")
    expect(page.get_by_role("button", name="Continue your game: Expert")).to_be_visible()
    page.get_by_role("button", name="Show 1 more").click()
    kept = page.get_by_title("Continue this game")
    expect(kept).to_have_count(len(games))
    expect(kept.first).to_contain_text(re.compile(r"Expert.*% opened.*seed 7.*with an analysis"))
    expect(kept.last).to_contain_text(re.compile(r"Beginner.*% opened.*No guess · seed 1, with an agent"))
    keep_picture(page, "play-unfinished")
    kept.last.click()
    expect(page.locator(".play-rule:visible")).to_have_attribute("title", games[0])


def test_a_daily_board_that_an_agent_has_won_does_not_count_as_won(pages: Pages) -> None:
    page = pages.open()
    page.evaluate("""async () => {
        const { src } = document.querySelector("script[type=module]");
        const load = name => import(new URL(`./play/${name}.js`, src));
        const [{ keepGame }, { dailyId }] = [await load("archive"), await load("games")];
        const won = { moves: "", status: "won", seconds: 8, date: 0 };
        keepGame({ ...won, key: 1, id: dailyId("9x9n10"), aids: ["an agent"] });
        keepGame({ ...won, key: 2, id: dailyId("16x30n99"), aids: ["hints"] });
    }""")
    page.goto(f"{pages.address}#play")
    daily = page.get_by_role("region", name="Daily board").get_by_role("button")
    expect(daily).to_have_text(["Beginner", "Expert, won in 8.0 s, with hints"])


def expect_evidence(page: Page) -> set[str]:
    """The cells that the message names are on the screen, and so is what it says about them."""
    said = page.locator(".play-hint:visible > p").first
    named = set(re.findall(r"r\d+c\d+", said.inner_text()))
    parts = (said, *(cell_of(page, name) for name in named))
    assert is_soon(page, lambda: all(part.evaluate(IS_UNCOVERED) for part in parts))
    return named


def test_on_a_phone_hints_and_reviews_are_read_beside_the_cells_that_they_name(pages: Pages) -> None:
    page = pages.open(route_of("16x30n99#42:no-guess", m="rdb."), is_phone=True)
    rungs = page.locator(".play-rungs")
    for rung in range(1, 5):
        page.get_by_role("button", name="Hint").tap()
        expect(rungs).to_have_attribute("aria-label", re.compile(f"^hint {rung} of 5"))
    assert len(expect_evidence(page)) >= 2
    page.goto(f"{pages.address}{route_of('16x16n40#3', m='r0.r73.', v='review')}")
    says(page, "Move 2: reveal r16c16")
    assert len(expect_evidence(page)) >= 2
    page.locator(".play-move").scroll_into_view_if_needed()
    page.locator(".play-move").tap()
    expect_evidence(page)
    keep_picture(page, "play-phone-review")


def hurry(route: Route) -> None:
    """Let the server think for a moment instead of five seconds."""
    body = json.loads(route.request.post_data or "")
    route.continue_(post_data={**body, "think": body["think"] and 0.01})


def test_a_guess_is_compared_with_others_when_hint_is_pressed_again(pages: Pages) -> None:
    page = pages.open(route_of("8x8n12#5"))
    page.route("**/play/hint", hurry)
    click_cell(page, FIRST_MOVE)
    expect_cell(page, FIRST_MOVE, "clue 1")
    page.keyboard.press("i")
    says(page, "Press Hint again to compare it with other guesses")
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    page.keyboard.press("i")
    says(page, re.compile(r"wins .* points more often than .* boards"))
    keep_picture(page, "play-guess")


def test_a_guess_is_compared_with_that_of_expert_in_a_review(pages: Pages) -> None:
    page = pages.open(route_of("3x4n4#3", m="r0.r1.", v="review"))
    says(page, "Move 2: reveal r1c2")
    says(page, "r1c4 wins 25.0 points more often than r1c2")
    keep_picture(page, "play-guess-review")


def test_risks_are_shown_on_the_cells(pages: Pages) -> None:
    page = pages.open(route_of(RISKY, m="r0."))
    page.get_by_role("button", name="Risks").click()
    expect(board_of(page).locator("[aria-label*='risk']").first).to_be_attached()
    expect(page.locator(".play-risks")).to_contain_text("Risks")
    keep_picture(page, "play-risks")


def test_an_agent_takes_a_turn_in_the_game_and_undo_takes_it_back(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS))
    who = page.get_by_label("Who plays")
    who.select_option("logic")
    expect(who).to_have_accessible_description(re.compile(r"^[A-Z].*\.$"))
    page.get_by_role("button", name="One turn").click()
    says(page, "Logic reveals")
    expect(board_of(page).locator("[aria-label*='clue']").first).to_be_attached()
    page.get_by_role("button", name="Undo").click()
    expect(board_of(page).locator("[aria-label*='clue']")).to_have_count(0)


def go_fast(page: Page) -> None:
    """Choose the fastest pace."""
    faster = page.get_by_role("button", name="Faster").locator("visible=true")
    for seconds in (0.25, 0.1, 0.03):
        faster.click()
        expect(page.locator(".play-pace:visible")).to_contain_text(f"{seconds} s per")
    expect(faster).to_be_disabled()


def test_an_agent_is_watched_to_the_end_of_its_game(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, v="watch", a="logic"))
    go_fast(page)
    says(page, "The game is won, with no guess.")
    page.keyboard.press("ArrowLeft")
    says(page, "Turn 3")
    page.keyboard.press("End")
    says(page, "Turn 4")
    keep_picture(page, "play-watched")


def test_the_link_to_a_replay_shows_the_same_game_elsewhere(pages: Pages, server: WebServer) -> None:
    page = pages.open(route_of(NO_GUESS, v="watch", a="logic"))
    says(page, re.compile("Turn [0-4]"))
    page.keyboard.press("End")
    says(page, "The game is won")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Step through all moves").click()
    expect(page.locator(".play-title:visible strong")).to_have_text("Replay, Beginner")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator("#toasts")).to_contain_text("Link to this game copied")
    link: str = page.evaluate("navigator.clipboard.readText()")
    other = pages.open(link.removeprefix(server.address))
    says(other, "Before the first move.")
    other.keyboard.press("End")
    says(other, "The game is won.")
    page.keyboard.press("End")
    says(page, "The game is won.")
    expect_rows(other, rows_of(page))
    keep_picture(other, "play-replay")


def test_agents_race_from_the_same_opening_and_share_places(pages: Pages) -> None:
    page = pages.open(route_of(NO_GUESS, v="race", a="logic,fast"))
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_enabled()
    lanes = page.locator(".play-lane")
    expect(lanes.locator(".play-lane-line")).to_have_text(["Ready.", "Ready."])
    expect(lanes.locator("[aria-label*='clue']")).to_have_count(0)
    go_fast(page)
    start.click()
    expect(page.locator(".play-ending-line")).to_contain_text("Logic and fast share first place")
    places = page.get_by_role("region", name="Results").get_by_role("cell", name="1", exact=True)
    expect(places).to_have_count(2)
    keep_picture(page, "play-race")


@pytest.mark.parametrize("wrong", ["nonsense", "9x9n10"])
def test_a_link_without_a_game_is_refused_in_one_line(pages: Pages, wrong: str) -> None:
    page = pages.open(route_of(wrong))
    expect(page.get_by_role("alert")).to_contain_text(f"{wrong} is not a game")
    page.get_by_role("button", name="To the start page").click()
    expect(page.get_by_role("heading", name="Minesweeper")).to_be_visible()


def test_a_board_is_filled_in_to_the_end(pages: Pages) -> None:
    page = pages.open("#play")
    page.get_by_role("button", name="3×4", exact=True).click()
    traps, gems = ("r1c2", "r2c1", "r2c2", "r3c1"), ("r1c4", "r2c4")
    for cell in traps:
        click_cell(page, cell, is_flag=True)
    for cell in gems:
        click_cell(page, cell)
    expect_cell(page, "r1c2", "hidden, shown as a trap")
    expect(page.locator(".play-title:visible strong")).to_have_text("6 of 7 cells")
    keep_picture(page, "play-fill-in")
    click_cell(page, "r3c4")
    says(page, "Solved in 0:")


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("1x3~a1a", "no cell is certain: the board has several solutions"),
        ("1x3~a5a", "this board has no solution, whatever you mark"),
        ("1x3~T1G", "no hint: everything is decided"),
    ],
)
def test_without_a_hint_the_board_to_fill_in_says_why(pages: Pages, board: str, words: str) -> None:
    page = pages.open(f"#play?b={board}")
    expect(board_of(page)).to_be_focused()
    page.get_by_role("button", name="Hint").click()
    says(page, re.compile(words, re.IGNORECASE))


def test_wrong_marks_are_found_and_taken_back(pages: Pages) -> None:
    page = pages.open("#play?b=3x4~3a2c2b31a")
    expect(board_of(page)).to_be_focused()
    from_cell_to_cell(page, "r1c2", "r1c4")
    page.keyboard.press("t")
    page.keyboard.press("v")
    says(page, "r1c4 must be the opposite")
    expect_cell(page, "r1c4", "hidden, shown as a trap, outlined")
    keep_picture(page, "play-fill-in-wrong")
    page.keyboard.press("u")
    expect_cell(page, "r1c4", "hidden")
    from_cell_to_cell(page, "r1c4", "r1c2")
    hint = page.locator(".play-hint:visible")
    for rung in range(1, 5):
        page.keyboard.press("i")
        expect(hint.get_by_role("img")).to_have_accessible_name(re.compile(f"hint {rung} of 4"))
    # Each press after the conclusion leads to a cell that is still to be marked, also after marking one.
    promise = hint.locator("small")
    for cell in ("r1c2", "r2c1"):
        expect_cell(page, cell, "hidden, now a trap")
        expect(promise).to_have_text("Press Hint again for the next cell")
        page.keyboard.press("t")
        expect_cell(page, cell, "hidden, shown as a trap")
        page.keyboard.press("i")
    expect(promise).to_have_text("Mark r2c2 as a trap")
    page.keyboard.press("i")
    expect(promise).to_have_text("Mark r2c2 as a trap")
    page.keyboard.press("t")
    expect_cell(page, "r2c2", "hidden, shown as a trap")
    expect(hint).to_have_count(0)
    page.keyboard.press("i")
    expect(hint.get_by_role("img")).to_have_accessible_name(re.compile("hint 1 of 4"))
