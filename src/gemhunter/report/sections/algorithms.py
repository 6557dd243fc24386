"""The section about the algorithms: how each works, its cost, its settings and a trace; also the references.

The texts about algorithms are in `algorithms.toml`, and the works in `references.toml`.
"""

import tomllib
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from gemhunter.bench.tables import count_text
from gemhunter.charts.fitness import fitness_chart, fitness_curve
from gemhunter.errors import GemHunterError
from gemhunter.questions.trace import CUT_NAMES, TRACEABLE, Step, names_of, trace
from gemhunter.report.document import (
    SECTION_TITLES,
    Block,
    Chart,
    GraphDrawing,
    Listing,
    Paragraph,
    Section,
    Subheading,
)
from gemhunter.report.findings import Findings
from gemhunter.report.sections.boards import Example, examples, unique_name
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.events import Learned, MatchRound
from gemhunter.solving.registry import get_engine, starts_program
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import capital, counted

TRIED_BOARDS = 12
"""How many boards, smallest first, are searched for a conflict, a matching round or a long curve."""


def engines_section(findings: Findings) -> Section | None:
    """A subsection for each engine of the report, in the order in which they first appear."""
    boards = examples(findings)
    if not boards:
        return None
    blocks: list[Block] = [
        Paragraph(
            "In a trace, `r2c3=T` means that the cell in row 2, column 3 is a trap, and `r2c3=G` that it is "
            "a gem. Counters are medians over the runs of this report."
        )
    ]
    cited = _works_cited(findings)
    for algorithm, engines in _engine_groups(findings).items():
        numbers = sorted(cited.index(work) + 1 for work in _works_about(algorithm, engines))
        citation = f" [{', '.join(map(str, numbers))}]" if numbers else ""
        blocks += _algorithm(engines, algorithm_texts().get(algorithm), citation)
        for engine in engines:
            blocks += _example(findings, engine, boards)
    return Section("engines", SECTION_TITLES["engines"], tuple(blocks))


def references_section(findings: Findings) -> Section | None:
    """All works that the report cites, numbered; None if it describes no algorithms."""
    if not examples(findings):
        return None
    works = _read("references.toml")["works"]
    listed = (f"[{number}] {works[work]}" for number, work in enumerate(_works_cited(findings), 1))
    return Section("references", "References", tuple(map(Paragraph, listed)))


def algorithm_texts() -> dict[str, Any]:
    """The texts about each algorithm."""
    return _read("algorithms.toml")


@cache
def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


def _engine_groups(findings: Findings) -> dict[str, list[str]]:
    """The engines of a report by the key of the text about them; S5 adds the algorithm of its agent."""
    names = [*findings.plan.engines, *(["resolution"] if findings.plan.games else [])]
    groups: dict[str, list[str]] = {}
    for engine in dict.fromkeys(names):
        key = engine if engine in algorithm_texts() else engine.partition(":")[0]
        groups.setdefault(key, []).append(engine)
    return groups


def _works_cited(findings: Findings) -> list[str]:
    """The keys of the works in the order in which the report cites them; that about the puzzle is first."""
    groups = _engine_groups(findings)
    works = (work for algorithm, engines in groups.items() for work in _works_about(algorithm, engines))
    return list(dict.fromkeys(["kaye2000", *works]))


def _works_about(algorithm: str, engines: list[str]) -> list[str]:
    """The works about an algorithm, and those about the solvers of PySAT among its engines."""
    works = [*algorithm_texts().get(algorithm, {}).get("works", ())]
    if algorithm == "pysat":
        by_solver = _read("references.toml")["solvers"].items()
        for info in filter(None, map(_engine_info, engines)):
            solver = info.name.partition(":")[2]
            works += [work for name, work in by_solver if solver.startswith(name)]
    return list(dict.fromkeys(works))


def _engine_info(engine: str) -> EngineInfo | None:
    """The description of an engine; None for a program, and if it is not installed on this machine.

    A finished ledger can come from others, and to write its report starts nothing that it names.
    """
    try:
        return None if starts_program(engine) else get_engine(engine).info
    except GemHunterError:
        return None


def _algorithm(engines: list[str], text: dict[str, str] | None, citation: str) -> Iterator[Block]:
    """How an algorithm works, its cost, and its settings."""
    info = _engine_info(engines[0])
    names = ", ".join(f"`{engine}`" for engine in engines)
    if text:
        yield Subheading(f"{text['title']}: {names}")
        yield Paragraph(f"{text['how'].removesuffix('.')}{citation}.")
        yield Paragraph(f"Cost: {text['cost'][:1].lower()}{text['cost'][1:]}")
    else:
        yield Subheading(names)
        if info:
            yield Paragraph(f"{capital(info.about)}.")
    if info and info.settings:
        settings = ", ".join(f"`{setting}`" for setting in info.settings)
        yield Paragraph(f"Settings and their defaults: {settings}.")


