"""`gemhunter experiment clues`: how many clues are 0 on random boards."""

from functools import partial
from pathlib import Path

import click

from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import OutputFile
from gemhunter.cli.options import seed_option
from gemhunter.cli.progress import ExperimentProgress, run_to_end
from gemhunter.cli.table_formats import RecordTable, print_table_as, table_format_option
from gemhunter.experiments.clue_shares import ClueShares, measure_clues
from gemhunter.experiments.s5_table import COURSE_LEVELS
from gemhunter.formats.files import write_atomically
from gemhunter.render.bars import Bars, draw_bars
from gemhunter.report.experiment_records import clue_shares_record

CLUE_HEADINGS = ("level", "clues of 0", "traps per gem", "boards")
FULL_BAR = 50
"""Characters for 100 %."""


@click.command()
@click.option(
    "--boards",
    type=click.IntRange(min=1, max=10**6),
    default=3000,
    show_default=True,
    help="Boards for each level.",
)
@seed_option
@click.option("--svg", type=OutputFile(), metavar="FILE", help="Write the bar chart as an SVG picture.")
@table_format_option
@quiet_option
def clues(*, boards: int, seed: int, svg: Path | None, form: str) -> None:
    """Count the gems without any trap around on random boards.

    Shows, for each level, their share of all gems, with its 95 % confidence interval, beside the traps per
    gem, and both as bars.

    \b
    Examples:
      gemhunter experiment clues
      gemhunter experiment clues --boards 500 --svg clues.svg
    """
    pace = ExperimentProgress(len(COURSE_LEVELS), "boards", lambda found: (found[-1].level, found[-1].boards))
    run_to_end(measure_clues(boards, seed), pace, partial(_show, form, svg))


def _show(form: str, svg: Path | None, found: list[ClueShares]) -> None:
    print_table_as(form, RecordTable(CLUE_HEADINGS, [*map(_row, found)], [*map(clue_shares_record, found)]))
    if form == "text":
        click.echo(_chart(found))
    if svg is not None:
        write_atomically(svg, _picture(found))


def _row(level: ClueShares) -> list[str]:
    return [level.level, level.zeros.text(2, percent=True), f"{level.ratio:.2%}", str(level.boards)]


def _chart(found: list[ClueShares]) -> str:
    """Two bars per level, for a terminal or a text file."""
    width = max(len(level.level) for level in found)
    lines = [""]
    for level in found:
        for name, what, share in (
            (level.level, "clues of 0", level.zeros.value),
            ("", "traps per gem", level.ratio),
        ):
            lines.append(f"{name:{width}}  {what:13}  {'█' * round(FULL_BAR * share)} {share:.1%}")
    return "\n".join(lines)


def _picture(found: list[ClueShares]) -> str:
    zeros = Bars("clues of 0 among all clues", tuple(level.zeros.value for level in found))
    ratio = Bars("traps per gem", tuple(level.ratio for level in found))
    return draw_bars(
        f"{found[0].boards:,} random boards per level", [level.level for level in found], [zeros, ratio]
    )
