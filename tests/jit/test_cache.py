"""The cache of compiled kernels: each is compiled once, and again when any code it uses changes."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compiled import needs_compiler
from fresh_interpreter import output_of
from gemhunter.counting.parts import remaining_codes, take_apart_flat
from gemhunter.engines.brute_force import try_solutions
from gemhunter.jit import cache
from gemhunter.jit.cache import cache_folder, clean_folder, fingerprint, remove_older
from gemhunter.jit.choice import Mode, compiled_kernels, compiling, listening
from gemhunter.jit.kernel import Kernel, kernel

needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files here have no owners and modes")

PACKAGE = {
    "__init__.py": "",
    "inner.py": (
        "from gemhunter.jit.kernel import kernel\n"
        "FACTOR = 1\n"
        "@kernel\ndef one(number: int) -> int: return FACTOR * number\n"
    ),
    "outer.py": (
        "from gemhunter.jit.kernel import kernel\n"
        "from gemhunter.jit.choice import compiled_kernels\n"
        "from pack.inner import one\n"
        "@kernel(estimate=lambda number: 1e9)\ndef twice(number: int) -> int: return 2 * one(number)\n"
        "print(twice(1), *(name.removeprefix('pack.') for name in compiled_kernels()))\n"
    ),
}


@pytest.fixture(scope="module")
def compiled_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `pack`, and a cache that has its kernels."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "pack").mkdir()
    for name, text in PACKAGE.items():
        (folder / "pack" / name).write_text(text, encoding="utf-8")
    assert output_of_package(folder) == "2 inner.one outer.twice\n"
    return folder


def output_of_package(folder: Path) -> str:
    """What a process prints that imports the package: a product, and the kernels that it has compiled."""
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import pack.outer"
    return output_of(program, NUMBA_CACHE_DIR=str(folder / "cache"))


@needs_compiler
def test_a_kernel_is_compiled_once_per_cache(compiled_package: Path) -> None:
    assert output_of_package(compiled_package) == "2\n"


@needs_compiler
@pytest.mark.parametrize(
    ("line", "replaced"), [("FACTOR * number", "7 * number"), ("FACTOR = 1", "FACTOR = 7")]
)
def test_an_edited_callee_or_constant_is_compiled_into_its_caller(
    line: str, replaced: str, compiled_package: Path, tmp_path: Path
) -> None:
    no_bytecode = shutil.ignore_patterns("__pycache__")
    folder = Path(shutil.copytree(compiled_package, tmp_path / "edited", ignore=no_bytecode))
    (folder / "pack" / "inner.py").write_text(PACKAGE["inner.py"].replace(line, replaced), encoding="utf-8")
    assert output_of_package(folder) == "14 inner.one outer.twice\n"
    assert len(list((folder / "cache").rglob("outer.twice*.nbi"))) == 1


@kernel(estimate=lambda number: 1e9)
def negative(number: int) -> int:
    """A kernel that is compiled fast."""
    return -number


def compilations() -> int:
    """How many kernels are compiled for a call of `negative`, as if the process had just been started."""
    cache_folder.cache_clear()
    before = len(compiled_kernels())
    with compiling(Mode.ALWAYS):
        assert Kernel(negative.__wrapped__, negative.options, negative._estimate)(3) == -3
    return len(compiled_kernels()) - before


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that has the kernel `negative`."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    assert compilations() == 1
    yield folder
    cache_folder.cache_clear()


@needs_compiler
def test_a_damaged_cache_is_no_trouble(kept: Path) -> None:
    assert compilations() == 0
    for file in kept.rglob("*.nb?"):
        file.write_bytes(file.read_bytes()[:40])
    assert compilations() == 1


@needs_compiler
@pytest.mark.parametrize("ending", ["nbc", "nbi"])
def test_one_flipped_bit_in_a_cached_file_means_compiling_again(ending: str, kept: Path) -> None:
    (file,) = kept.rglob(f"*.{ending}")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert [compilations() for _ in range(2)] == [1, 0]


@needs_compiler
def test_without_any_folder_to_write_to_kernels_are_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    nowhere = str(blocked / "folder")
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, nowhere)
    monkeypatch.setattr("tempfile.tempdir", nowhere)
    assert [compilations() for _ in range(2)] == [1, 1]
    cache_folder.cache_clear()


@needs_compiler
@needs_owners
def test_a_file_that_others_can_write_is_not_loaded(kept: Path) -> None:
    (file,) = kept.rglob("*.nbc")
    file.chmod(0o666)
    before = os.umask(0)
    try:
        assert [compilations() for _ in range(2)] == [1, 0]
    finally:
        os.umask(before)


@needs_compiler
@needs_owners
def test_a_folder_that_anyone_can_write_is_neither_read_nor_written(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.chmod(0o777)
    files = sorted(kept.rglob("*"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert [compilations() for _ in range(2)] == [1, 0]
    assert sorted(kept.rglob("*")) == files


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file or folder belong to another user than this process says it runs as."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """The folder that the variable names, which exists, and the user's own; neither has been examined yet."""
    asked, own = tmp_path / "asked", tmp_path / "own"
    asked.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(asked))
    monkeypatch.setattr(cache, "user_cache_folder", lambda: own)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("gemhunter.jit.choice._Process.said", set())
    cache_folder.cache_clear()
    yield asked, own / "gemhunter"
    cache_folder.cache_clear()


