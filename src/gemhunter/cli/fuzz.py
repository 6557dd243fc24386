"""`gemhunter fuzz`: random boards, formulas, files and options, looking for wrong answers and crashes."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.fuzz_calls import calling, command_facts
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import AT_LEAST_ONE, SEED, RealNumber
from gemhunter.cli.options import complete_engine
from gemhunter.cli.progress import Progress
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.files import make_folder, read_text, write_atomically
from gemhunter.fuzzing.calls import CallCase, looks_like_call, read_call_case, verdict
from gemhunter.fuzzing.campaign import (
    Call,
    CallTally,
    CampaignTally,
    default_engines,
    fuzz_calls,
    readers_of_clauses,
)
from gemhunter.fuzzing.campaign import fuzz as campaign
from gemhunter.fuzzing.cases import Case, read_case
from gemhunter.fuzzing.random_calls import make_file_case, make_option_case
from gemhunter.fuzzing.verdicts import judge
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import get_engine, require_installed

DEFAULT_CASES = 1000
CASE_KINDS = {"boards": "board", "formulas": "formula", "files": "damaged file", "options": "command line"}
"""What can be tried, and what one case of it is called."""

OF_ENGINES = ("boards", "formulas")
"""Kinds that engines are asked about; others are run as commands."""


AT_HAND = "at-hand"
"""The file of the case that is being tried; it remains if that case crashes the program."""

CASE_SUFFIXES = (".txt", ".cnf", ".json")
"""What the names of kept cases end in."""


@dataclass(frozen=True, slots=True)
class FuzzSetting:
    """What is tried, from which seed, when it is enough, and the folder for what is found."""

    kind: str
    seed: int
    cases: int | None
    seconds: float | None
    folder: Path | None

    def put_at_hand(self, case: Case | CallCase) -> None:
        """Keep the case that is tried next."""
        if self.folder is not None:
            make_folder(self.folder)
            (self.folder / AT_HAND).write_text(case.text(), encoding="utf-8", newline="\n")


@click.command()
@click.option(
    "--kind",
    type=click.Choice(list(CASE_KINDS)),
    default="boards",
    show_default=True,
    help="Boards or formulas for engines, or damaged files or hostile options for all commands.",
)
@click.option("--formulas", is_flag=True, help="Short for --kind formulas.")
@click.option(
    "-e",
    "--engine",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_engine,
    help="Engine to ask; may be given several times. Without it, all that are quick to start.",
)
@click.option(
    "--cases", "--boards", type=AT_LEAST_ONE, metavar="N", help="Stop after N cases [default: 1000]."
)
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
    if formulas and kind not in OF_ENGINES:
        raise click.UsageError(f"--formulas and --kind {kind} exclude each other; give one of them")
    kind = "formulas" if formulas else kind
    if replay:
        return _replay(replay, _engines(engine, kind))
    if cases is None and seconds is None:
        cases = DEFAULT_CASES
    folder = None if output is None else output.absolute()
    setting = FuzzSetting(kind, seed, cases, seconds, folder)
    return _fuzz_engines(engine, setting) if kind in OF_ENGINES else _fuzz_commands(engine, setting)


def _fuzz_engines(names: tuple[str, ...], setting: FuzzSetting) -> int:
    """Ask engines about boards or formulas."""
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


def _fuzz_commands(names: tuple[str, ...], setting: FuzzSetting) -> int:
    """Run commands on damaged files or with hostile options."""
    if names:
        raise click.UsageError("--engine is for boards and formulas; files and options are for commands")
    make = make_file_case if setting.kind == "files" else partial(make_option_case, command_facts())
    tally = CallTally()
    with ExitStack() as stack:
        call = stack.enter_context(calling())
        tallies = fuzz_calls(make, call, tally, seed=setting.seed, before=setting.put_at_hand)
        return _searched(tallies, tally, setting, "")


def _searched(
    tallies: Iterator[CampaignTally] | Iterator[CallTally],
    tally: CampaignTally | CallTally,
    setting: FuzzSetting,
    asked: str,
) -> int:
    """Search, and print the result, also if the search is stopped."""
    try:
        _search(tallies, setting, f"fuzzing {setting.kind}{asked},")
    finally:
        tried = counted(tally.cases, CASE_KINDS[setting.kind])
        click.echo(f"{tried}{asked}, seed {setting.seed}: {len(tally.findings)} found")
    return NO_SOLUTION if tally.findings else SOLVED


def _engines(names: tuple[str, ...], kind: str) -> Sequence[Engine]:
    """The engines to ask, all of them readers of clauses if there are formulas to read."""
    engines = [require_installed(get_engine(name)) for name in names or default_engines()]
    if kind == "formulas":
        engines = readers_of_clauses(engines)
    if not engines:
        raise InputError("none of these engines reads clauses; leave out --formulas, or name others")
    return engines


def _search(tallies: Iterator[CampaignTally] | Iterator[CallTally], setting: FuzzSetting, title: str) -> None:
    """Go on until it is enough; findings are printed, and written, as they come."""
    progress = Progress(1, unit="cases")
    progress.begin(title)
    began, shown = time.monotonic(), 0
    for now in tallies:
        elapsed = time.monotonic() - began
        progress.tick(elapsed, now.cases)
        for finding in now.findings[shown:]:
            progress.clear()
            click.echo(finding.text())
            if setting.folder is not None:
                kind = setting.kind.removesuffix("s")
                name = f"{kind}-{setting.seed}-{finding.number}-{shown}{finding.case.suffix}"
                write_atomically(setting.folder / name, finding.text())
            shown += 1
        if now.cases == setting.cases or (setting.seconds is not None and elapsed >= setting.seconds):
            break
    progress.clear()
    if setting.folder is not None:
        (setting.folder / AT_HAND).unlink(missing_ok=True)


def _replay(sources: Sequence[str], engines: Sequence[Engine]) -> int:
    """Try the cases in these files and folders again; the exit code."""
    files = [file for source in sources for file in _files(Path(source))]
    texts = [(str(file), read_text(file)) for file in files]
    wrong = 0
    with ExitStack() as stack:
        # Running commands needs a folder of its own, which boards and formulas do not.
        call = stack.enter_context(calling()) if any(looks_like_call(text) for _, text in texts) else None
        for name, text in texts:
            complaints = _complaints(name, text, engines, call)
            wrong += bool(complaints)
            for complaint in complaints:
                click.echo(f"{name}: {complaint}")
    click.echo(f"{counted(len(files), 'case')}, {counted(len(engines), 'engine')}: {wrong} found")
    return NO_SOLUTION if wrong else SOLVED


def _complaints(name: str, text: str, engines: Sequence[Engine], call: Call | None) -> list[str]:
    """What is wrong about the case in this text."""
    if call is None or not looks_like_call(text):
        return [str(complaint) for complaint in judge(read_case(text, name), engines)]
    case = read_call_case(text, name)
    complaint = verdict(case, call(case))
    return [] if complaint is None else [complaint]


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.iterdir() if path.suffix in CASE_SUFFIXES)
