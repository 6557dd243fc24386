"""The figures that the sources print, read from `sources.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).with_name("sources.toml")


@dataclass(frozen=True, slots=True)
class SourceTimes:
    """A source's table of times.

    `methods` are its own names with the engines that stand for them here. `seconds` has a row per board with
    an entry per method: a time, or words where the source has none. `labels` are what its charts call boards.
    """

    about: str
    methods: Mapping[str, str]
    seconds: Mapping[str, tuple[float | str, ...]]
    labels: Mapping[str, str]
    has_chart_per_board: bool

    def of(self, board: str, method: str) -> float | str | None:
        """A figure; None if the source has no such board."""
        row = self.seconds.get(board)
        return None if row is None else row[list(self.methods).index(method)]


@dataclass(frozen=True, slots=True)
class SourceGames:
    """A line of S5's table: three games on one level with one number of initial safe cells."""

    level: str
    initial: int
    marked: tuple[int, ...]
    rounds: tuple[int, ...]


@cache
def source_times() -> dict[str, SourceTimes]:
    """The tables of S1 to S4, by the names of their suites."""
    return {
        name: SourceTimes(
            table["about"],
            table["methods"],
            {board: tuple(row) for board, row in table["seconds"].items()},
            table.get("labels", {}),
            table.get("charts", False),
        )
        for name, table in _figures().items()
        if name != "s5"
    }


@cache
def source_games() -> dict[tuple[str, int], SourceGames]:
    """The table of S5, by level and number of initial safe cells."""
    lines = (
        SourceGames(line["level"], line["initial"], tuple(line["marked"]), tuple(line["rounds"]))
        for line in _figures()["s5"]
    )
    return {(line.level, line.initial): line for line in lines}


def _figures() -> dict[str, Any]:
    return tomllib.loads(FIGURES.read_text(encoding="utf-8"))
