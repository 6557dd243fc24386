"""`cmd:PROGRAM`: programs that answer, stay silent, talk nonsense, crash or hang."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from gemhunter.board.checker import check
from gemhunter.engines import commands as program
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.testing import check_engine
from places import HARD
from processes import end

BOARD, ANSWER = parse_grid("1, _, _\nG, _, 1"), "1, T, G\nG, G, 1"
MODEL = "v 1 -2 -3 0"
CONFLICT = parse_grid("1, _, 2, _, 0")
MISSING = {name for name in ("minisat", "cadical", "picosat") if shutil.which(name) is None}
REAL = [
    pytest.param(name, marks=pytest.mark.skipif(name in MISSING, reason=f"{name} is not installed here"))
    for name in ("minisat", "cadical", "picosat")
]


class Script:
    """A Python program that stands in for a solver."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def engine(self, code: str, arguments: str = "", *, name: str = "solver") -> str:
        """The name of the engine that runs `code`."""
        script = self.folder / name
        script.write_text(f"#!{sys.executable}\nimport os, subprocess, sys, time\n{code}\n", "utf-8")
        script.chmod(0o755)
        return f"cmd:{shlex.quote(str(script))} {arguments}".strip()


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return Script(tmp_path)


def says(*lines: str, exit_code: int = 0) -> str:
    """Code that prints these lines."""
    return f"print({chr(10).join(lines)!r}); sys.exit({exit_code})"


@pytest.mark.parametrize(
    "code",
    [
        says("c a comment", "s SATISFIABLE", MODEL, exit_code=10),
        says("s SATISFIABLE", MODEL, exit_code=0),
        says("s SATISFIABLE", "v 1 -2", "v -3", "v 0", exit_code=10),
        says(MODEL, exit_code=10),
    ],
    ids=["usual", "without exit code", "several lines", "exit code only"],
)
def test_a_model_becomes_a_solution(script: Script, code: str) -> None:
    assert str(solve(BOARD, script.engine(code)).filled) == ANSWER


@pytest.mark.parametrize(
    "code",
    [says("s UNSATISFIABLE", exit_code=20), says("s UNSATISFIABLE"), "sys.exit(20)"],
    ids=["usual", "without exit code", "exit code only"],
)
def test_an_unsatisfiable_formula_becomes_a_refutation(script: Script, code: str) -> None:
    assert isinstance(solve(CONFLICT, script.engine(code)).outcome, Refuted)


def test_a_false_refutation_is_a_wrong_answer(script: Script) -> None:
    with pytest.raises(WrongAnswerError, match="no solution, but there is one"):
        solve(BOARD, script.engine(says("s UNSATISFIABLE")))


def test_a_solver_that_does_not_know_gives_up(script: Script) -> None:
    assert solve(BOARD, script.engine(says("s UNKNOWN"))).outcome == GaveUp(StopReason.UNDECIDED)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (says("hello, world"), "printed no answer; expected `s SATISFIABLE` or `s UNSATISFIABLE`"),
        ("pass", "printed no answer"),
        ("os.write(1, bytes(range(256)) * 100)", "printed no answer"),
        ("sys.exit(3)", "failed with exit code 3"),
        ("sys.exit('no licence found')", "failed with exit code 1: no licence found"),
        ("raise SystemExit(1) if sys.stderr.write('one\\ntwo\\n') else 0", "exit code 1: two"),
        ("os.kill(os.getpid(), 11)", "ended by SIGSEGV"),
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("os.kill(os.getpid(), 40)", "ended by .*40"),
        (says("s SATISFIABLE", exit_code=10), "found a model but printed none"),
        ("sys.exit(10)", "found a model but printed none"),
        (says("s SATISFIABLE", "v 1 two 0"), "a `v` line holds something other than literals"),
    ],
)
def test_no_answer_is_an_error_with_what_is_known_about_it(script: Script, code: str, complaint: str) -> None:
    engine = script.engine(code)
    with pytest.raises(EngineError, match=complaint) as caught:
        solve(BOARD, engine)
    assert str(caught.value).startswith(f"{engine}: ")


