"""The game in the terminal: what every key and every click does."""

from pathlib import Path

import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move, Replay, Status
from gemhunter.errors import InputError
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import read_game_id
from gemhunter.terminal.session import Aid
from table import Table, at_table, mines

CORNER_MINE = mines("*...\n....\n....")
"""Revealing anything far from the corner wins."""

ROW = mines("*.....*")
"""Clues 1 0 0 0 1 between two mines."""

LONG_ROW = mines(".*....*")
"""Opening the middle leaves the clue at the left end."""


def test_arrows_and_letters_move_the_cursor_and_stay_on_the_board() -> None:
    async def script(table: Table) -> None:
        assert table.app.cursor == Cell(1, 2)
        for keys, place in [
            ("up left", Cell(0, 1)),
            ("k", Cell(0, 1)),
            ("down right", Cell(1, 2)),
            ("j l", Cell(2, 3)),
            ("down right", Cell(2, 3)),
            ("k h", Cell(1, 2)),
        ]:
            await table.press(*keys.split())
            assert table.app.cursor == place

    at_table(CORNER_MINE, script)


def test_revealing_opens_what_a_0_touches() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("space")
        assert table.rows() == ["[1]■ ■ ■ ■ ■ ■ "]
        table.go(0, 4)
        await table.press("enter")
        assert table.rows() == [" 1 ⚑ 1  [ ]1 ⚑ "]

    at_table(LONG_ROW, script)


def test_a_flag_is_put_and_taken_away() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("f")
        assert table.rows() == ["[⚑]■ ■ ■ ■ ■ ■ "]
        assert "traps left 1" in table.screen()
        await table.press("space")
        assert "r1c1 has a flag" in table.app.message
        await table.press("f")
        assert table.rows() == ["[■]■ ■ ■ ■ ■ ■ "]

    at_table(ROW, script)


def test_a_clue_with_its_flags_is_chorded() -> None:
    async def script(table: Table) -> None:
        table.go(0, 2)
        await table.press("space", "c")
        assert "r1c3 has 0 flags near it, not 1" in table.app.message
        table.go(0, 1)
        await table.press("f", "right", "c")
        assert table.app.game.moves[-1] == Move(Action.CHORD, Cell(0, 2))
        assert table.rows() == [" ■ ⚑[1]    1 ■ "]
        await table.press("u", "space")
        assert table.app.game.moves[-1] == Move(Action.CHORD, Cell(0, 2))

    at_table(LONG_ROW, script)


def test_the_mouse_reveals_flags_and_chords() -> None:
    async def script(table: Table) -> None:
        await table.click(0, 1)
        assert table.app.game.moves[-1] == Move(Action.REVEAL, Cell(0, 1))
        await table.click(0, 0, button=3)
        assert table.app.game.moves[-1] == Move(Action.FLAG, Cell(0, 0))
        await table.click(0, 1)
        assert table.app.game.moves[-1] == Move(Action.CHORD, Cell(0, 1))
        await table.press("u")
        await table.click(0, 1, button=2)
        assert table.app.game.moves[-1] == Move(Action.CHORD, Cell(0, 1))
        assert table.app.cursor == Cell(0, 1)

    at_table(ROW, script)


def test_a_click_beside_the_board_does_nothing() -> None:
    async def script(table: Table) -> None:
        await table.pilot.click(offset=(1, 5))
        await table.pilot.click(table.app.board, offset=(0, 0))
        await table.settle()

    assert at_table(ROW, script).game.moves == ()


def test_winning_is_said_with_the_time() -> None:
    async def script(table: Table) -> None:
        table.go(2, 3)
        await table.press("space")

    app = at_table(CORNER_MINE, script, clock=lambda: 5.0)
    assert app.game.status is Status.WON
    assert app.message.startswith("won in 0:00\nu takes back")


def test_the_timer_runs_from_the_first_reveal_to_the_end() -> None:
    now = [100.0]

    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("f", "f")
        now[0] = 150.0
        assert table.app.seconds == 0
        table.go(0, 1)
        await table.press("space")
        now[0] = 215.0
        assert table.app.seconds == 65
        await table.press("right")
        assert "1:05" in table.screen()
        table.go(0, 0)
        await table.press("space")
        assert table.app.game.status is Status.LOST
        now[0] = 300.0
        assert table.app.seconds == 65
        await table.press("u")
        now[0] = 301.0
        assert table.app.seconds == 66

    at_table(ROW, script, clock=lambda: now[0])


