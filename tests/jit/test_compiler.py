"""Compiling kernels: what is said meanwhile, clocks that stand still, and Numba without its private parts."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compiled import needs_compiler
from fresh_interpreter import output_of
from gemhunter.cli.exit_codes import show_compiling
from gemhunter.jit import choice as progress
from gemhunter.jit.choice import (
    Mode,
    clock_stopped,
    compiling,
    listening,
    say_once,
    say_progress,
    working_clock,
    working_cpu_clock,
)
from gemhunter.jit.kernel import kernel
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Limits, Run


class Screen(io.StringIO):
    """A terminal that remembers what it was shown."""

    def isatty(self) -> bool:
        return True


@kernel
def one_more(number: int) -> int:
    """A kernel that another one calls."""
    return number + 1


@kernel(estimate=lambda number: 0.0)
def two_more(number: int) -> int:
    """A kernel that has never been compiled before."""
    return one_more(one_more(number))


@needs_compiler
def test_progress_says_how_many_kernels_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    said: list[str] = []

    def hear(line: str, *, lasting: bool) -> None:
        assert not lasting
        said.append(line)

    with compiling(Mode.ALWAYS), listening(hear):
        assert two_more(1) == 3
    first, second, last = (line.partition(", about")[0] for line in said)
    total = int(first.rpartition(" ")[2])
    assert (first, second) == (f"compiling {total - 1} of {total}", f"compiling {total} of {total}")
    assert last == ""
    assert "once per machine" in said[0]


def test_a_terminal_shows_progress_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with listening(show_compiling):
        say_progress("compiling 1 of 2")
        say_progress("")
    assert screen.getvalue() == "\r\x1b[Kcompiling 1 of 2\r\x1b[K"


def test_what_is_no_terminal_sees_lasting_lines_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gemhunter.jit.choice._Process.said", set())
    with listening(show_compiling):
        say_progress("compiling 1 of 2")
        say_once("no Numba")
        say_once("no Numba")
    assert capsys.readouterr().err == "note: no Numba\n"


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that shows the number in the list, in the place of both clocks of the process.

    Nothing was compiled before, so that differences between whole seconds are exact.
    """
    now = [1000.0]
    monkeypatch.setattr(progress._Process, "seconds", 0.0)
    monkeypatch.setattr(progress._Process, "cpu_seconds", 0.0)
    monkeypatch.setattr(progress, "perf_counter", lambda: now[0])
    monkeypatch.setattr(progress, "process_time", lambda: now[0])
    return now


def test_both_clocks_stand_still_while_kernels_are_compiled(watch: list[float]) -> None:
    before, cpu_before = working_clock(), working_cpu_clock()
    watch[0] += 1
    with clock_stopped():
        watch[0] += 10
        with clock_stopped():
            watch[0] += 100
        assert working_clock() - before == 1
    watch[0] += 2
    assert working_clock() - before == 3
    assert working_cpu_clock() - cpu_before == 3


def test_a_time_limit_does_not_count_compiling(watch: list[float]) -> None:
    run = Run(Limits(seconds=2))
    with run.stage("search"), clock_stopped():
        watch[0] += 100
    assert run.spend() is None
    assert run.seconds["search"] == 0
    watch[0] += 2
    assert run.spend() is StopReason.TIME


@needs_compiler
def test_kernels_that_only_kernels_call_become_machine_code_only_within_their_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gemhunter.jit.compiler import compiled

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    outer: Any = compiled(two_more, 1)
    (caller,) = outer.overloads.values()
    (callee,) = outer.py_func.__globals__["one_more"].overloads.values()
    assert caller.library.get_pointer_to_function(caller.fndesc.llvm_cpython_wrapper_name)
    assert not callee.library.get_pointer_to_function(callee.fndesc.llvm_func_name)


FALLBACKS = """
import sys
import numba, numba.core.codegen, numba.core.serialize
from gemhunter.jit import compiler
del numba.core.serialize._numba_unpickle
sys.modules["numba.core.event"] = None
del numba.core.codegen.JITCodeLibrary
compiler.PRIVATE_OPTIONS.update(entry={"other": True}, inner={"other": True}, tight={"other": True})
compiler.compile_for_wide_types = lambda dispatcher: None
del numba.config.CACHE_DIR
import three_kinds
print(three_kinds.sum_of_squares(three_kinds.np.arange(4)), three_kinds.sum_of_squares.is_compiled)
"""

THREE_KINDS = """
import numpy as np
from gemhunter.jit.kernel import kernel, tight_kernel

@tight_kernel
def square(number: int) -> int:
    return number * number

@kernel
def squares(numbers: np.ndarray) -> np.ndarray:
    return np.array([square(number) for number in numbers])

@kernel(estimate=lambda numbers: 1e9)
def sum_of_squares(numbers: np.ndarray) -> int:
    return squares(numbers).sum()
"""


@needs_compiler
def test_kernels_work_where_numba_lacks_all_that_is_not_documented(tmp_path: Path) -> None:
    """Kernels of all kinds: called from Python, called from kernels, and tight ones."""
    (tmp_path / "three_kinds.py").write_text(THREE_KINDS, encoding="utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{FALLBACKS}"
    assert output_of(program, NUMBA_CACHE_DIR=str(tmp_path)) == "14 True\n"


@needs_compiler
def test_ctrl_c_while_kernels_are_compiled_ends_in_one_line(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    board = tmp_path / "board.txt"
    board.write_text("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "GEMHUNTER_COMPILE": "always", "TERM": "xterm"}
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "gemhunter", "solve", str(board), "--engine", "cdcl"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        shown = os.read(ours, 1000).decode()
        assert "compiling 1 of" in shown
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        while "stopped" not in shown:
            shown += os.read(ours, 1000).decode()
    os.close(ours)
    os.close(theirs)
    assert (process.returncode, shown.split("\r\n")[1:]) == (130, ["stopped", ""])


def test_overflow_is_silent_in_plain_kernels_as_in_compiled_ones() -> None:
    @kernel
    def square(numbers: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> int:
        return int(numbers[0] * numbers[0])

    with compiling(Mode.NEVER):
        assert square(np.array([2**40 + 1], np.uint64)) == 2**41 + 1
