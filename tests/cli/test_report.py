"""The `report` command: measured once, kept, resumed, and written in four formats."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gemhunter.bench.summary import summarise
from gemhunter.cli.main import run
from gemhunter.cli.report import duration_text
from gemhunter.files.samples import FIRST_SAMPLE, file_of
from gemhunter.report.collect import most_seconds
from gemhunter.report.findings import Findings, read_findings
from gemhunter.report.plan import FULL_EFFORT, QUICK_EFFORT, Effort, new_plan
from gemhunter.wording import seconds_text
from gemhunter.work.ledger import read_ledger
from made_report import PageReader

Captured = pytest.CaptureFixture[str]

pytest.importorskip("matplotlib")

SAMPLE_BOARD = str(file_of(FIRST_SAMPLE))
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report on the sample board and its ledger."""
    home = tmp_path_factory.mktemp("report")
    words = [SAMPLE_BOARD, "-e", "pysat", "-e", "brute-force:attempts=9", "-o", str(home / "report.html")]
    assert run(["report", *words]) == 0
    return home


@pytest.fixture
def ledger(measured: Path, tmp_path: Path) -> Path:
    """A copy of the ledger that a test may change."""
    return Path(shutil.copy(measured / "report.jsonl", tmp_path))


def test_the_report_and_its_ledger_lie_side_by_side(measured: Path) -> None:
    assert {path.name for path in measured.iterdir()} == {"report.html", "report.jsonl"}


def test_numbers_and_limits_in_the_report_are_those_of_the_ledger(measured: Path) -> None:
    records = [json.loads(line) for line in (measured / "report.jsonl").read_text("utf-8").splitlines()[1:]]
    runs = [record["run"] for record in records if "run" in record]
    findings = read_findings(read_ledger(measured / "report.jsonl"))
    entry = summarise(findings.measurements[0].values()).of(Path(SAMPLE_BOARD).stem, "pysat")
    times = sorted(
        sum(taken for stage, taken in each["seconds"].items() if stage != "read")
        for each in runs
        if each["engine"] == "pysat"
    )
    assert entry is not None
    assert entry.median == times[1]
    text = PageReader((measured / "report.html").read_text(encoding="utf-8")).text
    assert seconds_text(times[1]) in text
    assert f"{seconds_text(times[0])} to {seconds_text(times[2])}" in text
    assert "attempt limit" in text


def test_a_complete_ledger_gives_the_report_again_without_measuring(measured: Path, ledger: Path) -> None:
    before = ledger.read_bytes()
    assert run(["report", "--resume", str(ledger), "-o", str(ledger.with_name("again.html"))]) == 0
    assert ledger.read_bytes() == before
    assert ledger.with_name("again.html").read_bytes() == (measured / "report.html").read_bytes()


def test_resuming_measures_exactly_what_is_missing(ledger: Path) -> None:
    lines = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
    missing = next(place for place, line in enumerate(lines) if '"run":3' in line)
    ledger.write_text("".join(lines[:missing] + lines[missing + 1 :]), encoding="utf-8")
    assert run(["report", "--resume", str(ledger), "-o", str(ledger.with_name("again.html"))]) == 0
    after = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
    assert after[:-1] == lines[:missing] + lines[missing + 1 :]
    old, new = json.loads(lines[missing])["run"], json.loads(after[-1])["run"]
    assert [new[name] for name in ("board", "engine", "run")] == [
        old[name] for name in ("board", "engine", "run")
    ]


def test_runs_of_another_machine_are_not_mixed_with_ours(ledger: Path, capsys: Captured) -> None:
    heading, *records = ledger.read_text(encoding="utf-8").splitlines()
    document = json.loads(heading)
    document["parts"][0]["heading"]["machine"]["cores"] += 1
    ledger.write_text("\n".join([json.dumps(document), *records[1:], ""]), encoding="utf-8")
    assert run(["report", "--resume", str(ledger), "-o", str(ledger.with_name("again.html"))]) == 2
    assert "cannot be resumed: the machine has changed" in capsys.readouterr().err


def test_a_ledger_that_exists_is_never_written_over(measured: Path, capsys: Captured) -> None:
    assert run(["report", SAMPLE_BOARD, "-o", str(measured / "report.html")]) == 2
    assert "--resume" in capsys.readouterr().err


def test_a_ledger_of_something_else_is_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "other.jsonl").write_text('{"ledger":"bench"}\n', encoding="utf-8")
    assert run(["report", "--resume", str(tmp_path / "other.jsonl"), "-o", str(tmp_path / "a.html")]) == 2
    assert "has no results of `gemhunter report`" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        '{"part":0}',
        '{"part":7,"board":"a","answer":{}}',
        '{"part":0,"board":"a","engine":"cdcl","map":"T"}',
        '{"games":{"line":0,"marked":[],"rounds":[]}}',
    ],
)
def test_a_line_that_is_no_finding_of_this_report_is_named(line: str, ledger: Path, capsys: Captured) -> None:
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")
    assert run(["report", "--resume", str(ledger), "-o", str(ledger.with_name("again.html"))]) == 2
    assert "not a line of results" in capsys.readouterr().err


def test_resume_takes_no_boards_of_its_own(ledger: Path, capsys: Captured) -> None:
    assert run(["report", SAMPLE_BOARD, "--resume", str(ledger)]) == 2
    assert "--resume takes boards" in capsys.readouterr().err