# The counters of an engine, and what it does on a small board.


def _example(findings: Findings, engine: str, boards: list[Example]) -> Iterator[Block]:
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
    """The counters of an engine on the first board for which it has any."""
    for part in range(len(findings.plan.parts)):
        summary = findings.summary(part)
        for board in summary.boards:
            entry = summary.of(board, engine)
            if entry is not None and entry.counters:
                named = ((name.replace("_", " "), number) for name, number in entry.counters.items())
                counters = ", ".join(f"{name} {count_text(number)}" for name, number in named)
                return f"Counters of `{engine}` on `{unique_name(findings, part, board)}`: {counters}."
    return ""


def _trace(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The first steps on the smallest board; for resolution, those around its first matching round."""
    example, begin, shown = boards[0], 0, 16
    if engine.partition(":")[0] == "resolution" and (first := _first(engine, boards, seed, MatchRound)):
        example, begin = first[0], max(first[1] - 2, 0)
    steps = list(islice(_steps(engine, example, seed), begin, begin + shown + 1))
    if not steps:
        return
    lines = [f"{number:5}  {step.sentence}" for number, step in enumerate(steps[:shown], begin + 1)]
    more = ("       …",) if len(steps) > shown else ()
    where = f"starting at step {begin + 1}, shortly before it matches clauses" if begin else "from the start"
    yield Listing(
        (*lines, *more),
        f"What `{engine}` does on {example.words}, {where}.",
        (_trace_command(engine, example, seed, f"--limit {begin + shown}"),),
    )


def _conflict(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The implication graph of the first conflict, on the smallest board that has one."""
    first = _first(engine, boards, seed, Learned)
    if first is None:
        yield Paragraph(f"`{engine}` meets no conflict on any board that was tried.")
        return
    example, place, step = first
    if not isinstance(step.event, Learned):
        return
    yield GraphDrawing(
        f"conflict-{_in_file_name(engine)}",
        names_of(example.grid).graph(step.event),
        f"The first conflict of `{engine}` on {example.words}, at step {place + 1} of its trace "
        f"({step.sentence}). The dashed cut is at the {CUT_NAMES[step.event.scheme]}: everything to the "
        "right of it follows from the yellow literal and the grey ones.",
        (_trace_command(engine, example, seed, "-o conflict.svg"),),
    )


def _fitness(engine: str, boards: list[Example], seed: int) -> Iterator[Block]:
    """The fitness curve on the smallest board that needs a few generations, or the longest curve."""
    curves = []
    for example in boards[:TRIED_BOARDS]:
        curve = fitness_curve(example.grid, seed)
        if curve is not None:
            curves.append((example, curve))
            if len(curve.fitness) > 4:  # a shorter curve shows too little
                break
    if not curves:
        yield Paragraph("Unit propagation alone solves every board that was tried, so nothing is bred.")
        return
    example, curve = max(curves, key=lambda pair: len(pair[1].fitness))
    yield Chart(
        f"fitness-{_in_file_name(engine)}",
        partial(fitness_chart, curve),
        f"Fitness of the best chromosome on {example.words} with default settings and seed {seed}: "
        f"{curve.fitness[-1]} of {counted(curve.clauses, 'clause')} hold after "
        f"{counted(len(curve.fitness) - 1, 'generation')}.",
        f"line chart of the clauses that hold by generation, up to {curve.fitness[-1]} of {curve.clauses}",
        (f"gemhunter solve {example.file} --engine genetic --seed {seed}",),
    )


def _first(engine: str, boards: list[Example], seed: int, kind: type) -> tuple[Example, int, Step] | None:
    """The first event of a kind in the first 3000 steps on each board: its board, its index, and the step."""
    for example in boards[:TRIED_BOARDS]:
        for place, step in enumerate(islice(_steps(engine, example, seed), 3000)):
            if isinstance(step.event, kind):
                return example, place, step
    return None


def _steps(engine: str, example: Example, seed: int) -> Iterator[Step]:
    """The steps of a trace of at most two seconds; none if the engine cannot be traced."""
    try:
        yield from trace(example.grid, engine, run=Run(Limits(2.0), seed=seed))
    except GemHunterError:
        return


def _in_file_name(engine: str) -> str:
    return engine.replace(":", "-").replace("=", "-")


def _trace_command(engine: str, example: Example, seed: int, rest: str) -> str:
    return f"gemhunter trace {example.file} --engine {engine} --seed {seed} {rest}"
