"""Damaged files and hostile options end every command with a message, and fuzzing notices if they do not."""

import signal
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest

from gemhunter.cli import fuzz_calls
from gemhunter.cli.fuzz_calls import calling, command_facts
from gemhunter.cli.main import gemhunter
from gemhunter.cli.main import run as run_command
from gemhunter.errors import InputError
from gemhunter.fuzzing.calls import CallCase, CallResult, read_call_case, verdict
from gemhunter.fuzzing.campaign import Call, CallTally
from gemhunter.fuzzing.campaign import fuzz_calls as campaign
from gemhunter.fuzzing.random_calls import ACCEPTED_ARGUMENTS, call_files, make_file_case, make_option_case
from gemhunter.fuzzing.seed_files import board_files
from places import REGRESSIONS

PARTS = [(0, "200"), *(pytest.param(seed, "1000", marks=pytest.mark.full) for seed in range(1, 5))]
"""Seeds and numbers of cases. They are tried in parts, so that all cores can help."""

CASE_FILES = sorted(REGRESSIONS.glob("*.json"))
SOLVE = CallCase("files", ("solve", "board.txt"), (("board.txt", b"_, 1\n"),))


@pytest.fixture
def call() -> Iterator[Call]:
    with calling() as made:
        yield made


@pytest.mark.parametrize(("seed", "cases"), PARTS)
@pytest.mark.parametrize("kind", ["files", "options"])
def test_no_command_crashes(kind: str, seed: int, cases: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run_command(["fuzz", "--kind", kind, "--cases", cases, "--seed", str(seed)])
    output = capsys.readouterr().out
    assert code == 0, output
    assert output.endswith(f", seed {seed}: 0 found\n")


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.name)
def test_no_command_is_wrong_about_a_case_that_was_once_a_problem(path: Path, call: Call) -> None:
    case = read_call_case(path.read_text(encoding="utf-8"), str(path))
    assert verdict(case, call(case)) is None


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (
            CallResult(None, "raised KeyError in core/grid.py, cells"),
            "raised KeyError in core/grid.py, cells",
        ),
        (CallResult(4, errors=b"error: out of memory\n"), "exit code 4"),
        (CallResult(5, errors=b"x"), "exit code 5"),
        (CallResult(10, "", b"s SATISFIABLE\n"), "exit code 10"),
        (CallResult(2), "exit code 2 without a word"),
        (CallResult(0, "", b"\xff"), "output: not UTF-8"),
        (CallResult(2, errors=b"error: \x07\n"), "errors: control character '\\x07'"),
        (CallResult(2, errors="error: \x9b1m\n".encode()), "errors: control character '\\x9b'"),
        (CallResult(0, "", b"Traceback (most recent call last):\n"), "output: a traceback"),
        (CallResult(2, errors=b"error: internal error: KeyError: 1\n"), "errors: a traceback"),
        (CallResult(0, "", b"T 1\n", changed=("board.txt",)), "changed a file that it was to read"),
    ],
)
def test_what_must_not_happen_is_noticed(result: CallResult, complaint: str) -> None:
    assert verdict(SOLVE, result) == complaint


def test_a_ledger_changes_only_if_it_is_resumed_indeed() -> None:
    case = CallCase("files", ("bench", "--resume", "bench.jsonl"))
    refused = CallResult(2, errors=b"error: no\n", changed=("bench.jsonl",))
    assert verdict(case, refused) == "changed a file that it was to read"
    assert verdict(case, CallResult(0, changed=("bench.jsonl",))) is None


@pytest.mark.parametrize("output", [b"", b"[1, 2", b"[NaN]", b"{} {}"])
def test_json_has_to_be_json(output: bytes) -> None:
    case = CallCase("files", ("solve", "board.txt", "--format", "json"))
    assert verdict(case, CallResult(0, "", output)) == "output: not JSON"
    assert verdict(case, CallResult(0, "", b"[1]")) is None
    assert verdict(case, CallResult(2, "", b"", b"error: no such file\n")) is None


def test_what_refuses_its_input_leaves_no_file_behind() -> None:
    case = CallCase("files", ("cnf", "board.txt", "-o", "out"))
    refused = CallResult(2, errors=b"error: no\n", left=("out",))
    assert verdict(case, refused) == "refused, but left a file behind: cnf"


@pytest.mark.parametrize(
    ("words", "code"), [("solve board.txt --format sat", 10), ("solve board.txt -e cmd:no-such-program", 4)]
)
def test_documented_exceptions_are_allowed(words: str, code: int) -> None:
    assert verdict(CallCase("options", tuple(words.split())), CallResult(code, "", b"s\n")) is None


def test_a_call_has_an_exit_code_its_output_and_its_files(call: Call) -> None:
    result = call(CallCase("files", ("cnf", "board.txt", "-o", "out.cnf"), (("board.txt", b"_, 1\n"),)))
    assert (result.code, result.output, result.left, result.changed) == (0, b"", ("out.cnf",), ())
    result = call(CallCase("files", ("solve", "missing.txt")))
    assert (result.code, result.output) == (2, b"")
    assert result.errors == b"error: missing.txt: no such file or directory\n"


def solve_with(monkeypatch: pytest.MonkeyPatch, callback: object) -> None:
    """Let `gemhunter solve` do something else."""
    command = gemhunter.get_command(click.Context(gemhunter), "solve")
    monkeypatch.setattr(command, "callback", callback)


