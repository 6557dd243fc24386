"""`gemhunter samples`: the boards that come with the package."""

import click

from gemhunter.cli.table_forms import RecordTable, print_table_as, table_format_option

HEADINGS = ("board", "size", "unknown", "what is special")


@click.command()
@table_format_option
def samples(form: str) -> None:
    """List the boards that come with Gem Hunter.

    Every command that takes a board takes such a name in its place.

    \b
    Examples:
      gemhunter samples
      gemhunter solve sample:9x9
      gemhunter analyse sample:16x30
    """
    from gemhunter.core.grid import HIDDEN
    from gemhunter.formats.samples import SAMPLE_PREFIX, SAMPLES
    from gemhunter.play.game_names import read_grid

    records = []
    for name, sample in SAMPLES.items():
        grid = read_grid(f"{SAMPLE_PREFIX}{name}", sample.zero)
        size = {"rows": grid.rows, "cols": grid.cols, "unknown": int((grid.cells == HIDDEN).sum())}
        records.append({"name": f"{SAMPLE_PREFIX}{name}", **size, "zero": sample.zero, "about": sample.about})
    rows = [
        [str(each["name"]), f"{each['rows']}×{each['cols']}", str(each["unknown"]), str(each["about"])]
        for each in records
    ]
    print_table_as(form, RecordTable(HEADINGS, rows, records))
