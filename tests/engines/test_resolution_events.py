"""The resolution agent told step by step: every event follows from what was told before."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter import GaveUp, Refuted, Solved, parse_grid, solve
from gemhunter.board.puzzle import read_puzzle
from gemhunter.engines.resolution import engine as resolution
from gemhunter.engines.resolution.engine import Resolution, clauses_of_clues
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
from gemhunter.solving.run import Run
from strategies import Planted, small_boards


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
                clash = [literal for literal in left if -literal in right]
                assert len(clash) == 1
                assert set(resolvent) == {*left, *right} - {clash[0], -clash[0]}
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


def test_a_small_board_is_told_in_full() -> None:
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


def test_the_total_is_told_when_it_comes_in() -> None:
    puzzle = read_puzzle(parse_grid("_, 1, _, _"), 2)
    *_, last = Resolution().trace(puzzle, Run())
    assert last == NothingFollows()
    assert Marked(3, (3,)) in list(Resolution(width=0).trace(puzzle, Run()))


@pytest.mark.parametrize("room", [1, 50])
def test_a_story_longer_than_the_room_for_it_is_the_same(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read_puzzle(parse_grid("_, _, _, _\n1, 1, 2, _\n_, _, _, _"))
    whole = list(Resolution().trace(puzzle, Run()))
    monkeypatch.setattr(resolution, "EVENT_ROOM", room)
    monkeypatch.setattr(resolution, "STEPS_PER_READ", 7)
    assert list(Resolution().trace(puzzle, Run())) == whole
    assert len(whole) > 100
