"""The cache of compiled kernels: each is compiled once, and again when any code it uses changes."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from compiled import needs_compiler
from fresh_interpreter import output_of
from gemhunter.compiling import cache
from gemhunter.compiling.cache import cache_folder, fingerprint, remove_older
from gemhunter.compiling.kernel import Kernel
from gemhunter.kernels.brute_force import try_solutions
from gemhunter.kernels.structure.take_apart import remaining_codes, take_apart_flat

TWO_FILES = {
    "__init__.py": "",
    "inner.py": (
        "from gemhunter.compiling.kernel import kernel\n"
        "FACTOR = 1\n"
        "@kernel\ndef one(number: int) -> int: return FACTOR * number\n"
    ),
    "outer.py": (
        "from gemhunter.compiling.kernel import kernel\nfrom pack.inner import one\n"
        "@kernel(estimate=lambda number: 1e9)\ndef twice(number: int) -> int: return 2 * one(number)\n"
        "print(twice(1))\n"
    ),
}

COMPILED = """
from gemhunter import parse_grid, solve
from gemhunter.compiling.progress import compiled_kernels
print(solve(parse_grid("1, _, G"), "brute-force").filled)
print(len(compiled_kernels()))
"""


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that has the kernel of `COMPILED`."""
    folder = tmp_path_factory.mktemp("cache")
    assert output_of(COMPILED, NUMBA_CACHE_DIR=str(folder)) == "1, T, G\n1\n"
    return folder


@pytest.fixture
def kept(filled_cache: Path, tmp_path: Path) -> Path:
    """A copy of that cache."""
    return Path(shutil.copytree(filled_cache, tmp_path / "cache"))


@needs_compiler
def test_a_kernel_is_compiled_once_per_cache(kept: Path) -> None:
    assert output_of(COMPILED, NUMBA_CACHE_DIR=str(kept)) == "1, T, G\n0\n"


@needs_compiler
def test_a_damaged_cache_is_no_trouble(kept: Path) -> None:
    for file in kept.rglob("*.nb?"):
        file.write_bytes(file.read_bytes()[:40])
    assert output_of(COMPILED, NUMBA_CACHE_DIR=str(kept)) == "1, T, G\n1\n"


@needs_compiler
@pytest.mark.parametrize("ending", ["nbc", "nbi"])
def test_one_flipped_bit_in_a_cached_file_means_compiling_again(ending: str, kept: Path) -> None:
    (file,) = kept.rglob(f"*.{ending}")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    outputs = [output_of(COMPILED, NUMBA_CACHE_DIR=str(kept)) for _ in range(2)]
    assert outputs == ["1, T, G\n1\n", "1, T, G\n0\n"]


@needs_compiler
def test_without_any_folder_to_write_to_kernels_are_compiled_each_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    outputs = [output_of(COMPILED, NUMBA_CACHE_DIR=str(blocked / "cache")) for _ in range(2)]
    assert outputs == ["1, T, G\n1\n"] * 2


@needs_compiler
@pytest.mark.parametrize(
    ("line", "replaced"), [("FACTOR * number", "7 * number"), ("FACTOR = 1", "FACTOR = 7")]
)
def test_an_edited_callee_or_constant_is_compiled_into_its_caller(
    line: str, replaced: str, tmp_path: Path
) -> None:
    package, kept = tmp_path / "pack", tmp_path / "cache"
    package.mkdir()
    for name, text in TWO_FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import pack.outer"
    assert output_of(program, NUMBA_CACHE_DIR=str(kept)) == "2\n"
    shutil.rmtree(package / "__pycache__", ignore_errors=True)
    (package / "inner.py").write_text(TWO_FILES["inner.py"].replace(line, replaced), encoding="utf-8")
    assert output_of(program, NUMBA_CACHE_DIR=str(kept)) == "14\n"
    assert len(list(kept.rglob("outer.twice*.nbi"))) == 1


def variant(factor: int) -> Kernel[..., int]:
    """A kernel that multiplies by a constant."""
    from gemhunter.compiling.kernel import kernel

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
