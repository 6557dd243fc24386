"""The author's own words: Markdown becomes blocks, and no format takes any of it for its own marks."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import text as texts
from markdown_it import MarkdownIt

from gemhunter.report.contents import write_document
from gemhunter.report.document import (
    Document,
    Items,
    Listing,
    Paragraph,
    Section,
    Subheading,
    inline_parts,
    plain_text,
)
from gemhunter.report.findings import OwnWords
from gemhunter.report.formats.html import write_page
from gemhunter.report.formats.markdown import read_markdown, write_markdown_page
from made_report import PageReader, made_findings

HOSTILE = r"<b> & &amp; \input{x} $5 100 % #1 a_b ~ ^ {x} | [1] \`"
"""What HTML, LaTeX and Markdown would take for marks."""

MARKDOWN = """# Introduction

We were *asked* to
write a solver.

## Parts

1. Read boards.
2. Solve them,
   all of them.

- one

- two

```python The loop.
for cell in grid:
    pass
```

    plain code
"""


def document(*blocks: Paragraph | Items | Listing, **given: object) -> Document:
    return Document("Title", "Subtitle", (Section("intro", "Introduction", blocks),), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a `b` c", [("text", "a "), ("code", "b"), ("text", " c")]),
        ("**a `b` c**", [("bold", "a "), ("code", "b"), ("bold", " c")]),
        ("*two words*, so", [("italic", "two words"), ("text", ", so")]),
        ("这是**粗体**", [("text", "这是"), ("bold", "粗体")]),
        ("``a`b``", [("code", "a`b")]),
        (r"\*a\* and \`", [("text", "*a* and `")]),
        ("2 * 3 * 4, a*b*c, a_b_c", [("text", "2 * 3 * 4, a*b*c, a_b_c")]),
        ("[1], [2, 3] (so) and [a] (b)", [("text", "[1], [2, 3] (so) and [a] (b)")]),
        ("[a](javascript:b)", [("text", "[a](javascript:b)")]),
        ("**a **b** c", [("text", "**a "), ("bold", "b"), ("text", " c")]),
    ],
)
def test_only_these_marks_count(text: str, parts: list[tuple[str, str]]) -> None:
    assert [(kind, piece) for kind, piece, _ in inline_parts(text)] == parts


def test_links_have_their_address() -> None:
    assert [*inline_parts("[a `b`](https://x.org/c_(d)#e)")] == [("link", "a b", "https://x.org/c_(d)#e")]


def test_markdown_becomes_blocks_without_a_heading_that_repeats_the_title() -> None:
    assert read_markdown(MARKDOWN, "Introduction") == (
        Paragraph("We were *asked* to write a solver."),
        Subheading("Parts", 1),
        Items(("Read boards.", "Solve them, all of them."), numbered=True),
        Items(("one", "two")),
        Listing(("for cell in grid:", "    pass"), "The loop."),
        Listing(("plain code",), ""),
    )


def test_headings_keep_their_order_whatever_level_they_begin_with() -> None:
    headings = (Subheading("a", 1), Subheading("b", 2), Subheading("c", 2))
    assert read_markdown("### a\n#### b\n##### c\n") == headings


def test_a_year_at_the_beginning_of_a_line_is_no_item() -> None:
    assert read_markdown("It began in\n1986. So\n") == (Paragraph("It began in 1986. So"),)


@pytest.mark.parametrize("mark", ["**a ", "***a ", "****a ", "*a ", "[a]("])
def test_a_text_of_marks_that_never_end_is_read_once(mark: str) -> None:
    text = mark * 25_000
    assert plain_text(text) == text


@pytest.mark.parametrize("line", ["# a" + 25_000 * " " + "b", 25_000 * "~" + "`", "#" + 25_000 * " #" + " b"])
def test_a_line_that_nearly_begins_a_block_is_read_once(line: str) -> None:
    (block,) = read_markdown(line)
    assert block in (Subheading(line.removeprefix("# "), 1), Paragraph(line))


@given(texts(alphabet="ab1 \n\t#-*`~>.)[]("))
def test_no_word_of_a_text_is_lost(text: str) -> None:
    shown = "".join(map(str, read_markdown(text)))
    # The language after a fence is not shown.
    lines = [line for line in text.splitlines() if "```" not in line and "~~~" not in line]
    assert [word for line in lines for word in re.findall("[ab]+", line) if word not in shown] == []


def test_html_shows_every_character_of_a_text() -> None:
    page = write_page(document(Paragraph(HOSTILE), Listing((HOSTILE,), ""), authors=("A <b>",), course="C&D"))
    read = PageReader(page)
    assert read.faults == []
    assert plain_text(HOSTILE) in read.text
    assert HOSTILE in read.text
    assert "A <b>" in read.text
    assert "C&D" in read.text


def test_markdown_is_read_back_with_every_character() -> None:
    page = write_markdown_page(document(Paragraph(HOSTILE), Paragraph("1. # no list"), Items(("- x",))), "f")
    tokens = MarkdownIt("commonmark").parse(page)
    read = ["".join(part.content for part in token.children or ()) for token in tokens]
    assert plain_text(HOSTILE) in read
    assert "1. # no list" in read
    assert "- x" in read


@pytest.mark.parametrize(
    ("texts", "blocks"),
    [
        ({"intro": "Mine."}, (Paragraph("Mine."),)),
        ({"intro": "\n"}, ()),
        ({}, (Paragraph("**Yours to write:**", is_note=True),)),
    ],
)
def test_a_text_takes_the_place_of_the_note_that_asks_for_it(
    texts: dict[str, str], blocks: tuple[Paragraph, ...], tmp_path: Path
) -> None:
    findings = made_findings(tmp_path)
    findings.own = OwnWords(texts=texts)
    sections = {each.name: each for each in write_document(findings, with_notes=True).sections}
    found = sections["intro"].blocks if "intro" in sections else ()
    paragraphs = [block for block in found if isinstance(block, Paragraph)]
    assert [block.is_note for block in paragraphs] == [block.is_note for block in blocks]
    assert all(block.text.startswith(own.text) for block, own in zip(paragraphs, blocks, strict=True))
