"""Findings of a report written by hand, and a check that a page is well formed."""

from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

from gemhunter.bench.runs import Measurement
from gemhunter.report.findings import Findings
from gemhunter.report.plan import QUICK_EFFORT, new_plan

SAMPLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
SOLUTION = "TGTTGTG"
"""Of the sample: a letter for each unknown cell."""

VOID = {"meta", "br", "wbr", "hr", "img", "link", "input"}


def made_findings(
    folder: Path, measurements: Iterable[Measurement] = (), *, boards: dict[str, str] | None = None
) -> Findings:
    """Findings about boards, the sample if none are given, compared with `fast` engines by hand."""
    texts = boards or {"sample": SAMPLE}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    names = [str(folder / f"{name}.txt") for name in texts]
    findings = Findings(new_plan(names, QUICK_EFFORT, engines=["cdcl", "brute-force"]))
    findings.measurements[0] |= {each.task: each for each in measurements}
    return findings


class PageReader(HTMLParser):
    """Reads a page and notes tags that do not match, ids, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag that opens, its id and what it refers to."""
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes of a tag."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name == "aria-labelledby" and value:
                self.references.append(value)
            if name == "href" and value:
                self.references.append(value.removeprefix("#"))

    def handle_endtag(self, tag: str) -> None:
        """Compare with the tag that was opened last."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All text outside of tags."""
        return "".join(self.texts)
