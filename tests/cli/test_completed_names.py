"""What the shell completes: commands, engines, agents, levels and files."""

import pytest
from click.shell_completion import ShellComplete

from gemhunter.cli.main import gemhunter
from gemhunter.play.agents.registry import agent_names


def completions(*words: str) -> list[tuple[str, str]]:
    """What the last word can become, each with its kind."""
    *before, last = words
    found = ShellComplete(gemhunter, {}, "gemhunter", "").get_completions(before, last)
    return [(item.type, item.value) for item in found]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["wa"], ["watch", "warmup"]),
        (["experiment", "m"], ["marked-cells", "match"]),
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
