"""Replays: written, read, and played again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move, Replay, Status
from gemhunter.errors import BoardError, InputError
from gemhunter.files.boards import read_board, read_replay
from gemhunter.files.json_boards import parse_replay, replay_text, write_replay
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import Game, new_game, replayed
from gemhunter.play.game_names import open_game
from strategies import boards

TWO = Board(parse_mines("*..\n..*"))
STARTED = Replay(TWO, (Move(Action.FLAG, Cell(0, 0)), Move(Action.REVEAL, Cell(0, 1))))


def played(game_id: str, *cells: Cell) -> Game:
    game = new_game(game_id)
    for cell in cells:
        game = game.reveal(cell)
    return game


@st.composite
def replays(draw: st.DrawFn) -> Replay:
    """Any moves on any board, possible or not."""
    board = draw(boards())
    cells = st.builds(Cell, st.integers(0, board.rows - 1), st.integers(0, board.cols - 1))
    moves = draw(st.lists(st.builds(Move, st.sampled_from(Action), cells)))
    return Replay(board, tuple(moves), draw(st.none() | st.just("9x9n10#1")), draw(st.booleans()))


@given(replays())
def test_what_is_written_is_read_back(replay: Replay) -> None:
    assert parse_replay(replay_text(replay)) == replay


def test_a_replay_is_for_people_and_programs() -> None:
    assert json.loads(replay_text(STARTED)) == {
        "format": "gemhunter-replay",
        "version": 1,
        "id": None,
        "mines": ["*..", "..*"],
        "moves": ["flag r1c1", "reveal r1c2"],
        "gave_up": False,
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "other"}, "not a replay; expected"),
        ({"version": 2}, "version 2 of the format; only version 1 can be read"),
        ({"version": True}, "version True of the format"),
        ({"extra": 1}, "unknown key `extra`; expected format, gave_up, id, mines, moves, version"),
        ({"id": 7}, "`id` must be a text such as 16x30n99#42, or null"),
        ({"gave_up": 0}, "`gave_up` must be true or false"),
        ({"mines": []}, "`mines` must be a list of rows"),
        ({"mines": ["*..", ""]}, "`mines` must be a list of rows"),
        ({"mines": ["*..\n..*"]}, "`mines` must be a list of rows"),
        ({"mines": ["*..", ".."]}, "replay:mines:2:3: row of 2 cells"),
        ({"moves": None}, "`moves` must be a list of texts"),
        ({"moves": ["flag r1c1", 3]}, "move 2: expected `reveal`, `flag` or `chord` and a cell"),
        ({"moves": ["dig r1c1"]}, "move 1: expected `reveal`, `flag` or `chord` and a cell"),
        ({"moves": ["flag r0c1"]}, "move 1: 'r0c1' is not a cell"),
        ({"moves": ["flag r3c1"]}, "move 1: r3c1 is outside the 2×3 board"),
    ],
)
def test_a_bad_replay_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_replay(json.dumps(json.loads(replay_text(STARTED)) | change))
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "[1", '"gemhunter-replay"', "[]", "\0"])
def test_only_a_json_object_can_be_a_replay(text: str) -> None:
    with pytest.raises(BoardError):
        parse_replay(text)


@pytest.mark.parametrize("game_id", ["9x9n10#1", "5x7n6#3:opening", "4x3n5#2:any"])
def test_a_game_played_again_is_the_same_game(game_id: str) -> None:
    game = played(game_id, Cell(1, 1), Cell(3, 2), Cell(0, 0))
    again = replayed(parse_replay(replay_text(game.replay)))
    assert (again.board, again.view.grid, again.status) == (game.board, game.view.grid, game.status)
    assert (again.game_id, again.moves, again.exploded) == (game.game_id, game.moves, game.exploded)


def test_a_game_that_was_given_up_is_so_again() -> None:
    game = played("9x9n10#1", Cell(4, 4)).give_up()
    assert replayed(parse_replay(replay_text(game.replay))).status is Status.STUCK


@pytest.mark.parametrize(
    ("replay", "words"),
    [
        (replace(STARTED, moves=STARTED.moves * 2 + STARTED.moves), "move 4, reveal r1c2, changes nothing"),
        (replace(STARTED, game_id="2x3n2#1"), "the board is not the one that 2x3n2#1 deals"),
        (replace(STARTED, game_id="3x2n2#1"), "the board is not the one that 3x2n2#1 deals"),
        (replace(STARTED, game_id="nonsense"), "'nonsense' is not a game id"),
        (Replay(TWO, (Move(Action.REVEAL, Cell(0, 0)),), gave_up=True), "the game is lost, so its player"),
    ],
)
def test_a_replay_that_cannot_have_been_played_is_refused(replay: Replay, words: str) -> None:
    with pytest.raises(InputError) as caught:
        replayed(replay)
    assert words in str(caught.value)


def test_files_of_games_are_opened_as_games(tmp_path: Path) -> None:
    game = played("9x9n10#1", Cell(4, 4))
    write_replay(tmp_path / "r.json", game.replay)
    assert read_replay(tmp_path / "r.json") == game.replay
    assert read_board(tmp_path / "r.json") == game.board
    assert open_game(tmp_path / "r.json").view.grid == game.view.grid
    (tmp_path / "b.mine").write_text("3x2x2\nF21\n12H", encoding="utf-8")
    assert open_game(tmp_path / "b.mine").board == TWO
    assert open_game(tmp_path / "b.mine").view.is_fresh


def test_ids_are_opened_as_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(open_game("easy#7:any").game_id) == "9x9n10#7:any"
    assert str(open_game("3x2:0,1,u84").view.grid) == "_, _, _\n1, _, _"
    assert open_game("60x60:0,0,u" + "0" * 900).status is Status.WON
    monkeypatch.chdir(tmp_path)
    Path("easy#7").write_text("T, 1", encoding="utf-8")
    assert open_game("easy#7").board == Board(parse_mines("*."))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.mbf", "missing.mbf: no such file"),
        ("easy#x", "is not a game id"),
        ("0,0,u84", "size is missing"),
        ("2:uf", "a 2×2 game can have from 0 to 3 traps, not 4"),
    ],
)
def test_a_file_without_a_game_is_reported(name: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        open_game(name)
    assert words in str(caught.value)
