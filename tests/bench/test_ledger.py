"""Files of results: killed at any byte, gone on with, and refused when they are something else."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fake_games import fake_games
from gemhunter.bench.ledger import read_comparison
from gemhunter.board.position import FirstClick
from gemhunter.cli.main import run
from gemhunter.errors import InputError
from gemhunter.experiments.winrate import (
    Experiment,
    Played,
    games_line,
    heading_of_games,
    new_tallies,
    play_missing,
    read_games,
)
from gemhunter.play.game_ids import Level
from gemhunter.report.findings import read_findings
from gemhunter.work.ledger import Ledger, Lines, new_ledger, open_ledger, read_ledger
from places import ROOT
from seed_files import seed_files

Captured = pytest.CaptureFixture[str]

WITH_TESTS = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "bench"), *sys.path])}

ODD = Experiment(("odd",), (Level(3, 5, 4),))
GAMES = 40


@contextmanager
def open_games(path: Path) -> Iterator[tuple[list[Played], Ledger]]:
    """The games in a file, and the file to add more to."""
    with open_ledger(path) as (lines, ledger):
        yield read_games(lines)[1], ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Forty games in several lines."""
    path = tmp_path / "games.jsonl"
    with new_ledger(path) as ledger:
        ledger.add(heading_of_games(ODD, GAMES))
        for played in play_missing(ODD, new_tallies(ODD, GAMES), play=fake_games):
            ledger.add(games_line(played))
    return path


def resumed(path: Path) -> list[int]:
    """Go on until all games are there; how they ended."""
    tallies = new_tallies(ODD, GAMES)
    with open_games(path) as (kept, ledger):
        for played in kept:
            tallies[played.series].add(played)
        for played in play_missing(ODD, tallies, play=fake_games):
            ledger.add(games_line(played))
    return list(tallies[ODD.series[0]].ends)


def test_a_file_cut_at_any_byte_of_a_line_ends_up_with_the_same_games(file: Path) -> None:
    content = file.read_bytes()
    heading, *_, last = content.splitlines(keepends=True)
    whole = resumed(file)
    for cut in [len(heading), len(heading) + 1, *range(len(content) - len(last), len(content) + 1)]:
        file.write_bytes(content[:cut])
        assert resumed(file) == whole
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        assert sum(len(line["ends"]) for line in lines[1:]) == GAMES


def test_a_process_killed_while_it_plays_loses_one_run_at_most(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    program = (
        "import sys, os, signal; from pathlib import Path\n"
        "import test_ledger as t\n"
        "with t.new_ledger(Path(sys.argv[1])) as ledger:\n"
        "    ledger.add(t.heading_of_games(t.ODD, t.GAMES))\n"
        "    for number, played in enumerate(t.play_missing(t.ODD, t.new_tallies(t.ODD, t.GAMES), "
        "play=t.fake_games)):\n"
        "        if number == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
        "        ledger.add(t.games_line(played))\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    assert subprocess.run(command, env=WITH_TESTS, check=False).returncode == -9
    with open_games(path) as (kept, _):
        assert [list(played.games.won) for played in kept] == [[False, True, False, True]]


def test_a_file_that_exists_is_not_touched(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(InputError, match=f"exists; resume it with --resume {file}"), new_ledger(file):
        pass
    assert file.read_bytes() == before


def test_nobody_else_writes_meanwhile(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from gemhunter.work.ledger import open_ledger\n"
        "with open_ledger(Path(sys.argv[1])): pass"
    )
    with open_games(file):
        done = subprocess.run(
            [sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False
        )
    assert "another process is writing to" in done.stderr


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": float("inf")},
        {"seed": -1},
        {"seed": True},
        {"games": float("nan")},
        {"games": 0},
        {"games": 10**30},
        {"agents": []},
        {"agents": "fast"},
        {"agents": [1]},
        {"levels": []},
        {"levels": [None]},
        {"first_click": ["safe"]},
        {"players": 1},
    ],
)
def test_a_heading_that_cannot_be_is_refused(file: Path, changed: dict[str, object]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | changed)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    with pytest.raises(InputError, match="line 1 is not a heading"), open_games(file):
        pass


@pytest.mark.parametrize(
    ("name", "kind", "read"),
    [
        ("bench", "ledger", read_comparison),
        ("report", "ledger", read_findings),
        ("games", "experiment", read_games),
    ],
)
def test_a_heading_that_names_no_kind_is_refused(
    name: str, kind: str, read: Callable[[Lines], object], tmp_path: Path
) -> None:
    path, content = tmp_path / "some.jsonl", seed_files()[f"{name}.jsonl"]
    path.write_bytes(content)
    read(read_ledger(path))
    heading = json.loads(content.splitlines()[0])
    del heading[kind]
    path.write_text(json.dumps(heading) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"line 1 is not a heading: .*{kind}"):
        read(read_ledger(path))


@pytest.mark.parametrize("line", [b"[" * 200_000, b'{"agent":' * 200_000, b"1" * 5000])
def test_a_line_that_no_program_wrote_is_refused(file: Path, line: bytes) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], line, b"\n"]))
    with pytest.raises(InputError, match=r"games\.jsonl:2: not a line of results"), open_games(file):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"my precious notes",
        b"my precious notes\nwithout an end",
        b"3, _, 2\n",
        b"{}\n",
        b"[1]\n",
        b"\xff\n",
        b'{"experiment":"hints"}\n{"cut',
        b'{"ledger":"hints"}\n{"cut',
        b'{"experiment":"winrate","gem',
    ],
)
@pytest.mark.parametrize("command", ["experiment winrate", "experiment match", "bench", "report"])
def test_a_file_of_something_else_is_refused_and_left_alone(
    command: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_bytes(content)
    assert run([*command.split(), "--resume", "notes.txt"]) == 2
    assert "notes.txt has no results of `gemhunter " in capsys.readouterr().err
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("notes.txt", content)]


