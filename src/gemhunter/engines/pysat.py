"""`pysat:NAME`: every solver that PySAT ships.

From top to bottom: the table of solvers, which says how each can be stopped; the two kinds of engine; the
search, in this process or in another; how a running solver is driven, so that it keeps limits, heeds Ctrl-C
and reports progress; the constraints; and the program that runs in the other process. PySAT is imported when
a search begins.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import accumulate, chain
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import ListedRegion, Puzzle, Solution, impossible_regions, listed_regions
from gemhunter.cnf.drat import read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.solving.engine import (
    CnfSolver,
    Engine,
    EngineInfo,
    SatAnswer,
    Satisfied,
    Unsatisfiable,
    outcome_of,
)
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved, StopReason
from gemhunter.solving.run import IMPORT, Run
from gemhunter.work.memory import address_space, can_limit_memory, limit_address_space

Control = Literal["interrupt", "budget", "process"]
"""How a running solver is stopped.

`interrupt`: from another thread. It counts conflicts too, but some check only at restarts.
`budget`: it returns after a number of conflicts and continues with what it has learned at the next call.
`process`: neither works, or only once, or too late: with a total, Gluecard takes many seconds to react. So it
runs in another process, which can be ended.
"""


@dataclass(frozen=True, slots=True)
class PySatSolver:
    """One solver: its name, what it is, its aliases in PySAT, and how it is stopped."""

    name: str
    about: str
    aliases: tuple[str, ...]
    control: Control = "interrupt"
    counts_conflicts: bool = True
    native: bool = False
    """Whether it takes "at most k of these" as one constraint instead of clauses."""
    package: str = ""
    """A package it needs beyond PySAT."""
    proofs: bool = False
    """Whether PySAT returns its proofs and they are right; those of MapleCOMSPS_LRB are not."""


_ALL = [
    PySatSolver("cadical103", "CaDiCaL 1.0.3", ("cd", "cd103", "cdl", "cdl103"), "budget", proofs=True),
    PySatSolver("cadical153", "CaDiCaL 1.5.3", ("cd15", "cd153", "cdl15", "cdl153"), "budget", proofs=True),
    PySatSolver("cadical195", "CaDiCaL 1.9.5", ("cd19", "cd195", "cdl19", "cdl195"), "budget", proofs=True),
    PySatSolver("cadical300", "CaDiCaL 3.0.0", ("cd30", "cd300", "cdl30", "cdl300"), "budget", proofs=True),
    PySatSolver(
        "cryptominisat",
        "CryptoMiniSat 5",
        ("cms", "cms5", "crypto", "crypto5", "cryptominisat5", "cryptosat"),
        "process",
        counts_conflicts=False,  # it could, but PySAT 1.9 fails to hand it the limit
        package="pycryptosat",
    ),
    PySatSolver("ergo", "Ergo", (), proofs=True),
    PySatSolver(
        "gluecard3", "Gluecard 3, native cardinality", ("gc3", "gc30", "gluecard30"), "process", native=True
    ),
    PySatSolver(
        "gluecard4", "Gluecard 4, native cardinality", ("gc4", "gc41", "gluecard41"), "process", native=True
    ),
    PySatSolver("glucose3", "Glucose 3.0", ("g3", "g30", "glucose30"), proofs=True),
    PySatSolver("glucose4", "Glucose 4.1", ("g4", "g41", "glucose41"), proofs=True),
    PySatSolver("glucose42", "Glucose 4.2.1", ("g42", "g421", "glucose421"), proofs=True),
    PySatSolver("kissat404", "Kissat 4.0.4", ("ks", "ks4", "kissat", "kissat4"), "process"),
    PySatSolver("lingeling", "Lingeling", ("lgl",), "process", counts_conflicts=False, proofs=True),
    PySatSolver("maplechrono", "MapleLCMDistChronoBT", ("mcb", "chrono", "chronobt"), proofs=True),
    PySatSolver("maplecm", "MapleCM", ("mcm",), proofs=True),
    PySatSolver("maplesat", "MapleCOMSPS_LRB", ("mpl", "maple")),
    PySatSolver("mergesat3", "MergeSat 3.0", ("mg3", "mgs3", "mergesat30")),
    PySatSolver("minicard", "MiniCard 1.2, native cardinality", ("mc", "mcard"), native=True),
    PySatSolver("minisat22", "MiniSat 2.2", ("m22", "msat22")),
    PySatSolver("minisat-gh", "MiniSat 2.2 (GitHub version)", ("mgh", "msat-gh", "minisatgh")),
    PySatSolver("minisat-ep", "MiniSat 2.2 with external propagators", ("mep", "msat-ep", "minisatep")),
]

SOLVERS: Mapping[str, PySatSolver] = MappingProxyType({solver.name: solver for solver in _ALL})

BY_ANY_NAME: Mapping[str, PySatSolver] = MappingProxyType(
    {name: solver for solver in _ALL for name in (solver.name, *solver.aliases)}
)
"""Every solver under its name and all aliases, lower case."""

DEFAULT = "cadical153"
"""It decides most of the hard boards with totals within a few seconds, and is as good as most on others
(docs/measurements.md, measured by `benchmarks/pysat_solvers.py`)."""


# The engines.


def make_engine(name: str) -> Engine | CnfSolver:
    """The engine for a PySAT solver, by its name or any alias; the default one for no name."""
    solver = BY_ANY_NAME.get((name or DEFAULT).lower())
    if solver is None:
        known = [f"pysat:{alias}" for alias in BY_ANY_NAME]
        raise UnknownNameError("engine", f"pysat:{name}", known, see="engines")
    return NativePySat(solver) if solver.native else ClausalPySat(solver)


@dataclass(frozen=True, slots=True)
class ClausalPySat:
    """A solver that reads clauses."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Load the clauses and search."""
        return _search(self.solver, ClauseConstraints(cnf), run)


