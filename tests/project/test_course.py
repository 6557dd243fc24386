"""The pages for learners: short, complete, and nothing on them that does not run."""

import re
import shlex
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.files.samples import SAMPLES
from places import DOCS

COURSE = DOCS / "course"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(COURSE.glob("*.md"))}
CHAPTERS = [name for name in PAGES if name != "README.md"]
MOST_TEXT_LINES = 75
BAD_INPUT = 2

PSEUDO_CODE = {
    *("BACKTRACKING", "UNIT_PROPAGATION", "DPLL"),
    *("CDCL", "PICK_VARIABLE", "CONFLICT_ANALYSIS", "RESOLUTION", "BACKTRACK"),
    *("INSERT", "MARK", "MATCHING_ROUND", "INFER", "GENETIC", "AGENT", "TELL"),
}

TOPICS = {
    "1-formulas.md": ["literal", "clause", "CNF", "model", "SAT", "NP-complete", "coNP", "#P"],
    "2-encoding.md": [
        "U(k, n)",
        "L(k, n)",
        "Lemma 1",
        "Lemma 2",
        "Theorem",
        "k < 0",
        "k > n",
        "k = 0",
        "k = n",
    ],
    "3-worked-example.md": ["reading order", "r·C + c + 1", "known trap", "duplicates", "total"],
    "4-searching.md": ["2^n", "Brute force", "Backtracking", "DPLL", "CDCL", "pruned", "learned clause"],
    "5-other-ways.md": ["Resolution", "genetic algorithm", "Local search", "complete", "gave up"],
    "6-sat-solvers.md": ["MiniSat", "Glucose", "CaDiCaL", "PySAT", "No conflicts", "wrapper", "steps"],
    "7-agent.md": [
        *("first-order", "Mine(x)", "Adjacent(x, y)", "Count(x, n)", "Forward chaining", "Backward chaining"),
        *("guess", "CSP", "most constrained variable", "degree heuristic", "forward checking"),
    ],
}


def blocks(text: str) -> list[str]:
    """The languages of all fenced blocks of a page."""
    return re.findall(r"^```(\w*)\n.*?^```$", text, re.S | re.M)


def commands_in_sentences(text: str) -> list[str]:
    """Commands between backquotes, but for those with a placeholder in capitals."""
    quoted = re.findall(r"`(gemhunter [^`]+)`", text)
    return [command for command in quoted if not re.search(r"\b[A-Z]{2,}\b", command)]


def pseudo_code(text: str) -> dict[str, str]:
    """The numbered lines of pseudo-code on a page, by their labels; a line may go on below its label."""
    listed = re.findall(r"^    ([A-Z]\d+) (.*(?:\n {9,}\S.*)*)", text, re.M)
    lines = dict(listed)
    assert len(lines) == len(listed), "a label stands for two lines"
    return lines


LINES = pseudo_code("\n".join(PAGES.values()))


def events_beside_lines(text: str) -> list[tuple[str, str]]:
    """The label in the margin and the event of every event in a block that has a margin, empty without."""
    return [
        (label, event)
        for block in re.findall(r"^```console\n(.*?)^```$", text, re.S | re.M)
        if re.search(r"^[A-Z]\d+ *\| ", block, re.M)
        for label, event in re.findall(
            r"^(?:([A-Z]\d+) *\| )?( *\d+(?:  |\. ).*|matching round .*|won.*)$", block, re.M
        )
    ]


def test_the_course_has_pseudo_code_of_every_algorithm() -> None:
    text = "\n".join(PAGES.values())
    named = re.findall(r"^    ([A-Z_]+)\(.*\)\n    [A-Z]\d+ ", text, re.M)
    assert sorted(named) == sorted(PSEUDO_CODE)
    numbers: dict[str, list[int]] = {}
    for label in LINES:
        numbers.setdefault(label[0], []).append(int(label[1:]))
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())


@pytest.mark.parametrize("name", ["4-searching.md", "5-other-ways.md", "7-agent.md"])
def test_every_event_stands_beside_the_line_of_pseudo_code_that_prints_it(name: str) -> None:
    events = events_beside_lines(PAGES[name])
    assert events
    for label, event in events:
        words = ", ".join(re.findall(r"\[(.*)\]", LINES[label])).split(", ")
        assert any(re.search(rf"\b{word}\b", event) for word in words if word), (label, event)


@pytest.mark.parametrize("name", TOPICS)
def test_the_course_explains_every_topic_it_promises(name: str) -> None:
    text = PAGES[name].lower()
    assert [topic for topic in TOPICS[name] if topic.lower() not in text] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_course_is_short_without_its_listings(name: str) -> None:
    text = re.sub(r"^```\w*\n.*?^```$|^    [^\n]*$", "", PAGES[name], flags=re.S | re.M)
    assert len([line for line in text.splitlines() if line]) <= MOST_TEXT_LINES


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_of_the_course_names_the_works_it_rests_on(name: str) -> None:
    works = PAGES[name].partition("## References\n")[2]
    assert re.search(r"^- .+: \*.+\*", works, re.M)


def test_the_first_page_of_the_course_leads_to_all_others() -> None:
    assert [name for name in CHAPTERS if f"]({name})" not in PAGES["README.md"]] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_fenced_block_of_the_course_is_one_that_tests_run(name: str) -> None:
    assert set(blocks(PAGES[name])) <= {"console", "pycon"}


@pytest.mark.parametrize("name", [*PAGES, "../sources.md"])
def test_every_command_in_a_sentence_of_the_course_runs(name: str, desk: Path) -> None:
    commands = commands_in_sentences((COURSE / name).read_text(encoding="utf-8"))
    words = [shlex.split(command)[1:] for command in commands]
    codes = {shlex.join(each): run(each) for each in words if each[0] not in ("bench", "report")}
    assert [command for command, code in codes.items() if code >= BAD_INPUT] == []


@pytest.mark.parametrize(
    ("page", "command", "picture"),
    [
        ("4-searching.md", "trace sample:backjump --engine cdcl -o conflict.svg", "conflict.svg"),
        ("7-agent.md", "analyse sample:learning -o risk.svg", "risk.svg"),
    ],
)
def test_the_pictures_of_the_course_are_the_ones_we_draw(
    page: str, command: str, picture: str, desk: Path
) -> None:
    assert f"`gemhunter {command}`" in PAGES[page]
    assert f"]({picture})" in PAGES[page]
    assert run(command.split()) == 0
    drawn = (desk / picture).read_text(encoding="utf-8")
    assert (COURSE / picture).read_text(encoding="utf-8") == drawn


def test_every_picture_of_the_course_is_on_a_page() -> None:
    text = "".join(PAGES.values())
    assert [picture.name for picture in COURSE.glob("*.svg") if f"]({picture.name})" not in text] == []


def test_every_sample_board_made_for_lessons_is_used_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in COURSE.parent.rglob("*.md"))
    lessons = [name for name, sample in SAMPLES.items() if sample.file.startswith("lessons/")]
    assert [name for name in lessons if f"sample:{name}" not in text] == []