def test_a_cut_line_of_our_own_file_stays_until_there_is_a_line_to_add(file: Path) -> None:
    content = file.read_bytes()
    with file.open("ab") as stream:
        stream.write(b'{"cut')
    with open_games(file) as (kept, ledger):
        assert file.read_bytes() == content + b'{"cut'
        ledger.add(games_line(kept[0]))
    assert file.read_bytes() == content + content.splitlines(keepends=True)[1]


@pytest.mark.parametrize(
    "changed",
    [
        {"agent": "third"},
        {"level": "9x9n10"},
        {"level": "nowhere"},
        {"seed": -1},
        {"ends": "W"},
        {"ends": "????"},
        {"reasons": "9999"},
        {"guesses": None},
        {"seconds": "long"},
        {"ends": "", "reasons": "", "guesses": [], "reveals": []},
        {"seconds": float("nan")},
        {"cpu_seconds": float("inf")},
        {"seconds": -1.0},
        {"seconds": True},
        {"seed": 1e999},
        {"seed": 2**63 - 1},
        {"seed": 10**30},
        {"agent": 7},
        {"level": ["9x9n10"]},
        {"guesses": [10**30] * 4},
        {"guesses": [-1] * 4},
        {"guesses": [1e999] * 4},
        {"reveals": [0.5] * 4},
        {"reasons": "-1-1"},
        {"reasons": "²²²²"},
        {"luck": [0]},
        {"luck": [10**9] * 4},
        {"luck": [0.5] * 4},
        {"luck": "much"},
    ],
)
def test_a_line_that_cannot_be_is_refused_with_its_number(file: Path, changed: dict[str, object]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | changed)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    with pytest.raises(InputError, match=r"games\.jsonl:2: not a line of results"), open_games(file):
        pass


def test_a_file_of_an_older_version_is_read_without_luck(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    old = [{key: value for key, value in line.items() if key != "luck"} for line in lines]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in old), encoding="utf-8")
    with open_games(file) as (kept, _):
        assert sum(played.games.ends.size for played in kept) == GAMES
        assert not any(played.games.luck.any() for played in kept)


def test_luck_is_kept_to_the_millionth(file: Path) -> None:
    with open_games(file) as (kept, _):
        for played in kept:
            seeds = range(played.games.first_seed, played.games.first_seed + played.games.ends.size)
            assert (
                played.games.luck.tolist()
                == fake_games("odd", Level(3, 5, 4), FirstClick.SAFE, seeds).luck.tolist()
            )


def test_a_full_disk_leaves_whole_lines(file: Path) -> None:
    program = (
        "import resource, sys; from pathlib import Path\n"
        "import test_ledger as t\n"
        "path = Path(sys.argv[1])\n"
        "with t.open_games(path) as (kept, ledger):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20,) * 2)\n"
        "    ledger.add(t.games_line(kept[0]))\n"
    )
    before = file.read_bytes()
    command = [sys.executable, "-c", program, str(file)]
    done = subprocess.run(command, env=WITH_TESTS, capture_output=True, text=True, check=False)
    assert f"InputError: cannot write {file}: file too large" in done.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", ".", "nothing.jsonl"])
def test_only_files_are_gone_on_with(name: str) -> None:
    with pytest.raises(InputError, match="is not a file that can be resumed"), open_games(Path(name)):
        pass


def test_a_ledger_is_read_while_another_process_writes_to_it(file: Path) -> None:
    content = file.read_bytes()
    with open_games(file):
        with file.open("ab") as stream:
            stream.write(b'{"cut')
        assert read_ledger(file).lines == tuple(content.splitlines(keepends=True))


def test_a_ledger_that_cannot_be_read_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*nowhere\.jsonl: no such file or directory"):
        read_ledger(tmp_path / "nowhere.jsonl")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_ledger_without_an_end_is_named_and_not_read_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("gemhunter.work.ledger.LARGEST_LEDGER", 2**20)
    (tmp_path / "endless.jsonl").symlink_to("/dev/zero")
    assert run(["bench", "show", str(tmp_path / "endless.jsonl")]) == 2
    assert "endless.jsonl is too large to be a ledger; at most 1 MiB" in capsys.readouterr().err


def test_a_ledger_that_is_too_large_is_not_resumed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.work.ledger.LARGEST_LEDGER", file.stat().st_size - 1)
    with pytest.raises(InputError, match="too large"), open_games(file):
        pass
