"""The section with the tables and charts of the sources: their figures next to ours."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, convert

from gemhunter.bench.summary import Summary
from gemhunter.bench.tables import Average, count_text, counter_text, ratio_text, time_of
from gemhunter.charts.look import (
    CHART_HEIGHT,
    NOTE_SIZE,
    ChartLook,
    engine_marks,
    legend_width,
    log_axis,
    name_ticks,
    new_figure,
    room_for_ticks,
    show_legend,
    write_note,
)
from gemhunter.experiments.game_tables import COURSE_LEVELS, S5_COUNTERS, ClueShares, S5Line
from gemhunter.files.text_tables import TextTable
from gemhunter.report.document import SECTION_TITLES, Block, Chart, Paragraph, Section, Subheading, Table
from gemhunter.report.findings import Findings
from gemhunter.report.plan import FIRST_GAME, ReportPart
from gemhunter.wording import counted, seconds_in_file, seconds_text
from gemhunter.work.confidence_intervals import mean_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The figures that the sources print, read from `sources.toml`, and charts of them next to ours.


Series = Mapping[str, Sequence[float | None]]
"""Names in the legend, and a value per place on the x axis; None where there is no point."""

SHOWN_FOR_ZERO = 1e-4
"""Seconds: a figure of 0.000 is drawn here, because a logarithmic axis has no 0."""


class SourceTimes(Struct, frozen=True):
    """A source's table of times.

    `methods` are its names for methods with the corresponding engines. `seconds` has a row per board with an
    entry per method: a time, or words if the source has none. `labels` are the names of boards in its charts,
    and `charts` says whether it has a chart for each board.
    """

    about: str
    methods: dict[str, str]
    seconds: dict[str, tuple[float | str, ...]]
    labels: dict[str, str] = {}
    charts: bool = False

    def of(self, board: str, method: str) -> float | str | None:
        """A figure; None if the source has no such board."""
        row = self.seconds.get(board)
        return None if row is None else row[list(self.methods).index(method)]


class SourceGames(Struct, frozen=True):
    """A line of S5's table: three games on one level with one number of initial safe cells."""

    level: str
    initial: int
    marked: tuple[int, ...]
    rounds: tuple[int, ...]


@cache
def _figures() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("sources.toml").read_text(encoding="utf-8"))


def source_times() -> dict[str, SourceTimes]:
    """The tables of S1 to S4, by the names of their suites."""
    return {name: convert(table, SourceTimes) for name, table in _figures().items() if name != "s5"}


def source_games() -> dict[tuple[str, int], SourceGames]:
    """The table of S5, by level and number of initial safe cells."""
    lines = convert(_figures()["s5"], list[SourceGames])
    return {(line.level, line.initial): line for line in lines}


def our_time(summary: Summary, board: str, engine: str) -> float | None:
    """The mean seconds of an engine on a board; None if at least half of its runs have no answer."""
    entry = summary.of(board, engine)
    return None if entry is None or entry.median is None else time_of(entry, Average.MEAN)


def boards_chart(summary: Summary, source: SourceTimes, look: ChartLook) -> "Figure":
    """Seconds by board: a solid line for each of our engines, a dashed one for each method of a source."""
    boards = [board for board in summary.boards if board in source.seconds]
    methods = {method: engine for method, engine in source.methods.items() if engine in summary.engines}
    theirs = {
        f"{method} (source)": [_number(source.of(board, method)) for board in boards] for method in methods
    }
    ours = {
        f"{engine} (here)": [our_time(summary, board, engine) for board in boards]
        for engine in methods.values()
    }
    places = [source.labels.get(board, board) for board in boards]
    return _lines_chart(theirs, ours, places, look)


def methods_chart(summary: Summary, source: SourceTimes, board: str, look: ChartLook) -> "Figure":
    """Seconds by method, as in S3: a line for the source and one for ours."""
    methods = [method for method, engine in source.methods.items() if engine in summary.engines]
    theirs = {"source": [_number(source.of(board, method)) for method in methods]}
    ours = {"here": [our_time(summary, board, source.methods[method]) for method in methods]}
    return _lines_chart(theirs, ours, methods, look)


def _number(figure: float | str | None) -> float | None:
    return None if figure is None or isinstance(figure, str) else figure or SHOWN_FOR_ZERO


