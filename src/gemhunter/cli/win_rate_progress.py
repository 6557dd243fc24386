"""The progress of an experiment, with its running estimate."""

import sys
from typing import TYPE_CHECKING, Self

import numpy as np

from gemhunter.cli.notes import is_quiet
from gemhunter.cli.win_rate_texts import level_name
from gemhunter.experiments.winrate import win_rate

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from gemhunter.experiments.series import Series, Tallies


class WinRateProgress:
    """A bar on standard error, of all games, beside the estimate for the series that is being played.

    Nothing unless standard error is a terminal. It is drawn by whoever plays: a thread that drew it would
    not survive the forking of processes.
    """

    def __init__(self, tallies: "Tallies") -> None:
        self._tallies = tallies
        self._bar: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._bar = _new_bar(sum(tally.ends.size for tally in self._tallies.values()), self._done())
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar[0].stop()

    def show(self, series: "Series") -> None:
        """Some games of this series have been played."""
        rate = win_rate(series, self._tallies[series])
        if self._bar is None or rate is None:
            return
        progress, task = self._bar
        name = f"{series.agent}, {level_name(series.level)}"
        progress.update(task, completed=self._done(), series=name, estimate=rate.won.text(1, percent=True))
        progress.refresh()

    def _done(self) -> int:
        return sum(int(np.count_nonzero(tally.known)) for tally in self._tallies.values())


def _new_bar(games: int, done: int) -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [
        TextColumn("{task.fields[series]}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[estimate]}", markup=False),
        TimeRemainingColumn(compact=True),
    ]
    progress = Progress(
        *columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=is_quiet()
    )
    task = progress.add_task("", total=games, completed=done, series="", estimate="")
    progress.start()
    return progress, task
