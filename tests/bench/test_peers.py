"""Peers: plain programs answer right, wrong answers are noticed, ratios are those of medians."""

from math import exp, inf, isclose, log, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from gemhunter.bench.peers import contestants
from gemhunter.bench.peers.child import make_first_calls_of, objection
from gemhunter.bench.peers.contestants import Contestant, PeerQuestion, default_boards, stuck_position
from gemhunter.bench.peers.ratios import pairs_on_boards, pairs_overall, ratio_of_medians
from gemhunter.bench.peers.runs import (
    ContestantOnBoard,
    PeerSetting,
    PeerTask,
    ProcessShare,
    measure_contestant,
    peer_tasks,
    run_peers,
)
from gemhunter.bench.values import BenchBoard, Verdict
from gemhunter.cli.table_formats import text_table_in
from gemhunter.core.trap_maps import random_grid
from gemhunter.formats.text import parse_grid
from gemhunter.queries.probability import probabilities
from gemhunter.report.tables.peers import board_table, overall_table
from made_peers import TWO_ROWS, fake_ms_toollib

SAMPLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
GIVEN = "3, T, 2, _\n_, _, 2, G\n_, 3, 1, _"
CLASH = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1"
IMPOSSIBLE = "_, 3, _\n0, _, _"
BOARDS: list[tuple[str, int | None]] = [
    *((SAMPLE, None), (SAMPLE, 4), (GIVEN, None), (GIVEN, 4), ("_, 1, _", None), ("_, _, _", 2)),
    *((CLASH, None), (IMPOSSIBLE, None), (SAMPLE, 9), (SAMPLE, 0), ("1, _, _\n0, _, _", None)),
    *((str(random_grid(5, 7, seed=seed)), None) for seed in range(4)),
]

Captured = pytest.CaptureFixture[str]


INSTALLED = [name for name, each in sorted(contestants.CONTESTANTS.items()) if each.is_installed]


def test_two_peers_at_most_are_not_installed_with_what_tests_need() -> None:
    missing = {peer.distribution for peer in contestants.PEERS if peer.name not in INSTALLED}
    assert missing <= {"ms_toollib", "multi-puzzle-solver"}


@pytest.mark.parametrize("name", [peer.name for peer in contestants.PEERS if peer.name in INSTALLED])
@pytest.mark.parametrize(("text", "total"), BOARDS)
def test_every_peer_answers_as_we_do(name: str, text: str, total: int | None) -> None:
    grid, peer = parse_grid(text), contestants.CONTESTANTS[name]
    # ms_toollib takes a total that cannot be for another.
    if peer.can_answer(grid, total) and not (total == 9 and peer is contestants.MS_TOOLLIB):
        answer = peer.prepare(grid, total, 5.0)()
        assert objection(peer.question, answer, grid, total, seconds=5.0) == ""


@pytest.mark.parametrize("name", INSTALLED)
def test_first_calls_warm_up_every_contestant_with_and_without_a_total(name: str) -> None:
    contestant = contestants.CONTESTANTS[name]
    make_first_calls_of(contestant, has_total=True)
    if contestant is not contestants.MS_TOOLLIB:
        make_first_calls_of(contestant, has_total=False)


@pytest.mark.parametrize(
    ("question", "text", "answer", "words"),
    [
        (PeerQuestion.SOLUTION, "_, 1, _", [["T", "1", "T"]], "r1c2 says 1, but touches 2 traps"),
        (PeerQuestion.SOLUTION, "_, 1, _", None, "says that there is no solution; auto has one"),
        (PeerQuestion.COUNT, "_, 1, _", 3, "counts 3; count says 2"),
        (PeerQuestion.PROBABILITIES, "_, 1, _", [[0.5, 0.0, 0.6]], "differs from probabilities by up to 0.1"),
        (
            PeerQuestion.PROBABILITIES,
            CLASH,
            [[0.5] * 5] * 5,
            "has probabilities for a board without a solution",
        ),
        (
            PeerQuestion.CERTAIN,
            "_, 1, _",
            ({(0, 0)}, set()),
            "r1c1 is certainly a gem: forced does not say so",
        ),
        (PeerQuestion.CERTAIN, "_, 0, _", ({(0, 0)}, set()), "r1c3 is certainly a gem: forced says so"),
    ],
)
def test_a_wrong_answer_is_noticed(question: PeerQuestion, text: str, answer: object, words: str) -> None:
    assert words in objection(question, answer, parse_grid(text), None, seconds=5.0)


def test_probabilities_may_differ_by_a_millionth() -> None:
    grid = parse_grid(SAMPLE)
    ours = np.nan_to_num(probabilities(grid, total=4).values)  # type: ignore[union-attr]
    assert objection(PeerQuestion.PROBABILITIES, ours + 9e-7, grid, 4, seconds=5.0) == ""
    assert objection(PeerQuestion.PROBABILITIES, ours + 2e-6, grid, 4, seconds=5.0) != ""


