"""`warmup` compiles every kernel that Python code calls, for the types it calls it with."""

import json
from inspect import getsource
from pathlib import Path

import pytest

import kernel_entries
from campaigns import first_of
from compiled import needs_compiler
from fresh_interpreter import output_of
from gemhunter.cli.warmup import warmup as command
from gemhunter.jit.choice import Mode, compiling
from gemhunter.play import warmup
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.warmup import Warmed, part_groups, warm_up
from gemhunter.questions.warmup import PROOF_CHECKER, WARMUP_QUESTIONS, own_engines
from gemhunter.solving.registry import BUILT_IN_ENGINES

EVERYTHING = f"""
import json, sys
{getsource(kernel_entries)}
from gemhunter.play.warmup import warm_up

list(warm_up(1))
entries = [entry for entry in called_from_python() if entry._estimate]
lacking = sorted(entry.name for entry in entries if not entry.is_compiled)

def types():
    compiled = [entry for entry in entries if entry.is_compiled]
    return {{(entry.name, str(each)) for entry in compiled for each in entry._compiled.signatures}}

before = types()
from gemhunter import EngineError, analyse, check_proof, count_by_traps, parse_grid, probabilities_of_many
from gemhunter import sample, solve
from gemhunter.experiments.game_tables import measure_clues
from gemhunter.experiments.game_tables import lines_of_s5, measure_s5
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import read_game_id
from gemhunter.play.game import game_with_given
from gemhunter.play.risks import risks_of_view
from gemhunter.board.position import FirstClick
from gemhunter.play.game_ids import LEVELS
from gemhunter.play.many_games import play_games
from gemhunter.play.player import watch_game
from gemhunter.questions.warmup import own_engines

boards = ["_, 1, _, 2, _", "1, _, 1\\n_, _, _\\n1, _, 2", "_, _\\nT, 3\\nG, _", "_, _, _\\n_, 4, _\\n_, _, _"]
for name in own_engines():
    for board in boards:
        for traps in (None, 4):
            try:
                solve(parse_grid(board), name, total=traps)
            except EngineError:
                pass
for clue in "12":
    solve(parse_grid("\\n".join(["_" * 50 + clue] * 250 + ["_" * 51])))
lattice = parse_grid("\\n".join(["1_" * 50 + "1", "_" * 101] * 50))
for traps in (3, 700, None):
    solve(lattice, total=traps, step_limit=3000)
hidden = "\\n".join(["_" * 40] * 40)
for board in [*boards, hidden]:
    grid = parse_grid(board)
    for traps in (None, 4):
        analyse(grid, total=traps)
        sample(grid, 2, total=traps)
    count_by_traps(grid)
    analyse(grid, density=0.3)
    probabilities_of_many([grid, grid], total=[4, 5])
refuted = parse_grid(boards[1])
check_proof(refuted, solve(refuted, proof=True).outcome.proof)
for name in AGENTS:
    for rule in FirstClick:
        play_games(name, LEVELS["intermediate"], rule, range(3, 6))
    for game in (new_game("medium#4:opening"), game_with_given(read_game_id("hard#4"), 40)):
        watched = watch_game(game, new_player(name, seed=2), lambda *_: None)
        [risks_of_view(turn.game.view) for turn in watched.turns]
        watched.end.replay
list(measure_s5(lines_of_s5(), 1, 7))
list(measure_clues(1, 7))
print(json.dumps([lacking, sorted(types() - before)]))
"""


def test_every_engine_and_every_agent_of_ours_is_warmed_up() -> None:
    named = [name for group in part_groups() for name in group]
    assert {name.partition(":")[0] for name in own_engines()} == set(BUILT_IN_ENGINES) - {
        "pysat",
        "cmd",
        "cp-sat",
        "grid",
    }
    assert {*own_engines(), *(f"agent {name}" for name in AGENTS), PROOF_CHECKER, WARMUP_QUESTIONS} < set(
        named
    )
    assert len(set(named)) == len(named)


@pytest.mark.full
@needs_compiler
def test_after_warming_up_no_kernel_is_new_and_none_meets_new_types(tmp_path: Path) -> None:
    """Into the cache that all other tests use, which saves them the time."""
    assert json.loads(output_of(EVERYTHING)) == [[], []]


@pytest.mark.parametrize("jobs", first_of([1, 2]))
@needs_compiler
def test_any_number_of_processes_warms_up_all_parts(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("brute-force", "tables")
    few = [{name: use for name, use in group.items() if name in kept} for group in part_groups()]
    monkeypatch.setattr(warmup, "part_groups", lambda: few)
    with compiling(Mode.NEVER):
        assert sorted(each.name for each in warm_up(jobs)) == ["brute-force", "tables"]


@pytest.mark.parametrize(
    ("kept", "said"), [(False, "not kept: no folder for compiled code is writable"), (True, "kept in ")]
)
def test_the_command_says_where_the_compiled_code_is(
    kept: bool, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gemhunter.jit.cache.is_cached", lambda _: kept)
    monkeypatch.setattr("gemhunter.jit.choice.is_installed", lambda: True)
    monkeypatch.setattr(
        "gemhunter.play.warmup.warm_up", lambda jobs: [Warmed("cdcl", 3, 1.5), Warmed("dpll", 0, 0.1)]
    )
    with compiling(Mode.AUTO):
        command.main([], standalone_mode=False)
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "cdcl: 3 compiled, 1.50 s",
        "dpll: nothing to compile, 100 ms",
        "3 kernels in 1.60 s of processor time",
    ]
    assert printed.err.startswith(said)


@pytest.mark.parametrize(
    ("mode", "installed", "said"),
    [
        (Mode.NEVER, True, "nothing is compiled: the environment asks for plain Python"),
        (
            Mode.AUTO,
            False,
            "nothing is compiled: this would be much faster compiled, but Numba is not installed",
        ),
    ],
)
def test_the_command_says_why_nothing_is_compiled(
    mode: Mode,
    installed: bool,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("gemhunter.jit.choice.is_installed", lambda: installed)
    with compiling(mode):
        command.main([], standalone_mode=False)
    assert said in capsys.readouterr().err
