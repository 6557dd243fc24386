"""`gemhunter samples`: the boards that come with the package."""

import click

from gemhunter.cli.output import RecordTable, print_table_as, table_format_option
from gemhunter.files.samples import SAMPLES
from gemhunter.records.answers import sample_record

SAMPLE_HEADINGS = ("board", "size", "unknown", "what is special")


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
    records = [sample_record(name) for name in SAMPLES]
    rows = [
        [each["name"], f"{each['rows']}×{each['cols']}", str(each["unknown"]), each["about"]]
        for each in records
    ]
    print_table_as(form, RecordTable(SAMPLE_HEADINGS, rows, records))
