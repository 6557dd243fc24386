"""Promises about the project as a whole: what is public, what is loaded, who prints, what is documented."""

import ast
import subprocess
import sys
from pathlib import Path

import click
import pytest

import gemhunter as package
from gemhunter.cli.main import COMMAND_NAMES, gemhunter, run
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.engines.pysat.solvers import BY_ANY_NAME, SOLVERS
from gemhunter.solving.registry import BUILT_IN_ENGINES, engine_names
from places import ROOT

SOURCES = sorted((ROOT / "src" / "gemhunter").rglob("*.py"))
DOCS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}

PUBLIC = {
    *("GEM", "HIDDEN", "TRAP", "Cell", "Grid", "grid_from_traps", "read_grid", "parse_grid"),
    *("solve", "Report", "Outcome", "Solved", "Refuted", "GaveUp", "StopReason", "Solution"),
    *("check", "Violation", "encode", "Cnf", "list_engines", "EngineInfo", "trace", "Step"),
    *("count", "count_by_traps", "probabilities", "probabilities_of_many", "Probabilities", "sample"),
    *("forced", "Forced", "is_unique", "solutions", "Solutions", "Ending", "analyse", "Analysis"),
    *("GemHunterError", "InputError", "BoardError", "Fault", "ModelError", "UnknownNameError"),
    *("TooLargeError", "EngineError", "WrongAnswerError", "ProofError"),
    *("count_bounds", "Bounds", "estimate_count", "Estimate"),
    *("Board", "View", "Game", "GameId", "Level", "FirstClick", "Status", "Move", "Action", "Replay"),
    *("Player", "Choice", "Stuck", "Turn", "Games", "new_player", "play_game", "play_games"),
    *("Position", "new_game", "replayed", "open_game", "read_position", "advise", "Advice", "Candidate"),
    *("read_board", "write_board", "read_replay", "write_replay"),
    *("Proof", "read_drat", "write_drat", "check_proof", "check_formula_proof", "Accepted", "Rejected"),
    *("read_formula", "parse_formula", "write_dimacs", "solve_formula", "trace_formula"),
    *("Engine", "CnfSolver", "SatAnswer", "get_engine", "Run", "Limits", "Puzzle", "read_puzzle"),
    *("FormulaReport", "Satisfied", "Unsatisfiable", "FormulaError"),
    *("explain", "Explanation", "ExplanationStep", "ExplainedConflict", "difficulty", "Difficulty"),
    *("explain_cell", "explain_opposite", "CellExplanation", "hint", "HintLadder", "NothingToDeduce"),
    *("explanation_gif", "explanation_html", "explanation_svg"),
    *("generate_games", "NoGuessGame", "Using"),
    *("generate_suite", "SuiteBoard", "SuiteWish", "Watch", "dask_cluster"),
    *("generate_puzzle", "generate_puzzles", "GeneratedPuzzle", "NotGenerated", "PuzzleWish"),
}


def test_the_public_names_are_exactly_these() -> None:
    assert set(package.__all__) == PUBLIC


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(package, name) is not None for name in package.__all__)


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
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)}
    return not used.isdisjoint({"print", "sys.stdout", "sys.stderr", "click.echo"})


def test_nothing_outside_cli_prints() -> None:
    assert any(prints(path) for path in SOURCES if "cli" in path.parts)
    assert [path for path in SOURCES if "cli" not in path.parts and prints(path)] == []


def test_every_public_name_is_documented() -> None:
    page = DOCS["api.md"]
    assert [name for name in PUBLIC if f"`{name}" not in page and f" {name}" not in page] == []


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
    assert [name for name in ENCODINGS if f"`{name}`" not in DOCS["commands.md"]] == []


def test_every_error_is_documented() -> None:
    tree = ast.parse((ROOT / "src/gemhunter/errors.py").read_text(encoding="utf-8"))
    errors = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [name for name in errors if f"`{name}`" not in DOCS["api.md"]] == []
