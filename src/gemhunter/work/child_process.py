"""Child processes under limits: how one is started, watched and ended, and what its exit means.

`run_child` runs a program to its end; a `BoardProgram` is a student's program that fills in a board. A
`LineProgram` answers line by line. A `TimedChild` is a module of this package that does one task after
another under a time limit.
"""

import json
import os
import re
import shlex
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from math import nan
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from types import MappingProxyType
from typing import IO, Any, Self, TypeVar, cast

from gemhunter.errors import EngineError, InputError
from gemhunter.work import memory
from gemhunter.work.supervisor import ChildProcess, start_process

Reason = TypeVar("Reason")

CHILD_POLL_SECONDS = 0.05
ENDING_SECONDS = 2.0
"""How long a program may take to end after its input is closed."""

OUTPUT_LIMIT = 16 * 2**20
"""Bytes that a program may print, write to standard error, or write as its answer."""

FOLDER_VARIABLE = "GEMHUNTER_CHILD_FOLDER"
"""Names the folder of a `TimedChild`: the folders of its own children lie there, even if it is killed."""

LAST_BYTES = 2000
"""How much of the end of a failed child's output is read."""


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """A program to start: its name in messages, and the words of its command, the path of its file first.

    `environment` adds to our own environment variables. `memory` is a limit in bytes. `folder` is where it
    starts, if not in the current folder, and `text` is its standard input.
    """

    name: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    memory: int | None = None
    folder: Path | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended: its exit code or minus the signal's number, what it printed, and its last errors."""

    code: int
    output: bytes
    errors: bytes

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether a child under a memory limit failed because it got no more memory.

        Many programs do not check whether they got the memory, and crash; some crash while they are loaded.
        """
        if self.code == 0:
            return False
        return (
            memory.ran_out(self.output[-LAST_BYTES:] + self.errors)
            # By name, as Windows does not have all of them.
            or _signal_name(-self.code) in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGKILL")
            or self.code == 127  # it cannot be loaded
        )

    @property
    def failure(self) -> str:
        """What went wrong with a child that failed, with the last line that it wrote to standard error."""
        if self.code < 0:
            return self.with_last_words(f"ended by {_signal_name(-self.code)}")
        return self.with_last_words(f"failed with exit code {self.code}")

    def with_last_words(self, message: str) -> str:
        """The message, and after it the last line that the child wrote to standard error."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return f"{message}: {lines[-1].strip()[:200]}" if lines else message


def _signal_name(number: int) -> str:
    known = {member.value: member.name for member in signal.Signals}
    return known.get(number, f"signal {number}")


@contextmanager
def child_folder() -> Iterator[Path]:
    """A temporary folder for the files of a child, removed at the end of the block.

    If they do not fit on the disk, it is an `EngineError` that names the folder of all temporary files.
    """
    place = os.environ.get(FOLDER_VARIABLE)
    # Errors are ignored because on Windows a file that is still open elsewhere cannot be removed.
    with tempfile.TemporaryDirectory(prefix="gemhunter-", dir=place, ignore_cleanup_errors=True) as name:
        try:
            yield Path(name)
        except OSError as error:
            if error.filename is not None:
                raise
            reason = (error.strerror or str(error)).lower()
            raise EngineError(f"cannot write to {Path(name).parent}: {reason}") from None


def module_command(name: str, module: str, *arguments: str) -> ChildCommand:
    """The command of a module of this package, in an interpreter that ignores the current folder."""
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return ChildCommand(name, (sys.executable, "-P", "-m", module, *arguments), {"PYTHONPATH": path})


def run_child(
    command: ChildCommand,
    *,
    seconds_left: Callable[[], float | None],
    stop: Callable[[], Reason | None],
    output_limit: int = OUTPUT_LIMIT,
) -> Exit | Reason:
    """Run a command to its end, or until `stop` returns a reason; no process that it started keeps running.

    `stop` is called several times a second, and when `seconds_left`, unless that is None, have passed. A
    command that prints more than `output_limit` bytes is ended, with an `EngineError`.
    """
    # The files have no names, so the program cannot put anything in their place.
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(command.text.encode())
        given.seek(0)
        process = _start(command, (given.fileno(), output.fileno(), errors.fileno()))
        try:
            code = None
            while code is None:
                left = seconds_left()
                code = process.wait(CHILD_POLL_SECONDS if left is None else min(CHILD_POLL_SECONDS, left))
                for file in (output, errors):
                    _require_moderate(command.name, file, output_limit)
                if code is None and (reason := stop()) is not None:
                    return reason
        finally:
            process.end()
        return Exit(code, _end_of(output, output_limit), _end_of(errors, LAST_BYTES))


