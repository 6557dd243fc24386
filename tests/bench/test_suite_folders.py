"""Suites of the user: folders with and without an index, files, several at once, and mistakes."""

from pathlib import Path

import pytest

from gemhunter import Grid, parse_grid
from gemhunter.bench.suites import BenchBoard, Suite, load_boards, load_suite
from gemhunter.board.board import random_grid
from gemhunter.errors import BoardError, InputError, UnknownNameError
from text_files import put

SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
OTHER = "_, 1, _\n"
MY_INDEX = """
title = "my boards"
engines = ["cdcl", "genetic"]
runs = 2
runs_of = { genetic = 4 }
seconds = 2.5

[[boards]]
file = "../elsewhere/a.txt"

[[boards]]
file = "../elsewhere/a.txt"
name = "zeros"
zero = "unknown"
traps = 4
note = "from a book"

[[boards]]
random = { rows = 4, cols = 5, seed = 7 }
"""
ENTRY = '[[boards]]\nfile = "a.txt"\n'
MISSING = '[[boards]]\nfile = "b.txt"\n'
RANDOM = "[[boards]]\nrandom"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    home = tmp_path / "desk"
    home.mkdir()
    monkeypatch.chdir(home)
    return home


def grids(suite: Suite) -> dict[str, Grid]:
    return {board.name: board.grid for board in suite.boards}


def test_a_folder_of_test_cases_is_a_suite_without_an_index(desk: Path) -> None:
    for number, text in [(10, OTHER), (2, SMALL)]:
        put(desk / "cases" / f"testcase_{number}" / f"input_{number}.txt", text)
        put(desk / "cases" / f"testcase_{number}" / f"output_{number}.txt", SMALL)
    put(desk / "cases" / "result_times.txt", "Testcase  Size\n2  3x4\n")
    suite = load_suite("cases")
    assert list(grids(suite).items()) == [
        ("testcase_2", parse_grid(SMALL)),
        ("testcase_10", parse_grid(OTHER)),
    ]
    assert (suite.name, suite.title, suite.engines) == ("cases", "boards in cases", ())


def test_files_in_a_folder_that_are_no_boards_are_skipped_with_one_line(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "README.txt", "Boards of the course\n")
    lines: list[str] = []
    assert list(grids(load_boards(["."], notice=lines.append))) == ["a"]
    assert lines == ["skipped 1 file that is not a board: README.txt"]


def test_boards_of_a_folder_with_one_stem_are_named_by_their_files(desk: Path) -> None:
    for name in ("a.csv", "a.txt", "b.txt", "case/input_1.txt", "case/input_2.txt"):
        put(desk / "boards" / name, SMALL)
    names = ["case/input_1.txt", "case/input_2.txt", "a.csv", "a.txt", "b"]
    assert list(grids(load_suite("boards"))) == names


def test_a_board_file_is_a_suite_of_one_board(desk: Path) -> None:
    put(desk / "a.txt", "010\n")
    assert load_suite("a.txt", zero="unknown") == Suite("a", "a.txt", (BenchBoard("a", parse_grid("_1_")),))


def test_an_index_says_which_boards_there_are_and_how_they_are_compared(desk: Path) -> None:
    put(desk / "elsewhere" / "a.txt", SMALL)
    put(desk / "mine" / "index.toml", MY_INDEX)
    grid = parse_grid(SMALL)
    boards = (
        BenchBoard("a", grid),
        BenchBoard("zeros", grid, 4, "from a book"),
        BenchBoard("random-4x5", random_grid(4, 5, seed=7)),
    )
    suite = Suite("mine", "my boards", boards, ("cdcl", "genetic"), 2, {"genetic": 4}, 2.5)
    assert load_suite("mine") == load_suite("mine/index.toml") == suite


def test_an_index_without_boards_is_about_all_boards_of_its_folder(desk: Path) -> None:
    put(desk / "mine" / "a.txt", "010\n")
    put(desk / "mine" / "index.toml", 'zero = "unknown"\nruns = 7\n')
    suite = load_suite("mine")
    assert (grids(suite), suite.runs, suite.title) == ({"a": parse_grid("_1_")}, 7, "mine")


