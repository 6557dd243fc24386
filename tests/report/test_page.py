"""The pages of a report: complete, well formed, readable without a network."""

import re
import shlex
from pathlib import Path

import pytest

from gemhunter.bench.runs import Measurement
from gemhunter.cli.main import run
from gemhunter.draw.themes import THEME_COLOURS, Theme
from gemhunter.report.contents import write_document
from gemhunter.report.document import Chart, Document, GraphDrawing, Listing, captioned
from gemhunter.report.figures import figure_files
from gemhunter.report.formats.html import write_page
from gemhunter.report.formats.markdown import write_markdown_page
from made_measurements import solved, stopped
from made_report import SAMPLE, SOLUTION, PageReader, made_findings

pytest.importorskip("matplotlib")

CONFLICT = "_, _, 2, _\n2, _, 2, _\n_, 3, _, _\n_, _, _, 1\n"
"""A board of S4 on which CDCL runs into a conflict."""


def runs(board: str) -> list[Measurement]:
    return [*solved(board, "cdcl", 0.001, 0.002, conflicts=5), *stopped(board, "brute-force", "time limit")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the boards of the document are."""
    return tmp_path_factory.mktemp("document")


@pytest.fixture(scope="module")
def document(folder: Path) -> Document:
    boards = {"sample": SAMPLE, "conflict": CONFLICT}
    findings = made_findings(folder, [*runs("sample"), *runs("conflict")], boards=boards)
    findings.maps[0, "sample", "cdcl"] = SOLUTION
    return write_document(findings)


@pytest.fixture(scope="module")
def page(document: Document) -> str:
    return write_page(document)


def test_every_tag_is_closed_where_it_was_opened(page: str) -> None:
    read = PageReader(page)
    assert (read.faults, read.open) == ([], [])


def test_every_id_is_unique_and_every_reference_leads_to_one(page: str) -> None:
    read = PageReader(page)
    assert len(read.ids) == len(set(read.ids))
    assert set(read.references) <= set(read.ids)


def test_nothing_in_the_page_asks_for_anything_outside_of_it(page: str) -> None:
    assert not re.search(r"http|src=|@import|<script|<link|url\((?!#)", page)


def test_the_sections_come_in_the_order_of_a_course_report(page: str) -> None:
    titles = re.findall(r"<h2 id=\"(\w+)\">", page)
    assert titles == ["contents", "puzzle", "engines", "boards", "results", "setting", "references"]


def test_without_charts_the_document_has_none_and_says_why(folder: Path) -> None:
    findings = made_findings(folder, runs("sample"))
    bare = write_document(findings, with_charts=False)
    assert not any(isinstance(each, Chart) for each, _ in captioned(bare.sections))
    setting = next(section for section in bare.sections if section.name == "setting")
    assert any("no charts, because Matplotlib" in str(block) for block in setting.blocks)


def test_charts_take_their_colours_from_the_style_of_the_page(page: str) -> None:
    charts = re.findall(r'<svg class="chart".*?</svg>', page, re.S)
    assert charts
    assert all("var(--ink)" in chart for chart in charts)
    assert not any(THEME_COLOURS[Theme.LIGHT].ink in chart for chart in charts)


def test_every_picture_says_what_it_shows(page: str) -> None:
    pictures = re.findall(r"<svg [^>]*>(?:<title[^>]*>.+?</title>)?", page)
    assert pictures
    assert all("aria-label=" in picture or "<title" in picture for picture in pictures)


def test_every_table_has_a_caption_and_scrolls_instead_of_overflowing(page: str) -> None:
    assert page.count("<table>") == page.count("<table><caption>") == page.count('<div class="scroll"')


def test_the_page_has_styles_for_dark_screens_and_for_paper(page: str) -> None:
    assert "@media screen and (prefers-color-scheme:dark)" in page
    assert "@media print" in page
    assert "size:A4" in page


def test_links_to_commands_are_hidden_on_paper(page: str) -> None:
    links = re.findall(r"<a [^>]*>command</a>", page)
    assert links
    assert set(links) == {'<a class="command" href="#setting">command</a>'}
    assert ".command{display:none}" in page.partition("@media print")[2]


def test_names_of_boards_are_text_and_never_markup(tmp_path: Path) -> None:
    findings = made_findings(tmp_path, runs("a&b"), boards={"a&b": SAMPLE})
    page = write_page(write_document(findings))
    assert "a&amp;b" in page
    assert "a&b" not in page
    assert PageReader(page).faults == []


def test_equal_findings_give_an_equal_page(page: str, folder: Path) -> None:
    boards = {"sample": SAMPLE, "conflict": CONFLICT}
    again = made_findings(folder, [*runs("sample"), *runs("conflict")], boards=boards)
    again.maps[0, "sample", "cdcl"] = SOLUTION
    assert write_page(write_document(again)) == page


def test_the_commands_behind_examples_print_what_the_listings_show(
    document: Document, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    listings = [each for each, _ in captioned(document.sections) if isinstance(each, Listing)]
    traces = [each for each in listings if each.commands and "trace" in each.commands[0]]
    assert traces
    for listing in traces:
        assert run(shlex.split(listing.commands[0])[1:]) == 0
        printed = capsys.readouterr().out.splitlines()
        shown = [line for line in listing.lines if not line.endswith("…")]
        assert printed[-len(shown) :] == shown


def test_the_commands_behind_formulas_and_graphs_can_be_run(
    document: Document, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    blocks = [each for each, _ in captioned(document.sections) if not isinstance(each, Chart)]
    commands = {command for each in blocks for command in each.commands if " bench " not in command}
    assert len(commands) > 2
    assert [command for command in sorted(commands) if run(shlex.split(command)[1:]) != 0] == []


def test_markdown_refers_to_a_file_for_every_figure(document: Document) -> None:
    text = write_markdown_page(document, "figures")
    referred = set(re.findall(r"\]\(figures/([^)]+)\)", text))
    assert referred == set(figure_files(document))
    figures = [each for each, _ in captioned(document.sections) if isinstance(each, Chart | GraphDrawing)]
    assert len(referred) == len(figures)
