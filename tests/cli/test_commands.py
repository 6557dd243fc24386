"""The table of commands: it has the help of every command and imports none. Commands are named as typed."""

import re
import subprocess
import sys

import click
import pytest

from gemhunter.cli.bench import PARTS
from gemhunter.cli.experiment import EXPERIMENTS
from gemhunter.cli.main import COMMAND_NAMES, SECTIONS, CommandEntry, LazyGroup, gemhunter, run

ENTRIES: dict[str, CommandEntry] = {
    **{name: entry for entries in SECTIONS.values() for name, entry in entries.items()},
    **{f"bench {name}": entry for name, entry in PARTS.items()},
    **{f"experiment {name}": entry for name, entry in EXPERIMENTS.items()},
}


def find_command(words: str) -> click.Command:
    """The command that these words lead to."""
    found: click.Command = gemhunter
    for word in words.split():
        assert isinstance(found, click.Group)
        part = found.get_command(click.Context(found), word)
        assert part is not None
        found = part
    return found


@pytest.mark.parametrize("words", ENTRIES)
def test_the_table_says_what_the_help_of_a_command_begins_with(words: str) -> None:
    help_text = find_command(words).help or ""
    assert help_text.partition("\n\n")[0].replace("\n", " ") == ENTRIES[words].summary


def test_the_help_page_imports_no_command() -> None:
    lazy = find_command("")
    assert isinstance(lazy, LazyGroup)
    homes = {entry.home.partition(":")[0] for entry in lazy.entries.values()}
    program = (
        "import sys, gemhunter.cli.main as m; m.run(['--help'])\n"
        f"sys.exit(', '.join({homes} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(entry.summary in " ".join(done.stdout.split()) for entry in lazy.entries.values())


@pytest.mark.parametrize("words", ["", *ENTRIES])
def test_in_a_clone_help_says_run(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    assert run([*words.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"Usage: ./run {words}".rstrip())
    assert not re.search(rf"gemhunter (-|({'|'.join(COMMAND_NAMES)})\b)", printed)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("slove", "did you mean 'solve'? (see: ./run --help)"),
        ("bench run", "(see: ./run bench suites)"),
        (f"bench show {__file__}", "has no results of `./run bench`"),
        ("bench no-such-suite", "see: ./run bench suites)"),
        ("experiment gmaes", "see: ./run experiment --help)"),
        ("solve sample:3x4 --engin cdcl", "(see: ./run solve --help)"),
        ("solve sample:3x4 -e cdlc", "(see: ./run engines)"),
        ("solve sample:3x4 -e cdcl:speed=9", "see: ./run engines)"),
        ("solve sample:3x4 -e pysat:glocose4", "see: ./run engines)"),
        ("solve sample:3x4 -e tables --proof x", "`./run engines` says which engines do"),
        ("solve sample:3x5", "see: ./run samples)"),
        ("cnf sample:3x4 --encoding tree", "./run cnf --help)"),
        ("watch easy#1 --agent experts", "see: ./run watch --help)"),
        ("watch esay#1", "see: ./run play --help)"),
        ("engines", "./run engines NAME shows one in full"),
    ],
)
def test_in_a_clone_messages_say_run(
    arguments: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    run(arguments.split())
    assert named in capsys.readouterr().err
