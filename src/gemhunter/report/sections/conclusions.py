"""What the times mean: each engine against the SAT solver, growth, limits, and which engine suits which size.

Every sentence is made of medians and counters of the report. Where runs overlap or boards are few, a sentence
says less or is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import log

from gemhunter.bench.ratios import geometric_mean_of, ratio_of, ratios_between
from gemhunter.bench.summary import EngineOnBoard, Summary
from gemhunter.cnf.clause_origins import count_clauses
from gemhunter.core.plurals import counted, listed
from gemhunter.render.times import seconds_text
from gemhunter.report.plan import ReportPart
from gemhunter.report.tables.summaries import FEWEST_FOR_INTERVAL, count_text, ratio_text
from gemhunter.report.tables.text_table import TextTable

STEP_COUNTERS = ("attempts", "generations", "flips", "nodes", "decisions", "conflicts", "states", "rounds")
"""What engines count, the most telling first; a table shows the first two that an engine has."""

WHY_SLOWER: Mapping[str, str] = {
    "brute-force": "it tries one assignment after the other, and every unknown cell doubles their number",
    "backtracking": "it fills in cell by cell and notices a mistake only when a clue next to it breaks",
    "dpll": "it propagates unit clauses after each decision, but learns nothing from a conflict",
    "cdcl": "it learns a clause from every conflict, as the SAT solver does, but that one is tuned C++",
    "genetic": "it changes whole assignments at random and cannot tell which cell is wrong",
    "local-search": "it repairs one wrong clue at a time, without any guarantee",
    "resolution": "it compares all pairs of clauses, whose number grows quickly",
    "tables": "it keeps a table of partial sums, which grows with the width of the board",
    "cp-sat": "it sets up a general constraint model for every board",
    "auto": "it decides most cells by single clues and leaves only the rest to a solver",
    "pysat": "it is a SAT solver as well",
}


@dataclass(frozen=True, slots=True)
class BoardSize:
    """How large a board is, in cells and as a formula, in the default encoding and in that of S4.

    The clauses are None if there are too many to count.
    """

    name: str
    rows: int
    cols: int
    unknown: int
    clues: int
    clauses: int | None
    s4_clauses: int | None = None

    @property
    def shape(self) -> str:
        """Rows and columns."""
        return f"{self.rows}×{self.cols}"


def sizes_of(part: ReportPart) -> list[BoardSize]:
    """The boards of a part, smallest first."""
    sizes = []
    for facts in part.heading.boards:
        # A ledger of an older version does not say how many clauses its boards have.
        clauses = count_clauses(part.grid(facts.name), facts.total)
        cells = (facts.rows, facts.cols, facts.unknown, facts.clues)
        sizes.append(BoardSize(facts.name, *cells, clauses.default, clauses.s4))
    return sorted(sizes, key=lambda size: (size.unknown, size.clauses or 0))


def sizes_table(sizes: Sequence[BoardSize]) -> TextTable:
    """A row per board: its size in cells and as a formula."""
    rows = tuple(
        (
            size.name,
            size.shape,
            f"{size.unknown:,}",
            f"{size.clues:,}",
            f"{size.unknown:,}",
            "" if size.clauses is None else f"{size.clauses:,}",
            "" if size.s4_clauses is None else f"{size.s4_clauses:,}",
        )
        for size in sizes
    )
    headings = ("board", "size", "unknown cells", "clues", "variables", "clauses", "clauses (S4)")
    return TextTable(headings, rows)


def times_table(summary: Summary, sizes: Sequence[BoardSize]) -> TextTable:
    """A row per board and a column per engine: the median, and the steps that it took."""
    rows = tuple(
        (size.name, size.shape, *(_cell(summary.of(size.name, engine)) for engine in summary.engines))
        for size in sizes
    )
    return TextTable(("board", "size", *summary.engines), rows)


def _cell(entry: EngineOnBoard | None) -> str:
    if entry is None:
        return ""
    time = entry.words if entry.median is None else seconds_text(entry.median)
    return "; ".join(filter(None, (time, steps_text(entry))))


def steps_text(entry: EngineOnBoard) -> str:
    """The steps of an engine on a board, such as `26 decisions, 2 conflicts`."""
    names = [name for name in STEP_COUNTERS if name in entry.counters][:2]
    return ", ".join(f"{count_text(entry.counters[name])} {name}" for name in names)


def reference_of(summary: Summary) -> str | None:
    """The SAT solver that others are compared with: the first of PySAT's that has a time."""
    timed = [engine for engine in summary.engines if any(summary.median(b, engine) for b in summary.boards)]
    return next((engine for engine in timed if engine.partition(":")[0] == "pysat"), None)


