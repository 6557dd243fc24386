"""The whole report as a document, made only from findings.

The sections about measurements are in `boards.py`, `algorithms.py`, `sources.py` and `results.py`. Those
of the author, and the one about how everything was measured, are here.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from gemhunter.bench.ledger import workers_text
from gemhunter.bench.tables import start_notes
from gemhunter.files.text_tables import TextTable
from gemhunter.report.document import (
    COMMANDS_SECTION,
    SECTION_TITLES,
    Block,
    Chart,
    Document,
    Items,
    Listing,
    Paragraph,
    Section,
    Table,
    captioned,
    grid_text,
)
from gemhunter.report.findings import Findings
from gemhunter.report.formats.markdown import read_markdown
from gemhunter.report.plan import FIRST_GAME, ReportPart
from gemhunter.report.sections.algorithms import engines_section, references_section
from gemhunter.report.sections.boards import boards_section, encoding_section, examples
from gemhunter.report.sections.results import results_section
from gemhunter.report.sections.sources import sources_section
from gemhunter.wording import capital, counted, listed


def write_document(findings: Findings, *, with_charts: bool = True, with_notes: bool = False) -> Document:
    """The document, which is equal for equal findings.

    Charts need Matplotlib when a page is written. Notes say which sections the author has yet to write.
    """
    own, parts = findings.own, findings.plan.parts
    yours = {
        "intro": "what the assignment was, how you approached it, and who did what",
        "discussion": "what these results taught you, what surprised you, and what your boards cannot show",
    }
    measured = {
        "puzzle": encoding_section(findings),
        "engines": engines_section(findings),
        "boards": boards_section(findings),
        "sources": sources_section(findings),
        "results": results_section(findings),
    }
    sections: list[Section] = []
    for name in SECTION_TITLES:
        section = measured.get(name)
        if name == "setting":  # its list of commands needs all sections before it
            section = setting_section(findings, sections, with_charts=with_charts)
        blocks = read_markdown(own.texts.get(name, ""), SECTION_TITLES[name])
        if section is not None:
            blocks += section.blocks
        elif with_notes and name in yours and name not in own.texts:
            how = f"`--text {name}=FILE.md` puts your text here."
            blocks = (Paragraph(f"**Yours to write:** {yours[name]}. {how}", is_note=True),)
        if blocks:
            shown = tuple(block for block in blocks if with_charts or not isinstance(block, Chart))
            sections.append(Section(name, SECTION_TITLES[name], shown))
    if references := references_section(findings):
        sections.append(references)
    title = own.title
    if not title and findings.plan.games:
        title = "Gem Hunter: the five course programs, measured again"
    elif not title:
        title = f"Gem Hunter: engines compared on {', '.join(part.heading.suite for part in parts)}"
    boards = counted(sum(len(part.boards) for part in parts), "board")
    engines = counted(len({engine for part in parts for engine in part.heading.engines}), "engine")
    runs = counted(sum(map(len, findings.measurements)), "run")
    machine = parts[0].heading.machine
    measured_on = f"measured on {machine['processor']} with {counted(machine['cores'], 'core')}"
    subtitle = f"{boards}, {engines}, {runs}, {measured_on}."
    return Document(title, subtitle, tuple(sections), own.authors, own.course)


def setting_section(findings: Findings, others: Sequence[Section], *, with_charts: bool = True) -> Section:
    """How all parts were measured, and the command behind every table and figure of the other sections."""
    plan = findings.plan
    heading = plan.parts[0].heading
    machine = [*heading.machine.items(), *heading.versions.items()]
    workers = f"{capital(workers_text(findings.workers))}."
    if {used.number for used in findings.workers} != {1}:
        workers += " Runs made in parallel have noisier times."
    blocks: list[Block] = [
        Paragraph(
            "Every engine ran in its own process. The table gives the seed of each engine's first run; every "
            "later run has the next seed. Our engines ran compiled unless the table says otherwise."
        ),
        Paragraph(workers),
        Table(
            TextTable(("what", "value"), tuple((str(name), f"`{value}`") for name, value in machine)),
            "Machine and versions.",
        ),
        Table(
            TextTable(
                ("part", "boards", "engines", "runs", "time limit", "seed", "compiled"),
                tuple(map(_part_row, plan.parts)),
            ),
            "How the engines were compared.",
        ),
    ]
    if notes := start_notes(chain(*(runs.values() for runs in findings.measurements))):
        blocks.append(Items(tuple(notes)))
    if not with_charts:
        blocks.append(Paragraph("There are no charts, because Matplotlib was not installed."))
    if plan.games:
        games = f"S5: {counted(plan.games, 'game')} for each level and number of initial safe cells, and "
        games += f"{counted(plan.dealt, 'random board')} for each level, with seeds from {FIRST_GAME} on."
        blocks.append(Paragraph(games))
    blocks += [Paragraph("The command behind every table and figure:"), Items(_commands(others))]
    blocks += _files(findings, others)
    return Section(COMMANDS_SECTION, SECTION_TITLES[COMMANDS_SECTION], tuple(blocks))


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
    """Each command after the blocks that show its output, such as `Tables 1, 2; Figure 1`."""
    numbers: dict[str, dict[str, list[str]]] = {}
    for block, label in captioned(sections):
        kind, _, number = label.partition(" ")
        for command in block.commands:
            numbers.setdefault(command, {}).setdefault(kind, []).append(number)
    plurals = {"Table": "Tables", "Figure": "Figures", "Listing": "Listings"}
    lines = []
    for command, kinds in numbers.items():
        blocks = [
            f"{kind if len(places) == 1 else plurals[kind]} {listed(places)}"
            for kind, places in kinds.items()
        ]
        lines.append(f"{'; '.join(blocks)}: `{command}`")
    return tuple(lines)


def _files(findings: Findings, sections: Sequence[Section]) -> Iterator[Block]:
    """The boards that commands name as files."""
    commands = [command for block, _ in captioned(sections) for command in block.commands]
    words = {word for command in commands for word in command.split()}
    for example in examples(findings):
        if example.file in words:
            lines = tuple(grid_text(example.grid).split("\n"))
            yield Listing(lines, f"The board in the file `{example.file}`.")
