"""Resolution: what it decides, when it is stuck, what limits it keeps, and that its events follow."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from compiled import output_either_way
from gemhunter import (
    EngineError,
    GaveUp,
    Grid,
    InputError,
    Refuted,
    Solved,
    StopReason,
    parse_grid,
    read_grid,
    solve,
)
from gemhunter.board.puzzle import Puzzle, read_puzzle
from gemhunter.engines import resolution
from gemhunter.engines.resolution import NOTHING_NEW, KnowledgeBase, Resolution, clauses_of_clues
from gemhunter.jit.search_state import GROW
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.events import (
    Done,
    Empty,
    Event,
    Marked,
    MatchRound,
    NothingFollows,
    Resolve,
    Simplify,
    Subsume,
)
from gemhunter.solving.outcomes import Outcome
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from places import HARD
from strategies import Planted, planted_boards, small_boards

CHOICE = parse_grid("1, _, _, _, 1\n_, _, 3, _, 1")


def decided_by(outcome: Outcome) -> set[int]:
    """The literals of all cells that an outcome decides."""
    match outcome:
        case Solved(solution):
            return {cell if trap else -cell for cell, trap in enumerate(solution.traps.tolist(), 1)}
        case GaveUp(StopReason.STUCK, _, decided):
            return set(decided)
    raise AssertionError(outcome)


@pytest.mark.parametrize("width", [0, 1, 2, 3])
@given(board=small_boards(most_hidden=7))
def test_what_is_decided_is_what_a_plain_loop_derives(width: int, board: Planted) -> None:
    derived = oracles.saturated(oracles.binomial_clauses(board.grid, "hidden"), width)
    outcome = solve(board.grid, f"resolution:width={width}").outcome
    if frozenset() in derived:
        assert isinstance(outcome, Refuted)
    else:
        units = {literal for clause in derived if len(clause) == 1 for literal in clause}
        untouched = range(1, len(oracles.hidden_places(oracles.marks_of(board.grid))) + 1)
        gems = {-cell for cell in untouched if isinstance(outcome, Solved) and cell not in units}
        assert decided_by(outcome) == units | gems


@given(board=small_boards(), width=st.integers(0, 3), last_cells=st.integers(0, 12))
def test_no_cell_is_decided_wrongly(board: Planted, width: int, last_cells: int) -> None:
    solutions = oracles.all_solutions(board.grid, board.traps)
    engine = Resolution(width=width, last_cells=last_cells)
    outcome = solve(board.grid, engine, total=board.traps).outcome
    if isinstance(outcome, Refuted):
        assert not solutions
    elif isinstance(outcome, GaveUp):
        assert all(
            solution[abs(cell) - 1] == (cell > 0) for solution in solutions for cell in outcome.decided
        )


@settings(max_examples=60)
@given(board=small_boards(most_hidden=8))
def test_with_unlimited_width_every_forced_cell_and_every_conflict_is_derived(board: Planted) -> None:
    solutions = oracles.all_solutions(board.grid, board.traps)
    outcome = solve(board.grid, "resolution:width=0", total=board.traps).outcome
    assert isinstance(outcome, Refuted) == (not solutions)
    if isinstance(outcome, GaveUp):
        cells = range(1, len(next(iter(solutions))) + 1)
        forced = [cell for cell in cells if len({solution[cell - 1] for solution in solutions}) == 1]
        assert sorted(map(abs, outcome.decided)) == forced


def test_a_stuck_agent_shows_what_it_knows() -> None:
    report = solve(CHOICE, "resolution")
    assert isinstance(report.outcome, GaveUp)
    assert report.outcome.reason == "stuck: nothing more can be derived (1 of 6 cells decided)"
    assert str(report.partial) == "1, _, _, _, 1\nG, _, 3, _, 1"
    assert report.filled is None


def test_where_nothing_is_decided_there_is_nothing_to_show() -> None:
    report = solve(parse_grid("_, 1, _"), "resolution")
    assert report.outcome == GaveUp(StopReason.STUCK, "0 of 2 cells decided")
    assert report.partial is None


def test_a_larger_width_decides_cells_where_width_2_is_stuck() -> None:
    assert str(solve(CHOICE, "resolution:width=3").partial) == "1, _, T, _, 1\nG, _, 3, _, 1"


@pytest.mark.parametrize(("last_cells", "is_solved"), [(2, False), (3, True)])
def test_the_total_comes_in_when_few_cells_are_left(last_cells: int, is_solved: bool) -> None:
    grid = parse_grid("0, _, _, 1, _, 1, _")
    outcome = solve(grid, Resolution(last_cells=last_cells), total=1).outcome
    assert isinstance(outcome, Solved) == is_solved


@pytest.mark.parametrize(("traps", "mark"), [(1, "G"), (21, "T")])
def test_a_total_that_leaves_no_choice_needs_no_few_cells(traps: int, mark: str) -> None:
    board = parse_grid("T" + "_" * 20)
    assert str(solve(board, "resolution", total=traps).filled) == ", ".join("T" + mark * 20)


def test_a_total_that_the_marked_cells_break_is_refuted() -> None:
    assert isinstance(solve(parse_grid("_, 2, _, _"), "resolution:last-cells=0", total=1).outcome, Refuted)


def test_a_long_chain_is_followed() -> None:
    wire = read_grid(HARD / "16_kaye_wire_3x3000_sat.txt")
    assert isinstance(solve(wire, "resolution", total=1).outcome, Refuted)


def test_what_was_done_is_counted() -> None:
    counters = solve(CHOICE, "resolution").counters
    assert counters["units"] == 1
    assert counters["rounds"] >= 1
    assert 0 < counters["resolvents"] <= counters["pairs"]
    assert counters["subsumed"] > 0


def random_looking_board(rows: int, cols: int) -> Grid:
    """A solvable board whose clauses need room for more than twice their number."""
    trap = [[(7 * r * r + 5 * c + 3 * r * c) % 11 < 3 for c in range(cols)] for r in range(rows)]
    marks = [["T" if t else "G" for t in row] for row in trap]
    shown = [[(r + 2 * c) % 3 == 0 and not trap[r][c] for c in range(cols)] for r in range(rows)]
    lines = [
        [str(oracles.traps_around(marks, (r, c))) if shown[r][c] else "_" for c in range(cols)]
        for r in range(rows)
    ]
    return parse_grid("\n".join(map("".join, lines)))


def saturate(puzzle: Puzzle, steps: int) -> tuple[KnowledgeBase, int]:
    """A knowledge base in which nothing new follows, and how often it has grown."""
    known, grown = KnowledgeBase(clauses_of_clues(puzzle), puzzle), 0
    while (code := known.derive(steps)) != NOTHING_NEW:
        if code == GROW:
            known.grow()
            grown += 1
    return known, grown


def test_slices_and_growing_change_nothing() -> None:
    puzzle = read_puzzle(random_looking_board(12, 15))
    one, grown = saturate(puzzle, steps=1)
    many, _ = saturate(puzzle, steps=10**9)
    assert grown > 0
    assert (one.decided, one.counters, one.steps) == (many.decided, many.counters, many.steps)


def test_it_gives_up_at_its_step_limit_with_what_it_has() -> None:
    grid = random_looking_board(12, 15)
    known, _ = saturate(read_puzzle(grid), steps=10**9)
    run = Run(Limits(steps=known.steps - 1))
    assert solve(grid, "resolution", run=run).outcome == GaveUp(StopReason.STEPS, decided=known.decided)
    assert run.steps == known.steps - 1


def test_it_gives_up_at_its_memory_limit() -> None:
    lattice = parse_grid("1_2_1\n_____\n2_3_2\n_____\n1_2_1")
    puzzle = read_puzzle(lattice)
    enough_to_begin = KnowledgeBase(clauses_of_clues(puzzle), puzzle).bytes
    limits = (enough_to_begin - 1, enough_to_begin)
    none, some = (solve(lattice, "resolution:width=0", memory_limit=limit) for limit in limits)
    assert none.outcome == some.outcome == GaveUp(StopReason.MEMORY)
    assert none.counters["resolvents"] == 0 < some.counters["resolvents"]


def test_without_a_memory_limit_a_default_one_applies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolution, "KNOWLEDGE_BYTES_LIMIT", 2**20)
    outcome = solve(read_grid(HARD / "02_altsum_41x41_unsat.txt"), "resolution:width=0").outcome
    assert outcome == GaveUp(StopReason.MEMORY)


@settings(max_examples=30)
@given(board=planted_boards(rows=9, cols=12))
def test_a_large_solvable_board_is_never_refuted(board: Planted) -> None:
    outcome = solve(board.grid, "resolution", total=board.traps).outcome  # `solve` checks solutions
    assert not isinstance(outcome, Refuted)


def test_the_uncompiled_kernel_does_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        f"report = solve(parse_grid({str(CHOICE)!r}), 'resolution:width=3')\n"
        "print(type(report.outcome).__name__, dict(report.counters))"
    )
    assert output_either_way(program).startswith("GaveUp")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("width=-1", "width must be ≥ 1, or 0 for any clauses, not -1"),
        ("last-cells=13", "last-cells must be from 0 to 12, not 13"),
        ("last-cells=-1", "last-cells must be from 0 to 12, not -1"),
    ],
)
def test_settings_out_of_bounds_are_refused(argument: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        get_engine(f"resolution:{argument}")


class Boastful:
    """Decides a cell that the board does not have."""

    info = EngineInfo("boastful", "decides too much", complete=False)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return GaveUp(StopReason.STUCK, decided=(puzzle.hidden.size + 1,))


def test_cells_that_do_not_exist_cannot_be_decided() -> None:
    with pytest.raises(EngineError, match="decided cells that the board does not have"):
        solve(parse_grid("_, 1, _"), Boastful())


# Its events.


class Listener:
    """Keeps the knowledge base by the events alone, and fails where one does not follow."""

    def __init__(self, clauses: Iterable[Iterable[int]], width: int) -> None:
        self.clauses = oracles.as_set(clauses)
        self.marked: set[int] = set()
        self.rounds = 0
        self.width = width

    def hear(self, event: Event) -> None:
        """Change what is known."""
        match event:
            case Marked(literal, because):
                assert frozenset([literal]) in self.clauses
                assert all(-other in self.marked for other in because if other != literal)
                self.marked.add(literal)
            case Simplify(literal, before, after):
                assert literal in self.marked
                assert set(before) - set(after) == {-literal}
                self.clauses.remove(frozenset(before))
                self.clauses.add(frozenset(after))
            case Resolve(left, right, resolvent):
                assert {frozenset(left), frozenset(right)} <= self.clauses
                (literal,) = [literal for literal in left if -literal in right]
                assert set(resolvent) == {*left, *right} - {literal, -literal}
                assert not self.width or min(len(left), len(right)) <= self.width
                self.clauses.add(frozenset(resolvent))
            case Subsume(kept, removed):
                assert frozenset(kept) in self.clauses
                assert set(kept) <= set(removed)
                if set(kept) < set(removed):
                    self.clauses.remove(frozenset(removed))
            case MatchRound(number):
                self.rounds += 1
                assert number == self.rounds
            case Empty():
                contradiction = any(frozenset([-literal]) in self.clauses for literal in self.marked)
                assert contradiction or frozenset() in self.clauses


@given(board=small_boards(), width=st.integers(0, 3))
def test_every_event_follows_and_the_last_is_the_answer(board: Planted, width: int) -> None:
    puzzle, engine = read_puzzle(board.grid), Resolution(width=width)
    listener = Listener(clauses_of_clues(puzzle).clauses(), width)
    *events, last = engine.trace(puzzle, Run())
    for event in [*events, last]:
        listener.hear(event)
    outcome = solve(board.grid, engine).outcome
    assert (type(last), type(outcome)) in [(Done, Solved), (Empty, Refuted), (NothingFollows, GaveUp)]
    if isinstance(outcome, GaveUp):
        assert listener.marked == set(outcome.decided)


def test_the_events_of_a_small_board() -> None:
    assert list(Resolution().trace(read_puzzle(parse_grid("_, 1\n2, _")), Run())) == [
        Subsume((1,), (1, 2)),
        Marked(1, (1,)),
        Simplify(1, (-1, -2), (-2,)),
        Marked(2, (2,)),
        Simplify(2, (-2,), ()),
        Empty(),
    ]


def test_a_cell_is_marked_because_of_the_clause_as_it_came_in() -> None:
    events = list(Resolution().trace(read_puzzle(parse_grid("0, _, 1, _\n0, G, G, G")), Run()))
    assert Marked(2, (1, 2)) in events


def test_the_clauses_of_the_total_are_traced() -> None:
    puzzle = read_puzzle(parse_grid("_, 1, _, _"), 2)
    *_, last = Resolution().trace(puzzle, Run())
    assert last == NothingFollows()
    assert Marked(3, (3,)) in list(Resolution(width=0).trace(puzzle, Run()))


@pytest.mark.parametrize("room", [1, 50])
def test_the_room_for_events_does_not_change_them(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read_puzzle(parse_grid("_, _, _, _\n1, 1, 2, _\n_, _, _, _"))
    whole = list(Resolution().trace(puzzle, Run()))
    monkeypatch.setattr(resolution, "EVENT_ROOM", room)
    monkeypatch.setattr(resolution, "STEPS_PER_READ", 7)
    assert list(Resolution().trace(puzzle, Run())) == whole
    assert len(whole) > 100
