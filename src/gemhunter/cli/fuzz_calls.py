"""Runs command lines for `gemhunter fuzz`: in this process, in a folder of their own, without slow work."""

import io
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn
from unittest.mock import patch

import click

from gemhunter.bench.values import Measurement, RunTask, Verdict
from gemhunter.cli.exit_codes import INTERRUPTED, SOLVED, TERMINATED
from gemhunter.cli.main import DEBUG, gemhunter, run
from gemhunter.compiling.choice import Mode, compiling
from gemhunter.errors import InputError
from gemhunter.fuzzing.calls import LONGEST_CALL_SECONDS, LONGEST_WAIT_SECONDS, CallCase, CallResult
from gemhunter.fuzzing.random_calls import CommandFacts, OptionFacts, ValueKind
from gemhunter.fuzzing.seed_files import SEED_DIGEST, SEED_MACHINE, SEED_VERSIONS

PARSED_ONLY = (
    *("play", "menu", "web", "warmup", "fuzz"),
    *("bench suites", "experiment marked-cells", "experiment clues", "experiment difficulty"),
    *("generate puzzle", "generate game", "generate suite"),
)
"""Commands that would take over the terminal or work for long: their arguments are read, and that is all."""

SLOW_WORK = (
    "gemhunter.cli.report.opened_workers",
    "gemhunter.bench.runs.dask_cluster",
    "gemhunter.cli.winrate.dask_cluster",
    "gemhunter.queries.parallel_batch.process_workers",
)
"""Functions that start processes; commands run until they call one of these."""


class HangingError(BaseException):
    """A call that takes too long; not an `Exception`, so that no handler on the way catches it."""


@contextmanager
def calling() -> Iterator[Callable[[CallCase], CallResult]]:
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
        for words, command in _commands():
            if words in PARSED_ONLY:
                stack.enter_context(patch.object(command, "callback", _answer_nothing))
        yield lambda case: _call(case, folder)


def command_facts() -> tuple[CommandFacts, ...]:
    """All commands that have options, and what these take."""
    found = []
    for words, command in _commands():
        options = [option for option in command.params if isinstance(option, click.Option)]
        if options:
            found.append(CommandFacts(words, tuple(map(_option_facts, options))))
    return tuple(found)


def _commands() -> list[tuple[str, click.Command]]:
    """Every command by its words; groups are walked through."""
    return list(_walk(gemhunter, click.Context(gemhunter), ()))


def _walk(
    command: click.Command, context: click.Context, words: tuple[str, ...]
) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    for name in command.list_commands(context):
        part = command.get_command(context, name)
        if part is not None:
            yield from _walk(part, click.Context(part, parent=context, info_name=name), (*words, name))


def _option_facts(option: click.Option) -> OptionFacts:
    spellings = (*option.opts, *option.secondary_opts)
    choices = tuple(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else ()
    return OptionFacts(spellings, _value_kind(option), choices)


def _value_kind(option: click.Option) -> ValueKind:
    if option.is_flag:
        return "flag"
    match option.type:
        case click.Choice():
            return "choice"
        case click.Path(file_okay=False):
            return "folder"
        case click.Path():
            return "file"
        case click.types.IntParamType():
            return "whole"
        case click.types.FloatParamType():
            return "number"
        case _:
            return "text"


def _call(case: CallCase, folder: Path) -> CallResult:
    """Run one case in the folder, which holds nothing but its files then."""
    _empty(folder)
    for name, content in case.files:
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
    if code in (INTERRUPTED, TERMINATED):
        raise KeyboardInterrupt
    before, after = dict(case.files), _contents(folder)
    left = tuple(sorted(after.keys() - before.keys()))
    changed = tuple(name for name in before if after.get(name) != before[name])
    return CallResult(code, crash, output.getvalue(), errors.getvalue(), left, changed)


def _empty(folder: Path) -> None:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)  # noqa: PTH108 - a path that was just listed; quicker than a Path


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        Path(place, name).relative_to(folder).as_posix(): Path(place, name).read_bytes()
        for place, _, names in os.walk(folder)
        for name in names
    }


@contextmanager
def _streams(output: io.BytesIO, errors: io.BytesIO) -> Iterator[None]:
    """Standard streams as in a pipe, with nothing to read."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(output, encoding="utf-8", newline="\n", write_through=True)
    sys.stderr = io.TextIOWrapper(
        errors, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True
    )
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for stream in ours:
            stream.detach()  # keeps the bytes readable


@contextmanager
def _alarm() -> Iterator[None]:
    """Raise `HangingError` when the block works or waits too long, where the system has such alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _ring), signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_PROF, LONGEST_CALL_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_WAIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def _ring(*_signal: object) -> NoReturn:
    raise HangingError


def _where_raised(error: BaseException) -> str:
    """Where an error was raised: the innermost function of this package."""
    package = Path(__file__).parents[1]
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(package) and file != Path(__file__):
            return f" in {file.relative_to(package).as_posix()}, {frame.f_code.co_name}"
    return ""


def _refuse_work(*_given: Any, **_options: Any) -> NoReturn:
    raise InputError("no runs are made while commands are fuzzed")


def _answer_nothing(*_given: Any, **_options: Any) -> int:
    """An empty answer, which is JSON too."""
    click.echo("{}")
    return SOLVED


def _measure_nothing(task: RunTask, *_given: Any, **_options: Any) -> Measurement:
    """A run that was not made."""
    return Measurement(task, Verdict.GAVE_UP, "time limit", {}, {})


def _play_nothing(*_given: Any, **_options: Any) -> Iterator[Any]:
    """No games: what a file holds is shown, and nothing is added to it."""
    yield from ()


STAND_INS: dict[str, Callable[..., Any]] = {
    "gemhunter.cli.winrate.play_missing": _play_nothing,
    "gemhunter.bench.runs.measure": _measure_nothing,
    "gemhunter.bench.runs.are_compiled": lambda _: True,
    "gemhunter.bench.ledger.machine": lambda: SEED_MACHINE,
    "gemhunter.bench.ledger.versions": lambda: SEED_VERSIONS,
    "gemhunter.bench.ledger.sources_digest": lambda: SEED_DIGEST,
    "gemhunter.experiments.ledger.players_digest": lambda _: SEED_DIGEST,
    "gemhunter.cli.winrate.players_digest": lambda _: SEED_DIGEST,
}
"""Quick functions that replace long work, and facts about the machine and the program."""
