"""The question "what happens, step by step?": the events of a search, as sentences and as plain data."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid, require_grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, impossible_regions, read_puzzle, regions_by_cell
from gemhunter.cnf.formula import Cnf
from gemhunter.draw.graphs import Graph, Node
from gemhunter.errors import InputError
from gemhunter.printable import printable
from gemhunter.solving.conflict_sentences import impossible_clue
from gemhunter.solving.engine import CnfEngine, CnfSolver, Engine, TracingEngine, TracingSolver
from gemhunter.solving.events import (
    AllTried,
    AssignmentTried,
    AttemptsSpent,
    Bred,
    CellForced,
    Clause,
    ClauseConflict,
    Decided,
    Deleted,
    Done,
    Empty,
    Event,
    Exhausted,
    FillingTried,
    Flipped,
    FlipsSpent,
    GenerationsSpent,
    Implied,
    Learned,
    LearningScheme,
    Marked,
    MatchRound,
    ModelFound,
    NothingFollows,
    Pure,
    RegionConflict,
    Resolve,
    Restarted,
    Simplify,
    Subsume,
    TooDeep,
    WalkBegun,
    Walked,
    Yielded,
)
from gemhunter.solving.registry import clause_engines, get_clause_engine, get_engine
from gemhunter.solving.run import Run
from gemhunter.wording import are, counted, joined, listed

TRACEABLE = ("brute-force", "backtracking", "dpll", "cdcl", "resolution", "genetic", "local-search")
"""The engines of this package that report their steps; help, the web page and reports list these."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search: its event, also as a sentence and as plain data."""

    event: Event
    sentence: str
    record: dict[str, Any]


def trace(
    grid: Grid, engine: str | Engine = "cdcl", *, total: int | None = None, run: Run | None = None
) -> Iterator[Step]:
    """What an engine does to solve a board, step by step; the last step is its answer.

    The search advances only as steps are taken from the iterator.
    """
    require_grid(grid)
    chosen = get_engine(engine) if isinstance(engine, str) else engine
    puzzle = read_puzzle(grid, total)
    impossible = impossible_regions(puzzle)
    if impossible.size:
        raise InputError(f"there is nothing to trace: {impossible_clue(puzzle, impossible[0])}")
    return _steps(_events(chosen, puzzle, run or Run()), _names(puzzle, chosen))


def trace_formula(
    formula: Cnf, engine: str | Engine | CnfSolver = "cdcl", *, run: Run | None = None
) -> Iterator[Step]:
    """What an engine does to solve a formula, step by step; `x7` is a true variable, `-x7` a false one.

    The search advances only as steps are taken from the iterator.
    """
    chosen = get_clause_engine(engine)
    if not isinstance(chosen.solver, TracingSolver):
        engines = {name: get_clause_engine(name) for name in clause_engines()}
        others = [name for name, each in engines.items() if isinstance(each.solver, TracingSolver)]
        raise InputError(f"{chosen.info.name} cannot be traced on a formula; {listed(others)} can")
    empty = np.flatnonzero(np.diff(formula.starts) == 0)
    if empty.size:
        raise InputError(f"there is nothing to trace: clause {empty[0] + 1} is empty, so it cannot hold")
    return _steps(chosen.solver.trace_cnf(formula, run or Run()), VariableNames())


def names_of(grid: Grid, total: int | None = None, engine: str | Engine = "cdcl") -> "CellNames":
    """The names that a trace of this board by this engine uses."""
    return _names(read_puzzle(grid, total), get_engine(engine) if isinstance(engine, str) else engine)


def _names(puzzle: Puzzle, engine: Engine) -> "CellNames":
    return CellNames(
        puzzle.grid,
        puzzle,
        every_cell=isinstance(engine, CnfEngine) and engine.variables == "all",
        is_binomial=not isinstance(engine, CnfEngine) or engine.encoding == "binomial",
    )


def _steps(events: Iterable[Event], names: "Names") -> Iterator[Step]:
    return (Step(event, names.sentence(event), names.record(event)) for event in events)


def _events(engine: Engine, puzzle: Puzzle, run: Run) -> Iterator[Event]:
    if isinstance(engine, TracingEngine):
        return engine.trace(puzzle, run)
    if isinstance(engine, CnfEngine) and isinstance(engine.solver, TracingSolver):
        return engine.solver.trace_cnf(engine.encode(puzzle), run)
    how = f"{listed(TRACEABLE)} can" if engine.info.is_trusted else "a function that yields its steps can"
    raise InputError(f"{engine.info.name} cannot be traced; {how}")


