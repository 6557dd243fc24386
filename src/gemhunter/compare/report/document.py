"""A document before it has a format: sections of paragraphs, tables, charts, boards and listings.

Texts may hold `code`, **bold**, *italic* and [text](url), which `inline_parts` finds. Nothing else in them
is a mark, and a backslash makes a mark a plain character.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gemhunter.board.grid import Grid
from gemhunter.draw.graphs import Graph
from gemhunter.files.tables import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gemhunter.compare.charts import ChartLook


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; a note says what is still to be written in this place."""

    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Subheading:
    """The title of what follows; `level` 1 is right below a section."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines of a trace or of a program, shown as they are."""

    lines: tuple[str, ...]
    caption: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption, and the commands that its numbers come from."""

    table: TextTable
    caption: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, drawn when its look is known.

    `name` is its own within the document; `alt` says what the chart shows.
    """

    name: str
    draw: "Callable[[ChartLook], Figure]"
    caption: str
    alt: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """A graph with a cut through it, such as an implication graph."""

    name: str
    graph: Graph
    caption: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Boards:
    """Grids side by side, each with a line about it."""

    grids: tuple[tuple[str, Grid], ...]


SECTION_TITLES: Mapping[str, str] = {
    "intro": "Introduction",
    "puzzle": "The puzzle, its variables and its clauses",
    "engines": "The algorithms, and what they do on a board",
    "boards": "The boards, their solutions, and who finds them",
    "sources": "The sources' own tables and charts, with ours beside them",
    "results": "Conclusions",
    "discussion": "Discussion",
    "setting": "Machine, versions, seeds and commands",
}
"""The sections of a report that its author can add a text to, by name and in their order."""

COMMANDS_SECTION = "setting"
"""The name of the section that lists the command behind every table and figure."""

WIDEST_TEXT = 30
"""Columns of a grid beyond which its text does not fit on a page."""

LONGEST_WORD = 24
"""Characters of a word beyond which a line may end within it."""

_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_WORD_PIECE = re.compile(rf"[^/\\,:=_-]{{1,{LONGEST_WORD}}}[/\\,:=_-]?|.")

Block: TypeAlias = Paragraph | Items | Subheading | Listing | Table | Chart | GraphDrawing | Boards
Captioned = (Table, Chart, GraphDrawing, Listing)
CAPTION_KINDS = {Table: "Table", Chart: "Figure", GraphDrawing: "Figure", Listing: "Listing"}
"""What captioned blocks are numbered as."""


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section; `name` is the anchor that links lead to."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a line below it, and sections; who wrote it and for which course, if that was given."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    authors: tuple[str, ...] = ()
    course: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """The number of a captioned block: `Table 3`, and an anchor such as `table-3`."""

    text: str

    @property
    def anchor(self) -> str:
        """What links lead to."""
        return self.text.lower().replace(" ", "-")


_MARKS = re.compile(
    r"""\\(?P<escaped>[!-/:-@\[-`{-~])
    | (?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | (?P<stars>\*{2,3})(?=[^\s*])(?P<bold>.+?)(?<=[^\s*])(?P=stars)(?!\*)
    | (?<![\w*])\*(?=[^\s*])(?P<italic>[^*]+)(?<=\S)\*(?![\w*])
    | \[(?P<label>[^\[\]]+)\]
      \((?P<url>(?:(?:https?://|mailto:)[^\s()]+|[^\s():]+)(?:\([^\s()]*\)[^\s()]*)*)\)""",
    re.VERBOSE,
)


def inline_parts(text: str) -> Iterator[tuple[str, str, str]]:
    """The parts of a text as (kind, text, url): kind is `text`, `code`, `bold`, `italic` or `link`.

    Only links have a url. Parts are never nested: code in a bold text is code between two bold parts.
    """
    plain, end = "", 0
    for mark in _MARKS.finditer(text):
        plain += text[end : mark.start()] + (mark["escaped"] or "")
        end = mark.end()
        if mark["escaped"]:
            continue
        if plain:
            yield "text", plain, ""
            plain = ""
        if mark["code"]:
            yield "code", mark["code"].strip() if len(mark["ticks"]) > 1 else mark["code"], ""
        elif mark["label"]:
            yield "link", plain_text(mark["label"]), mark["url"]
        else:
            kind = "bold" if mark["bold"] else "italic"
            for inner, piece, url in inline_parts(mark["bold"] or mark["italic"]):
                yield kind if inner == "text" else inner, piece, url
    if plain := plain + text[end:]:
        yield "text", plain, ""


def plain_text(text: str) -> str:
    """A text without its marks."""
    return "".join(piece for _, piece, _ in inline_parts(text))


def grid_text(grid: Grid) -> str:
    """A grid as lines of text, or its size if it is too wide for a page."""
    return str(grid) if grid.cols <= WIDEST_TEXT else f"({grid.rows}×{grid.cols}, too wide for a page)"


def without_code(table: TextTable) -> TextTable:
    """A table whose cells have no backticks, for formats in which they would be shown."""
    plain = [tuple(cell.replace("`", "") for cell in row) for row in (table.headings, *table.rows)]
    return TextTable(plain[0], tuple(plain[1:]))


def with_break_marks(text: str, mark: str) -> str:
    """A text with a mark wherever a line may end within a long word, if possible after a sign such as `/`."""
    return _LONG_WORD.sub(lambda word: mark.join(_WORD_PIECE.findall(word[0])), text)


def labels(sections: Sequence[Section]) -> dict[int, Label]:
    """The label of each captioned block, by the identity of the block."""
    count: dict[str, int] = {}
    found: dict[int, Label] = {}
    for block in captioned(sections):
        kind = CAPTION_KINDS[type(block)]
        count[kind] = count.get(kind, 0) + 1
        found[id(block)] = Label(f"{kind} {count[kind]}")
    return found


def captioned(sections: Sequence[Section]) -> Iterator[Table | Chart | GraphDrawing | Listing]:
    """All blocks that have a caption, in order."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Captioned):
                yield block
