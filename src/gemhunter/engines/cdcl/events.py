"""A CDCL search told step by step, from the same kernel that runs at full speed when nobody listens."""

from collections.abc import Iterator

from gemhunter.engines.cdcl.session import Session
from gemhunter.solving.events import (
    Assigned,
    Clause,
    ClauseConflict,
    Decided,
    Deleted,
    Event,
    Exhausted,
    Implied,
    Learned,
    ModelFound,
    Restarted,
)


def cdcl_events(session: Session) -> Iterator[Event]:
    """Everything that happens when a session is asked without assumptions; the last is Found or Exhausted."""
    from gemhunter.kernels.cdcl import state
    from gemhunter.kernels.cdcl.search import search

    session.begin(())
    teller = _Teller(session)
    yield from teller.news()
    while not session.hopeless:
        step = session.search.numbers[state.STEP]
        before, clauses = session.counters, int(session.search.numbers[state.CLAUSES])
        code = search(session.search, 2**62, True)
        if code == state.GROW:
            session.grow()
            continue
        if code == state.FOUND:
            yield ModelFound()
            return
        if code == state.REFUTED:
            break
        if step == state.DECIDE:
            yield from teller.upkeep(before, clauses)
        if step == state.ANALYSE:
            yield teller.learned()
        elif step == state.LEARN:
            teller.go_back()
            yield from teller.news()
        else:
            yield from teller.news()
            yield from teller.clash()
    yield Exhausted()


class _Teller:
    """Reads the arrays of a search, and knows how much of the trail has been told."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = 0

    def news(self) -> Iterator[Event]:
        """What has come to hold since."""
        from gemhunter.kernels.cdcl.state import NONE, TRAIL_SIZE

        s = self._session.search
        for inner in s.trail.literals[self._told : s.numbers[TRAIL_SIZE]].tolist():
            level, reason = int(s.trail.level[inner >> 1]), int(s.trail.reason[inner >> 1])
            if reason == NONE and level > 0:
                yield Decided(_signed(inner), level)
            else:
                yield Implied(
                    _signed(inner), (_signed(inner),) if reason == NONE else self._clause(reason, inner)
                )
        self._told = int(s.numbers[TRAIL_SIZE])

    def clash(self) -> Iterator[Event]:
        """The clause that clashed, if one did."""
        if clause := self._clash():
            yield ClauseConflict(clause)

    def learned(self) -> Learned:
        """What the conflict teaches, told before anything is taken back."""
        from gemhunter.kernels.cdcl.state import LEARNED_LEVEL, LEARNED_SIZE

        s = self._session.search
        clause = tuple(_signed(inner) for inner in s.notes.learned[: s.numbers[LEARNED_SIZE]].tolist())
        graph, beyond, cut = self._graph(-clause[0])
        return Learned(clause, int(s.numbers[LEARNED_LEVEL]), self._clash(), graph, beyond, cut)

    def go_back(self) -> None:
        """Notice that the trail has been cut; all that is new on it is the literal of the learned clause."""
        from gemhunter.kernels.cdcl.state import TRAIL_SIZE

        self._told = int(self._session.search.numbers[TRAIL_SIZE]) - 1

    def upkeep(self, before: dict[str, int], clauses: int) -> Iterator[Event]:
        """Restarts and forgetting, which come before a decision; with what there was before it."""
        from gemhunter.kernels.cdcl.state import CLAUSES, LEVEL, TRAIL_SIZE

        s, now = self._session.search, self._session.counters
        if now["forgettings"] > before["forgettings"]:
            yield Deleted(clauses - int(s.numbers[CLAUSES]))
        if now["restarts"] > before["restarts"]:
            yield Restarted(int(s.numbers[LEVEL]) - 1)
            self._told = int(s.numbers[TRAIL_SIZE]) - 1

    def _clash(self) -> Clause:
        from gemhunter.kernels.cdcl.state import CLASH, CLASH_LITERAL, NONE

        numbers = self._session.search.numbers
        return (
            () if numbers[CLASH] == NONE else self._clause(int(numbers[CLASH]), int(numbers[CLASH_LITERAL]))
        )

    def _clause(self, clause: int, other: int) -> Clause:
        """A clause by where it lies; `other` is the literal that a clause of two does not say by itself."""
        from gemhunter.kernels.cdcl.state import HEADER, PAIR

        arena = self._session.search.clauses.arena
        if clause < 0:
            return _signed(other), _signed(PAIR - clause)
        return tuple(
            _signed(inner) for inner in arena[clause + HEADER : clause + HEADER + arena[clause]].tolist()
        )

    def _graph(self, turning_point: int) -> tuple[tuple[Assigned, ...], Clause, Clause]:
        """The implication graph of the clash, what lies beyond its cut, and the clause of the cut.

        The cut is at the turning point, the literal of the last level through which all that follows goes.
        """
        from gemhunter.kernels.cdcl.state import LEVEL, NONE, TRAIL_SIZE

        trail, numbers = self._session.search.trail, self._session.search.numbers
        wanted = {-literal for literal in self._clash()}
        graph, beyond, cut = [], [], set()
        is_beyond = True
        for inner in reversed(trail.literals[: numbers[TRAIL_SIZE]].tolist()):
            literal, level, reason = (
                _signed(inner),
                int(trail.level[inner >> 1]),
                int(trail.reason[inner >> 1]),
            )
            if literal not in wanted:
                continue
            last = level == numbers[LEVEL]
            because: Clause = ()
            if last and reason != NONE:
                because = tuple(-each for each in self._clause(reason, inner) if each != literal)
                wanted.update(because)
            is_beyond = is_beyond and literal != turning_point
            if last and is_beyond:
                beyond.append(literal)
            graph.append(Assigned(literal, level, because))
        levels = {node.literal: node.level for node in graph}
        crossing = {-literal for literal in self._clash()}
        crossing.update(each for node in graph if node.literal in set(beyond) for each in node.because)
        cut = {-each for each in crossing if each not in beyond and levels[each] > 0}
        return tuple(reversed(graph)), tuple(reversed(beyond)), tuple(sorted(cut, key=abs))


def _signed(inner: int) -> int:
    return -(inner >> 1) - 1 if inner & 1 else (inner >> 1) + 1
