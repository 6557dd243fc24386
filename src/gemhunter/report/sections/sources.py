"""The section with the tables and charts of the sources: their own figures beside ours."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from gemhunter.bench.summary import EngineOnBoard, Summary
from gemhunter.core.plurals import counted
from gemhunter.experiments.clue_shares import ClueShares
from gemhunter.experiments.s5_table import COURSE_LEVELS, S5_COUNTERS, S5Line
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.report.charts.sources import (
    SHOWN_FOR_ZERO,
    SourceTimes,
    boards_chart,
    clues_chart,
    methods_chart,
    our_time,
    source_games,
    source_times,
)
from gemhunter.report.document import SECTION_TITLES, Block, Chart, Paragraph, Section, Subheading, Table
from gemhunter.report.findings import Findings
from gemhunter.report.plan import FIRST_GAME, ReportPart
from gemhunter.report.tables.summaries import count_text, ratio_text
from gemhunter.report.tables.text_table import TextTable
from gemhunter.work.estimates import mean_of

RAW_CDCL, PYSAT_OF_S3, LARGE_OF_S3 = "cdcl:pick=random", "pysat:glucose4", "66x66"
"""What S3's conclusion is about."""


def sources_section(findings: Findings) -> Section | None:
    """A subsection per source whose suite is in the report; None if there is none."""
    blocks: list[Block] = []
    for part, each in enumerate(findings.plan.parts):
        source = source_times().get(each.heading.suite)
        if source is not None and each.heading.arguments == (each.heading.suite,):
            blocks += _times(each, source, findings.summary(part))
    blocks += _games(findings)
    if not blocks:
        return None
    first = Paragraph(
        "Columns marked (source) are figures that the source prints, measured by its authors on their "
        "machine with their program. Columns marked (here) are means of the runs of this report. Where a "
        "source does not print its board, ours has the same size; the section on boards says which these "
        "are. Figures from different machines and boards show orders of magnitude, not who is faster."
    )
    return Section("sources", SECTION_TITLES["sources"], (first, *blocks))


def _times(part: ReportPart, source: SourceTimes, summary: Summary) -> Iterator[Block]:
    suite = part.heading.suite
    yield Subheading(f"{suite.upper()}: {part.heading.title}")
    caption = f"{source.about}, and means here in seconds."
    yield Table(_times_table(source, summary), caption, part.commands)
    yield Chart(
        f"source-{suite}",
        partial(boards_chart, summary, source),
        f"Figures of {suite.upper()} (dashed, hollow markers) and ours (solid). Without a time there is no "
        f"point.{_zero_text(source)}",
        f"line chart of seconds by board, figures of {suite.upper()} and ours",
        part.commands,
    )
    if source.has_chart_per_board:
        for place, board in enumerate(board for board in summary.boards if board in source.seconds):
            yield Chart(
                f"source-{suite}-{place}",
                partial(methods_chart, summary, source, board),
                f"{suite.upper()}'s chart for {board}: methods and seconds, its own (dashed) and ours.",
                f"line chart of seconds by method on {board}, figures of {suite.upper()} and ours",
                part.commands,
            )
    if suite == "s3":
        yield from _conclusion_of_s3(source, summary, compiled=part.heading.compiled)


def _zero_text(source: SourceTimes) -> str:
    """Where figures of 0 stand, if there are any."""
    has_zero = any(figure == 0 for row in source.seconds.values() for figure in row)
    return f" A figure of 0.000 stands at {SHOWN_FOR_ZERO:g}." if has_zero else ""


def _times_table(source: SourceTimes, summary: Summary) -> TextTable:
    headings = ["board", *(["clauses"] if source.labels else [])]
    for method, engine in source.methods.items():
        headings += [f"{method} (source)", f"`{engine}` (here)"]
    headings += [f"`{engine}` (here only)" for engine in _only_here(source, summary)]
    return TextTable(tuple(headings), tuple(_row(source, summary, board) for board in summary.boards))


def _only_here(source: SourceTimes, summary: Summary) -> list[str]:
    return [engine for engine in summary.engines if engine not in source.methods.values()]


def _row(source: SourceTimes, summary: Summary, board: str) -> tuple[str, ...]:
    row = [board]
    if source.labels:
        row.append(source.labels.get(board, "").partition(" ")[0])
    for method, engine in source.methods.items():
        row += [_their_text(source.of(board, method)), _our_text(summary, board, engine)]
    return (*row, *(_our_text(summary, board, engine) for engine in _only_here(source, summary)))


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
    """S3 concludes that raw CDCL is 7 to 8 times slower than PySAT; its own ratio, ours, and the reasons."""
    methods = {engine: method for method, engine in source.methods.items()}
    engines = (RAW_CDCL, PYSAT_OF_S3)
    theirs = [source.of(LARGE_OF_S3, methods[engine]) for engine in engines]
    ours = [our_time(summary, LARGE_OF_S3, engine) for engine in engines]
    if not all(isinstance(figure, float) for figure in theirs) or None in ours:
        return
    ratios = [ratio_text(float(raw or 0) / float(pysat or 1)) for raw, pysat in (theirs, ours)]
    yield Paragraph(
        f"S3 concludes that CDCL without a heuristic is 7 to 8 times slower than PySAT. On {LARGE_OF_S3} its "
        f"own figures have a ratio of {ratios[0]}; the means here have {ratios[1]} (`{RAW_CDCL}` against "
        f"`{PYSAT_OF_S3}`)."
    )
    raw, pysat = (summary.entries[LARGE_OF_S3, engine] for engine in engines)
    language = (
        "S3 compares plain Python with compiled C++. Here both searches run compiled."
        if compiled
        else "Like S3's, the CDCL here runs as plain Python, while Glucose is compiled C++."
    )
    conflicts, decisions = (raw.counters.get(name, 0.0) for name in ("conflicts", "decisions"))
    gain = (
        f"With {count_text(decisions)} decisions, most lead to no conflict, so a heuristic gains little."
        if 5 * conflicts < decisions
        else "Every conflict that a better choice of variables avoids saves time."
    )
    yield Paragraph(
        f"Three things make up this ratio. The language: {language} The clock: the stage `solve` takes "
        f"{_solve_share(raw)} (medians) for CDCL and {_solve_share(pysat)} for PySAT, where it includes "
        "handing over the clauses; the rest is encoding and checking, the same for both. The heuristic: "
        f"without one, CDCL meets {_conflicts(raw)}, Glucose {_conflicts(pysat)}. {gain}"
    )


