"""Games kept in a ledger, so that an experiment can be stopped at any time and resumed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.numbers import LARGEST_SEED
from gemhunter.experiments.series import Experiment, Played, Series
from gemhunter.play.agents.command import program_files
from gemhunter.play.agents.reasons import REASONS
from gemhunter.play.levels import read_level
from gemhunter.play.many_games import Games
from gemhunter.work.fields import seconds_field, text_field, texts_field, whole_field, wholes_field
from gemhunter.work.ledger import Ledger, Lines, new_ledger, open_ledger
from gemhunter.work.machine import sources_digest

KIND = "winrate"
ENDS = {status.letter: status.code for status in (Status.WON, Status.LOST, Status.STUCK)}
"""One letter per game says how it ended."""

LUCK_UNIT = 1_000_000
"""Luck is kept in whole numbers of this part of a win."""

REASON_DIGITS = "".join(map(str, range(len(REASONS))))
"""One digit per game."""


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
        players = players_digest(experiment.agents)
        self._ledger.add(_heading_record(Heading(experiment, games, __version__, players)))

    def add(self, played: Played) -> None:
        """Write one more line; it is in the file when this returns."""
        self._ledger.add(_played_record(played))


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a file has: its first line, and games."""

    heading: Heading
    played: tuple[Played, ...]


@contextmanager
def new_records(path: Path) -> Iterator[Records]:
    """A new file; one that exists is not touched, as it may have taken hours."""
    with new_ledger(path) as ledger:
        yield Records(ledger)


@contextmanager
def open_records(path: Path) -> Iterator[tuple[Kept, Records]]:
    """What is in a file, and the file to append to; a last line that was cut is left out."""
    with open_ledger(path) as (lines, ledger):
        yield _read(lines), Records(ledger)


def players_digest(agents: Sequence[str]) -> str:
    """A word that changes whenever the sources of the agents do, or files that `cmd:` agents name."""
    ours = sources_digest("kernels/**/*.py", "play/**/*.py")
    files = [content for agent in agents for content in program_files(agent)]
    return blake2b(b"".join([ours.encode(), *files]), digest_size=8).hexdigest() if files else ours


def _read(lines: Lines) -> Kept:
    heading = lines.heading(_read_heading, f"experiment {KIND}")
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
        raise ValueError("it is about another experiment")
    experiment = Experiment(
        texts_field(record, "agents"),
        tuple(map(read_level, texts_field(record, "levels"))),
        FirstClick(record["first_click"]),
        whole_field(record, "seed"),
    )
    games = whole_field(record, "games", low=1)
    experiment.require_seeds(games)
    return Heading(experiment, games, text_field(record, "gemhunter"), text_field(record, "players"))


def _played_record(played: Played) -> dict[str, Any]:
    games = played.games
    letters = {code: letter for letter, code in ENDS.items()}
    return {
        "agent": played.series.agent,
        "level": str(played.series.level),
        "seed": games.first_seed,
        "ends": "".join(letters[end] for end in games.ends.tolist()),
        "reasons": "".join(map(str, games.reason.tolist())),
        "guesses": games.guesses.tolist(),
        "reveals": games.reveals.tolist(),
        "luck": np.rint(games.luck * LUCK_UNIT).astype(int).tolist(),
        "cpu_seconds": None if isnan(played.cpu_seconds) else round(played.cpu_seconds, 6),
        "seconds": round(played.seconds, 6),
    }


def _read_played(record: dict[str, Any], experiment: Experiment) -> Played:
    series = Series(text_field(record, "agent"), read_level(text_field(record, "level")))
    seed = whole_field(record, "seed", low=experiment.seed)
    if series not in experiment.series:
        raise ValueError("games of another experiment")
    letters = text_field(record, "ends")
    if not set(letters) <= set(ENDS):
        raise ValueError("an unknown end of a game")
    ends = np.array([ENDS[letter] for letter in letters], np.int64)
    reasons = np.array([REASON_DIGITS.index(digit) for digit in text_field(record, "reasons")], np.int64)
    cells = series.level.rows * series.level.cols
    guesses, reveals = (
        np.array(wholes_field(record, name, high=cells), np.int64) for name in ("guesses", "reveals")
    )
    most = cells * LUCK_UNIT
    # Files of older versions have none; they are refused later, because other agents have played.
    units = wholes_field(record, "luck", low=-most, high=most) if "luck" in record else [0] * ends.size
    luck = np.array(units) / LUCK_UNIT
    if not ends.shape == reasons.shape == guesses.shape == reveals.shape == luck.shape:
        raise ValueError("columns of different lengths")
    if (guesses > reveals).any():
        raise ValueError("more guesses than cells were revealed")
    if seed + ends.size - 1 > LARGEST_SEED:
        raise ValueError("games with seeds beyond the largest")
    games = Games(seed, ends, reveals, guesses, reasons, luck)
    cpu_seconds = nan if record["cpu_seconds"] is None else seconds_field(record, "cpu_seconds")
    return Played(series, games, cpu_seconds, seconds_field(record, "seconds"))
