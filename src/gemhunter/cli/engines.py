"""`gemhunter engines`: who can be asked."""

import json
from dataclasses import asdict

import click

from gemhunter.cli.options import format_option


@click.command()
@format_option
def engines(form: str) -> None:
    """List all engines, and what each can do.

    Whether it decides every board, writes proofs, and the limits it keeps.

    \b
    Examples:
      gemhunter engines
      gemhunter engines --format json
    """
    from gemhunter.cli.screen import print_table
    from gemhunter.solving.registry import engines as all_engines

    infos = all_engines()
    if form == "json":
        click.echo(json.dumps([{**asdict(info), "limits": info.limits} for info in infos], indent=2))
        return
    rows = [
        [
            *(
                info.name,
                info.about,
                "yes" if info.complete else "no",
                "yes" if info.proofs else "no",
                ", ".join(info.limits),
                info.step,
            ),
            " ".join(info.settings),
        ]
        for info in infos
    ]
    print_table(["engine", "what it is", "complete", "proofs", "limits", "step", "settings"], rows)
