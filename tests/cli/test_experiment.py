"""`gemhunter experiment winrate` and `match`: what they print, what they keep, and what they refuse."""

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
from gemhunter.play.agents.command import _end_all
from gemhunter.play.many_games import play_games
from line_players import FIRST_HIDDEN, command_of
from places import SUPPORT
from processes import children_of, end, needs_proc, wait_until

Captured = pytest.CaptureFixture[str]

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


@pytest.fixture
def real_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Agents and programs play; no program is left running."""
    monkeypatch.setattr(command, "play_games", play_games)
    yield
    _end_all()


def winrate(*arguments: str) -> int:
    return run(["experiment", "winrate", "--workers", "1", *arguments])


def play_match(*arguments: str) -> int:
    return run(["experiment", "match", "--workers", "1", *arguments])


def series(printed: str) -> list[dict[str, object]]:
    """The records of a JSON document, without what differs from run to run."""
    records: list[dict[str, object]] = json.loads(printed)["series"]
    return [{key: each[key] for key in each if "second" not in key} for each in records]


def test_the_tables_of_two_agents_at_a_level(capsys: Captured) -> None:
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


def test_json_has_the_same_numbers(capsys: Captured) -> None:
    assert winrate("--agent", "odd", "--games", "20", "--seed", "5", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seed"], document["first_click"], document["comparisons"]) == (5, "safe", [])
    (odd,) = document["series"]
    assert (odd["level"], odd["games"], odd["win_rate"], odd["lost"]) == ("16x30n99", 20, 0.5, 8)
    assert sum(odd["losses"].values()) == 8
    assert odd["games_per_cpu_second"] > 0


def test_one_game_has_null_where_an_end_is_missing(capsys: Captured) -> None:
    assert winrate("--agent", "odd", "--games", "1", "--format", "json") == 0
    (odd,) = json.loads(capsys.readouterr().out)["series"]
    assert (odd["guesses_per_game"], odd["guesses_per_game_low"]) == (0, None)


def test_csv_has_a_row_per_agent_and_level(capsys: Captured) -> None:
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


def test_tables_are_written_to_files_as_well_and_the_games_beside_them(capsys: Captured) -> None:
    files = ["-o", "games.jsonl", "-o", "table.csv", "-o", "table.md"]
    assert winrate("--agent", "odd", "--level", "easy", "--games", "9", *files) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("first click safe, seeds from 0; 95 % intervals\nagent  level")
    assert printed.err == "table.csv: the table\ntable.md: the table\n"
    assert Path("table.csv").read_text(encoding="utf-8").startswith("agent,level,")
    assert "\n| agent | level " in Path("table.md").read_text(encoding="utf-8")
    assert Path("games.jsonl").stat().st_size


def test_more_games_in_a_file_are_as_if_they_had_been_asked_for_at_once(capsys: Captured) -> None:
    asked = ["--agent", "odd", "--agent", "third", "--format", "json"]
    winrate(*asked, "--games", "70")
    at_once = capsys.readouterr().out
    winrate(*asked, "--games", "30", "-o", "games.jsonl")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl", "--games", "70", "--workers", "2", "--format", "json") == 0
    assert series(capsys.readouterr().out) == series(at_once)


def test_what_is_in_the_file_is_not_played_again(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    winrate("--agent", "odd", "--games", "30", "-o", "games.jsonl")
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
def test_other_settings_are_refused(other: list[str], difference: str, capsys: Captured) -> None:
    winrate("--agent", "odd", "--games", "3", "-o", "games.jsonl")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl", *other) == 2
    said = f"error: games.jsonl was begun with {difference}; begin a new file with -o\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("changed", [{"gemhunter": "0.0.1"}, {"players": "others"}])
def test_other_players_are_refused(changed: dict[str, str], capsys: Captured) -> None:
    winrate("--agent", "odd", "--games", "3", "-o", "games.jsonl")
    heading, *games = Path("games.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [json.dumps(json.loads(heading) | changed), *games, ""]
    Path("games.jsonl").write_text("\n".join(lines), encoding="utf-8")
    capsys.readouterr()
    assert winrate("--resume", "games.jsonl", "--games", "4") == 2
    assert "games.jsonl was made by gemhunter 0." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "od"], "no agent named 'od'; did you mean 'odd'?"),
        (["--level", "experts"], "no level named 'experts'; did you mean 'expert'"),
        (["--level", "9x9n81"], "a 9×9 game can have from 0 to 80 traps, not 81"),
        (["--games", "0"], "invalid value for '--games'"),
        (["--seed", "9223372036854775807"], "1,000 games from 9223372036854775807 on do not fit"),
        (["--resume", "missing.jsonl"], "does not exist"),
        (["-o", "nowhere/games.jsonl"], "cannot write nowhere/games.jsonl"),
        (["-o", "a.jsonl", "--resume", "board.txt"], "results are kept in one file"),
        (["--resume", "board.txt"], "board.txt has no results"),
        (["-o", "kept.jsonl"], "kept.jsonl exists; resume it with --resume kept.jsonl"),
        (["-o", "games.gif"], "cannot write .gif here"),
    ],
)
def test_mistakes_are_met_with_one_line_and_leave_no_file(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    (desk / "board.txt").write_text("_, 1, _\n", encoding="utf-8")
    agent = [] if "--agent" in arguments else ["--agent", "odd"]
    (desk / "kept.jsonl").touch()
    output = [] if {"-o", "--resume"} & set(arguments) else ["-o", "games.jsonl"]
    assert winrate(*agent, *arguments, *output) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert {path.name for path in desk.iterdir()} == {"board.txt", "kept.jsonl"}


@contextmanager
def playing(desk: Path, jobs: str) -> Iterator["subprocess.Popen[str]"]:
    """An endless experiment that has played a bit, and kept it in `games.jsonl`."""
    asked = ["--agent", "slow", "--games", "100000", "--workers", jobs, "--format", "json"]
    with subprocess.Popen(
        [*FAKED, *asked, "-o", "games.jsonl"],
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
    assert errors.startswith(f"{continued} --format json --workers {jobs}\n")
    assert 0 < kept_games(desk) <= json.loads(printed)["series"][0]["games"]


@needs_proc
def test_killed_in_the_middle_it_can_be_gone_on_with_at_once(desk: Path, capsys: Captured) -> None:
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
    command = [*FAKED, "--agent", "slow", "--games", "80", "--level", "expert", "--workers", "1"]
    done = subprocess.run(
        command, cwd=desk, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=theirs, check=False
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    assert done.returncode == 0
    assert "slow, expert" in shown
    assert "slow, expert, 50.0% ±" in shown
    assert b"\x1b" not in done.stdout


def test_the_better_agent_is_named_in_a_sentence(capsys: Captured) -> None:
    assert play_match("-a", "third", "-a", "odd", "--games", "600", "--level", "beginner") == 0
    rates, pairs, without_luck, verdict = capsys.readouterr().out.split("\n\n")
    assert rates.splitlines()[:2] == [
        "first click safe, seeds from 0; 95 % intervals",
        "agent  level     games  won %        won % without luck",
    ]
    assert pairs.splitlines()[0] == "level     first  second  games  more %  from … to        won alone"
    assert without_luck.splitlines()[1].startswith("beginner  third  odd     -16.67")
    assert verdict == "beginner: odd wins 11.11 to 22.11 points more often than third\n"


def test_what_is_not_proven_is_not_claimed(capsys: Captured) -> None:
    assert play_match("-a", "third", "-a", "odd", "--games", "20") == 0
    assert capsys.readouterr().out.endswith(
        "\n\nexpert: no clear winner between third and odd after 20 games\n"
    )


def test_json_and_csv_have_the_comparison(capsys: Captured) -> None:
    asked = ("-a", "third", "-a", "odd", "--games", "60")
    assert play_match(*asked, "--format", "json") == 0
    (pair,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert play_match(*asked, "--format", "csv") == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {key: str(value) for key, value in pair.items()} == row
    assert {"difference", "without_luck", "without_luck_low", "only_first_won"} <= pair.keys()


def test_a_match_is_kept_and_resumed(capsys: Captured) -> None:
    asked = ("-a", "third", "-a", "odd", "--format", "json")
    assert play_match(*asked, "--games", "40", "-o", "match.jsonl") == 0
    capsys.readouterr()
    assert play_match("--resume", "match.jsonl", "--games", "70", "--format", "json") == 0
    resumed = json.loads(capsys.readouterr().out)["comparisons"]
    assert play_match(*asked, "--games", "70") == 0
    assert resumed == json.loads(capsys.readouterr().out)["comparisons"]


@pytest.mark.usefixtures("real_games")
def test_one_agent_is_no_match(capsys: Captured) -> None:
    assert play_match("-a", "expert", "-a", "expert", "-o", "match.jsonl") == 2
    assert "this needs at least 2 different agents; give each with --agent" in capsys.readouterr().err
    assert not Path("match.jsonl").exists()


def test_a_file_of_one_agent_is_no_match_either(capsys: Captured) -> None:
    assert run(["experiment", "winrate", "-a", "odd", "--games", "4", "-o", "odd.jsonl"]) == 0
    capsys.readouterr()
    before = Path("odd.jsonl").read_bytes()
    assert play_match("--resume", "odd.jsonl") == 2
    assert "at least 2 different agents" in capsys.readouterr().err
    assert Path("odd.jsonl").read_bytes() == before


def test_a_match_that_was_stopped_before_its_first_game_says_so(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play_missing", stopped)
    assert play_match("-a", "third", "-a", "odd", "--games", "40") == 130
    assert capsys.readouterr().out.splitlines()[1:] == ["no game has been played to its end"]


@pytest.mark.usefixtures("real_games")
def test_a_program_takes_part(capsys: Captured) -> None:
    program = command_of(FIRST_HIDDEN)
    asked = ("-a", "logic+random", "-a", program, "--level", "3x4n2", "--games", "40", "--format", "json")
    assert play_match(*asked) == 0
    document = json.loads(capsys.readouterr().out)
    assert [series["agent"] for series in document["series"]] == ["logic+random", program]
    assert document["comparisons"][0]["without_luck"] > 0.1


@pytest.mark.usefixtures("real_games")
def test_processor_time_that_is_not_known_is_kept_and_shown_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("gemhunter.work.line_program.PROCESSES", Path("/nowhere"))
    asked = ("-a", command_of(FIRST_HIDDEN), "--level", "3x4n2", "--games", "8", "-o", "games.jsonl")
    words = ["experiment", "winrate", "--workers", "1"]
    assert run([*words, *asked, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["series"][0]["games_per_cpu_second"] is None
    assert '"cpu_seconds":null' in Path("games.jsonl").read_text(encoding="utf-8")
    assert run([*words, "--resume", "games.jsonl"]) == 0
    assert capsys.readouterr().out.split("\n\n")[1].splitlines()[1].endswith("  ?")


@pytest.mark.usefixtures("real_games")
def test_a_file_of_a_program_that_has_changed_since_is_refused(capsys: Captured) -> None:
    program = Path("player.py")
    program.write_text(FIRST_HIDDEN, encoding="utf-8")
    asked = ("-a", "fast", "-a", f'cmd:"{Path(sys.executable).as_posix()}" player.py', "--level", "3x4n2")
    assert play_match(*asked, "--games", "4", "-o", "match.jsonl") == 0
    assert play_match("--resume", "match.jsonl", *asked[:4], "--games", "8") == 0
    program.write_text(f"{FIRST_HIDDEN}\n# better now", encoding="utf-8")
    capsys.readouterr()
    assert play_match("--resume", "match.jsonl", *asked[:4], "--games", "12") == 2
    assert "a program that plays, have changed since" in capsys.readouterr().err


@pytest.mark.usefixtures("real_games")
def test_a_weak_program_is_not_beaten_by_more_than_every_game(capsys: Captured) -> None:
    program = command_of(FIRST_HIDDEN)
    assert (
        play_match("-a", "fast", "-a", program, "--level", "8x8n8", "--games", "10", "--format", "json") == 0
    )
    (pair,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert pair["without_luck"] < pair["without_luck_high"] == 1.0


@pytest.mark.usefixtures("real_games")
def test_a_program_that_talks_nonsense_ends_the_match(capsys: Captured) -> None:
    nonsense = command_of("import sys\nfor line in sys.stdin: print('what?', flush=True)")
    assert play_match("-a", "fast", "-a", nonsense, "--level", "3x4n2", "--games", "4") == 4
    assert "it answered 'what?'; expected hidden cells such as r3c1, or `stuck`" in capsys.readouterr().err


@pytest.mark.usefixtures("real_games")
def test_a_program_can_be_watched(capsys: Captured) -> None:
    assert run(["watch", "3x4n2#5", "-a", command_of(FIRST_HIDDEN), "--steps"]) == 0
    assert "2. r1c2 safe (a guess, risk 33.3 %)" in capsys.readouterr().out
