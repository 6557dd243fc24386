"""Engines that are files of Python code: what people write, what it may return, and what can go wrong."""

import os
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from gemhunter import EngineError, GaveUp, InputError, Refuted, Solved, parse_grid, solve, trace
from gemhunter.bench.python_files import seconds_of_call
from gemhunter.cnf.dimacs import parse_formula
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.solve import solve_formula
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.testing import check_engine

GRID = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
FILLED = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"

PRELUDE = """
from itertools import product

def holds(grid):
    around = lambda r, c: [grid[i][j] for i in range(max(r - 1, 0), min(r + 2, len(grid)))
                           for j in range(max(c - 1, 0), min(c + 2, len(grid[0])))]
    return all(around(r, c).count("T") == int(cell) for r, row in enumerate(grid)
               for c, cell in enumerate(row) if str(cell).isdigit())

def places(grid):
    return [(r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell == "_"]

def traps(grid):
    for values in product("TG", repeat=len(places(grid))):
        filled = [list(row) for row in grid]
        for (r, c), value in zip(places(grid), values):
            filled[r][c] = value
        if holds(filled):
            return {place for place, value in zip(places(grid), values) if value == "T"}

def fill(grid):
    found = traps(grid)
    if found is None:
        return None
    return [["T" if (r, c) in found else "G" if cell == "_" else cell for c, cell in enumerate(row)]
            for r, row in enumerate(grid)]

def models(clauses, n):
    for values in product((1, -1), repeat=n):
        model = [(v + 1) * values[v] for v in range(n)]
        if all(any(literal in model for literal in clause) for clause in clauses):
            return model
"""

STYLES = {
    "a filled grid": "def solve(grid): return fill(grid)",
    "a grid of texts": "def solve(board):\n    g = fill(board)\n    return g and [[str(c) for c in r] for r in g]",
    "rows as texts": "def solve(board):\n    g = fill(board)\n    return g and [' '.join(map(str, r)) for r in g]",
    "filled in place": """
        def solve_backtrack(grid):
            found = fill(grid)
            if found is None:
                return False
            for row, new in zip(grid, found): row[:] = new
            return True
    """,
    "filled in place without a word": """
        def solve(grid):
            for row, new in zip(grid, fill(grid) or []): row[:] = new
    """,
    "an extra parameter with a default": "def solve(matrix, algorithm='pysat'): return fill(matrix)",
    "rows and columns": "def solve(grid, rows, cols):\n    assert (len(grid), len(grid[0])) == (rows, cols)\n    return fill(grid)",
    "a grid and a time": "def solve(grid): return fill(grid), 0.5",
    "a verdict and a grid": "def solve(grid):\n    g = fill(grid)\n    return g is not None, g",
    "a set of trap cells": "def solve(grid): return traps(grid)",
    "trap cells from one": "def solve(grid):\n    t = traps(grid)\n    return None if t is None else [(r + 1, c + 1) for r, c in t]",
    "a table of cells": "def solve(grid):\n    t = traps(grid)\n    return None if t is None else {p: p in t for p in places(grid)}",
    "numbers of all cells": """
        def solve(grid):
            t = traps(grid)
            cols = len(grid[0])
            return t and [(r * cols + c + 1) * (1 if (r, c) in t else -1) for r, c in places(grid)]
    """,
    "a map of 0 and 1": """
        def solve(grid):
            t = traps(grid)
            return t and [[int((r, c) in t) for c in range(len(grid[0]))] for r in range(len(grid))]
    """,
    "a printed grid": "def solve(grid):\n    g = fill(grid)\n    return 'No solution' if g is None else '\\n'.join(map(str, g))",
    "clauses": "def solve_by_dpll(KB): return models(KB, max(abs(x) for c in KB for x in c))",
    "clauses and variables": "def solve_cnf_dpll(cnf, num_vars): return models(cnf, num_vars)",
    "clauses like PySAT's": "def solve(cnf): return models(cnf.clauses, cnf.nv)",
    "an assignment": "def solve_cnf(clauses, n):\n    m = models(clauses, n)\n    return m and {abs(x): x > 0 for x in m}",
    "a flag and a model": "def solve(clauses, num_vars):\n    m = models(clauses, num_vars)\n    return (m is not None), m",
    "a class for boards": """
        class Solver:
            def __init__(self, grid): self.grid = grid
            def solve(self):
                self.result = fill(self.grid)
                return self.result is not None
    """,
    "a class for clauses": """
        class DpllSolver:
            def __init__(self, clauses, num_vars): self.clauses, self.n = clauses, num_vars
            def solve(self): return models(self.clauses, self.n)
    """,
    "a tuple of booleans": "def solve_cnf(clauses, n):\n    m = models(clauses, n)\n    return m and tuple(x > 0 for x in m)",
    "a tuple of literals": "def solve_cnf(clauses, n):\n    m = models(clauses, n)\n    return m and tuple(m)",
    "a list of 0 and 1": "def solve_cnf(clauses, n):\n    m = models(clauses, n)\n    return m and [int(x > 0) for x in m]",
    "a dict of 1 and -1": "def solve_cnf(clauses, n):\n    m = models(clauses, n)\n    return m and {abs(x): 1 if x > 0 else -1 for x in m}",
    "an empty list for none": "def solve_cnf(clauses, n): return models(clauses, n) or []",
    "an empty list of traps for none": "def solve(grid): return [list(p) for p in traps(grid) or ()]",
    "pairs as lists": "def solve(grid):\n    t = traps(grid)\n    return None if t is None else [[r, c] for r, c in t]",
    "cells of NumPy": """
        import numpy as np
        def solve(grid):
            t = traps(grid)
            return None if t is None else {(np.int64(r), np.int64(c)): np.bool_(True) for r, c in t}
    """,
    "places of NumPy": """
        import numpy as np
        def solve(grid):
            t = traps(grid)
            here = np.array([[(r, c) in (t or ()) for c in range(len(grid[0]))] for r in range(len(grid))])
            return None if t is None else np.argwhere(here)
    """,
    "a map of floats": """
        import numpy as np
        def solve(grid):
            t = traps(grid)
            return t and np.array([[float((r, c) in t) for c in range(len(grid[0]))] for r in range(len(grid))])
    """,
    "a class whose solve takes the board": "class Solver:\n    def solve(self, grid): return fill(grid)",
    "a decorated function": """
        def timed(f):
            def wrapper(*args, **kwargs): return f(*args, **kwargs)
            return wrapper
        @timed
        def solve(grid): return fill(grid)
    """,
    "a partial function": "import functools\ndef search(deep, grid): return fill(grid)\nsolve = functools.partial(search, True)",
    "steps": "def solve(grid):\n    yield 'decide', 'r1c2'\n    yield 'conflict'\n    return fill(grid)",
    "prints": "def solve(grid):\n    print('hello', flush=True)\n    return fill(grid)",
}


