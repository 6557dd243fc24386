"""Games kept in a ledger, so that an experiment can be stopped at any time and resumed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.experiments.series import Experiment, Played, Series
from gemhunter.play.levels import FirstClick, read_level
from gemhunter.play.matches import REASONS, Games
from gemhunter.work.ledger import Ledger, Lines, new_ledger, open_ledger

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
    """A ledger of games, open for appending."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(self, experiment: Experiment, games: int) -> None:
        """Write the first line."""
        self._ledger.add(_heading_record(Heading(experiment, games, __version__, players_digest())))

    def add(self, played: Played) -> None:
        """Write one more line; it is in the file when this returns."""
        self._ledger.add(_played_record(played))


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a file has: its first line, None if not even that was written, and games."""

    heading: Heading | None
    played: tuple[Played, ...]


@contextmanager
def new_records(path: Path) -> Iterator[Records]:
    """A new file; one that exists is not touched, as it may have taken hours."""
    with new_ledger(path) as ledger:
        yield Records(ledger)


@contextmanager
def open_records(path: Path) -> Iterator[tuple[Kept, Records]]:
    """What is in a file, and the file to append to; a last line that was cut is removed."""
    with open_ledger(path) as (lines, ledger):
        yield _read(lines), Records(ledger)


def players_digest() -> str:
    """A word that is another one as soon as the sources of the players are."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in [*sorted(package.glob("kernels/**/*.py")), *sorted(package.glob("play/**/*.py"))]:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _read(lines: Lines) -> Kept:
    heading = lines.heading(_read_heading, f"gemhunter experiment {KIND}")
    if heading is None:
        return Kept(None, ())
    return Kept(heading, tuple(lines.records(partial(_read_played, experiment=heading.experiment))))


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
