"""Kernels are compiled once, or ahead of time, and anew when a source changes; a terminal is told."""

import io
import json
import os
import subprocess
import sys
from inspect import unwrap
from pathlib import Path

import numba
import pytest
from numba.core.event import install_listener

from gemhunter.cli import warmup as command
from gemhunter.cli.asking import Question, answers
from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.screen import Progress
from gemhunter.core.puzzle import Puzzle
from gemhunter.kernels import caching, compiling
from gemhunter.kernels.caching import KernelCache
from gemhunter.kernels.cdcl.search import luby
from gemhunter.kernels.local_search import walk
from gemhunter.kernels.structure.boards import lay_out
from gemhunter.play.agents.registry import agent_names
from gemhunter.play.warmup import game_parts
from gemhunter.queries.warmup import PROOF_CHECKER, QUESTIONS, Part, own_engines
from gemhunter.solving.compiling import NOTICE, KernelListener
from gemhunter.solving.outcomes import GaveUp, Limit, Outcome
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.registry import BUILT_IN
from gemhunter.solving.run import Run

KERNELS = [unwrap(function) for function in (lay_out, luby, walk)]
"""As they are written, from three folders."""

TWO_FILES = {
    "__init__.py": "",
    "inner.py": "from gemhunter.kernels.compiling import kernel\n@kernel\ndef one(): return 1\n",
    "outer.py": (
        "from gemhunter.kernels.compiling import kernel\nfrom pack.inner import one\n"
        "@kernel\ndef twice(): return 2 * one()\nprint(twice())\n"
    ),
}

OVERLOADS = """
import json, sys, numba

def overloads():
    modules = [module for name, module in sys.modules.items() if name.startswith("gemhunter.kernels.")]
    found = {value for module in modules for value in vars(module).values() if hasattr(value, "signatures")}
    return {(kernel.__name__, str(types)) for kernel in found for types in kernel.signatures}
"""

EVERYTHING = f"""
{OVERLOADS}
from gemhunter.queries.warmup import own_engines, solving_parts, warm_up
from gemhunter import parse_grid, solve, check_proof, EngineError
from gemhunter import analyse, count_by_traps, probabilities_of_many, sample

list(warm_up(solving_parts(), lambda name: None))
before = overloads()
boards = ["_, 1, _, 2, _", "1, _, 1\\n_, _, _\\n1, _, 2", "_, _\\nT, 3\\nG, _", "_, _, _\\n_, 4, _\\n_, _, _"]
for name in own_engines():
    for board in boards:
        for traps in (None, 4):
            try:
                solve(parse_grid(board), name, traps=traps)
            except EngineError:
                pass
for clue in "12":
    solve(parse_grid("\\n".join(["_" * 50 + clue] * 250 + ["_" * 51])))
lattice = parse_grid("\\n".join(["1_" * 50 + "1", "_" * 101] * 50))
for traps in (3, 700, None):
    solve(lattice, traps=traps, step_limit=3000)
hidden = "\\n".join(["_" * 40] * 40)
for board in [*boards, hidden]:
    grid = parse_grid(board)
    for traps in (None, 4):
        analyse(grid, traps=traps)
        sample(grid, 2, traps=traps)
    count_by_traps(grid)
    analyse(grid, density=0.3)
    probabilities_of_many([grid, grid], traps=[4, 5])
refuted = parse_grid(boards[1])
check_proof(refuted, solve(refuted, proof=True).outcome.proof)
print(json.dumps(sorted(overloads() - before)))
"""

GAMES = f"""
{OVERLOADS}
from gemhunter.experiments.hints import measure_hints
from gemhunter.experiments.s5_table import measure_s5
from gemhunter.play.agents.registry import agent_names, new_player
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import read_game_id
from gemhunter.play.giving import game_with_given
from gemhunter.play.knowing import know
from gemhunter.play.levels import LEVELS, FirstClick
from gemhunter.play.matches import play_games
from gemhunter.play.warmup import game_parts
from gemhunter.play.watching import watch_game
from gemhunter.queries.warmup import warm_up

list(warm_up(game_parts(), lambda name: None))
before = overloads()
for name in agent_names():
    for rule in FirstClick:
        play_games(name, LEVELS["intermediate"], rule, range(3, 6))
    for game in (new_game("medium#4:opening"), game_with_given(read_game_id("hard#4"), 40)):
        end = watch_game(game, new_player(name, seed=2), lambda turn: know(turn.game.view)).end
        end.replay
list(measure_s5(1, 7))
list(measure_hints(1, 7))
print(json.dumps(sorted(overloads() - before)))
"""

COMPILED = """
import sys
from numba.core.event import install_listener
from gemhunter import parse_grid, solve
from gemhunter.queries.warmup import use_engine
from gemhunter.solving.compiling import KernelListener
with install_listener("numba:compile", listener := KernelListener()):
    {statement}
print(len(listener.kernels))
"""


