"""The section about how everything was measured: machine, versions, seeds, and the commands."""

from collections.abc import Iterator, Sequence

from gemhunter.bench.ledger import workers_text
from gemhunter.core.plurals import counted
from gemhunter.report.document import (
    COMMANDS_SECTION,
    SECTION_TITLES,
    Block,
    Items,
    Listing,
    Paragraph,
    Section,
    Table,
    captioned,
    grid_text,
    labels,
)
from gemhunter.report.findings import Findings
from gemhunter.report.plan import FIRST_GAME, ReportPart
from gemhunter.report.sections.examples import examples
from gemhunter.report.tables.text_table import TextTable


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
