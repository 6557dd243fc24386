"""The whole report as a document, made from findings and nothing else."""

from dataclasses import replace

from gemhunter.compare.report.boards import boards_section, encoding_section
from gemhunter.compare.report.document import SECTION_TITLES, Chart, Document, Section
from gemhunter.compare.report.engines import engines_section
from gemhunter.compare.report.findings import Findings
from gemhunter.compare.report.own_words import own_section, with_own_words
from gemhunter.compare.report.references import references_section
from gemhunter.compare.report.results import results_section, setting_section
from gemhunter.compare.report.sources import sources_section
from gemhunter.printable import counted


def write_document(findings: Findings, *, with_charts: bool = True, with_notes: bool = False) -> Document:
    """The document; equal findings give an equal one.

    Charts need Matplotlib when a page is written. Notes say which sections are the author's to write.
    """
    own = findings.own
    measured = {
        "puzzle": encoding_section(findings),
        "engines": engines_section(findings),
        "boards": boards_section(findings),
        "sources": sources_section(findings),
        "results": results_section(findings),
    }
    sections: list[Section] = []
    for name in SECTION_TITLES:
        made = measured.get(name)
        if name == "setting":  # its list of commands needs all sections before it
            made = setting_section(findings, sections, with_charts=with_charts)
        section = own_section(name, own, with_notes=with_notes) if made is None else with_own_words(made, own)
        if section is not None:
            sections.append(section if with_charts else _without_charts(section))
    if references := references_section(findings):
        sections.append(references)
    title = own.title or _title(findings)
    return Document(title, _subtitle(findings), tuple(sections), own.authors, own.course)


def _without_charts(section: Section) -> Section:
    return replace(section, blocks=tuple(block for block in section.blocks if not isinstance(block, Chart)))


def _title(findings: Findings) -> str:
    names = [part.heading.suite for part in findings.plan.parts]
    if findings.plan.games:
        return "Gem Hunter: the five course programs, measured again"
    return f"Gem Hunter: engines compared on {', '.join(names)}"


def _subtitle(findings: Findings) -> str:
    parts = findings.plan.parts
    counts = {
        "board": sum(len(part.boards) for part in parts),
        "engine": len({engine for part in parts for engine in part.heading.engines}),
        "run": sum(map(len, findings.measurements)),
    }
    machine = parts[0].heading.machine
    sizes = ", ".join(counted(number, word) for word, number in counts.items())
    return f"{sizes}, measured on {machine['processor']} with {counted(machine['cores'], 'core')}."
