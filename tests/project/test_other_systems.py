"""Windows and macOS: nothing needs `fork`, `fcntl`, `resource`, POSIX signals, `/proc` or UTF-8 output."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from gemhunter.cli.exit_codes import wants_no_colours
from gemhunter.engines import commands as command
from gemhunter.errors import InputError
from gemhunter.work.ledger import new_ledger
from places import HARD, ROOT

pytestmark = pytest.mark.full

OTHER_SYSTEM = ROOT / "tests" / "other_system"
HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"
GEMHUNTER = "from gemhunter.cli.main import main; main()"
BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
REPLAY = '{"format": "gemhunter-replay", "version": 1, "mines": ["*."], "moves": [], "gave_up": true}'
WIN_RATE = ("experiment", "winrate", "--games", "3", "--level", "beginner", "--workers", "1")

NEEDS_MINISAT = pytest.mark.skipif(shutil.which("minisat") is None, reason="minisat is not installed here")

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a Python program in a folder with a board and its answer."""
    (tmp_path / "board.txt").write_text(BOARD, encoding="utf-8")
    for name in ("answer.txt", "宝石.txt"):
        (tmp_path / name).write_text(ANSWER, encoding="utf-8")
    (tmp_path / "game.json").write_text(REPLAY, encoding="utf-8")

    def program(code: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
        )

    return program


@pytest.fixture
def run_elsewhere(run: Run) -> Run:
    """Runs a Python program on a system that lacks what not every system has."""
    path = os.pathsep.join(filter(None, [str(OTHER_SYSTEM), os.environ.get("PYTHONPATH")]))
    return lambda code, *arguments: run(code, *arguments, PYTHONPATH=path)


@pytest.mark.skipif(os.name != "posix", reason="nothing has to be taken away here")
@pytest.mark.parametrize(
    "needs",
    [
        "import fcntl",
        "import resource",
        "import os; os.fork()",
        "import os; os.killpg",
        "from signal import SIGKILL",
        "from signal import SIGBUS",
        "from signal import pthread_sigmask",
        "open('/proc/self/statm')",
        "import os; os.open('/proc/self/statm', 0)",
    ],
)
def test_the_other_system_lacks_what_it_should(needs: str, run: Run, run_elsewhere: Run) -> None:
    assert run_elsewhere(needs).returncode == 1
    assert "os.fork" in needs or "/proc" in needs or run(needs).returncode == 0


