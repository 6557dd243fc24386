"""Programs that answer lines: their answers, and errors of those that do not answer."""

import sys
from io import BytesIO
from math import isnan
from pathlib import Path

import pytest

from gemhunter.errors import EngineError
from gemhunter.work.child_process import OUTPUT_LIMIT
from gemhunter.work.line_program import LineProgram, PrintedLines
from processes import needs_proc, wait_until

ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"
DEAD = "import sys\nsys.stdin.readline()\nsys.exit('no licence')"
QUIET_END = "import sys\nsys.stdin.readline()"
SILENT = "import sys, time\nsys.stdin.readline()\ntime.sleep(600)"
DEAF = "import time\ntime.sleep(600)"


def program(text: str) -> LineProgram:
    return LineProgram("cmd:test", (sys.executable, "-c", text))


def test_every_line_gets_its_answer() -> None:
    echo = program(ECHO)
    assert [echo.ask(line, 60.0) for line in ("one", "two words", "drei")] == ["ONE", "TWO WORDS", "DREI"]
    echo.end()


def test_a_program_that_dies_is_quoted() -> None:
    dead = program(DEAD)
    with pytest.raises(EngineError, match=r"^cmd:test: failed with exit code 1: no licence$"):
        dead.ask("position", 60.0)
    dead.end()


def test_a_program_that_ends_without_an_answer_is_named() -> None:
    ended = program(QUIET_END)
    with pytest.raises(EngineError, match=r"^cmd:test: ended without an answer$"):
        ended.ask("position", 60.0)
    with pytest.raises(EngineError, match=r"^cmd:test: ended without an answer$"):
        ended.ask("position", 60.0)
    ended.end()


@needs_proc
@pytest.mark.parametrize("text", [SILENT, DEAF])
def test_a_program_that_takes_too_long_is_ended(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.work.line_program.ENDING_SECONDS", 0.1)
    silent = program(text)
    with pytest.raises(EngineError, match=r"^cmd:test: no answer within 0.2 s to: position$"):
        silent.ask("position", 0.2)
    assert wait_until(lambda: silent._process.wait(0) is not None)


WORKING = """
import sys, time
sys.stdin.readline()
while time.process_time() < 0.2: pass
print("done", flush=True)
sys.stdin.readline()
"""
STARTS_ANOTHER = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {WORKING!r}])"


@needs_proc
@pytest.mark.parametrize("text", [WORKING, STARTS_ANOTHER])
def test_the_processor_time_of_a_program_is_known_while_it_runs(text: str) -> None:
    working = program(text)
    working.ask("position", 60.0)
    used = working.cpu_seconds
    working.end()
    assert 0.19 <= used <= 60.0


def test_the_processor_time_of_a_program_is_not_known_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.work.line_program.PROCESSES", Path("/nowhere"))
    echo = program(ECHO)
    assert isnan(echo.cpu_seconds)
    echo.end()


def test_lines_that_nobody_reads_are_not_kept_without_end() -> None:
    class Endless(BytesIO):
        def readline(self, _: int | None = -1, /) -> bytes:
            return b"y\n"

    lines = PrintedLines(Endless(), OUTPUT_LIMIT)
    assert wait_until(lambda: lines._size > 2**20)
    assert lines._size < 2**20 + 100
    assert lines.get(60.0) == b"y\n"
    lines.close()


def test_a_line_without_end_is_an_error() -> None:
    endless = LineProgram("cmd:test", (sys.executable, "-c", "print('x' * 2000)"), line_limit=1000)
    with pytest.raises(EngineError, match=r"^cmd:test: printed a line of more than 1,000 bytes$"):
        endless.ask("position", 60.0)
    endless.end()


def test_errors_without_end_are_an_error() -> None:
    endless = program("import sys\nwhile True: sys.stderr.write('x' * 10**6)")
    with pytest.raises(EngineError, match=r"^cmd:test: printed more than 16,777,216 bytes$"):
        endless.ask("position", 60.0)
    endless.end(seconds=0)


def test_a_program_that_closes_its_output_but_stays_has_ended_without_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gemhunter.work.line_program.ENDING_SECONDS", 0.1)
    silent = program("import os, time\nos.close(1)\ntime.sleep(600)")
    with pytest.raises(EngineError, match=r"^cmd:test: ended without an answer$"):
        silent.ask("position", 60.0)
    silent.end(seconds=0)


def test_a_missing_program_is_named() -> None:
    with pytest.raises(EngineError, match=r"^cmd:test: no program named 'no-such-player' on this machine$"):
        LineProgram("cmd:test", ("no-such-player",))


def test_a_program_ends_with_its_input() -> None:
    echo = program(ECHO)
    echo.ask("one", 60.0)
    echo.end()
    assert echo._process.wait(0) == 0
