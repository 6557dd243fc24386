"""`gemhunter trace` as people run it."""

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from formulas import alternating_sum
from gemhunter.cli.main import run

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.txt"
    path.write_text(str(alternating_sum(5, 3, seed=3).grid), encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ["brute-force", "backtracking", "dpll", "cdcl", "resolution"])
def test_a_search_is_told_line_by_line(engine: str, board: Path, capsys: Captured) -> None:
    assert run(["trace", str(board), "--engine", engine, "--limit", "20"]) == 0
    out, err = capsys.readouterr()
    shown, _, steps = out.partition("\n\n")
    assert shown == f"{board} (9×5)\n{board.read_text(encoding='utf-8')}"
    assert [line.split()[0] for line in steps.splitlines()] == [str(number) for number in range(1, 21)]
    assert err == "stopped after 20 events; --limit shows more\n"


def test_json_is_one_document(board: Path, capsys: Captured) -> None:
    assert run(["trace", str(board), "--format", "json", "--limit", "100000"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["complete"]
    assert document["engine"] == "cdcl"
    assert document["events"][-1] == {"event": "no solution"}
    learned = next(event for event in document["events"] if event["event"] == "learn")
    assert {"clause", "level", "clash", "graph", "beyond", "cut"} <= set(learned)


def test_jsonl_is_one_object_a_line(board: Path, capsys: Captured) -> None:
    assert run(["trace", str(board), "-e", "dpll", "--format", "jsonl", "--limit", "5"]) == 0
    assert len([json.loads(line) for line in capsys.readouterr().out.splitlines()]) == 5


def test_a_conflict_is_drawn_even_if_it_is_not_told(board: Path, tmp_path: Path) -> None:
    dot, svg = tmp_path / "conflict.dot", tmp_path / "conflict.svg"
    command = ["trace", str(board), "--limit", "1", "--conflict", "3"]
    assert run([*command, "-o", str(dot), "-o", str(svg)]) == 0
    assert dot.read_text(encoding="utf-8").startswith("digraph")
    assert Xml.fromstring(svg.read_text(encoding="utf-8")).tag.endswith("svg")


def test_a_conflict_that_does_not_come_is_a_clear_error(
    board: Path, tmp_path: Path, capsys: Captured
) -> None:
    svg = tmp_path / "conflict.svg"
    assert run(["trace", str(board), "--conflict", "99999", "-o", str(svg)]) == 2
    assert "error: no conflict 99999 to draw: " in capsys.readouterr().err
    assert not svg.exists()


def test_an_engine_that_cannot_tell_is_refused(board: Path, capsys: Captured) -> None:
    assert run(["trace", str(board), "-e", "pysat"]) == 2
    assert "pysat:cadical153 cannot be traced; brute-force, backtracking, dpll" in capsys.readouterr().err


def test_two_engines_cannot_be_watched_at_once(board: Path, capsys: Captured) -> None:
    assert run(["trace", str(board), "-e", "dpll", "-e", "cdcl"]) == 2
    assert "one engine is watched at a time; leave out cdcl" in capsys.readouterr().err


def test_a_graph_of_an_engine_without_conflicts_to_draw_is_refused(
    board: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert run(["trace", str(board), "-e", "dpll", "-o", str(tmp_path / "x.svg")]) == 2
    assert "only conflicts of cdcl can be drawn, not of dpll" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_an_output_file_has_what_would_be_printed(
    form: str, board: Path, tmp_path: Path, capsys: Captured
) -> None:
    asked = ["trace", str(board), "-e", "dpll", "--format", form, "--limit", "3"]
    run(asked)
    printed = capsys.readouterr().out
    file = tmp_path / "steps"
    assert run([*asked, "-o", str(file)]) == 0
    more = "stopped after 3 events; --limit shows more\n"
    assert capsys.readouterr() == ("", f"{file}: 3 events\n{more}")
    assert file.read_text(encoding="utf-8") == printed


def test_a_page_and_an_animation_of_the_search_are_written(tmp_path: Path, capsys: Captured) -> None:
    html, gif = tmp_path / "search.html", tmp_path / "search.gif"
    asked = ["trace", "sample:backjump", "-e", "cdcl", "-o", str(html), "-o", str(gif)]
    assert run(asked) == 0
    assert capsys.readouterr().err == f"{html}: 13 events\n{gif}: 13 events\n"
    assert "<h1>cdcl on sample:backjump</h1>" in html.read_text(encoding="utf-8")
    assert gif.read_bytes().startswith(b"GIF89a")


def test_an_animation_says_how_much_of_a_long_search_it_shows(tmp_path: Path, capsys: Captured) -> None:
    gif = tmp_path / "search.gif"
    run(["trace", "sample:3x4", "-e", "brute-force:clauses", "--limit", "60", "-o", str(gif)])
    stopped = "stopped after 60 events; --limit shows more"
    assert capsys.readouterr().err == f"{stopped}\n{gif}: the first 46 of 60 events\n"


@pytest.mark.parametrize("ending", ["gif", "html"])
def test_a_formula_has_no_board_to_play_on(ending: str, tmp_path: Path, capsys: Captured) -> None:
    formula, file = tmp_path / "tiny.cnf", tmp_path / f"search.{ending}"
    formula.write_text("p cnf 1 1\n1 0\n", encoding="utf-8")
    assert run(["trace", str(formula), "-o", str(file)]) == 2
    assert f"{file.name} would play a board, but {formula} is a formula" in capsys.readouterr().err
    assert not file.exists()


def test_quiet_leaves_out_that_there_is_more(board: Path, capsys: Captured) -> None:
    run(["trace", str(board), "--limit", "3", "-q"])
    assert capsys.readouterr().err == ""


def test_json_has_the_board_and_the_clue_of_each_clause(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "tiny.txt").write_text("1, _\n", encoding="utf-8")
    run(["trace", str(tmp_path / "tiny.txt"), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert document["grid"] == ["1, _"]
    assert document["events"][0]["clue"] == "the clue 1 at r1c1"


def test_a_long_line_of_a_solver_is_cut(desk: Path, capsys: Captured) -> None:
    code = 'def solve(grid):\n    yield "y" * 1_000_000\n    return [["T", 1]]\n'
    (desk / "mine.py").write_text(code, encoding="utf-8")
    (desk / "board.txt").write_text("_, 1\n", encoding="utf-8")
    assert run(["trace", "board.txt", "-e", "./mine.py"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[-5:] for line in lines if "yy" in line] == ["yyy …"]


def test_control_characters_of_a_solver_do_not_reach_the_terminal_or_a_file(
    desk: Path, capsys: Captured
) -> None:
    code = 'def solve(grid):\n    yield "decide \\x1b[2J\\u202e r1c2"\n    return [["T", 1]]\n'
    (desk / "mine.py").write_text(code, encoding="utf-8")
    (desk / "board.txt").write_text("_, 1\n", encoding="utf-8")
    assert run(["trace", "board.txt", "-e", "./mine.py"]) == 0
    assert run(["trace", "board.txt", "-e", "./mine.py", "-o", "steps.txt", "-o", "steps.html"]) == 0
    shown = r"decide \x1b[2J\u202e r1c2"
    texts = [capsys.readouterr().out, *(Path(f"steps.{form}").read_text("utf-8") for form in ("txt", "html"))]
    assert all("\x1b" not in text and "\u202e" not in text for text in texts)
    assert all(shown in text for text in texts[:2])
