"""`gemhunter generate`: what puzzles, games and suites print and write, and how the work ends."""

import csv
import json
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

import oracles
from gemhunter import parse_grid, read_grid, solve
from gemhunter.bench.suites import load_suite, read_index
from gemhunter.board.checker import check
from gemhunter.board.grid import Cell
from gemhunter.cli import generate as command
from gemhunter.cli.main import run
from gemhunter.cnf.encode import encode
from gemhunter.errors import EngineError
from gemhunter.files.access import write_atomically
from gemhunter.files.minesweeper import parse_mines
from gemhunter.generate.games import NoGuessGame, generate_games
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, generate_puzzle
from gemhunter.generate.suites import SuiteBoard, SuiteWish, write_case
from gemhunter.play.deal import deal_board
from gemhunter.play.game_ids import read_game_id
from text_files import put

Captured = pytest.CaptureFixture[str]


def test_the_board_is_printed_and_a_note_says_how_hard_it_is(capsys: Captured) -> None:
    assert run(["generate", "puzzle", "4x6", "--seed", "3"]) == 0
    printed = capsys.readouterr()
    assert parse_grid(printed.out).cells.shape == (4, 6)
    assert printed.err.startswith("seed 3: ")


def test_json_lines_have_the_solution(capsys: Captured) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "3", "--format", "jsonl"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["seed"] for record in records] == [1, 2, 3]
    for record in records:
        grid, solution = (parse_grid("\n".join(record[name])) for name in ("grid", "solution"))
        assert check(grid, solution) == []
        assert record["difficulty"]["word"] in ("easy", "medium", "hard", "expert")


def test_a_folder_gets_puzzles_and_solutions(desk: Path) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "-o", "made", "-q"]) == 0
    names = sorted(path.name for path in (desk / "made").iterdir())
    assert names == ["puzzle-1.txt", "puzzle-2.txt", "solution-1.txt", "solution-2.txt"]
    puzzle, solution = (read_grid(desk / "made" / f"{name}-2.txt") for name in ("puzzle", "solution"))
    assert solve(puzzle).filled == solution


def test_a_folder_of_puzzles_is_a_suite_of_the_puzzles_alone(desk: Path) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "-o", "made", "-q"]) == 0
    assert [board.name for board in load_suite("made").boards] == ["puzzle-1", "puzzle-2"]
    (desk / "made" / "puzzle-1.txt").unlink()  # what is named a solution may be a board of the user
    assert [board.name for board in load_suite("made").boards] == ["puzzle-2", "solution-1"]


def test_solutions_in_a_folder_are_not_overwritten(desk: Path, capsys: Captured) -> None:
    mine = put(desk / "made" / "solution-1.txt", "my own work")
    assert run(["generate", "puzzle", "3x3", "-o", "made", "-q"]) == 2
    assert mine.read_text(encoding="utf-8") == "my own work"


def test_puzzles_in_a_folder_are_not_overwritten(desk: Path, capsys: Captured) -> None:
    assert run(["generate", "puzzle", "3x3", "-o", "made", "-q"]) == 0
    before = (desk / "made" / "puzzle-1.txt").read_text("utf-8")
    assert run(["generate", "puzzle", "4x4", "-o", "made", "-q"]) == 2
    assert capsys.readouterr().err == "error: made has puzzles already\n"
    assert (desk / "made" / "puzzle-1.txt").read_text("utf-8") == before


