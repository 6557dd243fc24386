"""The sections that say what follows: results, conclusions, and how everything was measured.

Every sentence is made of numbers that were measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import log

from gemhunter.cnf.encode import count_clauses
from gemhunter.compare.game_tables import S5Line
from gemhunter.compare.ledger import workers_text
from gemhunter.compare.report.document import (
    COMMANDS_SECTION,
    SECTION_TITLES,
    Block,
    Items,
    Listing,
    Paragraph,
    Section,
    Subheading,
    Table,
    captioned,
    grid_text,
    labels,
)
from gemhunter.compare.report.findings import Findings
from gemhunter.compare.report.plan import FIRST_GAME, ReportPart
from gemhunter.compare.report.references import examples
from gemhunter.compare.suites import Measurement
from gemhunter.compare.summary import (
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
from gemhunter.compare.tables import FEWEST_FOR_INTERVAL, count_text, ranking_table, ratio_text, ratio_texts
from gemhunter.draw.text_maps import seconds_text
from gemhunter.files.tables import TextTable
from gemhunter.printable import counted, listed
from gemhunter.work.estimates import Interval

# What the times mean: each engine against the SAT solver, growth, limits, and which engine suits which
# size.
#
# Every sentence is made of medians and counters of the report. Where runs overlap or boards are few, a
# sentence says less or is left out.


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


# The section that says what follows: every sentence is made of numbers that were measured.


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


# The section about how everything was measured: machine, versions, seeds, and the commands.


def setting_section(findings: Findings, others: Sequence[Section], *, with_charts: bool = True) -> Section:
    """The setting of all parts, and the command behind every table and figure of the other sections."""
    plan = findings.plan
    blocks: list[Block] = [
        Paragraph(
            "Every engine ran in a process of its own. The seed of the first run of an engine is given; "
            "its second run has the next. Engines written here ran compiled unless the table says otherwise."
        ),
        Paragraph(_workers_sentence(findings)),
        Table(_machine_table(plan.parts), "Machine and versions."),
        Table(_parts_table(plan.parts), "How the comparisons were made."),
    ]
    if not with_charts:
        blocks.append(Paragraph("There are no charts, because Matplotlib was not installed."))
    if plan.games:
        blocks.append(
            Paragraph(
                f"S5: {counted(plan.games, 'game')} for each level and number of initial safe cells, and "
                f"{counted(plan.dealt, 'board')} dealt for each level, with seeds from {FIRST_GAME} on."
            )
        )
    blocks += [Paragraph("The command behind every table and figure:"), Items(_commands(others))]
    blocks += _files(findings, others)
    return Section(COMMANDS_SECTION, SECTION_TITLES[COMMANDS_SECTION], tuple(blocks))


def _workers_sentence(findings: Findings) -> str:
    text = workers_text(findings.workers)
    sentence = f"{text[0].upper()}{text[1:]}."
    is_alone = {each.number for each in findings.workers} == {1}
    return sentence if is_alone else f"{sentence} Runs made side by side have noisier times."


def _machine_table(parts: Sequence[ReportPart]) -> TextTable:
    heading = parts[0].heading
    rows = [*heading.machine.items(), *heading.versions.items()]
    return TextTable(("what", "value"), tuple((str(name), f"`{value}`") for name, value in rows))


def _parts_table(parts: Sequence[ReportPart]) -> TextTable:
    return TextTable(
        ("part", "boards", "engines", "runs", "time limit", "seed", "compiled"),
        tuple(_part_row(part) for part in parts),
    )


def _part_row(part: ReportPart) -> tuple[str, ...]:
    heading = part.heading
    others = [f"{engine}: {runs}" for engine, runs in heading.runs_of.items()]
    return (
        heading.suite,
        str(len(heading.boards)),
        str(len(heading.engines)),
        ", ".join([str(heading.runs), *others]),
        f"{heading.setting.limits.seconds:g} s",
        str(heading.setting.seed),
        "yes" if heading.compiled else "no",
    )


def _commands(sections: Sequence[Section]) -> tuple[str, ...]:
    numbers = labels(sections)
    by_command: dict[str, list[str]] = {}
    for block in captioned(sections):
        for command in block.commands:
            by_command.setdefault(command, []).append(numbers[id(block)].text)
    return tuple(f"{_ranges(names)}: `{command}`" for command, names in by_command.items())


def _files(findings: Findings, sections: Sequence[Section]) -> Iterator[Block]:
    """The boards that commands name as files, as text."""
    words = {word for block in captioned(sections) for command in block.commands for word in command.split()}
    for example in examples(findings):
        if example.file in words:
            lines = tuple(grid_text(example.grid).split("\n"))
            yield Listing(lines, f"The board that commands call `{example.file}`.")


def _ranges(names: Sequence[str]) -> str:
    """`Table 1, 2, Figure 1`: the kind is said once for each kind."""
    by_kind: dict[str, list[str]] = {}
    for name in names:
        kind, _, number = name.partition(" ")
        by_kind.setdefault(kind, []).append(number)
    return "; ".join(f"{kind} {', '.join(numbers)}" for kind, numbers in by_kind.items())