def _lines_chart(theirs: Series, ours: Series, places: Sequence[str], look: ChartLook) -> "Figure":
    names = [*theirs, *ours]
    by_place = list(engine_marks(list(ours), look).values())
    wider, higher = room_for_ticks(places, degrees=30)
    width = max(4.6, 1.4 + 0.8 * len(places)) + wider + legend_width(names)
    with new_figure(look, width, CHART_HEIGHT + higher) as figure:
        axes = figure.add_subplot()
        handles = []
        for series, dashes, fill in ((theirs, "--", "none"), (ours, "-", None)):
            for mark, (name, values) in zip(by_place, series.items(), strict=True):
                heights = [nan if value is None else value for value in values]
                (line,) = axes.plot(
                    range(len(heights)),
                    heights,
                    dashes,
                    color=mark.colour,
                    marker=mark.shape,
                    markerfacecolor=fill or mark.colour,
                    label=name,
                )
                handles.append(line)
        shown = [value for series in (theirs, ours) for row in series.values() for value in row if value]
        log_axis(axes, "y", shown, room=(1.5, 1.5))
        axes.set_ylabel("seconds (logarithmic)")
        name_ticks(axes, places, degrees=30)
        axes.set_xlim(-0.4, len(places) - 0.6)
        axes.grid(axis="y")
        show_legend(axes, handles)
    return figure


def clues_chart(levels: Sequence[ClueShares], look: ChartLook) -> "Figure":
    """Two bars for each level: the share of clues that are 0, and the number of traps per gem."""
    series = {
        "clues of 0": [level.zeros.value for level in levels],
        "traps per gem": [level.ratio for level in levels],
    }
    with new_figure(look, 5.6 + legend_width(list(series))) as figure:
        axes = figure.add_subplot()
        handles = []
        for place, (name, values) in enumerate(series.items()):
            middle = [number + (place - 0.5) * 0.38 for number in range(len(values))]
            colour = look.colours.engines[place]
            axes.bar(middle, values, 0.36, color=colour)
            (handle,) = axes.plot([], [], "s", color=colour, label=name)
            handles.append(handle)
            for at, value in zip(middle, values, strict=True):
                write_note(axes, f"{value:.1%}", (at, value), (0, 3), ha="center")
        axes.set_xticks(range(len(levels)), [level.level for level in levels])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.tick_params(axis="both", length=0, labelsize=NOTE_SIZE + 1)
        axes.grid(axis="y")
        show_legend(axes, handles)
    return figure


# The whole section.


def sources_section(findings: Findings) -> Section | None:
    """A subsection for each source whose suite is in the report; None if there is none."""
    blocks: list[Block] = []
    for part, each in enumerate(findings.plan.parts):
        source = source_times().get(each.heading.suite)
        if source is not None and each.heading.arguments == (each.heading.suite,):
            blocks += _times(each, source, findings.summary(part))
    blocks += _games(findings)
    if not blocks:
        return None
    first = Paragraph(
        "Columns marked (source) contain figures printed in the source, which its authors measured with "
        "their program on their machine. Columns marked (here) contain means of the runs of this report. If "
        "a source does not print a board, ours has the same size; the section about the boards says which "
        "ones these are. Figures from different machines and boards show orders of magnitude, not which "
        "program is faster."
    )
    return Section("sources", SECTION_TITLES["sources"], (first, *blocks))


def _times(part: ReportPart, source: SourceTimes, summary: Summary) -> Iterator[Block]:
    suite = part.heading.suite
    yield Subheading(f"{suite.upper()}: {part.heading.title}")
    yield Table(_times_table(source, summary), f"{source.about}; our means in seconds.", part.commands)
    has_zero = any(figure == 0 for row in source.seconds.values() for figure in row)
    yield Chart(
        f"source-{suite}",
        partial(boards_chart, summary, source),
        f"Figures of {suite.upper()} (dashed lines, hollow markers) and ours (solid lines). A missing time "
        f"has no point.{f' A figure of 0.000 is drawn at {SHOWN_FOR_ZERO:g}.' if has_zero else ''}",
        f"line chart of seconds by board, figures of {suite.upper()} and ours",
        part.commands,
    )
    if source.charts:
        for place, board in enumerate(board for board in summary.boards if board in source.seconds):
            yield Chart(
                f"source-{suite}-{place}",
                partial(methods_chart, summary, source, board),
                f"{suite.upper()}'s chart for {board}: seconds by method, its own (dashed) and ours (solid).",
                f"line chart of seconds by method on {board}, figures of {suite.upper()} and ours",
                part.commands,
            )
    if suite == "s3":
        yield from _conclusion_of_s3(source, summary, compiled=part.heading.compiled)


