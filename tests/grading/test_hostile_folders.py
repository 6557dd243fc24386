"""Folders made by others: links, pipes and devices in them neither lead elsewhere nor stop the work."""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.grading.cases import answer_byte_limit, read_answer
from gemhunter.grading.sections import ANSWER_LIMIT, read_sections
from text_files import put

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
RIGHT = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
OUTPUTS = ("testcase_1/output_1.txt", "result_times.txt", "times.csv", ".gemhunter.sha256")

Captured = pytest.CaptureFixture[str]

NEEDS_PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@pytest.fixture
def cases(desk: Path) -> Path:
    """A folder with one test case, in the current folder."""
    put(desk / "cases" / "testcase_1" / "input_1.txt", BOARD)
    return desk / "cases"


def link(path: Path, target: Path) -> None:
    try:
        path.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("links cannot be made here")


def refused(capsys: Captured, *arguments: str) -> str:
    """The line with which a command stops before any work."""
    assert run(["solve", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("content", ["precious\n", None], ids=["file", "missing"])
def test_solve_writes_through_no_link_in_a_folder(
    content: str | None, name: str, force: list[str], cases: Path, capsys: Captured
) -> None:
    precious = cases.parent / "precious"
    if content is not None:
        precious.write_text(content, encoding="utf-8")
    link(cases / name, precious)
    assert f"{Path('cases', name)} is a link" in refused(capsys, "cases", *force)
    assert precious.exists() == (content is not None)
    assert content is None or precious.read_text(encoding="utf-8") == content
    assert [each for each in OUTPUTS if os.path.lexists(cases / each)] == [name]


def test_solve_writes_into_no_linked_folder(cases: Path, capsys: Captured) -> None:
    elsewhere = cases.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "input_2.txt").write_text(BOARD, encoding="utf-8")
    link(cases / "testcase_2", elsewhere)
    assert f"{Path('cases', 'testcase_2')} is a link" in refused(capsys, "cases", "--force")
    assert [path.name for path in elsewhere.iterdir()] == ["input_2.txt"]


def test_a_link_that_the_user_names_is_followed(cases: Path, capsys: Captured) -> None:
    link(cases.parent / "linked", cases)
    link(cases.parent / "answers.txt", cases.parent / "kept.txt")
    assert run(["solve", "linked", "-o", "answers.txt"]) == 0
    assert (cases / "testcase_1" / "output_1.txt").exists()
    assert (cases.parent / "kept.txt").exists()


@NEEDS_PIPES
@pytest.mark.parametrize("name", OUTPUTS)
def test_solve_does_not_wait_for_a_pipe_in_a_folder(name: str, cases: Path, capsys: Captured) -> None:
    os.mkfifo(cases / name)
    assert str(Path("cases", name)) in refused(capsys, "cases")


@NEEDS_PIPES
def test_solve_does_not_wait_for_a_board_that_is_a_pipe(cases: Path, capsys: Captured) -> None:
    (cases / "testcase_2").mkdir()
    os.mkfifo(cases / "testcase_2" / "input_2.txt")
    assert run(["solve", "cases"]) == 2
    assert (
        f"{Path('cases', 'testcase_2', 'input_2.txt')}: a named pipe, not a file" in capsys.readouterr().err
    )


def make_pipe(path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    if not hasattr(socket, "AF_UNIX"):
        pytest.skip("there are no such sockets here")
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)  # the whole path can be too long for a socket


def make_device(path: Path) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there are no devices here")
    link(path, Path("/dev/zero"))


def make_loop(path: Path) -> None:
    link(path, path)


def make_dangling(path: Path) -> None:
    link(path, path.with_name("nothing"))


def make_zeros(path: Path) -> None:
    path.write_bytes(RIGHT.encode() + b"\0" * 1000)


def make_line(path: Path) -> None:
    """Sixty megabytes in one line; the file system need not store them."""
    with path.open("wb") as stream:
        stream.write(b"1, ")
        stream.truncate(60_000_000)


def make_sections(path: Path) -> None:
    path.write_text("".join(f"[{number}]\nT\n" for number in range(100_000)), encoding="utf-8")


def make_claims(path: Path) -> None:
    path.write_text("".join(f"[{number}] no solution\n" for number in range(3_000)), encoding="utf-8")


def make_brackets(path: Path) -> None:
    path.write_text("[" * 20_000 + "1" + "]" * 20_000, encoding="utf-8")


def make_nested_json(path: Path) -> None:
    path.write_text("[" * 900 + "1" + "]" * 900, encoding="utf-8")


HOSTILE: list[Callable[[Path], None]] = [
    make_pipe,
    make_socket,
    make_device,
    make_loop,
    make_dangling,
    make_zeros,
    make_line,
    make_sections,
    make_claims,
    make_brackets,
    make_nested_json,
]


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_submission_costs_the_others_nothing(
    make: Callable[[Path], None], cases: Path, capsys: Captured
) -> None:
    for student in ("ann", "bob", "eve"):
        (cases.parent / "class" / student).mkdir(parents=True)
        (cases.parent / "class" / student / "output_1.txt").write_text(RIGHT, encoding="utf-8")
    hostile = cases.parent / "class" / "bob" / "output_1.txt"
    hostile.unlink()
    make(hostile)
    assert run(["check", "cases", "class"]) == 2
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:4] == [["ann", "right", "1/1"], ["bob", "unreadable", "0/1"], ["eve", "right", "1/1"]]
    board = cases / "testcase_1" / "input_1.txt"
    assert run(["check", str(board), "class"]) == 2
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[1] for row in rows if "bob" not in row[0]] == ["right", "right"]
    [bob] = [row for row in rows if "bob" in row[0]]
    assert "unreadable" in bob
    assert len(bob) > 3