def _start(command: ChildCommand, streams: tuple[int, int, int]) -> ChildProcess:
    """Start a program with these files as its input, output and errors."""
    environment = {**os.environ, **command.environment}
    try:
        return start_process(
            command.words, streams, environment, folder=command.folder, memory=command.memory
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise EngineError(f"{command.name}: cannot be started: {why}") from None


def _require_moderate(name: str, file: IO[bytes], limit: int) -> None:
    """Raise an `EngineError` that names the program if it has written more than this many bytes to a file."""
    if os.fstat(file.fileno()).st_size > limit:
        raise EngineError(f"{name}: printed more than {limit:,} bytes")


def _end_of(file: IO[bytes], most: int) -> bytes:
    """The last bytes of a file, at most this many."""
    file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
    return file.read(most)


# The words of a command that a person has typed, as for `cmd:` engines and agents.

COMMAND_PREFIX = "cmd:"

ESCAPE = "" if os.sep == "\\" else "\\"
"""Quotes the next character of a command, except on Windows, where a backslash separates folders."""


def path_of_program(program: str, engine: str) -> str:
    """The file of a program; an `EngineError` that names the engine if there is none."""
    path = shutil.which(program)
    if path is None:
        raise EngineError(f"{engine}: no program named {program!r} on this machine")
    return path


def command_words(command: str, example: str, prefix: str = COMMAND_PREFIX) -> tuple[str, ...]:
    """The program and its arguments, with quotes as in a shell; an error shows the `example`."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    try:
        words = tuple(lexer)
    except ValueError as error:
        raise InputError(f"{prefix}{command}: {str(error).lower()}") from None
    if not words:
        raise InputError(f"{prefix} needs the program to run, such as {prefix}{example}")
    return words


# A student's program for boards: it gets a board, and prints it filled in or writes a file.
#
# Most such programs take no arguments: they read numbers from their standard input, a board from a fixed
# path, and write the answer to another. So a program can get a board in any of three ways.

BOARD_WORD, FOLDER_WORD = "{board}", "{student}"

COPY_LIMIT = 200 * 2**20
"""Bytes that a folder copied for a program may contain."""

NOT_COPIED = (".git", ".venv", "venv", "node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class BoardProgram:
    """A program, its name in messages, and how it gets a board.

    `{board}` in its arguments stands for the board file, and `{student}` for the folder in which it starts.
    If there is a `place`, the board is put there in that folder. With neither, the board is the program's
    input, unless `stdin` has other input. The answer is what it prints, or what it writes to `answer` in
    that folder. It starts in a copy of `folder` if it `is_copied`, or if files are put there.
    """

    name: str
    words: tuple[str, ...]
    stdin: str = ""
    place: str = ""
    answer: str = ""
    folder: Path = Path()
    is_copied: bool = False

    def __post_init__(self) -> None:
        for name in (self.place, self.answer):
            if re.match(r"[/\\]|\w:", name) or ".." in Path(name).parts:
                raise InputError(f"expected a file inside the folder of the program, not {name!r}")

    def answer_to(
        self,
        board: str,
        *,
        seconds_left: Callable[[], float | None],
        stop: Callable[[], Reason | None],
        memory: int | None = None,
        running: AbstractContextManager[object] | None = None,
    ) -> tuple[bytes, Exit] | Reason:
        """The program's answer to a board and how it ended, or the reason why it was stopped.

        `running` is entered before the program starts and left when it has ended.
        """
        try:
            with child_folder() as files:
                return self._answer_to(board, files, seconds_left, stop, memory, running)
        except OSError as error:
            if isinstance(error, shutil.Error):  # a list of those of several files
                why = error.args[0][0][2]
            else:
                where = f"{Path(error.filename).name}: " if error.filename else ""
                why = where + (error.strerror.lower() if error.strerror else str(error))
            raise EngineError(f"{self.name}: its folder cannot be used: {why}") from None

    def _answer_to(
        self,
        board: str,
        files: Path,
        seconds_left: Callable[[], float | None],
        stop: Callable[[], Reason | None],
        memory: int | None,
        running: AbstractContextManager[object] | None,
    ) -> tuple[bytes, Exit] | Reason:
        file = files / "board.txt"
        file.write_text(f"{board}\n", encoding="utf-8")
        home = self._home(files)
        if self.place:
            placed = self._without_links(home, self.place)
            placed.parent.mkdir(parents=True, exist_ok=True)
            placed.unlink(missing_ok=True)
            with placed.open("xb") as stream:
                stream.write(file.read_bytes())
        if self.answer:
            # An older answer must not be graded.
            self._without_links(home, self.answer).unlink(missing_ok=True)
        words = [word.replace(BOARD_WORD, str(file)).replace(FOLDER_WORD, str(home)) for word in self.words]
        executable = path_of_program(words[0], self.name)
        is_input = not self.place and not any(BOARD_WORD in word for word in self.words)
        text = self.stdin or (f"{board}\n" if is_input else "")
        command = ChildCommand(self.name, (executable, *words[1:]), memory=memory, folder=home, text=text)

        def reason_to_stop() -> Reason | None:
            if self.answer:
                self._written(home)
            return stop()

        with running or nullcontext():
            ended = run_child(command, seconds_left=seconds_left, stop=reason_to_stop)
        if not isinstance(ended, Exit):
            return ended
        if not self.answer:
            return ended.output, ended
        written = self._written(home)
        if written is None:
            raise EngineError(f"{self.name}: {ended.with_last_words(f'wrote no file {self.answer}')}")
        return written.read_bytes(), ended

    def _written(self, home: Path) -> Path | None:
        """The file that the program wrote its answer to, if there is one."""
        written = self._without_links(home, self.answer)
        try:
            state = written.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(state.st_mode):
            return None
        if state.st_size > OUTPUT_LIMIT:
            raise EngineError(f"{self.name}: wrote more than {OUTPUT_LIMIT:,} bytes")
        return written

    def _without_links(self, home: Path, name: str) -> Path:
        """The path of a file in the program's folder; an `EngineError` if a link leads there."""
        for folder in Path(name).parents:  # the last one is the program's folder, which it can replace too
            if _is_link(home / folder):
                raise EngineError(f"{self.name}: {folder} is a link, which is not followed")
        return home / name

    def _home(self, files: Path) -> Path:
        """Where the program starts."""
        if not (self.is_copied or self.place or self.answer):
            return self.folder.resolve()
        size = 0
        for path, folders, names in os.walk(self.folder):
            folders[:] = (name for name in folders if name not in NOT_COPIED)
            size += sum(os.lstat(os.path.join(path, name)).st_size for name in names)  # noqa: PTH118
            if size > COPY_LIMIT:
                limit = f"{self.folder.resolve()} has more than {COPY_LIMIT // 2**20} MB"
                raise InputError(f"the program works in a copy of its folder, and {limit}")
        return Path(shutil.copytree(self.folder, files / "home", ignore=_not_copied, symlinks=True))


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """What is left out of a copy: what tools have put there, pipes, sockets and devices."""
    kinds = (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)
    others = [name for name in names if stat.S_IFMT(Path(folder, name).lstat().st_mode) not in kinds]
    return [*NOT_COPIED, *others]


def _is_link(path: Path) -> bool:
    """Whether a path is a link or, on Windows, a junction, which Python recognises since 3.12."""
    return path.is_symlink() or getattr(os.path, "isjunction", os.path.islink)(path)


def unescaped(text: str) -> str:
    """Input that was typed in a command, with a line end for each `\\n`, and one after the last line."""
    lines = text.replace("\\r", "").replace("\\n", "\n")
    return lines if not lines or lines.endswith("\n") else f"{lines}\n"


# A program that answers each line with a line, as long as it is needed.

PROCESSES = Path("/proc")


def start_with_pipes(
    command: ChildCommand, errors: IO[bytes], line_limit: int
) -> tuple[ChildProcess, IO[bytes], "PrintedLines"]:
    """Start a program that reads and prints lines; returns the process, its input, and the lines it prints.

    What it writes to standard error goes to `errors`.
    """
    given, our_end = os.pipe()
    their_output, printed = os.pipe()
    ours = os.fdopen(our_end, "wb"), os.fdopen(their_output, "rb")
    try:
        process = _start(command, (given, printed, errors.fileno()))
    except EngineError:
        for stream in ours:
            stream.close()
        raise
    finally:
        os.close(given)
        os.close(printed)
    return process, ours[0], PrintedLines(ours[1], line_limit)


class PrintedLines:
    """The lines that a program prints; a thread reads ahead, up to a megabyte, and closes the stream.

    `has_long_line` says that the lines end with one of more than `limit` bytes.
    """

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self.has_long_line = False
        self._stream, self._limit = stream, limit
        self._changed = Condition()
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._is_over = self._is_closed = False
        # A pipe cannot be read with a time limit on every system; a queue can.
        Thread(target=self._read, daemon=True).start()

    def get(self, seconds: float) -> bytes | None:
        """The next line, empty at their end; None if there is none within this many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._is_over, seconds)
            if not self._lines:
                return b"" if self._is_over else None
            line = self._lines.popleft()
            self._size -= sys.getsizeof(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Read no more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _read(self) -> None:
        with self._stream:
            while not self._is_closed and (line := self._stream.readline(self._limit + 1)):
                if len(line) > self._limit:
                    self.has_long_line = True
                    break
                with self._changed:
                    self._changed.wait_for(lambda: self._size < 2**20 or self._is_closed)
                    self._lines.append(line)
                    self._size += sys.getsizeof(line)
                    self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()


class LineProgram:
    """A running program that answers line by line; if it fails, an `EngineError` names it."""

    def __init__(
        self,
        name: str,
        words: tuple[str, ...],
        environment: Mapping[str, str] = MappingProxyType({}),
        line_limit: int = OUTPUT_LIMIT,
    ) -> None:
        """`environment` adds to our own environment variables; no line has more than `line_limit` bytes."""
        executable = path_of_program(words[0], name)
        self._name, self._line_limit = name, line_limit
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the program
        try:
            command = ChildCommand(name, (executable, *words[1:]), environment)
            self._process, self._input, self._lines = start_with_pipes(command, self._errors, line_limit)
        except EngineError:
            self._errors.close()
            raise

    def ask(self, line: str, seconds: float) -> str:
        """The program's answer to a line; `EngineError` if it takes longer than this many seconds."""
        self.send(line)
        answer = self.receive(seconds)
        if answer is None:
            self.end()
            raise EngineError(f"{self._name}: no answer within {seconds:g} s to: {line[:200]}")
        return answer

    def send(self, line: str) -> None:
        """Send the program a line."""
        with suppress(OSError):  # it has ended, which `receive` reports
            self._input.write(f"{line}\n".encode())
            self._input.flush()

    def receive(self, seconds: float) -> str | None:
        """The next line of the program, or None if there is none within this many seconds."""
        until = time.monotonic() + seconds
        answer = None
        while answer is None and (left := until - time.monotonic()) > 0:
            answer = self._lines.get(min(left, CHILD_POLL_SECONDS))
            _require_moderate(self._name, self._errors, OUTPUT_LIMIT)
        if answer is None:
            return None
        if answer:
            return answer.decode("utf-8", "replace").strip()
        if self._lines.has_long_line:
            raise EngineError(f"{self._name}: printed a line of more than {self._line_limit:,} bytes")
        if (code := self._process.wait(ENDING_SECONDS)) is None:
            code = 0  # it has closed its output, but still runs
        ended = Exit(code, b"", _end_of(self._errors, LAST_BYTES))
        raise EngineError(
            f"{self._name}: {ended.failure if code else ended.with_last_words('ended without an answer')}"
        )

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the program and the processes it has started; not a number if not known.

        Only Linux reports it. Windows reports the time of a running process, but not of those it has started;
        `python` in a virtual environment only starts another `python` there.
        """
        try:
            processes = [process for process in PROCESSES.iterdir() if process.name.isdigit()]
        except OSError:
            return nan
        ticks = 0
        for process in processes:
            with suppress(OSError):  # it has just ended
                # The name of the program, in brackets, may contain anything. After it come the state, the
                # parent, the group, the session, and from the 12th field on the time in user and in system
                # mode, of the process and of those it has started and waited for.
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[3]) == self._process.pid:
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self, seconds: float = ENDING_SECONDS) -> None:
        """Close the program's input, which ends it; what still runs after this many seconds is killed."""
        with suppress(OSError):
            self._input.close()
        self._lines.close()
        self._process.wait(seconds)
        self._process.end()
        self._errors.close()


# A module of this package that does one task after another under a time limit.
#
# Tasks and results are lines of JSON on its standard input and output. Before its result, the child sends a
# line when the clock of the task starts, and lines about compiling, each of which resets the clock. The last
# of these is empty.

STARTING_SECONDS = 600.0
"""How long a child may take before its clock starts."""

SLACK_SECONDS = 1.0
"""A child may exceed its time limit by this and a tenth of the limit; then it is ended."""

CANCELLED, TOO_LATE, NEVER_STARTED = "cancelled", "time limit", "did not start"

CLOCK, COMPILING, RESULT = "clock", "compiling", "result"
"""What a child sends: that its clock has started, a line about compiling, or a result."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A child that was ended from outside: `CANCELLED`, `TOO_LATE` or `NEVER_STARTED`."""

    reason: str


def ignore_line(line: str) -> None:
    """Ignore a line about compiling."""


class ChildClock:
    """Times a task from outside: whether its clock has started, and whether its time is over."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = seconds * 1.1 + SLACK_SECONDS
        self._clock, self._created = clock, clock()
        self._began: float | None = None

    def hear(self, kind: str) -> None:
        """Start or reset the clock after a line of this kind from the child."""
        if kind == CLOCK or (kind == COMPILING and self._began is not None):
            self._began = self._clock()

    def reason_to_stop(self) -> Stopped | None:
        """Why to end the child now, if there is a reason."""
        if self._began is None:
            return Stopped(NEVER_STARTED) if self._clock() - self._created > STARTING_SECONDS else None
        return Stopped(TOO_LATE) if self._clock() - self._began > self._limit else None


class TimedChild:
    """A module of this package in a new process, in which it calls `serve_tasks`.

    `folder` is for files that tasks need; it is removed when the process is ended.
    """

    def __init__(self, name: str, module: str) -> None:
        # Errors are ignored because on Windows a file that is still open elsewhere cannot be removed.
        self._folder = tempfile.TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        command = module_command(name, module)
        command = replace(command, environment={**command.environment, FOLDER_VARIABLE: str(self.folder)})
        self._process, self._input, self._lines = start_with_pipes(command, self._errors, OUTPUT_LIMIT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.wait(0) is None

    def ask(
        self,
        task: Mapping[str, Any],
        seconds: float,
        is_cancelled: Callable[[], bool],
        on_compiling: Callable[[str], None] = ignore_line,
    ) -> dict[str, Any] | Exit | Stopped:
        """The result of a task, or how the process ended, or why it was ended.

        `on_compiling` gets the lines about compiling, the last of which is empty.
        """
        clock = ChildClock(seconds)
        with suppress(OSError):  # it has ended, which the end of its lines shows
            self._input.write(json.dumps(task).encode() + b"\n")
            self._input.flush()
        while True:
            line = self._lines.get(CHILD_POLL_SECONDS)
            if line is None:
                reason = Stopped(CANCELLED) if is_cancelled() else clock.reason_to_stop()
                if reason is not None:
                    self.end()
                    return reason
                continue
            if not line:
                return self._exit()
            ((kind, value),) = json.loads(line).items()
            if kind == RESULT:
                return cast("dict[str, Any]", value)
            clock.hear(kind)
            if kind == COMPILING:
                on_compiling(value)

    def _exit(self) -> Exit:
        """How the process ended before its task was done."""
        self._process.wait(ENDING_SECONDS)
        code = self._process.end()
        errors = _end_of(self._errors, LAST_BYTES)
        self.end()
        return Exit(code, b"", errors)

    def end(self) -> None:
        """End the process and all processes it has started, and remove its folder."""
        self._process.end()
        with suppress(OSError):
            self._input.close()
        self._lines.close()
        self._errors.close()
        self._folder.cleanup()


class TaskReporter:
    """In the child: sends lines about its task."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def send(self, kind: str, value: Any) -> None:
        """Send a line."""
        self._stream.write(json.dumps({kind: value}) + "\n")
        self._stream.flush()

    def start_clock(self) -> None:
        """Start the clock."""
        self.send(CLOCK, True)

    def say_compiling(self, line: str, *, lasting: bool) -> None:
        """Send a line about compiling, whose time does not count; lasting notes are not sent."""
        if not lasting:
            self.send(COMPILING, line)


def serve_tasks(do: Callable[[dict[str, Any], TaskReporter], dict[str, Any]]) -> None:
    """In the child: do tasks until there are no more.

    A task has no standard input, and what it prints goes to standard error, because tasks and results use the
    pipes. A thread ends the process as soon as its input is closed, even during a task.
    """
    lines, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - it is no path
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # its own buffer would be written last, below the error that ended a task
    tasks: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        for line in lines:
            tasks.put(line)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    with os.fdopen(answers, "w", encoding="utf-8") as stream:
        reporter = TaskReporter(stream)
        with suppress(Empty):
            while True:
                # A child that gets no task for a minute ends: on a cluster, its command may have ended.
                task = json.loads(tasks.get(timeout=60.0))
                reporter.send(RESULT, do(task, reporter))