def test_undo_goes_back_before_a_loss_and_is_told_of() -> None:
    async def script(table: Table) -> None:
        await table.press("u")
        assert table.app.message == "nothing to take back"
        table.go(0, 0)
        await table.press("space")
        assert table.rows() == ["[X]■ ■ ■ ■ ■ * "]
        await table.press("space")
        assert "the game is over: u takes back" in table.app.message
        await table.press("u")
        assert table.rows() == ["[■]■ ■ ■ ■ ■ ■ "]
        table.go(0, 3)
        await table.press("space")

    app = at_table(ROW, script)
    assert app.message.startswith("won in 0:00, with undo")
    assert app.session.aids == {Aid.UNDO}


def test_a_wrong_flag_is_shown_after_a_loss() -> None:
    async def script(table: Table) -> None:
        table.go(0, 3)
        await table.press("f")
        table.go(0, 0)
        await table.press("space")
        assert table.rows() == ["[X]■ ■ ? ■ ■ * "]

    at_table(ROW, script)


def test_n_deals_a_new_game_of_the_same_level_and_rule() -> None:
    async def script(table: Table) -> None:
        await table.press("space", "n")

    app = at_table("3x4n2#1:opening", script)
    assert str(app.game.game_id) == "3x4n2#7:opening"
    assert app.game.moves == ()


def test_r_begins_the_same_game_again() -> None:
    async def script(table: Table) -> None:
        await table.press("space")
        first = table.app.game.board
        await table.press("r")
        assert table.app.game.moves == ()
        await table.press("space")
        assert table.app.game.board == first

    assert str(at_table("3x4n2#1", script).game.game_id) == "3x4n2#1"


def test_r_begins_a_given_board_again() -> None:
    async def script(table: Table) -> None:
        await table.press("space", "r")

    app = at_table(CORNER_MINE, script)
    assert (app.game.board, app.game.moves) == (CORNER_MINE, ())


def test_s_saves_a_replay() -> None:
    saved: list[Replay] = []

    def save(replay: Replay) -> Path:
        saved.append(replay)
        return Path("game.json")

    async def script(table: Table) -> None:
        await table.press("s")
        assert "not saved: nothing has been revealed" in table.app.message
        await table.press("space", "s")
        assert table.app.message == "saved as game.json"

    app = at_table("3x4n2#1", script, save=save)
    assert saved == [app.game.replay]


def test_a_replay_that_cannot_be_written_is_told_of() -> None:
    def refuse(replay: Replay) -> Path:
        raise InputError("cannot write game.json: permission denied")

    async def script(table: Table) -> None:
        await table.press("space", "s")

    assert "permission denied" in at_table("3x4n2#1", script, save=refuse).message


def test_help_lists_the_keys_and_closes_with_any() -> None:
    async def script(table: Table) -> None:
        for key in ("f1", "H"):
            await table.press(key)
            assert "the agent makes one move" in table.screen()
            assert "⚑ flag" in table.screen()
            await table.press("space")
            assert "the agent makes one move" not in table.screen()

    assert at_table(ROW, script).game.moves == ()


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+c", 130)])
def test_q_and_ctrl_c_leave(key: str, code: int) -> None:
    async def script(table: Table) -> None:
        await table.pilot.press(key)

    app = at_table(ROW, script)
    assert not app.is_running
    assert app.return_code == code


def test_a_board_that_needs_no_guess_is_made_for_the_cell_that_is_clicked() -> None:
    async def script(table: Table) -> None:
        await table.click(4, 1)

    game = at_table("6x8n9#4:no-guess", script).game
    assert game.board == deal_board(read_game_id("6x8n9#4:no-guess"), Cell(4, 1))
    assert game.shown[4, 1] == 0


def test_too_many_traps_for_a_game_without_guesses_are_reported() -> None:
    async def script(table: Table) -> None:
        await table.click(1, 1)
        assert "leaves room for at most 7 traps" in " ".join(table.screen().split())

    assert at_table("4x4n9#1:no-guess", script).game.board is None
