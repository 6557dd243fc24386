"""`gemhunter experiment difficulty`: how hard games are for a player who thinks and never guesses."""

from functools import partial

import click

from gemhunter.cli.notes import quiet_option
from gemhunter.cli.options import first_click_option, levels_option, seed_option
from gemhunter.cli.progress import ExperimentProgress, run_to_end
from gemhunter.cli.table_formats import RecordTable, print_table_as, table_format_option
from gemhunter.core.first_click import FirstClick
from gemhunter.deduce.difficulty import DIFFICULTY_WORDS
from gemhunter.experiments.difficulties import LevelDifficulties, measure_difficulties
from gemhunter.play.levels import read_level
from gemhunter.report.experiment_records import difficulties_record

DEFAULT_LEVELS = ("beginner", "medium", "intermediate", "expert")
"""One of each size and number of traps; `easy` and `hard` are the course's names for two of them."""

DIFFICULTY_HEADINGS = ("level", *DIFFICULTY_WORDS, "score", "games")


@click.command()
@click.option(
    "--games",
    type=click.IntRange(min=1, max=10**6),
    default=1000,
    show_default=True,
    help="Games for each level.",
)
@levels_option(", ".join(DEFAULT_LEVELS))
@first_click_option
@seed_option
@table_format_option
@quiet_option
def difficulty(
    *, games: int, levels: tuple[str, ...], first_click: FirstClick | None, seed: int, form: str
) -> None:
    """Say how hard games are for a player who thinks and never guesses.

    After a first click in the middle, the easiest deduction is made again and again, and the gems that it
    finds are opened. The difficulty is that of the hardest deduction the game needs (docs/explain.md), or
    "needs a guess". The score is the mean of the games without a guess, with its 95 % confidence interval.

    \b
    Examples:
      gemhunter experiment difficulty --games 100
      gemhunter experiment difficulty --level 9x9n20 --first-click opening --format md
    """
    wanted = levels or DEFAULT_LEVELS
    for level in wanted:
        read_level(level)
    pace = ExperimentProgress(len(wanted), "games", lambda found: (found[-1].level, len(found[-1].games)))
    rule = first_click or FirstClick.SAFE
    run_to_end(measure_difficulties(wanted, games, seed, rule), pace, partial(_show, form))


def _show(form: str, found: list[LevelDifficulties]) -> None:
    rows, records = [*map(_row, found)], [*map(difficulties_record, found)]
    print_table_as(form, RecordTable(DIFFICULTY_HEADINGS, rows, records))


def _row(level: LevelDifficulties) -> list[str]:
    shares = [f"{level.share(word).value:.1%}" for word in DIFFICULTY_WORDS]
    return [level.level, *shares, "" if level.score is None else level.score.text(1), str(len(level.games))]
