"""The game in the terminal: hints, risks, judgements, an agent."""

import re
import threading

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.position import Status
from gemhunter.errors import InputError
from gemhunter.play.game import View, new_game
from gemhunter.play.player import Choice, Stuck
from gemhunter.terminal import game_app
from gemhunter.terminal.session import Aid
from table import GUESSES, SAFE_BESIDE_A_GUESS, Script, Table, at_table, mines, opened

ZERO_WITH_FLAGS = new_game(mines("....*.*")).flag(Cell(0, 0)).flag(Cell(0, 2)).reveal(Cell(0, 1))
"""Wrong flags keep the neighbours of a 0 hidden."""

ONE_CLUE = "8x8n12#5"
"""The first cell is no 0, which leaves too many boards to play the rest exactly."""


def test_each_press_of_the_hint_key_says_more_and_a_move_begins_again() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        said, marked = [], []
        for _ in range(4):
            await table.press("question_mark")
            said.append(table.app.message)
            marked.append(table.app.picture.marked)
        kind = "The next step decides 2 cells, by a single clue."
        assert said == [
            f"{kind} (? says more)",
            f"{kind} Look at row 1 and column 2. (? says more)",
            f"{kind} Look at the 0 at r1c2. (? says more)",
            "The 0 at r1c2 has no trap around it, so r1c1 and r1c3 are gems.",
        ]
        assert marked == [set(), set(), {Cell(0, 1)}, {Cell(0, 1)}]
        assert table.rows() == ["[?]  ? ■ ■ ■ ■ "]
        await table.press("f", "question_mark")
        assert table.app.message.endswith("(? says more)")
        assert table.app.picture.marked == frozenset()

    assert at_table(ZERO_WITH_FLAGS, script).session.aids == {Aid.HINTS}


def test_after_the_conclusion_each_press_goes_to_the_next_gem() -> None:
    async def script(table: Table) -> None:
        table.go(0, 2)
        for at in (2, 2, 2, 2, 0, 2):
            await table.press("question_mark")
            assert table.app.cursor == Cell(0, at)
        assert "r1c1 and r1c3 are gems" in table.app.message
        assert table.app.game.moves == ZERO_WITH_FLAGS.moves

    at_table(ZERO_WITH_FLAGS, script)


def test_moving_the_cursor_does_not_begin_a_hint_again() -> None:
    async def script(table: Table) -> None:
        await table.press("question_mark", "left", "question_mark", "p", "question_mark")
        assert "Look at the " in table.app.message

    at_table(SAFE_BESIDE_A_GUESS, script)


def test_after_the_conclusion_a_press_flags_the_traps_and_the_next_hint_goes_on() -> None:
    async def script(table: Table) -> None:
        table.go(0, 7)
        await table.press(*["question_mark"] * 4)
        assert table.app.message.endswith("so r1c7 is a trap.")
        assert table.rows() == [" ■ 1 ■ ■ ■ 1[T]1 "]
        await table.press("question_mark")
        assert table.app.message == "r1c7 flagged; u takes back the last flag"
        assert table.rows() == [" ■ 1 ■ ■ ■ 1[⚑]1 "]
        await table.press(*["question_mark"] * 4)
        assert table.app.message == "The 1 at r1c6 already has its trap, so r1c5 is a gem."
        assert table.app.cursor == Cell(0, 4)

    at_table(SAFE_BESIDE_A_GUESS, script)


def test_the_cursor_goes_to_a_trap_without_a_flag() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("f", *["question_mark"] * 4)
        assert table.rows() == [" ⚑ 2[T]■ "]

    at_table(opened("*.*.", 2), script)


def test_a_hint_without_certainty_is_the_best_guess_with_its_risk() -> None:
    async def script(table: Table) -> None:
        await table.press("question_mark")

    app = at_table(GUESSES, script)
    assert app.message == (
        "nothing is certain; the best guess is r1c4, with a risk of 20.0 %; "
        "the chance of winning from here is 70.0 %"
    )
    assert app.cursor == Cell(0, 3)


def test_before_the_first_cell_a_hint_is_the_rule() -> None:
    async def script(table: Table) -> None:
        await table.press("question_mark")
        assert table.app.message == "the first cell is never a trap: begin anywhere"
        await table.press("p")
        assert set(table.rows()[0].split()) == {"ok"}

    at_table("2x3n1#1", script)


def test_after_the_end_there_is_no_hint() -> None:
    async def script(table: Table) -> None:
        await table.press("question_mark")

    assert "the game is over: u takes back" in at_table(opened("*.", 1), script).message


def test_risks_are_shown_kept_up_to_date_and_hidden_again() -> None:
    async def script(table: Table) -> None:
        table.go(0, 1)
        await table.press("p")
        assert table.rows() == [" 50[ 1]50 20 20 20 20 20 "]
        table.go(0, 6)
        await table.press("space")
        assert table.rows() == [" 50  1 50 ok ok 50[ 1]50 "]
        await table.press("p")
        assert table.rows() == [" ■ 1 ■ ■ ■ ■[1]■ "]

    app = at_table(GUESSES, script)
    assert app.session.aids == {Aid.RISKS}


