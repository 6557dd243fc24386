"""S4's searches on its knowledge base, against plain recursion and `itertools.product`, and its table."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from compiled import needs_compiler
from gemhunter import GaveUp, Refuted, Solved, StopReason, encode, parse_grid, solve, trace
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.backtracking import ClauseBacktracking
from gemhunter.engines.brute_force import ClauseBruteForce
from gemhunter.solving.engine import CnfEngine, CnfSolver, Satisfied, Unsatisfiable
from gemhunter.solving.events import ClauseConflict, Decided, Event, Exhausted, Flipped, ModelFound
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue
from places import DOCS
from source_boards import S4_BOARDS
from strategies import Planted, formula, formulas, small_boards

GRIDS = {clauses: parse_grid(board.replace("/", "\n"), "unknown") for board, clauses in S4_BOARDS.items()}
SOURCES_PAGE = (DOCS / "sources.md").read_text(encoding="utf-8")
VALUES = {"gem": (False, True), "trap": (True, False)}

values = pytest.mark.parametrize("value", VALUES)
prunes = pytest.mark.parametrize("prune", [False, True])


def assigned(model: dict[int, bool], variables: int) -> list[int]:
    """A model as literals, variables without a value being false."""
    return [variable if model.get(variable, False) else -variable for variable in range(1, variables + 1)]


@values
@prunes
@given(cnf=formulas())
def test_backtracking_on_clauses_does_what_plain_recursion_does(
    value: FirstValue, prune: bool, cnf: Cnf
) -> None:
    model, nodes = oracles.backtracked(cnf.clauses(), cnf.variables, values=VALUES[value], prune=prune)
    run = Run()
    answer = ClauseBacktracking(value, prune).solve_cnf(cnf, run)
    assert run.counters["nodes"] == nodes
    if model is None:
        assert isinstance(answer, Unsatisfiable)
    else:
        assert isinstance(answer, Satisfied)
        assert answer.model.tolist() == assigned(model, cnf.variables)


@values
@given(cnf=formulas())
def test_brute_force_on_clauses_tries_all_sign_patterns_as_itertools_product_does(
    value: FirstValue, cnf: Cnf
) -> None:
    patterns = list(product(VALUES[value], repeat=cnf.variables))
    models = [assigned(dict(enumerate(pattern, 1)), cnf.variables) for pattern in patterns]
    fits = [all(set(clause) & set(model) for clause in cnf.clauses()) for model in models]
    run = Run()
    answer = ClauseBruteForce(value).solve_cnf(cnf, run)
    assert run.counters["attempts"] == (fits.index(True) + 1 if any(fits) else len(fits))
    if any(fits):
        assert isinstance(answer, Satisfied)
        assert answer.model.tolist() == models[fits.index(True)]
    else:
        assert isinstance(answer, Unsatisfiable)


@pytest.mark.parametrize(
    "engine",
    [
        "backtracking:clauses",
        "backtracking:clauses,value=gem",
        "backtracking:clauses,prune",
        "brute-force:clauses",
    ],
)
@given(board=small_boards(rows=3, cols=4))
def test_a_board_is_solved_exactly_if_it_has_a_solution(engine: str, board: Planted) -> None:
    outcome = solve(board.grid, engine, total=board.traps).outcome
    solutions = oracles.all_solutions(board.grid, board.traps)
    match outcome:
        case Solved(solution):
            assert tuple(solution.traps.tolist()) in solutions
        case _:
            assert isinstance(outcome, Refuted)
            assert not solutions


@given(board=small_boards(rows=3, cols=4), prune=st.booleans())
def test_the_knowledge_base_of_a_board_has_all_cells_and_a_unit_clause_per_shown_cell(
    board: Planted, prune: bool
) -> None:
    cnf = encode(board.grid, variables="all", total=board.traps, keep_duplicates=True)
    report = solve(board.grid, f"backtracking:clauses{',prune' * prune}", total=board.traps)
    if not report.counters.get("clauses"):
        return
    _, nodes = oracles.backtracked(cnf.clauses(), cnf.variables, values=(True, False), prune=prune)
    assert (report.counters["variables"], report.counters["clauses"]) == (cnf.variables, cnf.size)
    assert report.counters["nodes"] == nodes


@pytest.mark.parametrize("name", ["backtracking:clauses", "brute-force:clauses"])
def test_any_formula_can_be_given_to_it_too(name: str) -> None:
    engine = get_engine(name)
    assert isinstance(engine, CnfEngine)
    assert isinstance(engine.solver, CnfSolver)
    answer = engine.solver.solve_cnf(formula([[-1, -2], [1, 2], [2, 3]], 4), Run())
    assert isinstance(answer, Satisfied)
    assert answer.model.tolist()[:3] == [1, -2, 3]


@pytest.mark.parametrize("clauses", GRIDS)
@pytest.mark.parametrize(
    "engine", ["backtracking:clauses,prune", "backtracking:clauses", "brute-force:clauses"]
)
def test_s4_s_five_boards_have_20_81_114_144_and_197_clauses(engine: str, clauses: int) -> None:
    assert solve(GRIDS[clauses], engine, step_limit=1).counters["clauses"] == clauses


@pytest.mark.parametrize(
    ("clauses", "attempts", "nodes"),
    [
        (20, 251, 987),
        (81, 12_274, 127_862),
        pytest.param(114, 10_463_936, 66_934_823, marks=pytest.mark.full),
        pytest.param(144, 26_178_511, 66_838_655, marks=pytest.mark.full),
    ],
)
@needs_compiler
def test_s4_s_boards_take_as_many_steps_as_the_docs_say(clauses: int, attempts: int, nodes: int) -> None:
    tried, searched = (solve(GRIDS[clauses], f"{name}:clauses") for name in ("brute-force", "backtracking"))
    assert isinstance(tried.outcome, Solved)
    assert isinstance(searched.outcome, Solved)
    assert (tried.counters["attempts"], searched.counters["nodes"]) == (attempts, nodes)
    row = f"| {clauses} | {attempts:,} |"
    assert row in SOURCES_PAGE
    assert f"| {nodes:,} |" in SOURCES_PAGE.partition(row)[2].partition("\n")[0]


@pytest.mark.parametrize(("clauses", "attempts", "nodes"), [(144, 200_000, 500_000), (197, 200_000, 500_000)])
@needs_compiler
def test_where_s4_says_exceed_time_it_gives_up_at_a_limit(clauses: int, attempts: int, nodes: int) -> None:
    for name, most in (("brute-force:clauses", attempts), ("backtracking:clauses", nodes)):
        outcome = solve(GRIDS[clauses], name, step_limit=most).outcome
        assert isinstance(outcome, GaveUp)
        assert outcome.stop_reason is StopReason.STEPS


@pytest.mark.parametrize("name", ["brute-force:clauses", "backtracking:clauses"])
def test_s4_s_largest_board_gives_up_at_a_time_limit(name: str) -> None:
    outcome = solve(GRIDS[197], name, time_limit=0.05).outcome
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.TIME


def test_backtracking_as_soon_as_a_clause_is_false_saves_nearly_all_nodes() -> None:
    report = solve(GRIDS[144], "backtracking:clauses,prune")
    assert isinstance(report.outcome, Solved)
    assert report.counters["nodes"] == 51


@pytest.mark.parametrize("clauses", GRIDS)
def test_the_genetic_algorithm_solves_all_five_boards(clauses: int) -> None:
    assert all(isinstance(solve(GRIDS[clauses], "genetic", seed=seed).outcome, Solved) for seed in range(5))


@values
@prunes
@given(cnf=formulas())
def test_a_trace_has_every_node_that_is_visited(value: FirstValue, prune: bool, cnf: Cnf) -> None:
    run, solver = Run(), ClauseBacktracking(value, prune)
    answer = solver.solve_cnf(cnf, run)
    events = list(solver.trace_cnf(cnf, Run()))
    assert sum(isinstance(event, Decided | Flipped) for event in events) == run.counters["nodes"]
    assert isinstance(events[-1], ModelFound if isinstance(answer, Satisfied) else Exhausted)
    assert_follows(events, cnf)


def assert_follows(events: list[Event], cnf: Cnf) -> None:
    """Levels go up by one, flips take back, and every conflict is a clause whose literals are all false."""
    path: list[int] = []
    for event in events:
        match event:
            case Decided(literal, level):
                assert level == len(path) + 1
                path.append(literal)
            case Flipped(literal, level):
                assert path[level - 1] == -literal
                path[level - 1 :] = [literal]
            case ClauseConflict(clause):
                assert list(clause) in cnf.clauses()
                assert all(-literal in path for literal in clause)


def test_a_trace_on_a_board_names_shown_cells_too() -> None:
    said = [step.sentence for step in trace(parse_grid("_, 1, _"), "backtracking:clauses,prune")]
    assert said == [
        "decide r1c2=T (level 1)",
        "conflict: r1c2=G (cell r1c2, which is shown) is false",
        "flip to r1c2=G (level 1)",
        "decide r1c1=T (level 2)",
        "decide r1c3=T (level 3)",
        "conflict: r1c1=G or r1c3=G (clue 1 at r1c2) is false",
        "flip to r1c3=G (level 3)",
        "solved: every clue holds",
    ]
