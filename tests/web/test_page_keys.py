"""The keys of the page: each has one meaning in all tabs, and the help lists those that work there."""

from collections import defaultdict

from playwright.sync_api import Page, expect

from browser_pages import Pages

BOARD = "b=3x4~3a2c2b31a"
GAME = "id=9x9n10%233%3Ano-guess"
PLACES = {
    "analyse": (f"#analyse?{BOARD}", ".analyse-sentence"),
    "why": (f"#understand?{BOARD}", ".understand-sentence"),
    "watch": (f"#understand?{BOARD}&mode=watch&e=cdcl", ".understand-sentence"),
    "start": ("#play", ".play-levels"),
    "game": (f"#play?{GAME}&m=rk.", ".play-say p"),
    "fill in": (f"#play?{BOARD}", ".play-say p"),
    "replay": (f"#play?{GAME}&m=rk.&v=replay", ".play-say p"),
    "review": (f"#play?{GAME}&m=rk.&v=review", ".play-say p"),
    "race": (f"#play?{GAME}&v=race&a=logic&me=1", ".play-lane"),
    "make": ("#make", ".make-form"),
}
LISTED = """sections => sections.flatMap(section => [...section.querySelectorAll("dl > div")].map(row => ({
    title: section.querySelector("h3").textContent,
    keys: [...row.querySelectorAll("kbd")].map(key => key.textContent),
    text: row.querySelector("dd").textContent,
})))"""


def go_to(page: Page, place: str) -> None:
    """Show a place by its address without loading the page again."""
    route, sign = PLACES[place]
    page.evaluate("hash => (location.hash = hash)", route)
    expect(page.locator(sign).locator("visible=true").first).to_be_visible()


def test_a_key_means_the_same_in_every_tab_or_nothing(pages: Pages) -> None:
    page = pages.open()
    meanings: dict[tuple[bool, str], set[str]] = defaultdict(set)
    letters: dict[str, set[bool]] = defaultdict(set)
    offered: dict[str, set[str]] = {}
    for place in PLACES:
        go_to(page, place)
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Help")
        expect(dialog).to_be_visible()
        rows = dialog.locator("section").evaluate_all(LISTED)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        offered[place] = {key for row in rows for key in row["keys"]}
        for row in rows:
            on_board = row["title"] == "On a board"
            for key in row["keys"]:
                meanings[on_board, key].add(row["text"])
                # Arrows, Home, End, Enter and Space belong to the board while it has the focus.
                if len(key) == 1 and key.isascii():
                    letters[key].add(on_board)
    assert {key: texts for key, texts in meanings.items() if len(texts) > 1} == {}
    assert {key for key, places in letters.items() if len(places) > 1} == set()
    # The help lists what works in this place, not what works in another view of the tab.
    assert {place for place, keys in offered.items() if "c" in keys} == {"game", "race"}
    assert {place for place, keys in offered.items() if "p" in keys} == {"analyse", "game"}
    assert {place for place, keys in offered.items() if "r" in keys} == {"game", "fill in"}
