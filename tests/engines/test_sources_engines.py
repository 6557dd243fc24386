"""What the sources S1, S2 and S3 do: attempts, value orders, their maps, and CDCL without a heuristic."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

import oracles
from gemhunter import GaveUp, InputError, Solved, StopReason, encode, parse_grid, solve, trace
from gemhunter.cli.main import run
from gemhunter.cnf.dimacs import decode_model
from gemhunter.cnf.encode import Numbering
from gemhunter.solving.events import Decided, Restarted
from gemhunter.solving.registry import get_engine, list_engines
from strategies import Planted, small_boards

S1_SMALL = parse_grid("_, 2, 2, 2, 1\n_, _, _, 2, _\n_, 3, _, _, 2\n_, _, 2, 3, _\n_, 2, _, _, _")
"""S1's 5×5 board. It has four solutions."""

S1_LARGE = parse_grid(
    "__2____1___\n22__4__33_3\n__54_3___2_\n2_____22_1_\n1_55__2_1_2\n23__2___2__\n"
    "__5__32__4_\n_4_____2___\n_3_532____4\n3____2__4__\n__3_12_3__3"
)
"""S1's 11×11 board, with 76 unknown cells that clues touch."""

S2_LARGE = parse_grid(
    "\n".join(["_2_2_2_2_2_", *["2_3_3_3_3_2", "_3_3_3_3_3_"] * 4, "2_3_3_3_3_2", "_2_2_2_2_2_"])
)
"""S2's 11×11 board, its test case 3."""

WIDE = parse_grid("\n".join(["1_1_1_1", "_" * 7, "1_1_1_1", "_" * 7, "1_1_1_2"]))
"""No solution, and 23 unknown cells."""

ENGINES_WITH_VALUES = ["brute-force", "backtracking", "backtracking:reading", "dpll", "dpll:first", "cdcl"]
DECIDING = [
    "backtracking",
    "backtracking:reading",
    "dpll",
    "dpll:first",
    "cdcl:save-phases=no",
    "cdcl:random",
]


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "board.txt"
    path.write_text(str(S1_LARGE), encoding="utf-8")
    return str(path)


def with_setting(engine: str, setting: str) -> str:
    return f"{engine}{',' if ':' in engine else ':'}{setting}"


def map_of(engine: str) -> str:
    return str(solve(S1_SMALL, engine).filled).replace(", ", "").replace("\n", " / ")


def test_brute_force_beyond_62_cells_really_tries_its_two_million_attempts() -> None:
    report = solve(S1_LARGE, "brute-force")
    assert report.outcome == GaveUp(StopReason.ATTEMPTS, "2,000,000 of 2^76 assignments tried")
    assert report.counters["attempts"] == 2_000_000


def test_brute_force_exceeds_its_attempts_on_s2_s_test_case_3() -> None:
    assert solve(S2_LARGE, "brute-force").outcome == GaveUp(
        StopReason.ATTEMPTS, "2,000,000 of 2^61 assignments tried"
    )
    assert (
        len({str(solve(S2_LARGE, f"backtracking:reading,{value}").filled) for value in ("gem", "trap")}) == 2
    )