def test_a_board_without_a_solution_names_the_clues_at_fault(capsys: Captured) -> None:
    assert run(["generate", "puzzle", "4x5", "--solutions", "none", "--format", "jsonl"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["solution"] is None
    assert record["conflict"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["puzzle", "5"], "a size is written 9x9"),
        (["puzzle", "5x5", "--density", "2"], "density"),
        (["puzzle", "5x5", "--density", "1"], "leaves none of the 25 cells"),
        (["puzzle", "0x5"], "the number of rows"),
        (["puzzle", "5x5", "--clues", "few"], "few"),
        (["puzzle", "5x5", "--difficulty", "mediun"], "mediun"),
        (["puzzle", "5x5", "--count", "2", "-o", "x.txt"], "use -o FOLDER/ or -o FILE.jsonl"),
        (["puzzle", "5x5", "--solutions", "many", "--difficulty", "easy"], "with one solution"),
        (["puzzle", "5x5", "--solutions", "two"], "'two' is not one of"),
        (["puzzle", "5x5", "-o", "sheet.png"], "sheet.png: cannot write .png here"),
        (
            ["puzzle", "5x5", "--solutions", "none", "--difficulty", "easy"],
            "--solutions none and --difficulty exclude each other",
        ),
        (
            ["puzzle", "5x5", "--solutions", "none", "--rule", "what-if"],
            "--solutions none and --rule exclude each other",
        ),
        (["game", "4x6n24"], "a 4×6 game can have from 0 to 23 traps"),
        (["game", "4x6n30"], "a 4×6 game can have from 0 to 23 traps, not 30"),
        (["game", "1x1n1"], "a 1×1 game can have from 0 to 0 traps, not 1"),
        (["game", "4x6n4", "--first", "r5c1"], "r5c1 is outside the 4×6 board"),
        (["game", "4x6n4", "--using", "total"], "'total' is not one of"),
        (["game", "experts"], "did you mean 'expert'?"),
        (["suite", "boards", "--count", "0", "--unsolvable", "0"], "at least one board of each kind"),
        (["suite", "boards", "--size", "big"], "a size is written 9x9"),
        (["suite", "boards", "--density", "1"], "leaves none of the"),
        (["suite", "boards", "--clauses", "9,x"], "expected numbers from 1 to 999,999"),
    ],
)
def test_bad_wishes_are_one_line_and_exit_2(
    words: list[str], complaint: str, desk: Path, capsys: Captured
) -> None:
    assert run(["generate", *words]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert list(desk.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "reached"),
    [
        (["2x2", "--density", "0.25", "--difficulty", "expert"], "is easy, not expert, in 200 attempts"),
        (["1x1", "--difficulty", "hard"], "is easy, not hard, in 200 attempts"),
        (["2x2", "--density", "0.5", "--clues", "0"], "needs 2 clues, not 0, in 200 attempts"),
        (["5x5", "--time-limit", "0.000001"], "time limit reached"),
    ],
)
def test_a_wish_that_is_not_reached_says_what_was(words: list[str], reached: str, capsys: Captured) -> None:
    assert run(["generate", "puzzle", *words]) == 3
    error = capsys.readouterr().err
    assert error.startswith("error: no puzzle for seed 1: ")
    assert error.endswith(f"{reached}\n")


def test_an_error_on_the_way_keeps_the_puzzles_that_are_finished(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def failing(wish: PuzzleWish, **_: object) -> Iterator[GeneratedPuzzle | NotGenerated]:
        yield generate_puzzle(wish)
        raise EngineError("the process died")

    monkeypatch.setattr(command, "generate_puzzles", failing)
    assert run(["generate", "puzzle", "3x3", "--count", "5", "--format", "jsonl", "-o", "kept.jsonl"]) == 4
    assert len((desk / "kept.jsonl").read_text("utf-8").splitlines()) == 1
    assert capsys.readouterr().err.endswith("error: the process died\n")


def test_a_sheet_as_pdf_is_one_file(desk: Path, capsys: Captured) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "-o", "sheet.pdf"]) == 0
    assert [path.name for path in desk.iterdir()] == ["sheet.pdf"]
    assert (desk / "sheet.pdf").read_bytes().startswith(b"%PDF")
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(":")[0] for line in err.splitlines()] == ["seed 1", "seed 2", "sheet.pdf"]


