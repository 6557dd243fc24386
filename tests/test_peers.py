"""Peers: plain programs answer right, wrong answers are noticed, ratios are those of medians."""

import json
from math import exp, inf, isclose, log, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from gemhunter.bench import peers
from gemhunter.bench.peer_boards import default_boards, stuck_position
from gemhunter.bench.peer_checks import objection
from gemhunter.bench.peer_child import make_first_calls_of
from gemhunter.bench.peer_ratios import pairs_on_boards, pairs_overall, ratio_of_medians
from gemhunter.bench.peer_runs import ContestantOnBoard, PeerSetting, measure_contestant, peer_tasks
from gemhunter.bench.peers import Contestant, Question
from gemhunter.bench.values import BenchBoard, Verdict
from gemhunter.cli.main import run
from gemhunter.cli.peers_tables import board_table, overall_table, table_text
from gemhunter.core.truth import random_grid
from gemhunter.formats.text import parse_grid
from gemhunter.queries.probability import probabilities

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


def installed(contestant: Contestant) -> Contestant:
    """The contestant; the test is skipped if its package is missing."""
    if not contestant.is_installed:
        pytest.skip(f"{contestant.distribution} is not installed")
    return contestant


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.name)
@pytest.mark.parametrize(("text", "total"), BOARDS)
def test_every_peer_answers_as_we_do(peer: Contestant, text: str, total: int | None) -> None:
    grid = parse_grid(text)
    if not installed(peer).can_answer(grid, total) or (total == 9 and peer is peers.MS_TOOLLIB):
        pytest.skip("not asked about such boards")  # ms_toollib takes a total that cannot be for another
    answer = peer.prepare(grid, total, 5.0)()
    assert objection(peer.question, answer, grid, total, seconds=5.0) == ""


@pytest.mark.parametrize("name", sorted(peers.CONTESTANTS))
def test_first_calls_warm_up_every_contestant_with_and_without_a_total(name: str) -> None:
    contestant = installed(peers.CONTESTANTS[name])
    make_first_calls_of(contestant, has_total=True)
    if contestant is not peers.MS_TOOLLIB:
        make_first_calls_of(contestant, has_total=False)


@pytest.mark.parametrize(
    ("question", "text", "answer", "words"),
    [
        (Question.SOLUTION, "_, 1, _", [["T", "1", "T"]], "r1c2 says 1, but touches 2 traps"),
        (Question.SOLUTION, "_, 1, _", None, "says that there is no solution; auto has one"),
        (Question.COUNT, "_, 1, _", 3, "counts 3; count says 2"),
        (Question.PROBABILITIES, "_, 1, _", [[0.5, 0.0, 0.6]], "differs from probabilities by up to 0.1"),
        (Question.PROBABILITIES, CLASH, [[0.5] * 5] * 5, "has probabilities for a board without a solution"),
        (Question.CERTAIN, "_, 1, _", ({(0, 0)}, set()), "r1c1 is certainly a gem: forced does not say so"),
        (Question.CERTAIN, "_, 0, _", ({(0, 0)}, set()), "r1c3 is certainly a gem: forced says so"),
    ],
)
def test_a_wrong_answer_is_noticed(question: Question, text: str, answer: object, words: str) -> None:
    assert words in objection(question, answer, parse_grid(text), None, seconds=5.0)


def test_probabilities_may_differ_by_a_millionth() -> None:
    grid = parse_grid(SAMPLE)
    ours = np.nan_to_num(probabilities(grid, traps=4).values)  # type: ignore[union-attr]
    assert objection(Question.PROBABILITIES, ours + 9e-7, grid, 4, seconds=5.0) == ""
    assert objection(Question.PROBABILITIES, ours + 2e-6, grid, 4, seconds=5.0) != ""


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
    """Results by board, contestant and seconds; none means a time limit."""
    return [
        ContestantOnBoard(name, board, Verdict.SOLVED if times else Verdict.GAVE_UP, "time limit", times)
        for board, name, times in seconds
    ]


PAIR = (peers.PYGANAK, peers.OWN_COUNT)
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
    assert table_text(overall_table(overall), form).startswith(begins)


def test_probabilities_are_asked_of_positions_with_a_total_and_without_given_cells() -> None:
    pair = (peers.MS_TOOLLIB, peers.OWN_PROBABILITIES)
    boards = [
        BenchBoard("total", parse_grid(SAMPLE), 4),
        BenchBoard("no total", parse_grid(SAMPLE)),
        BenchBoard("given", parse_grid(GIVEN), 4),
    ]
    assert [board.name for _, board in peer_tasks([pair], boards)] == ["total", "total"]


