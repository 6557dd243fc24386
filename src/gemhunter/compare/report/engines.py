"""The section about each algorithm: how it works, what it costs, its settings, and a trace."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from gemhunter.compare.charts import fitness_chart, fitness_curve
from gemhunter.compare.report.document import (
    SECTION_TITLES,
    Block,
    Chart,
    GraphDrawing,
    Listing,
    Paragraph,
    Section,
    Subheading,
)
from gemhunter.compare.report.findings import Findings
from gemhunter.compare.report.references import (
    Example,
    algorithm_citation,
    algorithm_texts,
    engine_groups,
    engine_info,
    examples,
    total_text,
    unique_name,
)
from gemhunter.compare.tables import count_text
from gemhunter.errors import GemHunterError
from gemhunter.printable import counted
from gemhunter.questions.trace import CUT_NAMES, TRACEABLE, Step, names_of, trace
from gemhunter.solving.events import Learned, MatchRound
from gemhunter.solving.run import Limits, Run

MOST_TRACE_STEPS = 16
"""Steps of a trace that are shown."""

MOST_EVENTS = 3000
"""Steps of a trace among which a conflict or a round is looked for."""

MOST_TRIED_BOARDS = 12
"""Boards on which one is looked for, smallest first."""

TRACE_SECONDS = 2.0
"""How long a trace may take."""

FEW_GENERATIONS = 4
"""A shorter curve shows too little, if a larger board has a longer one."""


def engines_section(findings: Findings) -> Section | None:
    """A subsection for each engine of the report, in the order in which they first appear."""
    boards = examples(findings)
    if not boards:
        return None
    blocks: list[Block] = [
        Paragraph(
            "In traces, `r2c3=T` says that the cell in row 2, column 3 is a trap, and `r2c3=G` that it is a "
            "gem. Counters are medians over the runs of this report."
        )
    ]
    for algorithm, engines in engine_groups(findings).items():
        cited = algorithm_citation(findings, algorithm)
        blocks += _algorithm(engines, algorithm_texts().get(algorithm), cited)
        for engine in engines:
            blocks += _example(findings, engine, boards)
    return Section("engines", SECTION_TITLES["engines"], tuple(blocks))


def _algorithm(engines: list[str], text: dict[str, str] | None, cited: str) -> Iterator[Block]:
    """How an algorithm works, what it costs, and its settings."""
    info = engine_info(engines[0])
    names = ", ".join(f"`{engine}`" for engine in engines)
    yield Subheading(f"{text['title']}: {names}" if text else names)
    if text:
        yield Paragraph(f"{text['how'].removesuffix('.')}{cited}.")
    elif info:
        yield Paragraph(f"{info.about[:1].upper()}{info.about[1:]}.")
    if text:
        yield Paragraph(f"Cost: {text['cost'][:1].lower()}{text['cost'][1:]}")
    if info and info.settings:
        yield Paragraph(f"Settings, with their defaults: {', '.join(f'`{each}`' for each in info.settings)}.")


def _example(findings: Findings, engine: str, boards: list[Example]) -> Iterator[Block]:
    """What an engine counted, and what it does on a small board."""
    family = engine.partition(":")[0]
    seed = findings.plan.parts[0].heading.setting.seed
    if counters := _counters_text(findings, engine):
        yield Paragraph(counters)
    if family == "genetic":
        yield from _fitness(engine, boards, seed)
    elif family in TRACEABLE:
        yield from _trace(engine, boards, seed)
    if family == "cdcl":
        yield from _conflict(engine, boards, seed)


def _counters_text(findings: Findings, engine: str) -> str:
    """What an engine counted on the first board that it has counters for."""
    for part in range(len(findings.plan.parts)):
        summary = findings.summary(part)
        for board in summary.boards:
            entry = summary.of(board, engine)
            if entry is not None and entry.counters:
                named = ((name.replace("_", " "), number) for name, number in entry.counters.items())
                counted = ", ".join(f"{name} {count_text(number)}" for name, number in named)
                return f"On `{unique_name(findings, part, board)}`, `{engine}` counted: {counted}."
    return ""


def _trace(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The first steps on the smallest board; for resolution, where a round of matching begins."""
    example, begin = boards[0], 0
    if engine.partition(":")[0] == "resolution":
        found = _first(engine, boards, seed, MatchRound)
        example, begin = (found[0], max(found[1] - 2, 0)) if found else (example, 0)
    steps = list(islice(_steps(engine, example, seed), begin, begin + MOST_TRACE_STEPS + 1))
    if not steps:
        return
    lines = [
        f"{number:5}  {step.sentence}" for number, step in enumerate(steps[:MOST_TRACE_STEPS], begin + 1)
    ]
    more = ("       …",) if len(steps) > MOST_TRACE_STEPS else ()
    where = "its first step on" if not begin else f"step {begin + 1} on, where it begins to match clauses"
    yield Listing(
        (*lines, *more),
        f"What `{engine}` does on {example.name}{total_text(example)}, from {where}.",
        (_trace_command(engine, example, seed, f"--max-events {begin + MOST_TRACE_STEPS}"),),
    )


