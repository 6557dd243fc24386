"""The long part of `gemhunter fuzz`: searching until it is enough, keeping what is found, asking again."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.progress import Progress
from gemhunter.core.plurals import counted
from gemhunter.formats.files import make_folder, read_text, write_atomically

if TYPE_CHECKING:
    from gemhunter.fuzzing.calls import CallCase
    from gemhunter.fuzzing.campaign import Call, CallTally, CampaignTally
    from gemhunter.fuzzing.cases import Case
    from gemhunter.solving.protocols import Engine

AT_HAND = "at-hand"
"""The file of the case that is being tried: it is left if that takes the program down."""

SUFFIXES = (".txt", ".cnf", ".json")
"""What the names of kept cases end in."""


@dataclass(frozen=True, slots=True)
class FuzzSetting:
    """What is tried, from which seed, when it is enough, and the folder for what is found."""

    kind: str
    seed: int
    cases: int | None
    seconds: float | None
    folder: Path | None

    def put_at_hand(self, case: "Case | CallCase") -> None:
        """Keep the case that is tried next."""
        if self.folder is not None:
            make_folder(self.folder)
            (self.folder / AT_HAND).write_text(case.text(), encoding="utf-8", newline="\n")


def search(
    tallies: "Iterator[CampaignTally] | Iterator[CallTally]", setting: FuzzSetting, title: str
) -> None:
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


def replay_cases(sources: Sequence[str], engines: "Sequence[Engine]") -> int:
    """Try the cases in these files and folders again; the exit code."""
    from gemhunter.cli.fuzz_calls import calling
    from gemhunter.fuzzing.calls import looks_like_call

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


def _complaints(name: str, text: str, engines: "Sequence[Engine]", call: "Call | None") -> list[str]:
    """What is wrong about the case in this text."""
    from gemhunter.fuzzing.calls import looks_like_call, read_call_case, verdict
    from gemhunter.fuzzing.cases import read_case
    from gemhunter.fuzzing.verdicts import judge

    if call is None or not looks_like_call(text):
        return [str(complaint) for complaint in judge(read_case(text, name), engines)]
    case = read_call_case(text, name)
    complaint = verdict(case, call(case))
    return [] if complaint is None else [complaint]


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.iterdir() if path.suffix in SUFFIXES)
