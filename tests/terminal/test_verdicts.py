"""The game in the terminal after a loss: whether the last move was wise."""

from pathlib import Path

from gemhunter.board.position import Status
from gemhunter.play.game import Game
from table import GUESSES, SAFE_BESIDE_A_GUESS, Table, at_table, opened


def judged(game: Game, col: int) -> str:
    """What is said after revealing a cell of the first row, counted from 1, that is a trap."""

    async def script(table: Table) -> None:
        table.go(0, col - 1)
        await table.press("space")

    app = at_table(game, script)
    assert app.game.status is Status.LOST
    return app.message


VERDICT = "the clues showed it: r1c1 was certainly a trap"


def test_a_loss_that_the_clues_foretold_is_called_so() -> None:
    ending, verdict, _ = judged(opened("*.*.", 2), 1).splitlines()
    assert ending == "lost at r1c1 after 0:00"
    assert verdict == (
        f"{VERDICT}. The 2 at r1c2 needs two traps, and r1c1 and r1c3 are its only hidden neighbours, "
        "so both are traps."
    )


def test_a_loss_beside_a_safe_cell_is_called_needless() -> None:
    said = judged(SAFE_BESIDE_A_GUESS, 1)
    assert said.splitlines()[1] == (
        "a needless risk: r1c1 had a risk of 50.0 %, but r1c5 was certainly safe. "
        "The 1 at r1c6 already has its trap, so r1c5 is a gem."
    )


def test_a_loss_without_a_better_choice_is_called_fair() -> None:
    said = judged(opened("*..", 2), 1)
    assert "a fair guess: r1c1 had a risk of 50.0 %, and no cell was safer" in said


def test_a_loss_with_a_better_choice_names_it() -> None:
    said = judged(GUESSES, 1)
    assert "r1c1 had a risk of 50.0 %; r1c4 was the safest with 20.0 %" in said


def test_a_lost_guess_is_compared_with_that_of_expert() -> None:
    fair, better = judged(opened("*..", 2), 1), judged(GUESSES, 1)
    assert fair.splitlines()[2] == "`expert` would have opened r1c1 too"
    assert "points more often than r1c1, exactly" in better.splitlines()[2]


def test_the_verdict_stays_until_the_game_goes_on() -> None:
    async def script(table: Table) -> None:
        table.go(0, 0)
        await table.press("space")
        for key in ("question_mark", "space", "f", "p", "p", "s", "a", "right"):
            await table.press(key)
            assert table.app.message.startswith(f"lost at r1c1 after 0:00\n{VERDICT}")
        assert "r1c1 was certainly a trap" in table.screen()
        await table.press("u")
        assert table.app.message == "taken back"

    at_table(opened("*.*.", 2), script, save=lambda _: Path("game.json"))
