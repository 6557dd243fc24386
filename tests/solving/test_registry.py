"""Engines by name: our own, every alias of PySAT's solvers, and those of other packages."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from textwrap import dedent
from types import ModuleType

import numpy as np
import pytest
from pysat.solvers import SolverNames

from fresh_interpreter import output_of
from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.backtracking import CELL_ORDERS
from gemhunter.engines.pysat import SOLVERS
from gemhunter.errors import EngineError, InputError, UnknownNameError
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving import registry
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied
from gemhunter.solving.outcomes import Outcome, Solved
from gemhunter.solving.registry import engine_names, get_engine, list_engines
from gemhunter.solving.run import Run

SHIPPED = {name: aliases for name, aliases in vars(SolverNames).items() if not name.startswith("_")}
"""PySAT's aliases for each of its solvers."""


class AllGems:
    """An engine that fills every board with gems."""

    info = EngineInfo("all-gems", "sees gems everywhere", complete=False)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))


class AllFalse:
    """A solver that answers every formula with a model in which nothing is true."""

    info = EngineInfo("all-false", "believes nothing", complete=False)

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        return Satisfied(np.empty(0, np.int64))


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Pretend that a package with these engines is installed: factories by name, or None for a broken one."""

    def pretend(**factories: object) -> None:
        module = ModuleType("their_package")
        for name, factory in factories.items():
            if factory is not None:
                setattr(module, name, factory)
        monkeypatch.setitem(sys.modules, "their_package", module)
        points = [
            EntryPoint(name, f"their_package:{name}", registry.ENGINE_ENTRY_POINTS) for name in factories
        ]
        monkeypatch.setattr(
            importlib.metadata, "entry_points", lambda group: points if group == "gemhunter.engines" else []
        )

    return pretend


def test_every_solver_of_the_table_and_every_order_of_cells_is_listed() -> None:
    assert [name for name in engine_names() if name.startswith("pysat:")] == [
        f"pysat:{name}" for name in SOLVERS
    ]
    orders = {f"backtracking:{order}" for order in (*CELL_ORDERS, "clauses")}
    assert {name for name in engine_names() if name.startswith("backtracking:")} == orders


def test_listing_the_names_imports_no_engine() -> None:
    program = """
        import sys
        from gemhunter.solving.registry import engine_names
        engine_names()
        print([module for module in sys.modules if module.startswith("gemhunter.engines")])
    """
    assert output_of(dedent(program)) == "[]\n"


def test_built_in_engines_come_first_in_the_list() -> None:
    ours = "auto brute-force backtracking dpll cdcl resolution genetic local-search tables pysat cp-sat"
    assert " ".join(name for name in engine_names() if ":" not in name).startswith(ours)
    assert "cmd:PROGRAM" in engine_names()


@pytest.mark.parametrize("solver", SHIPPED)
def test_all_names_pysat_has_for_a_solver_are_one_engine(solver: str) -> None:
    engines_found = {get_engine(f"pysat:{alias}").info.name for alias in (solver, *SHIPPED[solver])}
    assert len(engines_found) == 1


def test_aliases_may_be_written_in_capitals() -> None:
    assert get_engine("pysat:G4").info.name == "pysat:glucose4"


def test_the_table_has_the_solvers_pysat_ships_and_no_others() -> None:
    shipped = {get_engine(f"pysat:{name}").info.name for name in SHIPPED}
    assert shipped == {f"pysat:{name}" for name in SOLVERS}


def test_auto_is_complete_and_keeps_all_limits() -> None:
    info = get_engine("auto").info
    assert (info.name, info.complete, info.limits) == ("auto", True, ("time", "steps", "memory"))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("pysta", "pysat"),
        ("pysat:glucos4", "pysat:glucose4"),
        ("pysat:cadical135", "pysat:cadical153"),
        ("pysat:minisat", "pysat:minisat22"),
        ("PYSAT", "pysat"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        get_engine(name)
    assert nearest in caught.value.nearest
    assert str(caught.value).startswith(f"no engine named '{name}'; did you mean ")
    assert str(caught.value).endswith("(see: gemhunter engines)")


def test_a_name_like_no_other_suggests_nothing() -> None:
    with pytest.raises(UnknownNameError, match=r"^no engine named 'qqqqqq' \(see: gemhunter engines\)$"):
        get_engine("qqqqqq")


def test_the_engine_that_runs_programs_needs_a_program() -> None:
    with pytest.raises(InputError, match="cmd: needs the program to run"):
        get_engine("cmd")


def test_each_engine_is_described_under_the_name_that_users_type() -> None:
    assert [info.name for info in list_engines()] == engine_names()


def test_auto_takes_no_argument() -> None:
    with pytest.raises(InputError, match="auto takes no argument"):
        get_engine("auto:g4")


def test_the_limits_an_engine_honours_are_data() -> None:
    limits = {info.name: info.limits for info in list_engines()}
    assert limits["pysat:glucose4"] == ("time", "steps", "memory")
    assert limits["pysat:lingeling"] == ("time", "memory")


def test_an_engine_of_another_package_is_found_by_its_name(install: Install) -> None:
    install(theirs=lambda argument: AllGems())
    assert "theirs" in engine_names()
    assert get_engine("theirs").info.about == "sees gems everywhere"


def test_the_argument_goes_to_the_factory(install: Install) -> None:
    arguments: list[str] = []

    def make(argument: str) -> AllGems:
        arguments.append(argument)
        return AllGems()

    install(theirs=make)
    for name in ("theirs", "theirs:fast:really"):
        get_engine(name)
    assert arguments == ["", "fast:really"]


def test_a_solver_of_clauses_becomes_an_engine(install: Install) -> None:
    install(theirs=lambda argument: AllFalse())
    assert str(solve(parse_grid("0, _"), "theirs").filled) == "0, G"


def test_their_names_are_suggested_too(install: Install) -> None:
    install(theirs=lambda argument: AllGems())
    with pytest.raises(UnknownNameError) as caught:
        get_engine("thiers")
    assert caught.value.nearest == ("theirs",)


def test_a_plug_in_that_cannot_be_loaded_says_so(install: Install) -> None:
    install(broken=None)
    with pytest.raises(EngineError, match="the plug-in 'their_package:broken' cannot be loaded"):
        get_engine("broken")


def test_a_plug_in_that_is_no_engine_says_so(install: Install) -> None:
    install(odd=lambda argument: 42)
    with pytest.raises(EngineError, match="int is neither an Engine nor a CnfSolver"):
        get_engine("odd")


def fail(argument: str) -> object:
    raise RuntimeError("no licence found")


@pytest.mark.parametrize(
    ("factory", "complaint"),
    [(None, "cannot be loaded"), (lambda argument: 42, "neither an Engine"), (fail, "no licence found")],
    ids=["missing", "no engine", "fails"],
)
def test_a_bad_plug_in_does_not_spoil_the_list(install: Install, factory: object, complaint: str) -> None:
    install(bad=factory, theirs=lambda argument: AllGems())
    described = {info.name: info.about for info in list_engines()}
    assert complaint in described["bad"]
    assert described["theirs"].startswith("sees gems everywhere")


def test_a_plug_in_listed_under_its_own_name_is_not_called_the_default(install: Install) -> None:
    install(theirs=lambda argument: AllGems())
    (about,) = [info.about for info in list_engines() if info.name == "theirs"]
    assert about == "sees gems everywhere"


@pytest.mark.parametrize("listing", ["engine_names()", "list_engines()"])
def test_listing_loads_neither_pysat_nor_numba(listing: str) -> None:
    code = f"""
import sys
from gemhunter.solving.registry import engine_names, list_engines
{listing}
print(sorted(sys.modules.keys() & {{"pysat", "pysolvers", "numba", "pycryptosat"}}))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_an_engine_of_ours_is_made_once() -> None:
    assert get_engine("pysat:glucose3") is get_engine("pysat:glucose3")
    assert get_engine("cp-sat:workers=2") is not get_engine("cp-sat:workers=3")
