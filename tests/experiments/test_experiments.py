"""Experiments: what they measure, how they print it, and what is left after Ctrl-C."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

import oracles
from compiled import needs_compiler
from gemhunter.cli.experiment import run_to_end
from gemhunter.cli.main import run
from gemhunter.draw.graphs import Bars, draw_bars
from gemhunter.experiments import game_tables as clue_shares
from gemhunter.experiments.game_tables import ClueShares, S5Line, lines_of_s5, measure_clues, measure_s5
from gemhunter.play.game import game_with_given
from gemhunter.play.game_ids import LEVELS, GameId
from gemhunter.play.many_games import play_resolution_games


def last_of(results: Iterator[list[S5Line]] | Iterator[list[ClueShares]]) -> list[S5Line] | list[ClueShares]:
    *_, last = results
    return last


@needs_compiler
def test_the_table_has_every_level_and_number_of_cells_and_the_games_of_its_seeds() -> None:
    lines = [line for line in last_of(measure_s5(lines_of_s5(), 2, seed=4)) if isinstance(line, S5Line)]
    named = [(line.level, line.given) for line in lines]
    assert named == [
        *(("easy", 4), ("easy", 9), ("easy", 18)),
        *(("medium", 8), ("medium", 16), ("medium", 32)),
        *(("hard", 11), ("hard", 22), ("hard", 44)),
    ]
    for line in lines:
        played = play_resolution_games(LEVELS[line.level], line.given, range(4, 6))
        assert line.marked.tolist() == played.marked.tolist()
        assert line.rounds.tolist() == played.rounds.tolist()


def test_both_agents_play_the_same_games_in_rows_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("-a", "resolution", "-a", "csp", "--level", "4x6n5", "--initial", "5", "--seed", "8")
    run(["experiment", "marked-cells", *asked, "--games", "2"])
    heading, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert heading[:4] == ["level", "safe", "agent", "marked"]
    assert [row[2:5] for row in rows] == [["resolution", "24", "15"], ["csp", "24", "24"]]
    run(["experiment", "marked-cells", *asked, "--games", "2", "--format", "json"])
    by_resolution, by_csp = json.loads(capsys.readouterr().out)
    assert by_resolution["backtracks"] is by_csp["rounds"] is None
    assert min(by_resolution["rounds"], by_csp["backtracks"]) > 0


@pytest.mark.parametrize(
    "words",
    [
        "marked-cells --level 4x6n5 --level 4x6n5 --initial half,half,2,one",
        "marked-cells --level 4x6n5 --initial half,5,2",
        "difficulty --level 4x6n5 --level 4x6n5",
    ],
)
def test_what_is_asked_for_twice_has_one_row(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["experiment", *words.split(), "--games", "1", "--format", "json"])
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == (2 if "initial" in words else 1)


def test_games_are_measured_piece_by_piece() -> None:
    sizes = [lines[-1].marked.size for lines in islice(measure_s5(lines_of_s5(), 60, seed=1), 4)]
    assert sizes == [25, 50, 60, 25]


def test_clues_are_counted_on_the_boards_of_their_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clue_shares, "BOARDS_AT_ONCE", 2)
    found = [level for level in last_of(measure_clues(3, seed=5)) if isinstance(level, ClueShares)]
    assert [level.level for level in found] == ["easy", "medium", "hard"]
    for level in found:
        for seed, counts in zip(range(5, 8), level.counts.tolist(), strict=True):
            board = game_with_given(GameId(LEVELS[level.level], seed), 0).board
            assert board is not None
            signs = [sign for row in oracles.marks_of(board.grid()) for sign in row]
            assert counts == [signs.count(str(hint)) for hint in range(9)]
        assert sum(level.shares) == pytest.approx(1)
    assert found[0].ratio == 10 / 71


@pytest.mark.parametrize(
    "experiment",
    [
        ["marked-cells", "--games", "2"],
        ["clues", "--boards", "3"],
        ["difficulty", "--games", "2", "--level", "beginner", "--level", "5x5n4"],
    ],
)
@needs_compiler
def test_every_form_has_the_same_numbers(experiment: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    printed = {}
    for form in ("text", "json", "csv", "md"):
        assert run(["experiment", *experiment, "--seed", "3", "--format", form]) == 0
        printed[form] = capsys.readouterr().out
    records = json.loads(printed["json"])
    rows = list(csv.DictReader(io.StringIO(printed["csv"])))
    assert [list(row) for row in rows] == [list(record) for record in records]
    levels = [record["level"] for record in records]
    assert [row["level"] for row in rows] == levels
    assert [line.split(" | ")[0].rstrip() for line in printed["md"].splitlines()[2:]] == [
        f"| {name}" for name in levels
    ]
    assert [line.split()[0] for line in printed["text"].splitlines()[1 : len(levels) + 1]] == levels


def test_a_table_that_is_written_is_printed_too(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "clues", "--boards", "3", "-o", "clues.csv"]) == 0
    assert capsys.readouterr().out.startswith("level ")
    assert (desk / "clues.csv").read_text("utf-8").startswith("level,")


@needs_compiler
def test_the_first_three_games_stand_beside_the_means(capsys: pytest.CaptureFixture[str]) -> None:
    run(["experiment", "marked-cells", "--games", "5"])
    easy = capsys.readouterr().out.splitlines()[1]
    assert " 4 81 81 " in easy
    assert easy.endswith(" 5")


@pytest.mark.parametrize("games", ["2", "3"])
def test_the_table_fits_into_a_terminal_of_80_columns(
    games: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few games have the widest intervals."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    run(["experiment", "marked-cells", "--games", games])
    heading, _, *rows = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert "games" in heading
    assert [row.split()[0] for row in rows] == ["easy"] * 3 + ["medium"] * 3 + ["hard"] * 3


def test_a_single_game_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    run(["experiment", "marked-cells", "--games", "1", "--format", "json"])
    easy = json.loads(capsys.readouterr().out)[1]
    assert (easy["marked"], easy["marked_low"], easy["marked_high"]) == (81, None, None)
    assert easy["finished_low"] == pytest.approx(0.2065, abs=1e-4)


def test_the_chart_has_a_bar_for_each_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["experiment", "clues", "--boards", "20", "-o", str(tmp_path / "clues.svg")])
    chart = [line for line in capsys.readouterr().out.splitlines() if "█" in line]
    shares = [line.split()[-1] for line in chart]
    assert len(chart) == 6
    texts = {part.text for part in ElementTree.parse(tmp_path / "clues.svg").iter()}
    assert {"20 random boards per level", "easy", "medium", "hard", *shares} <= texts


def test_bars_are_as_high_as_their_share_of_the_largest() -> None:
    picture = ElementTree.fromstring(
        draw_bars("a < b", ["one", "two"], [Bars("x", (0.2, 0.4)), Bars("y", (0, 0.1))])
    )
    bars = [part for part in picture if part.tag.endswith("rect") and part.get("rx")]
    assert [float(bar.get("height") or 0) for bar in bars] == [110, 0, 220, 55]


def test_ctrl_c_shows_what_has_been_measured() -> None:
    def results() -> Iterator[list[int]]:
        yield [1]
        yield [1, 2]
        raise KeyboardInterrupt

    shown: list[list[int]] = []
    with pytest.raises(KeyboardInterrupt):
        run_to_end(results(), 2, "games", lambda last: ("task", last), shown.append)
    assert shown == [[1, 2]]


def test_an_unknown_experiment_is_met_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "cluez"]) == 2
    assert "no experiment named 'cluez'; did you mean 'clues'?" in capsys.readouterr().err
    assert run(["experiment"]) == 2
    assert capsys.readouterr().err == (
        "error: missing command; expected one of winrate, match, marked-cells, difficulty, clues "
        "(see: gemhunter experiment --help)\n"
    )