def test_by_default_the_boards_of_s1_to_s3_come_once_beside_random_ones_and_positions() -> None:
    boards = default_boards()
    keys = [(str(board.grid), board.traps) for board in boards]
    assert len(keys) == len(set(keys)) == len({board.name for board in boards})
    assert {"5x5", "testcase_0", "66x66", "random-100x100", "expert#4:opening"} <= {b.name for b in boards}


def fake_ms_toollib(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package of this name in the place of the real one, here and in processes that are started."""
    lines = (
        "import os, time",
        "def cal_probability_onboard(rows, total):",
        f"    if len(rows) == 2: {body}",
        "    return [[0.0 for _ in row] for row in rows], []",
    )
    (folder / "ms_toollib.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))


TWO_ROWS = BenchBoard("two rows", parse_grid("_, 1, _\n_, _, _"), 1)


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
    found = measure_contestant(peers.MS_TOOLLIB, TWO_ROWS, PeerSetting(runs=2, seconds=0.2))
    assert (found.verdict, found.median) == (verdict, None)
    assert words in found.reason


def test_a_first_run_warms_up_and_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    right = "[[0.2, 0.0, 0.2], [0.2, 0.2, 0.2]], []"
    fake_ms_toollib(tmp_path, f"open({str(calls)!r}, 'a').write('x'); return {right}", monkeypatch)
    found = measure_contestant(peers.MS_TOOLLIB, TWO_ROWS, PeerSetting(runs=2, seconds=9.0))
    assert (found.verdict, len(found.seconds)) == (Verdict.SOLVED, 2)
    assert calls.read_text(encoding="utf-8") == "xxx"


def only(monkeypatch: pytest.MonkeyPatch, *pairs: tuple[Contestant, Contestant]) -> None:
    """Compare these pairs only, to save time."""
    monkeypatch.setattr(peers, "PAIRS", pairs)


def test_a_wrong_answer_is_an_error_that_names_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    fake_ms_toollib(tmp_path, "pass", monkeypatch)
    only(monkeypatch, (peers.MS_TOOLLIB, peers.OWN_PROBABILITIES))
    index = tmp_path / "index.toml"
    (tmp_path / "two.txt").write_text(f"{TWO_ROWS.grid}\n", encoding="utf-8")
    index.write_text('title = "t"\n[[boards]]\nfile = "two.txt"\ntraps = 1\n', encoding="utf-8")
    assert run(["peers", str(index), "--runs", "1"]) == 4
    assert "error: two: ms_toollib gave a wrong answer: differs" in capsys.readouterr().err


def test_a_package_that_is_missing_is_reported_once_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    only(monkeypatch, (peers.PYGANAK, peers.OWN_COUNT), (peers.GLUCOSE, peers.AUTO))
    monkeypatch.setattr(peers, "find_spec", lambda name: None if name == "pyganak" else name)
    board = tmp_path / "board.txt"
    board.write_text(f"{SAMPLE}\n", encoding="utf-8")
    assert run(["peers", str(board), "--runs", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("pyganak") == printed.err.count("pip install 'gemhunter[peers]'") == 1
    assert "plain PySAT, Glucose 3  1 of 1    auto  1 of 1" in printed.out
    assert "2 runs each, time limit 3 s" in printed.out


def test_json_has_every_run_and_what_it_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, (peers.GLUCOSE, peers.AUTO))
    board, output = tmp_path / "board.txt", tmp_path / "peers.json"
    board.write_text(f"{CLASH}\n", encoding="utf-8")
    words = ["--runs", "3", "--time-limit", "2", "--format", "json", "-o", str(output)]
    assert run(["peers", str(board), *words]) == 0
    record = json.loads(output.read_text(encoding="utf-8"))
    assert {"machine", "versions", "runs", "seconds", "pairs", "boards"} <= record.keys()
    (pair,) = record["boards"]
    assert [len(pair[side]["seconds"]) for side in ("peer", "ours")] == [3, 3]
    assert [pair[side]["verdict"] for side in ("peer", "ours")] == ["refuted", "refuted"]
    assert record["pairs"][0]["ratio"] == pytest.approx(pair["ratio"])


def test_a_library_that_takes_too_long_is_ended_at_the_time_limit() -> None:
    installed(peers.PYGANAK)
    found = measure_contestant(peers.PYGANAK, stuck_position("expert#4:opening"), PeerSetting(1, 0.1))
    assert (found.verdict, found.reason) == (Verdict.GAVE_UP, "time limit")
