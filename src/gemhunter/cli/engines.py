"""`gemhunter engines`: the engines that boards can be solved with."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from gemhunter.bench import starter_solver
from gemhunter.cli.declare import argument, command, option
from gemhunter.cli.exit_codes import note
from gemhunter.cli.options import complete_engine
from gemhunter.cli.output import TABLE_FORMS, format_option, prose, table_in, wrap
from gemhunter.errors import GemHunterError, InputError
from gemhunter.records.engines import engine_record
from gemhunter.solving.engine import Engine, EngineInfo
from gemhunter.solving.registry import by_family, engine_names, get_engine
from gemhunter.wording import program_name

LIST_COLUMNS = 80
"""The width of the list, and of the page about an engine."""


@command()
def engines(
    names: tuple[str, ...] = argument(nargs=-1, metavar="[NAME]...", shell_complete=complete_engine),
    form: str = format_option(*TABLE_FORMS),
    new: Path | None = option(
        "--new FILE",
        "Write a small solver that works, as a start for your own.",
        type=click.Path(path_type=Path),
    ),
) -> None:
    """List all engines, show everything about some of them, or start one of your own.

    \b
    Examples:
      gemhunter engines
      gemhunter engines cdcl
      gemhunter engines --new mine.py
      gemhunter engines genetic:population=50 pysat:g4
      gemhunter engines --format csv

    The list says which engines decide every board, given time (complete), which write proofs, and which are
    not installed. With a NAME, the page also has the limits that the engine keeps, what a step is, and its
    settings.
    """
    if new is not None:
        _write_starter(new)
    elif form == "text" and names:
        click.echo("\n\n".join("\n".join(_card(_record(name, strict=True))) for name in names))
    elif form == "text":
        click.echo("\n".join(_list()))
        note(f"{program_name()} engines NAME shows one in full: settings, limits, and what a step is")
    else:
        records = [_record(name, strict=bool(names)) for name in names or engine_names()]
        headings = ["engine", "what it is", "complete", "proofs", "limits", "step", "settings", "installed"]
        click.echo(table_in(form, [headings, *map(_row, records)], records), nl=False)


def _write_starter(file: Path) -> None:
    """Write a small working solver to start from."""
    if file.suffix != ".py":
        raise InputError(f"a solver of your own is a file of Python code, such as mine.py, not {file}")
    typed = str(file) if file.is_absolute() or file.parts[0] == ".." else os.path.join(os.curdir, file)  # noqa: PTH118
    starter = Path(starter_solver.__file__).read_text(encoding="utf-8")
    text = starter.replace("./mine.py", typed).replace("gemhunter ", f"{program_name()} ")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(f"{file} exists already; give another name") from None
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
    quoted = f'"{typed}"' if " " in typed else typed
    click.echo(f"{file} has a solver by backtracking; try: {program_name()} solve sample:9x9 -e {quoted}")


def _record(name: str, *, strict: bool = False) -> dict[str, Any]:
    """Everything about one engine; a plug-in that cannot be loaded is an error only if `strict`."""
    found: Engine | None = None
    try:
        found = get_engine(name)
        info = found.info if strict else replace(found.info, name=name)
    except GemHunterError as error:
        if strict:
            raise
        info = EngineInfo(name, str(error), complete=False, deterministic=False, time_limit=False)
    return engine_record(info, found)


def _list() -> Iterator[str]:
    """The lines of the list, family by family; a long name or description takes several lines."""
    yield _line("engine", "complete", "proofs", "what it is")
    for family, members in by_family(engine_names()).items():
        yield f"\n{family}"
        for record in map(_record, members):
            first, *others = wrap(f"  {record['name']}", 22)
            names = [first, *(f"    {part}" for part in others)]
            complete, proofs = [_yes(record["complete"])], [_yes(record["proofs"])]
            about = prose(_about(record), LIST_COLUMNS - len(_line("", "", "", "")))
            lines = zip_longest(names, complete, proofs, about, fillvalue="")
            yield from (_line(*cells).rstrip() for cells in lines)


def _line(name: str, complete: str, proofs: str, about: str) -> str:
    return f"{name:<22}  {complete:<8}  {proofs:<6}  {about}"


def _about(record: Mapping[str, Any]) -> str:
    """What an engine is, and the package that it lacks, if any."""
    missing = record["package"] and not record["installed"]
    needs = f" (not installed: needs the package {record['package']})" if missing else ""
    return f"{record['about']}{needs}"


def _card(record: Mapping[str, Any]) -> Iterator[str]:
    """Everything about one engine, a line per fact."""
    process = "this one" if record["is_trusted"] else "another one, which has imported the file"
    if record["own_process"]:
        process = "a new one for every board"
    facts = {
        "description": _about(record),
        "reads": "clauses" if record["reads"] == "clauses" else "the board",
        "complete": "yes, it decides every board, given time" if record["complete"] else "no, it may give up",
        "repeatable": "yes" if record["deterministic"] else "no, the same seed can give another answer",
        "proofs": _yes(record["proofs"]),
        "limits": ", ".join(record["limits"]) or "none",
        "step": record["step"] or "not counted",
        "process": process,
        "settings": ", ".join(record["settings"]) + " by default" if record["settings"] else "none",
    }
    width = max(map(len, facts))
    yield record["name"]
    for fact, text in facts.items():
        first, *others = prose(text, LIST_COLUMNS - width - 4)
        yield f"  {fact:<{width}}  {first}"
        yield from (f"  {'':<{width}}  {line}" for line in others)


def _row(record: Mapping[str, Any]) -> list[str]:
    """An engine as a row of a table for programs."""
    decides = [record["name"], record["about"], _yes(record["complete"]), _yes(record["proofs"])]
    keeps = [", ".join(record["limits"]), record["step"], " ".join(record["settings"])]
    return [*decides, *keeps, _yes(record["installed"])]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