def output_of(program: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    path = os.pathsep.join([str(Path(compiling.__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_every_engine_of_ours_is_warmed_up() -> None:
    assert {name.partition(":")[0] for name in own_engines()} == set(BUILT_IN) - {"pysat", "cmd"}


def test_after_warming_up_no_engine_meets_types_that_are_new_to_its_kernels() -> None:
    assert json.loads(output_of(EVERYTHING)) == []


def test_games_agents_and_their_experiments_need_nothing_more() -> None:
    assert json.loads(output_of(GAMES)) == []


def test_every_agent_is_warmed_up() -> None:
    named = [part.name for part in game_parts()]
    assert {f"agent {name}" for name in agent_names()} < set(named)


def test_what_is_warmed_up_is_not_compiled_in_the_next_process(tmp_path: Path) -> None:
    cold = COMPILED.format(statement="use_engine('brute-force')")
    warm = COMPILED.format(statement="solve(parse_grid('1, _, _'), 'brute-force')")
    counts = [output_of(program, NUMBA_CACHE_DIR=str(tmp_path)) for program in (cold, warm)]
    assert counts == ["1\n", "0\n"]


def test_without_any_folder_to_write_to_kernels_are_compiled_each_time(tmp_path: Path) -> None:
    program = COMPILED.format(statement="print(solve(parse_grid('1, _, G'), 'brute-force').filled)")
    nowhere = {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    assert output_of(program, NUMBA_CACHE_DIR=str(blocked / "cache"), **nowhere) == "1, T, G\n1\n"


def test_an_edited_callee_is_compiled_into_its_caller(tmp_path: Path) -> None:
    package, cache = tmp_path / "pack", tmp_path / "cache"
    package.mkdir()
    for name, text in TWO_FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    run = {"program": f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import pack.outer"}
    assert output_of(**run, NUMBA_CACHE_DIR=str(cache)) == "2\n"
    (package / "inner.py").write_text(TWO_FILES["inner.py"].replace("1", "7"), encoding="utf-8")
    assert output_of(**run, NUMBA_CACHE_DIR=str(cache)) == "14\n"
    assert len(list(cache.rglob("outer.twice*.nbi"))) == 1


def test_the_digest_is_another_one_when_any_file_is(tmp_path: Path) -> None:
    digests = set()
    (tmp_path / "deep").mkdir()
    for name, text in [("a.py", "1"), ("a.py", "2"), ("b.py", "2"), ("b.py", ""), ("deep/b.py", "")]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        caching.sources_digest.cache_clear()
        digests.add(caching.sources_digest(str(tmp_path)))
    caching.sources_digest.cache_clear()
    assert len(digests) == 5


def test_kernels_of_all_folders_are_kept_under_one_digest_with_the_codes_of_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {Path(KernelCache(function).cache_path).name for function in KERNELS}
    assert len(folders) == 1
    monkeypatch.setattr(caching, "CODES", tmp_path / "grid.py")
    (tmp_path / "grid.py").write_text("HIDDEN = -9", encoding="utf-8")
    caching.sources_digest.cache_clear()
    assert Path(KernelCache(KERNELS[0]).cache_path).name not in folders
    caching.sources_digest.cache_clear()


def test_a_damaged_cache_is_no_trouble(tmp_path: Path) -> None:
    program = COMPILED.format(statement="solve(parse_grid('1, _, _'), 'brute-force')")
    output_of(program, NUMBA_CACHE_DIR=str(tmp_path))
    for file in tmp_path.rglob("*.nb?"):
        file.write_bytes(file.read_bytes()[:40])
    assert output_of(program, NUMBA_CACHE_DIR=str(tmp_path)) == "1\n"


@pytest.mark.parametrize(
    ("folder", "said"),
    [(None, "could not be kept: no folder for it can be written"), ("kernels", "kept in ")],
)
def test_the_command_says_where_the_compiled_code_is(
    folder: str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if folder is not None:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "some.nbi").touch()
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / folder if folder else None)
    monkeypatch.setattr("gemhunter.queries.warmup.own_engines", lambda: ["brute-force"])
    monkeypatch.setattr("gemhunter.play.warmup.game_parts", lambda: [Part("game", lambda: None)])
    assert command.warmup.main([], standalone_mode=False) is None
    printed = capsys.readouterr()
    named = [line.partition(":")[0] for line in printed.out.splitlines()[:-1]]
    assert named == ["brute-force", PROOF_CHECKER, QUESTIONS, "game"]
    assert said in printed.err


class Screen(io.StringIO):
    """A terminal that remembers what it was shown."""

    def isatty(self) -> bool:
        return True


class Compiling:
    """An engine whose kernel has never been compiled before."""

    info = EngineInfo("compiling", "compiles and gives up")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        with run.compiling():
            numba.njit(lambda number: number + 1)(1)
        return GaveUp(Limit.STUCK)


@pytest.mark.parametrize(("stream", "times"), [(Screen, 1), (io.StringIO, 0)])
def test_a_terminal_is_told_once_per_command(
    stream: type[io.StringIO], times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen := stream())
    (tmp_path / "board.txt").write_text("1, _, _\n_, _, _\n", encoding="utf-8")
    board = BoardFile(str(tmp_path / "board.txt"))
    assert len(list(answers([board, board], [Compiling(), Compiling()], Question(())))) == 4
    assert screen.getvalue().count(NOTICE) == times


def test_a_notice_takes_the_line_of_progress_away_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.cli.screen.PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("gemhunter.cli.screen.REDRAW_SECONDS", 0.0)
    progress = Progress(1, screen := Screen())
    progress.begin("board.txt")
    progress.tell(NOTICE)
    assert screen.getvalue().endswith(f"\r\x1b[K{NOTICE}\n")


def test_the_listener_passes_over_kernels_of_others() -> None:
    with install_listener("numba:compile", listener := KernelListener()):
        numba.njit(lambda number: number + 2)(1)
    assert listener.kernels == []
