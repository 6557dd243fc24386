"""What the engine `resolution` does, told step by step.

A clause is a tuple of literals over the hidden cells, counted from 1 in reading order, negative for gems.
"""

from collections.abc import Iterator

from gemhunter.core.puzzle import Puzzle
from gemhunter.engines.resolution.engine import Resolution, clauses_of_clues
from gemhunter.solving.events import (
    Clause,
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

STEPS_AT_ONCE = 1000
ROOM = 2**16
"""Words, for the events of a few hundred steps; more are made when needed."""


def resolution_events(puzzle: Puzzle, engine: Resolution | None = None) -> Iterator[Event]:
    """All that happens when `engine` is asked about `puzzle`, in order; the last event is the answer."""
    from gemhunter.engines.resolution.knowledge_base import KnowledgeBase
    from gemhunter.kernels.resolution.knowledge_base import EMPTY, GROW, NOTHING_NEW

    asked = engine or Resolution()
    known = KnowledgeBase(
        clauses_of_clues(puzzle), puzzle, width=asked.width, last_cells=asked.last_cells, room=ROOM
    )
    reader = _Reader()
    while True:
        code = known.derive(STEPS_AT_ONCE)
        yield from reader.read(known.heard())
        if code == EMPTY:
            yield Empty()
            return
        if code == NOTHING_NEW:
            yield NothingFollows() if known.left else Done()
            return
        if code == GROW:
            known.grow()


class _Reader:
    """Makes events of the kernel's words, and remembers how each clause first came in."""

    def __init__(self) -> None:
        self._first: dict[Clause, Clause] = {}

    def read(self, words: list[int]) -> Iterator[Event]:
        """The events in these words."""
        from gemhunter.kernels.resolution.knowledge_base import MARK, RESOLVE, ROUND, SIMPLIFY, SUBSUME

        at = 0
        while at < len(words):
            kind, at = words[at], at + 1
            if kind == ROUND:
                yield MatchRound(words[at])
                at += 1
                continue
            clauses, at = _clauses(words, at, {MARK: 1, SIMPLIFY: 2, RESOLVE: 3, SUBSUME: 2}[kind])
            if kind == MARK:
                yield Marked(clauses[0][0], self._first.get(clauses[0], clauses[0]))
            elif kind == SIMPLIFY:
                yield self._simplified(clauses[0][0], clauses[1])
            elif kind == RESOLVE:
                yield Resolve(*clauses)
            else:
                if clauses[0] != clauses[1]:
                    self._first.pop(clauses[1], None)
                yield Subsume(*clauses)

    def _simplified(self, literal: int, before: Clause) -> Simplify:
        after = tuple(other for other in before if other != -literal)
        self._first.setdefault(after, self._first.pop(before, before))
        return Simplify(literal, before, after)


def _clauses(words: list[int], at: int, count: int) -> tuple[list[Clause], int]:
    """So many clauses from place `at` on, and the place after them."""
    from gemhunter.engines.resolution.knowledge_base import signed

    clauses = []
    for _ in range(count):
        end = at + 1 + words[at]
        clauses.append(signed(words[at + 1 : end]))
        at = end
    return clauses, at
