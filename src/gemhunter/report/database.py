"""Measurements as a table for SQL: queries by DuckDB, and Parquet files for other programs."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gemhunter.bench.ledger import KeptRuns
from gemhunter.bench.values import RUN_STAGES, Measurement
from gemhunter.errors import InputError
from gemhunter.extras import has_package, missing_text
from gemhunter.formats.files import write_atomically
from gemhunter.report.tables.text_table import TextTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

RUN_COLUMNS = {
    "ledger": "VARCHAR",
    "board": "VARCHAR",
    "rows": "INTEGER",
    "cols": "INTEGER",
    "unknown": "INTEGER",
    "clues": "INTEGER",
    "traps": "INTEGER",
    "engine": "VARCHAR",
    "run": "INTEGER",
    "verdict": "VARCHAR",
    "reason": "VARCHAR",
    "seconds": "DOUBLE",
    **{f"{stage}_seconds": "DOUBLE" for stage in RUN_STAGES},
    "memory": "BIGINT",
    "counters": "JSON",
}
"""The columns of the table `runs`: one row per run. `seconds` is empty for a run without an answer."""


def query(ledgers: Sequence[tuple[str, KeptRuns]], sql: str) -> TextTable:
    """What an SQL query about the table `runs` answers, as text."""
    with _runs(ledgers) as database:
        found = _executed(database, sql)
        headings = tuple(column[0] for column in found.description or ())
        rows = tuple(tuple(map(_text, row)) for row in found.fetchall())
    return TextTable(headings, rows)


def write_parquet(ledgers: Sequence[tuple[str, KeptRuns]], path: Path) -> None:
    """Write the table `runs` to a Parquet file, whole or not at all."""
    with _runs(ledgers) as database, TemporaryDirectory(prefix="gemhunter-") as folder:
        draft = Path(folder, "runs.parquet")
        quoted = str(draft).replace("'", "''")
        _executed(database, f"COPY runs TO '{quoted}' (FORMAT parquet)")
        write_atomically(path, draft.read_bytes())


@contextmanager
def _runs(ledgers: Sequence[tuple[str, KeptRuns]]) -> Iterator["DuckDBPyConnection"]:
    """A database in memory with the table `runs`."""
    if not has_package("duckdb"):
        raise InputError(missing_text("SQL and Parquet need", "duckdb"))
    import duckdb

    rows = [row for name, kept in ledgers for row in _rows(name, kept)]
    with duckdb.connect() as database:
        columns = ", ".join(f"{name} {kind}" for name, kind in RUN_COLUMNS.items())
        database.execute(f"CREATE TABLE runs ({columns})")
        if rows:
            places = ", ".join("?" * len(RUN_COLUMNS))
            with _duckdb_errors():
                database.executemany(f"INSERT INTO runs VALUES ({places})", rows)  # noqa: S608 - only marks
        yield database


def _executed(database: "DuckDBPyConnection", sql: str) -> "DuckDBPyConnection":
    with _duckdb_errors():
        if not database.extract_statements(sql):
            raise InputError("an empty query; expected SQL, such as SELECT * FROM runs")
        return database.execute(sql)


@contextmanager
def _duckdb_errors() -> Iterator[None]:
    """What DuckDB refuses inside is an `InputError`; so is text that is not Unicode, which it cannot take."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise InputError(f"DuckDB says: {str(error).splitlines()[0]}") from None
    except (RuntimeError, TypeError, UnicodeError):
        raise InputError("DuckDB takes Unicode only; leave out what is not") from None


def _rows(name: str, kept: KeptRuns) -> Iterator[list[object]]:
    boards = {board.name: board for board in kept.heading.boards}
    for each in kept.measurements:
        board = boards[each.task.board]
        size = [board.rows, board.cols, board.unknown, board.clues, board.total]
        yield [name, board.name, *size, *_of_run(each)]


def _of_run(each: Measurement) -> list[object]:
    stages = [each.seconds.get(stage) for stage in RUN_STAGES]
    said = [each.task.engine, each.task.run, each.verdict.value, each.reason]
    return [*said, each.total, *stages, each.memory, json.dumps(dict(each.counters))]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
