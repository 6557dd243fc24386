"""`gemhunter generate game`: what it prints and writes, how it ends, and which commands take its ids."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemhunter.board.grid import Cell
from gemhunter.cli import generate as generate_game
from gemhunter.cli.main import run
from gemhunter.files.minesweeper import parse_mines
from gemhunter.generate.games import NoGuessGame, generate_games
from gemhunter.play.game_ids import deal_board, read_game_id


def test_a_game_is_printed_as_a_mine_map_with_its_id_beside(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "game", "5x8n7", "--seed", "3"]) == 0
    printed = capsys.readouterr()
    board = deal_board(read_game_id("5x8n7#3:no-guess"), Cell(2, 4))
    assert parse_mines(printed.out).tolist() == board.traps.tolist()
    assert printed.err == "5x8n7#3:no-guess, first click at r3c5\n"


def test_json_lines_have_the_id_and_the_cell_that_give_the_board_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--using", "clues", "--first", "r1c1", "--count", "3", "--format", "jsonl"]
    assert run(["generate", "game", "5x8n7", *words]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["id"] for record in records] == [f"5x8n7#{seed}:no-guess-clues" for seed in (1, 2, 3)]
    for record in records:
        board = deal_board(read_game_id(record["id"]), Cell(0, 0))
        assert record["first"] == "r1c1"
        assert parse_mines("\n".join(record["traps"])).tolist() == board.traps.tolist()


def test_a_file_takes_one_game_as_text_or_many_as_json_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, many = tmp_path / "one.txt", tmp_path / "many.jsonl"
    assert run(["generate", "game", "4x6n4", "-o", str(one), "-q"]) == 0
    assert parse_mines(one.read_text()).sum() == 4
    assert run(["generate", "game", "4x6n4", "--count", "2", "--format", "jsonl", "-o", str(many)]) == 0
    assert len(many.read_text().splitlines()) == 2
    assert run(["generate", "game", "4x6n4", "--count", "2", "-o", str(one)]) == 2
    assert "use --format jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["4x6n24"], "a 4×6 game has from 0 to 23 traps"),
        (["4x6n30"], "a 4×6 game has from 0 to 23 traps, not 30"),
        (["1x1n1"], "a 1×1 game has from 0 to 0 traps, not 1"),
        (["4x6n4", "--first", "r5c1"], "r5c1 is outside the 4×6 board"),
        (["4x6n4", "--using", "total"], "'total' is not one of"),
        (["experts"], "did you mean 'expert'?"),
    ],
)
def test_input_that_cannot_be_used_says_why(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "game", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_cannot_be_made_says_what_would_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "game", "4x4n9"]) == 3
    assert "leaves room for at most 7 traps" in capsys.readouterr().err


def test_ctrl_c_keeps_the_games_that_are_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(level: str, **_: object) -> Iterator[NoGuessGame]:
        yield next(generate_games(level))
        raise KeyboardInterrupt

    monkeypatch.setattr(generate_game, "generate_games", interrupted)
    kept = tmp_path / "kept.jsonl"
    run(["generate", "game", "4x6n4", "--count", "5", "--format", "jsonl", "-o", str(kept)])
    assert len(kept.read_text().splitlines()) == 1


def test_agents_watch_and_win_such_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "5x8n7#3:no-guess-clues", "--agent", "logic", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["game"], record["outcome"]) == ("5x8n7#3:no-guess-clues", "won")


def test_the_board_of_such_an_id_depends_on_the_first_cell(capsys: pytest.CaptureFixture[str]) -> None:
    boards = set()
    for first in ("r1c1", "r5c8"):
        assert run(["convert", "5x8n7#3:no-guess", "--first", first, "--to", "mines"]) == 0
        boards.add(capsys.readouterr().out)
    assert len(boards) == 2


def test_win_rates_of_such_games_are_all_for_an_agent_that_never_guesses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--agent", "logic", "--level", "5x8n7", "--games", "10", "--first-click", "no-guess"]
    assert run(["experiment", "winrate", *words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["first_click"], document["series"][0]["win_rate"]) == ("no-guess", 1.0)
