"""The examples in the docs do what they show."""

import doctest
import re
import runpy
import shlex
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from PIL import Image, ImageSequence

import gemhunter
from compiled import needs_compiler
from gemhunter import read_grid, solve
from gemhunter.cli.main import run
from gemhunter.explanation.rules import RULES
from gemhunter.files.samples import FIRST_SAMPLE
from places import ROOT

COURSE = ROOT / "docs" / "course"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(COURSE.glob("*.md"))]
MADE_BY = (">", "-o", "--new", "--frames", "--charts", "--violations")
"""What is followed by a file to write."""


def name_of(page: Path) -> str:
    """A page's path in the project, which says which README it is."""
    return page.relative_to(ROOT).as_posix()


def console_examples() -> list[tuple[str, str]]:
    """Page and text of every console block."""
    return [
        (name_of(page), block)
        for page in PAGES
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    ]


def commands_to_paste() -> list[tuple[str, str]]:
    """Page and text of every indented command that has no placeholder, in order."""
    return [
        (name_of(page), command.partition("  #")[0].strip())
        for page in PAGES
        for command in re.findall(r"^    (gemhunter .*)$", without_blocks(page), re.M)
        if not re.search(r"[\[|]|\b[A-Z]{4,}\b|://", re.sub(r'"[^"]*"', "", command))
    ]


def without_blocks(page: Path) -> str:
    """A page without what stands between fences, such as help, which names files of the reader."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize(("page", "block"), console_examples())
def test_console_examples_print_what_they_show(
    page: str, block: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = example.partition("\n")
        words = shlex.split(command)
        if words[0] == "printf":
            write_as_printf(words)
        else:
            assert words[0] == "gemhunter"
            run(words[1:])
        printed = capsys.readouterr()
        assert without_times(printed.out + printed.err) == without_times(without_margin(shown))


def write_as_printf(words: list[str]) -> None:
    """What a shell does with `printf TEXT > FILE`."""
    _, text, into, file = words
    assert into == ">"
    Path(file).write_text(text.replace("\\n", "\n"), encoding="utf-8")


@pytest.mark.parametrize("page", sorted({page for page, _ in commands_to_paste()}))
def test_commands_to_paste_read_nothing_that_a_fresh_clone_lacks(page: str) -> None:
    made: set[str] = set()
    missing = []
    for command in (command for where, command in commands_to_paste() if where == page):
        words = [
            part
            for word in shlex.split(command)
            for part in shlex.split(word.removeprefix("cmd:").removeprefix("./"))
        ]
        written = {after for option, after in pairwise(words) if option in MADE_BY}
        made |= written | {str(Path(file).with_suffix(".jsonl")) for file in written if words[1] == "report"}
        # Such as `intro=intro.md`
        files = {word.rpartition("=")[2] for word in words[2:] if re.search(r"\.[a-z]+$|/$", word)}
        read = files - written
        missing += [f"{word} in: {command}" for word in sorted(read - made) if not (ROOT / word).exists()]
    assert missing == []


class CheckerWithoutTimes(doctest.OutputChecker):
    """Compares what an example prints with what the page shows, but for the times in both."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether they are the same text."""
        return super().check_output(without_times(want), without_times(got), optionflags)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples_print_what_they_show(page: Path, desk: Path) -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner(CheckerWithoutTimes()).run(parsed).failed == 0


def test_the_docstring_of_the_package_is_true() -> None:
    assert doctest.testmod(gemhunter).failed == 0


def test_the_picture_in_the_readme_is_the_one_we_draw() -> None:
    report = gemhunter.solve(gemhunter.read_grid(FIRST_SAMPLE))
    assert (ROOT / "docs" / "sample.svg").read_text(encoding="utf-8") == report._repr_svg_()


def test_the_heat_map_in_the_docs_is_the_one_we_draw(desk: Path) -> None:
    assert run(["analyse", "sample:11x11", "-o", "heat.svg"]) == 0
    drawn = (desk / "heat.svg").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "heat.svg").read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("watch easy#3 -o game.gif", "game.gif"),
        ("trace sample:backjump -o search.gif", "search.gif"),
        ("experiment clues --format md -o clues.svg", "clues.svg"),
        ("explain sample:what-if -o why.svg", "why.svg"),
    ],
)
@needs_compiler
def test_the_pictures_of_games_in_the_docs_are_the_ones_we_draw(command: str, name: str, desk: Path) -> None:
    assert f"gemhunter {command}" in "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert run(command.split()) == 0
    kept, drawn = ROOT / "docs" / name, desk / name
    if name.endswith(".gif"):
        # Another version of Pillow may draw letters a little differently.
        assert sizes_and_delays(kept) == sizes_and_delays(drawn)
    else:
        assert kept.read_bytes() == drawn.read_bytes()


def sizes_and_delays(path: Path) -> list[tuple[tuple[int, int], int]]:
    """The size of each frame of an animation, and how long it is shown."""
    with Image.open(path) as image:
        return [(frame.size, frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def test_the_pictures_of_rules_in_the_docs_are_the_ones_that_the_script_draws() -> None:
    script = runpy.run_path(str(ROOT / "examples" / "rule_pictures.py"))
    drawn = {f"{rule}.svg": script["picture"](rule) for rule in RULES}
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "explain").glob("*.svg")}
    assert kept == drawn


def test_the_page_of_commands_has_the_present_help_of_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    script = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))
    assert script["with_help"](page) == page, "run: python docs/make_commands.py"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def without_margin(shown: str) -> str:
    """Output without the labels of lines of pseudo-code, such as `U5 | `, that a page puts before events."""
    return re.sub(r"^[A-Z]\d+ *\| ", "", shown, flags=re.M)


def without_times(text: str) -> str:
    text = re.sub(r'"seconds": \{[^}]*\}', '"seconds": {}', text)
    text = re.sub(r'"version": "[^"]*"', '"version": ""', text)
    return re.sub(r"\d[\d,.]* (s|ms|µs)(?!\w)", "N s", text)


def test_the_tutorial_counts_the_conflicts_that_its_command_prints() -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    found = re.search(r"DPLL meets (\d+) conflicts, and CDCL (\d+)\n\(the median of three runs", text)
    assert found
    grid = read_grid("sample:learning")
    for engine, conflicts in zip(("dpll", "cdcl"), found.groups(), strict=True):
        counted = [solve(grid, engine, seed=seed).counters["conflicts"] for seed in (0, 1, 2)]
        assert median(counted) == int(conflicts)