def _times_table(source: SourceTimes, summary: Summary) -> TextTable:
    headings = ["board", *(["clauses"] if source.labels else [])]
    for method, engine in source.methods.items():
        headings += [f"{method} (source)", f"`{engine}` (here)"]
    only_here = [engine for engine in summary.engines if engine not in source.methods.values()]
    headings += [f"`{engine}` (here only)" for engine in only_here]
    rows = []
    for board in summary.boards:
        row = [board, *([source.labels.get(board, "").partition(" ")[0]] if source.labels else [])]
        for method, engine in source.methods.items():
            row += [_their_text(source.of(board, method)), _our_text(summary, board, engine)]
        rows.append((*row, *(_our_text(summary, board, engine) for engine in only_here)))
    return TextTable(tuple(headings), tuple(rows))


def _their_text(figure: float | str | None) -> str:
    if figure is None:
        return "not printed"
    return figure if isinstance(figure, str) else seconds_in_file(figure)


def _our_text(summary: Summary, board: str, engine: str) -> str:
    entry = summary.of(board, engine)
    if entry is None:
        return "not run"
    time = our_time(summary, board, engine)
    return entry.words if time is None else seconds_in_file(time)


def _conclusion_of_s3(source: SourceTimes, summary: Summary, *, compiled: bool) -> Iterator[Block]:
    """S3's conclusion that CDCL without a heuristic is slower than PySAT: its ratio, ours, and why."""
    board, engines = "66x66", ("cdcl:pick=random", "pysat:glucose4")
    methods = {engine: method for method, engine in source.methods.items()}
    theirs = [source.of(board, methods[engine]) for engine in engines]
    ours = [our_time(summary, board, engine) for engine in engines]
    if not all(isinstance(figure, float) for figure in theirs) or None in ours:
        return
    ratios = [ratio_text(float(raw or 0) / float(pysat or 1)) for raw, pysat in (theirs, ours)]
    yield Paragraph(
        f"S3 concludes that CDCL without a heuristic is 7 to 8 times slower than PySAT. On {board}, its own "
        f"figures have a ratio of {ratios[0]}, and the means here have a ratio of {ratios[1]} "
        f"(`{engines[0]}` to `{engines[1]}`)."
    )
    raw, pysat = (summary.entries[board, engine] for engine in engines)
    language = (
        "S3 compares plain Python with compiled C++; here, both searches run compiled."
        if compiled
        else "like S3's, the CDCL here runs as plain Python, while Glucose is compiled C++."
    )
    conflicts, decisions = (raw.counters.get(name, 0.0) for name in ("conflicts", "decisions"))
    gain = (
        f"Most of the {count_text(decisions)} decisions lead to no conflict, so a heuristic gains little."
        if 5 * conflicts < decisions
        else "A better choice of variables saves time with every conflict that it avoids."
    )
    by_solve = [
        f"{seconds_text(entry.stages.get('solve', 0.0))} of {seconds_text(entry.median or 0.0)}"
        for entry in (raw, pysat)
    ]
    meets = counter_text(conflicts, "conflicts")
    yield Paragraph(
        f"This ratio has three causes. The language: {language} The clock: the stage `solve` takes "
        f"{by_solve[0]} (medians) for CDCL and {by_solve[1]} for PySAT, including passing on the clauses; "
        "the rest is encoding and checking, which are the same for both. The heuristic: without one, "
        f"CDCL meets {meets}, and Glucose {count_text(pysat.counters.get('conflicts', 0.0))}. {gain}"
    )


def _games(findings: Findings) -> Iterator[Block]:
    plan = findings.plan
    if not plan.games:
        return
    yield Subheading("S5: a logical agent that plays Minesweeper by resolution")
    yield Table(
        _games_table(findings),
        "Marked cells and matching rounds: S5's three games, our first three, and means over all our games "
        "with 95 % intervals. S5's boards are unknown, so single games cannot be compared.",
        (f"gemhunter experiment marked-cells -a resolution -a csp --games {plan.games} --seed {FIRST_GAME}",),
    )
    yield Paragraph(_csp_text(findings.lines))
    command = (f"gemhunter experiment clues --boards {plan.dealt} --seed {FIRST_GAME}",)
    rows = (
        (level.level, level.zeros.text(1, percent=True), f"{level.ratio:.1%}", f"{level.boards:,}")
        for level in findings.clues
    )
    table = TextTable(("level", "clues of 0", "traps per gem", "boards"), tuple(rows))
    yield Table(table, f"Clues of 0 on {counted(plan.dealt, 'board')} per level.", command)
    yield Chart(
        "source-s5",
        partial(clues_chart, findings.clues),
        "S5's bar chart, measured here. On 3,000 boards per level, S5 found the most clues of 0 on medium "
        "and the fewest on hard.",
        "bar chart of the clues of 0 and of traps per gem for each level",
        command,
    )
    yield Paragraph(zeros_text(findings.clues, findings.lines))