@dataclass(frozen=True, slots=True)
class NativePySat:
    """A solver with native cardinality: at most k traps and at most n-k gems for each region."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Load two constraints per region and search."""
        if impossible_regions(puzzle).size:
            return outcome_of(Unsatisfiable(), puzzle, self.info)  # solvers reject a bound below 0
        # Before they are added to a solver, two constraints take 32 bytes for each cell of a region.
        if not run.fits(32 * puzzle.cells.size):
            return GaveUp(StopReason.MEMORY)
        with run.stage("encode"):
            constraints = RegionConstraints([region for region in puzzle.listed if region[0]])
        run.count(variables=puzzle.hidden.size, constraints=constraints.size)
        if not constraints.size:
            # Nothing to satisfy: another process would have no model to print.
            return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
        return outcome_of(_search(self.solver, constraints, run), puzzle, self.info)


@cache
def _info(solver: PySatSolver) -> EngineInfo:
    # Cached, because finding out what limits memory takes as long as solving a tiny board.
    return EngineInfo(
        f"pysat:{solver.name}",
        solver.about,
        step="conflict" if solver.counts_conflicts else "",
        memory_limit=can_limit_memory(),
        proofs=solver.proofs,
        own_process=solver.control == "process",
        package=solver.package,
    )


# The search: here, or in a process that can be ended at any time.

CONSTRAINTS_HERE = 200_000
"""With more, the search runs in another process: between two conflicts, or two restarts of Glucose, a solver
may ignore limits and Ctrl-C for seconds."""


def _search(solver: PySatSolver, constraints: "Constraints", run: Run) -> SatAnswer:
    if solver.control == "process" or constraints.size > CONSTRAINTS_HERE or run.limits.memory is not None:
        return _search_in_process(solver, constraints, run)
    return _search_here(solver, constraints, run)


def import_pysat(run: Run) -> None:
    """Import PySAT in a stage that reports leave out; the first engine to use it must not be charged."""
    if "pysat.solvers" not in sys.modules:
        with run.stage(IMPORT):
            import_module("pysat.solvers")


def _search_here(spec: PySatSolver, constraints: "Constraints", run: Run) -> SatAnswer:
    """Search in this process; the solver's statistics are counted whatever the answer."""
    import_pysat(run)
    from pysat.solvers import Solver

    proving = run.wants_proof and spec.proofs
    with Solver(name=spec.name, **({"with_proof": True} if proving else {})) as solver:
        constraints.feed(solver)
        if reason := run.spend():
            return GaveUp(reason)
        try:
            answer: SatAnswer | None = None
            if spec.control == "budget":
                answer = in_slices(solver, run)
            elif constraints.size <= 20_000:  # with more, a hundred conflicts could overrun a time limit
                answer = at_once(solver, run)
            if answer is None:
                answer = interrupting(solver, run)
            if proving and isinstance(answer, Unsatisfiable):
                return Unsatisfiable(read_drat("\n".join(solver.get_proof()).encode("ascii")))
            return answer
        finally:
            run.count(**{name: int(count) for name, count in solver.accum_stats().items()})


def _search_in_process(spec: PySatSolver, constraints: "Constraints", run: Run) -> SatAnswer:
    """Search in a process that can be ended at any time."""
    name = _info(spec).name
    if spec.package and not has_package(spec.package):
        raise EngineError(missing_text(f"{name} needs", spec.package))
    conflicts = min(run.steps_left or 0, BUDGET_LIMIT)
    arguments = [spec.name, "{in}", "{out}", str(conflicts), str(run.limits.memory or 0)]
    if run.wants_proof and spec.proofs:
        arguments.append("{proof}")
    with run.stage(IMPORT):
        from gemhunter.engines.commands import SolverProgram
        from gemhunter.work.child_process import module_command

    # The program sets its memory limit itself, once it has imported what it needs.
    program = SolverProgram(module_command(name, __name__, *arguments), limits_itself=True)
    return program.ask(constraints.save, run)