def _solve_share(entry: EngineOnBoard) -> str:
    return f"{seconds_text(entry.stages.get('solve', 0.0))} of {seconds_text(entry.median or 0.0)}"


def _conflicts(entry: EngineOnBoard) -> str:
    number = entry.counters.get("conflicts", 0.0)
    return "1 conflict" if number == 1 else f"{count_text(number)} conflicts"


def _games(findings: Findings) -> Iterator[Block]:
    plan = findings.plan
    if not plan.games:
        return
    yield Subheading("S5: a logical agent that plays Minesweeper by resolution")
    yield Table(
        _games_table(findings),
        "Marked cells and matching rounds: S5's three games, our first three, and means over all games here "
        "with 95 % intervals. S5's boards are not known, so its games cannot be compared one by one.",
        (f"gemhunter experiment marked-cells -a resolution -a csp --games {plan.games} --seed {FIRST_GAME}",),
    )
    yield Paragraph(_csp_text(findings.lines))
    command = (f"gemhunter experiment clues --boards {plan.dealt} --seed {FIRST_GAME}",)
    yield Table(_clues_table(findings), f"Clues of 0 on {counted(plan.dealt, 'board')} per level.", command)
    yield Chart(
        "source-s5",
        partial(clues_chart, findings.clues),
        "S5's bar chart, measured here. S5 finds, over 3,000 boards per level, that medium has the most "
        "clues of 0 and hard the fewest.",
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
    """What `csp` is, and how many cells it marks beside `resolution` on the same games."""
    differences = np.concatenate([csp.marked - own.marked for own, csp in _both_agents(lines)])
    more, fewer = np.count_nonzero(differences > 0), np.count_nonzero(differences < 0)
    return (
        "S5 asks how its agent could be a constraint satisfaction problem. The agent `csp` is one: clues are "
        "constraints on unmarked cells, and a cell is marked if backtracking finds no solution with the "
        "opposite value (cells with one value left first, then those of the highest degree, with forward "
        "checking). It plays the same games, has no matching rounds, and never guesses either. It marks more "
        f"cells than `resolution` in {more} of {counted(differences.size, 'game')}, and fewer in "
        f"{fewer or 'none'}."
    )


def zeros_text(clues: Sequence[ClueShares], lines: Sequence[S5Line]) -> str:
    """How the share of clues of 0 goes with matching rounds, as far as the games of this report show it."""
    rounds = {
        level: mean_of(
            np.mean([own.rounds for own in lines if (own.agent, own.level) == ("resolution", level)], 0)
        )
        for level in COURSE_LEVELS
    }
    by_zeros = sorted(clues, key=lambda level: -level.zeros.value)
    figures = [
        f"{each.level} has {each.zeros.value:.1%} clues of 0 and {rounds[each.level].text(2)} rounds"
        for each in by_zeros
    ]
    begin = (
        f"Clues of 0 and matching rounds per game, over all numbers of initial safe cells: "
        f"{'; '.join(figures)}. "
    )
    pairs = list(combinations([each.level for each in by_zeros], 2))
    shown = [(more, less) for more, less in pairs if rounds[more].high < rounds[less].low]
    if shown == pairs:
        return begin + (
            "The more clues of 0 a level has, the fewer rounds its games need: a clue of 0 marks all cells "
            "around it without any matching."
        )
    if not shown or any(rounds[more].low > rounds[less].high for more, less in pairs):
        return f"{begin}These games do not show that more clues of 0 mean fewer rounds."
    said = " and ".join(f"{more} needs fewer rounds than {less}" for more, less in shown)
    open_pairs = " and ".join(f"{more} and {less}" for more, less in pairs if (more, less) not in shown)
    return (
        f"{begin}With more clues of 0, {said}: a clue of 0 marks all cells around it without any matching. "
        f"The intervals leave open whether {open_pairs} differ."
    )


def _listed(numbers: "tuple[int, ...] | list[int]") -> str:
    return " / ".join(map(str, numbers[:3]))


def _clues_table(findings: Findings) -> TextTable:
    rows = tuple(
        (each.level, each.zeros.text(1, percent=True), f"{each.ratio:.1%}", f"{each.boards:,}")
        for each in findings.clues
    )
    return TextTable(("level", "clues of 0", "traps per gem", "boards"), rows)
