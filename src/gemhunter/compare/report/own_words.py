"""What the author of a report gives: title, names, course, and texts in Markdown for its sections."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gemhunter.compare.report.document import (
    SECTION_TITLES,
    Block,
    Items,
    Listing,
    Paragraph,
    Section,
    Subheading,
)
from gemhunter.errors import UnknownNameError
from gemhunter.work.ledger import text_field

NOTES: Mapping[str, str] = {
    "intro": "what was asked of you, how you went about it, and who did what",
    "discussion": "what you learned from these results, what surprised you, and what your boards cannot show",
}
"""What is asked of the author in a section of which nothing can be measured."""

DEEPEST_HEADING = 2
"""The level of the smallest headings within a section."""

CODE_INDENT = " " * 4

_FENCE = re.compile(r" *(?P<fence>`{3,}|~{3,}) *(?P<language>[^\s`]*) *(?P<caption>[^`]*)$")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:\s+(?P<text>.*?))?(?:\s+#+)?\s*$")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +(?P<text>\S.*)$")
_FIRST_ITEM = re.compile(r" {0,3}(?:[-*+]|(?P<number>1)[.)]) +\S")
"""A numbered list begins with 1, so that a year at the beginning of a line is no item."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the author has given so far; what is empty, the report words itself."""

    title: str = ""
    authors: tuple[str, ...] = ()
    course: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Markdown by the name of a section."""

    def updated(self, record: Mapping[str, Any]) -> "OwnWords":
        """These words with those of a record in place of older ones; `ValueError` if it is none."""
        changes: dict[str, Any] = {
            name: text_field(record, name) for name in ("title", "course") if name in record
        }
        if "authors" in record:
            changes["authors"] = tuple(text_field({"author": each}, "author") for each in record["authors"])
        texts = record.get("texts", {})
        for section in texts:
            require_section(section)
        changes["texts"] = {**self.texts, **{section: text_field(texts, section) for section in texts}}
        return replace(self, **changes)


def require_section(name: str) -> None:
    """Raise an error with the nearest match if reports have no section of this name."""
    if name not in SECTION_TITLES:
        raise UnknownNameError("section", name, SECTION_TITLES)


def with_own_words(section: Section, words: OwnWords) -> Section:
    """A section with the author's text at its beginning."""
    return replace(section, blocks=(*own_blocks(section.name, words), *section.blocks))


def own_section(name: str, words: OwnWords, *, with_notes: bool) -> Section | None:
    """A section with the author's text alone, or with a note that asks for it; None if it has neither."""
    blocks = own_blocks(name, words)
    if with_notes and name in NOTES and name not in words.texts:
        asks = f"**Yours to write:** {NOTES[name]}. `--text {name}=FILE.md` puts your text in this place."
        blocks = (Paragraph(asks, is_note=True),)
    return Section(name, SECTION_TITLES[name], blocks) if blocks else None


def own_blocks(name: str, words: OwnWords) -> tuple[Block, ...]:
    """The author's text of a section."""
    return read_markdown(words.texts.get(name, ""), SECTION_TITLES[name])


def read_markdown(text: str, title: str = "") -> tuple[Block, ...]:
    """Paragraphs, headings, lists and code blocks; whatever else is in the text is part of a paragraph.

    The largest headings of the text are the largest within a section; a first heading that repeats `title`
    is left out. Lists have one level.
    """
    blocks = list(_blocks(text.expandtabs(4).splitlines()))
    if blocks and isinstance(blocks[0], Subheading) and blocks[0].text.casefold() == title.casefold():
        del blocks[0]
    highest = min((block.level for block in blocks if isinstance(block, Subheading)), default=1)
    return tuple(
        replace(block, level=min(block.level - highest + 1, DEEPEST_HEADING))
        if isinstance(block, Subheading)
        else block
        for block in blocks
    )


def _blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks with their headings as they are: level 1 for `#`, 2 for `##` and so on."""
    place = 0
    while place < len(lines):
        line, begin = lines[place], place
        place += 1
        if not line.strip():
            continue
        if fence := _FENCE.match(line):
            while place < len(lines) and not _closes(lines[place], fence["fence"]):
                place += 1
            # Words after the language are the caption.
            yield Listing(tuple(lines[begin + 1 : place]), fence["caption"].strip())
            place += 1
        elif heading := _HEADING.match(line):
            yield Subheading(heading["text"] or "", len(heading["marks"]))
        elif first := _FIRST_ITEM.match(line):
            numbered = first["number"] is not None
            while place < len(lines) and _continues_list(lines[place - 1], lines[place], numbered=numbered):
                place += 1
            yield Items(tuple(_items(lines[begin:place])), numbered)
        elif line.startswith(CODE_INDENT):
            while place < len(lines) and (lines[place].startswith(CODE_INDENT) or not lines[place].strip()):
                place += 1
            code = "\n".join(each.removeprefix(CODE_INDENT) for each in lines[begin:place])
            yield Listing(tuple(code.rstrip().split("\n")), "")
        else:
            while place < len(lines) and lines[place].strip() and not _begins_block(lines[place]):
                place += 1
            yield Paragraph(" ".join(each.strip() for each in lines[begin:place]))


def _begins_block(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_FENCE, _HEADING, _FIRST_ITEM))


def _closes(line: str, fence: str) -> bool:
    return line.strip().startswith(fence) and not line.strip().strip(fence[0])


def _continues_list(before: str, line: str, *, numbered: bool) -> bool:
    """Whether a line is part of the list above it: an item, indented, or the rest of the line before."""
    if _FENCE.match(line) or _HEADING.match(line):
        return False
    first = _FIRST_ITEM.match(line)
    if first and not line.startswith(" ") and (first["number"] is not None) != numbered:
        return False
    return not line.strip() or line.startswith(" ") or _ITEM.match(line) is not None or before.strip() != ""


def _items(lines: list[str]) -> list[str]:
    """The text of each item of a list."""
    items: list[str] = []
    for line in filter(str.strip, lines):
        if item := _ITEM.match(line):
            items.append(item["text"].strip())
        else:
            items[-1] += f" {line.strip()}"
    return items
