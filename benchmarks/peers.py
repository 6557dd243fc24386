"""Our engines and questions beside plain programs with other people's libraries, on the same boards.

The plain programs are what one writes first from each library's manual.
docs/peers.md says how they are measured.

python benchmarks/peers.py                                     all questions, on boards of 3×4 to 100×100
python benchmarks/peers.py counting --question count --runs 3 --time-limit 10
python benchmarks/peers.py large --question solution --peer plain-cadical153 --runs 1 --time-limit 5
"""

import argparse
import multiprocessing
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import combinations
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from gemhunter.bench.ledger import versions
from gemhunter.bench.suites import BenchBoard, load_boards
from gemhunter.bench.summary import geometric_mean_of, ratio_of
from gemhunter.bench.tables import ratio_text, ratio_texts
from gemhunter.board.board import random_grid
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import working_clock
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import new_game
from gemhunter.play.player import play_game
from gemhunter.questions.batch import FIRST_CALL_BOARDS, WARM_UP_ROUNDS
from gemhunter.questions.count import count
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.probability import Probabilities, probabilities
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved
from gemhunter.solving.registry import get_engine
from gemhunter.wording import counted
from gemhunter.work.ledger import machine
from gemhunter.work.workers import pin_to_core
from timing import print_table, run_compiled

Marks = list[list[str]]
"""A board as rows of clues, `_`, `T` and `G`: what the plain programs take."""

Place = tuple[int, int]

Prepare = Callable[[Grid, int | None, float], Callable[[], Any]]
"""Takes a grid, its total and a time limit in seconds; returns the call that is timed."""


# Other people's libraries, used as their manuals show. None means that the board has no solution.


def solve_with_pysat(solver: str, rows: Marks, total: int | None) -> Marks | None:
    """The filled board: binomial clauses and one of PySAT's solvers."""
    from pysat.solvers import Solver

    numbers = numbered(rows)
    clauses = clauses_of(rows, numbers, total)
    if clauses is None:
        return None
    with Solver(name=solver, bootstrap_with=clauses) as search:
        return filled(rows, numbers, set(search.get_model())) if search.solve() else None


def solve_with_cp_sat(rows: Marks, total: int | None) -> Marks | None:
    """The filled board: one equation per clue, one worker."""
    from ortools.sat.python import cp_model

    numbers = numbered(rows)
    model = cp_model.CpModel()
    cells = [model.new_bool_var("") for _ in numbers]
    for around, traps in equations(rows, numbers, total):
        model.add(cp_model.LinearExpr.sum([cells[cell - 1] for cell in around]) == traps)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return filled(rows, numbers, {cell for cell, var in enumerate(cells, 1) if solver.value(var)})


def count_with_pyganak(rows: Marks, total: int | None) -> int:
    """The number of models of the binomial clauses, counted over the cells."""
    from pyganak import Counter

    numbers = numbered(rows)
    clauses = clauses_of(rows, numbers, total)
    if clauses is None:
        return 0
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    counter = Counter()
    counter.new_vars(max(variables, len(numbers)))
    counter.add_clauses(clauses)
    if variables > len(numbers):
        counter.set_sampling_set(range(1, len(numbers) + 1))
    return int(counter.count())


def probabilities_with_ms_toollib(grid: Grid, total: int | None, _seconds: float) -> Callable[[], Any]:
    """The probability of each cell to be a trap; 10 stands for a hidden cell."""
    import ms_toollib

    rows = np.where(grid.cells == HIDDEN, 10, grid.cells).tolist()
    return lambda: ms_toollib.cal_probability_onboard(rows, float(total or 0))[0]


def certain_with_multi_puzzle_solver(
    grid: Grid, total: int | None, _seconds: float
) -> Callable[[], tuple[set[Place], set[Place]] | None]:
    """The gems and the traps that are certain next to what is shown."""
    from puzzle_solver import minesweeper_solver

    marks = {"_": " ", "T": "M", "G": "S"}
    board = np.array([[marks.get(mark, mark) for mark in row] for row in rows_of(grid)])

    def certain() -> tuple[set[Place], set[Place]] | None:
        try:
            safe, traps, _ = minesweeper_solver.give_next_guess(board, total, verbose=False)
        except ValueError:  # its word for a board without a solution
            return None
        return {(cell.y, cell.x) for cell in safe}, {(cell.y, cell.x) for cell in traps}

    return certain


def rows_of(grid: Grid) -> Marks:
    """The marks of a board, row by row."""
    return [line.split(", ") for line in str(grid).splitlines()]


def numbered(rows: Marks) -> dict[Place, int]:
    """A number for each unknown cell, in reading order from 1."""
    unknown = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "_"]
    return {place: number for number, place in enumerate(unknown, 1)}