def test_a_toml_file_of_any_name_is_an_index(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "week-1.toml", ENTRY)
    assert (load_suite("week-1.toml").name, list(grids(load_suite("week-1.toml")))) == ("week-1", ["a"])


def test_zero_is_for_boards_that_no_index_is_about(desk: Path) -> None:
    put(desk / "a.txt", "010\n")
    put(desk / "mine.toml", ENTRY)
    assert grids(load_boards(["mine.toml"], "unknown")) == {"a": parse_grid("010")}
    assert grids(load_boards(["."], "unknown")) == {"a": parse_grid("_1_")}


def test_a_built_in_name_is_that_suite_and_dot_slash_is_the_folder(desk: Path) -> None:
    put(desk / "s1" / "mine.txt", SMALL)
    assert list(grids(load_suite("s1"))) == ["5x5", "11x11", "20x20"]
    assert list(grids(load_suite("./s1"))) == ["mine"]


def test_boards_of_several_arguments_keep_names_that_are_their_own(desk: Path) -> None:
    for name in ("a.txt", "left/b.txt", "right/b.txt", "right/sub/b.txt", "other/sub/b.txt"):
        put(desk / name, SMALL)
    names = ["a", "left/b", "right/b", "5x5", "11x11", "20x20"]
    assert list(grids(load_boards(["a.txt", "left", "right/b.txt", "s1"]))) == names
    assert list(grids(load_boards(["right/sub", "other/sub", "a.txt"]))) == ["sub/b", "sub/b#2", "a"]


def test_an_argument_given_twice_counts_once(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    assert list(grids(load_boards(["a.txt", "s1", "./a.txt", "s1"]))) == ["a", "5x5", "11x11", "20x20"]


def test_several_suites_have_the_engines_of_all_and_the_limits_they_agree_on(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    s1, s2, s4 = (load_suite(name) for name in ("s1", "s2", "s4"))
    alike = load_boards(["s1", "s2", "a.txt"])
    assert alike.engines == (*s1.engines, "dpll", "pysat")
    assert (alike.name, alike.title) == ("s1+s2+a", f"{s1.title}; {s2.title}; a.txt")
    assert (alike.runs, alike.seconds) == (s1.runs, s1.seconds)
    different = load_boards(["s1", "s4"])
    assert (different.runs, different.runs_of, different.seconds) == (3, {}, 10.0)
    assert load_boards(["s4", "a.txt"]).runs_of == s4.runs_of


def test_the_name_of_many_arguments_stays_short(desk: Path) -> None:
    for number in range(5):
        put(desk / f"{number}.txt", SMALL)
    assert load_boards([f"{number}.txt" for number in range(5)]).name == "0+1+2 and 2 more"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("scalling", "did you mean 'scaling'? (known: s1, "),
        ("S1", "no suite, folder or board file named 'S1'; did you mean 's1'"),
    ],
)
def test_a_name_of_nothing_gets_the_nearest_suite(argument: str, message: str, desk: Path) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load_boards([argument])
    assert message in str(caught.value)


def test_a_path_of_nothing_is_no_such_file(desk: Path) -> None:
    for argument in ("boards/a.txt", "a.txt", "boards/a", "week.toml"):
        with pytest.raises(InputError, match=r"^\S+: no such file or directory$"):
            load_boards([argument])


def test_no_arguments_and_folders_without_boards_are_errors(desk: Path) -> None:
    with pytest.raises(InputError, match=r"^no boards; expected board files, folders or suites"):
        load_boards([])
    (desk / "empty").mkdir()
    with pytest.raises(InputError, match=r"^no boards in empty; expected \*\.txt"):
        load_boards(["empty"])


