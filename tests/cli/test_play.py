"""`gemhunter play`: which game is meant, where replays go, and a real terminal around it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.cli.exit_codes import wants_no_colours
from gemhunter.cli.main import run
from gemhunter.cli.play import find_game, new_path
from gemhunter.errors import InputError
from gemhunter.files.boards import write_board
from gemhunter.files.json_boards import write_replay
from gemhunter.play.game import new_game
from table import mines

Captured = pytest.CaptureFixture[str]

PROGRAM = "from gemhunter.cli.main import main; main()"
PLAIN = {"NO_COLOR": "1", "PYTHONIOENCODING": "ascii"}
PATIENCE = 60.0
"""Seconds after which a terminal that shows nothing is given up."""


def id_of(name: str, seed: int | None = None, rule: FirstClick | None = None) -> str:
    return str(find_game(name, seed, rule).game_id)


@pytest.mark.parametrize(
    ("name", "game_id"),
    [("beginner", "9x9n10#5"), ("Expert", "16x30n99#5"), ("easy", "9x9n10#5"), ("3x4n2", "3x4n2#5")],
)
def test_a_level_is_dealt_from_the_seed(name: str, game_id: str) -> None:
    assert id_of(name, 5) == game_id
    assert id_of(name, 5, FirstClick.OPENING) == f"{game_id}:opening"


def test_without_a_seed_there_is_one_all_the_same() -> None:
    assert len({id_of("expert") for _ in range(5)}) == 5


def test_an_id_is_the_game() -> None:
    assert id_of("expert#42:opening") == "16x30n99#42:opening"


def test_a_file_named_like_an_id_is_not_mistaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("expert").write_text("not a game", encoding="utf-8")
    assert id_of("expert", 1) == "16x30n99#1"


@pytest.mark.parametrize("name", ["exprt", "expert#", "expert#x", "3x4", "3x4n12", "expert#1:open"])
def test_names_of_no_game_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        find_game(name, None, None)


@pytest.mark.parametrize("extra", [["--seed", "3"], ["--first-click", "any"]])
def test_an_id_has_its_own_seed_and_rule(
    extra: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert run(["play", "expert#1", *extra]) == 2
    assert "are for levels" in capsys.readouterr().err


def test_without_a_terminal_there_is_one_line_and_code_2(capsys: Captured) -> None:
    assert run(["play", "expert"]) == 2
    said = "play needs a terminal to read from and to draw on"
    assert capsys.readouterr().err == f"error: {said} (see: gemhunter play --help)\n"


def test_a_replay_never_replaces_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("1x2n1-3-any.json", "1x2n1-3-any-2.json", "1x2n1-3-any-3.json"):
        assert str(new_path("1x2n1#3:any")) == name
        Path(name).touch()


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({"TERM": "xterm"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True),
        ({"TERM": "dumb"}, True),
        ({"TERM": "vt100"}, True),
        ({"TERM": "vt220"}, True),
        ({}, True),
    ],
)
def test_colours_are_left_out_where_they_are_not_wanted(
    environment: dict[str, str], plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_no_colours() == plain


@pytest.fixture(autouse=True)
def no_command_left_running() -> Iterator[None]:
    """A test that fails leaves no game behind, which would go on without its terminal."""
    yield
    while Terminal.started:
        left = Terminal.started.pop()
        left.kill()
        left.wait()


class Terminal:
    """The command in a terminal of these rows and columns, and everything it writes there."""

    started: ClassVar[list["subprocess.Popen[bytes]"]] = []

    def __init__(
        self,
        *arguments: str,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        program: str = PROGRAM,
        size: tuple[int, int] = (24, 80),
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self._theirs, self._before = theirs, termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
            cwd=folder,
            start_new_session=True,
        )
        self.started.append(self.process)
        self.written = b""

    def wait_for(self, text: str) -> None:
        """Read until the text has been written."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self.written:
            assert time.monotonic() < end, self.written
            if select.select([self._ours], [], [], 0.1)[0]:
                self.written += os.read(self._ours, 65536)

    def type(self, keys: str | bytes) -> None:
        os.write(self._ours, keys if isinstance(keys, bytes) else keys.encode())

    def is_as_before(self) -> bool:
        """Whether the program left the other screen, and the terminal is set as it was."""
        return b"\x1b[?1049l" in self.written and termios.tcgetattr(self._theirs) == self._before

    def vanish(self) -> None:
        """Close the terminal; the program is in a session of its own, so no signal tells it."""
        os.close(self._theirs)
        os.close(self._ours)

    def close(self) -> int:
        """The exit code."""
        code = self.process.wait(PATIENCE)
        while select.select([self._ours], [], [], 0)[0]:
            self.written += os.read(self._ours, 65536)
        os.close(self._ours)
        os.close(self._theirs)
        return code