def test_a_wrong_model_is_a_wrong_answer(script: Script) -> None:
    with pytest.raises(WrongAnswerError, match="r1c1 says 1, but touches 2 traps"):
        solve(BOARD, script.engine(says("s SATISFIABLE", "v 1 -2 3 0")))


def test_a_program_that_hangs_is_given_up_at_the_time_limit(script: Script) -> None:
    outcome = solve(BOARD, script.engine("time.sleep(600)"), time_limit=0.2).outcome
    assert outcome == GaveUp(StopReason.TIME)


def test_a_program_that_is_cancelled_leaves_no_process_behind(script: Script, tmp_path: Path) -> None:
    code = """
child = subprocess.Popen(["sleep", "600"])
open("pids.new", "w").write(f"{os.getpid()} {child.pid}")
os.rename("pids.new", "pids")
time.sleep(600)
"""
    engine = script.engine(f"os.chdir({str(tmp_path)!r}){code}")
    pids = tmp_path / "pids"
    outcome = solve(BOARD, engine, run=Run(cancel=pids.exists)).outcome
    assert outcome == GaveUp(StopReason.CANCELLED)
    assert end(*map(int, pids.read_text("utf-8").split()))


def test_a_program_that_answers_leaves_no_process_behind(script: Script, tmp_path: Path) -> None:
    code = f"""
child = subprocess.Popen(["sleep", "60"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
print("s UNSATISFIABLE")
"""
    solve(CONFLICT, script.engine(code))
    assert end(int((tmp_path / "pid").read_text("utf-8")))


def test_no_files_are_left_behind(script: Script, tmp_path: Path) -> None:
    solve(CONFLICT, script.engine(says("s UNSATISFIABLE")))
    assert [path.name for path in tmp_path.iterdir()] == ["solver"]


def test_a_program_that_never_stops_talking_is_stopped(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "OUTPUT_BYTES_LIMIT", 10_000)
    with pytest.raises(EngineError, match="printed more than 10,000 bytes"):
        solve(BOARD, script.engine("while True: print('c' * 1000)"))


def test_a_missing_program_is_named() -> None:
    with pytest.raises(EngineError, match="no program named 'no-such-solver' on this machine"):
        solve(BOARD, "cmd:no-such-solver --quiet")


def test_a_file_that_is_no_program_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(EngineError, match="cannot be started"):
        solve(BOARD, f"cmd:{broken}")


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("cmd", "needs the program to run"),
        ("cmd:", "needs the program to run"),
        ("cmd:  ", "needs the program"),
    ],
)
def test_an_empty_command_is_refused(command: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        get_engine(command)


def test_unbalanced_quotes_are_refused() -> None:
    with pytest.raises(InputError, match="cmd:'solver -q: no closing quotation"):
        get_engine("cmd:'solver -q")


def test_a_step_limit_is_refused(script: Script) -> None:
    with pytest.raises(InputError, match="has no steps to limit"):
        solve(BOARD, script.engine(says("s UNKNOWN")), step_limit=5)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", ["in.cnf"]),
        ("-q --seed 7", ["-q", "--seed", "7", "in.cnf"]),
        ("-q {in} --last", ["-q", "in.cnf", "--last"]),
        ("{out} {in}", ["result", "in.cnf"]),
        ("'two words' {in}", ["two words", "in.cnf"]),
    ],
)
def test_the_formula_comes_last_or_where_the_command_says(
    script: Script, tmp_path: Path, arguments: str, expected: list[str]
) -> None:
    code = f"open({str(tmp_path / 'seen')!r}, 'w').write('|'.join(sys.argv[1:])); sys.exit(20)"
    solve(CONFLICT, script.engine(code, arguments))
    seen = (tmp_path / "seen").read_text("utf-8").split("|")
    assert [argument.rpartition("/")[2] for argument in seen] == expected


