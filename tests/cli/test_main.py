"""The program as a whole: its table of commands, completion, and errors that nobody expects."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from gemhunter.cli import main as demo
from gemhunter.cli.bench import bench
from gemhunter.cli.commands import COMMAND_NAMES, INSTEAD, SECTIONS
from gemhunter.cli.experiment import experiment
from gemhunter.cli.main import gemhunter, run
from gemhunter.play.agents.registry import agent_names

Captured = pytest.CaptureFixture[str]

SUMMARIES = {name: text for summaries in SECTIONS.values() for name, text in summaries.items()}

ENTRIES = (
    *COMMAND_NAMES,
    *(f"bench {name}" for name in bench.commands),
    *(f"experiment {name}" for name in experiment.commands),
)


def find_command(words: str) -> click.Command:
    """The command that these words lead to."""
    found: click.Command = gemhunter
    for word in words.split():
        assert isinstance(found, click.Group)
        part = found.get_command(click.Context(found), word)
        assert part is not None
        found = part
    return found


@pytest.mark.parametrize("words", SUMMARIES)
def test_the_table_says_what_the_help_of_a_command_begins_with(words: str) -> None:
    help_text = find_command(words).help or ""
    assert help_text.partition("\n\n")[0].replace("\n", " ") == SUMMARIES[words]


def test_the_help_page_imports_no_command() -> None:
    homes = {f"gemhunter.cli.{name}" for name in COMMAND_NAMES}
    program = (
        "import sys, gemhunter.cli.main as m; m.run(['--help'])\n"
        f"sys.exit(', '.join({homes} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(summary in " ".join(done.stdout.split()) for summary in SUMMARIES.values())


@pytest.mark.parametrize("name", INSTEAD)
def test_a_name_that_people_expect_is_answered_with_the_command_for_it(name: str, capsys: Captured) -> None:
    assert run([name]) == 2
    assert f"try: gemhunter {INSTEAD[name]}" in capsys.readouterr().err
    if not (first := INSTEAD[name].split()[0]).startswith("-"):
        find_command(first)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("solve sample:3x4 --csv x", "-o FILE.csv writes a file, and --format csv prints it"),
        ("explain sample:3x4 --html x", "-o FILE.html writes a file (see"),
        ("solve sample:3x4 --output x", "-o FILE writes a file"),
        ("bench sample:3x4 -o chart.svg", "--charts FOLDER draws charts"),
        ("solve sample:3x4 --timeout 5", "did you mean --time-limit?"),
        ("generate puzzle 9x9 --level hard", "did you mean --difficulty?"),
        ("solve sample:3x4 -j 2", "no such option '-j'; did you mean --workers?"),
        ("solve sample:3x4 --verbose", "no such option '--verbose' (see"),
        ("solve sample:3x4 --traps ten", "'ten' is not a whole number"),
        ("generate puzzle 5x5 --count 0", "0 is too small; expected 1 or more"),
        ("solve 9x9", "did you mean sample:9x9?"),
        ("solve beginner", "beginner is a level; beginner#1 is one of its games"),
        ("solve tests/cli/test_mains.py", "did you mean tests/cli/test_main.py?"),
        ("explain tests", "tests: a folder; expected a file"),
        ("check sample:3x4 nothere -o marks.html", "nothere: no such file or directory"),
        ("solutions board.txt", "try: gemhunter solve BOARD --all"),
        ("README.md", "'README.md' is a file, not a command; try: gemhunter solve README.md"),
        ("sample:3x4", "try: gemhunter solve sample:3x4"),
        ("-e cdcl solve sample:3x4", "options follow the command"),
        ("solve sample:3x4 -e cdcl dpll", "dpll is an engine, not a board; each engine needs its own -e"),
        ("solve sample:3x4 -e install", "the solver in this folder is ./install.py"),
        ("experiment", "expected one of winrate, match, "),
    ],
)
def test_a_mistake_is_answered_with_what_to_type(
    words: str, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert run(words.split()) == 2
    assert answer in capsys.readouterr().err


def test_help_is_a_word_too(capsys: Captured) -> None:
    pages = []
    for words in (["help", "solve"], ["solve", "--help"], ["help"], ["--help"]):
        assert run(words) == 0
        pages.append(capsys.readouterr().out)
    assert pages[0] == pages[1] != pages[2] == pages[3]


@pytest.mark.parametrize("words", ["", *ENTRIES])
def test_in_a_clone_help_says_run(words: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    assert run([*words.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"Usage: ./run {words}".rstrip())
    assert not re.search(rf"gemhunter (-|({'|'.join(COMMAND_NAMES)})\b)", printed)
    assert "/./run" not in printed


@pytest.mark.parametrize("words", ENTRIES)
def test_help_sends_to_no_file_of_a_clone_and_shows_defaults_as_they_are_typed(
    words: str, capsys: Captured
) -> None:
    assert run([*words.split(), "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "docs/" not in printed
    assert not re.search(r"default: (\(|\d+\.0\])", printed)


@pytest.mark.parametrize("words", ["solve", "bench run", "report"])
def test_help_says_that_an_engine_can_be_a_program_or_a_file(words: str, capsys: Captured) -> None:
    run([*words.split(), "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    assert all(form in printed for form in ("./mine.py:FUNCTION", "cmd:PROGRAM", "grid:PROGRAM"))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("trace sample:3x4 --max-events=3", "trace sample:3x4 --limit=3"),
        ("generate suite suite --each 0 --unsolvable 0", "generate suite suite --count 0 --unsolvable 0"),
    ],
)
def test_old_names_of_options_still_work(before: str, now: str, desk: Path, capsys: Captured) -> None:
    answers = [(run(words.split()), capsys.readouterr()) for words in (before, now)]
    assert answers[0] == answers[1]
    assert "no such option" not in answers[0][1].err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("slove", "did you mean 'solve'? (see: ./run --help)"),
        ("bench", "name boards, a folder or a suite; `./run bench suites` lists"),
        (f"bench show {__file__}", "has no results of `./run bench`"),
        ("bench no-such-suite", "see: ./run bench suites)"),
        ("experiment gmaes", "see: ./run experiment --help)"),
        ("solve sample:3x4 --engin cdcl", "(see: ./run solve --help)"),
        ("solve sample:3x4 -e cdlc", "(see: ./run engines)"),
        ("solve sample:3x4 -e cdcl:speed=9", "see: ./run engines)"),
        ("solve sample:3x4 -e pysat:glocose4", "see: ./run engines)"),
        ("solve sample:3x4 -e tables -o x.drat", "`./run engines` says which engines do"),
        ("solve sample:3x5", "see: ./run samples)"),
        ("cnf sample:3x4 --encoding tree", "./run cnf --help)"),
        ("watch easy#1 --agent experts", "see: ./run watch --help)"),
        ("watch esay#1", "see: ./run play --help)"),
        ("engines", "./run engines NAME shows one in full"),
    ],
)
def test_in_a_clone_messages_say_run(
    arguments: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    run(arguments.split())
    assert named in capsys.readouterr().err


SHELLS = ["bash", "zsh", "fish", "powershell"]
BAD_INPUT = 2


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The `run` of a clone whose path has a blank; it runs this program."""
    folder = tmp_path / "my clone"
    folder.mkdir()
    program = folder / "run"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gemhunter "$@"\n')
    program.chmod(0o755)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    return program


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_runs_the_command(shell: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMHUNTER_COMMAND", raising=False)
    assert run(["completion", shell]) == 0
    printed = capsys.readouterr()
    assert f"gemhunter completion {shell} --script" in printed.out
    assert printed.out.count("\n") == 1
    assert printed.err.startswith("put this line into ")


@pytest.mark.skipif(sys.platform == "win32", reason="clones have run.cmd there")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_in_a_clone_everything_calls_its_own_program(shell: str, clone: Path, capsys: Captured) -> None:
    assert run(["completion", shell]) == 0
    assert f"'{clone}' completion {shell} --script" in capsys.readouterr().out
    assert run(["completion", shell, "--script"]) == 0
    script = capsys.readouterr().out
    assert script.count(f"'{clone}'") == 2
    assert "$1)" not in script
    assert "$+commands[" not in script


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")
def test_bash_completes_a_sample_board_in_a_clone(clone: Path) -> None:
    session = f"""
eval "$('{clone}' completion bash --script)" 2>&1
cd /
COMP_WORDS=(gemhunter solve sample:9); COMP_CWORD=2
_gemhunter_completion gemhunter
echo "${{COMPREPLY[@]}}"
gemhunter --version
"""
    done = subprocess.run(["bash", "--norc", "-c", session], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "sample:9x9"
    assert done.stdout.splitlines()[1].startswith("gemhunter, version ")


def test_a_click_that_does_not_know_the_shell_is_reported(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.cli.completion.get_completion_class", lambda shell: None)
    assert run(["completion", "powershell"]) == BAD_INPUT
    assert "this version of Click cannot complete in powershell" in capsys.readouterr().err


def completions(*words: str) -> list[tuple[str, str]]:
    """What the last word can become, each with its kind."""
    *before, last = words
    found = ShellComplete(gemhunter, {}, "gemhunter", "").get_completions(before, last)
    return [(item.type, item.value) for item in found]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["wa"], ["watch", "warmup"]),
        (["experiment", "m"], ["match", "marked-cells"]),
        (["experiment", "s5"], []),
        (["analy"], ["analyse"]),
        (["solve", "--engine", "brute"], ["brute-force", "brute-force:clauses"]),
        (["watch", "--agent", "reso"], ["resolution"]),
        (["play", "--watch", "reso"], ["resolution"]),
        (["experiment", "winrate", "-a", ""], agent_names()),
        (["experiment", "winrate", "--level", "e"], ["expert", "easy"]),
        (["play", "inter"], ["intermediate"]),
        (["solve", "sample:9"], ["sample:9x9"]),
        (["bench", "run", "sample:no"], ["sample:no-solution"]),
    ],
)
def test_names_are_completed(words: list[str], values: list[str]) -> None:
    assert completions(*words) == [("plain", value) for value in values]


