"""The progress of a comparison: a bar on a terminal, with the run that was made last."""

from typing import TYPE_CHECKING, Self

from gemhunter.cli.notes import is_quiet

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from gemhunter.bench.values import Measurement


class BenchProgress:
    """A bar of all runs on standard error, with the time left; nothing unless that is a terminal."""

    def __init__(self, runs: int, is_shown: bool) -> None:
        self._runs, self._is_shown = runs, is_shown
        self._bar: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        if self._is_shown and self._runs and not is_quiet():
            self._bar = _new_bar(self._runs)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar[0].stop()

    def show(self, measurement: "Measurement") -> None:
        """One more run has been made."""
        self.advance(f"{measurement.task.board}, {measurement.task.engine}")

    def advance(self, told: str) -> None:
        """One more piece of work has been done, `told` in a few words."""
        if self._bar is None:
            return
        progress, task = self._bar
        progress.update(task, advance=1, told=told)
        progress.refresh()


def _new_bar(runs: int) -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[told]}", markup=False),
    ]
    progress = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
    task = progress.add_task("", total=runs, told="")
    progress.start()
    return progress, task