def test_a_ratio_is_that_of_medians_with_the_interval_of_price_and_bonett() -> None:
    peer, ours = [4.0, 8.0, 16.0, 5.0, 9.0], [1.0, 2.0, 2.0, 3.0, 4.0]
    ratio = ratio_of_medians(peer, ours)
    quantile = NormalDist().inv_cdf(1 - 1 / 2**5)  # a median is below the least of five runs so often
    spread = sqrt(((log(16) - log(4)) / (2 * quantile)) ** 2 + ((log(4) - log(1)) / (2 * quantile)) ** 2)
    assert isclose(ratio.value, 4.0)
    assert isclose(ratio.low, 4.0 * exp(-1.959963984540054 * spread))
    assert isclose(ratio.high, 4.0 * exp(1.959963984540054 * spread))


def test_a_single_run_has_a_ratio_without_an_interval() -> None:
    ratio = ratio_of_medians([6.0], [2.0, 2.0, 2.0])
    assert (round(ratio.value, 9), ratio.low, ratio.high) == (3.0, 0.0, inf)


def test_intervals_hold_the_true_ratio_about_95_times_of_100() -> None:
    random, held = np.random.default_rng(0), 0
    for _ in range(1000):
        peer, ours = random.lognormal(log(3.0), 0.3, 9), random.lognormal(0.0, 0.3, 9)
        ratio = ratio_of_medians(peer.tolist(), ours.tolist())
        held += ratio.low <= 3.0 <= ratio.high
    assert 930 <= held <= 985


def results(*seconds: tuple[str, str, tuple[float, ...]]) -> list[ContestantOnBoard]:
    """Results by board, contestant and seconds, each of a process; none means a time limit."""
    return [
        ContestantOnBoard(
            name,
            board,
            Verdict.SOLVED if times else Verdict.GAVE_UP,
            "time limit",
            tuple((time,) for time in times),
        )
        for board, name, times in seconds
    ]


PAIR = (contestants.PYGANAK, contestants.OWN_COUNT)
MADE = results(
    ("a", "pyganak", (2.0, 2.0, 2.0)),
    ("a", "count", (1.0, 1.0, 1.0)),
    ("b", "pyganak", (8.0, 8.0, 8.0)),
    ("b", "count", (1.0, 1.0, 1.0)),
    ("c", "pyganak", ()),
    ("c", "count", (1.0, 1.0, 1.0)),
)


def test_over_all_boards_a_ratio_is_the_geometric_mean_of_those_that_both_answered() -> None:
    (overall,) = pairs_overall([PAIR], pairs_on_boards([PAIR], MADE))
    assert overall.ratio is not None
    assert isclose(overall.ratio.value, 4.0)
    assert (overall.boards, overall.peer_answered, overall.ours_answered, overall.compared) == (3, 2, 3, 2)


def test_a_time_limit_shows_as_what_it_is() -> None:
    table = board_table(pairs_on_boards([PAIR], MADE), dict.fromkeys("abc", "5×5"))
    assert table.rows[2] == ("c", "5×5", "pyganak", "time limit", "count", "1.00 s", "", "")


@pytest.mark.parametrize(("runs", "shares"), [(1, [1]), (3, [1] * 3), (5, [1] * 5), (7, [2, 2, 1, 1, 1])])
def test_runs_are_spread_over_up_to_five_processes(runs: int, shares: list[int]) -> None:
    setting = PeerSetting(runs, seconds=3.0)
    assert [share.runs for share in setting.shares] == shares
    assert sum(share.together for share in setting.shares) == pytest.approx(3.0)


def fake_processes(monkeypatch: pytest.MonkeyPatch, seconds: dict[str, float | None]) -> list[str]:
    """Let processes of contestants take these seconds, None for a time limit; the list grows with each."""
    made: list[str] = []

    def measured(contestant: Contestant, board: BenchBoard, *_: object, **__: object) -> ContestantOnBoard:
        made.append(f"{contestant.name} {board.name}")
        taken = seconds[contestant.name]
        if taken is None:
            return ContestantOnBoard(contestant.name, board.name, Verdict.GAVE_UP, "time limit")
        return ContestantOnBoard(contestant.name, board.name, Verdict.SOLVED, "", ((taken,),), taken)

    monkeypatch.setattr("gemhunter.bench.peers.runs.measure_contestant", measured)
    return made


def both_on(*boards: str) -> list[PeerTask]:
    return peer_tasks([PAIR], [BenchBoard(name, parse_grid(SAMPLE)) for name in boards])


def test_every_contestant_has_its_first_process_before_any_has_its_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = fake_processes(monkeypatch, {"pyganak": 0.01, "count": 0.01})
    found = list(run_peers(both_on("a", "b"), PeerSetting(2, 3.0)))
    once = ["pyganak a", "count a", "pyganak b", "count b"]
    assert [sorted(made[:4]), sorted(made[4:])] == [sorted(once)] * 2
    assert [len(each.seconds) for each in found] == [1] * 4 + [2] * 4