@pytest.mark.parametrize("command", ["play", "watch", "solve", "analyse", "convert", "trace", "cnf"])
def test_what_is_no_level_can_be_a_file(command: str) -> None:
    assert completions(command, "game-") == [("file", "game-")]


def fails(*_: object) -> None:
    raise ZeroDivisionError("one\n\x1b[32mtwo")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program with a fault, and the folder where it keeps the details."""
    monkeypatch.setattr(demo, "show_demo", fails)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("GEMHUNTER_DEBUG", raising=False)
    return tmp_path


def test_an_unforeseen_error_is_one_line_and_exit_code_4(broken: Path, capsys: Captured) -> None:
    assert run([]) == 4
    (kept,) = broken.iterdir()
    said = capsys.readouterr()
    assert said.err == (
        f"error: internal error: ZeroDivisionError: one \\x1b[32mtwo; please report it, details in {kept}\n"
    )
    assert said.out == ""
    assert "Traceback" in kept.read_text(encoding="utf-8")


def test_what_could_not_be_kept_is_not_said_to_be(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(broken / "missing"))
    assert run([]) == 4
    assert capsys.readouterr().err.endswith("please report it\n")


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMHUNTER_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run([])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_an_error_that_cannot_be_printed_still_has_its_exit_code(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "gemhunter", "solve", str(tmp_path / "missing.txt")]
        assert subprocess.run(command, stderr=full, check=False).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_while_the_program_is_imported_is_one_line(tmp_path: Path) -> None:
    """A module that everything needs interrupts us in place of a person with quick fingers."""
    (tmp_path / "click.py").write_text(f"import os; os.kill(os.getpid(), {signal.SIGINT})", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gemhunter"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"stopped\n")


@pytest.mark.parametrize(
    "arguments", [["solve", ""], ["check", "sample:9x9", ""], ["analyse", "sample:9x9", "-o", ""]]
)
def test_an_empty_argument_is_refused(arguments: list[str], capsys: Captured) -> None:
    assert run(arguments) == 2
    assert "one of the arguments is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "sample:9x9", "-e", f"cdcl:unit={10**30}"], "takes a whole number from -"),
        (["solve", "sample:9x9", "-e", f"dpll:depth={10**30}"], "takes a whole number from -"),
        (["solve", "sample:9x9", "-e", "cdcl:decay=nan"], "decay must be at least 0.5"),
        (["solve", "sample:9x9", "--seed", "-1"], "expected 0 or more"),
        (["solve", "sample:9x9", "--time-limit", "nan"], "is not a number"),
        (["solve", "sample:9x9", "--memory-limit", "9999999999T"], "more than any machine has"),
        (["analyse", "sample:9x9", "--density", "nan"], "is not a number"),
        (["trace", "sample:9x9", "--limit", str(10**30)], "1<=x<=9223372036854775807"),
        (["experiment", "winrate", "--games", str(10**10)], "a whole number from 1 to 1000000000"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments: list[str], said: str, capsys: Captured) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err
