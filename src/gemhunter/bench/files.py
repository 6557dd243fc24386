"""The files by which a run and the process that waits for it talk to each other, in a folder of their own."""

from pathlib import Path

BOARD, TASK, RESULT, STARTED = "board.txt", "task.json", "result.json", "started"


class StartMark:
    """The file that tells the waiting process since when a run is under way."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def start(self) -> None:
        """A run starts."""
        self._file.touch()

    def stop(self) -> None:
        """No run is under way any more: what follows has no time limit of its own."""
        self._file.unlink()

    def hear(self, *_: object, **__: object) -> None:
        """Something is being compiled, which does not count."""
        if self._file.exists():
            self._file.touch()
