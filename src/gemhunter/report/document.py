"""A document in no particular format: sections of paragraphs, tables, charts, boards and listings.

`html.py`, `markdown.py` and `typst.py` each write it in one format.

Texts may contain `code`, **bold**, *italic* and [text](url), which `inline_parts` recognises. Nothing else is
markup, and a backslash makes the next mark a plain character.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gemhunter.board.grid import Grid
from gemhunter.draw.graphs import Graph
from gemhunter.files.text_tables import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gemhunter.charts.look import ChartLook


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; a note says what the author has yet to write in its place."""

    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Subheading:
    """The heading of the blocks that follow; `level` 1 is just below a section."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines of a trace or a program, shown as they are."""

    lines: tuple[str, ...]
    caption: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption, and the commands that print its numbers."""

    table: TextTable
    caption: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that is drawn once its look is known; `alt` describes it, and `name` is unique."""

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
    """Grids side by side, each with a label."""

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
"""The titles of the sections to which an author can add text, by name and in order."""

COMMANDS_SECTION = "setting"
"""The name of the section that lists the command behind every table and figure."""

Block: TypeAlias = Paragraph | Items | Subheading | Listing | Table | Chart | GraphDrawing | Boards
Captioned: TypeAlias = Table | Chart | GraphDrawing | Listing


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section; `name` is the anchor for links."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a line below it, and sections; also its authors and the course, if given."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    authors: tuple[str, ...] = ()
    course: str = ""


class PlacedBlock(NamedTuple):
    """A block as a page shows it.

    `label` begins its caption, such as `Table 3`; it is empty for a block without a caption. No page may end
    after a block that `stays`: a sentence about boards stays with them.
    """

    block: Block
    label: str
    stays: bool


def placed_blocks(sections: Sequence[Section]) -> Iterator[tuple[Section, list[PlacedBlock]]]:
    """Each section with its blocks; labels are numbered through the whole document."""
    kinds: dict[type, str] = {Table: "Table", Chart: "Figure", GraphDrawing: "Figure", Listing: "Listing"}
    numbers: Counter[str] = Counter()
    for section in sections:
        placed = []
        for block, following in zip_longest(section.blocks, section.blocks[1:]):
            label = ""
            if isinstance(block, Captioned):
                kind = kinds[type(block)]
                numbers[kind] += 1
                label = f"{kind} {numbers[kind]}"
            stays = isinstance(block, Paragraph) and isinstance(following, Boards)
            placed.append(PlacedBlock(block, label, stays))
        yield section, placed


def captioned(sections: Sequence[Section]) -> Iterator[tuple[Captioned, str]]:
    """All blocks with a caption, in order, with their labels."""
    for _, placed in placed_blocks(sections):
        for block, label, _ in placed:
            if isinstance(block, Captioned):
                yield block, label


# Marks within texts.


# Bold text contains no `**` that could begin another: otherwise a text of marks that never end would be
# searched to its end from each of them.
_MARKS = re.compile(
    r"""\\(?P<escaped>[!-/:-@\[-`{-~])
    | (?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | (?P<stars>\*{2,3})(?=[^\s*])(?P<bold>(?:(?![\s*]\*\*[^\s*]).)+?)(?<=[^\s*])(?P=stars)(?!\*)
    | (?<![\w*])\*(?=[^\s*])(?P<italic>[^*]+)(?<=\S)\*(?![\w*])
    | \[(?P<label>[^\[\]]+)\]
      \((?P<url>(?:(?:https?://|mailto:)[^\s()]+|[^\s():]+)(?:\([^\s()]*\)[^\s()]*)*)\)""",
    re.VERBOSE,
)


def inline_parts(text: str) -> Iterator[tuple[str, str, str]]:
    """The parts of a text as (kind, text, url): kind is `text`, `code`, `bold`, `italic` or `link`.

    Only links have a URL. Parts are never nested: code within bold text is code between two bold parts.
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
    """A grid as lines of text, or its size if it has too many columns for a page."""
    return str(grid) if grid.cols <= 30 else f"({grid.rows}×{grid.cols}, too wide for a page)"


def with_break_marks(text: str, mark: str) -> str:
    """A text with a mark where a line may end within a long word, if possible after a sign such as `/`."""
    piece = r"[^/\\,:=_-]{1,24}[/\\,:=_-]?|."
    return re.sub(r"\S{25,}", lambda word: mark.join(re.findall(piece, word[0])), text)
