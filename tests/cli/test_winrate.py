"""`gemhunter experiment winrate`: what it prints, what it keeps, and what it refuses."""

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fake_games import fake_games
from gemhunter.cli import experiment as command
from gemhunter.cli.main import run
from places import SUPPORT
from processes import children_of, end, needs_proc, wait_until

PROGRAM = (
    "import gemhunter.cli.experiment as command, fake_games\n"
    "command.play_games = fake_games.fake_games\n"
    "from gemhunter.cli.main import main; main()"
)
FAKED = [sys.executable, "-c", PROGRAM, "experiment", "winrate"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SUPPORT), *sys.path])}


@pytest.fixture(autouse=True)
def desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "play_games", fake_games)
    return desk


def winrate(*arguments: str) -> int:
    return run(["experiment", "winrate", "--workers", "1", *arguments])


def series(printed: str) -> list[dict[str, object]]:
    """The records of a JSON document, without what differs from run to run."""
    records: list[dict[str, object]] = json.loads(printed)["series"]
    return [{key: each[key] for key in each if "second" not in key} for each in records]


def test_the_tables_of_two_agents_at_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert winrate("--agent", "odd", "--agent", "third", "--level", "beginner", "--games", "60") == 0
    rates, paces, losses, pairs, without_luck = capsys.readouterr().out.split("\n\n")
    assert rates.splitlines() == [
        "first click safe, seeds from 0; 95 % intervals",
        "agent  level     games  won %  from … to      stuck %",
        "odd    beginner  60     50.00  37.74 … 62.26  10.00",
        "third  beginner  60     33.33  22.73 … 45.94  6.67",
    ]
    assert paces.splitlines()[1].startswith("odd    beginner  49.85 ±13.01        1.50 ±0.29  ")
    assert losses.splitlines()[:3] == [
        "agent  level     lost by          games  %",
        "odd    beginner  proven           12     50.0",
        "odd    beginner  first click      4      16.7",
    ]
    assert pairs.splitlines() == [
        "level     first  second  games  more %  from … to       won alone",
        "beginner  odd    third   60     +16.67  -1.30 … +33.56  20 : 10",
    ]
    assert without_luck.splitlines() == [
        "level     first  second  more % without luck  from … to",
        "beginner  odd    third   +16.67               -1.23 … +34.57",
    ]


def test_json_has_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert winrate("--agent", "odd", "--games", "20", "--seed", "5", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seed"], document["first_click"], document["comparisons"]) == (5, "safe", [])
    (odd,) = document["series"]
    assert (odd["level"], odd["games"], odd["win_rate"], odd["lost"]) == ("16x30n99", 20, 0.5, 8)
    assert sum(odd["losses"].values()) == 8
    assert odd["games_per_cpu_second"] > 0


def test_one_game_has_null_where_an_end_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert winrate("--agent", "odd", "--games", "1", "--format", "json") == 0
    (odd,) = json.loads(capsys.readouterr().out)["series"]
    assert (odd["guesses_per_game"], odd["guesses_per_game_low"]) == (0, None)


def test_csv_has_a_row_per_agent_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    levels = ["--level", "easy", "--level", "2x9n3", "--level", "beginner"]
    assert winrate("--agent", "odd", "--agent", "third", *levels, "--games", "9", "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["agent"], row["level"]) for row in rows] == [
        *(("odd", "9x9n10"), ("third", "9x9n10"), ("odd", "2x9n3"), ("third", "2x9n3"))
    ]
    assert {row["games"] for row in rows} == {"9"}
    assert all(
        sum(int(row[key]) for key in row if key.startswith("lost: ")) == int(row["lost"]) for row in rows
    )


def test_more_games_in_a_file_are_as_if_they_had_been_asked_for_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--agent", "odd", "--agent", "third", "--format", "json"]
    winrate(*asked, "--games", "70")
    at_once = capsys.readouterr().out
    winrate(*asked, "--games", "30", "--output", "games.jsonl")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl", "--games", "70", "--workers", "2", "--format", "json") == 0
    assert series(capsys.readouterr().out) == series(at_once)


def test_what_is_in_the_file_is_not_played_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    winrate("--agent", "odd", "--games", "30", "--output", "games.jsonl")
    monkeypatch.setattr(command, "play_games", lambda *asked: asked[-1] and pytest.fail("played again"))
    kept = Path("games.jsonl").read_bytes()
    assert winrate("--resume", "games.jsonl") == 0
    assert winrate("--resume", "games.jsonl", "--games", "20", "--format", "json") == 0
    assert '"games": 20' in capsys.readouterr().out
    assert Path("games.jsonl").read_bytes() == kept


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (["--agent", "third"], "--agent odd, not third"),
        (["--agent", "odd", "--agent", "third"], "--agent odd, not odd, third"),
        (["--level", "easy"], "--level 16x30n99, not 9x9n10"),
        (["--first-click", "any"], "--first-click safe, not any"),
        (["--seed", "1"], "--seed 0, not 1"),
    ],
)
def test_other_settings_are_refused(
    other: list[str], difference: str, capsys: pytest.CaptureFixture[str]
) -> None:
    winrate("--agent", "odd", "--games", "3", "--output", "games.jsonl")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl", *other) == 2
    said = f"error: games.jsonl was begun with {difference}; begin a new file with --output\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("changed", [{"gemhunter": "0.0.1"}, {"players": "others"}])