# Driving a PySAT solver so that limits are kept, Ctrl-C works and progress is reported.
#
# In the main thread PySAT would catch Ctrl-C itself and jump out of the middle of the search, which leaves
# a solver, and sometimes the heap, that cannot be used again. So a search runs in another thread, unless it
# is short: then PySAT lets Ctrl-C wait until it is over, as starting a thread takes as long as solving a
# small board.

BUDGET_LIMIT = 2**31 - 1

CONFLICTS_PER_SLICE = 2000
"""CaDiCaL keeps what it has learned when it is stopped and called again, so slices may be small: this one
takes a tenth of a second, or half of one with many clauses. But each starts with an empty trail, and boards
with a total often take a little more than 1,000 conflicts. Slices must not depend on the clock: one seed and
step limit must always give one answer."""

SMALL_FORMULA_CONFLICTS = 100
"""Conflicts, taking a few milliseconds, that MiniSat and its relatives may use before a thread is started."""


def at_once(solver: Any, run: Run, conflicts: int = SMALL_FORMULA_CONFLICTS) -> SatAnswer | None:
    """Search for a few conflicts in this thread; None if that is not enough.

    For solvers that can be interrupted: with `expect_interrupt`, PySAT leaves Ctrl-C to Python, which raises
    it when the search is over.
    """
    solver.conf_budget(run.slice(conflicts))
    satisfiable = solver.solve_limited(expect_interrupt=True)
    reason = run.spend(_conflicts(solver))
    if satisfiable is None and reason is None:
        solver.conf_budget(-1)  # no limit
        return None
    return _answer(satisfiable, solver, reason or StopReason.UNDECIDED)


def interrupting(solver: Any, run: Run) -> SatAnswer:
    """Search until the run must stop, then interrupt the solver.

    MiniSat and its relatives restart from scratch whenever a budget ends, so slices would take several
    times as long; but they release the interpreter lock while they search, so this thread can watch.
    """
    steps, before = run.steps_left, _conflicts(solver)
    if steps is not None:
        solver.conf_budget(min(steps, BUDGET_LIMIT))
    search = SolverThread(lambda: solver.solve_limited(expect_interrupt=True))
    reason: StopReason | None = None
    try:
        while reason is None and not search.is_over(SOLVER_POLL_SECONDS):
            reason = run.spend()
    finally:
        if not search.is_over(0):
            solver.interrupt()
        search.wait()
    used_up = search.answer is None and reason is None
    spent = run.spend(steps if used_up and steps is not None else _conflicts(solver) - before)
    return _answer(search.answer, solver, reason or spent or StopReason.UNDECIDED)


def in_slices(solver: Any, run: Run) -> SatAnswer:
    """Search in slices of conflicts, with a look at the limits between them."""
    before = 0
    while True:
        solver.conf_budget(min(run.slice(CONFLICTS_PER_SLICE), BUDGET_LIMIT))
        satisfiable = _solve_slice(solver)
        conflicts = _conflicts(solver)
        reason = run.spend(conflicts - before)
        before = conflicts
        if satisfiable is not None or reason is not None:
            return _answer(satisfiable, solver, reason or StopReason.UNDECIDED)


def _solve_slice(solver: Any) -> bool | None:
    """Let CaDiCaL search in this thread until its budget is used up; a Ctrl-C is raised after that.

    It holds the interpreter lock anyway. PySAT asks `MainThread` whether to catch Ctrl-C; in all other
    threads the answer is no. A PySAT without `MainThread` gets a thread.
    """
    from pysat import solvers

    solve: Callable[[], bool | None] = solver.solve_limited
    if current_thread() is not main_thread():
        return solve()
    if not hasattr(solvers, "MainThread"):
        search = SolverThread(solve)
        search.wait()
        return search.answer
    before = solvers.MainThread
    try:
        solvers.MainThread = SimpleNamespace(check=lambda: False)
        return solve()
    finally:
        solvers.MainThread = before


def _conflicts(solver: Any) -> int:
    return int(solver.accum_stats()["conflicts"])


def _answer(satisfiable: bool | None, solver: Any, reason: StopReason) -> SatAnswer:
    if satisfiable is None:
        return GaveUp(reason)
    return Satisfied(np.array(solver.get_model() or [], np.int64)) if satisfiable else Unsatisfiable()


Answer = TypeVar("Answer")

SOLVER_POLL_SECONDS = 0.05
"""How often the thread that waits looks at its limits."""


