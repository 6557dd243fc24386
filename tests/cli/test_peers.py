"""The `peers` command: who is asked what, what is printed, and what it refuses."""

import json
from pathlib import Path

import pytest

from gemhunter.bench.peers import contestants
from gemhunter.bench.peers.contestants import Contestant, PeerQuestion
from gemhunter.cli.main import run
from gemhunter.extras import install_command
from made_peers import TWO_ROWS, fake_ms_toollib

SAMPLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
CLASH = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1"

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def board(tmp_path: Path) -> str:
    """A board file."""
    (tmp_path / "board.txt").write_text(f"{SAMPLE}\n", encoding="utf-8")
    return str(tmp_path / "board.txt")


@pytest.mark.parametrize(
    ("questions", "keys", "names"),
    [
        ([PeerQuestion.COUNT], [], {"pyganak"}),
        ([PeerQuestion.COUNT, PeerQuestion.CERTAIN], [], {"pyganak", "multi-puzzle-solver"}),
        ([], ["cp-sat"], {"plain CP-SAT"}),
        ([PeerQuestion.SOLUTION], ["cp-sat", "pyganak"], {"plain CP-SAT"}),
        ([PeerQuestion.COUNT], ["cp-sat"], set()),
    ],
)
def test_questions_and_peers_can_be_chosen(
    questions: list[PeerQuestion], keys: list[str], names: set[str]
) -> None:
    assert {peer.name for peer, _ in contestants.chosen_pairs(questions, keys)} == names


def test_only_the_chosen_peer_is_asked(board: str, capsys: Captured) -> None:
    words = ["--question", "solution", "--peer", "cadical153", "--runs", "1", "--format", "csv"]
    assert run(["peers", board, *words]) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    assert ["plain PySAT, CaDiCaL 1.5.3" in row for row in rows] == [True, True]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--peer", "cp-sat", "--question", "count"], "cp-sat: not asked for count"),
        (["--question", "sum"], "'sum' is not one of"),
        (["--question", "probabilities"], "none of these boards can be asked about"),
        (["--peer", "pyganak"], "nothing to compare with; not installed: pyganak; install: "),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(
    words: list[str], message: str, board: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(contestants, "find_spec", lambda name: None if name == "pyganak" else name)
    assert run(["peers", board, *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")


def only(monkeypatch: pytest.MonkeyPatch, *pairs: tuple[Contestant, Contestant]) -> None:
    """Compare these pairs only, to save time."""
    monkeypatch.setattr(contestants, "PEER_PAIRS", pairs)


def test_a_wrong_answer_is_an_error_that_names_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    fake_ms_toollib(tmp_path, "pass", monkeypatch)
    only(monkeypatch, (contestants.MS_TOOLLIB, contestants.OWN_PROBABILITIES))
    index = tmp_path / "index.toml"
    (tmp_path / "two.txt").write_text(f"{TWO_ROWS.grid}\n", encoding="utf-8")
    index.write_text('title = "t"\n[[boards]]\nfile = "two.txt"\ntraps = 1\n', encoding="utf-8")
    assert run(["peers", str(index), "--runs", "1"]) == 4
    assert "error: two: ms_toollib gave a wrong answer: differs" in capsys.readouterr().err


def test_a_package_that_is_missing_is_reported_once_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    only(
        monkeypatch, (contestants.PYGANAK, contestants.OWN_COUNT), (contestants.GLUCOSE, contestants.OWN_AUTO)
    )
    monkeypatch.setattr(contestants, "find_spec", lambda name: None if name == "pyganak" else name)
    board = tmp_path / "board.txt"
    board.write_text(f"{SAMPLE}\n", encoding="utf-8")
    assert run(["peers", str(board), "--runs", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("pyganak") == printed.err.count(install_command("peers")) == 1
    assert "plain PySAT, Glucose 3  1 of 1    auto  1 of 1" in printed.out
    assert "2 runs each in 2 processes, time limit 3 s" in printed.out


def test_json_has_every_run_and_what_it_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, (contestants.GLUCOSE, contestants.OWN_AUTO))
    board, output = tmp_path / "board.txt", tmp_path / "peers.json"
    board.write_text(f"{CLASH}\n", encoding="utf-8")
    words = ["--runs", "3", "--time-limit", "2", "--format", "json", "-o", str(output)]
    assert run(["peers", str(board), *words]) == 0
    record = json.loads(output.read_text(encoding="utf-8"))
    assert {"machine", "versions", "runs", "seconds", "pairs", "boards"} <= record.keys()
    (pair,) = record["boards"]
    assert [[len(runs) for runs in pair[side]["seconds"]] for side in ("peer", "ours")] == [[1, 1, 1]] * 2
    assert [pair[side]["verdict"] for side in ("peer", "ours")] == ["refuted", "refuted"]
    assert record["pairs"][0]["ratio"] == pytest.approx(pair["ratio"])