def test_other_players_are_refused(changed: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    winrate("--agent", "odd", "--games", "3", "--output", "games.jsonl")
    heading, *games = Path("games.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [json.dumps(json.loads(heading) | changed), *games, ""]
    Path("games.jsonl").write_text("\n".join(lines), encoding="utf-8")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl") == 2
    assert "games.jsonl was made by gemhunter 0." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "od"], "no agent named 'od'; did you mean 'odd'?"),
        (["--level", "experts"], "no level named 'experts'; did you mean 'expert'"),
        (["--level", "9x9n81"], "a 9×9 game has from 0 to 80 traps, not 81"),
        (["--games", "0"], "invalid value for '--games'"),
        (["--seed", "9223372036854775807"], "1,000 games from 9223372036854775807 on do not fit"),
        (["--resume", "missing.jsonl"], "does not exist"),
        (["--output", "nowhere/games.jsonl"], "cannot write nowhere/games.jsonl"),
        (["--output", "a", "--resume", "board.txt"], "exclude each other"),
        (["--resume", "board.txt"], "board.txt has no results"),
        (["--output", "board.txt"], "board.txt exists; resume it with --resume board.txt"),
    ],
)
def test_mistakes_are_met_with_one_line_and_leave_no_file(
    arguments: list[str], message: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "board.txt").write_text("_, 1, _\n", encoding="utf-8")
    agent = [] if "--agent" in arguments else ["--agent", "odd"]
    output = [] if {"--output", "--resume"} & set(arguments) else ["--output", "games.jsonl"]
    assert winrate(*agent, *arguments, *output) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert [path.name for path in desk.iterdir()] == ["board.txt"]


@contextmanager
def playing(desk: Path, jobs: str) -> Iterator["subprocess.Popen[str]"]:
    """An endless experiment that has played a bit, and kept it in `games.jsonl`."""
    asked = ["--agent", "slow", "--games", "100000", "--workers", jobs, "--format", "json"]
    with subprocess.Popen(
        [*FAKED, *asked, "--output", "games.jsonl"],
        cwd=desk,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert wait_until(lambda: process.poll() is not None or lines_in(desk / "games.jsonl") >= 4)
            assert process.poll() is None
            yield process
        finally:
            process.kill()


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def kept_games(desk: Path) -> int:
    lines = (desk / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return sum(len(json.loads(line)["ends"]) for line in lines[1:])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_and_keeps_what_has_been_played(desk: Path, jobs: str) -> None:
    with playing(desk, jobs) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        printed, errors = process.communicate(timeout=20)
    continued = "to continue: gemhunter experiment winrate --resume games.jsonl --games 100000"
    assert (process.returncode, errors.split()[-1]) == (130, "stopped")
    assert errors.startswith(f"{continued} --workers {jobs} --format json\n")
    assert 0 < kept_games(desk) <= json.loads(printed)["series"][0]["games"]


@needs_proc
def test_killed_in_the_middle_it_can_be_gone_on_with_at_once(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with playing(desk, "2") as process:
        assert wait_until(lambda: len(children_of(process.pid)) >= 3)
        children = children_of(process.pid)
        process.kill()
        process.wait()
        games = kept_games(desk)
        assert winrate("--resume", "games.jsonl", "--games", str(games + 10), "--format", "json") == 0
    assert series(capsys.readouterr().out)[0]["games"] == games + 10 == kept_games(desk)
    assert end(*children)


def test_a_terminal_shows_the_running_estimate(desk: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*FAKED, "--agent", "slow", "--games", "40", "--level", "expert", "--workers", "1"]
    done = subprocess.run(
        command, cwd=desk, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=theirs, check=False
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    assert done.returncode == 0
    assert "slow, expert" in shown
    assert "50.0% ±14.8%" in shown
    assert b"\x1b" not in done.stdout