def test_every_module_can_be_imported_there(run_elsewhere: Run) -> None:
    code = """
import gemhunter, importlib, pkgutil
for module in pkgutil.walk_packages(gemhunter.__path__, "gemhunter."):
    importlib.import_module(module.name)
"""
    done = run_elsewhere(code)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["solve", "board.txt"], ANSWER),
        (["solve", "board.txt", "-e", "pysat:cadical195"], ANSWER),
        (["solve", "board.txt", "-e", "cdcl"], ANSWER),
        (["solve", "board.txt", "-e", "pysat:lingeling"], ANSWER),
        pytest.param(["solve", "board.txt", "-e", "cmd:minisat"], ANSWER, marks=NEEDS_MINISAT),
        (["solve", "board.txt", "-o", "filled.txt", "-q"], ""),
        (["analyse", "board.txt"], "unique: yes"),
        (["check", "board.txt", "answer.txt"], "answer.txt: right"),
        (["engines", "-q"], "pysat:cadical195"),
        ([*WIN_RATE, "-o", "games.jsonl"], "expert  beginner  3"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_command_works_there(arguments: list[str], expected: str, run_elsewhere: Run) -> None:
    done = run_elsewhere(GEMHUNTER, *arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    assert expected in done.stdout.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("engine", ["pysat:lingeling", pytest.param("cmd:minisat", marks=NEEDS_MINISAT)])
def test_a_child_is_ended_at_the_time_limit_there(engine: str, run_elsewhere: Run) -> None:
    done = run_elsewhere(GEMHUNTER, "solve", str(HARD_BOARD), "-e", engine, "--time-limit", "0.3")
    assert (done.returncode, done.stderr) == (3, b"")
    assert b"time limit reached" in done.stdout


@pytest.mark.parametrize("engine", ["auto", "pysat:lingeling", "cmd:minisat"])
def test_a_memory_limit_that_cannot_be_kept_there_is_refused(engine: str, run_elsewhere: Run) -> None:
    done = run_elsewhere(GEMHUNTER, "solve", "board.txt", "-e", engine, "--memory-limit", "1GB")
    assert (done.returncode, done.stderr.decode().strip()) == (
        2,
        f"error: {engine} cannot keep a memory limit",
    )


def test_a_game_is_played_there(tmp_path: Path) -> None:
    """In a terminal, because `play` asks for one, but on a screen that is not there."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    textual = {
        "TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver",
        "TEXTUAL_PRESS": "space,question_mark,a,q",
    }
    done = subprocess.run(
        [sys.executable, "-c", GEMHUNTER, "play", "beginner#1"],
        cwd=tmp_path,
        env={**os.environ, **textual, "PYTHONPATH": str(OTHER_SYSTEM)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as screen:
        assert "9x9n10#1: left after 0:0" in screen.read(100_000).decode()
    assert done.returncode == 0


PRINTED = {
    "solve board.txt": "T, 3, 1, G",
    "analyse board.txt": "unique: yes",
    " ".join(WIN_RATE): "0.00 ±0.00",
    "check board.txt 宝石.txt": "??.txt: right",
    "hint board.txt --rung 4 -q": "4 of 5",
    "watch beginner#1": "won",
    "replay game.json": "stuck after 0 moves",
    "engines -q": "backtracking",
}
"""Commands, and a part of what each prints."""

ONE_AFTER_THE_OTHER = """
import sys
from gemhunter.cli.main import main
for command in sys.argv[1:]:
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as end:
        print("exit code", end.code)
"""


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "latin-1"])
def test_what_cannot_be_printed_is_replaced(encoding: str, run: Run) -> None:
    done = run(ONE_AFTER_THE_OTHER, *PRINTED, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    *outputs, rest = done.stdout.decode(encoding).replace("\r\n", "\n").split("exit code 0\n")
    assert (len(outputs), rest) == (len(PRINTED), "")
    for output, expected in zip(outputs, PRINTED.values(), strict=True):
        assert expected in output


def windows_locks(monkeypatch: pytest.MonkeyPatch, locking: Callable[[int, int, int], None]) -> None:
    """Locks files as Windows does, by a function of the module `msvcrt`."""
    msvcrt = ModuleType("msvcrt")
    msvcrt.__spec__ = ModuleSpec("msvcrt", None)
    vars(msvcrt).update(LK_NBLCK=2, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "fcntl", None)


def test_on_windows_a_byte_far_behind_the_end_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: list[tuple[int, ...]] = []
    windows_locks(monkeypatch, lambda file, *how: locked.append((os.lseek(file, 0, os.SEEK_CUR), *how)))
    with new_ledger(tmp_path / "games.jsonl") as records:
        assert locked == [(2**30, 2, 1)]
        assert records._stream.tell() == 0
    assert (tmp_path / "games.jsonl").read_bytes() == b""


def test_on_windows_nobody_else_writes_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_held(*_: int) -> None:
        raise PermissionError(13, "Permission denied")

    windows_locks(monkeypatch, is_held)
    with (
        pytest.raises(InputError, match="another process is writing to"),
        new_ledger(tmp_path / "games.jsonl"),
    ):
        pass


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (r"C:\solvers\cadical.exe -q", (r"C:\solvers\cadical.exe", "-q")),
        (r'"C:\Program Files\cadical.exe" -q', (r"C:\Program Files\cadical.exe", "-q")),
        ("minisat.exe", ("minisat.exe", "{in}", "{out}")),
    ],
)
def test_on_windows_a_command_has_backslashes_between_folders(
    typed: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.work.command_words.ESCAPE", "")
    assert command.make_solver(typed).program.command.words == words


def test_elsewhere_a_backslash_quotes_a_blank() -> None:
    assert command.make_solver(r"my\ solver -q").program.command.words == ("my solver", "-q")


def test_windows_has_colours_though_it_names_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        assert not wants_no_colours()