def test_q_leaves_the_terminal_as_it_was_and_says_which_game_it_was() -> None:
    terminal = Terminal("3x4n2#1")
    terminal.wait_for("quit")
    terminal.type("fq")
    terminal.wait_for("3x4n2#1: left after 0:")
    assert terminal.is_as_before()
    assert terminal.close() == 0


def test_keys_of_another_encoding_do_not_end_the_game() -> None:
    terminal = Terminal("3x4n2#1")
    terminal.wait_for("quit")
    terminal.type(b"\xff\xe9a")
    terminal.type("fq")
    terminal.wait_for("3x4n2#1: left after 0:")
    assert b"Traceback" not in terminal.written
    assert terminal.close() == 0


@pytest.mark.parametrize("name", ["game.mine", "game.mbf", "game.sgt", "game.json", "4x3:0,0,u048"])
def test_a_file_or_an_id_of_the_puzzle_collection_is_opened(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    board = mines("....\n.*..\n*...")
    for form in ("mine", "mbf", "sgt"):
        write_board(f"game.{form}", board)
    write_replay("game.json", new_game(board).reveal(Cell(0, 0)).replay)
    game = find_game(name, None, None)
    assert game.board == board
    assert game.game_id is None
    assert len(game.moves) == (name not in ("game.mine", "game.mbf"))


def test_a_game_that_an_agent_played_in_a_terminal_is_saved_and_opened_again(tmp_path: Path) -> None:
    terminal = Terminal("6x9n8#2:opening", "--watch", "resolution", folder=tmp_path)
    terminal.wait_for("resolution reveals")
    terminal.type("As")
    terminal.wait_for("saved as 6x9n8-2-opening.json")
    terminal.type("q")
    terminal.wait_for(", with an agent")
    assert terminal.close() == 0
    saved = find_game(str(tmp_path / "6x9n8-2-opening.json"), None, None)
    assert str(saved.game_id) == "6x9n8#2:opening"
    assert saved.moves


def test_the_verdict_after_a_loss_is_printed_at_the_end(tmp_path: Path) -> None:
    write_board(tmp_path / "game.mine", mines("*."))
    terminal = Terminal("game.mine", folder=tmp_path)
    terminal.wait_for("quit")
    terminal.type("h ")
    terminal.wait_for("no cell was safer")
    terminal.type("q")
    terminal.wait_for("\x1b[?1049l")
    terminal.wait_for("a game of 1x2n1: lost at r1c1")
    assert terminal.close() == 0
    said = terminal.written.decode().split("\x1b[?1049l")[-1]
    assert "a fair guess: r1c1 had a risk of 50.0 %, and no cell was safer\r\n" in said


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_the_keys_stand_in_the_last_line_of_a_window_of_any_size(unbuffered: str) -> None:
    terminal = Terminal("3x4n2#1", environment={"PYTHONUNBUFFERED": unbuffered}, size=(31, 97))
    terminal.wait_for("quit")
    before, _, _ = terminal.written.partition(b"quit")
    assert re.findall(rb"\x1b\[(\d+);\d+H", before)[-1] == b"31"
    terminal.type("q")
    terminal.wait_for("3x4n2#1: left after 0:")
    assert terminal.close() == 0


def test_a_terminal_that_disappears_ends_the_game() -> None:
    terminal = Terminal("3x4n2#1")
    terminal.wait_for("quit")
    terminal.vanish()
    assert terminal.process.wait(PATIENCE) != 0


@pytest.mark.parametrize(("how", "code"), [("\x03", 130), (signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm_leave_no_mess(how: str | signal.Signals, code: int) -> None:
    terminal = Terminal("3x4n2#1", environment=PLAIN)
    terminal.wait_for("quit")
    if isinstance(how, str):
        terminal.type(how)
    else:
        terminal.process.send_signal(how)
    terminal.wait_for("stopped")
    assert terminal.is_as_before()
    assert terminal.close() == code
    assert terminal.written.isascii()
    assert b"38;5;" not in terminal.written


SIGNALLED_WHERE_EXCEPTIONS_ARE_LOST = """
import os, signal, time
from gemhunter.terminal.game_app import GameApp
class Last:
    def __del__(self):
        os.kill(os.getpid(), getattr(signal, os.environ["SIGNAL"]))
        time.sleep(0.1)
GameApp.on_key = lambda app, event: Last() and None
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_that_arrives_in_a_destructor_still_ends_the_game(name: str, code: int) -> None:
    program = f"{SIGNALLED_WHERE_EXCEPTIONS_ARE_LOST}{PROGRAM}"
    terminal = Terminal("3x4n2#1", environment={"SIGNAL": name}, program=program)
    terminal.wait_for("quit")
    terminal.type("x")
    terminal.wait_for("stopped")
    assert terminal.is_as_before()
    assert terminal.close() == code
