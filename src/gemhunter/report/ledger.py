"""The ledger of a report: the plan first, then runs, maps, answers, games and the author's words."""

from typing import Annotated, Literal, TypeAlias, TypedDict

from msgspec import Meta, Struct

from gemhunter.bench.ledger import BenchHeading, are_same_boards, facts_of
from gemhunter.bench.runs import Measurement, WorkersUsed
from gemhunter.bench.suites import BenchBoard
from gemhunter.files.text import parse_grid
from gemhunter.report.plan import ReportPart, ReportPlan
from gemhunter.work.ledger import Text, Whole, Wholes


class BoardAnswer(Struct, frozen=True, omit_defaults=True):
    """The number of solutions of a board, in digits, and whether it has just one.

    `reason` says why a value is missing.
    """

    solutions: Annotated[str, Meta(pattern=r"\A[0-9]+\Z")] | None
    unique: bool | None
    reason: Text = ""


class OwnGiven(TypedDict, total=False):
    """The words that an author gives with one command, as a ledger keeps them."""

    title: Text
    authors: list[Text]
    course: Text
    texts: dict[str, Text]


# The lines of the ledger: the plan first, then runs, maps, answers, games and the author's words.


class PartHeading(Struct, frozen=True):
    """A part of the plan, including its boards, so that a report needs no other file."""

    heading: BenchHeading
    grids: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.heading.arguments:
            raise ValueError("a part names no boards")
        if not are_same_boards(tuple(map(facts_of, self.part.boards)), self.heading.boards):
            raise ValueError("a board is not the one that was measured")

    @property
    def part(self) -> ReportPart:
        """The part, with its boards read from `grids`."""
        boards = (
            BenchBoard(facts.name, parse_grid(text), facts.total, facts.note)
            for facts, text in zip(self.heading.boards, self.grids, strict=True)
        )
        return ReportPart(self.heading, tuple(boards))


class ReportHeading(Struct, frozen=True, kw_only=True):
    """The first line: the plan."""

    ledger: Literal["report"]
    effort: Text
    games: Whole
    dealt: Whole
    parts: tuple[PartHeading, ...]


class PartRun(Struct, frozen=True):
    """A run of a part."""

    part: Whole
    run: Measurement


class PartMap(Struct, frozen=True):
    """The letters with which an engine filled the hidden cells of a board; empty if it did not."""

    part: Whole
    board: Text
    engine: Text
    map: Text


class PartAnswer(Struct, frozen=True):
    """The number of solutions of a board."""

    part: Whole
    board: Text
    answer: BoardAnswer


class OwnLine(Struct, frozen=True):
    """Words of the author, which replace older ones."""

    own: OwnGiven


class CluesLine(Struct, frozen=True):
    """Dealt boards, by level: the number of gems with each clue."""

    clues: dict[
        Literal["easy", "medium", "hard"],
        tuple[Annotated[tuple[Whole, ...], Meta(min_length=9, max_length=9)], ...],
    ]


class S5Games(Struct, frozen=True, omit_defaults=True):
    """Games of a line of `lines_of_report`."""

    line: Whole
    marked: Wholes
    rounds: Wholes | None = None
    backtracks: Wholes | None = None


class S5GamesLine(Struct, frozen=True):
    """Games of S5's table."""

    games: S5Games


ReportLine: TypeAlias = PartRun | PartMap | PartAnswer | WorkersUsed | OwnLine | CluesLine | S5GamesLine


def heading_of_report(plan: ReportPlan) -> ReportHeading:
    """The first line of the ledger of a plan."""
    parts = (
        PartHeading(part.heading, tuple(str(board.grid) for board in part.boards)) for part in plan.parts
    )
    return ReportHeading(
        ledger="report", effort=plan.effort, games=plan.games, dealt=plan.dealt, parts=tuple(parts)
    )