def equations(rows: Marks, numbers: dict[Place, int], total: int | None) -> list[tuple[list[int], int]]:
    """For each clue the numbers of its unknown cells and how many of them are traps; the total comes last."""
    known = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "T"}
    found = []
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark.isdigit():
                near = [(r + down, c + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
                cells = [numbers[place] for place in near if place in numbers]
                found.append((cells, int(mark) - len(known.intersection(near))))
    if total is not None:
        found.append((list(numbers.values()), total - len(known)))
    return found


def clauses_of(rows: Marks, numbers: dict[Place, int], total: int | None) -> list[list[int]] | None:
    """The binomial clauses of all clues; the total as PySAT's sequential counter. None if one cannot hold."""
    from pysat.card import CardEnc, EncType

    clauses: list[list[int]] = []
    all_equations = equations(rows, numbers, total)
    if any(not 0 <= traps <= len(cells) for cells, traps in all_equations):
        return None
    if total is not None:
        cells, traps = all_equations.pop()
        if cells:
            clauses += CardEnc.equals(cells, traps, len(cells), encoding=EncType.seqcounter).clauses
    for cells, traps in all_equations:
        clauses += [[-cell for cell in some] for some in combinations(cells, traps + 1)]
        clauses += [list(some) for some in combinations(cells, len(cells) - traps + 1)]
    return clauses


def filled(rows: Marks, numbers: dict[Place, int], traps: set[int]) -> Marks:
    """The rows with every unknown cell filled in."""
    answer = [list(row) for row in rows]
    for (r, c), cell in numbers.items():
        answer[r][c] = "T" if cell in traps else "G"
    return answer


# Who is compared with whom.


class Contestant(NamedTuple):
    """A question, how it is asked, and the package that a peer needs; ours need none but this one."""

    question: str
    prepare: Prepare
    package: str = ""


def plain(program: Callable[[Marks, int | None], object]) -> Prepare:
    """A program that takes rows of marks."""
    return lambda grid, total, _seconds: partial(program, rows_of(grid), total)


def engine(name: str) -> Prepare:
    """One of our engines; it fills in the board as the plain programs do."""

    def prepare(grid: Grid, total: int | None, seconds: float) -> Callable[[], Grid | Outcome | None]:
        chosen = get_engine(name)

        def answer() -> Grid | Outcome | None:
            report = solve(grid, chosen, total=total, time_limit=seconds)
            return report.filled if isinstance(report.outcome, Solved) else report.outcome

        return answer

    return prepare


def asking(question: Callable[..., object]) -> Prepare:
    """One of our questions."""
    return lambda grid, total, seconds: lambda: question(grid, total=total, time_limit=seconds)


PEERS = {
    "plain-glucose3": Contestant("solution", plain(partial(solve_with_pysat, "glucose3")), "pysat"),
    "plain-cadical153": Contestant("solution", plain(partial(solve_with_pysat, "cadical153")), "pysat"),
    "plain-cp-sat": Contestant("solution", plain(solve_with_cp_sat), "ortools"),
    "pyganak": Contestant("count", plain(count_with_pyganak), "pyganak"),
    "ms_toollib": Contestant("probabilities", probabilities_with_ms_toollib, "ms_toollib"),
    "multi-puzzle-solver": Contestant("certain", certain_with_multi_puzzle_solver, "puzzle_solver"),
}

OURS = {
    **{name: Contestant("solution", engine(name)) for name in ("auto", "pysat", "pysat:glucose3", "cp-sat")},
    "count": Contestant("count", asking(count)),
    "probabilities": Contestant("probabilities", asking(probabilities)),
    "forced": Contestant("certain", asking(forced)),
}

PAIRS = (
    *(("plain-glucose3", "pysat:glucose3"), ("plain-glucose3", "auto")),
    *(("plain-cadical153", "pysat"), ("plain-cadical153", "auto")),
    *(("plain-cp-sat", "cp-sat"), ("plain-cp-sat", "auto")),
    *(("pyganak", "count"), ("ms_toollib", "probabilities"), ("multi-puzzle-solver", "forced")),
)
"""A peer, and what of ours it is compared with."""

CONTESTANTS = {**PEERS, **OURS}


def can_answer(name: str, board: BenchBoard) -> bool:
    """Probabilities are those of a Minesweeper position: at least one trap, and nothing shown but clues."""
    if CONTESTANTS[name].question != "probabilities":
        return True
    return board.total is not None and board.total >= 1 and bool(np.all(board.grid.cells >= HIDDEN))


def default_boards() -> list[BenchBoard]:
    """The boards of S1 to S3, each once, random ones, and positions of Expert games with their total."""
    boards = list(load_boards(["s1", "s2", "s3"]).boards)
    for side in (40, 100):
        grid = random_grid(side, side, density=0.2, shown=0.5, seed=0)
        boards.append(BenchBoard(f"random-{side}x{side}", grid))
    for game_id in ("expert#4:opening", "expert#12:opening", "expert#21:opening"):
        game = new_game(game_id).reveal(Cell(8, 15))
        for turn in play_game(game, new_player("logic")):  # until nothing but probabilities helps
            game = turn.game
        boards.append(BenchBoard(game_id, game.view.grid, game.view.total))
    return list({(str(board.grid), board.total): board for board in reversed(boards)}.values())[::-1]


# Measuring: a process has one contestant, which answers about all boards, one after the other.


class Result(NamedTuple):
    """The seconds of a run, None without an answer; `no solution`, or the reason why there is no answer."""

    seconds: float | None
    words: str = ""


Results = dict[tuple[str, str], list[Result]]
"""All runs by the names of the contestant and the board."""


def answer_boards(pipe: Connection, name: str, limit: float, core: int) -> None:
    """In the process of a contestant: answer about every board that comes through the pipe.

    Imports, compiling, first calls on tiny boards and a first run on each board come before the run that
    counts. A peer's answer is checked after the clock has stopped.
    """
    pin_to_core(core)
    question, prepare, _ = CONTESTANTS[name]
    for grid, total in zip(FIRST_CALL_BOARDS * WARM_UP_ROUNDS, (4, 1) * WARM_UP_ROUNDS, strict=True):
        prepare(grid, total, limit)()
    pipe.send("ready")
    while True:
        board: BenchBoard = pipe.recv()
        work = prepare(board.grid, board.total, limit)
        try:
            work()
            pipe.send("warm")
            began = working_clock()
            answer = work()
            seconds = working_clock() - began
        except Exception as error:  # noqa: BLE001 - whatever a library raises is its answer
            pipe.send(Result(None, f"{type(error).__name__}: {error}"))
            continue
        pipe.send("answered")
        wrong = objection(question, answer, board, limit) if name in PEERS else ""
        if isinstance(answer, GaveUp):
            pipe.send(Result(None, answer.stop_reason.value))
        elif wrong:
            pipe.send(Result(None, f"wrong answer: {wrong}"))
        else:
            is_refuted = (
                answer is None or isinstance(answer, Refuted) or (question == "count" and answer == 0)
            )
            pipe.send(Result(seconds, "no solution" if is_refuted else ""))


class Process:
    """A contestant in a process of its own, which is replaced when it was ended or has died."""

    def __init__(self, name: str, limit: float, core: int) -> None:
        self._arguments = (name, limit, core)
        # Ours keep their limit themselves; compiling, which does not count, may take them longer.
        self._patience = limit if name in PEERS else 600.0
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=answer_boards, args=(other, *self._arguments), daemon=True)
        self._process.start()
        other.close()
        self._pipe.recv()

    def ask(self, board: BenchBoard) -> Result:
        """One run on a board, after another one that does not count."""
        self._pipe.send(board)
        failure = "time limit"
        try:
            for _ in ("warm", "answered"):
                if not self._pipe.poll(self._patience):
                    break
                told = self._pipe.recv()
                if isinstance(told, Result):
                    return told
            else:
                checked: Result = self._pipe.recv()
                return checked
        except EOFError:
            failure = "crashed"
        self.close()
        self._start()
        return Result(None, failure)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()


def objection(question: str, answer: Any, board: BenchBoard, seconds: float) -> str:
    """What is wrong with a peer's answer; empty if nothing is, or if we have no answer within `seconds`."""
    grid, total = board.grid, board.total
    if answer is None:
        has_solution = isinstance(solve(grid, total=total, time_limit=seconds).outcome, Solved)
        return "says that there is no solution" if has_solution else ""
    if question == "solution":
        broken = check(grid, parse_grid("\n".join(", ".join(row) for row in answer)), total)
        return str(broken[0]) if broken else ""
    asked: dict[str, Callable[..., Any]] = {"count": count, "probabilities": probabilities, "certain": forced}
    ours = asked[question](grid, total=total, time_limit=seconds)
    match ours:
        case GaveUp():
            return ""
        case int():
            return "" if ours == answer else f"counts {answer}; count says {ours}"
        case Probabilities():
            difference = np.abs(np.array(answer) - ours.values)[grid.cells == HIDDEN].max(initial=0.0)
            return "" if difference <= 1e-6 else f"differs from probabilities by up to {difference:.2g}"
        case Forced():
            # multi-puzzle-solver does not look at cells with nothing shown around them.
            shown = np.pad(grid.cells, 1, constant_values=HIDDEN) != HIDDEN
            gems, traps = (
                {(row, col) for row, col in own if shown[row : row + 3, col : col + 3].any()}
                for own in (ours.gems, ours.traps)
            )
            return "" if answer == (gems, traps) else "forced finds other certain cells"
        case _:
            return "answers for a board that has no solution"


def measured(names: Sequence[str], boards: Sequence[BenchBoard], options: argparse.Namespace) -> Results:
    """The results of every contestant on every board.

    Each run of a contestant is made by a new process, and every contestant makes its first run on all boards
    before any makes its second, so that a machine that slows down does so for all. A contestant without an
    answer, or that has used its time on a board, is not asked about that board again.
    """
    results: Results = {}
    for number in range(options.runs):
        for name in names:
            print(f"run {number + 1} of {options.runs}: {name}", file=sys.stderr, flush=True)
            process = Process(name, options.time_limit, options.core)
            for board in boards:
                before = results.setdefault((name, board.name), [])
                spent = sum(each.seconds or options.time_limit for each in before)
                if can_answer(name, board) and spent < options.time_limit:
                    before.append(process.ask(board))
            process.close()
    return results


def main() -> int:
    """Measure, print two tables, and return 1 if a peer's answer is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "boards", nargs="*", help="board files, folders, or suites of `gemhunter bench suites`"
    )
    questions = sorted({peer.question for peer in PEERS.values()})
    parser.add_argument("--question", action="append", choices=questions, help="ask only this question")
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="compare only with this peer")
    parser.add_argument("--runs", type=int, default=5, help="runs per board, each in a new process")
    parser.add_argument("--time-limit", type=float, default=3.0, help="seconds for each run")
    parser.add_argument("--core", type=int, default=0, help="the core that all processes run on")
    options = parser.parse_args()
    boards = load_boards(options.boards).boards if options.boards else default_boards()
    peers = [
        name
        for name, peer in PEERS.items()
        if name in (options.peer or PEERS) and peer.question in (options.question or questions)
    ]
    for name in [name for name in peers if find_spec(PEERS[name].package) is None]:
        print(f"left out, not installed: {name}; install: pip install 'gemhunter[peers]'", file=sys.stderr)
        peers.remove(name)
    pairs = [pair for pair in PAIRS if pair[0] in peers]
    results = measured(list(dict.fromkeys(name for pair in pairs for name in pair)), boards, options)
    print_results(pairs, boards, results)
    print(f"\n{conditions(options)}")
    return int(any(each.words.startswith("wrong") for runs in results.values() for each in runs))


def print_results(pairs: Sequence[tuple[str, str]], boards: Sequence[BenchBoard], results: Results) -> None:
    """A table with a row per pair over all boards, and one with a row per board and pair."""
    overall, by_board = [], []
    for peer, ours in pairs:
        asked = [board for board in boards if results[peer, board.name]]
        theirs, own = ([median_of(results[name, board.name]) for board in asked] for name in (peer, ours))
        both = [ratio_of(*each) for each in zip(theirs, own, strict=True) if None not in each]  # type: ignore[arg-type]
        mean = ratio_texts(geometric_mean_of(both) if both else None, len(both))
        answered = [f"{len(asked) - times.count(None)} of {len(asked)}" for times in (theirs, own)]
        overall.append([PEERS[peer].question, peer, answered[0], ours, answered[1], *mean])
        for board, time, our_time in zip(asked, theirs, own, strict=True):
            ratio = ratio_text(ratio_of(time, our_time)) if time is not None and our_time is not None else ""
            shown = []
            for name, seconds in ((peer, time), (ours, our_time)):
                words = results[name, board.name][-1].words
                shown.append(words if seconds is None else f"{seconds:.6f}{words and f' ({words})'}")
            size = f"{board.grid.rows}×{board.grid.cols}"
            by_board.append([board.name, size, peer, shown[0], ours, shown[1], ratio])
    print_table(["question", "peer", "answered", "ours", "answered", "peer ÷ ours", "95 % interval"], overall)
    print()
    names = [board.name for board in boards]
    by_board.sort(key=lambda row: names.index(row[0]))
    print_table(["board", "size", "peer", "peer's time (s)", "ours", "our time (s)", "peer ÷ ours"], by_board)


def median_of(runs: Sequence[Result]) -> float | None:
    """The median of the seconds; None if a run has no answer."""
    seconds = [each.seconds for each in runs if each.seconds is not None]
    return median(seconds) if len(seconds) == len(runs) else None


def conditions(options: argparse.Namespace) -> str:
    """The number of runs, the time limit, the machine and the versions in one line."""
    used = versions()
    for package in ("pyganak", "ms_toollib", "multi-puzzle-solver"):
        try:
            used[package] = version(package)
        except PackageNotFoundError:
            continue
    here = machine()
    where = f"{here['processor']}, {here['cores']} cores"
    packages = ", ".join(f"{name} {number}" for name, number in used.items())
    return f"{counted(options.runs, 'run')} each, time limit {options.time_limit:g} s; {where}; {packages}."


if __name__ == "__main__":
    run_compiled(lambda: sys.exit(main()))
