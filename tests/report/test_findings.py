"""What a report lacks is found once, and reads back as it was found."""

from dataclasses import replace
from pathlib import Path

import pytest

from gemhunter.bench.runs import run_workers
from gemhunter.experiments.game_tables import lines_of_s5, measure_clues, measure_s5
from gemhunter.report.collect import _answer, collect, count_missing, most_seconds
from gemhunter.report.findings import Findings, read_findings
from gemhunter.report.ledger import PartMap, ReportLine, S5Games, S5GamesLine, heading_of_report
from gemhunter.report.plan import FIRST_GAME, FULL_EFFORT, QUICK_EFFORT, ReportPlan, lines_of_report, new_plan
from gemhunter.work.ledger import new_ledger, read_ledger
from made_report import SAMPLE, SOLUTION

ONE_RUN = replace(QUICK_EFFORT, most_runs=1)


def completed(findings: Findings) -> list[ReportLine]:
    """Find all that is missing, and add it."""
    records = []
    with run_workers(None, 1) as workers:
        for found in collect(findings, workers):
            findings.add(found.record)
            records.append(found.record)
    return records


def test_games_and_dealt_boards_are_those_of_the_experiments() -> None:
    findings = Findings(ReportPlan("quick", (), games=2, dealt=3))
    assert count_missing(findings) == len(completed(findings)) == len(lines_of_report()) + 1
    assert count_missing(findings) == 0
    *_, played = measure_s5(lines_of_s5()[:1], 2, FIRST_GAME)
    assert findings.lines[0].marked.tolist() == played[0].marked.tolist()
    assert findings.lines[0].rounds.tolist() == played[0].rounds.tolist()
    *_, by_csp = measure_s5(lines_of_s5(agents=("csp",))[:1], 2, FIRST_GAME)
    assert (findings.lines[9].agent, findings.lines[9].rounds.tolist()) == ("csp", by_csp[0].rounds.tolist())
    *_, dealt = measure_clues(3, FIRST_GAME)
    assert [each.counts.tolist() for each in findings.clues] == [each.counts.tolist() for each in dealt]


def test_games_that_are_there_are_not_played_again() -> None:
    findings = Findings(ReportPlan("quick", (), games=2, dealt=0))
    findings.add(S5GamesLine(S5Games(0, (4,), (2,))))
    (first, *_) = completed(findings)
    assert findings.lines[0].marked[0] == 4
    *_, later = measure_s5(lines_of_s5()[:1], 1, FIRST_GAME + 1)
    assert first == S5GamesLine(S5Games(0, tuple(later[0].marked.tolist()), tuple(later[0].rounds.tolist())))


def test_a_ledger_alone_gives_back_boards_runs_maps_and_answers(tmp_path: Path) -> None:
    board = tmp_path / "sample.txt"
    board.write_text(SAMPLE, encoding="utf-8")
    findings = Findings(new_plan([str(board)], ONE_RUN, engines=["pysat"]))
    with new_ledger(tmp_path / "report.jsonl") as ledger:
        ledger.add(heading_of_report(findings.plan))
        for record in completed(findings):
            ledger.add(record)
    board.unlink()
    again = read_findings(read_ledger(tmp_path / "report.jsonl"))
    assert again.plan == findings.plan
    assert again.measurements == findings.measurements
    assert again.maps == {(0, "sample", "pysat"): SOLUTION}
    assert again.answers[0, "sample"].unique is True


def test_a_map_is_that_of_the_first_run_and_no_second_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.report.collect._map", lambda *_: pytest.fail("solved once more"))
    (tmp_path / "sample.txt").write_text(SAMPLE, encoding="utf-8")
    findings = Findings(new_plan([str(tmp_path / "sample.txt")], ONE_RUN, engines=["pysat"]))
    completed(findings)
    assert findings.maps == {(0, "sample", "pysat"): SOLUTION}


def test_a_map_that_was_lost_is_found_again(tmp_path: Path) -> None:
    (tmp_path / "sample.txt").write_text(SAMPLE, encoding="utf-8")
    findings = Findings(new_plan([str(tmp_path / "sample.txt")], ONE_RUN, engines=["pysat"]))
    completed(findings)
    findings.maps.clear()
    assert completed(findings) == [PartMap(0, "sample", "pysat", SOLUTION)]


def test_time_limits_add_up_and_workers_share_them() -> None:
    findings = Findings(new_plan(["s4"], replace(FULL_EFFORT, most_seconds=3.0)))
    assert most_seconds(findings, 1) == 3.0 * 5 * (1 + 1 + 5)
    assert most_seconds(findings, 2) == most_seconds(findings, 1) / 2


def test_a_quick_report_has_few_runs_and_short_limits() -> None:
    headings = [part.heading for part in new_plan([], QUICK_EFFORT).parts]
    assert all(heading.setting.limits.seconds <= 2 for heading in headings)
    assert all(max([heading.runs, *heading.runs_of.values()]) <= 3 for heading in headings)


def test_board_files_are_one_comparison_and_every_suite_is_another(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(SAMPLE, encoding="utf-8")
    plan = new_plan([str(tmp_path / "a.txt"), "s1", str(tmp_path / "b.txt")], QUICK_EFFORT)
    assert [len(part.boards) for part in plan.parts] == [3, 2]
    assert plan.games == 0


def test_a_number_of_solutions_may_have_more_digits_than_python_writes(tmp_path: Path) -> None:
    board = tmp_path / "empty.txt"
    board.write_text("\n".join(["_" * 150] * 150), encoding="utf-8")
    plan = new_plan([str(board)], QUICK_EFFORT, engines=["dpll"])
    solutions = _answer(plan.parts[0], "empty").solutions
    assert solutions is not None
    assert len(solutions) == 6774
    assert solutions.endswith(f"{pow(2, 150 * 150, 10**9):09d}")
