"""`gemhunter advise --think`: what games played on from a position say."""

import json
import re
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.play import rollouts

Captured = pytest.CaptureFixture[str]
POSITION = "\n".join(["# traps: 12", "1, _, _, _, _, _, _, _", *["_, _, _, _, _, _, _, _"] * 6])


@pytest.fixture(autouse=True)
def desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(rollouts, "MOST_ROLLOUTS", 2 * rollouts.ROLLOUT_BATCH)
    (desk / "open.txt").write_text(POSITION, encoding="utf-8")
    (desk / "sure.txt").write_text("# traps: 1\n1, 1, _\n_, 1, _", encoding="utf-8")
    return desk


def test_two_lines_say_how_often_the_best_guesses_win(capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", "60"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rates = next(line for line in lines if line.startswith("won of "))
    rate = r"r\dc\d \d+\.\d% ±\d+\.\d%"
    assert re.fullmatch(rf"won of 100 boards drawn at random, without luck: ({rate}(, )?){{4}}", rates)
    verdict = lines[lines.index(rates) + 1]
    points = r"r\dc\d wins \d+\.\d ±\d+\.\d points more often than r\dc\d in games on the same 100 boards"
    assert re.fullmatch(rf"{points}(, which proves no difference)?", verdict)


def test_json_has_them_too(capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", "60", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["rollouts"]
    assert found["games"] == 100
    assert found["cells"][0]["behind"] == 0
    assert {"cell", "win_rate", "win_rate_low", "behind_high"} <= found["cells"][1].keys()


def test_where_nothing_is_a_guess_there_is_nothing_to_think_over(capsys: Captured) -> None:
    assert run(["advise", "sure.txt", "--think", "60", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rollouts"] is None
    assert run(["advise", "open.txt", "--density", "0.2", "--think", "60", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rollouts"] is None


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "1e9"])
def test_bad_times_are_refused(seconds: str, capsys: Captured) -> None:
    assert run(["advise", "open.txt", "--think", seconds]) == 2
    assert "--think" in capsys.readouterr().err
