"""`gemhunter samples`: the boards that come with the package."""

import click

from gemhunter.cli.declare import command
from gemhunter.cli.output import TABLE_FORMS, format_option, table_in
from gemhunter.files.samples import SAMPLES
from gemhunter.records.engines import sample_record


@command()
def samples(form: str = format_option(*TABLE_FORMS)) -> None:
    """List the boards that come with Gem Hunter.

    \b
    Examples:
      gemhunter samples
      gemhunter solve sample:9x9
      gemhunter analyse sample:16x30

    These names can be used wherever a command expects a board. S1 to S5 are course programs;
    `gemhunter report` shows their figures beside those measured here.
    """
    records = [sample_record(name) for name in SAMPLES]
    rows = [["board", "size", "unknown", "description"]]
    rows += [
        [each["name"], f"{each['rows']}×{each['cols']}", str(each["unknown"]), each["about"]]
        for each in records
    ]
    click.echo(table_in(form, rows, records), nl=False)
