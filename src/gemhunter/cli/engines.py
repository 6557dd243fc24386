"""`gemhunter engines`: the engines that boards can be solved with."""

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.notes import note, quiet_option
from gemhunter.cli.options import complete_engine
from gemhunter.cli.output import RecordTable, print_table_as, table_format_option, wrap
from gemhunter.engines import starter_solver
from gemhunter.errors import GemHunterError, InputError
from gemhunter.printable import program_name
from gemhunter.records.answers import engine_record
from gemhunter.solving.engine import Engine, EngineInfo
from gemhunter.solving.registry import by_family, engine_names, get_engine

LIST_COLUMNS = 80
"""How wide the list is."""

NAME_COLUMNS = 20
"""How wide its names are; longer ones take two lines."""

ENGINE_HEADINGS = ("engine", "what it is", "complete", "proofs", "limits", "step", "settings", "installed")


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_engine)
@table_format_option
@click.option(
    "--new", type=click.Path(path_type=Path), metavar="FILE", help="Write a solver of your own to begin with."
)
@quiet_option
def engines(names: tuple[str, ...], form: str, new: Path | None) -> None:
    """List all engines, show everything about some of them, or begin one of your own.

    The list says which engines decide every board, given time (complete), which write proofs, and which are
    not installed. With a NAME, also the limits that an engine keeps, what a step is, and its settings.

    \b
    Examples:
      gemhunter engines
      gemhunter engines cdcl
      gemhunter engines genetic:population=50 pysat:g4
      gemhunter engines --format csv
      gemhunter engines --new mine.py
    """
    if new is not None:
        _write_starter(new)
        return
    if form != "text":
        records = [_record(name, strict=bool(names)) for name in names or engine_names()]
        rows = [_row(record) for record in records]
        print_table_as(form, RecordTable(ENGINE_HEADINGS, rows, records))
    elif names:
        click.echo("\n\n".join("\n".join(_card(_record(name, strict=True))) for name in names))
    else:
        click.echo("\n".join(_list(engine_names())))
        note(f"{program_name()} engines NAME shows one in full: settings, limits, and what a step is")


def _write_starter(file: Path) -> None:
    """Write a small solver that works, for its reader to change."""
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
    """Everything about one engine; a plug-in that cannot be loaded is an error only if that is `strict`."""
    found: Engine | None = None
    try:
        found = get_engine(name)
        info = found.info if strict else replace(found.info, name=name)
    except GemHunterError as error:
        if strict:
            raise
        info = EngineInfo(name, str(error), complete=False, deterministic=False, time_limit=False)
    return engine_record(info, found)


def _list(names: Sequence[str]) -> Iterator[str]:
    """The lines of the list, family by family."""
    yield _line("engine", "complete", "proofs", "what it is")
    for family, members in by_family(names).items():
        yield f"\n{family}"
        for record in map(_record, members):
            shown = wrap(f"  {record['name']}", NAME_COLUMNS + 2)
            about = _prose(_about(record), LIST_COLUMNS - len(_line("", "", "", "")))
            yield _line(shown[0], _yes(record["complete"]), _yes(record["proofs"]), about[0])
            for place in range(1, max(len(shown), len(about))):
                name = f"    {shown[place]}" if place < len(shown) else ""
                yield _line(name, "", "", about[place] if place < len(about) else "").rstrip()


def _line(name: str, complete: str, proofs: str, about: str) -> str:
    return f"{name:<{NAME_COLUMNS + 2}}  {complete:<8}  {proofs:<6}  {about}"


def _about(record: Mapping[str, Any]) -> str:
    """What an engine is and, if so, that it is not installed."""
    missing = record["package"] and not record["installed"]
    needs = f" (not installed: needs the package {record['package']})" if missing else ""
    return f"{record['about']}{needs}"


def _card(record: Mapping[str, Any]) -> Iterator[str]:
    """Everything about one engine, a line per fact."""
    process = "this one" if record["is_trusted"] else "another one, which has imported the file"
    if record["own_process"]:
        process = "one of its own for every board"
    facts = {
        "what it is": _about(record),
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
        first, *others = _prose(text, LIST_COLUMNS - width - 4)
        yield f"  {fact:<{width}}  {first}"
        yield from (f"  {'':<{width}}  {line}" for line in others)


def _prose(text: str, width: int) -> list[str]:
    """Wrap a text to lines of at most `width` characters; `key=value` stays together."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _row(record: Mapping[str, Any]) -> list[str]:
    """A row of the whole table."""
    return [
        record["name"],
        record["about"],
        _yes(record["complete"]),
        _yes(record["proofs"]),
        ", ".join(record["limits"]),
        record["step"],
        " ".join(record["settings"]),
        _yes(record["installed"]),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
