"""Results kept in a file, so that an experiment can be stopped at any time and gone on with.

One JSON object per line: first what the experiment is, then games as they were played. A line is written at
once, so a process that is killed leaves at most one cut line, the last, which is dropped on resuming.
"""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.errors import InputError
from gemhunter.experiments.series import Experiment, Played, Series
from gemhunter.play.levels import FirstClick, read_level
from gemhunter.play.matches import REASONS, Games
from gemhunter.work.lock import lock_file

KIND = "winrate"
ENDS = "WLS"
"""Won, lost, stuck: one letter per game."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The first line of a file: the experiment, how many games were asked for, and who played."""

    experiment: Experiment
    games: int
    version: str
    players: str


class Records:
    """A file of results, open for adding; nobody else can open it so meanwhile."""

    def __init__(self, path: Path, stream: FileIO) -> None:
        self.path, self._stream = path, stream

    def begin(self, experiment: Experiment, games: int) -> None:
        """Write the first line."""
        self._add(_heading_record(Heading(experiment, games, __version__, players_digest())))

    def add(self, played: Played) -> None:
        """Write one more line; it is in the file when this returns."""
        self._add(_played_record(played))

    def _add(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        with _writing(self.path):
            begin = self._stream.seek(0, os.SEEK_END)
            try:
                if self._stream.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError:
                self._stream.truncate(begin)
                raise


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a file has: its first line, None if not even that was written, and games."""

    heading: Heading | None
    played: tuple[Played, ...]


@contextmanager
def new_records(path: Path) -> Iterator[Records]:
    """A new file; one that exists is not touched, as it may have taken hours."""
    require_new(path)
    with _writing(path):
        stream = path.open("xb", buffering=0)
    with stream:
        _lock(path, stream)
        yield Records(path, stream)


def require_new(path: Path) -> None:
    """Raise if the file is there already."""
    if path.exists():
        raise InputError(f"{path} exists; go on with it by --resume {path}, or name another file")


@contextmanager
def open_records(path: Path) -> Iterator[tuple[Kept, Records]]:
    """What is in a file, and the file to add to; a last line that was cut is removed."""
    if not path.is_file():
        raise InputError(f"{path} is no file to go on with; begin one with --output")
    with _writing(path):
        stream = path.open("r+b", buffering=0)
    with stream:
        _lock(path, stream)
        lines = stream.readall().splitlines(keepends=True)
        whole = lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines
        kept = _read(path, whole)
        with _writing(path):
            stream.truncate(sum(map(len, whole)))
        yield kept, Records(path, stream)


def players_digest() -> str:
    """A word that is another one as soon as the sources of the players are."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in [*sorted(package.glob("kernels/**/*.py")), *sorted(package.glob("play/**/*.py"))]:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _lock(path: Path, stream: FileIO) -> None:
    try:
        lock_file(stream)
    except OSError:
        raise InputError(f"{path} is being written to by somebody else; wait, or name another file") from None


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _read(path: Path, lines: list[bytes]) -> Kept:
    if not lines:
        return Kept(None, ())
    try:
        heading = _read_heading(json.loads(lines[0]))
    except (ValueError, KeyError, TypeError, InputError):
        raise InputError(f"{path} has no results of `gemhunter experiment {KIND}`") from None
    played = []
    for number, line in enumerate(lines[1:], 2):
        try:
            played.append(_read_played(json.loads(line), heading.experiment))
        except (ValueError, KeyError, TypeError, InputError):
            wrong = "not a line of results; remove it, and its games are played again"
            raise InputError(f"{path}:{number}: {wrong}") from None
    return Kept(heading, tuple(played))


def _heading_record(heading: Heading) -> dict[str, Any]:
    experiment = heading.experiment
    return {
        "experiment": KIND,
        "gemhunter": heading.version,
        "players": heading.players,
        "agents": list(experiment.agents),
        "levels": [str(level) for level in experiment.levels],
        "first_click": experiment.first_click.value,
        "seed": experiment.seed,
        "games": heading.games,
    }


def _read_heading(record: dict[str, Any]) -> Heading:
    if record["experiment"] != KIND:
        raise ValueError(record["experiment"])
    experiment = Experiment(
        tuple(map(str, record["agents"])),
        tuple(map(read_level, record["levels"])),
        FirstClick(record["first_click"]),
        int(record["seed"]),
    )
    experiment.require_seeds(int(record["games"]))
    return Heading(experiment, int(record["games"]), str(record["gemhunter"]), str(record["players"]))


def _played_record(played: Played) -> dict[str, Any]:
    games = played.games
    ends = np.where(games.won, ENDS[0], np.where(games.lost, ENDS[1], ENDS[2]))
    return {
        "agent": played.series.agent,
        "level": str(played.series.level),
        "seed": games.first_seed,
        "ends": "".join(ends.tolist()),
        "reasons": "".join(map(str, games.reason.tolist())),
        "guesses": games.guesses.tolist(),
        "reveals": games.reveals.tolist(),
        "cpu_seconds": round(played.cpu_seconds, 6),
        "seconds": round(played.seconds, 6),
    }


def _read_played(record: dict[str, Any], experiment: Experiment) -> Played:
    series = Series(record["agent"], read_level(record["level"]))
    ends = np.array(list(record["ends"]))
    reasons = np.array([int(digit) for digit in record["reasons"]])
    guesses, reveals = (np.array(record[name], np.int64) for name in ("guesses", "reveals"))
    if not ends.shape == reasons.shape == guesses.shape == reveals.shape != (0,):
        raise ValueError("columns of different lengths")
    if series not in experiment.series or int(record["seed"]) < experiment.seed:
        raise ValueError("games of another experiment")
    if not np.isin(ends, list(ENDS)).all() or reasons.max() >= len(REASONS):
        raise ValueError("an end or a reason that there is not")
    won, lost, stuck = (ends == letter for letter in ENDS)
    games = Games(int(record["seed"]), won, lost, stuck, reveals, guesses, reasons)
    return Played(series, games, float(record["cpu_seconds"]), float(record["seconds"]))
