"""A call of a command: run in this process, in a folder of its own and without slow work, and judged."""

import io
import json
import os
import re
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NoReturn
from unittest.mock import patch

import click

import gemhunter
from gemhunter.bench.runs import Measurement, RunTask, Verdict
from gemhunter.cli.main import DEBUG, run
from gemhunter.cli.main import gemhunter as all_of_it
from gemhunter.errors import InputError
from gemhunter.jit.choice import Mode, compiling
from seed_files import SEED_DIGEST, SEED_MACHINE, SEED_VERSIONS

PACKAGE = Path(gemhunter.__file__).parent

LONGEST_CALL_SECONDS = 5.0
"""Processor time; a call that takes more hangs. On a busy machine the clock on the wall says little."""

LONGEST_WAIT_SECONDS = 60.0
"""A call that has not ended by then hangs, even if it only waits."""

PARSED_ONLY = (
    *("play", "menu", "web", "warmup", "bench suites"),
    *("experiment marked-cells", "experiment clues", "experiment difficulty"),
    *("generate puzzle", "generate game", "generate suite"),
)
"""Commands that would take over the terminal or work for long: their arguments are read, and that is all."""

SLOW_WORK = (
    "gemhunter.cli.report.opened_workers",
    "gemhunter.bench.runs.dask_cluster",
    "gemhunter.cli.experiment.dask_cluster",
    "gemhunter.work.workers.process_workers",
)
"""Functions that start processes; commands run until they call one of these."""