def test_the_linked_folder_of_a_student_is_unreadable_and_not_followed(cases: Path, capsys: Captured) -> None:
    for name in ("elsewhere", "class/ann"):
        (cases.parent / name).mkdir(parents=True)
        (cases.parent / name / "output_1.txt").write_text(RIGHT, encoding="utf-8")
    link(cases.parent / "class" / "bob.b", cases.parent / "elsewhere")
    assert run(["check", "cases", "class", "--violations", "violations.csv"]) == 2
    assert "bob.b    unreadable" in capsys.readouterr().out
    violations = (cases.parent / "violations.csv").read_text(encoding="utf-8")
    assert "bob.b: a link to a folder, which is not followed" in violations


@pytest.fixture
def locked(cases: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A second test case in a folder that cannot be opened, not even by an administrator."""
    folder = cases / "testcase_2"
    folder.mkdir()
    (folder / "input_2.txt").write_text(BOARD, encoding="utf-8")
    listed, walked = Path.iterdir, os.scandir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == folder.name:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    def scandir(path: str) -> "Iterator[os.DirEntry[str]]":
        if Path(path).name == folder.name:
            raise PermissionError(13, "Permission denied", str(path))
        return walked(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    monkeypatch.setattr(os, "scandir", scandir)
    return folder


def test_solve_reports_a_test_case_that_cannot_be_opened(locked: Path, capsys: Captured) -> None:
    assert run(["solve", "cases"]) == 2
    assert f"error: {Path('cases', 'testcase_2')}: permission denied\n" in capsys.readouterr().err
    assert (locked.parent / "testcase_1" / "output_1.txt").exists()


def test_a_class_is_not_graded_by_half_of_the_test_cases(locked: Path, capsys: Captured) -> None:
    (locked.parents[1] / "class").mkdir()
    assert run(["check", "cases", "class"]) == 2
    assert capsys.readouterr().err == f"error: {Path('cases', 'testcase_2')}: permission denied\n"


def test_a_submission_that_cannot_be_opened_is_unreadable(locked: Path, capsys: Captured) -> None:
    board = locked.parent / "testcase_1" / "input_1.txt"
    (locked.parent / "testcase_1" / "output_1.txt").write_text(RIGHT, encoding="utf-8")
    board.rename(locked.parents[1] / "board.txt")
    assert run(["check", "board.txt", "cases"]) == 2
    printed = capsys.readouterr().out
    assert "right" in printed
    assert f"{Path('cases', 'testcase_2')}: permission denied" in printed


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000 + " 3 T 2 G\n",
        "testcase " + "9" * 5000 + "\n",
        "1" * 5000 + "x4\n",
        "['" * 5000,
        "array([1,\n1], dtype=" + "(" * 5000,
        "a \\\n" * 5000,
        "1" + "," * 5000 + "x\n",
        "a" + " " * 5000 + "b\n",
        "case " + "0" * 5000 + "x4\n",
        "[\n1]" * 2000,
        '[{"a":' * 900,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_odd_lines_around_an_answer_do_no_harm(text: str, cases: Path, capsys: Captured) -> None:
    (cases.parent / "class" / "ann").mkdir(parents=True)
    (cases.parent / "class" / "ann" / "output_1.txt").write_text(f"{text}\n\n{RIGHT}", encoding="utf-8")
    assert run(["check", "cases", "class"]) in (0, 2)
    assert capsys.readouterr().out.splitlines()[1].split()[:2] in (["ann", "right"], ["ann", "unreadable"])


def test_an_answer_file_may_be_as_large_as_its_board_asks_for(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_bytes(b" " * answer_byte_limit(12))
    assert len(read_answer(answer, 12)) == answer.stat().st_size
    with pytest.raises(InputError, match="too large to be an answer to this board; at most 513 KiB"):
        read_answer(answer, 11)


@pytest.mark.parametrize("count", [ANSWER_LIMIT, ANSWER_LIMIT + 1])
def test_a_file_has_a_thousand_answers_at_most(count: int) -> None:
    text = "".join(f"[{number}] gave up\n" for number in range(count))
    board = parse_grid(BOARD)
    if count == ANSWER_LIMIT:
        assert len(read_sections(text, board)) == count
    else:
        with pytest.raises(InputError, match="1,001 answers in one file; at most 1,000 are graded"):
            read_sections(text, board)


def test_tables_and_replays_beside_boards_are_skipped(cases: Path, capsys: Captured) -> None:
    replay = '{"format": "gemhunter-replay", "version": 1, "mines": ["*."], "moves": []}'
    for name, text in {"n.csv": "n,ms\n5,12\n10,30\n", "empty.json": "[]", "game.json": replay}.items():
        (cases / name).write_text(text, encoding="utf-8")
    assert run(["solve", "cases"]) == 0
    assert "skipped 3 files that are not boards: empty.json, game.json, n.csv" in capsys.readouterr().err
