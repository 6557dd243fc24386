"""What only a real process shows: Ctrl-C, a closed pipe, a terminal."""

import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from places import HARD
from processes import descendants_of, end, needs_proc, wait_until

HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"
BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
PROGRAM = "from gemhunter.cli.main import main; main()"
GEMHUNTER = [sys.executable, "-c", PROGRAM]
IMPATIENT = f"import gemhunter.cli.progress as p; p.PATIENCE_SECONDS = p.REDRAW_SECONDS = 0; {PROGRAM}"
"""The program, if it shows progress from the start."""

PATIENCE = 20
"""Seconds after which a process that nobody ends is over by itself, be it that the tests were killed."""


@contextmanager
def started(arguments: list[str], folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """A running command that is over afterwards, however the test ends, with whatever it has started."""
    command = [*GEMHUNTER, *arguments, "--time-limit", str(PATIENCE)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        try:
            yield process
        finally:
            process.terminate()  # no kill: it has to end a solver in another process
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


@needs_proc
@pytest.mark.parametrize(
    ("engine", "workers"),
    [
        ("pysat:cadical153", "1"),
        ("pysat:glucose4", "1"),
        ("pysat:kissat", "1"),
        ("pysat:kissat", "2"),
        pytest.param("pysat:cadical153", "2", marks=pytest.mark.full),
        pytest.param("pysat:glucose4", "2", marks=pytest.mark.full),
    ],
)
def test_ctrl_c_keeps_the_results_there_are(tmp_path: Path, engine: str, workers: str) -> None:
    (tmp_path / "input_1.txt").write_text(BOARD, encoding="utf-8")
    shutil.copy(HARD_BOARD, tmp_path / "input_2.txt")
    command = ["solve", ".", "-e", engine, "--quiet", "--workers", workers]
    with started(command, tmp_path) as process:
        assert process.stdout is not None
        while "T, 3, 1, G" not in process.stdout.readline():
            assert process.poll() is None
        if engine == "pysat:kissat":
            assert wait_until(lambda: descendants_of(process.pid))
        children = descendants_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.strip()) == (130, "stopped")
    assert end(*children)
    assert "T, 3, 1, G" in (tmp_path / "output_1.txt").read_text(encoding="utf-8")
    assert not (tmp_path / "output_2.txt").exists()


@needs_proc
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_the_puzzles_that_are_finished(tmp_path: Path, workers: str) -> None:
    words = ["--count", "200", "-o", "made", "-o", "sheet.svg", "--workers", workers, "--quiet"]
    with started(["generate", "puzzle", "13x13", *words], tmp_path) as process:
        if workers == "2":
            assert wait_until(lambda: len(descendants_of(process.pid)) >= 2)
        before = len(list(tmp_path.glob("made/puzzle-*.txt")))
        assert wait_until(lambda: len(list(tmp_path.glob("made/puzzle-*.txt"))) > before)
        children = descendants_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.strip()) == (130, "stopped")
    assert end(*children)
    puzzles = {path.name.removeprefix("puzzle-") for path in tmp_path.glob("made/puzzle-*.txt")}
    solutions = {path.name.removeprefix("solution-") for path in tmp_path.glob("made/solution-*.txt")}
    assert 0 < len(puzzles) < 200
    assert puzzles <= solutions
    assert " · " in (tmp_path / "sheet.svg").read_text(encoding="utf-8")


def test_a_reader_that_leaves_early_causes_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("\n".join(["_, 1, _" * 1] * 3), encoding="utf-8")
    shell = f"{sys.executable} -c 'from gemhunter.cli.main import main; main()' engines | true"
    done = subprocess.run(["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_menu_that_is_interrupted_says_so(number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [*GEMHUNTER, "menu"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        shown = b""
        while b"q to quit" not in shown:
            shown += os.read(process.stdout.fileno(), 65536)
        for _ in range(5):  # a signal just before Python begins to wait for input is seen too late
            process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(2)
                break
        _, errors = process.communicate()
    assert (process.returncode, errors.strip()) == (code, b"stopped")


@pytest.mark.skipif(os.name == "nt", reason="files have no size limit there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_whole_is_an_error(unbuffered: str, tmp_path: Path) -> None:
    import resource

    board = tmp_path / "board.txt"
    board.write_text("\n".join(["_" * 300] * 300), encoding="utf-8")
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100_000, 100_000))
    with (tmp_path / "out.txt").open("wb") as out:
        done = subprocess.run(
            [*GEMHUNTER, "convert", str(board)],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            preexec_fn=limit,
            stdout=out,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"error: cannot write standard output: file too large\n")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, processes have no limit on memory")
@pytest.mark.parametrize(("name", "words"), [("huge.txt", ["convert"]), ("huge.cnf", ["solve"])])
def test_a_file_for_which_there_is_no_memory_is_named(name: str, words: list[str], tmp_path: Path) -> None:
    import resource

    with (tmp_path / name).open("wb") as stream:
        stream.truncate(200 * 2**20)
    done = subprocess.run(
        [*GEMHUNTER, *words, name],
        cwd=tmp_path,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (400 * 2**20, 400 * 2**20)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (4, f"error: {name}: out of memory\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["samples"],
        ["solve", "sample:5x5"],
        ["solve", "sample:5x5", "--format", "json", "-e", "tables", "-e", "dpll"],
        ["solve", "missing.txt"],
    ],
    ids=" ".join,
)
def test_a_full_standard_output_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*GEMHUNTER, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    message = (
        b"missing.txt" if "missing.txt" in arguments else b"error: cannot write standard output: no space"
    )
    assert message in done.stderr
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


def test_progress_is_shown_on_a_terminal_and_only_there(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    board = tmp_path / f"{'long' * 30}.txt"  # the line shows the end of a path that does not fit
    shutil.copy(HARD_BOARD, board)
    words = ["solve", str(board), "-e", "pysat:glucose4", "--time-limit", "0.2"]
    command = [sys.executable, "-c", IMPATIENT, *words]
    environment = {**os.environ, "TERM": "xterm"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=False)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    assert done.returncode == 3
    assert "longlong.txt pysat:glucose4 0." in shown
    assert b"\x1b" not in done.stdout
    silent = subprocess.run(command, capture_output=True, check=False)
    assert silent.stderr == b""


def test_games_show_progress_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = ["generate", "game", "expert", "--count", "20000", "--workers", "2", "--format", "jsonl"]
    environment, shown = {**os.environ, "TERM": "xterm"}, ""
    with subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=environment,
    ) as process:
        os.close(theirs)
        while "/20000" not in shown:
            shown += os.read(ours, 10_000).decode()
        process.terminate()
    assert process.returncode == 143


def test_answers_are_coloured_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(BOARD, encoding="utf-8")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    subprocess.run(
        [*GEMHUNTER, "solve", "board.txt"], cwd=tmp_path, stdout=theirs, env=environment, check=False
    )
    os.close(theirs)
    assert "\x1b[" in os.read(ours, 100_000).decode()