def test_brute_force_that_makes_all_its_attempts_names_their_limit_wherever_it_runs(
    board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", board, "--engine", "brute-force", "--time-limit", "10"])
    assert capsys.readouterr().out.endswith(
        ": attempt limit reached (2,000,000 of 2^76 assignments tried)\n\n"
    )
    run(["bench", board, "-e", "brute-force", "--runs", "1", "--time-limit", "10", "--workers", "1"])
    assert capsys.readouterr().out.splitlines()[1].endswith("  attempt limit")


@pytest.mark.parametrize(
    "engine",
    ["brute-force", "brute-force:clauses,attempts=99", "genetic:generations=50", "local-search:cap=9"],
)
def test_an_engine_that_makes_all_its_attempts_says_so_and_names_no_other_limit(engine: str) -> None:
    outcome = solve(WIDE, engine, time_limit=600.0).outcome
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.ATTEMPTS
    assert outcome.reason.startswith("attempt limit reached (")
    assert outcome.reason.endswith(" tried)")
    assert outcome.reason.count("limit") == 1


@pytest.mark.parametrize("engine", ["brute-force", "brute-force:counting", "brute-force:clauses"])
@pytest.mark.parametrize(
    ("attempts", "steps", "limit", "tried"),
    [
        (1000, 7, StopReason.STEPS, 7),
        (7, 1000, StopReason.ATTEMPTS, 7),
        (7, 7, StopReason.STEPS, 7),
        (0, 9, StopReason.STEPS, 9),
    ],
)
def test_the_smaller_of_attempts_and_step_limit_holds_and_is_named(
    engine: str, attempts: int, steps: int, limit: StopReason, tried: int
) -> None:
    report = solve(WIDE, with_setting(engine, f"attempts={attempts}"), step_limit=steps)
    assert isinstance(report.outcome, GaveUp)
    assert (report.outcome.stop_reason, report.counters["attempts"]) == (limit, tried)
    assert ("step limit reached" in report.outcome.reason) == (limit is StopReason.STEPS)


def test_the_attempts_of_one_engine_do_not_limit_the_others(
    board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", board, "-e", "brute-force:attempts=10", "-e", "backtracking:reading", "--format", "json"])
    out = capsys.readouterr().out
    assert "10 of 2^76 assignments tried" in out
    assert solve(S1_LARGE, "backtracking:reading").counters["nodes"] > 10


@given(number=st.integers(1, 40), board=small_boards())
def test_brute_force_never_tries_more_than_its_attempts(number: int, board: Planted) -> None:
    for engine in ("brute-force", "brute-force:counting,trap", "brute-force:clauses"):
        report = solve(board.grid, with_setting(engine, f"attempts={number}"), total=board.traps)
        assert report.counters.get("attempts", 0) <= number


@pytest.mark.parametrize("value", ["gem", "trap"])
@given(board=small_boards())
def test_brute_force_in_counting_order_finds_what_itertools_product_finds_first(
    value: str, board: Planted
) -> None:
    first = oracles.first_by_counting(board.grid, "GT" if value == "gem" else "TG", board.traps)
    outcome = solve(board.grid, f"brute-force:order=counting,value={value}", total=board.traps).outcome
    assert first == (tuple(outcome.solution.traps.tolist()) if isinstance(outcome, Solved) else None)


@pytest.mark.parametrize("engine", ["backtracking:reading", "dpll:first"])
@pytest.mark.parametrize("value", ["gem", "trap"])
@given(board=small_boards())
def test_cells_in_reading_order_lead_to_the_first_solution_by_value(
    engine: str, value: str, board: Planted
) -> None:
    first = oracles.first_by_counting(board.grid, "GT" if value == "gem" else "TG", board.traps)
    outcome = solve(board.grid, with_setting(engine, value), total=board.traps).outcome
    found = tuple(outcome.solution.traps.tolist()) if isinstance(outcome, Solved) else None
    assert first == found


@pytest.mark.parametrize("engine", ENGINES_WITH_VALUES)
def test_gems_come_first_unless_value_says_traps(engine: str) -> None:
    choice = parse_grid("_, 1, _")
    assert "value=gem" in get_engine(engine).info.settings
    assert str(solve(choice, with_setting(engine, "value=gem")).filled) == str(solve(choice, engine).filled)
    assert get_engine(with_setting(engine, "trap")).info.name.endswith("value=trap")


@pytest.mark.parametrize("engine", DECIDING)
@pytest.mark.parametrize(("value", "sign"), [("gem", -1), ("trap", 1)])
def test_a_trace_decides_the_value_that_comes_first(engine: str, value: str, sign: int) -> None:
    steps = trace(S1_LARGE, with_setting(engine, f"value={value}"))
    decided = [step.event.literal for step in steps if isinstance(step.event, Decided)]
    assert decided
    assert all(literal * sign > 0 for literal in decided)


@pytest.mark.parametrize(
    "engine",
    [
        "brute-force:counting,trap",
        "backtracking:reading,trap",
        "dpll:first,trap",
        "backtracking:clauses,prune",
    ],
)
def test_s1_s_map_by_brute_force_and_backtracking_comes_out(engine: str) -> None:
    assert map_of(engine) == "G2221 / GTT2T / T3GG2 / GG23T / T2TTG"


def test_s1_s_map_by_pysat_with_glucose_3_comes_out() -> None:
    assert map_of("pysat:glucose3") == "G2221 / GTT2T / G3GG2 / TG23T / G2TTG"


@pytest.mark.parametrize("variables", ["hidden", "all", "places"])
@pytest.mark.parametrize("keep_duplicates", [True, False])
def test_glucose_3_gives_s1_s_map_whichever_way_cells_are_numbered(
    variables: Numbering, keep_duplicates: bool
) -> None:
    cnf = encode(S1_SMALL, variables=variables, keep_duplicates=keep_duplicates)
    with Solver("glucose3", bootstrap_with=cnf.clauses()) as solver:
        assert solver.solve()
        cells = [cnf.cell(literal) for literal in solver.get_model() if literal > 0]
    traps = [str(cell) for cell in cells]
    assert traps == ["r2c2", "r2c3", "r2c5", "r4c1", "r4c5", "r5c3", "r5c4"]


def test_every_order_and_value_finds_one_of_the_four_solutions_of_s1_s_board() -> None:
    names = [with_setting(engine, value) for engine in ENGINES_WITH_VALUES for value in ("gem", "trap")]
    assert len({map_of(name) for name in names}) == 4


def test_cdcl_that_picks_at_random_neither_restarts_nor_saves_phases() -> None:
    events = [step.event for step in trace(S1_LARGE, "cdcl:pick=random")]
    assert not any(isinstance(event, Restarted) for event in events)
    assert {event.literal < 0 for event in events if isinstance(event, Decided)} == {True}
    assert any(isinstance(step.event, Restarted) for step in trace(S1_LARGE, "cdcl:unit=1"))


@pytest.mark.parametrize("setting", ["restarts=glue", "unit=1"])
def test_cdcl_that_picks_at_random_takes_no_setting_of_restarts(setting: str) -> None:
    with pytest.raises(InputError, match="pick=random never restarts; leave out restarts and unit"):
        get_engine(f"cdcl:pick=random,{setting}")


def test_a_wrong_setting_is_met_with_what_would_be_right() -> None:
    with pytest.raises(InputError, match="cdcl: pick is activity, random or first, not 'best'"):
        get_engine("cdcl:pick=best")
    with pytest.raises(InputError, match="no pick of cdcl named 'randon'; did you mean 'random'"):
        get_engine("cdcl:pick=randon")
    with pytest.raises(InputError, match=r"brute-force: attempts must be ≥ 0 .*, not -1"):
        get_engine("brute-force:attempts=-1")
    with pytest.raises(InputError, match="did you mean 'clauses'"):
        get_engine("backtracking:clause")


def test_the_list_of_engines_shows_the_new_settings() -> None:
    settings = {info.name: info.settings for info in list_engines()}
    assert settings["brute-force"] == ("order=gray", "value=gem", "attempts=2000000")
    assert settings["brute-force:clauses"] == ("value=trap", "attempts=0")
    assert settings["backtracking:clauses"] == ("value=trap", "prune=no")
    assert {"pick=activity", "value=gem"} < set(settings["cdcl"])


S1_FIGURE_6 = [
    "TG2TTTT1GTT",
    "22GT4GG33T3",
    "GT54G3TGT2G",
    "2TTTTT22G1G",
    "1G55GG2G1G2",
    "23TT2GTG2TT",
    "TT5GT32TG4G",
    "G4TTTGG2TTG",
    "G3T532GGGT4",
    "3TGTG2TT4TT",
    "TT3G12T3GT3",
]

S1_FIGURE_7 = [*S1_FIGURE_6[:8], "T3G532GGGT4", "3GTTG2TT4TT", S1_FIGURE_6[10]]


@pytest.mark.parametrize("solver", ["glucose3", "glucose4", "minisat22"])
@pytest.mark.parametrize("keep_duplicates", [True, False])
def test_s1_s_figure_6_follows_from_its_clause_set(solver: str, keep_duplicates: bool) -> None:
    cnf = encode(S1_LARGE, variables="places", keep_duplicates=keep_duplicates)
    with Solver(solver, bootstrap_with=cnf.clauses()) as found:
        assert found.solve()
        solution = decode_model(S1_LARGE, np.array(found.get_model()), "places")
    assert str(solution.fill(S1_LARGE)).replace(", ", "").split() == S1_FIGURE_6


def test_s1_s_clause_set_has_unit_clauses_for_given_cells_only() -> None:
    grid = parse_grid("T, 1, _\nG, _, _")
    units = [clause for clause in encode(grid, variables="places").clauses() if len(clause) == 1]
    assert units == [[1], [-4], [-3], [-5], [-6]]


def test_s1_s_figure_7_comes_out_of_backtracking() -> None:
    filled = solve(S1_LARGE, "backtracking:reading,value=trap").filled
    assert str(filled).replace(", ", "").split() == S1_FIGURE_7


def test_s2_s_map_by_pysat_comes_out() -> None:
    filled = str(solve(S2_LARGE, "pysat:minisat22").filled).replace(", ", "").split()
    assert filled == [
        *("G2T2G2T2G2T", "2T3T3T3T3T2", "T3G3T3G3T3G", "2T3T3T3T3T2", "G3T3G3T3G3T", "2T3T3T3T3T2"),
        *("T3G3T3G3T3G", "2T3T3T3T3T2", "G3T3G3T3G3T", "2T3T3T3T3T2", "T2G2T2G2T2G"),
    ]