def written(ledger: Path, *words: str) -> str:
    """The report of a ledger as Markdown."""
    target = ledger.with_name("again.md")
    assert run(["report", "--resume", str(ledger), "-o", str(target), *words]) == 0
    return target.read_text(encoding="utf-8")


def test_what_the_author_gives_is_kept_and_can_be_changed(ledger: Path) -> None:
    intro = ledger.with_name("intro.md")
    intro.write_bytes(b"\xef\xbb\xbf# Introduction\r\n\r\nOur *own* words.\r\n")
    names = ["--title", "Mine", "--author", "An Nguyen", "--author", "B", "--course", "AI 1"]
    text = written(ledger, *names, "--text", f"intro={intro}")
    assert text.startswith("# Mine\n\nAn Nguyen, B\n\nAI 1\n\n")
    assert "## 1. Introduction\n\nOur *own* words.\n\n## 2. The puzzle" in text
    intro.unlink()
    kept = ledger.read_bytes()
    assert written(ledger, "--course", "AI 1") == text
    assert ledger.read_bytes() == kept
    assert written(ledger, "--course", " ") == text.replace("AI 1\n\n", "")


def test_notes_say_what_is_the_authors_to_write_until_it_is_given(measured: Path, ledger: Path) -> None:
    page = (measured / "report.html").read_text(encoding="utf-8")
    assert page.count('class="note"') == page.count("Yours to write:") == 2
    ledger.with_name("end.md").write_text("So it ends.", encoding="utf-8")
    given = written(ledger, "--text", f"discussion={ledger.with_name('end.md')}")
    assert given.count("Yours to write:") == 1
    assert "## 6. Discussion\n\nSo it ends.\n\n" in given


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("into=own.md", "no section named 'into'; did you mean 'intro'? (known: intro, puzzle, "),
        ("intro", "expected SECTION=FILE, as in intro=intro.md, not 'intro'"),
        ("intro=none.md", "none.md: no such file"),
        ("intro=latin.md", "latin.md: not UTF-8 text"),
        ("intro=report.html", "report.html is read by this command; name another file to write"),
    ],
)
def test_a_wrong_text_is_reported_before_anything_is_measured(
    value: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report.html").write_text("mine", encoding="utf-8")
    Path("latin.md").write_bytes(b"caf\xe9")
    assert run(["report", SAMPLE_BOARD, "--text", value]) == 2
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "latin.md"}
    assert Path("report.html").read_text(encoding="utf-8") == "mine"


def test_without_matplotlib_the_report_has_no_charts_and_says_so(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = ledger.with_name("again.html")
    assert run(["report", "--resume", str(ledger), "-o", str(page)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert sum("charts" in line for line in said) == 1
    assert said[0].startswith("the report has no charts: they need the package matplotlib; install it: ")
    text = page.read_text(encoding="utf-8")
    assert '<svg class="chart"' not in text
    assert "There are no charts, because Matplotlib was not installed." in text


def test_the_report_of_an_engine_that_is_not_here_is_written_all_the_same(ledger: Path) -> None:
    text = ledger.read_text(encoding="utf-8").replace("brute-force:attempts=9", "./gone.py")
    ledger.write_text(text, encoding="utf-8")
    assert "### `./gone.py`" in written(ledger)


@pytest.mark.parametrize("effort", [QUICK_EFFORT, FULL_EFFORT])
def test_the_page_about_reports_gives_the_longest_time_of_the_runs(effort: Effort) -> None:
    longest = duration_text(most_seconds(Findings(new_plan([], effort)), at_once=1))
    promised = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    assert f"{longest} for the {effort.name}" in promised


def test_an_unknown_engine_is_reported_before_any_work(tmp_path: Path, capsys: Captured) -> None:
    assert run(["report", SAMPLE_BOARD, "-e", "cdlc", "-o", str(tmp_path / "a.html")]) == 2
    assert "did you mean 'cdcl'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_markdown_has_its_figures_in_a_folder_beside_it(ledger: Path) -> None:
    target = ledger.with_name("mine.md")
    assert run(["report", "--resume", str(ledger), "-o", str(target)]) == 0
    referred = set(re.findall(r"mine-figures/([\w-]+\.svg)", target.read_text(encoding="utf-8")))
    assert referred == {path.name for path in ledger.with_name("mine-figures").iterdir()}
    assert referred


def test_the_ending_of_the_file_chooses_the_format(ledger: Path) -> None:
    pytest.importorskip("typst")
    for name, beginning in [("a.pdf", b"%PDF"), ("a.md", b"# "), ("a", b"<!DOCTYPE html>")]:
        assert run(["report", "--resume", str(ledger), "-o", str(ledger.with_name(name))]) == 0
        assert ledger.with_name(name).read_bytes().startswith(beginning)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_shows_the_page_without_any_error_and_prints_it(measured: Path, tmp_path: Path) -> None:
    common = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    common += [f"--user-data-dir={tmp_path / 'profile'}"]
    page, printed = (measured / "report.html").as_uri(), tmp_path / "report.pdf"
    words = [*common, "--dump-dom", page]
    shown = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, timeout=120)
    assert "CONSOLE" not in shown.stderr
    source = (measured / "report.html").read_text(encoding="utf-8")
    assert PageReader(shown.stdout).tags.count("svg") == PageReader(source).tags.count("svg")
    subprocess.run([*common, f"--print-to-pdf={printed}", page], capture_output=True, check=True, timeout=120)
    assert printed.read_bytes().startswith(b"%PDF")