def _games_table(findings: Findings) -> TextTable:
    rows = []
    for line in [line for pair in _both_agents(findings.lines) for line in pair]:
        theirs = source_games().get((line.level, line.given)) if line.counter == "rounds" else None
        given = ("", "") if theirs is None else (_listed(theirs.marked), _listed(theirs.rounds))
        rounds = ("", "")
        if line.counter == "rounds":
            rounds = (_listed(line.rounds.tolist()), line.mean_rounds.text(2))
        rows.append(
            (
                *(line.level, str(line.given), f"`{line.agent}`", given[0], _listed(line.marked.tolist())),
                *(line.mean_marked.text(1), given[1], *rounds, f"{line.finished.value:.1%}"),
            )
        )
    return TextTable(
        (
            *("level", "initial", "agent", "marked (source)", "marked (here)", "mean marked (here)"),
            *("rounds (source)", "rounds (here)", "mean rounds (here)", "all marked (here)"),
        ),
        tuple(rows),
    )


def _both_agents(lines: Sequence[S5Line]) -> list[tuple[S5Line, S5Line]]:
    """The lines of `resolution`, each with that of `csp` about the same games."""
    agents = [[line for line in lines if line.agent == agent] for agent in S5_COUNTERS]
    return list(zip(*agents, strict=True))


def _csp_text(lines: Sequence[S5Line]) -> str:
    """What `csp` does, and how its marked cells compare with those of `resolution` in the same games."""
    differences = np.concatenate([csp.marked - own.marked for own, csp in _both_agents(lines)])
    more, fewer = np.count_nonzero(differences > 0), np.count_nonzero(differences < 0)
    return (
        "S5 asks how its agent's task could be stated as a constraint satisfaction problem. The agent `csp` "
        "does this: clues are constraints on unmarked cells, and a cell is marked if backtracking finds no "
        "solution with the opposite value (with forward checking, and choosing cells with one value left "
        "first, then those with the highest degree). It plays the same games, has no matching rounds, and "
        f"never guesses either. It marks more cells than `resolution` in {more} of "
        f"{counted(differences.size, 'game')}, and fewer in {fewer or 'none'}."
    )


def zeros_text(clues: Sequence[ClueShares], lines: Sequence[S5Line]) -> str:
    """What the games show about clues of 0 and the number of matching rounds."""
    rounds = {
        level: mean_of(
            np.mean([own.rounds for own in lines if (own.agent, own.level) == ("resolution", level)], 0)
        )
        for level in COURSE_LEVELS
    }
    by_zeros = sorted(clues, key=lambda level: -level.zeros.value)
    figures = [
        f"{level.level} has {level.zeros.value:.1%} clues of 0 and {rounds[level.level].text(2)} rounds"
        for level in by_zeros
    ]
    begin = (
        f"Clues of 0 and matching rounds per game, over all numbers of initial safe cells: "
        f"{'; '.join(figures)}. "
    )
    pairs = list(combinations([level.level for level in by_zeros], 2))
    shown = [(more, less) for more, less in pairs if rounds[more].high < rounds[less].low]
    if shown == pairs:
        return begin + (
            "The more clues of 0 a level has, the fewer rounds its games need: a clue of 0 marks all cells "
            "around it without any matching."
        )
    if not shown or any(rounds[more].low > rounds[less].high for more, less in pairs):
        return f"{begin}These games do not show that more clues of 0 mean fewer rounds."
    fewer = " and ".join(f"{more} needs fewer rounds than {less}" for more, less in shown)
    open_pairs = " and ".join(f"{more} and {less}" for more, less in pairs if (more, less) not in shown)
    return (
        f"{begin}With more clues of 0, {fewer}: a clue of 0 marks all cells around it without any matching. "
        f"The intervals do not show whether {open_pairs} differ."
    )


def _listed(numbers: Sequence[int]) -> str:
    return " / ".join(map(str, numbers[:3]))
