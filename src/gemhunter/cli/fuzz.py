"""`gemhunter fuzz`: random boards, formulas, files and options, looking for wrong answers and crashes."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import AMOUNT, SEED, RealNumber
from gemhunter.cli.options import complete_engine
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gemhunter.cli.fuzz_search import FuzzSetting
    from gemhunter.fuzzing.campaign import CallTally, CampaignTally
    from gemhunter.solving.protocols import Engine

DEFAULT_CASES = 1000
KINDS = {"boards": "board", "formulas": "formula", "files": "damaged file", "options": "command line"}
"""What can be tried, and what one case of it is called."""

OF_ENGINES = ("boards", "formulas")
"""Kinds that engines are asked about; others are run as commands."""


@click.command()
@click.option(
    "--kind",
    type=click.Choice(list(KINDS)),
    default="boards",
    show_default=True,
    help="Boards or formulas for engines, or damaged files or hostile options for all commands.",
)
@click.option("--formulas", is_flag=True, help="The same as --kind formulas.")
@click.option(
    "-e",
    "--engine",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_engine,
    help="Engine to ask; may be given several times. Without it, all that are quick to start.",
)
@click.option("--cases", "--boards", type=AMOUNT, metavar="N", help="Stop after N cases [default: 1000].")
@click.option("--seconds", type=RealNumber(min=0), metavar="S", help="Stop after S seconds instead.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the cases.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep findings.",
)
@click.option("--replay", multiple=True, metavar="FILE", help="Try the case in FILE, or a folder of them.")
@quiet_option
def fuzz(
    engine: tuple[str, ...],
    *,
    kind: str,
    formulas: bool,
    cases: int | None,
    seconds: float | None,
    seed: int,
    output: Path | None,
    replay: tuple[str, ...],
) -> int:
    """Try random cases: is any engine wrong, does any command crash?

    Engines are asked about random boards or clauses; their answers, solutions and proofs are checked.
    Commands are run on damaged files or with hostile values of their options, and must end with a documented
    exit code and a clear message. What fails is made as small as possible, printed, and kept in FOLDER. The
    same seed gives the same cases.

    Returns 0 if nothing was found and 1 if something was.

    \b
    Examples:
      gemhunter fuzz
      gemhunter fuzz --engine backtracking --engine pysat:minicard --seconds 60 --seed 7
      gemhunter fuzz --kind formulas --cases 5000 -o findings/
      gemhunter fuzz --kind files --cases 20000
      gemhunter fuzz --replay findings/
    """
    from gemhunter.cli.fuzz_search import FuzzSetting, replay_cases

    if formulas and kind not in OF_ENGINES:
        raise click.UsageError(f"--formulas and --kind {kind} exclude each other; give one of them")
    kind = "formulas" if formulas else kind
    if replay:
        return replay_cases(replay, _engines(engine, kind))
    if cases is None and seconds is None:
        cases = DEFAULT_CASES
    folder = None if output is None else output.absolute()
    setting = FuzzSetting(kind, seed, cases, seconds, folder)
    return _fuzz_engines(engine, setting) if kind in OF_ENGINES else _fuzz_commands(engine, setting)


def _fuzz_engines(names: tuple[str, ...], setting: "FuzzSetting") -> int:
    """Ask engines about boards or formulas."""
    from gemhunter.fuzzing.campaign import CampaignTally
    from gemhunter.fuzzing.campaign import fuzz as campaign

    engines, tally = _engines(names, setting.kind), CampaignTally()
    asked = counted(len(engines), "engine")
    tallies = campaign(
        engines,
        tally,
        seed=setting.seed,
        formulas=setting.kind == "formulas",
        before=setting.put_at_hand,
    )
    return _searched(tallies, tally, setting, f", {asked}")


def _fuzz_commands(names: tuple[str, ...], setting: "FuzzSetting") -> int:
    """Run commands on damaged files or with hostile options."""
    from gemhunter.cli.fuzz_calls import calling, command_facts
    from gemhunter.fuzzing.campaign import CallTally, fuzz_calls
    from gemhunter.fuzzing.random_calls import make_file_case, make_option_case

    if names:
        raise click.UsageError("--engine is for boards and formulas; files and options are for commands")
    make = make_file_case if setting.kind == "files" else partial(make_option_case, command_facts())
    tally = CallTally()
    with ExitStack() as stack:
        call = stack.enter_context(calling())
        tallies = fuzz_calls(make, call, tally, seed=setting.seed, before=setting.put_at_hand)
        return _searched(tallies, tally, setting, "")


def _searched(
    tallies: "Iterator[CampaignTally] | Iterator[CallTally]",
    tally: "CampaignTally | CallTally",
    setting: "FuzzSetting",
    asked: str,
) -> int:
    """Search, and print what it came to, also if it is stopped."""
    from gemhunter.cli.fuzz_search import search

    try:
        search(tallies, setting, f"fuzzing {setting.kind}{asked},")
    finally:
        tried = counted(tally.cases, KINDS[setting.kind])
        click.echo(f"{tried}{asked}, seed {setting.seed}: {len(tally.findings)} found")
    return NO_SOLUTION if tally.findings else SOLVED


def _engines(names: tuple[str, ...], kind: str) -> "Sequence[Engine]":
    """The engines to ask, all of them readers of clauses if there are formulas to read."""
    from gemhunter.fuzzing.campaign import default_engines, readers_of_clauses
    from gemhunter.solving.registry import get_engine, require_installed

    engines = [require_installed(get_engine(name)) for name in names or default_engines()]
    if kind == "formulas":
        engines = readers_of_clauses(engines)
    if not engines:
        raise InputError("none of these engines reads clauses; leave out --formulas, or name others")
    return engines