def test_an_error_that_nobody_foresaw_is_a_crash(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(**_given: object) -> None:
        raise KeyError(1)

    solve_with(monkeypatch, crash)
    result = call(SOLVE)
    assert result.code is None
    assert result.crash.startswith("raised KeyError in cli/")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such alarm")
@pytest.mark.parametrize("limit", ["LONGEST_CALL_SECONDS", "LONGEST_WAIT_SECONDS"])
def test_a_call_that_never_ends_is_ended(limit: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(**_given: object) -> None:
        while True:
            pass

    solve_with(monkeypatch, hang)
    monkeypatch.setattr(fuzz_calls, limit, 0.01)
    assert call(SOLVE).crash.startswith("takes too long in cli/")


def test_ctrl_c_ends_the_search_not_only_the_command(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(**_given: object) -> None:
        raise KeyboardInterrupt

    solve_with(monkeypatch, stop)
    with pytest.raises(KeyboardInterrupt):
        call(SOLVE)


def test_a_finding_is_made_small_and_reported_once() -> None:
    def crashing(case: CallCase) -> CallResult:
        if any(b"\0" in content for _, content in case.files):
            return CallResult(None, "raised ValueError")
        return CallResult(0, "", b"{}")

    tally = CallTally()
    for _ in campaign(make_file_case, crashing, tally, seed=1):
        if tally.cases == 300:
            break
    commands = [finding.case.arguments[0] for finding in tally.findings]
    assert len(commands) == len(set(commands)) > 3
    assert {finding.case.files[0][1] for finding in tally.findings} == {b"\0"}
    assert {len(finding.case.arguments) for finding in tally.findings} == {1}


@pytest.mark.parametrize("number", range(20))
def test_a_call_is_the_same_after_a_journey_through_its_file(number: int) -> None:
    for make in (make_file_case, lambda random: make_option_case(command_facts(), random)):
        case = make(np.random.default_rng([6, number]))
        assert read_call_case(case.text(("any comment",))) == case
        assert make(np.random.default_rng([6, number])) == case


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"kind": "boards", "arguments": [], "files": {}}',
        '{"kind": "files", "arguments": [1], "files": {}}',
        '{"kind": "files", "arguments": [], "files": {"../x": ""}}',
        '{"kind": "files", "arguments": [], "files": {"/x": ""}}',
        '{"kind": "files", "arguments": [], "files": {"x": {"base64": "?"}}}',
    ],
)
def test_a_call_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="case: expected a case"):
        read_call_case(text)


@pytest.mark.parametrize("name", board_files())
def test_the_files_that_are_damaged_are_valid_before(name: str, call: Call) -> None:
    case = CallCase("files", ("convert", name), ((name, board_files()[name]),))
    assert call(case).errors == b""


LEDGERS = ["bench --resume bench.jsonl", "experiment winrate --resume games.jsonl", "bench show half.jsonl"]


@pytest.mark.parametrize("words", LEDGERS)
def test_ledgers_can_be_resumed_before_they_are_damaged(words: str, call: Call) -> None:
    arguments = tuple(words.split())
    result = call(CallCase("files", arguments, tuple(call_files(arguments).items())))
    assert (result.code, result.errors) == (0, b"")


@pytest.mark.parametrize(
    "words", [f"{words} {base}" for words, bases in ACCEPTED_ARGUMENTS.items() for base in bases if base]
)
def test_every_command_accepts_what_its_options_are_tried_on(words: str, call: Call) -> None:
    arguments = tuple(words.split())
    result = call(CallCase("options", arguments, tuple(call_files(arguments).items())))
    refused = "error: no runs are made while commands are fuzzed\n"
    assert result.code in (0, 1) or result.errors.decode() == refused


def test_every_option_of_every_command_is_tried() -> None:
    facts = command_facts()
    known = {(command.words, option.spellings) for command in facts for option in command.options}
    tried = set()
    for number in range(6000):
        words = make_option_case(facts, np.random.default_rng([7, number])).arguments
        given = {word.partition("=")[0] for word in words}
        line = " ".join(words)
        tried |= {
            (command, spellings)
            for command, spellings in known
            if line.startswith(f"{command} ") and given & set(spellings)
        }
    assert {each for each in known - tried if "--estimate" not in each[1]} == set()


def test_findings_of_calls_are_kept_and_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(**_given: object) -> None:
        raise KeyError(1)

    with monkeypatch.context() as patched:
        solve_with(patched, crash)
        assert run_command(["fuzz", "--kind", "files", "--cases", "40", "-o", str(tmp_path)]) == 1
        (kept,) = tmp_path.iterdir()
        assert run_command(["fuzz", "--replay", str(kept), "-e", "dpll"]) == 1
        assert "raised KeyError in cli/" in capsys.readouterr().out
    assert kept.name.startswith("file-0-")
    assert run_command(["fuzz", "--replay", str(tmp_path), "-e", "dpll"]) == 0
    assert capsys.readouterr().out == "1 case, 1 engine: 0 found\n"


@pytest.mark.parametrize("seconds", ["nan", "-1", "x"])
def test_seconds_are_a_number(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["fuzz", "--seconds", seconds]) == 2
    assert "--seconds" in capsys.readouterr().err


def test_commands_are_not_fuzzed_by_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["fuzz", "--kind", "files", "-e", "dpll"]) == 2
    assert "--engine is for boards and formulas" in capsys.readouterr().err


def test_one_kind_is_tried_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["fuzz", "--kind", "files", "--formulas"]) == 2
    assert "--formulas and --kind files exclude each other" in capsys.readouterr().err