def test_a_result_file_is_read_like_what_is_printed(script: Script) -> None:
    code = "open(sys.argv[2], 'w').write('SAT\\n1 -2 -3 0\\n'); sys.exit(10)"
    assert str(solve(BOARD, script.engine(code, "{in} {out}")).filled) == ANSWER


@pytest.mark.parametrize("arguments", ["", "{in}", "{in} {out}"])
def test_minisat_gets_a_result_file_by_default(script: Script, arguments: str) -> None:
    code = "formula, result = sys.argv[1:]; open(result, 'w').write('SAT\\n1 -2 -3 0\\n'); sys.exit(10)"
    assert str(solve(BOARD, script.engine(code, arguments, name="minisat")).filled) == ANSWER


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("pass", "wrote no proof; expected DRAT in the file for `{proof}`"),
        ("open(sys.argv[2], 'w').write('1 2')", "wrote a proof that cannot be read: proof: line 1: the last"),
        ("open(sys.argv[2], 'w').write('1 0 ' * 9000)", "wrote a proof of more than 20,000 bytes"),
    ],
)
def test_a_refutation_without_its_proof_is_an_error(
    script: Script, monkeypatch: pytest.MonkeyPatch, code: str, complaint: str
) -> None:
    monkeypatch.setattr(program, "PROOF_BYTES_LIMIT", 20_000)
    engine = script.engine(f"{code}; sys.exit(20)", "{in} {proof}")
    with pytest.raises(EngineError, match=complaint):
        solve(BOARD, engine, proof=True)


def test_a_refutation_needs_no_proof_unless_one_is_requested(script: Script) -> None:
    engine = script.engine("sys.exit(20)", "{in} {proof}")
    assert isinstance(solve(CONFLICT, engine).outcome, Refuted)


def test_the_program_gets_the_formula_as_dimacs(script: Script) -> None:
    code = """
from itertools import product
lines = [line.split() for line in open(sys.argv[1]) if line[0] not in "c"]
clauses = [[int(word) for word in line[:-1]] for line in lines[1:]]
for signs in product((1, -1), repeat=int(lines[0][2])):
    model = {sign * variable for variable, sign in enumerate(signs, 1)}
    if all(model & set(clause) for clause in clauses):
        print("s SATISFIABLE\\nv", *model, 0)
        break
"""
    sample = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
    assert str(solve(sample, script.engine(code)).filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


@pytest.mark.parametrize("name", REAL)
def test_a_real_solver_keeps_the_promises_of_an_engine(name: str) -> None:
    check_engine(f"cmd:{name}")


@pytest.mark.parametrize("name", REAL)
def test_a_real_solver_finds_a_rare_filling(name: str) -> None:
    grid = read_grid(HARD / "13_rand20_count56_sat.txt")
    outcome = solve(grid, f"cmd:{name}", total=56).outcome
    assert isinstance(outcome, Solved)
    assert check(grid, outcome.solution.fill(grid), 56) == []


@pytest.mark.parametrize("name", REAL)
def test_a_real_solver_is_stopped_at_the_time_limit(name: str) -> None:
    grid = read_grid(HARD / "02_altsum_41x41_unsat.txt")
    assert solve(grid, f"cmd:{name}", time_limit=0.1).outcome == GaveUp(StopReason.TIME)


def test_a_run_that_ends_while_the_formula_is_written_starts_no_program(script: Script) -> None:
    engine = get_engine(script.engine(f"open({str(script.folder / 'started')!r}, 'w')"))
    asked = iter([False, True])
    assert solve(BOARD, engine, run=Run(cancel=lambda: next(asked, True))).outcome == GaveUp(
        StopReason.CANCELLED
    )
    assert not (script.folder / "started").exists()
