"""The section that says what follows: every sentence is made of numbers that were measured."""

from collections.abc import Iterator, Sequence
from math import isfinite

from gemhunter.bench.ratios import (
    OverallRank,
    geometric_mean_of,
    rank_on_board,
    rank_overall,
    ratio_of,
)
from gemhunter.bench.summary import Summary, disagreements
from gemhunter.bench.values import Measurement
from gemhunter.core.plurals import counted
from gemhunter.experiments.s5_table import S5Line
from gemhunter.render.times import seconds_text
from gemhunter.report.document import Block, Items, Paragraph, Section, Subheading, Table
from gemhunter.report.findings import Findings
from gemhunter.report.tables.summaries import ranking_table, ratio_text
from gemhunter.work.estimates import Interval


def results_section(findings: Findings) -> Section:
    """Which engine wins where, and by how much."""
    blocks: list[Block] = [
        Paragraph(
            "The sentences below are made from the measurements by rules. A ratio on one board is the "
            "geometric mean over the runs: the first run of one engine against the first of the other, and "
            "so on. A ratio over boards is the geometric mean of the ratios of medians. Both come with a "
            "95 % interval. If it contains 1, the runs do not show which of the two is faster."
        )
    ]
    for part, each in enumerate(findings.plan.parts):
        summary, runs = findings.summary(part), findings.measurements[part]
        blocks.append(Subheading(each.title))
        if faults := disagreements(runs):
            blocks.append(Paragraph("Some answers cannot be right:"))
            blocks.append(Items(tuple(fault.text for fault in faults)))
        blocks.append(Items(tuple(board_sentence(summary, runs, board) for board in summary.boards)))
        blocks.append(Items((*overall_sentences(summary), *unanswered_sentences(summary))))
        if len(summary.boards) > 1 and len(summary.engines) > 1:
            caption = f"Engines over all boards of {each.heading.suite}, best first."
            blocks.append(Table(ranking_table(summary), caption, each.commands))
    if any(line.marked.size for line in findings.lines):
        blocks.append(Subheading("S5: the resolution agent"))
        blocks.append(Items(tuple(games_sentences(findings.lines))))
    return Section("results", "Conclusions", tuple(blocks))


def board_sentence(summary: Summary, runs: Sequence[Measurement], board: str) -> str:
    """Who is fastest on a board, and how far behind the next one is."""
    ranks = rank_on_board(summary, board)
    if not ranks:
        return f"On `{board}` no engine has a time."
    best = ranks[0]
    entry = summary.of(board, best.engine)
    count = entry.answered if entry else 0
    alone = (
        f"On `{board}`, `{best.engine}` has a median of {seconds_text(best.seconds)} in {_runs_text(count)}"
    )
    if len(ranks) == 1:
        return f"{alone}; no other engine has a time."
    second = ranks[1]
    ratio = run_ratio(runs, board, (second.engine, best.engine))
    follows = f"`{second.engine}` has {seconds_text(second.seconds)}"
    if ratio is None or not isfinite(ratio.high):
        return f"{alone}; {follows}. One pair of runs gives no interval."
    ends = f"{ratio_text(ratio.value)} times as long, 95 % interval {_ends_text(ratio)}"
    if ratio.low <= 1:
        return f"{alone}; {follows} ({ends}). These runs do not show which of the two is faster."
    return f"{alone} and is the fastest; {follows} ({ends})."


def run_ratio(runs: Sequence[Measurement], board: str, engines: tuple[str, str]) -> Interval | None:
    """How many times as long the first engine takes as the second on a board, run by run."""
    times = [
        {
            each.task.run: each.total
            for each in runs
            if (each.task.board, each.task.engine) == (board, engine) and each.total is not None
        }
        for engine in engines
    ]
    pairs = [ratio_of(times[0][run], times[1][run]) for run in times[0] if run in times[1]]
    return geometric_mean_of(pairs) if pairs else None


def overall_sentences(summary: Summary) -> Iterator[str]:
    """The best engine over all boards, and how the others compare with it."""
    ranks = [rank for rank in rank_overall(summary) if rank.answered]
    boards = len(summary.boards)
    if not ranks or boards < 2:
        return
    best = ranks[0]
    yield (
        f"`{best.engine}` has a time on {best.answered} of {counted(boards, 'board')} and the shortest "
        f"median on {best.fastest}."
    )
    for rank in ranks[1:]:
        if rank.ratio is not None:
            yield _ratio_sentence(rank, rank.ratio, best.engine)


def _ratio_sentence(rank: OverallRank, ratio: Interval, best: str) -> str:
    begin = (
        f"`{rank.engine}` has a time on {_boards_text(rank.answered)} and the shortest median on "
        f"{rank.fastest}; it takes {ratio_text(ratio.value)} times as long as `{best}`"
    )
    if not isfinite(ratio.high):
        return f"{begin} on the one board where both have a time, which gives no interval."
    shown = "" if not ratio.low <= 1 <= ratio.high else ", which leaves open which of the two is faster"
    return f"{begin} on {_boards_text(rank.compared)} (95 % interval {_ends_text(ratio)}{shown})."


def unanswered_sentences(summary: Summary) -> Iterator[str]:
    """Which engine has no time on which boards, and why."""
    for engine in summary.engines:
        entries = [entry for board in summary.boards if (entry := summary.of(board, engine))]
        without = [f"`{entry.board}` ({entry.words})" for entry in entries if entry.median is None]
        if without:
            yield f"`{engine}` has no time on {', '.join(without)}."


def games_sentences(lines: Sequence[S5Line]) -> Iterator[str]:
    """In how many games the agent of S5 marks every cell, level by level."""
    for line in lines:
        done = line.finished
        yield (
            f"On {line.level} with {line.given} initial safe cells it marks every cell in {done.value:.1%} "
            f"of {counted(line.marked.size, 'game')} (95 % interval {done.low:.1%} to {done.high:.1%}), in "
            f"{line.mean_rounds.text(2)} matching rounds per game."
        )


def _runs_text(count: int) -> str:
    return "one run" if count == 1 else counted(count, "run")


def _boards_text(count: int) -> str:
    return "one board" if count == 1 else counted(count, "board")


def _ends_text(interval: Interval) -> str:
    return f"{ratio_text(interval.low)} to {ratio_text(interval.high)}"