def _conflict(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The implication graph of the first conflict, on the smallest board that has one."""
    found = _first(engine, boards, seed, Learned)
    if found is None:
        yield Paragraph(f"On none of the boards looked at does `{engine}` run into a conflict.")
        return
    example, place, step = found
    if not isinstance(step.event, Learned):
        return
    yield GraphDrawing(
        f"conflict-{engine.replace(':', '-').replace('=', '-')}",
        names_of(example.grid).graph(step.event),
        f"The first conflict of `{engine}` on {example.name}{total_text(example)}, in step {place + 1} of "
        f"its trace ({step.sentence}). The dashed cut is at the {CUT_NAMES[step.event.scheme]}: what lies to "
        "the right of it follows from the yellow literal and the grey ones.",
        (_trace_command(engine, example, seed, "--svg conflict.svg"),),
    )


def _fitness(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The curve on the smallest board that needs a few generations, or the longest one there is."""
    curves = []
    for example in boards[:MOST_TRIED_BOARDS]:
        curve = fitness_curve(example.grid, seed)
        if curve is not None:
            curves.append((example, curve))
            if len(curve.fitness) > FEW_GENERATIONS:
                break
    if not curves:
        yield Paragraph("Unit propagation alone solves the boards looked at: there is nothing to breed for.")
        return
    example, curve = max(curves, key=lambda pair: len(pair[1].fitness))
    yield Chart(
        f"fitness-{engine.replace(':', '-').replace('=', '-')}",
        partial(fitness_chart, curve),
        f"Fitness of the best chromosome on {example.name}{total_text(example)}, default settings, seed "
        f"{seed}: {curve.fitness[-1]} of {counted(curve.clauses, 'clause')} hold after "
        f"{counted(len(curve.fitness) - 1, 'generation')}.",
        f"line chart of the clauses that hold by generation, up to {curve.fitness[-1]} of {curve.clauses}",
        (f"gemhunter solve {example.file} --engine genetic --seed {seed}",),
    )


def _first(engine: str, boards: list[Example], seed: int, kind: type) -> tuple[Example, int, Step] | None:
    """The first event of a kind: its board, its place in the trace, and the step."""
    for example in boards[:MOST_TRIED_BOARDS]:
        for place, step in enumerate(islice(_steps(engine, example, seed), MOST_EVENTS)):
            if isinstance(step.event, kind):
                return example, place, step
    return None


def _steps(engine: str, example: Example, seed: int) -> Iterator[Step]:
    """The steps of a trace; none if the engine cannot be traced."""
    try:
        yield from trace(example.grid, engine, run=Run(Limits(TRACE_SECONDS), seed=seed))
    except GemHunterError:
        return


def _trace_command(engine: str, example: Example, seed: int, rest: str) -> str:
    return f"gemhunter trace {example.file} --engine {engine} --seed {seed} {rest}"
