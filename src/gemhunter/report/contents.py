"""The whole report as a document, made from findings and nothing else."""

from gemhunter.core.plurals import counted
from gemhunter.report.document import Document
from gemhunter.report.findings import Findings
from gemhunter.report.sections.boards import boards_section
from gemhunter.report.sections.encoding import encoding_section
from gemhunter.report.sections.engines import engines_section
from gemhunter.report.sections.results import results_section
from gemhunter.report.sections.setting import setting_section
from gemhunter.report.sections.sources import sources_section


def write_document(findings: Findings) -> Document:
    """The document; equal findings give an equal one."""
    written = (
        encoding_section(findings),
        engines_section(findings),
        boards_section(findings),
        sources_section(findings),
        results_section(findings),
    )
    sections = [section for section in written if section is not None]
    return Document(_title(findings), _subtitle(findings), (*sections, setting_section(findings, sections)))


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