class SolverThread(Generic[Answer]):
    """A call in another thread. It must be waited for: until it returns, the solver is in use."""

    def __init__(self, call: Callable[[], Answer | None]) -> None:
        self.answer: Answer | None = None
        self._error: Exception | None = None
        # Not `Thread.is_alive`: after a Ctrl-C during `Thread.join` it may be wrong (CPython issue 90882).
        self._over = Event()
        Thread(target=self._run, args=(call,), daemon=True).start()

    def is_over(self, seconds: float) -> bool:
        """Whether the call has returned, or returns within this many seconds."""
        return self._over.wait(seconds)

    @property
    def has_failed(self) -> bool:
        """Whether the call has raised an exception, which `wait` raises again."""
        return self._error is not None

    def wait(self) -> None:
        """Wait for the call; then raise what it raised, or a Ctrl-C that came meanwhile."""
        interrupted: KeyboardInterrupt | None = None
        while not self._over.is_set():
            try:
                self._over.wait()
            except KeyboardInterrupt as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted
        if self._error is not None:
            raise self._error

    def _run(self, call: Callable[[], Answer | None]) -> None:
        try:
            self.answer = call()
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            self._error = error
        finally:
            self._over.set()


# Constraints for a PySAT solver: clauses, or bounds for solvers with native cardinality.


@dataclass(frozen=True, slots=True, eq=False)
class ClauseConstraints:
    """The clauses of a formula."""

    cnf: Cnf

    @property
    def size(self) -> int:
        """The number of clauses."""
        return self.cnf.size

    def feed(self, solver: Any) -> None:
        """Add the clauses to a PySAT solver one at a time: millions of lists at once are slow."""
        solver.append_formula(self.cnf.each_clause())

    def save(self, path: Path) -> None:
        """Write the clauses to a file for another process."""
        _save(path, self.cnf.literals, self.cnf.starts, np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class RegionConstraints:
    """Two bounds for each region: at most k of its n cells are traps, and at most n-k are gems."""

    regions: Sequence[ListedRegion]

    @property
    def size(self) -> int:
        """The number of bounds."""
        return 2 * len(self.regions)

    def feed(self, solver: Any) -> None:
        """Add the bounds to a PySAT solver."""
        for cells, traps in self.regions:
            solver.add_atmost(cells, traps)
            solver.add_atmost([-cell for cell in cells], len(cells) - traps)

    def save(self, path: Path) -> None:
        """Write the regions to a file for another process."""
        starts = np.fromiter(accumulate((len(cells) for cells, _ in self.regions), initial=0), np.int64)
        flat = np.fromiter(chain.from_iterable(cells for cells, _ in self.regions), np.int32)
        _save(path, flat, starts, np.array([traps for _, traps in self.regions], np.int64))


Constraints: TypeAlias = ClauseConstraints | RegionConstraints


def _save(
    path: Path, literals: NDArray[np.int32], starts: NDArray[np.int64], traps: NDArray[np.int64]
) -> None:
    with path.open("wb") as stream:
        np.savez(stream, literals=literals, starts=starts, traps=traps)


def read_constraints(path: Path) -> Constraints:
    """The constraints that `save` wrote."""
    with np.load(path) as saved:
        literals, starts, traps = saved["literals"], saved["starts"], saved["traps"]
    if traps.size:
        return RegionConstraints(listed_regions(literals, starts, traps))
    return ClauseConstraints(Cnf(literals, starts, np.arange(int(np.abs(literals).max(initial=0))), cols=1))


# The program that `_search_in_process` starts, for solvers that cannot be stopped from within their process.


def main(name: str, source: str, target: str, *limits: str) -> None:
    """SOLVER IN OUT CONFLICTS BYTES [PROOF]: solve the constraints saved in IN; `s` and `v` lines go to OUT.

    A limit of 0 means no limit. BYTES is what clauses and search may take beyond the interpreter and the
    packages it has loaded. If PROOF is given, the proof of a refutation is written to it.
    """
    from pysat.solvers import Solver

    conflicts, size, *proof = limits
    if int(size):
        limit_address_space(address_space() + int(size))
    with Solver(name=name, **({"with_proof": True} if proof else {})) as solver:
        read_constraints(Path(source)).feed(solver)
        if int(conflicts):
            solver.conf_budget(int(conflicts))
            satisfiable = solver.solve_limited()
        else:
            satisfiable = solver.solve()
        words = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: "UNKNOWN"}[satisfiable]
        model = " ".join(map(str, solver.get_model() or [])) if satisfiable else ""
        if proof and satisfiable is False:
            Path(proof[0]).write_text("\n".join(solver.get_proof()), encoding="ascii", newline="\n")
        try:
            counted = [f"c counted {name} {count}" for name, count in solver.accum_stats().items()]
        except NotImplementedError:
            counted = []
    answer = "\n".join([*counted, f"s {words}", f"v {model} 0", ""])
    Path(target).write_text(answer, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