def test_a_contestant_that_is_slow_or_has_no_answer_has_no_further_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = fake_processes(monkeypatch, {"pyganak": None, "count": 2.0})
    found = {each.contestant: each for each in run_peers(both_on("a"), PeerSetting(5, 3.0))}
    assert (made.count("pyganak a"), made.count("count a")) == (1, 2)
    assert found["count"].seconds == ((2.0,), (2.0,))
    assert (found["pyganak"].reason, found["pyganak"].seconds) == ("time limit", ())


def test_a_later_process_without_an_answer_has_the_last_word() -> None:
    answered = ContestantOnBoard("count", "a", Verdict.SOLVED, "", ((1.0,),), 1.0)
    stopped = ContestantOnBoard("count", "a", Verdict.GAVE_UP, "time limit")
    both = answered.with_more(stopped)
    assert (both.verdict, both.reason, both.seconds, both.median) == (Verdict.GAVE_UP, "time limit", (), None)


def test_runs_of_one_process_make_no_interval_narrower() -> None:
    peer, ours = (
        ContestantOnBoard(name, "a", Verdict.SOLVED, "", tuple((time,) * 9 for time in times))
        for name, times in (("pyganak", (4.0, 8.0, 16.0, 5.0, 9.0)), ("count", (1.0, 2.0, 2.0, 3.0, 4.0)))
    )
    (pair,) = pairs_on_boards([PAIR], [peer, ours])
    expected = ratio_of_medians([4.0, 8.0, 16.0, 5.0, 9.0], [1.0, 2.0, 2.0, 3.0, 4.0])
    assert pair.ratio is not None
    assert (pair.ratio.low, pair.ratio.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("csv", "question,peer,"),
        ("md", "| question | peer"),
        ("tex", "\\begin{tabular}"),
        ("text", "question "),
    ],
)
def test_tables_come_in_the_forms_of_documents(form: str, begins: str) -> None:
    overall = pairs_overall([PAIR], pairs_on_boards([PAIR], MADE))
    assert text_table_in(form, overall_table(overall)).startswith(begins)


def test_probabilities_are_asked_of_positions_with_a_total_and_without_given_cells() -> None:
    pair = (contestants.MS_TOOLLIB, contestants.OWN_PROBABILITIES)
    boards = [
        BenchBoard("total", parse_grid(SAMPLE), 4),
        BenchBoard("no total", parse_grid(SAMPLE)),
        BenchBoard("given", parse_grid(GIVEN), 4),
    ]
    assert [board.name for _, board in peer_tasks([pair], boards)] == ["total", "total"]


def test_by_default_the_boards_of_s1_to_s3_come_once_beside_random_ones_and_positions() -> None:
    boards = default_boards()
    keys = [(str(board.grid), board.total) for board in boards]
    assert len(keys) == len(set(keys)) == len({board.name for board in boards})
    assert {"5x5", "testcase_0", "66x66", "random-100x100", "expert#4:opening"} <= {b.name for b in boards}


@pytest.mark.parametrize(
    ("body", "verdict", "words"),
    [
        ("time.sleep(60)", Verdict.GAVE_UP, "time limit"),
        ("os._exit(3)", Verdict.CRASHED, "failed with exit code 3"),
        ("raise RuntimeError('no idea')", Verdict.CRASHED, "RuntimeError: no idea"),
        ("pass", Verdict.WRONG, "differs from probabilities by up to 0.2"),
    ],
)
def test_a_peer_that_hangs_crashes_or_lies_is_contained_and_named(
    body: str, verdict: Verdict, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_ms_toollib(tmp_path, body, monkeypatch)
    found = measure_contestant(contestants.MS_TOOLLIB, TWO_ROWS, ProcessShare(2, seconds=0.2, together=0.2))
    assert (found.verdict, found.median) == (verdict, None)
    assert words in found.reason


def test_a_first_run_warms_up_and_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    right = "[[0.2, 0.0, 0.2], [0.2, 0.2, 0.2]], []"
    fake_ms_toollib(tmp_path, f"open({str(calls)!r}, 'a').write('x'); return {right}", monkeypatch)
    found = measure_contestant(contestants.MS_TOOLLIB, TWO_ROWS, ProcessShare(2, seconds=9.0, together=9.0))
    assert (found.verdict, [len(runs) for runs in found.seconds]) == (Verdict.SOLVED, [2])
    assert calls.read_text(encoding="utf-8") == "xxx"


def test_a_library_that_takes_too_long_is_ended_at_the_time_limit() -> None:
    found = measure_contestant(
        contestants.PYGANAK, stuck_position("expert#4:opening"), ProcessShare(1, 0.1, 0.1)
    )
    assert (found.verdict, found.reason) == (Verdict.GAVE_UP, "time limit")