# Events as sentences and as records, in terms of cells or of variables.


EVENT_WORDS: Mapping[type, str] = MappingProxyType(
    {
        Decided: "decide",
        Implied: "imply",
        ClauseConflict: "conflict",
        Flipped: "flip",
        Learned: "learn",
        Restarted: "restart",
        Deleted: "delete",
        CellForced: "forced",
        Marked: "mark",
        NothingFollows: "stuck",
        RegionConflict: "broken",
        MatchRound: "match",
        Bred: "generation",
        GenerationsSpent: "gave up",
        FillingTried: "try",
        AssignmentTried: "try",
        AttemptsSpent: "gave up",
        AllTried: "no solution",
        WalkBegun: "start",
        Walked: "walk",
        FlipsSpent: "gave up",
        ModelFound: "solved",
        Done: "solved",
        Exhausted: "no solution",
        Empty: "no solution",
        TooDeep: "too deep",
        Yielded: "yield",
    }
)
"""The names of events in records, where they differ from the names of their types."""

CUT_NAMES: Mapping[LearningScheme, str] = MappingProxyType(
    {"first-uip": "first UIP", "last-uip": "last UIP", "decisions": "decisions"}
)
"""The names of learning schemes, for titles and captions."""


class Names(ABC):
    """The names of literals, clauses and regions, and the sentences about events."""

    words: ClassVar[Mapping[type, str]] = EVENT_WORDS
    endings: ClassVar[Mapping[type, str]]

    @abstractmethod
    def literal(self, literal: int) -> str:
        """The name of a literal."""

    @abstractmethod
    def true_variables(self, literals: Clause) -> str:
        """Which variables an assignment makes true."""

    def region(self, region: int) -> str:
        """The name of a region."""
        return f"region {region + 1}"

    def origin(self, _clause: Clause) -> str | None:
        """The clue or total that alone implies a clause; None if none is known."""
        return None

    def clause(self, clause: Clause) -> str:
        """The literals of a clause, with `or` between them."""
        return " or ".join(map(self.literal, clause)) or "nothing"

    def clause_and_origin(self, clause: Clause) -> str:
        """The literals of a clause, and its origin in brackets."""
        origin = self.origin(clause)
        return self.clause(clause) + (f" ({origin})" if origin else "")

    def sentence(self, event: Event) -> str:
        """A short sentence about an event, safe to print."""
        one, all_of = self.literal, self.clause_and_origin
        match event:
            # Searches that decide: DPLL, CDCL and backtracking.
            case Decided(literal, level):
                return f"decide {one(literal)} (level {level})"
            case Implied(literal, clause):
                return f"imply {one(literal)}, {self._why(clause)}"
            case Pure(literal):
                return f"pure {one(literal)}: its opposite is in no unsatisfied clause"
            case ClauseConflict(clause):
                return f"conflict: {all_of(clause)} is false"
            case Flipped(literal, level):
                return f"flip to {one(literal)} (level {level})"
            case Learned(clause, level):
                return f"learn: {self.clause(clause)}; back to level {level}"
            case Restarted(level):
                return f"restart at level {level}"
            case Deleted(clauses):
                return f"delete {counted(clauses, 'clause')}"
            case CellForced(literal):
                return f"forced {one(literal)}"
            case RegionConflict(region):
                return f"broken: {self.region(region)} can no longer hold"
            case TooDeep(level):
                return f"give up: more than {counted(level, 'decision')}"
            # Resolution.
            case Marked(literal, because):
                return f"mark {one(literal)}, {self._why(because)}"
            case Simplify(_, before, after):
                return f"simplify {all_of(before)}, to: {all_of(after)}"
            case Resolve(left, right, resolvent):
                return f"resolve {all_of(left)}, with: {all_of(right)}, gives: {all_of(resolvent)}"
            case Subsume(kept, removed):
                return f"subsume {all_of(removed)}, by: {all_of(kept)}"
            case MatchRound(number):
                return f"match all clauses, round {number}"
            # Searches that change whole assignments: genetic, brute force, local search.
            case Bred(number, fitness, clauses):
                return f"generation {number}: {fitness} of {counted(clauses, 'clause')} hold"
            case GenerationsSpent(generations):
                return f"give up: {counted(generations, 'generation')} bred"
            case FillingTried(number, literals, region):
                broken = "" if region is None else f"; {self.region(region)} does not hold"
                return f"attempt {number:,}: {self.true_variables(literals)}{broken}"
            case AssignmentTried(number, literals, clause):
                false = "" if clause is None else f"; {all_of(clause)} is false"
                return f"attempt {number:,}: {self.true_variables(literals)}{false}"
            case AttemptsSpent(attempts):
                return f"give up: {counted(attempts, 'attempt')} made"
            case AllTried(attempts):
                return f"{self.words[AllTried]}: all {counted(attempts, 'attempt')} failed"
            case WalkBegun(literals, wrong):
                return f"start at random: {self.true_variables(literals)}; {self._wrong(wrong)}"
            case Walked(number, literal, wrong):
                return f"flip {number:,}: {one(literal)}; {self._wrong(wrong)}"
            case FlipsSpent(flips):
                return f"give up: {counted(flips, 'flip')} made"
            case Yielded(text):
                return printable(text)
            case _:
                return self.endings[type(event)]

    def _wrong(self, regions: tuple[int, ...]) -> str:
        return f"wrong: {joined([*map(self.region, regions)], 'others')}" if regions else "nothing is wrong"

    def _why(self, clause: Clause) -> str:
        if len(clause) > 1:
            return f"by: {self.clause_and_origin(clause)}"
        return f"by the {origin}" if (origin := self.origin(clause)) else "a single clause"

    def record(self, event: Event) -> dict[str, Any]:
        """An event as plain data: literals as names, clauses as lists of them."""
        record: dict[str, Any] = {"event": self.words.get(type(event), type(event).__name__.lower())}
        for field in fields(event):
            value = getattr(event, field.name)
            match field.name:
                case "graph":
                    record["graph"] = [
                        {
                            **asdict(node),
                            "literal": self.literal(node.literal),
                            "because": [*map(self.literal, node.because)],
                        }
                        for node in value
                    ]
                case "wrong":
                    record["wrong"] = [*map(self.region, value)]
                case "literal":
                    record["literal"] = self.literal(value)
                case "region":
                    record["clue"] = None if value is None else self.region(value)
                case name:
                    # Records kept the older word for a conflict.
                    key = "clash" if name == "conflict" else name
                    record[key] = [*map(self.literal, value)] if isinstance(value, tuple) else value
        if isinstance(event, Implied | ClauseConflict | AssignmentTried | Marked):
            clause = event.because if isinstance(event, Marked) else event.clause
            origin = None if clause is None else self.origin(clause)
            record["clue"] = None if origin is None else f"the {origin}"
        return record

    def graph(self, learned: Learned) -> Graph:
        """The implication graph of a conflict, for drawing."""
        uip = -learned.clause[0]
        nodes = [
            Node(
                name=str(node.literal),
                label=f"{self.literal(node.literal)} @{node.level}",
                kind="UIP" if node.literal == uip else "plain" if node.because else "given",
                beyond=node.literal in learned.beyond,
                after=tuple(map(str, node.because)),
            )
            for node in learned.graph
        ]
        conflict = Node(
            "clash", "conflict", "conflict", beyond=True, after=tuple(str(-each) for each in learned.conflict)
        )
        title = f"learned at the {CUT_NAMES[learned.scheme]}: {self.clause(learned.clause)}"
        return Graph((*nodes, conflict), title)


