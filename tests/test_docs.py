"""The examples in the docs do what they show."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

import gemhunter
from compiled import needs_compiler
from gemhunter.cli.main import run
from gemhunter.cli.sample_boards import SAMPLE, boards_folder

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "docs" / "course"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(COURSE.glob("*.md"))]
FILES = {
    "tiny.txt": "_, 1, _\n",
    "tiny.model": "s SATISFIABLE\nv 1 -2 0\n",
    "nine.txt": "_, 1, _\n_, _, 9\n",
    "bad.txt": "1, 12, _\n2, x, _\n_, _\n",
    "stuck.txt": "0, _, _, 1, _\n",
    "position.txt": "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n",
    "mines.txt": "*..\n..*\n",
    "game.json": '{"format": "gemhunter-replay", "version": 1, "id": "2x3n2#5", "mines": ["*..", "..*"], '
    '"moves": ["reveal r1c2", "flag r2c3", "reveal r1c1"]}',
}


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


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the docs speak of."""
    for board in boards_folder().rglob("*.txt"):
        shutil.copy(board, tmp_path)
    shutil.copy(boards_folder() / SAMPLE, tmp_path / "board.txt")
    for board in (COURSE / "boards").glob("*.txt"):
        shutil.copy(board, tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("page", "block"), console_examples())
def test_console_examples_print_what_they_show(
    page: str, block: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = example.partition("\n")
        words = shlex.split(command)
        assert words[0] == "gemhunter"
        run(words[1:])
        printed = capsys.readouterr()
        assert without_times(printed.out + printed.err) == without_times(shown)


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
    report = gemhunter.solve(gemhunter.read_grid(boards_folder() / SAMPLE))
    assert (ROOT / "docs" / "sample.svg").read_text(encoding="utf-8") == report._repr_svg_()


def test_the_heat_map_in_the_docs_is_the_one_we_draw(desk: Path) -> None:
    assert run(["analyse", "board-11x11.txt", "--svg", "heat.svg"]) == 0
    drawn = (desk / "heat.svg").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "heat.svg").read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("watch easy#3 --initial half --animate game.gif", "game.gif"),
        ("experiment hints --format md --svg hints.svg", "hints.svg"),
    ],
)
@needs_compiler
def test_the_pictures_of_games_in_the_docs_are_the_ones_we_draw(command: str, name: str, desk: Path) -> None:
    assert f"gemhunter {command}" in "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert run(command.split()) == 0
    assert (ROOT / "docs" / name).read_bytes() == (desk / name).read_bytes()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def without_times(text: str) -> str:
    text = re.sub(r'"seconds": \{[^}]*\}', '"seconds": {}', text)
    return re.sub(r"\d[\d,.]* (s|ms|µs)(?!\w)", "N s", text)
