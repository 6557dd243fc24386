"""`gemhunter advise --think`: what games played on from a position say."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.cli.main import run
from gemhunter.play import rollouts
from gemhunter.play.advice import BY_ROLLOUTS

Captured = pytest.CaptureFixture[str]
POSITION = "\n".join(["# traps: 12", "1, _, _, _, _, _, _, _", *["_, _, _, _, _, _, _, _"] * 6])


@pytest.fixture(autouse=True)
def desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(rollouts, "MOST_ROLLOUTS", 2 * rollouts.ROLLOUT_BATCH)
    (desk / "open.txt").write_text(POSITION, encoding="utf-8")
    (desk / "sure.txt").write_text("# traps: 1\n1, 1, _\n_, 1, _", encoding="utf-8")
    (desk / "end.txt").write_text("# traps: 2\n1, _, _\n_, _, _", encoding="utf-8")
    return desk


def test_two_lines_say_how_often_the_best_guesses_win(capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", "600"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rates = next(line for line in lines if line.startswith("win rates on "))
    rate = r"r\dc\d \d+\.\d% ±\d+\.\d%"
    assert re.fullmatch(rf"win rates on 100 boards drawn at random, without luck: ({rate}(, )?){{4}}", rates)
    verdict = lines[lines.index(rates) + 1]
    points = r"r\dc\d wins \d+\.\d ±\d+\.\d points more often than r\dc\d in games on the same 100 boards"
    assert re.fullmatch(rf"{points}(: too close to call)?", verdict)


def test_json_has_them_too(capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", "600", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["rollouts"]
    assert found["games"] == 100
    assert found["cells"][0]["behind"] == 0
    assert {"cell", "win_rate", "win_rate_low", "behind_high"} <= found["cells"][1].keys()


def test_where_nothing_is_a_guess_there_is_nothing_to_think_over(capsys: Captured) -> None:
    assert run(["advise", "sure.txt", "--think", "600", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rollouts"] is None
    assert run(["advise", "open.txt", "--density", "0.2", "--think", "600", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rollouts"] is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["sure.txt"], "nothing has to be guessed"),
        (["open.txt", "--density", "0.2"], "the number of traps is not known"),
        (["end.txt"], "the best guess is known exactly"),
        (["9x9n10#1"], "there are no guesses to compare"),
    ],
)
def test_a_note_says_why_nothing_is_thought_over(words: list[str], why: str, capsys: Captured) -> None:
    assert run(["advise", *words, "--think", "600"]) == 0
    assert capsys.readouterr().err == f"note: {why}, so --think changes nothing\n"


@pytest.mark.parametrize(("margins", "is_switched"), [(1.2, False), (2.0, True)])
def test_a_guess_has_to_win_more_often_by_more_than_its_margin_to_become_the_advice(
    margins: float, is_switched: bool, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def rigged(grid: object, total: int, cell: Cell, boards: list[object]) -> "np.typing.NDArray[np.float64]":
        # Of 100 results that are 1 above and below their mean in turn, the margin of the mean is 0.199.
        return 0.01 * cell.row * (0.199 * margins + np.resize([-1.0, 1.0], len(boards)))

    monkeypatch.setattr(rollouts, "_results", rigged)
    assert run(["advise", "open.txt", "--think", "600", "--format", "json"]) == 0
    assert (json.loads(capsys.readouterr().out)["why"] == BY_ROLLOUTS) == is_switched


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "1e9"])
def test_bad_times_are_refused(seconds: str, capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", seconds]) == 2
    assert "--think" in capsys.readouterr().err
