"""The section with the conclusions: which engine is faster, how times grow, and where engines stop.

Every sentence is made from measured medians and counters. Where runs overlap or boards are few, a sentence
says less or is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import log

from msgspec import structs

from gemhunter.bench.ledger import BoardFacts
from gemhunter.bench.runs import Measurement
from gemhunter.bench.summary import (
    EngineOnBoard,
    OverallRank,
    RankOnBoard,
    Summary,
    disagreements,
    geometric_mean_of,
    rank_on_board,
    rank_overall,
    ratio_of,
    ratios_between,
)
from gemhunter.bench.tables import (
    MIN_FOR_INTERVAL,
    count_text,
    counter_text,
    ranking_table,
    ratio_text,
    ratio_texts,
)
from gemhunter.cnf.accounts import count_clauses
from gemhunter.experiments.game_tables import S5Line
from gemhunter.files.text_tables import TextTable
from gemhunter.report.document import SECTION_TITLES, Block, Items, Paragraph, Section, Subheading, Table
from gemhunter.report.findings import Findings
from gemhunter.report.plan import ReportPart
from gemhunter.wording import counted, listed, seconds_text
from gemhunter.work.confidence_intervals import Interval

STEP_COUNTERS = ("attempts", "generations", "flips", "nodes", "decisions", "conflicts", "states", "rounds")
"""The counters of engines, the most informative first; a table shows the first two that an engine has."""

WHY_SLOWER: Mapping[str, str] = {
    "brute-force": "it tries one assignment after another, and every unknown cell doubles their number",
    "backtracking": "it fills in one cell at a time and notices a mistake only when it breaks a clue nearby",
    "dpll": "it propagates unit clauses after each decision, but learns nothing from a conflict",
    "cdcl": "it learns a clause from every conflict, as the SAT solver does, but the solver is tuned C++",
    "genetic": "it changes whole assignments at random and cannot tell which cell is wrong",
    "local-search": "it repairs one wrong clue at a time, without any guarantee",
    "resolution": "it compares all pairs of clauses, whose number grows quickly",
    "tables": "it keeps a table of partial sums, which grows with the width of the board",
    "cp-sat": "it sets up a general constraint model for every board",
    "auto": "it decides most cells by single clues and leaves only the rest to a solver",
    "pysat": "it is a SAT solver as well",
}


def sizes_of(part: ReportPart) -> list[BoardFacts]:
    """The boards of a part with their numbers of clauses, smallest first."""
    boards = []
    for facts in part.heading.boards:
        # Ledgers of older versions have no numbers of clauses.
        clauses = count_clauses(part.board(facts.name).grid, facts.total)
        boards.append(structs.replace(facts, clauses=clauses.default, s4_clauses=clauses.s4))
    return sorted(boards, key=lambda board: (board.unknown, board.clauses or 0))


def sizes_table(boards: Sequence[BoardFacts]) -> TextTable:
    """A row per board: its size in cells and as a formula."""
    rows = []
    for board in boards:
        numbers = (board.unknown, board.clues, board.unknown, board.clauses, board.s4_clauses)
        texts = ("" if number is None else f"{number:,}" for number in numbers)
        rows.append((board.name, board.shape, *texts))
    headings = ("board", "size", "unknown cells", "clues", "variables", "clauses", "clauses (S4)")
    return TextTable(headings, tuple(rows))


def times_table(summary: Summary, boards: Sequence[BoardFacts]) -> TextTable:
    """A row per board and a column per engine: the median and the number of steps."""
    rows = tuple(
        (board.name, board.shape, *(_cell(summary.of(board.name, engine)) for engine in summary.engines))
        for board in boards
    )
    return TextTable(("board", "size", *summary.engines), rows)


def _cell(entry: EngineOnBoard | None) -> str:
    """The time of an engine and its steps, such as `2.00 ms; 26 decisions, 2 conflicts`."""
    if entry is None:
        return ""
    time = entry.words if entry.median is None else seconds_text(entry.median)
    names = [name for name in STEP_COUNTERS if name in entry.counters][:2]
    steps = ", ".join(counter_text(entry.counters[name], name) for name in names)
    return "; ".join(filter(None, (time, steps)))


def reference_of(summary: Summary) -> str | None:
    """The engine that others are compared with: the first PySAT solver that has a time."""
    timed = [engine for engine in summary.engines if any(summary.median(b, engine) for b in summary.boards)]
    return next((engine for engine in timed if engine.partition(":")[0] == "pysat"), None)


def reference_sentences(summary: Summary, reference: str) -> Iterator[str]:
    """Each engine against the SAT solver, with the reason if it is slower."""
    for engine in summary.engines:
        ratios = ratios_between(summary, engine, reference)
        if engine == reference or not ratios:
            continue
        clear = {
            board: ratio for board, ratio in ratios.items() if are_apart(summary, board, engine, reference)
        }
        reason = WHY_SLOWER.get(engine.partition(":")[0], "")
        if not clear:
            yield f"The times of `{engine}` and `{reference}` overlap; the runs do not show which is faster."
            continue
        if len(ratios) >= MIN_FOR_INTERVAL:
            mean = geometric_mean_of(list(ratios.values()))
            over = (
                f"{ratio_text(mean.value)} times as long as `{reference}` over "
                f"{counted(len(ratios), 'board')} (95 % interval {ratio_text(mean.low)} to "
                f"{ratio_text(mean.high)})"
            )
        else:
            ends = dict.fromkeys(ratio_text(end) for end in (min(clear.values()), max(clear.values())))
            boards = listed([f"`{board}`" for board in clear])
            over = f"{' to '.join(ends)} times as long as `{reference}` on {boards}"
        slower = all(ratio > 1 for ratio in clear.values())
        why = f": {reason}" if reason and slower else ""
        yield f"`{engine}` takes {over}{why}."


def ease_sentence(summary: Summary, reference: str) -> str | None:
    """A sentence saying that there is little to search; None if the SAT solver meets many conflicts."""
    entries = [entry for board in summary.boards if (entry := summary.of(board, reference))]
    conflicts = [entry.counters["conflicts"] for entry in entries if "conflicts" in entry.counters]
    if not conflicts or max(conflicts) > 20:
        return None
    most = "no conflicts" if not max(conflicts) else f"at most {counter_text(max(conflicts), 'conflicts')}"
    return (
        f"On these boards `{reference}` meets {most}: unit propagation decides nearly all cells. With so "
        "little to search, most of the time is spent on encoding, and learning clauses gains almost nothing."
    )


def are_apart(summary: Summary, board: str, engine: str, other: str) -> bool:
    """Whether all runs of one engine on a board are shorter than all runs of the other."""
    spreads = [entry.spread for name in (engine, other) if (entry := summary.of(board, name))]
    if len(spreads) < 2 or spreads[0] is None or spreads[1] is None:
        return False
    return spreads[0].longest < spreads[1].shortest or spreads[1].longest < spreads[0].shortest


def growth_sentences(summary: Summary, boards: Sequence[BoardFacts]) -> Iterator[str]:
    """How the time of each engine grows with the clauses, from the smallest board to the largest."""
    for engine in summary.engines:
        timed = [
            (board.name, board.clauses, seconds)
            for board in boards
            if board.clauses and (seconds := summary.median(board.name, engine)) is not None
        ]
        if len(timed) < 3:
            continue
        (small, fewest, first), (large, most, last) = timed[0], max(timed, key=lambda point: point[1])
        if most < 4 * fewest:
            continue
        factor = ratio_of(last, first)
        power = log(factor) / log(most / fewest)
        how = (
            "does not grow"
            if factor <= 1.0
            else "hardly grows"
            if power < 0.25
            else "grows more slowly than the number of clauses"
            if power < 0.8
            else "grows about as fast as the number of clauses"
            if power < 1.25
            else f"grows faster than the number of clauses, with an exponent of about {power:.1f}"
        )
        yield (
            f"The time of `{engine}` {how}: from {fewest:,} clauses (`{small}`) to {most:,} (`{large}`), "
            f"{ratio_text(most / fewest)} times as many, it changes from {seconds_text(first)} to "
            f"{seconds_text(last)}, {ratio_text(factor)} times as long."
        )


def limit_sentences(summary: Summary, boards: Sequence[BoardFacts]) -> Iterator[str]:
    """Where each engine stops, and what that means."""
    unknown = {board.name: board.unknown for board in boards}
    for engine in summary.engines:
        stopped: dict[str, list[str]] = {}
        for board in unknown:
            if (entry := summary.of(board, engine)) and entry.median is None:
                stopped.setdefault(entry.words, []).append(board)
        for words, names in stopped.items():
            meaning = ""
            if "attempt" in words:
                most = max(unknown[name] for name in names)
                meaning = f"; with {counted(most, 'unknown cell')} there are up to 2^{most} assignments"
            elif "time" in words:
                meaning = "; how long it would take without the limit is unknown"
            elif "stuck" in words:
                meaning = "; its rules decide no further cell, although others might"
            yield f"`{engine}` has no answer on {listed(f'`{name}`' for name in names)} ({words}){meaning}."


def same_size_sentences(summary: Summary, boards: Sequence[BoardFacts]) -> Iterator[str]:
    """Why an engine takes much longer on one of two boards of equal size: the steps that it needs."""
    for one, other in combinations(boards, 2):
        if one.shape != other.shape:
            continue
        for engine in summary.engines:
            entries = [summary.of(board.name, engine) for board in (one, other)]
            timed = [(entry.median, entry) for entry in entries if entry and entry.median is not None]
            if len(timed) < 2:
                continue
            (short, quick), (long, slow) = sorted(timed, key=lambda pair: pair[0])
            shared = (name for name in STEP_COUNTERS if quick.counters.get(name) and slow.counters.get(name))
            steps = next(shared, None)
            factor = ratio_of(long, short)
            if steps is None or factor < 2 or slow.counters[steps] < 1.5 * quick.counters[steps]:
                continue
            yield (
                f"`{quick.board}` and `{slow.board}` are both {one.shape}, but `{engine}` takes "
                f"{ratio_text(factor)} times as long on the second: "
                f"{counter_text(slow.counters[steps], steps)} instead of {count_text(quick.counters[steps])}."
            )


def choice_sentence(summary: Summary, boards: Sequence[BoardFacts]) -> str:
    """Which engine has the shortest median at which size."""
    best = []
    for board in boards:
        medians = {engine: summary.median(board.name, engine) for engine in summary.engines}
        timed = {engine: seconds for engine, seconds in medians.items() if seconds is not None}
        if timed:
            best.append((min(timed, key=lambda engine: timed[engine]), board.shape))
    if not best:
        return "No engine has a time, so these runs do not recommend any."
    spans = []
    for engine, group in groupby(best, key=lambda pair: pair[0]):
        shapes = list(dict.fromkeys(shape for _, shape in group))
        where = shapes[0] if len(shapes) == 1 else f"{shapes[0]} to {shapes[-1]}"
        spans.append(f"`{engine}` ({where})")
    return f"The shortest medians, from the smallest board to the largest, are those of {listed(spans)}."


# The whole section.


def results_section(findings: Findings) -> Section:
    """Which engine wins where, and by how much."""
    blocks: list[Block] = [
        Paragraph(
            "The program wrote the sentences below from the measurements. In a median, a run without an "
            "answer counts as longer than any other. A ratio given with two medians is the ratio of those "
            "medians. A run-by-run ratio is a geometric mean over the runs: the first run of one engine is "
            "compared with the first run of the other, and so on. A ratio over several boards is the "
            "geometric mean of the ratios of medians. The last two come with a 95 % confidence interval if "
            "there are at least five runs or boards. If the interval contains 1, the measurements do not "
            "show which of the two engines is faster."
        )
    ]
    for index, part in enumerate(findings.plan.parts):
        summary, runs = findings.summary(index), [*findings.measurements[index].values()]
        blocks.append(Subheading(part.title))
        if faults := disagreements(runs):
            blocks.append(Paragraph("Some answers cannot be right:"))
            blocks.append(Items(tuple(fault.text for fault in faults)))
        sizes, reference = sizes_of(part), reference_of(summary)
        caption = (
            f"The boards of `{part.heading.suite}`, smallest first. Clauses are those of `gemhunter cnf`. S4 "
            "has a variable for every cell and a unit clause for every shown cell, and keeps duplicates."
        )
        blocks.append(Table(sizes_table(sizes), caption))
        caption = f"Median times and steps on the boards of `{part.heading.suite}`."
        blocks.append(Table(times_table(summary, sizes), caption, part.commands))
        sentences = list(reference_sentences(summary, reference)) if reference else []
        if reference and (ease := ease_sentence(summary, reference)):
            sentences.append(ease)
        sentences += [*growth_sentences(summary, sizes), *limit_sentences(summary, sizes)]
        sentences += [*same_size_sentences(summary, sizes), choice_sentence(summary, sizes)]
        blocks.append(Items(tuple(sentences)))
        blocks.append(Items(tuple(board_sentence(summary, runs, board) for board in summary.boards)))
        if overall := tuple(overall_sentences(summary)):
            blocks.append(Items(overall))
        if len(summary.boards) > 1 and len(summary.engines) > 1:
            caption = f"Engines over all boards of `{part.heading.suite}`, best first."
            blocks.append(Table(ranking_table(summary), caption, part.commands))
    own_lines = [line for line in findings.lines if line.agent == "resolution"]
    if any(line.marked.size for line in own_lines):
        blocks.append(Subheading("S5: the resolution agent"))
        blocks.append(Items(tuple(games_sentences(own_lines))))
    return Section("results", SECTION_TITLES["results"], tuple(blocks))


def board_sentence(summary: Summary, runs: Sequence[Measurement], board: str) -> str:
    """Which engine is fastest on a board, and how far behind the next one is."""
    ranks = rank_on_board(summary, board)
    if not ranks:
        return f"On `{board}` no engine has a time."
    best = f"On `{board}`, {_median_text(summary, ranks[0], board)}"
    if len(ranks) == 1:
        return f"{best}; no other engine has a time."
    first, second = (rank.engine for rank in ranks[:2])
    follows = f"{_median_text(summary, ranks[1], board)}, {ratio_text(ranks[1].ratio)} times as long"
    if any(summary.entries[board, engine].reasons for engine in (first, second)):
        return f"{best}; {follows}. There is no interval, because some runs have no answer."
    ratio, number = run_ratio(runs, board, (second, first))
    value, ends = ratio_texts(ratio, number)
    if ratio is None or not ends:
        return f"{best}; {follows} ({counted(number, 'run')}, too few for an interval)."
    if ratio.low <= 1:
        return f"{best}; {follows}. These runs do not show which of the two is faster."
    lead = f"`{second}` takes {value} times as long as `{first}`"
    return f"{best}; {follows}. Run by run, {lead} (95 % interval {ends})."


def _median_text(summary: Summary, rank: RankOnBoard, board: str) -> str:
    """The median of an engine, and the number of its runs with and without an answer."""
    entry = summary.entries[board, rank.engine]
    without = entry.runs - entry.answered
    median = f"`{rank.engine}` has a median of {seconds_text(rank.seconds)} over {counted(entry.runs, 'run')}"
    return f"{median} ({without} without an answer)" if without else median


def run_ratio(
    runs: Sequence[Measurement], board: str, engines: tuple[str, str]
) -> tuple[Interval | None, int]:
    """The first engine's time on a board as a multiple of the second's, and the number of pairs of runs."""
    first, second = (
        {
            run.run: run.total
            for run in runs
            if (run.board, run.engine) == (board, engine) and run.total is not None
        }
        for engine in engines
    )
    pairs = [ratio_of(first[run], second[run]) for run in first if run in second]
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
    value, ends = ratio_texts(ratio, rank.compared)
    begin = (
        f"`{rank.engine}` has a time on {counted(rank.answered, 'board')} and the shortest median on "
        f"{rank.fastest}; it takes {value} times as long as `{best}` on {counted(rank.compared, 'board')}"
    )
    if not ends:
        return f"{begin}, too few for an interval."
    is_open = ratio.low <= 1 <= ratio.high
    return f"{begin} (95 % interval {ends}{', which does not show which of the two is faster' * is_open})."


def games_sentences(lines: Sequence[S5Line]) -> Iterator[str]:
    """The share of games in which the agent of S5 marks every cell, line by line."""
    for line in lines:
        done = line.finished
        yield (
            f"On the level {line.level}, with {line.given} initial safe cells, it marks every cell in "
            f"{done.value:.1%} of {counted(line.marked.size, 'game')} (95 % interval {done.low:.1%} to "
            f"{done.high:.1%}), with {line.mean_rounds.text(2)} matching rounds per game."
        )
