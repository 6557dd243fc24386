"""One door for files: whatever takes a board takes every kind of file, and uses the total that it carries."""

from pathlib import Path

import pytest

from gemhunter.bench.suites import read_index
from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move, Replay
from gemhunter.cli.main import run
from gemhunter.errors import UnknownNameError
from gemhunter.files.boards import FILE_KINDS, READABLE, WRITABLE, board_content, parse_game_file
from gemhunter.files.json_boards import replay_text
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game_names import read_grid, read_position

BOARD = Board(parse_mines("*..\n..*"))
POSITION = "3x2x2\nHH1\n12H\n"


@pytest.fixture
def position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.mine").write_text(POSITION, encoding="utf-8")
    return Path("p.mine")


@pytest.mark.parametrize("kind", [kind for kind in WRITABLE if kind in READABLE])
def test_every_kind_that_is_written_is_read_again(kind: str) -> None:
    assert parse_game_file(_content(kind), kind, "clue", source="file").board() == BOARD


@pytest.mark.parametrize("kind", [kind for kind in READABLE if FILE_KINDS[kind].looks_like is not None])
def test_a_kind_is_recognised_by_its_content(kind: str) -> None:
    content = _content(kind)
    found = parse_game_file(
        content.encode() if isinstance(content, str) else content, None, "clue", source="f"
    )
    assert found == parse_game_file(content, kind, "clue", source="f")


def _content(kind: str) -> str | bytes:
    if kind == "replay":
        return replay_text(Replay(BOARD, (Move(Action.FLAG, Cell(0, 0)),)))
    return board_content(BOARD, kind)


def test_a_kind_that_is_only_written_is_not_read() -> None:
    with pytest.raises(UnknownNameError, match="kind of file to read"):
        parse_game_file("123", "compact", "clue", source="file")


@pytest.mark.parametrize(
    ("content", "grid", "total"),
    [
        (POSITION, "_, _, 1\n1, 2, _", 2),
        ("3x2:0,1,u84\n", "_, _, _\n1, _, _", 2),
        ('{"mines": ["*..", "..*"], "shown": ["010", "000"]}', "_, 2, _\n_, _, _", 2),
        (_content("replay"), "_, _, _\n_, _, _", 2),
        ("# traps: 1\n_, 1, _", "_, 1, _", 1),
    ],
    ids=["mine", "sgt", "mine map in JSON", "replay", "text"],
)
def test_any_file_is_a_grid_with_its_total(tmp_path: Path, content: str, grid: str, total: int) -> None:
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    assert (str(read_grid(path)), read_position(path).total) == (grid, total)


@pytest.mark.parametrize(
    "command",
    [
        *("solve p.mine", "analyse p.mine", "hint p.mine", "cnf p.mine", "trace p.mine"),
        *("convert p.mine", "convert p.mine -o again.mine", "solve p.mine --all"),
    ],
)
def test_every_command_takes_a_position(
    position: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 0
    assert capsys.readouterr().out or Path("again.mine").read_text(encoding="utf-8") == POSITION


def test_a_formula_counts_the_total_of_the_file(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cnf", "p.mine"]) == 0
    assert "2 traps in all" in capsys.readouterr().out


def test_a_folder_can_have_files_of_games(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    position.rename("folder/p.mine")
    assert run(["solve", "folder"]) == 0
    assert "p.mine (2×3)" in capsys.readouterr().out


def test_a_suite_uses_the_total_of_a_file_unless_it_gives_another(position: Path) -> None:
    boards = '[[boards]]\nfile = "p.mine"\n[[boards]]\nname = "b"\nfile = "p.mine"\ntraps = 1\n'
    Path("index.toml").write_text(boards, encoding="utf-8")
    assert [board.total for board in read_index(Path("index.toml"), "suite").boards] == [2, 1]