def test_a_board_that_cannot_be_read_gives_its_own_error(desk: Path) -> None:
    put(desk / "a.txt", "1, x\n")
    put(desk / "index.toml", ENTRY)
    for argument in ("a.txt", "."):
        with pytest.raises(BoardError, match=r"a\.txt:1:4: expected"):
            load_boards([argument])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title\n", "not TOML: expected '=' after a key in a key/value pair (at line 1, column 6)"),
        ('titel = "x"\n', "unknown key 'titel'; did you mean 'title'? (keys: title, engines, runs, "),
        ("title = 3\n", "title: expected a line of text, found 3"),
        ('engines = "x"\n', 'engines: expected a list of engines such as ["auto", "cdcl"], found \'x\''),
        ("runs = 0\n", "runs: expected a whole number of at least 1, found 0"),
        ("runs = true\n", "runs: expected a whole number of at least 1, found True"),
        ("runs_of = { cdcl = 0 }\n", "runs_of: expected a table such as { genetic = 5 } with whole numbers"),
        ("runs_of = { cdcl = 2 }\n", "runs_of: expected names that are in engines, found 'cdcl'"),
        ("seconds = nan\n", "seconds: expected a number of seconds above 0, found nan"),
        ("boards = []\n", "boards: expected [[boards]] once or more, found []"),
        ('boards = ["a.txt"]\n', "boards: expected [[boards]] once or more, found ['a.txt']"),
        ("[[boards]]\n", "board 1: expected either `file` or `random`"),
        (f"{ENTRY}random = {{}}\n", "board 1: expected either `file` or `random`"),
        (ENTRY + ENTRY, "two boards are named 'a'; expected unique names"),
        (f'{ENTRY}zero = "x"\n', 'board 1: zero: expected "clue" or "unknown", found \'x\''),
        (f"{ENTRY}zero = []\n", 'board 1: zero: expected "clue" or "unknown", found []'),
        (f"{ENTRY}traps = -1\n", "board 1: traps: expected a whole number of at least 0, found -1"),
        (f'{ENTRY}raised = "a1"\n', "board 1: raised: 'a1' is not a cell; expected a row and a column"),
        (f'{ENTRY}raised = "r1c2"\n', "board 1: raised: expected a cell with a clue of 0 to 7, found 'r1c2'"),
        (f'{ENTRY}raised = "r9c9"\n', "board 1: raised: expected a cell with a clue of 0 to 7, found 'r9c9'"),
        (f"{ENTRY}{MISSING}", "board 2: file: expected a board beside the index, found no 'b.txt'"),
        (f"{RANDOM}.rows = 2", "board 1: random: expected `rows` and `cols`, found no `cols`"),
        (f"{RANDOM}.rows = 0", "board 1: random: rows: expected a whole number from 1 to 10,000, found 0"),
        (f"{RANDOM}.shown = 2", "board 1: random: shown: expected a number from 0 to 1, found 2"),
    ],
)
def test_a_mistake_in_an_index_is_one_line_with_what_was_expected(
    text: str, message: str, desk: Path
) -> None:
    put(desk / "a.txt", SMALL)
    index = put(desk / "index.toml", text)
    with pytest.raises(InputError) as caught:
        load_boards(["."])
    assert str(caught.value).startswith(f"{index.name}: {message}")
    assert "\n" not in str(caught.value)


def test_a_clue_can_be_raised(desk: Path) -> None:
    put(desk / "mine" / "a.txt", "1, _\n_, T\n")
    put(desk / "mine" / "index.toml", f'{ENTRY}raised = "r1c1"\n')
    assert grids(load_suite("mine")) == {"a": parse_grid("2, _\n_, T")}


def test_an_index_that_is_no_text_is_an_error(desk: Path) -> None:
    (desk / "index.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"^index\.toml: not UTF-8 text; expected an index in TOML$"):
        load_boards(["."])


@pytest.mark.parametrize("name", ["one.txt", "one", "one/board.txt", "one.toml", "one/index.toml"])
def test_links_that_lead_to_each_other_are_reported(name: str, desk: Path) -> None:
    top = desk / Path(name).parts[0]
    top.symlink_to(desk / "two")
    (desk / "two").symlink_to(top)
    with pytest.raises(InputError, match="one") as raised:
        load_boards([name])
    assert "link" in str(raised.value)