def reference_sentences(summary: Summary, reference: str) -> Iterator[str]:
    """Each engine against the SAT solver, with the reason for what was measured."""
    for engine in summary.engines:
        ratios = ratios_between(summary, engine, reference)
        if engine == reference or not ratios:
            continue
        clear = {
            board: each for board, each in ratios.items() if are_apart(summary, board, engine, reference)
        }
        reason = WHY_SLOWER.get(engine.partition(":")[0], "")
        if not clear:
            yield f"`{engine}` and `{reference}` cannot be told apart by these runs: their times overlap."
            continue
        if len(ratios) >= FEWEST_FOR_INTERVAL:
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
    """That there is hardly anything to search, if the SAT solver meets hardly any conflicts."""
    entries = [entry for board in summary.boards if (entry := summary.of(board, reference))]
    conflicts = [entry.counters["conflicts"] for entry in entries if "conflicts" in entry.counters]
    if not conflicts or max(conflicts) > 20:
        return None
    most = "no conflict" if max(conflicts) == 0 else f"at most {count_text(max(conflicts))} conflicts"
    return (
        f"On these boards `{reference}` meets {most}: unit propagation decides nearly all cells. There is "
        "hardly anything to search, so times are mostly those of encoding, and learning has nothing to gain."
    )


def are_apart(summary: Summary, board: str, engine: str, other: str) -> bool:
    """Whether all runs of one engine on a board are shorter than all runs of the other."""
    spreads = [entry.spread for name in (engine, other) if (entry := summary.of(board, name))]
    if len(spreads) < 2 or spreads[0] is None or spreads[1] is None:
        return False
    return spreads[0].longest < spreads[1].shortest or spreads[1].longest < spreads[0].shortest


def growth_sentences(summary: Summary, sizes: Sequence[BoardSize]) -> Iterator[str]:
    """How the time of each engine grows with the clauses, from the smallest board to the largest."""
    for engine in summary.engines:
        timed = [
            (size, size.clauses, seconds)
            for size in sizes
            if size.clauses and (seconds := summary.median(size.name, engine)) is not None
        ]
        if len(timed) < 3:
            continue
        (small, fewest, first), (large, most, last) = timed[0], max(timed, key=lambda each: each[1])
        if most < 4 * fewest:
            continue
        factor = ratio_of(last, first)
        power = log(factor) / log(most / fewest)
        how = (
            "hardly grows"
            if power < 0.25
            else "grows more slowly than the clauses"
            if power < 0.8
            else "grows about as the clauses do"
            if power < 1.25
            else f"grows faster than the clauses, about as their power of {power:.1f}"
        )
        yield (
            f"The time of `{engine}` {how}: from {fewest:,} clauses (`{small.name}`) to {most:,} "
            f"(`{large.name}`), {ratio_text(most / fewest)} times as many, it goes from "
            f"{seconds_text(first)} to {seconds_text(last)}, {ratio_text(factor)} times as long."
        )


def limit_sentences(summary: Summary, sizes: Sequence[BoardSize]) -> Iterator[str]:
    """Where each engine stops, and what that means."""
    by_name = {size.name: size for size in sizes}
    for engine in summary.engines:
        stopped: dict[str, list[str]] = {}
        for board in by_name:
            if (entry := summary.of(board, engine)) and entry.median is None:
                stopped.setdefault(entry.words, []).append(board)
        for words, boards in stopped.items():
            names = listed([f"`{board}`" for board in boards])
            meaning = ""
            if "attempt" in words:
                most = max(by_name[board].unknown for board in boards)
                meaning = f"; with {counted(most, 'unknown cell')} there are up to 2^{most} assignments"
            elif "time" in words:
                meaning = "; its time there is longer than the limit, however long it would take"
            elif "stuck" in words:
                meaning = "; what it knows decides no further cell, which does not mean that nothing would"
            yield f"`{engine}` has no answer on {names} ({words}){meaning}."


def same_size_sentences(summary: Summary, sizes: Sequence[BoardSize]) -> Iterator[str]:
    """Why an engine takes much longer on one of two boards of the same size: the steps that it needs."""
    for one, other in combinations(sizes, 2):
        if one.shape != other.shape:
            continue
        for engine in summary.engines:
            entries = [summary.of(size.name, engine) for size in (one, other)]
            if any(entry is None or entry.median is None for entry in entries):
                continue
            quick, slow = sorted((each for each in entries if each), key=lambda each: each.median or 0.0)
            shared = (name for name in STEP_COUNTERS if quick.counters.get(name) and slow.counters.get(name))
            steps = next(shared, None)
            factor = ratio_of(slow.median or 0.0, quick.median or 0.0)
            if steps is None or factor < 2 or slow.counters[steps] < 1.5 * quick.counters[steps]:
                continue
            yield (
                f"`{quick.board}` and `{slow.board}` are both {one.shape}, but `{engine}` takes "
                f"{ratio_text(factor)} times as long on the second: "
                f"{count_text(slow.counters[steps])} {steps} instead of {count_text(quick.counters[steps])}."
            )


def choice_sentence(summary: Summary, sizes: Sequence[BoardSize]) -> str:
    """Which engine has the shortest median at which size."""
    best = []
    for size in sizes:
        medians = {engine: summary.median(size.name, engine) for engine in summary.engines}
        timed = {engine: seconds for engine, seconds in medians.items() if seconds is not None}
        if timed:
            best.append((min(timed, key=lambda engine: timed[engine]), size.shape))
    if not best:
        return "No engine has a time, so these runs recommend none."
    spans = []
    for engine, group in groupby(best, key=lambda pair: pair[0]):
        shapes = list(dict.fromkeys(shape for _, shape in group))
        where = shapes[0] if len(shapes) == 1 else f"{shapes[0]} to {shapes[-1]}"
        spans.append(f"`{engine}` ({where})")
    return f"The shortest medians, from the smallest board to the largest, are those of {listed(spans)}."