def test_json_lines_are_printed_beside_a_sheet(desk: Path, capsys: Captured) -> None:
    assert run(["generate", "puzzle", "3x3", "--format", "jsonl", "-o", "sheet.svg", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 1


def test_a_sheet_as_pdf_needs_a_package_before_any_work(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["generate", "puzzle", "4x4", "-o", "sheet.pdf"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert "sheets as PDF need the package matplotlib" in printed.err


@pytest.mark.parametrize(
    ("taken", "count"), [("sheet-solutions.svg", 1), ("sheet-2.svg", 13), ("sheet-solutions-2.svg", 13)]
)
def test_pages_beside_a_sheet_replace_no_file(taken: str, count: int, desk: Path, capsys: Captured) -> None:
    kept = put(desk / taken, "my own work")
    assert run(["generate", "puzzle", "9x9", "--count", str(count), "-o", "sheet.svg"]) == 2
    assert capsys.readouterr() == (
        "",
        f"error: {taken} would be overwritten; move it, or name another file than sheet.svg\n",
    )
    assert kept.read_text(encoding="utf-8") == "my own work"


def test_a_sheet_has_the_puzzles_and_another_the_solutions(desk: Path, capsys: Captured) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "-o", "sheet.svg", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    puzzles, solutions = ((desk / name).read_text("utf-8") for name in ("sheet.svg", "sheet-solutions.svg"))
    assert "2 · " in puzzles
    assert "✹" not in puzzles
    assert solutions.count("✹") == 2 * round(0.2 * 16)


def test_a_game_is_printed_as_a_mine_map_with_its_id_beside(capsys: Captured) -> None:
    assert run(["generate", "game", "5x8n7", "--seed", "3"]) == 0
    printed = capsys.readouterr()
    board = deal_board(read_game_id("5x8n7#3:no-guess"), Cell(2, 4))
    assert parse_mines(printed.out).tolist() == board.traps.tolist()
    assert printed.err == "5x8n7#3:no-guess, first click at r3c5\n"


def test_json_lines_have_the_id_and_the_cell_that_give_the_board_again(capsys: Captured) -> None:
    words = ["--using", "clues", "--first", "r1c1", "--count", "3", "--format", "jsonl"]
    assert run(["generate", "game", "5x8n7", *words]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["id"] for record in records] == [f"5x8n7#{seed}:no-guess-clues" for seed in (1, 2, 3)]
    for record in records:
        board = deal_board(read_game_id(record["id"]), Cell(0, 0))
        assert record["first"] == "r1c1"
        assert parse_mines("\n".join(record["traps"])).tolist() == board.traps.tolist()


def test_a_file_takes_one_game_as_text_or_many_as_json_lines(tmp_path: Path, capsys: Captured) -> None:
    one, many = tmp_path / "one.txt", tmp_path / "many.jsonl"
    assert run(["generate", "game", "4x6n4", "-o", str(one), "-q"]) == 0
    assert parse_mines(one.read_text()).sum() == 4
    assert run(["generate", "game", "4x6n4", "--count", "2", "--format", "jsonl", "-o", str(many)]) == 0
    assert len(many.read_text().splitlines()) == 2
    assert run(["generate", "game", "4x6n4", "--count", "2", "-o", str(one)]) == 2
    assert "use -o FILE.jsonl" in capsys.readouterr().err


def test_a_game_that_cannot_be_made_says_what_would_fit(capsys: Captured) -> None:
    assert run(["generate", "game", "4x4n9"]) == 3
    assert "leaves room for at most 7 traps" in capsys.readouterr().err


def test_ctrl_c_keeps_the_games_that_are_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def interrupted(level: str, **_: object) -> Iterator[NoGuessGame]:
        yield next(generate_games(level))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "generate_games", interrupted)
    kept = tmp_path / "kept.jsonl"
    run(["generate", "game", "4x6n4", "--count", "5", "--format", "jsonl", "-o", str(kept)])
    assert len(kept.read_text().splitlines()) == 1


def test_agents_watch_and_win_such_games(capsys: Captured) -> None:
    assert run(["watch", "5x8n7#3:no-guess-clues", "--agent", "logic", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["game"], record["outcome"]) == ("5x8n7#3:no-guess-clues", "won")


def test_the_board_of_such_an_id_depends_on_the_first_cell(capsys: Captured) -> None:
    boards = set()
    for first in ("r1c1", "r5c8"):
        assert run(["convert", "5x8n7#3:no-guess", "--first", first, "--format", "mines"]) == 0
        boards.add(capsys.readouterr().out)
    assert len(boards) == 2


def test_win_rates_of_such_games_are_all_for_an_agent_that_never_guesses(capsys: Captured) -> None:
    words = ["--agent", "logic", "--level", "5x8n7", "--games", "10", "--first-click", "no-guess"]
    assert run(["experiment", "winrate", *words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["first_click"], document["series"][0]["win_rate"]) == ("no-guess", 1.0)


@pytest.fixture(name="suite")
def small_suite(desk: Path) -> Path:
    words = ["--size", "3x5", "--difficulty", "easy", "--difficulty", "medium", "--count", "2"]
    assert run(["generate", "suite", "boards", *words, "-q"]) == 0
    return desk / "boards"


def facts_of(suite: Path) -> list[dict[str, str]]:
    with (suite / "facts.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_grader_marks_every_expected_answer_as_right(suite: Path, capsys: Captured) -> None:
    assert run(["check", str(suite), str(suite / "expected")]) == 0
    assert "5/5" in capsys.readouterr().out


def test_the_facts_are_true(suite: Path) -> None:
    facts = facts_of(suite)
    assert [each["difficulty"] for each in facts] == ["easy", "easy", "medium", "medium", "no solution"]
    for number, each in enumerate(facts, 1):
        grid = read_grid(suite / each["board"] / f"input_{number}.txt")
        assert len(oracles.all_solutions(grid)) == int(each["solutions"])
        assert (grid.cells.shape, int(each["hidden"])) == ((3, 5), len(list(grid.where(-1))))
        assert int(each["clauses"]) == encode(grid).size
        assert int(each["s4_clauses"]) == encode(grid, variables="all", keep_duplicates=True).size


def test_the_benchmark_reads_the_index(suite: Path) -> None:
    found = read_index(suite / "index.toml", "boards")
    assert [board.grid.cells.shape for board in found.boards] == [(3, 5)] * 5


def test_a_folder_with_files_is_left_alone(suite: Path, capsys: Captured) -> None:
    before = sorted(suite.rglob("*"))
    assert run(["generate", "suite", str(suite)]) == 2
    assert capsys.readouterr().err == f"error: {suite} is not empty\n"
    assert sorted(suite.rglob("*")) == before


def test_a_suite_that_is_whole_is_said_to_be(desk: Path, capsys: Captured) -> None:
    command = ["generate", "suite", "whole", "--size", "3x3", "--count", "1", "-q"]
    assert run(command) == 0
    capsys.readouterr()
    assert run(command) == 2
    assert capsys.readouterr().err == "error: whole has all boards of this suite; nothing is missing\n"


def test_what_is_finished_stays_when_the_work_is_stopped(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = chain(repeat(False, 60), repeat(True))
    monkeypatch.setattr(command, "is_pending", lambda: next(answers))
    assert (
        run(["generate", "suite", "boards", "--size", "3x3", "--count", "1000", "--workers", "1", "-q"]) == 0
    )
    cases = [path for path in (desk / "boards").iterdir() if path.name.startswith("testcase_")]
    assert 0 < len(cases) < 1000
    assert len(facts_of(desk / "boards")) == len(cases)


SUITE = [
    "generate",
    "suite",
    "boards",
    "--size",
    "3x5",
    "--difficulty",
    "easy",
    "--each",
    "3",
    "--workers",
    "1",
]


def content_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(name="whole")
def whole_suite(desk: Path) -> dict[str, str]:
    """The content of a suite that was not interrupted; the folder is removed."""
    assert run([*SUITE, "-q"]) == 0
    content = content_of(desk / "boards")
    shutil.rmtree(desk / "boards")
    return content


@pytest.mark.parametrize("writes", range(0, 11, 2))
def test_a_suite_that_was_killed_is_continued_by_the_same_command(
    writes: int, whole: dict[str, str], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = writes

    def write_until_killed(path: Path, content: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:  # whatever is written afterwards, as when the work is stopped, fails too
            raise KeyboardInterrupt
        write_atomically(path, content)

    with monkeypatch.context() as patch:
        patch.setattr("gemhunter.generate.suites.write_atomically", write_until_killed)
        assert run(SUITE) == 130
    assert run(SUITE) == 0
    assert content_of(desk / "boards") == whole


def test_a_suite_that_was_stopped_makes_only_what_is_missing(
    whole: dict[str, str], desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    stop = chain(repeat(False, 3), repeat(True))

    def write_until_stopped(folder: Path, board: SuiteBoard) -> dict[str, str]:
        if next(stop):
            raise KeyboardInterrupt
        return write_case(folder, board)

    with monkeypatch.context() as patch:
        patch.setattr(command, "write_case", write_until_stopped)
        assert run(SUITE) == 130
    made = []

    def note_board(folder: Path, board: SuiteBoard) -> dict[str, str]:
        made.append(board.number)
        return write_case(folder, board)

    monkeypatch.setattr(command, "write_case", note_board)
    capsys.readouterr()
    assert run(SUITE) == 0
    assert capsys.readouterr().err == "3 boards in boards already\n4 boards in boards\n"
    assert made == [4]
    assert content_of(desk / "boards") == whole


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (["--seed", "2"], "boards is not empty"),
        (["--density", "0.3"], "boards is not empty"),
        (["--difficulty", "hard"], "boards is not empty"),
        ([], "index.toml was changed"),
    ],
)
def test_a_suite_is_continued_only_as_it_was_begun_and_left(
    other: list[str], message: str, whole: dict[str, str], desk: Path, capsys: Captured
) -> None:
    *first, _last = whole["facts.csv"].splitlines(keepends=True)
    for name, text in whole.items():
        put(desk / "boards" / name, text)
    put(desk / "boards" / "facts.csv", "".join(first))
    put(desk / "boards" / "index.toml", "# mine\n")
    before = content_of(desk / "boards")
    capsys.readouterr()
    words = SUITE if "--difficulty" not in other else [*SUITE[:5], *SUITE[7:]]
    assert run([*words, *other]) == 2
    assert message in capsys.readouterr().err
    assert content_of(desk / "boards") == before


def test_a_difficulty_that_no_board_has_says_what_was_reached(desk: Path, capsys: Captured) -> None:
    words = ["--size", "2x2", "--difficulty", "expert", "--count", "1", "--unsolvable", "1"]
    assert run(["generate", "suite", "boards", *words]) == 3
    error, counted = capsys.readouterr().err.splitlines()
    assert error.startswith("error: no board for seed 1: ")
    assert error.endswith("is easy, not expert, in 200 attempts")
    assert counted == "1 board in boards"


def test_boards_come_by_size_and_those_without_a_solution_last_of_their_size() -> None:
    wish = SuiteWish(((4, 4), (3, 3)), (0.1, 0.2), ("easy", None), each=1, unsolvable=1)
    kinds = [(each.cells, each.solutions) for each in wish.wishes]
    assert kinds == [(9, "one")] * 4 + [(9, "none")] * 2 + [(16, "one")] * 4 + [(16, "none")] * 2


def test_boards_come_near_to_the_numbers_of_clauses_asked_for(desk: Path, capsys: Captured) -> None:
    assert run(["generate", "suite", "boards", "--clauses", "20, 60", "--count", "1", "--workers", "1"]) == 0
    facts = facts_of(desk / "boards")
    assert [each["clauses_asked"] for each in facts] == ["20", "20", "60", "60"]
    assert [each["solutions"] for each in facts] == ["1", "0", "1", "0"]
    for each in facts:
        assert abs(int(each["clauses"]) - int(each["clauses_asked"])) <= 2
    reached = ", ".join(each["clauses"] for each in facts[2:])
    assert capsys.readouterr().err.splitlines()[-1] == f"clauses asked for: 60; reached: {reached}"


def test_a_number_of_clauses_that_no_board_of_the_size_has_is_an_error_with_the_nearest(
    desk: Path, capsys: Captured
) -> None:
    words = ["--clauses", "999", "--size", "2x3", "--count", "1", "--unsolvable", "0", "--workers", "1"]
    assert run(["generate", "suite", "boards", *words]) == 3
    error, _ = capsys.readouterr().err.splitlines()
    assert re.search(r"of 2x3 with a density of 0.2 has \d+ clauses?, not 999; choose another size$", error)


def test_numbers_of_clauses_go_with_sizes_and_difficulties() -> None:
    sized = SuiteWish(((3, 5),), difficulties=("easy", "hard"), clauses=(30, 50))
    assert [(each.clauses, each.difficulty) for each in sized.wishes] == [
        *((30, "easy"), (30, "hard"), (50, "easy"), (50, "hard"))
    ]
    free = SuiteWish((), clauses=(20, 120))
    assert [(each.rows, each.cols, each.clauses) for each in free.wishes] == [(3, 3, 20), (6, 6, 120)]
