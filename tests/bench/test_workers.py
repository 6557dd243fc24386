"""Who made the runs is kept and said, and what was stopped says how it is continued."""

import json
import shlex
import signal
from pathlib import Path

import pytest

from gemhunter.bench.ledger import read_comparison, workers_text
from gemhunter.bench.runs import Measurement, RunSetting, RunTask, Verdict, WorkersUsed
from gemhunter.bench.suites import BenchBoard
from gemhunter.cli import exit_codes as interrupts
from gemhunter.cli.main import run
from gemhunter.report.findings import read_findings
from gemhunter.work.ledger import read_ledger
from gemhunter.work.workers import dask_cluster

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board, and runs that take no time."""

    def instant(task: RunTask, _board: BenchBoard, _setting: RunSetting, **_: object) -> Measurement:
        return Measurement(*task, Verdict.SOLVED, "", {"read": 0.0, "solve": 0.001}, {}, None)

    monkeypatch.setattr("gemhunter.bench.runs.measure", instant)
    (desk / "board.txt").write_text("_, 1, _\n", encoding="utf-8")
    return desk


def bench(ledger: str, *words: str) -> int:
    return run(["bench", "board.txt", "-e", "pysat", "--runs", "3", "-o", ledger, *words])


def without_last_run(ledger: str) -> None:
    lines = Path(ledger).read_text(encoding="utf-8").splitlines(keepends=True)
    Path(ledger).write_text("".join(lines[:-1]), encoding="utf-8")


def forget_workers(ledger: str) -> None:
    """Make a ledger one that does not say who made its runs."""
    heading, *lines = Path(ledger).read_text(encoding="utf-8").splitlines()
    record = json.loads(heading)
    for each in (record, *(part["heading"] for part in record.get("parts", []))):
        each.pop("workers", None)
        each.pop("dask", None)
    Path(ledger).write_text("\n".join([json.dumps(record), *lines, ""]), encoding="utf-8")


def test_a_ledger_says_how_many_workers_made_its_runs(capsys: Captured) -> None:
    assert bench("one.jsonl", "--workers", "1") == 0
    assert capsys.readouterr().out.endswith("\nmeasured by 1 worker\n")
    assert read_comparison(read_ledger(Path("one.jsonl"))).workers == (WorkersUsed(1),)
    assert run(["bench", "show", "one.jsonl"]) == 0
    assert capsys.readouterr().out.endswith("\nmeasured by 1 worker\n")


@pytest.mark.parametrize("form", ["csv", "md", "tex", "json"])
def test_documents_have_nothing_but_their_table(form: str, capsys: Captured) -> None:
    assert bench("one.jsonl", "--workers", "1", "--format", form) == 0
    assert "worker" not in capsys.readouterr().out


def test_a_ledger_that_does_not_say_so_is_read_and_resumed_all_the_same(capsys: Captured) -> None:
    bench("old.jsonl")
    forget_workers("old.jsonl")
    without_last_run("old.jsonl")
    assert run(["bench", "--resume", "old.jsonl", "--workers", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.out.endswith("\nnumber of workers not recorded\n")
    assert printed.err == ""
    assert read_comparison(read_ledger(Path("old.jsonl"))).workers == ()


def test_one_run_is_made_at_a_time_unless_more_workers_are_asked_for(capsys: Captured) -> None:
    assert bench("one.jsonl") == 0
    assert capsys.readouterr().out.endswith("\nmeasured by 1 worker\n")


def test_resuming_takes_as_many_workers_as_before(capsys: Captured) -> None:
    bench("three.jsonl", "--workers", "3")
    without_last_run("three.jsonl")
    assert run(["bench", "--resume", "three.jsonl"]) == 0
    assert capsys.readouterr().err == ""
    assert read_comparison(read_ledger(Path("three.jsonl"))).workers == (WorkersUsed(3),)


def test_resuming_with_other_workers_is_kept_and_warned_of(capsys: Captured) -> None:
    bench("one.jsonl", "--workers", "1")
    without_last_run("one.jsonl")
    capsys.readouterr()
    assert run(["bench", "--resume", "one.jsonl", "--workers", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.err == (
        "warning: the runs in one.jsonl were made by 1 worker, the others are made by 2 workers; "
        "more workers make noisier times\n"
    )
    assert printed.out.endswith("\nmeasured by 1 worker, then by 2 workers\n")
    kept = read_comparison(read_ledger(Path("one.jsonl")))
    assert (len(kept.measurements), kept.workers) == (3, (WorkersUsed(1), WorkersUsed(2)))


def test_comparing_ledgers_of_different_workers_is_warned_of(capsys: Captured) -> None:
    bench("one.jsonl", "--workers", "1")
    bench("two.jsonl", "--workers", "2")
    bench("old.jsonl")
    forget_workers("old.jsonl")
    capsys.readouterr()
    assert run(["bench", "show", "one.jsonl", "two.jsonl"]) == 0
    assert capsys.readouterr().err == (
        "warning: one.jsonl was measured by 1 worker, two.jsonl was measured by 2 workers; "
        "more workers make noisier times\n"
    )
    for pair in (["one.jsonl", "one.jsonl"], ["one.jsonl", "old.jsonl"]):
        assert run(["bench", "show", *pair]) == 0
        assert capsys.readouterr().err == ""


def test_a_cluster_is_named_as_one() -> None:
    used = [WorkersUsed(1, on_dask=True), WorkersUsed(8, on_dask=True), WorkersUsed(2)]
    assert workers_text(used) == (
        "measured by 1 worker of a Dask cluster, then by 8 workers of a Dask cluster, then by 2 workers"
    )


def test_a_cluster_that_does_not_answer_leaves_no_ledger(
    monkeypatch: pytest.MonkeyPatch, desk: Path, capsys: Captured
) -> None:
    monkeypatch.setattr("gemhunter.work.workers.CONNECT_SECONDS", 0.2)
    assert bench("none.jsonl", "--workers", "tcp://127.0.0.1:1") == 2
    assert "no Dask scheduler answers" in capsys.readouterr().err
    assert not (desk / "none.jsonl").exists()


@pytest.mark.full
def test_ctrl_c_is_left_to_the_command_by_workers_on_this_machine() -> None:
    with dask_cluster("dask", 1) as cluster:
        assert cluster.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def stopped_after_one_run(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> list[str]:
    """The words of the command that a stopped one names; the stop is over then."""
    with monkeypatch.context() as stop:
        stop.setattr(interrupts, "_SWALLOWED", [KeyboardInterrupt()])
        assert run(words) == 130
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("to continue: ")]
    return shlex.split(line.removeprefix("to continue: "))


def test_a_stopped_comparison_names_the_command_that_continues_it(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    words = ["bench", "board.txt", "-e", "pysat", "--seed", "3", "-o", "a b.jsonl"]
    looks = ["--workers", "1", "--format", "csv", "--spread", "-o", "times.txt"]
    monkeypatch.setenv("GEMHUNTER_COMMAND", "../my clone/run")
    command = stopped_after_one_run([*words, *looks], monkeypatch, capsys)
    assert command[:5] == ["../my clone/run", "bench", "run", "--resume", "a b.jsonl"]
    assert sorted(command[5:]) == sorted(looks)
    assert run(command[1:]) == 0
    assert len(read_comparison(read_ledger(Path("a b.jsonl"))).measurements) == 3


def test_a_quiet_comparison_stops_without_a_word_about_it(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(interrupts, "_SWALLOWED", [KeyboardInterrupt()])
    assert bench("one.jsonl", "--quiet") == 130
    assert capsys.readouterr().err.strip() == "stopped"


def test_without_a_ledger_nothing_can_be_continued(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(interrupts, "_SWALLOWED", [KeyboardInterrupt()])
    assert run(["bench", "board.txt", "-e", "pysat"]) == 130
    assert "to continue" not in capsys.readouterr().err


def test_a_stopped_report_names_the_command_that_continues_it(
    monkeypatch: pytest.MonkeyPatch, desk: Path, capsys: Captured
) -> None:
    pytest.importorskip("matplotlib")
    words = ["report", "board.txt", "-e", "pysat", "--full", "--time-limit", "5"]
    kept = ["-o", "mine.md", "--workers", "1"]
    command = stopped_after_one_run([*words, *kept], monkeypatch, capsys)
    assert command[:4] == ["gemhunter", "report", "--resume", "mine.jsonl"]
    assert sorted(command[4:]) == sorted(kept)
    assert not (desk / "mine.md").exists()
    assert run(command[1:]) == 0
    assert "Measured by 1 worker." in (desk / "mine.md").read_text(encoding="utf-8")
    assert len(read_findings(read_ledger(desk / "mine.jsonl")).measurements[0]) == 3


def test_a_report_resumed_with_other_workers_says_so(desk: Path, capsys: Captured) -> None:
    pytest.importorskip("matplotlib")
    assert run(["report", "board.txt", "-e", "pysat", "--workers", "1", "-o", "mine.md"]) == 0
    without_last_run("mine.jsonl")
    words = ["--resume", "mine.jsonl", "--workers", "2", "-o", "mine.md"]
    capsys.readouterr()
    assert run(["report", *words]) == 0
    assert "warning: the runs in mine.jsonl were made by 1 worker" in capsys.readouterr().err
    text = (desk / "mine.md").read_text(encoding="utf-8")
    assert "Measured by 1 worker, then by 2 workers. Runs made in parallel have noisier times." in text


def test_an_old_ledger_of_a_report_is_written_without_a_number_of_workers(desk: Path) -> None:
    pytest.importorskip("matplotlib")
    assert run(["report", "board.txt", "-e", "pysat", "-o", "mine.md"]) == 0
    forget_workers("mine.jsonl")
    assert run(["report", "--resume", "mine.jsonl", "-o", "again.md"]) == 0
    assert "Number of workers not recorded." in (desk / "again.md").read_text(encoding="utf-8")


def test_a_report_is_measured_on_a_cluster_too(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("gemhunter.cli.workers.cores", lambda: 1)
    words = ["report", "board.txt", "-e", "pysat", "--workers", "dask"]
    assert run([*words, "-o", "mine.md"]) == 0
    found = read_findings(read_ledger(desk / "mine.jsonl"))
    assert found.workers == [WorkersUsed(1, on_dask=True)]
    assert [each.verdict for each in found.measurements[0].values()] == [Verdict.SOLVED] * 3
    assert "Measured by 1 worker of a Dask cluster." in (desk / "mine.md").read_text(encoding="utf-8")
