"""The section that says what follows: every sentence is made of numbers that were measured."""

from collections.abc import Iterator, Sequence

from gemhunter.bench.ratios import (
    OverallRank,
    RankOnBoard,
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
from gemhunter.report.document import SECTION_TITLES, Block, Items, Paragraph, Section, Subheading, Table
from gemhunter.report.findings import Findings
from gemhunter.report.sections.conclusions import (
    choice_sentence,
    ease_sentence,
    growth_sentences,
    limit_sentences,
    reference_of,
    reference_sentences,
    same_size_sentences,
    sizes_of,
    sizes_table,
    times_table,
)
from gemhunter.report.tables.summaries import ranking_table, ratio_text, ratio_texts
from gemhunter.work.estimates import Interval


def results_section(findings: Findings) -> Section:
    """Which engine wins where, and by how much."""
    blocks: list[Block] = [
        Paragraph(
            "The sentences below are made from the measurements by rules. In a median, a run without an "
            "answer counts as longer than any other. A ratio beside two medians is their ratio. A ratio run "
            "by run is the geometric mean over the runs: the first run of one engine against the first of "
            "the other, and so on. A ratio over boards is the geometric mean of the ratios of medians. The "
            "last two come with a 95 % interval if there are at least five runs, or boards. If it contains "
            "1, the measurements do not show which of the two is faster."
        )
    ]
    for part, each in enumerate(findings.plan.parts):
        summary, runs = findings.summary(part), findings.measurements[part]
        blocks.append(Subheading(each.title))
        if faults := disagreements(runs):
            blocks.append(Paragraph("Some answers cannot be right:"))
            blocks.append(Items(tuple(fault.text for fault in faults)))
        sizes, reference = sizes_of(each), reference_of(summary)
        caption = (
            f"The boards of {each.heading.suite}, smallest first. Clauses are those of `gemhunter cnf`; "
            "S4 gives every cell a variable, and a unit clause if it is shown, and keeps duplicates."
        )
        blocks.append(Table(sizes_table(sizes), caption))
        caption = f"Median times and steps on the boards of {each.heading.suite}."
        blocks.append(Table(times_table(summary, sizes), caption, each.commands))
        sentences = list(reference_sentences(summary, reference)) if reference else []
        if reference and (ease := ease_sentence(summary, reference)):
            sentences.append(ease)
        sentences += [*growth_sentences(summary, sizes), *limit_sentences(summary, sizes)]
        sentences += [*same_size_sentences(summary, sizes), choice_sentence(summary, sizes)]
        blocks.append(Items(tuple(sentences)))
        blocks.append(Items(tuple(board_sentence(summary, runs, board) for board in summary.boards)))
        blocks.append(Items(tuple(overall_sentences(summary))))
        if len(summary.boards) > 1 and len(summary.engines) > 1:
            caption = f"Engines over all boards of {each.heading.suite}, best first."
            blocks.append(Table(ranking_table(summary), caption, each.commands))
    own_lines = [line for line in findings.lines if line.agent == "resolution"]
    if any(line.marked.size for line in own_lines):
        blocks.append(Subheading("S5: the resolution agent"))
        blocks.append(Items(tuple(games_sentences(own_lines))))
    return Section("results", SECTION_TITLES["results"], tuple(blocks))


def board_sentence(summary: Summary, runs: Sequence[Measurement], board: str) -> str:
    """Who is fastest on a board, and how far behind the next one is."""
    ranks = rank_on_board(summary, board)
    if not ranks:
        return f"On `{board}` no engine has a time."
    best = f"On `{board}`, {_median_text(summary, ranks[0], board)}"
    if len(ranks) == 1:
        return f"{best}; no other engine has a time."
    first, second = (rank.engine for rank in ranks[:2])
    follows = f"{_median_text(summary, ranks[1], board)}, {ratio_text(ranks[1].ratio)} times as long"
    if any(summary.entries[board, engine].reasons for engine in (first, second)):
        return f"{best}; {follows}. Runs without an answer leave no interval."
    ratio, number = run_ratio(runs, board, (second, first))
    value, ends = ratio_texts(ratio, number)
    if ratio is None or not ends:
        return f"{best}; {follows}. {counted(number, 'run')}: too few for an interval."
    if ratio.low <= 1:
        return f"{best}; {follows}. These runs do not show which of the two is faster."
    lead = f"`{second}` takes {value} times as long as `{first}`"
    return f"{best}; {follows}. Run by run, {lead} (95 % interval {ends})."


def _median_text(summary: Summary, rank: RankOnBoard, board: str) -> str:
    """The median of an engine, and of how many runs it is: those without an answer count as the longest."""
    entry = summary.entries[board, rank.engine]
    without = entry.runs - entry.answered
    said = f"`{rank.engine}` has a median of {seconds_text(rank.seconds)} over {_runs_text(entry.runs)}"
    return f"{said} ({without} without an answer)" if without else said


def run_ratio(
    runs: Sequence[Measurement], board: str, engines: tuple[str, str]
) -> tuple[Interval | None, int]:
    """How many times as long the first engine takes as the second on a board, and over how many runs."""
    times = [
        {
            each.task.run: each.total
            for each in runs
            if (each.task.board, each.task.engine) == (board, engine) and each.total is not None
        }
        for engine in engines
    ]
    pairs = [ratio_of(times[0][run], times[1][run]) for run in times[0] if run in times[1]]
    return geometric_mean_of(pairs) if pairs else None, len(pairs)


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
    boards, (_, ends) = _boards_text(rank.compared), ratio_texts(ratio, rank.compared)
    if not ends:
        return f"{begin} on {boards}, too few for an interval."
    shown = "" if not ratio.low <= 1 <= ratio.high else ", which leaves open which of the two is faster"
    return f"{begin} on {boards} (95 % interval {ends}{shown})."


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
