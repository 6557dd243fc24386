"""Searches as storyboards: a page or an animation plays a trace on its board, event by event."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.puzzle import TOTAL_CLUE, wrong_regions
from gemhunter.draw.scenes import Scene, Storyboard, animated_scenes, draw_player, scene_limit, trimmed
from gemhunter.printable import printable
from gemhunter.questions.trace import CellNames, Step
from gemhunter.solving.events import (
    AssignmentTried,
    Bred,
    CellForced,
    Clause,
    ClauseConflict,
    Decided,
    Event,
    FillingTried,
    Flipped,
    Implied,
    Learned,
    Marked,
    NothingFollows,
    Pure,
    RegionConflict,
    Resolve,
    Restarted,
    Simplify,
    Subsume,
    WalkBegun,
    Walked,
    Yielded,
)
from gemhunter.wording import counted

PLAYED_EVENT_LIMIT = 1000  # a page of more events is too long to watch and slow to open


@dataclass(frozen=True, slots=True, eq=False)
class TracedSearch:
    """The first steps of a search on a board, or with `is_complete` all of them."""

    title: str
    names: CellNames
    steps: Sequence[Step]
    is_complete: bool


def search_html(search: TracedSearch) -> tuple[str, int]:
    """A page that plays the search, as a complete HTML document, and the number of its events."""
    shown = _first_steps(search, PLAYED_EVENT_LIMIT)
    return draw_player(search_storyboard(shown)), len(shown.steps)


def search_gif(search: TracedSearch) -> tuple[bytes, int]:
    """The search as an animation, where a picture can show several events, and the number of its events."""
    most = max(scene_limit(search.names.grid) - 2, 1)
    groups = [[scene] for scene in _scenes(search)] if len(search.steps) <= most else _runs(search)[:most]
    shown = _first_steps(search, sum(map(len, groups)))
    return animated_scenes(_story(shown, groups)), len(shown.steps)


def search_storyboard(search: TracedSearch) -> Storyboard:
    """The board, and a scene for each event, which has the number of the event."""
    return _story(search, [[scene] for scene in _scenes(search)])


def _first_steps(search: TracedSearch, most: int) -> TracedSearch:
    is_complete = search.is_complete and len(search.steps) <= most
    return replace(search, steps=search.steps[:most], is_complete=is_complete)


def _scenes(search: TracedSearch) -> Iterator[Scene]:
    """A scene for each step, without a heading."""
    replay = _Replay(search.names)
    for step in search.steps:
        scene = replay.after(step.event)
        yield replace(scene, sentence=step.sentence, level=replay.level)


def _runs(search: TracedSearch) -> list[list[Scene]]:
    """Scenes in groups: successive consequences together, and every other scene alone."""
    runs: list[list[Scene]] = []
    pairs = zip(search.steps, _scenes(search), strict=True)
    # Events that follow from others without a choice.
    consequences = (Implied, CellForced, Pure, Marked, Simplify, Subsume)
    for follows, group in groupby(pairs, lambda pair: isinstance(pair[0].event, consequences)):
        scenes = [scene for _, scene in group]
        runs += [scenes] if follows else [[scene] for scene in scenes]
    return runs


def _story(search: TracedSearch, groups: Sequence[Sequence[Scene]]) -> Storyboard:
    puzzle, events = search.names.puzzle, counted(len(search.steps), "event")
    total = "" if puzzle.total is None else f" with {counted(puzzle.total, 'trap')}"
    whole = f"The whole search: {events}." if search.is_complete else f"The beginning of a search: {events}."
    scenes = [Scene(f"A board of {puzzle.rows}×{puzzle.cols}{total}", whole)]
    ends = accumulate(map(len, groups))
    scenes += [_together(group, last) for group, last in zip(groups, ends, strict=True)]
    if not search.is_complete:
        scenes.append(Scene("To be continued", f"The search continues after {events}."))
    title = printable(search.title)
    return trimmed(Storyboard(title, puzzle.grid, tuple(scenes), legend=tuple(_legend(scenes))))


def _legend(scenes: Sequence[Scene]) -> Iterator[tuple[str, str]]:
    """The marks that these scenes use."""
    if any(scene.is_decision for scene in scenes):
        yield "decided-trap", "a decision; the small number is its decision level"
        yield "gem", "follows from the clues and decisions"
    if any(scene.traps or scene.gems for scene in scenes):
        yield "new-trap", "new in this event"
    if any(scene.undone for scene in scenes):
        yield "undone", "undone in this event"
    if any(scene.clues for scene in scenes):
        yield "clue", "a clue or a cell that the event is about"
    if any(scene.broken for scene in scenes):
        yield "broken", "a clue that does not hold"


def _together(group: Sequence[Scene], last: int) -> Scene:
    """One scene for event number `last`, or for several consequences that end with it."""
    level = f" · level {group[-1].level}" if group[-1].level else ""
    if len(group) == 1:
        return replace(group[0], heading=f"Event {last:,}{level}")
    clues = tuple(dict.fromkeys(cell for scene in group for cell in scene.clues))
    traps = tuple(cell for scene in group for cell in scene.traps)
    gems = tuple(cell for scene in group for cell in scene.gems)
    kinds = [counted(len(cells), kind) for cells, kind in ((traps, "trap"), (gems, "gem")) if cells]
    return replace(
        group[0],
        heading=f"Events {last - len(group) + 1:,} to {last:,}{level}",
        sentence=f"What follows: {' and '.join(kinds) or 'shorter and fewer clauses'}.",
        clues=clues,
        traps=traps,
        gems=gems,
    )


class _Replay:
    """Tracks the values of the cells from the events alone, and makes a scene of each change."""

    def __init__(self, names: CellNames) -> None:
        self.level = 0
        self._names, self._puzzle = names, names.puzzle
        # The true literals in the order in which they became true, with their levels.
        self._trail: dict[int, int] = {}

    def after(self, event: Event) -> Scene:
        """What the event changes and is about, as a scene without words."""
        match event:
            case Decided(literal, level):
                self.level = level
                return self._assigned((literal,), is_decision=True)
            case Flipped(literal, level):
                undone = self._back_to(level - 1)
                self.level = level
                scene = self._assigned((literal,), is_decision=True)
                return replace(
                    scene, undone=tuple(cell for cell in undone if cell not in scene.traps + scene.gems)
                )
            case Implied(literal, clause) | Marked(literal, clause):
                # The clue behind the clause; the cells of a clause that was learned or derived.
                clues = self._clue_of(clause) or self._cells(clause)
                return replace(self._assigned((literal,)), clues=clues)
            case CellForced(literal) | Pure(literal):
                return self._assigned((literal,))
            case ClauseConflict(clause):
                return Scene("", "", self._cells(clause), broken=self._clue_of(clause))
            case RegionConflict(region):
                return Scene("", "", self._region_cells(region), broken=self._clues([region]))
            case Learned(clause, level):
                return Scene("", "", self._cells(clause), undone=self._back_to(level))
            case Restarted(level):
                return Scene("", "", undone=self._back_to(level))
            case Simplify(_, clause) | Subsume(_, clause):
                return Scene("", "", self._cells(clause))
            case Resolve(left, right):
                return Scene("", "", self._cells((*left, *right)))
            case NothingFollows():
                return Scene("", "", unsure=self._open_cells())
            case Yielded(text):
                return self._yielded(text)
            # Events about all cells at once.
            case FillingTried(_, literals, region):
                broken = () if region is None else self._clues([region])
                return replace(self._assigned(literals), broken=broken)
            case AssignmentTried(_, literals, clause):
                clue = () if clause is None else self._clue_of(clause)
                about = () if clause is None else self._cells(clause)
                return replace(self._assigned(literals), clues=about, broken=clue)
            case Bred(_, _, _, best):
                return replace(self._assigned(best), broken=self._clues(self._wrong()))
            case WalkBegun(literals, wrong):
                return replace(self._assigned(literals), broken=self._clues(wrong))
            case Walked(_, literal, wrong):
                return replace(self._assigned((literal,)), broken=self._clues(wrong))
            case _:
                return Scene("", "")

    def _assigned(self, literals: Clause, *, is_decision: bool = False) -> Scene:
        """Make these literals true; the scene has the hidden cells whose values change."""
        new = [literal for literal in literals if literal not in self._trail]
        for literal in new:
            self._trail.pop(-literal, None)
            self._trail[literal] = self.level
        traps = self._hidden_cells(literal for literal in new if literal > 0)
        gems = self._hidden_cells(literal for literal in new if literal < 0)
        return Scene("", "", traps=traps, gems=gems, is_decision=is_decision)

    def _back_to(self, level: int) -> tuple[Cell, ...]:
        """Take back what later levels decided and implied; returns the hidden cells."""
        undone = [literal for literal, at in self._trail.items() if at > level]
        for literal in undone:
            del self._trail[literal]
        self.level = level
        return self._hidden_cells(undone)

    def _yielded(self, text: str) -> Scene:
        """The cells that a user's solver names in its text: given a value, taken back, or only mentioned.

        A cell is written as `r1c2 = T`, `r1c2: gem` or just `r1c2`; the first word says what happens to it.
        """
        grid, first_word = self._puzzle.grid, text.lower().partition(" ")[0].strip(":,")
        undoes = first_word in ("backtrack", "undo", "unassign", "clear", "reset", "remove", "retract")
        decides = first_word in ("decide", "try", "guess", "choose", "assume", "suppose")
        named_cell = r"\br(\d{1,9})c(\d{1,9})\b(?:\s*(?:=|:|is an?|is|to)?\s*(T|G|trap|gem)\b)?"
        traps: list[Cell] = []
        gems: list[Cell] = []
        undone, named = [], []
        for row, col, value in re.findall(named_cell, text, re.IGNORECASE):
            cell = Cell(int(row) - 1, int(col) - 1)
            if not (0 <= cell.row < grid.rows and 0 <= cell.col < grid.cols):
                continue
            if value and grid[cell] == HIDDEN:
                (traps if value in "Tt" or value.lower() == "trap" else gems).append(cell)
            elif undoes and grid[cell] == HIDDEN:
                undone.append(cell)
            else:
                named.append(cell)
        cells = tuple(named), tuple(traps), tuple(gems)
        return Scene("", "", *cells, undone=tuple(undone), is_decision=decides)

    def _wrong(self) -> list[int]:
        """The regions that do not hold with the values of all cells."""
        is_trap = np.zeros(self._puzzle.grid.cells.shape, bool)
        for cell in self._hidden_cells(literal for literal in self._trail if literal > 0):
            is_trap[cell] = True
        regions: list[int] = wrong_regions(self._puzzle, is_trap.ravel()[self._puzzle.hidden]).tolist()
        return regions

    def _cells(self, literals: Iterable[int]) -> tuple[Cell, ...]:
        cells = map(self._names.cell, literals)
        return tuple(dict.fromkeys(cell for cell in cells if cell is not None))

    def _hidden_cells(self, literals: Iterable[int]) -> tuple[Cell, ...]:
        """The cells of literals, without those that the board shows."""
        return tuple(cell for cell in self._cells(literals) if self._puzzle.grid[cell] == HIDDEN)

    def _open_cells(self) -> tuple[Cell, ...]:
        """The hidden cells without a value."""
        decided = set(self._cells(self._trail))
        cells = map(self._puzzle.grid.cell, self._puzzle.hidden.tolist())
        return tuple(cell for cell in cells if cell not in decided)

    def _region_cells(self, region: int) -> tuple[Cell, ...]:
        """The hidden cells of a clue; none for the total, which is about all of them."""
        puzzle = self._puzzle
        if puzzle.clues[region] == TOTAL_CLUE:
            return ()
        return tuple(puzzle.grid.cell(index) for index in puzzle.hidden[puzzle.region(region)].tolist())

    def _clues(self, regions: Iterable[int]) -> tuple[Cell, ...]:
        places = (int(self._puzzle.clues[region]) for region in regions)
        return tuple(self._puzzle.grid.cell(place) for place in places if place != TOTAL_CLUE)

    def _clue_of(self, clause: Clause) -> tuple[Cell, ...]:
        region = self._names.region_of(clause)
        return () if region is None else self._clues([region])
