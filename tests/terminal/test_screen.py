"""The game in the terminal: small and large screens, without colours, in ASCII."""

from textual.color import Color
from textual.strip import Strip

from gemhunter.board.grid import Cell
from gemhunter.play.game import new_game
from gemhunter.terminal.keys import BINDINGS
from places import DOCS
from table import Table, at_table, mines

SAFE_BESIDE_A_GUESS = new_game(mines("*..*..*.")).reveal(Cell(0, 1)).reveal(Cell(0, 5)).reveal(Cell(0, 7))
"""r1c5 cannot be a trap; of r1c1 and r1c3 one is."""


def test_expert_fits_into_80_columns_and_24_lines() -> None:
    async def script(table: Table) -> None:
        assert len(table.rows()) == 16
        assert all(row.count("■") == 30 for row in table.rows())
        assert table.app.board.max_scroll_x == table.app.board.max_scroll_y == 0
        while "q quit" not in (last := table.screen().splitlines()[-1]):
            await table.pilot.pause()
        assert all(f"{key} " in last for key in ("space", "f", "?", "p", "u", "a", "A", "n", "F1", "q"))

    at_table("expert#1", script, size=(80, 24))


def test_rows_and_columns_have_numbers_that_do_not_scroll() -> None:
    async def script(table: Table) -> None:
        table.go(15, 29)
        await table.pilot.pause()
        board = table.app.board
        above, left = board.margins
        lines = [board.render_line(y).text for y in range(board.size.height)]
        tens, units = lines[:above]
        at = lines[-2 if "16" not in lines[-1] else -1].index("[■]") + 1
        assert (tens[at], units[at]) == ("3", "0")
        rows = [int(line[:left]) for line in lines[above:] if line[:left].strip()]
        assert rows == list(range(rows[0], 17))
        assert board.cell_at(0, above) is None
        assert board.cell_at(left + 1, 0) is None

    at_table("expert#1", script, size=(40, 16))


def test_risks_of_an_expert_board_fit_80_columns() -> None:
    async def script(table: Table) -> None:
        board = table.app.board
        await table.press("space", "p")
        await table.pilot.pause()
        assert board.max_scroll_x == board.max_scroll_y == 0
        assert {sign for row in table.rows() for sign in row} & set("abcdefghij")
        await table.pilot.resize_terminal(120, 24)
        await table.pilot.pause()
        assert board.cell_width == 3
        assert board.max_scroll_x == 0

    at_table("expert#1:opening", script, size=(80, 24))


def test_a_long_sentence_is_wrapped_and_the_cursor_stays_in_sight() -> None:
    words = [f"r{number}c{number}" for number in range(1, 60)]

    async def script(table: Table) -> None:
        table.go(15, 29)
        table.app.say(" ".join(words))
        await table.pilot.pause()
        assert set(words) <= set(table.screen().split())
        assert "[■]" in "\n".join(table.rows())
        table.app.say("short")
        await table.pilot.pause()
        assert len(table.rows()) == 16

    at_table("expert#1", script, size=(80, 24))


def test_a_message_that_does_not_fit_is_scrolled_by_keys() -> None:
    async def script(table: Table) -> None:
        table.app.say(*[f"line-{number}" for number in range(30)])
        await table.pilot.pause()
        assert "line-0 " in table.screen()
        assert "line-29 " not in table.screen()
        await table.press(*["pagedown"] * 2)
        await table.pilot.pause()
        assert "line-29 " in table.screen()
        await table.press(*["pageup"] * 2)
        await table.pilot.pause()
        assert "line-0 " in table.screen()

    at_table("expert#1", script, size=(80, 24))


def test_a_small_screen_scrolls_so_that_the_cursor_stays_in_sight() -> None:
    async def script(table: Table) -> None:
        for row, col in [(15, 29), (0, 0), (0, 29), (15, 0)]:
            table.go(row, col)
            await table.pilot.pause()
            assert "[■]" in "\n".join(table.rows())
        await table.pilot.resize_terminal(80, 24)
        await table.pilot.resize_terminal(5, 3)
        await table.pilot.resize_terminal(30, 14)
        await table.pilot.pause()
        assert "[■]" in "\n".join(table.rows())
        board = table.app.board
        above, left = board.margins
        assert board.cell_at(left + 1, above) == Cell(board.scroll_offset.y, board.scroll_offset.x // 2)

    at_table("expert#1", script, size=(40, 16))


def test_a_huge_board_is_drawn_and_scrolled() -> None:
    async def script(table: Table) -> None:
        table.go(1999, 1999)
        await table.pilot.pause()
        assert "[■]" in table.rows()[-1] or "[■]" in table.rows()[-2]

    at_table("2000x2000n600000#1", script)


def test_without_colours_nothing_is_coloured_and_marks_are_signs() -> None:
    async def script(table: Table) -> None:
        table.go(0, 7)
        await table.press(*["question_mark"] * 4)
        assert table.rows() == [" ■ 1 ■ ■ ■ 1[T]1)"]
        assert colours(table) == {"default"}

    at_table(SAFE_BESIDE_A_GUESS, script, plain=True)


def test_with_colours_there_are_several() -> None:
    async def script(table: Table) -> None:
        assert len(colours(table)) > 5

    at_table(SAFE_BESIDE_A_GUESS, script)


def colours(table: Table) -> set[str]:
    """The names of all colours that reach the terminal."""
    strips = table.app.screen._compositor.render_strips()
    ground = table.app.screen.background_colors[1]
    styles = [segment.style for strip in strips for segment in filtered(strip, table, ground)]
    return {colour.name for style in styles if style for colour in (style.color, style.bgcolor) if colour}


def filtered(strip: Strip, table: Table, ground: Color) -> Strip:
    for each in table.app.get_line_filters():
        strip = strip.apply_filter(each, ground)
    return strip


def test_without_unicode_everything_is_ascii() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("f")
        assert table.screen().isascii()
        assert table.rows() == ["[F]1 # # # 1 # 1 "]
        await table.press("f1")
        assert table.screen().isascii()
        assert "F flag" in table.screen()

    at_table(SAFE_BESIDE_A_GUESS, script, plain=True, ascii_only=True)


def test_no_key_has_two_meanings() -> None:
    keys = [key for binding in BINDINGS for key in binding.key.split(",")]
    assert len(keys) == len(set(keys))


def test_every_key_is_on_the_page_about_playing() -> None:
    page = (DOCS / "play.md").read_text(encoding="utf-8")
    names = {"question_mark": "?", "plus": "+", "minus": "-", "f1": "F1"}
    unnamed = {"up", "down", "left", "right", "equals_sign", "ctrl+c"}
    keys = {key for binding in BINDINGS for key in binding.key.split(",")} - unnamed
    assert [key for key in sorted(keys) if f"`{names.get(key, key)}`" not in page] == []
