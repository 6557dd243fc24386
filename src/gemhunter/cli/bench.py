"""`gemhunter bench`: boards × engines × runs, compared fairly."""

import click

from gemhunter.cli.commands import CommandEntry, LazyGroup

PARTS = {
    "run": CommandEntry("gemhunter.cli.bench_run:run_bench", "Measure engines on boards, and print a table."),
    "show": CommandEntry(
        "gemhunter.cli.bench_show:show_bench",
        "Print the table of a LEDGER again, draw it, or compare two of them.",
    ),
    "suites": CommandEntry(
        "gemhunter.cli.bench_suites:list_suites",
        "List the built-in suites with their boards, engines and limits.",
    ),
}

DEFAULT_PART = "run"
"""The part that may be left out."""


class BenchGroup(LazyGroup):
    """A group in which `bench s1` means `bench run s1`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `run` first unless a part, or help, is asked for."""
        if args and args[0] not in (*PARTS, *ctx.help_option_names):
            args = [DEFAULT_PART, *args]
        return super().parse_args(ctx, args)


@click.group(cls=BenchGroup, sections={"Parts": PARTS}, kind="part of bench", no_args_is_help=True)
def bench() -> None:
    """Compare engines on boards: which is fastest, and where.

    `bench s1` is short for `bench run s1`. Every engine runs in a process of its own, under limits that hold
    whatever the engine does. Every answer is checked. With -o, nothing measured is lost.

    \b
    Examples:
      gemhunter bench s1
      gemhunter bench my-boards/ -e cdcl -e pysat:glucose4 --runs 5 -o bench.jsonl
      gemhunter bench --resume bench.jsonl
      gemhunter bench show bench.jsonl --format md
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench suites
    """
