"""Sheets of puzzles to print: pages with the puzzles, and pages of their own with the solutions."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.notes import write_output
from gemhunter.cli.option_types import OutputFile
from gemhunter.errors import InputError
from gemhunter.generate.wishes import GeneratedPuzzle
from gemhunter.render.sheets import SheetBoard, draw_sheets, sheet_pages

SVG_ENDING, PDF_ENDING = ".svg", ".pdf"


class SheetFile(OutputFile):
    """A file of sheets to write, refused before any work is done if its kind cannot be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error."""
        path: Path = super().convert(value, param, ctx)
        if path.suffix not in {SVG_ENDING, PDF_ENDING}:
            raise InputError(f"{path} is no sheet; expected FILE{PDF_ENDING} or FILE{SVG_ENDING}")
        if path.suffix == PDF_ENDING:
            from gemhunter.report.charts.sheets import require_pdf  # heavy, and only for this kind

            require_pdf()
        return path


def write_sheets(file: Path, made: list[GeneratedPuzzle]) -> None:
    """Pages with the puzzles, and pages with the solutions of those that have one."""
    puzzles = [
        SheetBoard(f"{number} · {each.difficulty.word}", each.grid) for number, each in enumerate(made, 1)
    ]
    solutions = [
        SheetBoard(str(number), each.solution) for number, each in enumerate(made, 1) if not each.conflict
    ]
    if file.suffix == PDF_ENDING:
        from gemhunter.report.charts.sheets import pdf_of_sheets  # heavy, and only for this kind

        pages = [*sheet_pages("Puzzles", puzzles), *sheet_pages("Solutions", solutions)]
        write_output(file, pdf_of_sheets(pages), "the puzzles and their solutions")
        return
    for title, ending, boards in (("Puzzles", "", puzzles), ("Solutions", "-solutions", solutions)):
        for number, page in enumerate(draw_sheets(title, boards), 1):
            suffix = ending if number == 1 else f"{ending}-{number}"
            write_output(file.with_name(f"{file.stem}{suffix}.svg"), page, f"{title.lower()}, page {number}")