def test_a_guess_is_compared_with_others_when_the_hint_key_is_pressed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_app, "THINK_SECONDS", 0.01)

    async def script(table: Table) -> None:
        await table.press("space", "question_mark")
        assert table.app.message.startswith("nothing is certain; the best guess is ")
        assert table.app.message.endswith(" (? compares it with other guesses)")
        await table.press("question_mark")
        assert re.search(r"; r\dc\d wins .* in games on the same \d+ boards", table.app.message)

    at_table(ONE_CLUE, script)


def test_an_agent_makes_a_step_with_its_reason_and_risk() -> None:
    player = Script([Choice((Cell(0, 1),), (), 0.25, "a guess at a clue")])

    async def script(table: Table) -> None:
        await table.press("a")

    app = at_table(mines("*....*.."), script, player=player)
    assert app.message == "script reveals r1c2: a guess at a clue, a risk of 25.0 %"
    assert app.cursor == Cell(0, 1)
    assert app.session.aids == {Aid.AGENT}
    assert player.seen[0].is_fresh


def test_an_agent_flags_what_it_knows_and_takes_wrong_flags_away() -> None:
    player = Script([Choice((Cell(0, 1),), (Cell(0, 0),), 0.0, "proven")])

    async def script(table: Table) -> None:
        table.go(0, 1)
        await table.press("f", "a")
        assert table.rows() == [" ⚑[1]■ ■ ■ ■ ■ ■ "]

    at_table(mines("*....*.."), script, player=player)


def test_an_agent_that_is_watched_plays_to_the_end() -> None:
    choices = [Choice((Cell(0, col),), (), 0.0, "proven") for col in (1, 3, 5)]

    async def script(table: Table) -> None:
        await table.press(*["plus"] * 5)
        assert "a step every 0 s" in table.app.message
        await table.press("minus", "plus", "A")
        while table.app.pace.running and table.app.game.status is Status.PLAYING:
            await table.pilot.pause(0.01)

    app = at_table(mines("*.*.*.*"), script, player=Script(choices))
    assert app.game.status is Status.WON
    assert app.message.splitlines()[:2] == ["won in 0:00, with an agent", "script reveals r1c6: proven"]


class Ponderer:
    """A player that thinks until `is_asked_no_more` is set."""

    def __init__(self) -> None:
        self.is_asked_no_more = threading.Event()

    def choose(self, view: View) -> Choice:
        self.is_asked_no_more.wait()
        return Choice((Cell(0, 1),), (), 0.0, "proven")


def test_an_agent_that_is_stopped_while_it_thinks_makes_no_move() -> None:
    player = Ponderer()

    async def script(table: Table) -> None:
        await table.pilot.press("A", "A")
        player.is_asked_no_more.set()
        await table.settle()
        await table.pilot.pause(0.05)
        assert table.app.message == "script has stopped; press A to continue"
        assert table.app.game.moves == ()

    at_table(mines("*...*.*"), script, player=player)


def test_watching_begins_by_itself_if_asked_and_stops_at_a_key() -> None:
    choices = [Choice((Cell(0, col),), (), 0.0, "proven") for col in (1, 2, 3, 5)]

    async def script(table: Table) -> None:
        assert len(table.app.game.moves) >= 1
        assert table.app.pace.running
        await table.press("A")
        assert table.app.message == "script has stopped; press A to continue"
        assert not table.app.pace.running

    assert at_table(mines("*...*.*"), script, player=Script(choices), watch=True).session.aids == {Aid.AGENT}


def test_a_stuck_agent_stops_and_the_game_goes_on() -> None:
    player = Script([Stuck((Cell(0, 0),), "nothing new can be derived")])

    async def script(table: Table) -> None:
        await table.press("A")
        assert table.app.message == "script is stuck: nothing new can be derived"
        assert not table.app.pace.running

    app = at_table(mines("*.*"), script, player=player)
    assert app.game.status is Status.PLAYING
    assert app.game.flags.tolist() == [[True, False, False]]


def test_after_undo_another_player_is_asked() -> None:
    player = Script([Choice((Cell(0, 1),), (), 0.0, "proven")] * 2)
    made: list[int] = []

    async def script(table: Table) -> None:
        await table.press("a", "u", "a")

    def new_player(seed: int) -> Script:
        made.append(seed)
        return player

    at_table(mines("*...*.*"), script, new_player=new_player)
    assert made == [7, 7]


def test_an_agent_that_cannot_be_made_is_told_of() -> None:
    def missing(seed: int) -> Script:
        raise InputError("no agent named 'x'")

    async def script(table: Table) -> None:
        await table.press("A")

    app = at_table(mines("*.*"), script, new_player=missing)
    assert app.message == "error: no agent named 'x'"
    assert not app.pace.running


def test_a_begun_game_can_be_undone_to_its_beginning() -> None:
    async def script(table: Table) -> None:
        await table.press("u")
        assert table.app.game.moves == ()
        assert np.array_equal(table.app.game.shown, new_game(mines("*....*..")).shown)

    at_table(GUESSES, script)