class CellNames(Names):
    """Names literals after cells.

    Variables stand for the hidden cells in reading order, or with `every_cell` for all cells. Clauses in the
    binomial encoding (`is_binomial`) can be traced back to their clues.
    """

    endings = MappingProxyType(
        {
            ModelFound: "solved: every clue holds",
            Exhausted: "no solution: no decision is left to undo",
            Empty: "no solution: the empty clause follows",
            NothingFollows: "stuck: nothing new follows",
            Done: "solved: every cell is marked",
        }
    )

    def __init__(
        self, grid: Grid, puzzle: Puzzle, *, every_cell: bool = False, is_binomial: bool = True
    ) -> None:
        self.grid, self.puzzle = grid, puzzle
        self._cells = np.arange(grid.cells.size) if every_cell else puzzle.hidden
        self._is_binomial = is_binomial
        self._at, self._regions = regions_by_cell(puzzle.starts, puzzle.cells, puzzle.hidden.size)

    def literal(self, literal: int) -> str:
        """`r1c2=T` or `r1c2=G`; `x9` or `-x9` for an auxiliary variable."""
        cell = self.cell(literal)
        return variable_name(literal) if cell is None else f"{cell}={'T' if literal > 0 else 'G'}"

    def true_variables(self, literals: Clause) -> str:
        """`r1c2 and r3c1 are traps`, or `no cell is a trap`."""
        cells = [self.literal(literal).removesuffix("=T") for literal in literals if literal > 0]
        return f"{joined(cells, 'other cells')} {are(cells, 'trap')}" if cells else "no cell is a trap"

    def region(self, region: int) -> str:
        """The clue of a region, or the total."""
        return f"the {self._region_name(region)}"

    def cell(self, literal: int) -> Cell | None:
        """The cell that a literal is about; None for an auxiliary variable."""
        variable = abs(literal)
        return None if variable > self._cells.size else self.grid.cell(self._cells[variable - 1])

    def region_of(self, clause: Clause) -> int | None:
        """The first region, in reading order, that alone implies a clause; None if none is known.

        "Exactly k of n" means that of any k+1 cells one is a gem, and that of any n-k+1 one is a trap. So the
        signs, length and cells of a clause show whether it comes from a region.
        """
        puzzle = self.puzzle
        if not self._is_binomial or not clause or any(self._is_shown(abs(literal)) for literal in clause):
            return None
        cells = np.array([self._hidden(abs(literal)) for literal in clause])
        if cells.max() >= puzzle.hidden.size:  # no clue needs an auxiliary variable, so it is about the total
            return None if puzzle.total is None else int(np.flatnonzero(puzzle.clues == TOTAL_CLUE)[0])
        is_upper = clause[0] < 0
        if any((literal < 0) != is_upper for literal in clause):
            return None
        for region in self._regions[self._at[cells[0]] : self._at[cells[0] + 1]].tolist():
            size, traps = int(puzzle.sizes[region]), int(puzzle.traps[region])
            length = traps + 1 if is_upper else size - traps + 1
            if len(clause) == length and np.isin(cells, puzzle.region(region)).all():
                return int(region)
        return None

    def origin(self, clause: Clause) -> str | None:
        """The clue or the total that implies a clause, or the shown cell of a unit clause."""
        if not self._is_binomial:
            return None
        if len(clause) == 1 and self._is_shown(abs(clause[0])):
            return f"cell {self.grid.cell(self._cells[abs(clause[0]) - 1])}, which is shown"
        region = self.region_of(clause)
        return None if region is None else self._region_name(region)

    def _is_shown(self, variable: int) -> bool:
        return variable <= self._cells.size and self.grid.cells.flat[self._cells[variable - 1]] != HIDDEN

    def _hidden(self, variable: int) -> int:
        """The number of a variable's cell among the hidden cells; auxiliary variables follow these."""
        if variable > self._cells.size:
            return int(self.puzzle.hidden.size) + variable - int(self._cells.size) - 1
        return int(np.searchsorted(self.puzzle.hidden, self._cells[variable - 1]))

    def _region_name(self, region: int) -> str:
        place = self.puzzle.clues[region]
        if place == TOTAL_CLUE:
            return "total"
        cell = self.grid.cell(place)
        return f"clue {self.grid[cell]} at {cell}"


class VariableNames(Names):
    """Names literals after the variables of a formula."""

    words = MappingProxyType(
        {**EVENT_WORDS, ModelFound: "satisfiable", Exhausted: "unsatisfiable", AllTried: "unsatisfiable"}
    )
    endings = MappingProxyType(
        {
            ModelFound: "satisfiable: every clause holds",
            Exhausted: "unsatisfiable: no decision is left to undo",
        }
    )

    def literal(self, literal: int) -> str:
        """`x9` or `-x9`."""
        return variable_name(literal)

    def true_variables(self, literals: Clause) -> str:
        """`x1 and x4 true`, or `none true`."""
        names = [variable_name(literal) for literal in literals if literal > 0]
        return f"{joined(names, 'other variables') or 'none'} true"


def variable_name(literal: int) -> str:
    """`x9` for a true variable, `-x9` for a false one."""
    return f"{'-' * (literal < 0)}x{abs(literal)}"