@dataclass(frozen=True, slots=True)
class CallCase:
    """A command line, to be run in a folder that holds nothing but `files`."""

    kind: Literal["files", "options"]
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of a call; `crash` is what it raised, with its place, and `code` is None then.

    `left` are the files that were not there before, `changed` those that were and are different.
    """

    code: int | None
    crash: str = ""
    output: bytes = b""
    errors: bytes = b""
    left: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


Call = Callable[[CallCase], CallResult]


def verdict(case: CallCase, result: CallResult) -> str | None:
    """What is wrong, in words that are the same for the same fault; None if nothing is."""
    if result.code is None:
        return result.crash
    words, code, form = case.arguments, result.code, _format(case.arguments)
    # An engine that is a program of the user's may fail as it likes.
    runs_program = any("cmd:" in word for word in words)
    if code not in (0, 1, 2, 3, *((10, 20) if form == "sat" else ()), *((4,) if runs_program else ())):
        return f"exit code {code}"
    for name, content in (("output", result.output), ("errors", result.errors)):
        if name == "output" and any(word.endswith(("png", "mbf")) for word in words):
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return f"{name}: not UTF-8"
        if found := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text):
            return f"{name}: control character {found[0]!r}"
        if "Traceback (most recent call last)" in text or "internal error" in text:
            return f"{name}: a traceback"
    # The answer goes to a file, or something other than an answer was asked for.
    is_elsewhere = any(word.startswith(("-o", "--output", "-h", "--help")) for word in words)
    if code and not (result.output or result.errors or is_elsewhere):
        return f"exit code {code} without a word"
    if form in ("json", "jsonl") and code != 2 and not is_elsewhere:
        try:
            for line in [result.output] if form == "json" else result.output.splitlines():
                json.loads(line, parse_constant=int)  # `NaN` and `Infinity` are not JSON, nor ints
        except ValueError:
            return "output: not JSON"
    if any(".gemhunter-" in name for name in result.left):
        return f"left a draft behind: {words[0]}"
    # These write their answers about other boards if one cannot be read, or steps without a drawing.
    if code == 2 and result.left and words[0] not in ("solve", "check", "trace"):
        return f"refused, but left a file behind: {words[0]}"
    if case.kind == "files" and result.changed and ("--resume" not in words or code == 2):
        return "changed a file that it was to read"
    return None


def _format(words: tuple[str, ...]) -> str | None:
    """The value of `--format`, the last one if it is given several times."""
    found = re.findall(r"(?:^|\0)--format[=\0]([^\0]*)", "\0".join(words))
    return found[-1] if found else None


@contextmanager
def calling() -> Iterator[Call]:
    """A function that runs the command line of a case; inside, nothing is compiled and no processes start."""
    with ExitStack() as stack:
        # A folder inside a folder: `..` leads to our own files only.
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="gemhunter-fuzz-")), "calls")
        folder.mkdir()
        stack.enter_context(chdir(folder))
        stack.enter_context(compiling(Mode.NEVER))
        stack.enter_context(patch.dict(os.environ, {DEBUG: "1", "NO_COLOR": "1", "COLUMNS": "100"}))
        for name in SLOW_WORK:
            stack.enter_context(patch(name, _refuse_work))
        for name, stand_in in STAND_INS.items():
            stack.enter_context(patch(name, stand_in))
        for words, command in all_commands():
            if words in PARSED_ONLY:
                stack.enter_context(patch.object(command, "callback", _answer_nothing))
        yield lambda case: _call(case, folder)


@cache
def all_commands() -> list[tuple[str, click.Command]]:
    """Every command by its words; groups are walked through."""

    def walk(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
        if not isinstance(command, click.Group):
            yield " ".join(words), command
            return
        for name in command.list_commands(click.Context(command)):
            part = command.get_command(click.Context(command), name)
            assert part is not None
            yield from walk(part, (*words, name))

    return list(walk(all_of_it, ()))


def _call(case: CallCase, folder: Path) -> CallResult:
    """Run one case in the folder, which holds nothing but its files then."""
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    for name, content in case.files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    output, errors = io.BytesIO(), io.BytesIO()
    code, crash = None, ""
    with _streams(output, errors), _alarm():
        try:
            code = run(case.arguments)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        except HangingError as error:
            crash = f"takes too long{_where_raised(error)}"
        except Exception as error:  # noqa: BLE001 - whatever a command raises is what we are looking for
            crash = f"raised {type(error).__name__}{_where_raised(error)}"
    if code in (130, 143):  # Ctrl-C is meant for the search, not only for the command
        raise KeyboardInterrupt
    after = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    left = tuple(sorted(after.keys() - case.files.keys()))
    changed = tuple(name for name, content in case.files.items() if after.get(name) != content)
    return CallResult(code, crash, output.getvalue(), errors.getvalue(), left, changed)


@contextmanager
def _streams(output: io.BytesIO, errors: io.BytesIO) -> Iterator[None]:
    """Standard streams as in a pipe, with nothing to read."""
    out = io.TextIOWrapper(output, encoding="utf-8", newline="\n", write_through=True)
    err = io.TextIOWrapper(errors, "utf-8", "backslashreplace", newline="\n", write_through=True)
    nothing = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", nothing):
            yield
    finally:
        out.detach()  # keeps the bytes readable
        err.detach()


class HangingError(BaseException):
    """A call that takes too long; not an `Exception`, so that no handler on the way catches it."""


@contextmanager
def _alarm() -> Iterator[None]:
    """Raise `HangingError` when the block works or waits too long, where the system has such alarms."""

    def ring(*_signal: object) -> NoReturn:
        raise HangingError

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    alarms = (
        (signal.SIGPROF, signal.ITIMER_PROF, LONGEST_CALL_SECONDS),
        (signal.SIGALRM, signal.ITIMER_REAL, LONGEST_WAIT_SECONDS),
    )
    before = [signal.signal(number, ring) for number, _, _ in alarms]
    for _, timer, seconds in alarms:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(alarms, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def _where_raised(error: BaseException) -> str:
    """Where an error was raised: the innermost function of the package."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(PACKAGE):
            return f" in {file.relative_to(PACKAGE).as_posix()}, {frame.f_code.co_name}"
    return ""


def _refuse_work(*_given: Any, **_options: Any) -> NoReturn:
    raise InputError("no runs are made while commands are fuzzed")


def _answer_nothing(*_given: Any, **_options: Any) -> int:
    """An empty answer, which is JSON too."""
    click.echo("{}")
    return 0


def _measure_nothing(task: RunTask, *_given: Any, **_options: Any) -> Measurement:
    """A run that was not made."""
    return Measurement(*task, Verdict.GAVE_UP, "time limit", {}, {}, None)


def _play_nothing(*_given: Any, **_options: Any) -> Iterator[Any]:
    """No games: what a file holds is shown, and nothing is added to it."""
    yield from ()


STAND_INS: dict[str, Callable[..., Any]] = {
    "gemhunter.cli.experiment.play_missing": _play_nothing,
    "gemhunter.bench.runs.measure": _measure_nothing,
    "gemhunter.bench.runs.are_compiled": lambda _: True,
    "gemhunter.bench.ledger.machine": lambda: SEED_MACHINE,
    "gemhunter.bench.ledger.versions": lambda: SEED_VERSIONS,
    "gemhunter.bench.ledger.sources_digest": lambda: SEED_DIGEST,
    "gemhunter.experiments.winrate.players_digest": lambda _: SEED_DIGEST,
    "gemhunter.cli.experiment.players_digest": lambda _: SEED_DIGEST,
}
"""Quick functions that replace long work, and facts about the machine and the program."""