PIPES = """
import os
def write(text):
    for number in range(3, 16):
        try:
            os.write(number, text.encode())
        except OSError:
            pass
"""


@pytest.fixture
def write(tmp_path: Path) -> "Writer":
    return Writer(tmp_path)


class Writer:
    """Writes solvers into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, code: str, name: str = "mine.py") -> str:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PRELUDE + dedent(code), encoding="utf-8")
        return str(file)


@pytest.mark.parametrize("style", STYLES)
def test_what_people_write_solves_and_refutes(style: str, write: Writer) -> None:
    engine = write(STYLES[style])
    report = solve(GRID, engine)
    assert str(report.filled) == FILLED
    assert isinstance(solve(parse_grid("_, 1\n_, 2"), engine).outcome, Refuted)


def test_cells_can_be_texts(write: Writer) -> None:
    code = (
        "def solve(grid):\n    assert all(isinstance(c, str) for r in grid for c in r)\n    return fill(grid)"
    )
    assert isinstance(solve(GRID, f"{write(code)}:solve,cells=str").outcome, Solved)
    assert isinstance(solve(GRID, f"{write(code)}:cells=str").outcome, Solved)


def test_files_beside_it_and_folders_of_its_project_can_be_imported(write: Writer) -> None:
    write("", "src/utils.py")
    write("", "README.md")
    write("", "src/algorithm/tools.py")
    code = "from src.utils import fill\nfrom algorithm.tools import holds\nimport own\ndef solve(grid): return fill(grid)"
    write("", "src/algorithm/own.py")
    assert isinstance(solve(GRID, write(code, "src/algorithm/dpll.py")).outcome, Solved)


def test_a_file_of_a_package_can_import_its_neighbours(write: Writer) -> None:
    for name in ("solvers/__init__.py", "solvers/tools.py"):
        write("", name)
    engine = write("from .tools import holds\ndef solve(grid): return fill(grid)", "solvers/mine.py")
    assert isinstance(solve(GRID, engine).outcome, Solved)


def test_the_file_is_imported_once(write: Writer) -> None:
    engine = write(
        """
        calls = 0
        def solve(grid):
            global calls
            calls += 1
            for _ in range(calls): yield "call"
            return fill(grid)
        """
    )
    assert [solve(GRID, engine).counters["call"] for _ in range(3)] == [1, 2, 3]


def test_the_clock_of_a_solver_is_believed_if_ours_agrees() -> None:
    assert seconds_of_call(0.0003, waited=0.0004, question=500) == 0.0003
    assert (
        seconds_of_call(7.0, waited=7.2, question=5_000_000) == 7.0
    )  # reading a million cells takes a while
    assert seconds_of_call(0.0, waited=0.5, question=500) == pytest.approx(0.499, abs=1e-4)
    assert seconds_of_call(float("nan"), waited=0.5, question=500) == pytest.approx(0.499, abs=1e-4)
    assert seconds_of_call(9.0, waited=0.5, question=500) == 0.5


def test_a_solver_cannot_stop_the_clock(write: Writer) -> None:
    engine = write(
        """
        import __main__, time
        __main__.perf_counter = time.perf_counter = time.monotonic = time.process_time = lambda: 0.0
        def solve(grid):
            time.sleep(0.1)
            return fill(grid)
        """
    )
    assert solve(GRID, engine).seconds["solve"] > 0.09


def test_our_second_opinion_is_not_part_of_the_time(write: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(
        "gemhunter.questions.solve._require_no_solution", lambda *_: now.__setitem__(0, now[0] + 100)
    )
    engine = write("def solve(grid): return None")
    report = solve(parse_grid("_, 1\n_, 2"), engine, run=Run(clock=lambda: now[0]))
    assert now[0] == 100
    assert report.seconds["check"] == 0


def test_a_changed_file_is_imported_again(write: Writer) -> None:
    engine = write("def solve(grid): return None")
    with pytest.raises(WrongAnswerError, match="no solution, but there is one"):
        solve(GRID, engine)
    write("def solve(grid): return fill(grid)  # now it works")
    assert isinstance(solve(GRID, engine).outcome, Solved)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def solve(grid):\n    x = 1\n    return grid[99]", "mine.py: line 35: IndexError"),
        ("def solve(grid):\n    return input('?')", "it calls input()"),
        ("def solve(grid):\n    raise SystemExit(3)", "it ends the program with sys.exit()"),
        ("def solve(grid):\n    return solve(grid)", "RecursionError"),
        ("def solve(grid):\n    return 42", "returned 42; expected a filled grid"),
        ("def solve(grid):\n    return [[1, 2, 3], [3, 4, 5]]", "returned a grid of 2×3; expected 3×4"),
        ("def solve(grid):\n    return grid", "returned '_' for r1c2; expected T or G"),
        ("def solve(grid):\n    return [['T'] * 4] * 3", "for r1c1, where the board has the clue 3"),
        ("def solve(grid):\n    import os\n    os._exit(7)", "failed with exit code 7"),
        ("def solve(grid, depth): return fill(grid)", "its parameter 'depth' is unknown"),
        ("def solve(clauses): return [99]", "expected the literals of a model"),
        ("def solve(grid): return True", "returned '_' for r1c2"),
        ("def solve(grid): return {'x00': True}", "returned {'x00': True}; expected a filled grid"),
        ("def solve(grid): return {(0, 0, 1): True}", "expected a filled grid"),
        ("def solve(grid): return {1.5: True, 'a': 2}", "expected a filled grid"),
        ("def solve(grid): return ['3T2G', 'TT2G', 'T']", "returned rows of unequal lengths"),
        ("def solve(grid): return 'x' * 10**7", "returned a text of length 10,000,000; expected"),
        ("async def solve(grid): return fill(grid)", "it is async; expected a plain function"),
        (
            "def solve(grid):\n    grid[:] = [1, 2, 3]\n    return True",
            "returned True; expected a filled grid",
        ),
        ("def solve(grid):\n    grid[0][1] = {1}\n    return True", "returned True; expected a filled grid"),
        (
            f"{PIPES}def solve(grid):\n    write('hello\\n')\n    return fill(grid)",
            "it wrote 'hello' into a pipe",
        ),
        (f"{PIPES}def solve(grid):\n    write('hello ')\n    return fill(grid)", "it wrote 'hello "),
        (
            f"{PIPES}def solve(grid):\n    write('[1]\\n')\n    return fill(grid)",
            "it wrote '[1]' into a pipe",
        ),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(code: str, words: str, write: Writer) -> None:
    with pytest.raises(EngineError) as raised:
        solve(GRID, write(code))
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("code", "part", "words"),
    [
        ("def other(grid): pass", "", "no function or class has `solve` in its name"),
        ("def solve_a(grid): pass\ndef solve_b(grid): pass", "", "several solvers: solve_a, solve_b"),
        ("def solve(grid): pass", ":solv", "no function or class is named 'solv'; it has"),
        ("def solve(): pass", "", "takes no arguments; expected a parameter"),
        ("def solve(grid:", "", "mine.py: line 33: "),
        ("import nothing_of_this_name\ndef solve(grid): pass", "", "mine.py: line 33: ModuleNotFoundError"),
        (f"{PIPES}write('hello\\n')\ndef solve(grid): pass", "", "it wrote 'hello' into a pipe"),
        ("number = input()\ndef solve(grid): pass", "", "put that under `if __name__ == '__main__':`"),
        ("def solve(grid): pass", ":cells=7", "expected the name of a function, cells=int or cells=str"),
    ],
)
def test_a_file_that_is_no_solver_is_refused_before_any_board(
    code: str, part: str, words: str, write: Writer
) -> None:
    with pytest.raises(InputError) as raised:
        get_engine(write(code) + part)
    assert words in str(raised.value)


@pytest.mark.skipif(sys.platform == "win32", reason="names there have no colons")
@pytest.mark.parametrize("part", ["", ":solve", ":cells=str"])
def test_a_folder_can_be_named_like_a_file_and_its_function(part: str, write: Writer) -> None:
    code = "def solve(grid): return fill([[int(c) if c.isdigit() else c for c in map(str, r)] for r in grid])"
    assert isinstance(solve(GRID, write(code, "a.py:b/mine.py") + part).outcome, Solved)


def test_a_missing_file_says_how_to_begin_one() -> None:
    with pytest.raises(
        InputError, match=r"there is no file nowhere/mine\.py; `.* engines --new nowhere/mine\.py`"
    ):
        get_engine("nowhere/mine.py")


@pytest.mark.parametrize("change", ["grid.clear()", "grid[:] = [1, 2, 3]", "grid[0][1] = {1, 2}"])
def test_none_means_no_solution_whatever_became_of_the_given_rows(change: str, write: Writer) -> None:
    engine = write(f"def solve(grid): {change}")
    assert isinstance(solve(parse_grid("_, 1\n_, 2"), engine).outcome, Refuted)


@pytest.mark.parametrize("change", ["grid.clear()", "grid[:] = [1, 2, 3]"])
def test_an_answer_is_read_whatever_became_of_the_given_rows(change: str, write: Writer) -> None:
    engine = write(f"def solve(grid):\n    found = fill(grid)\n    {change}\n    return found")
    assert str(solve(GRID, engine).filled) == FILLED


def test_a_step_can_have_any_name(write: Writer) -> None:
    engine = write("def solve(grid):\n    yield 'self-check'\n    yield 'self r1c1'\n    return fill(grid)")
    assert solve(GRID, engine).counters == {"self-check": 1, "self": 1}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="for systems that can copy a process")
def test_a_copy_that_the_solver_forks_answers_nothing(write: Writer) -> None:
    engine = write("import os\nos.fork()\ndef solve(grid):\n    os.fork()\n    return fill(grid)")
    for text in ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", "_, 1, _", "1, _", "2, _\n_, 2"):
        assert solve(parse_grid(text), engine).filled is not None


def test_given_traps_and_gems_must_stay(write: Writer) -> None:
    with pytest.raises(EngineError, match="returned 'G' for r1c1, where the board has T"):
        solve(parse_grid("T, 1, _"), write("def solve(grid): return [['G', 1, 'G']]"))


def test_a_function_of_another_file_is_found(write: Writer) -> None:
    write("def solve(grid): return fill(grid)", "impl.py")
    engine = write("from impl import solve", "front.py")
    assert isinstance(solve(GRID, engine).outcome, Solved)


def test_a_wrong_answer_is_an_error_that_names_the_file(write: Writer) -> None:
    code = "def solve(grid): return [['G' if c == '_' else c for c in r] for r in grid]"
    with pytest.raises(WrongAnswerError, match=r"mine\.py gave a wrong answer: r1c1"):
        solve(GRID, write(code))


def test_an_endless_loop_ends_at_the_time_limit_and_the_next_board_is_solved(write: Writer) -> None:
    code = "def solve(grid):\n    while len(grid) == 1: pass\n    return fill(grid)"
    engine = write(code)
    report = solve(parse_grid("_, 1, _"), engine, time_limit=0.2)
    outcome = report.outcome
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.TIME
    assert report.seconds["solve"] >= 0.1
    assert isinstance(solve(GRID, engine, time_limit=60).outcome, Solved)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps memory limits")
def test_a_memory_limit_is_kept_and_the_next_board_is_solved(write: Writer) -> None:
    engine = write("def solve(grid):\n    len(grid) == 1 and bytearray(10**9)\n    return fill(grid)")
    outcome = solve(parse_grid("_, 1, _"), engine, memory_limit=10**8).outcome
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.MEMORY
    assert isinstance(solve(GRID, engine).outcome, Solved)


def test_a_solver_that_yields_is_traced(write: Writer) -> None:
    engine = write(
        "def solve(grid):\n    yield 'decide', 'r1c2', 'T'\n    yield 'conflict at r1c1'\n    return fill(grid)"
    )
    steps = [step.sentence for step in trace(GRID, engine)]
    assert steps[:2] == ["decide r1c2 T", "conflict at r1c1"]
    assert steps[2].startswith("solved")
    assert solve(GRID, engine).counters == {"decisions": 1, "conflicts": 1}
    with pytest.raises(InputError, match="cannot be traced"):
        trace(GRID, write("def solve(grid): return fill(grid)", "other.py"))


def test_a_trace_that_is_left_ends_the_search(write: Writer) -> None:
    engine = write("def solve(grid):\n    while True: yield 'decide'")
    steps = trace(GRID, engine)
    assert next(steps).sentence == "decide"
    del steps
    assert isinstance(solve(GRID, engine, time_limit=0.2).outcome, GaveUp)  # by another process


def test_a_solver_of_clauses_solves_formulas(write: Writer) -> None:
    engine = write("def solve_cnf(clauses, num_vars): return models(clauses, num_vars)")
    assert solve_formula(parse_formula("p cnf 2 2\n1 2 0\n-1 0\n"), engine).model == [-1, 2]


def test_a_right_solver_passes_the_check_of_engines(write: Writer) -> None:
    check_engine(write("def solve(grid, total):\n    return fill(grid)"), boards=1)


def test_the_file_to_begin_with_works_at_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from gemhunter.cli.main import run

    file = tmp_path / "mine.py"
    assert run(["engines", "--new", str(file)]) == 0
    assert run(["solve", "sample:5x5", "-e", str(file)]) == 0
    assert run(["trace", "sample:3x4", "-e", str(file)]) == 0
    capfd.readouterr()
    assert run(["engines", "--new", str(file)]) == 2
    assert "exists already" in capfd.readouterr().err
    assert run(["engines", "--new", str(tmp_path / "mine.txt")]) == 2


def test_a_search_ends_when_the_process_that_asked_is_killed(write: Writer, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os\ndef solve(grid):\n    open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n    while True: pass"
    program = f"import gemhunter as g\ng.solve(g.parse_grid('_, 1, _'), {write(code)!r})"
    with subprocess.Popen([sys.executable, "-c", program]) as asking:
        while not (pid_file.exists() and pid_file.read_text(encoding="utf-8")):
            time.sleep(0.01)
        asking.kill()
    process = Path(f"/proc/{pid_file.read_text(encoding='utf-8')}")
    while process.exists():
        time.sleep(0.01)


def test_the_process_of_a_solver_ends_with_ours(write: Writer) -> None:
    engine = write("import os\ndef solve(grid):\n    yield f'pid{os.getpid()}'\n    return fill(grid)")
    program = f"import gemhunter as g\nprint(g.solve(g.parse_grid('_, 1, _'), {engine!r}).counters)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    pid = int(done.stdout.split("pid")[1].split("'")[0])
    assert not Path(f"/proc/{pid}").exists()
