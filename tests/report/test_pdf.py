"""Reports as PDF: the Typst source of every kind of block, hostile names, and one file that Typst makes."""

import re
from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gemhunter import parse_grid
from gemhunter.board.grid import Grid
from gemhunter.charts.look import ChartLook, new_figure
from gemhunter.cli.main import run
from gemhunter.draw.graphs import Graph, Node
from gemhunter.draw.page import grid_svg_file, paper_cell
from gemhunter.files.text_tables import TextTable
from gemhunter.optional_packages import install_command
from gemhunter.report.document import (
    Block,
    Boards,
    Chart,
    Document,
    GraphDrawing,
    Items,
    Listing,
    Paragraph,
    Section,
    Subheading,
    Table,
)
from gemhunter.report.formats.typst import MAY_BREAK, typst_files, write_pdf_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")

HOSTILE = '#evil[x] $x$ "]) #panic() // \\u{41}\\ *_~@<a>[b] `#z` `"` \n= b 日本 Nguyễn \\'
TEMPLATE_WORDS = (
    "import show body report heading level code list boards mm data table left right listing drawing share"
    " strong emph link note enum"
)

GRID = parse_grid("1, _\n_, T\n")
GRAPH = Graph(
    (Node("a", "r1c1=T @1", "given", False, ()), Node("b", "conflict", "conflict", True, ("a",))),
    "learned: r1c1=G",
)


def document(*blocks: Block, title: str = "A title") -> Document:
    return Document(title, "a line", (Section("s", "A section", blocks),), ("Ann", "Bo"), "CS 101")


def source(*blocks: Block) -> str:
    """What comes after the title of the section."""
    text = typst_files(document(*blocks))["main.typ"].decode()
    return text.split("#heading(level: 1)", 1)[1].partition("\n\n")[2].strip()


def table(*rows: tuple[str, ...]) -> Table:
    return Table(TextTable(("board", "seconds"), rows), "Times.")


def test_title_authors_and_course_come_first() -> None:
    text = typst_files(document())["main.typ"].decode()
    assert '#show: body => report("A title", [#"a line"], ("Ann", "Bo", ), "CS 101", body)' in text


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Paragraph("see `cdcl -x`."), '#"see "#code("cdcl -x")#"."'),
        (
            Paragraph("**b** *i* [t](https://a.b/_c)", True),
            '#note[#strong("b")#" "#emph("i")#" "#link("https://a.b/_c", "t")]',
        ),
        (Items(("one",), numbered=True), '#enum([#"one"], )'),
        (Items(("one", "`two`")), '#list([#"one"], [#code("two")], )'),
        (Subheading("A board", 2), '#heading(level: 3)[#"A board"]'),
        (Listing(("a", " b"), "Lines."), '#listing("Listing 1", [#"Lines."], "a\n b")'),
        (Boards((("`x`", GRID),)), '#boards(([#code("x")], "grid-0.svg", "x", 9.20mm))'),
        (
            GraphDrawing("g", GRAPH, "A graph."),
            '#drawing("Figure 1", [#"A graph."], "g.svg", "learned: r1c1=G")',
        ),
    ],
)
def test_every_block_calls_its_function_of_the_template(block: Block, expected: str) -> None:
    assert source(block) == expected


def test_a_table_has_its_cells_the_sides_of_its_columns_and_their_longest_words() -> None:
    text = source(table(("a `b-c` d", "1.5"), ("e", "20")))
    assert '([#"a "#code("b-c")#" d"], [#"1.5"], ), ' in text
    assert "(left, right, )" in text
    assert text.endswith('("board", code("b-c"), "a", ), ("seconds", "1.5", "20", ), ))')


def every_block(name: str) -> tuple[Block, ...]:
    """A block of each kind with a name in each of its texts."""
    wide = TextTable(tuple(f"{name} {place}" for place in range(30)), (("123456789",) * 30,) * 3)
    return (
        *(Paragraph(name), Items((name,)), Subheading(name), Subheading(name, 2)),
        *(
            Listing((name, name), name),
            Boards(((name, GRID),)),
            GraphDrawing("g", replace(GRAPH, title=name), name),
        ),
        *(table((name, "1"), *((name, "2"),) * 20), Table(wide, name), Chart("c", bars, name, name)),
    )


def bars(look: ChartLook) -> "Figure":
    with new_figure(look, 2, 1) as figure:
        figure.subplots().bar([0, 1], [2, 3])
    return figure


def test_no_name_is_anything_but_a_string() -> None:
    whole = replace(document(*every_block(HOSTILE)), title=HOSTILE, authors=(HOSTILE,), course=HOSTILE)
    text = typst_files(whole)["main.typ"].decode()
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", text.removeprefix('#import "report.typ": *'))
    assert set(re.findall(r"[^\W\d]+", outside)) <= set(TEMPLATE_WORDS.split())
    assert set(re.findall(r"[^\w\s]", outside)) == set("#()[],:=>-.")


def test_lines_may_end_within_long_words_after_a_mark() -> None:
    assert MAY_BREAK not in source(Paragraph("a/b " * 40))
    assert f'"{"a" * 9}/{MAY_BREAK}{"b" * 20}"' in source(Paragraph(f"{'a' * 9}/{'b' * 20}"))
    assert max(map(len, source(Paragraph("c" * 100)).split(MAY_BREAK))) < 30


def test_boards_fit_on_a_page_and_lose_their_signs_only_if_they_must() -> None:
    def size(rows: int, cols: int) -> tuple[float, float]:
        cell = paper_cell(Grid(np.zeros((rows, cols), np.int8)), 170, 220)
        return rows * cell, cols * cell

    for rows, cols in [(3, 3), (1, 900), (900, 1), (30, 30), (100, 100)]:
        height, width = size(rows, cols)
        assert height <= 220.001
        assert width <= 170.001
    assert "<text" in grid_svg_file(Grid(np.zeros((60, 30), np.int8)))
    assert "<text" not in grid_svg_file(Grid(np.zeros((61, 30), np.int8)))


def test_typst_makes_one_small_file_of_it_and_the_same_one_again() -> None:
    pytest.importorskip("typst")
    whole = document(*every_block("#evil[x] $y$ " + "long" * 30))
    pdf = write_pdf_page(whole)
    assert pdf.startswith(b"%PDF")
    assert len(pdf) < 200_000
    assert write_pdf_page(whole) == pdf


def test_without_typst_the_command_says_how_to_install_it_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = util.find_spec
    monkeypatch.setattr(
        "gemhunter.optional_packages.find_spec", lambda name: None if name == "typst" else find(name)
    )
    assert run(["report", "sample:3x4", "-o", str(tmp_path / "a.pdf")]) == 2
    assert (
        f"reports as PDF need the package typst; install it: {install_command('pdf')}"
        in capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []
