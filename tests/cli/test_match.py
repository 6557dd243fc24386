"""`gemhunter experiment match`: who is better, in tables, a sentence, JSON and CSV."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_games import fake_games
from gemhunter.cli import experiment as command
from gemhunter.cli.main import run
from gemhunter.play.agents.command import _end_all
from line_players import FIRST_HIDDEN, command_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_program_left() -> Iterator[None]:
    yield
    _end_all()


def play_match(*arguments: str) -> int:
    return run(["experiment", "match", "--workers", "1", *arguments])


@pytest.fixture
def fakes(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "play_games", fake_games)


@pytest.mark.usefixtures("fakes")
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


@pytest.mark.usefixtures("fakes")
def test_what_is_not_proven_is_not_claimed(capsys: Captured) -> None:
    assert play_match("-a", "third", "-a", "odd", "--games", "20") == 0
    assert capsys.readouterr().out.endswith("\n\nexpert: third and odd cannot be told apart by 20 games\n")


@pytest.mark.usefixtures("fakes")
def test_json_and_csv_have_the_comparison(capsys: Captured) -> None:
    asked = ("-a", "third", "-a", "odd", "--games", "60")
    assert play_match(*asked, "--format", "json") == 0
    (pair,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert play_match(*asked, "--format", "csv") == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {key: str(value) for key, value in pair.items()} == row
    assert {"difference", "without_luck", "without_luck_low", "only_first_won"} <= pair.keys()


@pytest.mark.usefixtures("fakes")
def test_a_match_is_kept_and_resumed(capsys: Captured) -> None:
    asked = ("-a", "third", "-a", "odd", "--format", "json")
    assert play_match(*asked, "--games", "40", "-o", "match.jsonl") == 0
    capsys.readouterr()
    assert play_match("--resume", "match.jsonl", "--games", "70", "--format", "json") == 0
    resumed = json.loads(capsys.readouterr().out)["comparisons"]
    assert play_match(*asked, "--games", "70") == 0
    assert resumed == json.loads(capsys.readouterr().out)["comparisons"]


def test_one_agent_is_no_match(desk: Path, capsys: Captured) -> None:
    assert play_match("-a", "expert", "-a", "expert", "-o", "match.jsonl") == 2
    assert "this needs at least 2 different agents; give each with --agent" in capsys.readouterr().err
    assert not Path("match.jsonl").exists()


@pytest.mark.usefixtures("fakes")
def test_a_file_of_one_agent_is_no_match_either(desk: Path, capsys: Captured) -> None:
    assert run(["experiment", "winrate", "-a", "odd", "--games", "4", "-o", "odd.jsonl"]) == 0
    capsys.readouterr()
    before = Path("odd.jsonl").read_bytes()
    assert play_match("--resume", "odd.jsonl") == 2
    assert "at least 2 different agents" in capsys.readouterr().err
    assert Path("odd.jsonl").read_bytes() == before


@pytest.mark.usefixtures("fakes")
def test_a_match_that_was_stopped_before_its_first_game_says_so(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play_missing", stopped)
    assert play_match("-a", "third", "-a", "odd", "--games", "40") == 130
    assert capsys.readouterr().out.splitlines()[1:] == ["no game has been played to its end"]


def test_a_program_takes_part(desk: Path, capsys: Captured) -> None:
    program = command_of(FIRST_HIDDEN)
    asked = ("-a", "logic+random", "-a", program, "--level", "3x4n2", "--games", "40", "--format", "json")
    assert play_match(*asked) == 0
    document = json.loads(capsys.readouterr().out)
    assert [series["agent"] for series in document["series"]] == ["logic+random", program]
    assert document["comparisons"][0]["without_luck"] > 0.1


def test_processor_time_that_is_not_known_is_kept_and_shown_as_such(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("gemhunter.work.programs.PROCESSES", Path("/nowhere"))
    asked = ("-a", command_of(FIRST_HIDDEN), "--level", "3x4n2", "--games", "8", "-o", "games.jsonl")
    words = ["experiment", "winrate", "--workers", "1"]
    assert run([*words, *asked, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["series"][0]["games_per_cpu_second"] is None
    assert '"cpu_seconds":null' in Path("games.jsonl").read_text(encoding="utf-8")
    assert run([*words, "--resume", "games.jsonl"]) == 0
    assert capsys.readouterr().out.split("\n\n")[1].splitlines()[1].endswith("  ?")


def test_a_file_of_a_program_that_has_changed_since_is_refused(desk: Path, capsys: Captured) -> None:
    program = Path("player.py")
    program.write_text(FIRST_HIDDEN, encoding="utf-8")
    asked = ("-a", "fast", "-a", f'cmd:"{Path(sys.executable).as_posix()}" player.py', "--level", "3x4n2")
    assert play_match(*asked, "--games", "4", "-o", "match.jsonl") == 0
    assert play_match("--resume", "match.jsonl", "--games", "8") == 0
    program.write_text(f"{FIRST_HIDDEN}\n# better now", encoding="utf-8")
    capsys.readouterr()
    assert play_match("--resume", "match.jsonl", "--games", "12") == 2
    assert "a program that plays, have changed since" in capsys.readouterr().err


def test_a_weak_program_is_not_beaten_by_more_than_every_game(desk: Path, capsys: Captured) -> None:
    program = command_of(FIRST_HIDDEN)
    assert (
        play_match("-a", "fast", "-a", program, "--level", "8x8n8", "--games", "10", "--format", "json") == 0
    )
    (pair,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert pair["without_luck"] < pair["without_luck_high"] == 1.0


def test_a_program_that_talks_nonsense_ends_the_match(desk: Path, capsys: Captured) -> None:
    nonsense = command_of("import sys\nfor line in sys.stdin: print('what?', flush=True)")
    assert play_match("-a", "fast", "-a", nonsense, "--level", "3x4n2", "--games", "4") == 4
    assert "it answered 'what?'; expected hidden cells such as r3c1, or `stuck`" in capsys.readouterr().err


def test_a_program_can_be_watched(desk: Path, capsys: Captured) -> None:
    assert run(["watch", "3x4n2#5", "-a", command_of(FIRST_HIDDEN), "--steps"]) == 0
    assert "2. r1c2 safe (a guess, risk 33.3%)" in capsys.readouterr().out
