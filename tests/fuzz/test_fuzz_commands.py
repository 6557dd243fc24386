"""Damaged files and hostile options end every command with a message, and it is noticed if they do not."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import calls
from calls import Call, CallCase, CallResult, all_commands, calling, verdict
from places import REGRESSIONS
from random_calls import ACCEPTED_ARGUMENTS, call_files, make_file_case, make_option_case, options_of
from seed_files import board_files

PARTS = range(1, int(os.environ.get("GEMHUNTER_FUZZ_PARTS", "4")) + 1)
"""The campaign is made in parts, so that all cores can help."""

SOLVE = CallCase("files", ("solve", "board.txt"), {"board.txt": b"_, 1\n"})


@pytest.fixture
def call() -> Iterator[Call]:
    with calling() as made:
        yield made


@pytest.mark.parametrize(
    ("part", "cases"), [(0, 200), *(pytest.param(part, 1000, marks=pytest.mark.full) for part in PARTS)]
)
@pytest.mark.parametrize("make", [make_file_case, make_option_case])
def test_no_command_crashes(make: Callable[[Random], CallCase], part: int, cases: int, call: Call) -> None:
    for number in range(cases):
        case = make(Random(f"{part} {number}"))
        assert verdict(case, call(case)) is None, case


@pytest.mark.parametrize("path", sorted(REGRESSIONS.glob("*.json")), ids=lambda path: path.name)
def test_no_command_is_wrong_about_a_case_that_was_once_a_problem(path: Path, call: Call) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    files = {name: content.encode() for name, content in kept["files"].items()}
    case = CallCase(kept["kind"], tuple(kept["arguments"]), files)
    assert verdict(case, call(case)) is None


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (
            CallResult(None, "raised KeyError in board/grid.py, cells"),
            "raised KeyError in board/grid.py, cells",
        ),
        (CallResult(4, errors=b"error: out of memory\n"), "exit code 4"),
        (CallResult(10, "", b"s SATISFIABLE\n"), "exit code 10"),
        (CallResult(2), "exit code 2 without a word"),
        (CallResult(0, "", b"\xff"), "output: not UTF-8"),
        (CallResult(2, errors="error: \x9b1m\n".encode()), "errors: control character '\\x9b'"),
        (CallResult(0, "", b"Traceback (most recent call last):\n"), "output: a traceback"),
        (CallResult(2, errors=b"error: internal error: KeyError: 1\n"), "errors: a traceback"),
        (CallResult(0, "", b"T 1\n", changed=("board.txt",)), "changed a file that it was to read"),
    ],
)
def test_what_must_not_happen_is_noticed(result: CallResult, complaint: str) -> None:
    assert verdict(SOLVE, result) == complaint


@pytest.mark.parametrize(
    ("words", "result", "complaint"),
    [
        (
            "bench --resume x",
            CallResult(2, errors=b"no\n", changed=("x",)),
            "changed a file that it was to read",
        ),
        ("bench --resume x", CallResult(0, changed=("x",)), None),
        (
            "cnf x -o out",
            CallResult(2, errors=b"no\n", left=("out",)),
            "refused, but left a file behind: cnf",
        ),
        ("solve x --format sat", CallResult(10, "", b"s\n"), None),
        ("solve x -e cmd:no-such-program", CallResult(4, errors=b"no\n"), None),
        ("solve x --format json", CallResult(0, "", b"[1]"), None),
        ("solve x --format json", CallResult(2, errors=b"no\n"), None),
        *(
            ("solve x --format json", CallResult(0, "", text), "output: not JSON")
            for text in (b"", b"[1, 2", b"[NaN]", b"{} {}")
        ),
    ],
)
def test_what_is_allowed_depends_on_the_command(
    words: str, result: CallResult, complaint: str | None
) -> None:
    assert verdict(CallCase("files", tuple(words.split()), {}), result) == complaint


def test_a_call_has_an_exit_code_its_output_and_its_files(call: Call) -> None:
    result = call(CallCase("files", ("cnf", "board.txt", "-o", "out.cnf"), {"board.txt": b"_, 1\n"}))
    assert (result.code, result.output, result.left, result.changed) == (0, b"", ("out.cnf",), ())
    result = call(CallCase("files", ("solve", "missing.txt"), {}))
    assert (result.code, result.output) == (2, b"")
    assert result.errors == b"error: missing.txt: no such file or directory\n"


def solve_raises(monkeypatch: pytest.MonkeyPatch, error: BaseException | None) -> None:
    """Let `gemhunter solve` raise an error, or never end."""

    def callback(**_given: object) -> None:
        while error is None:
            pass
        raise error

    monkeypatch.setattr(dict(all_commands())["solve"], "callback", callback)


def test_an_error_that_nobody_foresaw_is_a_crash(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    solve_raises(monkeypatch, KeyError(1))
    assert call(SOLVE).crash.startswith("raised KeyError in cli/")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such alarm")
@pytest.mark.parametrize("limit", ["LONGEST_CALL_SECONDS", "LONGEST_WAIT_SECONDS"])
def test_a_call_that_never_ends_is_ended(limit: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    solve_raises(monkeypatch, None)
    monkeypatch.setattr(calls, limit, 0.01)
    assert call(SOLVE).crash.startswith("takes too long in cli/")


def test_ctrl_c_ends_the_search_not_only_the_command(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    solve_raises(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        call(SOLVE)


def test_the_files_that_are_damaged_are_valid_before(call: Call) -> None:
    lines = [f"convert {name} --quiet" for name in board_files()]
    lines += [
        "bench --resume bench.jsonl",
        "experiment winrate --resume games.jsonl",
        "bench show half.jsonl",
    ]
    for line in lines:
        arguments = tuple(line.split())
        assert call(CallCase("files", arguments, call_files(arguments))).errors == b"", line


@pytest.mark.parametrize("words", ACCEPTED_ARGUMENTS)
def test_every_command_accepts_what_its_options_are_tried_on(words: str, call: Call) -> None:
    for base in filter(None, ACCEPTED_ARGUMENTS[words]):
        arguments = (*words.split(), *base.split())
        result = call(CallCase("options", arguments, call_files(arguments)))
        refused = b"error: no runs are made while commands are fuzzed\n"
        assert result.code in (0, 1) or result.errors == refused, base


def test_every_option_of_every_command_is_tried() -> None:
    tried: dict[str, set[str]] = {}
    for number in range(6000):
        line = make_option_case(Random(number)).arguments
        for length in (1, 2):
            given_words = {word.partition("=")[0] for word in line[length:]}
            tried.setdefault(" ".join(line[:length]), set()).update(given_words)
    for words, command in all_commands():
        for option in options_of(command):
            assert (
                tried[words].intersection([*option.opts, *option.secondary_opts])
                or "--estimate" in option.opts
            )
