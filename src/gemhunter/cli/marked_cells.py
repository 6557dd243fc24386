"""`gemhunter experiment marked-cells`: what `resolution` and `csp` mark, and in how many rounds."""

from functools import partial

import click

from gemhunter.cli.notes import quiet_option
from gemhunter.cli.options import levels_option, seed_option
from gemhunter.cli.progress import ExperimentProgress, run_to_end
from gemhunter.cli.table_formats import RecordTable, print_table_as, table_format_option
from gemhunter.experiments.s5_table import (
    COURSE_LEVELS,
    GAMES_OF_THE_COURSE,
    S5_COUNTERS,
    S5Line,
    lines_of_s5,
    measure_s5,
)
from gemhunter.report.experiment_records import marked_cells_record


@click.command()
@click.option(
    "-a",
    "--agent",
    "agents",
    type=click.Choice(list(S5_COUNTERS)),
    multiple=True,
    default=["resolution"],
    show_default=True,
    help="Who plays; repeat it to let both play the same games.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1, max=10**6),
    default=100,
    show_default=True,
    help="Games for each level and number of initial safe cells.",
)
@levels_option("easy, medium, hard")
@click.option(
    "--initial",
    default="half,one,two",
    show_default=True,
    metavar="LIST",
    help="Initial safe cells, separated by commas: half, one or two times √n, or numbers.",
)
@seed_option
@table_format_option
@quiet_option
def marked_cells(
    *, agents: tuple[str, ...], games: int, levels: tuple[str, ...], initial: str, seed: int, form: str
) -> None:
    """Let resolution, or csp, play with few and many initial safe cells.

    On every level of the course that resolution comes from, with ½√n, √n and 2√n initial safe cells of n.
    Shows these, the cells it marks and its matching rounds in the first three games, each with the mean of
    all games and its 95 % confidence interval, and the share of games in which every cell was marked. For
    csp, backtracks are counted in place of matching rounds.

    \b
    Examples:
      gemhunter experiment marked-cells
      gemhunter experiment marked-cells --games 1000 --seed 7 --format md
      gemhunter experiment marked-cells --agent resolution --agent csp
      gemhunter experiment marked-cells --level hard --level 9x16n20 --initial 5,10,20
    """
    players = tuple(dict.fromkeys(agents))
    wanted = [each.strip() for each in initial.split(",")]
    lines = lines_of_s5(levels or COURSE_LEVELS, wanted, players)
    pace = ExperimentProgress(len(lines), "games", lambda done: (done[-1].name, done[-1].marked.size))
    run_to_end(measure_s5(lines, games, seed), pace, partial(_show, form, players))


def _show(form: str, agents: tuple[str, ...], lines: list[S5Line]) -> None:
    # Short, so that the table of one agent fits into 80 columns; the help page says what the words mean.
    named = ("agent",) if len(agents) > 1 else ()
    counters = "/".join(S5_COUNTERS[agent] for agent in agents)
    headings = ("level", "safe", *named, "marked", "mean", "done", counters, "mean", "games")
    rows = [_row(line, has_agent=len(agents) > 1) for line in lines]
    print_table_as(form, RecordTable(headings, rows, [*map(marked_cells_record, lines)]))


def _row(line: S5Line, *, has_agent: bool) -> list[str]:
    three = [" ".join(map(str, numbers[:GAMES_OF_THE_COURSE])) for numbers in (line.marked, line.rounds)]
    return [
        *(line.level, str(line.given), *([line.agent] if has_agent else [])),
        *(three[0], line.mean_marked.text(1), f"{line.finished.value:.1%}"),
        *(three[1], line.mean_rounds.text(2), str(line.marked.size)),
    ]
