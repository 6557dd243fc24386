"""Searches told step by step: each step follows from those before, the last one is the answer."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice, product
from typing import get_args

import pytest
from hypothesis import given

import oracles
from formulas import alternating_sum
from gemhunter import Grid, InputError, Refuted, Run, Solved, get_engine, parse_grid, read_grid, solve
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode
from gemhunter.draw.graphs import draw_graph, write_dot
from gemhunter.questions.trace import TRACEABLE, names_of, trace
from gemhunter.solving.engine import CnfEngine, TracingEngine, TracingSolver
from gemhunter.solving.events import (
    AssignmentTried,
    CellForced,
    ClauseConflict,
    Decided,
    Deleted,
    Event,
    Exhausted,
    FillingTried,
    Flipped,
    Implied,
    Learned,
    LearningScheme,
    ModelFound,
    RegionConflict,
    Restarted,
    WalkBegun,
    Walked,
)
from gemhunter.solving.registry import BUILT_IN_ENGINES, NEEDS_ARGUMENT, engine_names
from places import ROOT
from strategies import Planted, small_boards

LATTICE = alternating_sum(5, 5, seed=3).grid
"""No solution, which takes cdcl a few hundred conflicts to see."""

CDCL = [
    *("cdcl", "cdcl:unit=1,restarts=glue", "cdcl:shorten=no,save-phases=no"),
    *("cdcl:pick=random", "cdcl:pick=first,value=trap"),
    *("cdcl:learn=last-uip", "cdcl:learn=decisions,unit=1"),
]
SCHEMES = get_args(LearningScheme)
TRACED = [
    *("backtracking:clauses,prune", "backtracking:reading", "backtracking", "dpll", "cdcl", "resolution"),
    "local-search",
]


class Replay:
    """Keeps a trail by the events of a CDCL search alone, and fails where one does not follow."""

    def __init__(self, clauses: Iterable[Iterable[int]]) -> None:
        self.clauses = {frozenset(clause) for clause in clauses}
        self.trail: dict[int, int] = {}
        self.reasons: dict[int, frozenset[int]] = {}
        self.level = 0

    def holds(self, literal: int) -> bool:
        return literal in self.trail

    def back_to(self, level: int) -> None:
        self.trail = {literal: at for literal, at in self.trail.items() if at <= level}
        self.reasons = {literal: clause for literal, clause in self.reasons.items() if literal in self.trail}
        self.level = level

    def hear(self, event: Event) -> None:
        match event:
            case Decided(literal, level):
                assert level == self.level + 1
                self.level = level
                self.assign(literal)
            case Implied(literal, clause):
                assert frozenset(clause) in self.clauses
                assert all(self.holds(-other) for other in clause if other != literal)
                self.assign(literal)
                self.reasons[literal] = frozenset(clause)
            case ClauseConflict(clause):
                assert frozenset(clause) in self.clauses
                assert all(self.holds(-literal) for literal in clause)
            case Learned() as learned:
                self.check_graph(learned)
                self.clauses.add(frozenset(learned.clause))
                self.back_to(learned.level)
                assert all(self.holds(-other) for other in learned.clause[1:])
            case Restarted(level):
                self.back_to(level)
            case Deleted(clauses):
                assert clauses > 0

    def assign(self, literal: int) -> None:
        assert not self.holds(literal)
        assert not self.holds(-literal)
        self.trail[literal] = self.level

    def check_graph(self, learned: Learned) -> None:
        """The graph is a derivation of the clash, and its cut a clause that the learned one is part of."""
        shown = {node.literal for node in learned.graph}
        assert {-literal for literal in learned.conflict} <= shown
        assert set(learned.beyond) <= shown
        for node in learned.graph:
            assert self.trail[node.literal] == node.level
            assert set(node.because) <= shown
            assert (
                not node.because
                or frozenset([node.literal, *(-each for each in node.because)]) in self.clauses
            )
        assert (learned.beyond, set(learned.cut)) == self.resolved(learned.conflict, learned.scheme)
        assert set(learned.clause) <= set(learned.cut)
        on_last_level = [each for each in learned.clause if self.trail[-each] == self.level]
        assert on_last_level == [learned.clause[0]]

    def resolved(self, conflict: Iterable[int], scheme: LearningScheme) -> tuple[tuple[int, ...], set[int]]:
        """The literals on which to resolve a conflict clause, in the order of the trail, and what that gives.

        Level 0 counts as known: literals that are false on it are left out.
        """
        clause, steps = set(conflict), []
        for literal in reversed(self.trail):
            last_level = {each for each in clause if self.trail[-each] == self.level}
            implied = {each for each in clause if self.trail[-each] > 0 and -each in self.reasons}
            is_done = {
                "first-uip": len(last_level) == 1,
                "last-uip": not last_level & implied,
                "decisions": not implied,
            }
            if is_done[scheme]:
                break
            if -literal in implied:
                clause = (clause - {-literal}) | (self.reasons[literal] - {literal})
                steps.append(literal)
        return tuple(reversed(steps)), {each for each in clause if self.trail[-each] > 0}


def events_of(grid: Grid, engine: str, traps: int | None = None) -> list[Event]:
    return [step.event for step in trace(grid, engine, total=traps)]


@pytest.mark.parametrize("engine", CDCL)
@given(board=small_boards())
def test_every_step_of_cdcl_follows(engine: str, board: Planted) -> None:
    if isinstance(solve(board.grid, total=board.traps).outcome, Refuted) and not can_be_traced(board):
        return
    replay = Replay(encode(board.grid, total=board.traps).clauses())
    events = events_of(board.grid, engine, board.traps)
    for event in events:
        replay.hear(event)
    solvable = bool(oracles.all_solutions(board.grid, board.traps))
    assert isinstance(events[-1], ModelFound if solvable else Exhausted)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shorten", ["yes", "no"])
def test_clauses_are_resolved_as_far_as_the_setting_says(scheme: LearningScheme, shorten: str) -> None:
    replay = Replay(encode(LATTICE).clauses())
    for step in islice(trace(LATTICE, f"cdcl:learn={scheme},shorten={shorten}"), 1000):
        if isinstance(event := step.event, Learned):
            decisions = {-literal for literal in replay.trail if literal not in replay.reasons}
            assert event.scheme == scheme
            assert scheme == "first-uip" or event.clause[0] in decisions
            assert scheme != "decisions" or set(event.clause) <= decisions
            assert shorten == "yes" or set(event.clause) == set(event.cut)
        replay.hear(event)


def test_the_settings_learn_different_clauses_from_one_conflict() -> None:
    events = [events_of(read_grid("sample:no-solution"), f"cdcl:{scheme}") for scheme in SCHEMES]
    first, last, decisions = (next(e for e in each if isinstance(e, Learned)) for each in events)
    assert first.conflict == last.conflict == decisions.conflict
    assert set(first.beyond) < set(last.beyond) < set(decisions.beyond)
    assert len({frozenset(learned.clause) for learned in (first, last, decisions)}) == 3


def can_be_traced(board: Planted) -> bool:
    try:
        trace(board.grid, total=board.traps)
    except InputError:
        return False
    return True


def test_a_long_search_with_restarts_and_forgetting_follows_too() -> None:
    grid = alternating_sum(7, 8, seed=2).grid
    replay, kinds = Replay(encode(grid).clauses()), Counter[type[Event]]()
    for step in trace(grid, "cdcl"):
        replay.hear(step.event)
        kinds[type(step.event)] += 1
        if kinds[Deleted] == 2:
            break
    assert {Decided, Implied, ClauseConflict, Learned, Restarted, Deleted} <= kinds.keys()


def test_a_traced_search_is_the_search_that_is_run() -> None:
    events = events_of(LATTICE, "cdcl")
    counters = solve(LATTICE, "cdcl").counters
    assert sum(isinstance(event, Learned) for event in events) in (
        counters["conflicts"] - 1,
        counters["conflicts"],
    )
    assert sum(isinstance(event, Decided) for event in events) == counters["decisions"]


@pytest.mark.parametrize(
    "engine", ["backtracking:reading", "backtracking", "backtracking:reading,value=trap"]
)
@given(board=small_boards())
def test_backtracking_tells_what_it_fills_and_what_breaks(engine: str, board: Planted) -> None:
    if not can_be_traced(board):
        return
    events = events_of(board.grid, engine, board.traps)
    filled: list[int] = []
    starts: list[int] = []
    for event in events:
        match event:
            case Decided(literal, level) | Flipped(literal, level):
                del starts[level - 1 :]
                starts.append(len(filled) if isinstance(event, Decided) else flipped_at(filled, literal))
                filled[starts[-1] :] = [literal]
            case CellForced(literal):
                filled.append(literal)
            case RegionConflict(region):
                assert region_is_broken(board, filled, region)
    assert len({abs(literal) for literal in filled}) == len(filled)
    solvable = bool(oracles.all_solutions(board.grid, board.traps))
    assert isinstance(events[-1], ModelFound if solvable else Exhausted)
    if solvable:
        assert isinstance(solve(board.grid, engine, total=board.traps).outcome, Solved)


def flipped_at(filled: list[int], literal: int) -> int:
    return filled.index(-literal)


def region_is_broken(board: Planted, filled: list[int], region: int) -> bool:
    puzzle = read_puzzle(board.grid, board.traps)
    cells = [int(cell) + 1 for cell in puzzle.region(region)]
    traps = sum(cell in filled for cell in cells)
    open_cells = sum(cell not in filled and -cell not in filled for cell in cells)
    return not traps <= puzzle.traps[region] <= traps + open_cells


@pytest.mark.parametrize("engine", TRACED)
def test_sentences_name_cells_and_records_say_the_same(engine: str) -> None:
    steps = list(islice(trace(parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), engine), 500))
    assert steps
    assert all(step.record["event"] for step in steps)
    assert any("r1c2=T" in step.sentence for step in steps)
    assert steps[-1].sentence.startswith("solved")
    assert steps[-1].record == {"event": "solved"}


def test_auxiliary_variables_of_a_total_have_names_too() -> None:
    steps = trace(parse_grid("\n".join(["_" * 7, "_1_____", "_" * 7, "_" * 7])), "dpll", total=9)
    assert any(re.search(r" -?x\d+", step.sentence) for step in steps)


def test_what_cannot_hold_and_who_cannot_tell_are_refused() -> None:
    with pytest.raises(InputError, match="nothing to trace: the clue 4 at r1c1 cannot hold"):
        trace(parse_grid("4, _\n_, _"))
    with pytest.raises(InputError, match="dpll, cdcl, resolution, genetic and local-search can"):
        trace(parse_grid("_, 1, _"), "pysat")


def test_the_list_of_traceable_engines_is_what_they_can_do() -> None:
    def is_traced(name: str) -> bool:
        engine = get_engine(name)
        return isinstance(engine, TracingEngine) or (
            isinstance(engine, CnfEngine) and isinstance(engine.solver, TracingSolver)
        )

    built_in = [name for name in engine_names() if name.partition(":")[0] in BUILT_IN_ENGINES]
    names = [name for name in built_in if name.partition(":")[0] not in NEEDS_ARGUMENT]
    assert {name.partition(":")[0] for name in names if is_traced(name)} == set(TRACEABLE)


def test_the_documentation_has_the_events_of_every_traceable_engine() -> None:
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    text = page.partition("\n## Traces\n")[2].partition("\n## ")[0]
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert set(TRACEABLE) <= set(rows)


@pytest.mark.parametrize("engine", ["brute-force", "brute-force:counting,value=trap"])
@given(board=small_boards(most_hidden=5))
def test_every_attempt_of_brute_force_breaks_the_clue_it_names(engine: str, board: Planted) -> None:
    if not can_be_traced(board):
        return
    *tries, last = events_of(board.grid, engine, board.traps)
    assert [event.number for event in tries if isinstance(event, FillingTried)] == [*range(1, len(tries) + 1)]
    for event in tries:
        assert isinstance(event, FillingTried)
        assert event.region is None or region_is_broken(board, [*event.literals], event.region)
    report = solve(board.grid, engine, total=board.traps)
    assert isinstance(report.outcome, Solved if isinstance(last, ModelFound) else Refuted)
    if board.traps is None and "attempts" in report.counters:
        assert len(tries) == report.counters["attempts"]


def test_brute_force_on_clauses_counts_through_all_assignments_and_names_a_false_clause() -> None:
    grid = parse_grid("_, 1, _\n_, 2, _")
    *tries, last = trace(grid, "brute-force:clauses")
    clauses = set(map(frozenset, encode(grid, variables="all").clauses()))
    events = [step.event for step in tries]
    assert [event.literals for event in events if isinstance(event, AssignmentTried)] == [
        tuple(number if is_true else -number for number, is_true in enumerate(values, 1))
        for values in product([True, False], repeat=6)
    ]
    for event in events:
        assert isinstance(event, AssignmentTried)
        assert event.clause is not None
        assert frozenset(event.clause) in clauses
        assert all(-literal in event.literals for literal in event.clause)
    assert last.sentence == "no solution: all 64 attempts failed"


def test_brute_force_ends_at_its_limit_of_attempts() -> None:
    *_, last = trace(LATTICE, "brute-force:attempts=3")
    assert (last.sentence, last.record) == ("give up: 3 attempts made", {"event": "gave up", "attempts": 3})


def test_a_traced_local_search_makes_the_flips_that_are_run() -> None:
    grid = read_grid("sample:learning")
    run, filled = Run(seed=3), {}
    events = [step.event for step in trace(grid, "local-search", run=run)]
    for event in events:
        match event:
            case CellForced(literal) | Walked(_, literal):
                filled[abs(literal)] = literal > 0
            case WalkBegun(literals):
                filled |= {abs(literal): literal > 0 for literal in literals}
    report = solve(grid, "local-search", seed=3)
    assert isinstance(report.outcome, Solved)
    assert sum(isinstance(event, Walked) for event in events) == report.counters["flips"] > 0
    traps = report.outcome.solution.traps
    assert all(traps[number - 1] == is_trap for number, is_trap in filled.items())


def test_a_local_search_names_the_clues_that_are_wrong() -> None:
    grid = parse_grid("_, _, _\n1, 2, 1")
    sentences = [step.sentence for step in trace(grid, "local-search")]
    assert sentences == [
        "start at random: r1c2 and r1c3 are traps; wrong: the clue 1 at r2c3",
        "flip 1: r1c2=G; wrong: the clue 1 at r2c1 and the clue 2 at r2c2",
        "flip 2: r1c1=T; nothing is wrong",
        "solved: every clue holds",
    ]


@pytest.mark.parametrize(
    ("scheme", "where"), [("first-uip", "first UIP"), ("last-uip", "last UIP"), ("decisions", "decisions")]
)
def test_the_graph_of_a_conflict_is_drawn_with_its_cut(scheme: str, where: str) -> None:
    learned = next(
        step.event for step in trace(LATTICE, f"cdcl:learn={scheme}") if isinstance(step.event, Learned)
    )
    names = names_of(LATTICE)
    graph = names.graph(learned)
    assert graph.title == f"learned at the {where}: {names.clause(learned.clause)}"
    assert [node.kind for node in graph.nodes].count("UIP") == 1
    # The arrows across the cut begin at what its clause negates, and at what holds on level 0.
    before = {node.name for node in graph.nodes if not node.beyond and not node.label.endswith("@0")}
    crossing = {name for node in graph.nodes if node.beyond for name in node.after} & before
    assert crossing == {str(-literal) for literal in learned.cut}
    assert graph.nodes[-1].kind == "conflict"
    dot, svg = write_dot(graph), draw_graph(graph)
    edges = sum(len(node.after) for node in graph.nodes)
    assert dot.count("->") == edges
    assert svg.count("marker-end=") == edges
    assert svg.count("<rect") == len(graph.nodes)
    assert svg.count('class="cut"') == 1
