"""Files in a folder of test cases are replaced only if `solve` wrote them."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run
from gemhunter.files.access import write_atomically
from gemhunter.files.own_files import foreign_files, list_as_own
from text_files import put

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
WRITTEN = ("testcase_1/output_1.txt", "result_times.txt", "times.csv")

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def cases(desk: Path) -> Path:
    """A folder with one test case, in the current folder."""
    put(desk / "cases" / "testcase_1" / "input_1.txt", BOARD)
    return desk / "cases"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_that_we_did_not_write_is_kept_and_nothing_is_done(
    name: str, cases: Path, capsys: Captured
) -> None:
    (cases / name).write_text("my own work\n", encoding="utf-8")
    assert run(["solve", "cases"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert str(Path("cases") / name) in printed.err
    assert "--force" in printed.err
    assert (cases / name).read_text(encoding="utf-8") == "my own work\n"
    assert [path for path in WRITTEN if (cases / path).exists()] == [name]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_that_was_changed_after_us_is_kept(name: str, cases: Path, capsys: Captured) -> None:
    assert run(["solve", "cases"]) == 0
    with (cases / name).open("a", encoding="utf-8") as stream:
        stream.write("a remark of mine\n")
    changed = (cases / name).read_text(encoding="utf-8")
    assert run(["solve", "cases"]) == 2
    assert (cases / name).read_text(encoding="utf-8") == changed


@pytest.mark.parametrize("name", WRITTEN)
def test_force_overwrites_it_and_makes_it_ours(name: str, cases: Path, capsys: Captured) -> None:
    (cases / name).write_text("my own work\n", encoding="utf-8")
    assert run(["solve", "cases", "--force"]) == 0
    assert "my own work" not in (cases / name).read_text(encoding="utf-8")
    assert run(["solve", "cases"]) == 0


def test_our_own_files_are_replaced_without_asking_and_named_at_the_end(
    cases: Path, capsys: Captured
) -> None:
    for engine in ("auto", "dpll"):
        assert run(["solve", "cases", "-e", engine]) == 0
        tables = ", ".join(str(Path("cases") / name) for name in WRITTEN[1:])
        assert f"written: 1 output file, {tables}\n" in capsys.readouterr().err
    assert "[dpll]" in (cases / WRITTEN[0]).read_text(encoding="utf-8")


def test_a_folder_that_was_moved_keeps_what_is_ours(cases: Path, capsys: Captured) -> None:
    assert run(["solve", "cases"]) == 0
    cases.rename(cases.with_name("moved"))
    assert run(["solve", "moved"]) == 0


def test_a_test_case_solved_as_a_folder_of_its_own_is_ours_from_above_too(
    cases: Path, capsys: Captured
) -> None:
    for folder in ("cases/testcase_1", "cases", "cases/testcase_1"):
        assert run(["solve", folder]) == 0


def test_several_files_that_we_did_not_write_are_one_line(cases: Path, capsys: Captured) -> None:
    for name in WRITTEN:
        (cases / name).write_text("mine", encoding="utf-8")
    assert run(["solve", "cases"]) == 2
    assert " and 2 more would be overwritten" in capsys.readouterr().err


def test_an_output_file_beside_no_test_case_does_not_matter(cases: Path, capsys: Captured) -> None:
    (cases / "testcase_1" / "output_7.txt").write_text("mine", encoding="utf-8")
    assert run(["solve", "cases"]) == 0


def test_a_folder_without_test_cases_may_hold_any_table(cases: Path, capsys: Captured) -> None:
    (cases / "testcase_1" / "input_1.txt").rename(cases / "board.txt")
    (cases / "times.csv").write_text("mine", encoding="utf-8")
    assert run(["solve", "cases"]) == 0
    assert (cases / "times.csv").read_text(encoding="utf-8") == "mine"


def test_a_file_that_appears_during_the_work_is_kept(
    cases: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gemhunter.cli.printout import Printout

    add = Printout.add

    def add_and_interfere(self: Printout, answer: Any) -> None:
        (cases / WRITTEN[0]).write_text("mine", encoding="utf-8")
        add(self, answer)

    monkeypatch.setattr(Printout, "add", add_and_interfere)
    assert run(["solve", "cases"]) == 2
    printed = capsys.readouterr().err
    assert (cases / WRITTEN[0]).read_text(encoding="utf-8") == "mine"
    assert f"{Path('cases') / WRITTEN[0]} is kept" in printed
    assert "written: cases" in printed


def test_the_list_of_our_files_is_one_that_sha256sum_reads(tmp_path: Path) -> None:
    list_as_own(tmp_path, {tmp_path / "a" / "b.txt": "text\n"})
    [line] = (tmp_path / ".gemhunter.sha256").read_text(encoding="utf-8").splitlines()
    assert line == f"{hashlib.sha256(b'text' + bytes([10])).hexdigest()}  a/b.txt"


@pytest.mark.parametrize("content", ["", "nonsense", "\n\n  \n", "abc  out.txt"])
def test_a_damaged_list_makes_no_file_ours(content: str, tmp_path: Path) -> None:
    (tmp_path / ".gemhunter.sha256").write_text(content, encoding="utf-8")
    (tmp_path / "out.txt").write_text("mine", encoding="utf-8")
    assert foreign_files([tmp_path / "out.txt", tmp_path / "missing.txt"]) == [tmp_path / "out.txt"]


@pytest.mark.parametrize("writes", range(4))
def test_whatever_a_killed_run_has_written_is_ours(
    writes: int, cases: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["solve", "cases"]) == 0
    left = writes

    def write_until_killed(path: Path, content: str) -> None:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        write_atomically(path, content)

    with monkeypatch.context() as patch:
        for module in ("gemhunter.cli.printout", "gemhunter.files.own_files"):
            patch.setattr(f"{module}.write_atomically", write_until_killed)
        assert run(["solve", "cases", "-e", "dpll"]) == 130
    capsys.readouterr()
    assert run(["solve", "cases"]) == 0, capsys.readouterr().err


def test_runs_at_the_same_time_do_not_refuse_the_files_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    runs = [f"answer of run {number}" for number in range(3)]
    for text in runs:
        list_as_own(tmp_path, {file: text})
    for text in runs:
        file.write_text(text, encoding="utf-8")
        assert foreign_files([file]) == []


@pytest.mark.skipif(os.name == "nt", reason="nothing is locked there")
def test_lists_written_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    texts = {tmp_path / f"{number}.txt": f"{number}" for number in range(60)}
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda item: list_as_own(tmp_path, dict([item])), texts.items()))
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    assert foreign_files(texts) == []


def test_a_list_stays_short_however_often_its_files_are_written(tmp_path: Path) -> None:
    for number in range(30):
        list_as_own(tmp_path, {tmp_path / "out.txt": f"{number}"})
    assert len((tmp_path / ".gemhunter.sha256").read_text(encoding="utf-8").splitlines()) < 10
