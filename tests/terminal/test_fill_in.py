"""Filling in a board in the terminal: keys, mouse, checks, hints, undo, saving."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gemhunter.board.grid import TRAP, Cell
from gemhunter.cli.main import run
from gemhunter.cli.play import find_fill_in
from gemhunter.files.text import parse_grid
from gemhunter.play.fill_in import FillIn, new_fill_in
from gemhunter.terminal.fill_in_app import FillInApp
from gemhunter.terminal.keys import FILL_IN_BINDINGS, fill_in_help
from gemhunter.terminal.session import FillInSetting
from places import DOCS
from table import Table

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
Script = Callable[[Table], Awaitable[None]]


def at_board(
    text: str, script: Script, *, save: Callable[[FillIn], Path] | None = None, plain: bool = False
) -> FillInApp:
    """Let a script fill in a board; the app as it was left."""

    def not_saved(board: FillIn) -> Path:
        raise AssertionError(f"nobody asked to save {board}")

    setting = FillInSetting("board.txt", save or not_saved, lambda: 0.0, plain=plain, ascii_only=plain)
    app = FillInApp(new_fill_in(parse_grid(text)), setting)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await script(Table(app, pilot))

    asyncio.run(play())
    return app


def test_keys_mark_change_and_clear_cells() -> None:
    async def script(table: Table) -> None:
        assert table.rows()[0] == " 3[■]2 ■ "
        for keys, row in [("t", " 3[T]2 ■ "), ("g", " 3[G]2 ■ "), ("g", " 3[■]2 ■ "), ("f", " 3[T]2 ■ ")]:
            await table.press(keys)
            assert table.rows()[0] == row
        await table.press("x")
        assert table.rows()[0] == " 3[■]2 ■ "
        await table.press("u")
        assert table.rows()[0] == " 3[T]2 ■ "
        await table.press("left", "t")
        assert table.app.message == "r1c1 is part of the puzzle"

    at_board(BOARD, script)


def test_the_mouse_marks_gems_and_traps_as_in_a_game() -> None:
    async def script(table: Table) -> None:
        await table.click(0, 3)
        await table.click(1, 0, button=3)
        assert (table.rows()[0], table.rows()[1]) == (" 3 ■ 2 G ", "[T]■ 2 ■ ")
        await table.click(1, 0, button=2)
        assert table.rows()[1] == "[■]■ 2 ■ "

    at_board(BOARD, script)


def test_a_check_marks_the_clues_that_are_broken() -> None:
    async def script(table: Table) -> None:
        await table.press("g", "right", "c")
        assert table.app.message == "r1c1 cannot hold any more: look at r1c2"
        assert table.rows()[0] == "(3)G[2]# "

    at_board(BOARD, script, plain=True)


def test_hints_fill_in_the_whole_board_and_winning_is_said() -> None:
    async def script(table: Table) -> None:
        while table.app.current.left:
            await table.press(*["question_mark"] * 4)
            decided = table.app.hint_ladder.decided
            for cell in decided:
                assert str(cell) in table.app.message
            for _ in decided:
                await table.press("question_mark")
            await table.press("t" if decided[table.app.cursor] == TRAP else "g")
        assert table.app.message.startswith("right: every clue holds, after 0:00, with hints\n")

    app = at_board(BOARD, script)
    assert str(app.current.filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"
    assert app.ending == "right: every clue holds, after 0:00, with hints"


def test_a_conclusion_is_shown_in_small_letters_and_each_further_press_goes_to_its_next_cell() -> None:
    async def script(table: Table) -> None:
        await table.press(*["question_mark"] * 4)
        assert table.app.message.startswith("The 3 at r1c1 needs three traps")
        assert table.rows() == ["(3[t]2 # ", " t t 2 # ", " # 3 1 # "]
        for cell in (Cell(1, 0), Cell(1, 1), Cell(0, 1)):
            await table.press("question_mark")
            assert table.app.cursor == cell
        assert not table.app.current.marked

    at_board(BOARD, script, plain=True)


def test_marks_that_leave_no_solution_get_no_hint() -> None:
    async def script(table: Table) -> None:
        await table.press("g", "question_mark")
        assert table.app.message == "no hint: the marks so far leave no solution; c shows what is wrong"

    at_board(BOARD, script)


def test_where_nothing_is_certain_any_solution_will_do() -> None:
    async def script(table: Table) -> None:
        await table.press("question_mark")
        assert table.app.message.startswith("no cell is certain: the board has several solutions")

    at_board("_, 1, _", script)


def test_a_full_board_that_is_wrong_says_where() -> None:
    async def script(table: Table) -> None:
        await table.press("t", "right", "right", "t")
        assert table.app.message == "r1c2 cannot hold any more: look at r1c1 and r1c3"

    at_board("_, 1, _", script)


def test_beginning_again_can_be_taken_back() -> None:
    async def script(table: Table) -> None:
        await table.press("t", "r")
        assert table.rows() == ["[■]1 ■ "]
        await table.press("u")
        assert table.rows() == ["[T]1 ■ "]
        await table.press("u", "u")
        assert table.app.message == "nothing to take back"

    at_board("_, 1, _", script)


def test_a_board_is_saved_as_it_stands() -> None:
    saved: list[str] = []

    def save(board: FillIn) -> Path:
        saved.append(str(board.filled))
        return Path("board-filled.json")

    async def script(table: Table) -> None:
        await table.press("t", "s")
        assert table.app.message == "saved as board-filled.json"

    at_board("_, 1, _", script, save=save)
    assert saved == ["T, 1, _"]


def test_every_key_is_on_the_help_page_and_on_the_page_about_playing() -> None:
    page = (DOCS / "play.md").read_text(encoding="utf-8")
    names = {"question_mark": "?", "f1": "F1"}
    unnamed = {"up", "down", "left", "right", "T", "G", "ctrl+c"}
    keys = [key for binding in FILL_IN_BINDINGS for key in binding.key.split(",")]
    assert len(keys) == len(set(keys))
    part = page.partition("## Filling in a board")[2]
    assert [key for key in sorted(set(keys) - unnamed) if f"`{names.get(key, key)}`" not in part] == []
    assert max(map(len, fill_in_help().splitlines())) <= 76


def test_play_opens_a_board_to_fill_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(BOARD, encoding="utf-8")
    found = find_fill_in("board.txt")
    assert found is not None
    assert found.grid[Cell(0, 0)] == 3
    assert find_fill_in("expert") is None
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    assert run(["play", "board.txt", "--seed", "3"]) == 2
    assert "boards to fill in" in capsys.readouterr().err
