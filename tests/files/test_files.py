"""Files are written whole or not at all."""

import os
import resource
import stat
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gemhunter.errors import InputError
from gemhunter.files.access import (
    keep_privately,
    read_text,
    require_writable,
    require_writable_folder,
    write_atomically,
)


@contextmanager
def disk_full_after(size: int) -> Iterator[None]:
    """Writing more than `size` bytes to a file fails inside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_whole_and_no_draft_is_left_behind(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("old and longer than the new text", encoding="utf-8")
    write_atomically(answer, "3, T\n×\n")
    assert answer.read_bytes() == "3, T\n×\n".encode()
    assert read_text(answer) == "3, T\n×\n"
    assert [path.name for path in tmp_path.iterdir()] == ["answer.txt"]


def test_after_a_failed_write_the_old_content_is_there_and_nothing_else(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("old", encoding="utf-8")
    with (
        disk_full_after(1000),
        pytest.raises(InputError, match=r"cannot write .*answer\.txt: file too large"),
    ):
        write_atomically(answer, "new" * 1000)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {"answer.txt": "old"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/out.txt", "no such file or directory"),
        ("board.txt/out.txt", "not a directory"),
        (".", "is a directory"),
        ("-", "not a file to write to"),
        ("n" * 300 + "/out.txt", "file name too long"),
    ],
)
def test_what_cannot_be_written_is_reported_before_as_it_would_be_later(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text("_", encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        require_writable(name)
    with pytest.raises(InputError, match=reason):
        write_atomically(name, "")


def test_a_read_only_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match=r"cannot write .*out\.txt: permission denied"):
        require_writable(tmp_path / "out.txt")


def test_files_that_can_be_written_are_not_touched_by_asking(tmp_path: Path) -> None:
    require_writable(tmp_path / "new.txt")
    require_writable("/dev/stdout")
    assert list(tmp_path.iterdir()) == []


def test_text_that_cannot_be_encoded_is_written_as_escapes(tmp_path: Path) -> None:
    write_atomically(tmp_path / "answer.txt", "\ud800 \udcff\n")
    assert (tmp_path / "answer.txt").read_bytes() == rb"\ud800 \xff" + b"\n"


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.touch()
    answer.chmod(0o640)
    write_atomically(answer, "new")
    assert mode(answer) == 0o640


def test_a_new_file_has_the_mode_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "answer.txt", "new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "answer.txt") == 0o640


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.touch()
    link.symlink_to(target)
    write_atomically(link, "new")
    assert (link.is_symlink(), target.read_text("utf-8")) == (True, "new")


def test_a_device_is_written_to_directly() -> None:
    write_atomically("/dev/null", "gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    require_writable(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, "utf-8")
        write_atomically(pipe, "through")
        assert read.result() == "through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no shared memory here")
def test_a_file_below_dev_is_replaced_as_anywhere_else(tmp_path: Path) -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        answer = Path(folder) / "answer.txt"
        answer.write_text("a longer old text", encoding="utf-8")
        before = answer.stat().st_ino
        write_atomically(answer, "new")
        assert (answer.read_text("utf-8"), answer.stat().st_ino != before) == ("new", True)


@pytest.mark.parametrize(
    "act", [require_writable, require_writable_folder, lambda path: write_atomically(path, "")]
)
def test_links_that_lead_to_each_other_are_refused(act: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    with pytest.raises(InputError, match=r"cannot write .*one: "):
        act(tmp_path / "one")


def test_a_name_with_a_nul_character_is_one_clear_error() -> None:
    with pytest.raises(InputError, match=r"a\\x00b: embedded null byte"):
        read_text("a\0b")
    for act in (require_writable, lambda path: write_atomically(path, "")):
        with pytest.raises(InputError, match=r"cannot write a\\x00b: "):
            act("a\0b")


def test_the_longest_name_there_is_can_be_written(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX") if hasattr(os, "pathconf") else 200
    write_atomically(tmp_path / ("n" * longest), "new")
    with pytest.raises(InputError, match="cannot write"):
        require_writable(tmp_path / ("n" * (longest + 1)))


def test_what_is_kept_privately_is_for_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first, second = (keep_privately("é\n", "wrong", ".json") for _ in range(2))
    assert first is not None
    assert second is not None
    assert first != second
    assert (first.read_bytes(), mode(first)) == ("é\n".encode(), 0o600)


def test_what_cannot_be_kept_is_not_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert keep_privately("text", "wrong", ".json") is None
