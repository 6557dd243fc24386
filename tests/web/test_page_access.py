"""Accessibility: axe finds nothing, the keyboard reaches everything, and boards describe their cells."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from browser_pages import Pages, board_of, cell_of, keep_picture

BOARD = "b=3x4~3a2c2b31a"
GAME = "id=9x9n10%233%3Ano-guess&m=rk."

STATES: dict[str, tuple[str, str]] = {
    "analyse": (f"#analyse?{BOARD}", ".analyse-sentence"),
    "analyse-conflict": ("#analyse?b=3x3~1a1c5a1", ".analyse-sentence"),
    "understand-start": ("#understand", ".understand-empty"),
    "understand": (f"#understand?{BOARD}", ".understand-sentence"),
    "understand-watch": (f"#understand?{BOARD}&mode=watch&e=cdcl", ".understand-sentence"),
    "play-start": ("#play", ".play-levels"),
    "play-game": (f"#play?{GAME}", ".play-say p"),
    "play-fill-in": (f"#play?{BOARD}", ".play-say p"),
    "compare": ("#compare?s=3x4|5x5&e=cdcl|dpll", ".compare-board"),
    "make": ("#make", ".make-form"),
}
"""Routes, and an element that is visible once they are ready."""

FOCUSED = """() => {
    const element = document.activeElement;
    const ids = (element.getAttribute("aria-labelledby") ?? "").split(" ");
    const labels = [...ids.map(id => document.getElementById(id)), ...(element.labels ?? []), element];
    const texts = [element.ariaLabel, ...labels.map(label => label?.textContent)];
    const isDrawn = place => {
        if (!place) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(place);
        return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    };
    const shown = [element, element.nextElementSibling, element.closest("label"), element.closest(".board")];
    const isBody = element === document.body;
    if (!isBody) element.dataset.visited ??= String(document.querySelectorAll("[data-visited]").length);
    return {
        number: Number(element.dataset.visited),
        isBody,
        html: element.outerHTML.slice(0, 120),
        name: texts.map(text => (text ?? "").trim()).find(Boolean) ?? "",
        isSeen: shown.some(isDrawn),
    };
}"""

MISSED = """all => all.filter(each =>
    each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0
    && !(each.type === "radio" && !each.checked) && each.dataset.visited === undefined
).map(each => each.outerHTML.slice(0, 120))"""


def quick_and_full(*values: Any, quick: tuple[Any, ...]) -> list[Any]:
    """Values for a test that takes long with all of them; `./test` tries only the quick ones."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.full) for value in values]


def open_state(pages: Pages, state: str) -> Page:
    """A page that is ready in one of the states."""
    route, sign = STATES[state]
    page = pages.open(route)
    expect(page.locator(sign).first).to_be_visible()
    return page


def violations(page: Page) -> list[str]:
    """What axe reports about the page in both themes; only contrast depends on the theme."""
    lines: list[str] = []
    for theme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        report = Axe().run(page, options={"resultTypes": ["violations"], **rules}).response
        for violation in report["violations"]:
            places = "; ".join(node["html"][:160] for node in violation["nodes"][:4])
            lines.append(f"{theme}: {violation['id']}: {violation['help']}: {places}")
    return lines


@pytest.mark.parametrize("state", quick_and_full(*STATES, quick=("analyse", "play-game")))
def test_axe_finds_nothing_in_either_theme(pages: Pages, state: str) -> None:
    found = violations(open_state(pages, state))
    assert not found, "\n".join(found)


def open_text_dialog(page: Page) -> None:
    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def open_help(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("menu")).to_be_visible()


@pytest.mark.parametrize(
    "opened", quick_and_full(open_text_dialog, open_help, open_menu, quick=(open_text_dialog,))
)
def test_axe_finds_nothing_in_dialogs_and_menus(pages: Pages, opened: Callable[[Page], None]) -> None:
    page = open_state(pages, "analyse")
    opened(page)
    found = violations(page)
    assert not found, "\n".join(found)
    keep_picture(page, f"access-{opened.__name__.removeprefix('open_').replace('_', '-')}")


@pytest.mark.parametrize(
    "state",
    quick_and_full(
        "analyse", "understand-watch", "play-start", "play-game", "compare", "make", quick=("analyse",)
    ),
)
def test_the_tab_key_reaches_named_elements_and_shows_where_it_is(pages: Pages, state: str) -> None:
    page = open_state(pages, state)
    seen: list[dict[str, Any]] = []
    while True:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["isBody"]:  # between the last element and the first
            continue
        if focused["number"] < len(seen):
            break
        seen.append(focused)
    assert [each["html"] for each in seen if not each["name"] or not each["isSeen"]] == []
    reachable = "a[href], button, input, select, textarea, summary, [tabindex='0']"
    missed = page.locator(reachable).evaluate_all(MISSED)
    assert missed == []


def test_a_board_describes_its_cells_and_where_the_cursor_is(pages: Pages) -> None:
    page = open_state(pages, "analyse")
    board = board_of(page)
    expect(board).to_have_attribute("aria-rowcount", "3")
    expect(board).to_have_attribute("aria-colcount", "4")
    expect(cell_of(page, "r1c1")).to_have_attribute("aria-label", "row 1, column 1, clue 3")
    board.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    current = cell_of(page, "r2c2").get_attribute("id")
    expect(board).to_have_attribute("aria-activedescendant", current or "")
    expect(cell_of(page, "r2c2")).to_have_attribute("aria-label", "row 2, column 2, hidden, shown as a trap")


def test_the_link_at_the_top_skips_to_the_board(pages: Pages) -> None:
    page = open_state(pages, "analyse")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(board_of(page)).to_be_focused()
