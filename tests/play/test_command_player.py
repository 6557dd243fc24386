"""Agents that are programs: the line they get, the moves they make, and the errors that name them."""

from collections.abc import Iterator

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.position import STUCK, FirstClick, Status
from gemhunter.errors import EngineError, InputError, UnknownNameError
from gemhunter.play.agents import command
from gemhunter.play.agents.command import open_player, position_line
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import View, new_game
from gemhunter.play.game_ids import Level
from gemhunter.play.many_games import play_games
from gemhunter.play.player import Choice, Stuck
from gemhunter.play.risks import Risks, risks_of_view
from line_players import ALL_HIDDEN, FIRST_HIDDEN, command_of
from strategies import grid_of

ANSWERS = "import sys\nfor line in sys.stdin: print({answer!r}, flush=True)"


@pytest.fixture(autouse=True)
def no_program_left() -> Iterator[None]:
    yield
    command._end_all()


def view_of(rows: str, total: int) -> View:
    grid = grid_of([list(row) for row in rows.split("/")])
    return View(grid, np.zeros(grid.cells.shape, bool), total, Status.PLAYING, FirstClick.SAFE)


def test_a_position_is_one_line() -> None:
    assert position_line(view_of("_1_/__8", 3)) == "2x3n3 safe _1_/__8"


def test_a_program_chooses_and_its_risk_is_the_exact_one() -> None:
    player = open_player(command_of(FIRST_HIDDEN))
    choice = player.choose(view_of("1_/1_", 1))
    assert choice == Choice((Cell(0, 1),), (), 0.5, "the program's choice")


def test_cells_that_a_program_names_at_once_are_revealed_one_by_one() -> None:
    player, game = open_player(command_of(ALL_HIDDEN)), new_game("3x4n2#5:opening")
    cells = []
    for _ in range(2):
        choice = player.choose(game.view)
        assert isinstance(choice, Choice)
        cells.append(choice.safe)
        game = game.reveal(choice.safe[0])
    assert all(len(safe) == 1 for safe in cells)


def test_a_cell_that_was_known_to_be_a_gem_is_not_weighed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noted(view: View) -> Risks:
        asked.append(position_line(view))
        return risks_of_view(view)

    monkeypatch.setattr(command, "risks_of_view", noted)
    player = open_player(command_of(ANSWERS.format(answer="r1c4 r1c5")))
    choices = [player.choose(view_of(rows, 2)) for rows in ("_2____", "_2_1__")]
    assert choices == [Choice((Cell(0, col),), (), 0.0, "the program's choice") for col in (3, 4)]
    assert asked == ["1x6n2 safe _2____"]


def test_a_risk_that_an_answer_takes_later_is_that_of_its_turn() -> None:
    player = open_player(command_of(ANSWERS.format(answer="r1c2 r2c2")))
    risks = [player.choose(view_of(rows, 1)) for rows in ("1_/1_", "11/1_")]
    assert [choice.risk for choice in risks if isinstance(choice, Choice)] == [0.5, 1.0]


def test_a_program_may_give_up() -> None:
    stuck = command_of(ANSWERS.format(answer="stuck"))
    assert open_player(stuck).choose(view_of("1_/1_", 1)) == Stuck((), "the program gives up")
    assert set(play_games(stuck, Level(3, 4, 2), FirstClick.SAFE, range(3)).ends.tolist()) == {STUCK}


@pytest.mark.parametrize("answer", ["r1c1", "r9c9", "r1", "hello", "r1c2 and", "", "r0c1"])
def test_what_is_no_hidden_cell_is_refused(answer: str) -> None:
    player = open_player(command_of(ANSWERS.format(answer=answer)))
    expected = "expected hidden cells such as r3c1, or `stuck`$"
    with pytest.raises(EngineError, match=f"it answered .*{expected}"):
        player.choose(view_of("1_/1_", 1))


def test_a_program_plays_many_games_in_one_process() -> None:
    name, level = command_of(FIRST_HIDDEN), Level(3, 4, 2)
    games = play_games(name, level, FirstClick.SAFE, range(12))
    program = command._RUNNING[name]
    again = play_games(name, level, FirstClick.SAFE, range(12))
    assert command._RUNNING[name] is program
    assert games.ends.tolist() == again.ends.tolist()
    assert games.luck.any()


def test_a_program_that_died_is_started_again() -> None:
    dies_at_second = "import sys\nprint('r1c2', flush=True)\nsys.stdin.readline()\nsys.stdin.readline()"
    name, view = command_of(dies_at_second), view_of("1_/1_", 1)
    assert isinstance(open_player(name).choose(view), Choice)
    with pytest.raises(EngineError, match="ended without an answer"):
        open_player(name).choose(view)
    assert isinstance(open_player(name).choose(view), Choice)


def test_commands_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match=r"^cmd: needs the program to run, such as cmd:\./my-player"):
        open_player("cmd:")
    with pytest.raises(InputError, match="no closing quotation"):
        open_player("cmd:'player")
    with pytest.raises(EngineError, match="no program named 'no-such-player'"):
        open_player("cmd:no-such-player")


def test_only_those_who_may_start_programs_can() -> None:
    """The web API makes players by this function."""
    with pytest.raises(UnknownNameError):
        new_player(command_of(FIRST_HIDDEN))