def bases_and_lines(*kernels: Kernel[..., Any]) -> tuple[list[Path | None], list[str]]:
    """The folders that these kernels are kept in, and what is said about that."""
    said: list[str] = []
    with listening(lambda line, lasting: said.append(line)):
        found = [cache_folder(each) for each in kernels]
    return [folder and folder.parent for folder in found], said


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_private_folder_is_used_in_place_of_one_that_anyone_can_write(
    mode: int, folders: tuple[Path, Path]
) -> None:
    asked, own = folders
    asked.chmod(mode)
    bases, said = bases_and_lines(try_solutions, remaining_codes)
    assert bases == [own, own]
    assert said == [f"compiled code in {asked} is not used: anyone can write to {asked}"]


@needs_owners
def test_a_private_folder_is_used_in_place_of_one_that_anyone_can_replace(folders: tuple[Path, Path]) -> None:
    asked, own = folders
    asked.parent.chmod(0o777)
    own.parent.mkdir(parents=True)
    bases, (line, *_) = bases_and_lines(try_solutions)
    asked.parent.chmod(0o700)
    assert bases == [None]
    assert line == f"compiled code in {asked} is not used: anyone can write to {asked.parent}"


@needs_owners
@pytest.mark.parametrize("whose", ["the folder", "a kernel"])
def test_a_private_folder_is_used_in_place_of_that_of_another_user(
    whose: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, own = folders
    path = asked
    if whose == "a kernel":
        path = cache_folder(try_solutions) or asked
        path.mkdir()
        cache_folder.cache_clear()
    give_away(path, monkeypatch)
    bases, said = bases_and_lines(try_solutions)
    assert bases == [own]
    assert said == [f"compiled code in {asked} is not used: it belongs to another user"]


@needs_owners
def test_a_user_without_a_home_has_a_private_folder_for_temporary_files(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(cache, "user_cache_folder", no_home)
    asked, _ = folders
    asked.chmod(0o777)
    private = asked.parent / f"gemhunter-{os.geteuid()}"
    assert bases_and_lines(try_solutions)[0] == [private]
    assert clean_folder(try_solutions) is not None
    assert private.stat().st_mode & 0o777 == 0o700
    private.chmod(0o777)
    cache_folder.cache_clear()
    assert bases_and_lines(try_solutions)[0] == [None]


def variant(factor: int) -> Kernel[..., int]:
    """A kernel that multiplies by a constant."""
    names: dict[str, Any] = {"FACTOR": factor, "__name__": __name__}
    exec(compile("def times(number):\n    return FACTOR * number\n", __file__, "exec"), names)
    made: Kernel[..., int] = kernel(names["times"])
    return made


def test_a_fingerprint_depends_on_code_and_constants_alone() -> None:
    assert fingerprint(variant(2)) == fingerprint(variant(2)) != fingerprint(variant(3))
    assert len({fingerprint(each) for each in (try_solutions, remaining_codes, take_apart_flat)}) == 3


def test_what_was_kept_of_older_code_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache_folder.cache_clear()
    folder = cache_folder(try_solutions)
    cache_folder.cache_clear()
    assert folder is not None
    older = folder.with_name(folder.name[:-16] + "0123456789abcdef")
    other = folder.with_name("gemhunter-fillings.other-0123456789abcdef")
    for each in (folder, older, other):
        each.mkdir()
    remove_older(try_solutions)
    cache_folder.cache_clear()
    assert sorted(tmp_path.iterdir()) == sorted([folder, other])


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "caches"}, "caches"),
        ("linux", {"HOME": "home"}, "home/.cache"),
        ("darwin", {"HOME": "home"}, "home/Library/Caches"),
        ("win32", {"LOCALAPPDATA": "local"}, "local"),
    ],
)
def test_each_system_has_a_folder_of_the_user(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(cache.sys, "platform", platform)  # type: ignore[attr-defined]
    assert cache.user_cache_folder() == Path(expected)
