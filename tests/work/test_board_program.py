"""Students' programs: what they can do to the files of others, and to the person who runs them."""

import os
import sys
from pathlib import Path

import pytest

from gemhunter.errors import EngineError
from gemhunter.grading.programs import BoardProgram

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are scripts of a shell")

PLACE, ANSWER = "cases/input_1.txt", "cases/output_1.txt"


@pytest.fixture
def teacher(tmp_path: Path) -> Path:
    """A folder that does not belong to the student."""
    folder = tmp_path / "teacher"
    folder.mkdir()
    (folder / "input_1.txt").write_text("the board", encoding="utf-8")
    (folder / "output_1.txt").write_text("the solution", encoding="utf-8")
    return folder


@pytest.fixture
def student(tmp_path: Path) -> Path:
    folder = tmp_path / "student"
    folder.mkdir()
    return folder


def answer_of(code: str, folder: Path, *, place: str = PLACE, answer: str = ANSWER) -> str:
    """The answer of a program to a board."""
    program = BoardProgram(
        "student", ("/bin/sh", "-c", code), place=place, answer=answer, folder=folder, is_copied=True
    )
    content = program.answer_to("_, 1", seconds_left=lambda: None, stop=lambda: None)
    assert content is not None
    return content[0].decode()


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}


def test_no_file_is_placed_or_removed_through_a_link_to_a_folder(student: Path, teacher: Path) -> None:
    before = contents(teacher)
    (student / "cases").symlink_to(teacher)
    with pytest.raises(EngineError, match=r"^student: cases is a link, which is not followed$"):
        answer_of("true", student)
    assert contents(teacher) == before


def test_no_file_is_placed_or_removed_through_a_link_to_a_file(student: Path, teacher: Path) -> None:
    before = contents(teacher)
    (student / "cases").mkdir()
    for name in before:
        (student / "cases" / name).symlink_to(teacher / name)
    assert answer_of(f"cat {PLACE} > {ANSWER}", student) == "_, 1\n"
    assert contents(teacher) == before


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ln -s {teacher}/output_1.txt cases", "wrote no file cases/output_1.txt"),
        ("rm -r cases; ln -s {teacher} cases", "cases is a link"),
        ("mv ../home ../other; mkdir ../new; ln -s {teacher} ../new/cases; ln -s new ../home", "is a link"),
        ("mkfifo cases/output_1.txt", "wrote no file cases/output_1.txt"),
        ("mkdir cases/output_1.txt", "wrote no file cases/output_1.txt"),
        ("rm -r ../home", "wrote no file cases/output_1.txt"),
        ("rm -r cases; touch cases", "wrote no file cases/output_1.txt"),
    ],
)
def test_an_answer_is_a_file_that_the_program_wrote(
    code: str, reason: str, student: Path, teacher: Path
) -> None:
    with pytest.raises(EngineError, match=reason):
        answer_of(code.format(teacher=teacher), student)


@pytest.mark.parametrize("code", ["rm -f ../std*", "rm -f ../std*; mkfifo ../stdout ../stderr", "exec 2>&-"])
def test_what_a_program_does_to_the_files_around_it_changes_nothing(code: str, student: Path) -> None:
    assert answer_of(f"{code}; cat {PLACE}", student, answer="") == "_, 1\n"


def test_pipes_and_sockets_are_not_copied(student: Path) -> None:
    os.mkfifo(student / "pipe")
    assert answer_of("ls", student, place="", answer="") == ""


@pytest.mark.parametrize(
    "code",
    ["cat /dev/zero", "cat /dev/zero >&2", f"cat /dev/zero > {ANSWER}"],
    ids=["output", "errors", "file"],
)
def test_a_program_that_writes_without_end_is_ended(code: str, student: Path) -> None:
    with pytest.raises(EngineError, match=r"^student: (printed|wrote) more than 16,777,216 bytes$"):
        answer_of(code, student)


@pytest.mark.parametrize("name", ["cases", PLACE, ANSWER])
def test_a_file_where_a_folder_is_expected_is_an_error_of_the_program(name: str, student: Path) -> None:
    place = student / name
    if name == "cases":
        place.write_text("", encoding="utf-8")
    else:
        place.mkdir(parents=True)
    with pytest.raises(EngineError, match=f"^student: its folder cannot be used: {place.name}: "):
        answer_of("true", student)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="this user can read all files")
def test_a_file_that_cannot_be_read_is_an_error_of_the_program(student: Path) -> None:
    (student / "secret").touch(0o000)
    with pytest.raises(EngineError, match=r"^student: its folder cannot be used: .*denied"):
        answer_of("true", student)
