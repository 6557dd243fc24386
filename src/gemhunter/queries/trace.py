"""The question "what happens, step by step?": a search in words, in terms of cells."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from gemhunter.cnf.encode import encode_puzzle
from gemhunter.core.grid import Grid
from gemhunter.core.puzzle import TOTAL, Puzzle, impossible_regions, read_puzzle
from gemhunter.core.reasons import why_impossible
from gemhunter.errors import InputError
from gemhunter.render.graph import Graph, Node
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.events import (
    Broke,
    Clashed,
    Clause,
    Decided,
    Done,
    Empty,
    Event,
    Exhausted,
    Flipped,
    Forced,
    Forgot,
    Found,
    Implied,
    Learned,
    Mark,
    MatchRound,
    Pure,
    Resolve,
    Restarted,
    Simplify,
    Stuck,
    Subsume,
    TooDeep,
)
from gemhunter.solving.protocols import CnfTeller, Engine, Teller
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: the event, the sentence about it, and the same as plain data."""

    event: Event
    sentence: str
    record: dict[str, Any]


def trace(
    grid: Grid, engine: str | Engine = "cdcl", *, traps: int | None = None, run: Run | None = None
) -> Iterator[Step]:
    """What an engine does about a board, step by step; the last step is its answer.

    Nothing is searched beyond the steps that are taken from the iterator.
    """
    chosen = get_engine(engine) if isinstance(engine, str) else engine
    puzzle = read_puzzle(grid, traps)
    impossible = impossible_regions(puzzle)
    if impossible.size:
        raise InputError(f"there is nothing to trace: {why_impossible(grid, puzzle, impossible[0])}")
    names = Names(grid, puzzle)
    return (
        Step(event, names.sentence(event), names.record(event))
        for event in _events(chosen, puzzle, run or Run())
    )


def names_of(grid: Grid, traps: int | None = None) -> "Names":
    """The names that a trace of this board uses."""
    return Names(grid, read_puzzle(grid, traps))


def _events(engine: Engine, puzzle: Puzzle, run: Run) -> Iterator[Event]:
    if isinstance(engine, Teller):
        return engine.tell(puzzle, run)
    if isinstance(engine, CnfEngine) and isinstance(engine.solver, CnfTeller):
        return engine.solver.tell_cnf(encode_puzzle(puzzle, engine.encoding), run)
    raise InputError(f"{engine.info.name} cannot be traced; backtracking, dpll, cdcl and resolution can")


class Names:
    """The names of literals, clauses and regions of a board."""

    def __init__(self, grid: Grid, puzzle: Puzzle) -> None:
        self._grid, self._puzzle = grid, puzzle

    def literal(self, literal: int) -> str:
        """`r1c2=T` or `r1c2=G`; `x9` or `-x9` for an auxiliary variable."""
        if abs(literal) > self._puzzle.hidden.size:
            return f"{'-' * (literal < 0)}x{abs(literal)}"
        cell = self._grid.cell(self._puzzle.hidden[abs(literal) - 1])
        return f"{cell}={'T' if literal > 0 else 'G'}"

    def clause(self, clause: Clause) -> str:
        """The literals of a clause with `or` between them."""
        return " or ".join(map(self.literal, clause)) or "nothing"

    def region(self, region: int) -> str:
        """The clue of a region, or the total."""
        place = self._puzzle.clues[region]
        if place == TOTAL:
            return "the total"
        cell = self._grid.cell(place)
        return f"the clue {self._grid[cell]} at {cell}"

    def sentence(self, event: Event) -> str:
        """What happened, in a few words."""
        one, all_of = self.literal, self.clause
        match event:
            case Decided(literal, level):
                return f"decide {one(literal)} (level {level})"
            case Implied(literal, clause):
                return f"imply {one(literal)}, {self._why(clause)}"
            case Pure(literal):
                return f"pure {one(literal)}: its opposite is in no open clause"
            case Clashed(clause):
                return f"conflict: {all_of(clause)} is false"
            case Flipped(literal, level):
                return f"flip to {one(literal)} (level {level})"
            case Learned(clause, level):
                return f"learn: {all_of(clause)}; back to level {level}"
            case Restarted(level):
                return f"restart at level {level}"
            case Forgot(clauses):
                return f"forget {clauses} clauses"
            case _:
                return self._sentence_about_board(event)

    def _sentence_about_board(self, event: Event) -> str:
        one, all_of = self.literal, self.clause
        match event:
            case Forced(literal):
                return f"forced {one(literal)}"
            case Broke(region):
                return f"broken: {self.region(region)} can no longer hold"
            case Mark(literal, because):
                return f"mark {one(literal)}, {self._why(because)}"
            case Simplify(_, before, after):
                return f"simplify {all_of(before)}, to: {all_of(after)}"
            case Resolve(left, right, resolvent):
                return f"resolve {all_of(left)}, with: {all_of(right)}, gives: {all_of(resolvent)}"
            case Subsume(kept, removed):
                return f"subsume {all_of(removed)}, by: {all_of(kept)}"
            case MatchRound(number):
                return f"match all clauses, round {number}"
            case TooDeep(level):
                return f"give up: more than {level} decisions"
            case _:
                return ENDINGS[type(event)]

    def _why(self, clause: Clause) -> str:
        return f"by: {self.clause(clause)}" if len(clause) > 1 else "a clause by itself"

    def record(self, event: Event) -> dict[str, Any]:
        """The same as plain data: literals as names, clauses as lists of them."""
        record: dict[str, Any] = {"event": WORDS.get(type(event), type(event).__name__.lower())}
        for field in fields(event):
            value = getattr(event, field.name)
            if field.name == "graph":
                record["graph"] = [
                    {
                        **asdict(node),
                        "literal": self.literal(node.literal),
                        "because": self._list(node.because),
                    }
                    for node in value
                ]
            elif isinstance(value, tuple):
                record[field.name] = self._list(value)
            elif field.name == "literal":
                record["literal"] = self.literal(value)
            elif field.name == "region":
                record["clue"] = self.region(value)
            else:
                record[field.name] = value
        return record

    def graph(self, learned: Learned) -> Graph:
        """The implication graph of a conflict, to be drawn."""
        turning_point = -learned.clause[0]
        nodes = [
            Node(
                name=str(node.literal),
                label=f"{self.literal(node.literal)} @{node.level}",
                kind="turning point"
                if node.literal == turning_point
                else "plain"
                if node.because
                else "given",
                beyond=node.literal in learned.beyond,
                after=tuple(map(str, node.because)),
            )
            for node in learned.graph
        ]
        clash = Node(
            "clash", "conflict", "clash", beyond=True, after=tuple(str(-each) for each in learned.clash)
        )
        return Graph((*nodes, clash), f"learned: {self.clause(learned.clause)}")

    def _list(self, clause: Clause) -> list[str]:
        return [self.literal(literal) for literal in clause]


ENDINGS = {
    Found: "solved: every clue holds",
    Exhausted: "no solution: no decision is left to take back",
    Empty: "no solution: the empty clause follows",
    Stuck: "stuck: nothing new follows",
    Done: "solved: every cell is marked",
}

WORDS = {
    Decided: "decide",
    Implied: "imply",
    Clashed: "conflict",
    Flipped: "flip",
    Learned: "learn",
    Restarted: "restart",
    Forgot: "forget",
    Broke: "broken",
    MatchRound: "match",
    Found: "solved",
    Done: "solved",
    Exhausted: "no solution",
    Empty: "no solution",
    TooDeep: "too deep",
}
"""What events are called in records, where it is not the name of their type."""
