"""`gemhunter bench suites`: the comparisons that come with the package."""

import click

from gemhunter.cli.options import format_option


@click.command("suites")
@format_option
def list_suites(form: str) -> None:
    """List the built-in suites with their boards, engines and limits.

    \b
    Examples:
      gemhunter bench suites
      gemhunter bench suites --format json
    """
    import json

    from gemhunter.bench.suites import load_suite, suite_names
    from gemhunter.cli.screen import print_table

    suites = [load_suite(name) for name in suite_names()]
    if form == "json":
        records = [
            {
                "suite": suite.name,
                "title": suite.title,
                "boards": [board.name for board in suite.boards],
                "engines": list(suite.engines),
                "runs": suite.runs,
                "runs_of": dict(suite.runs_of),
                "seconds": suite.seconds,
            }
            for suite in suites
        ]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
        return
    rows = [[suite.name, str(len(suite.boards)), suite.title, ", ".join(suite.engines)] for suite in suites]
    print_table(["suite", "boards", "what it is", "engines"], rows)
