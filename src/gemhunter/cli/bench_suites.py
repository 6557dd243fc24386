"""`gemhunter bench suites`: the comparisons that come with the package."""

import click

from gemhunter.bench.suites import load_suite, suite_names
from gemhunter.cli.table_formats import RecordTable, print_table_as, table_format_option
from gemhunter.report.bench_records import suite_record


@click.command("suites")
@table_format_option
def list_suites(form: str) -> None:
    """List the built-in suites with their boards, engines and limits.

    \b
    Examples:
      gemhunter bench suites
      gemhunter bench suites --format json
    """
    suites = [load_suite(name) for name in suite_names()]
    records = [suite_record(suite) for suite in suites]
    rows = [[suite.name, str(len(suite.boards)), suite.title, ", ".join(suite.engines)] for suite in suites]
    print_table_as(form, RecordTable(["suite", "boards", "what it is", "engines"], rows, records))
