"""Promises about the project as a whole: what is public, what is loaded, who prints, what is documented."""

import ast
import subprocess
import sys
from inspect import ismodule
from pathlib import Path

import click
import pytest

import gemhunter as package
from gemhunter.cli.commands import COMMAND_NAMES
from gemhunter.cli.main import gemhunter, run
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.engines.pysat import BY_ANY_NAME, SOLVERS
from gemhunter.public_names import HOME_OF
from gemhunter.solving.registry import BUILT_IN_ENGINES, engine_names
from places import ROOT

SOURCES = sorted((ROOT / "src" / "gemhunter").rglob("*.py"))
DOCS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}


def test_the_tables_of_public_names_agree() -> None:
    assert set(package.__all__) == set(HOME_OF)


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(package, name) is not None for name in package.__all__)


def test_only_public_names_and_modules_are_offered() -> None:
    offered = {name for name in dir(package) if not name.startswith("__")}
    assert offered >= set(package.__all__)
    assert [name for name in offered - set(package.__all__) if not ismodule(getattr(package, name))] == []


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import gemhunter", ["numba", "pysat", "ortools", "rich", "textual", "matplotlib", "numpy"]),
        (
            "import gemhunter; gemhunter.parse_grid('_, 1, _')",
            ["numba", "pysat", "ortools", "rich", "matplotlib"],
        ),
        (
            "import gemhunter as g; g.solve(g.parse_grid('_, 1, _'))",
            ["numba", "ortools", "rich", "matplotlib"],
        ),
        (
            "import gemhunter.cli.main as m; m.run(['--help'])",
            ["numba", "pysat", "ortools", "rich", "textual", "matplotlib", "numpy"],
        ),
        (
            "import gemhunter.solving.registry as r; r.engine_names()",
            ["numba", "pysat", "ortools", "rich", "matplotlib"],
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str, absent: list[str]) -> None:
    program = f"{statement}\nimport sys\nsys.exit(','.join(set({absent}) & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def prints(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return not called.isdisjoint({"print", "sys.stdout.write", "sys.stderr.write", "click.echo"})


def test_nothing_outside_cli_prints() -> None:
    assert any(prints(path) for path in SOURCES if "cli" in path.parts)
    assert [path for path in SOURCES if "cli" not in path.parts and prints(path)] == []


def test_every_public_name_is_documented() -> None:
    page = DOCS["api.md"]
    assert [name for name in package.__all__ if f"`{name}" not in page and f" {name}" not in page] == []


def subcommands(command: click.Command) -> dict[str, click.Command]:
    """The commands of a group; none for a plain command."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: part for name, part in found.items() if part is not None}


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_command_and_option_is_documented(name: str) -> None:
    text = DOCS["commands.md"]
    command = gemhunter.get_command(click.Context(gemhunter), name)
    assert command is not None
    section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
    parts = [command, *subcommands(command).values()]
    options = [flag for part in parts for option in part.params for flag in option.opts if flag[0] == "-"]
    assert all(f"gemhunter {name} {word} " in section for word in subcommands(command))
    assert [flag for flag in options if flag not in section] == []


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_command_has_help_with_examples(name: str) -> None:
    command = gemhunter.get_command(click.Context(gemhunter), name)
    assert command is not None
    assert command.help is not None
    assert f"gemhunter {name}" in command.help.split("Examples:")[1]
    for word, part in subcommands(command).items():
        assert f"gemhunter {name} {word}" in (part.help or "").split("Examples:")[1]


@pytest.mark.parametrize("words", [[], ["experiment"], ["proof"]])
def test_help_pages_say_in_whole_sentences_what_commands_are_for(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run([*words, "--help"]) == 0
    assert "...\n" not in capsys.readouterr().out.partition("Options:")[2]


def test_every_engine_and_alias_is_documented() -> None:
    built_in = [name for name in engine_names() if name.partition(":")[0] in BUILT_IN_ENGINES]
    undocumented = [name for name in [*built_in, *BY_ANY_NAME] if f"`{name}" not in DOCS["engines.md"]]
    assert [name for name in undocumented if name not in SOLVERS] == []


def test_every_engine_that_writes_proofs_is_documented() -> None:
    section = DOCS["engines.md"].split("\n## Proofs\n")[1].split("\n## ")[0]
    named = {name for name in SOLVERS if f"`pysat:{name}`" in section}
    assert named == {name for name, solver in SOLVERS.items() if solver.proofs}


def test_every_encoding_is_documented() -> None:
    assert [name for name in ENCODINGS if f"`{name}`" not in DOCS["engines.md"]] == []


def test_every_error_is_documented() -> None:
    tree = ast.parse((ROOT / "src/gemhunter/errors.py").read_text(encoding="utf-8"))
    errors = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [name for name in errors if f"`{name}`" not in DOCS["api.md"]] == []
