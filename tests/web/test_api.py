"""The API: the records that commands print, errors in one shape, streams, and limits."""

import json
from base64 import b64decode, b64encode
from typing import Any

import httpx
import pytest

from gemhunter.cli.main import run
from processes import end, needs_proc, programs_below, wait_until
from web_server import BOARD, WebServer

SOLVED = ["3T2G", "TT2G", "T31G"]
CONFLICT = ["1_1", "___", "5_1"]
SLOW = ["_" * 40, *["_2" * 20] * 38, "_" * 40]
GAME = "9x9n10#42:opening"
FIRST = ["reveal r5c5"]


def error_of(answer: httpx.Response) -> dict[str, Any]:
    """The error in an answer, which has the one shape of errors."""
    record = answer.json()
    assert list(record) == ["error"]
    assert list(record["error"]) == ["code", "message", "field", "faults"]
    assert "\n" not in record["error"]["message"]
    error: dict[str, Any] = record["error"]
    return error


@pytest.mark.parametrize("command", ["analyse", "explain"])
def test_the_record_is_the_one_that_the_command_prints(
    server: WebServer, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "sample:3x4", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    named = {"board", "position"}
    found = server.ask(command, grid=BOARD)
    assert {key: found[key] for key in found if key not in named} == {
        key: printed[key] for key in printed if key not in named
    }


def test_advice_is_the_guess_that_hint_prints(server: WebServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hint", "sample:two-ways", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)["guess"]
    asked = server.ask("advise", grid=server.ask("read", sample="sample:two-ways")["grid"])
    assert {**asked, "position": ""} == {**printed, "position": ""}


def test_the_trace_is_the_one_that_the_command_prints(
    server: WebServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["trace", "sample:3x4", "--engine", "dpll", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert server.ask("trace", grid=BOARD, engine="dpll") == {**printed, "board": "board"}


@pytest.mark.parametrize(
    "body",
    [
        {"text": "3 _ 2 _\n_ _ 2 _\n_ 3 1 _\n"},
        {"text": json.dumps({"grid": BOARD})},
        {"base64": b64encode(b"3_2_\n__2_\n_31_\n").decode(), "name": "board.txt"},
        {"sample": "sample:3x4"},
    ],
)
def test_boards_are_read_in_any_format(server: WebServer, body: dict[str, str]) -> None:
    rows = ["3, _, 2, _", "_, _, 2, _", "_, 3, 1, _"]
    assert server.ask("read", **body) == {"grid": rows, "traps": None, "game": None}


def test_a_board_that_cannot_be_read_names_each_fault_and_its_place(server: WebServer) -> None:
    answer = server.post("read", {"text": "1 x _\n1 1\n"})
    assert answer.status_code == 422
    error = error_of(answer)
    assert error["code"] == "bad-request"
    assert [(fault["line"], fault["column"]) for fault in error["faults"]] == [(1, 3), (2, 4)]


@pytest.mark.parametrize("name", ["x.mbf", "x.ABF"])
def test_text_instead_of_bytes_is_a_fault_of_the_request(server: WebServer, name: str) -> None:
    answer = server.post("read", {"text": "1 _\n", "name": name})
    assert answer.status_code == 422
    assert error_of(answer)["message"] == "an .mbf or .abf file has bytes, not text; send them as `base64`"


def test_no_file_is_opened_by_name(server: WebServer) -> None:
    error = error_of(server.post("read", {"sample": "sample:../../pyproject.toml"}))
    assert "no sample board named" in error["message"]


def test_solutions_are_listed_in_order_until_there_are_enough(server: WebServer) -> None:
    two = ["_1_"]
    found = server.ask("solutions", grid=two)
    assert found == {"solutions": [["G, 1, T"], ["T, 1, G"]], "complete": True, "gave_up": None}
    assert server.ask("solutions", grid=two, most=1)["complete"] is False


def test_a_cell_is_explained_and_so_is_what_goes_wrong_with_its_other_value(server: WebServer) -> None:
    assert server.ask("explain-cell", grid=BOARD, cell="r1c2")["value"] == "trap"
    opposite = server.ask("explain-cell", grid=BOARD, cell="r1c2", opposite=True)
    assert (opposite["supposed"], opposite["conflict"]["broken"]) == ("gem", "r1c1")


def test_a_contradictory_board_names_the_clues_that_conflict(server: WebServer) -> None:
    assert server.ask("analyse", grid=CONFLICT)["verdict"] == "refuted"
    assert server.ask("explain", grid=CONFLICT)["conflict"]["clues"]


def test_a_hint_says_no_more_than_its_rung(server: WebServer) -> None:
    first, third, fourth = (server.ask("hint", grid=BOARD, rung=rung) for rung in (1, 3, 4))
    assert (len(first["rungs"]), first["clues"], first["step"]) == (1, [], None)
    assert (third["clues"], third["step"]) == (["r1c1"], None)
    assert fourth["step"]["decides"]["traps"] == ["r1c2", "r2c1", "r2c2"]


@pytest.mark.parametrize(
    ("filled", "verdict"),
    [
        (SOLVED, "right"),
        (["3T2_", "__2_", "_31_"], "fits"),
        (["3G2_", "__2_", "_31_"], "conflict"),
        (["3_2T", "__2_", "_31_"], "wrong"),
    ],
)
def test_what_is_filled_in_is_checked(server: WebServer, filled: list[str], verdict: str) -> None:
    assert server.ask("check", grid=BOARD, filled=filled)["verdict"] == verdict


@pytest.mark.parametrize(
    ("kind", "beginning", "name"),
    [
        ("text", b"3, _, 2, _\n", "board.txt"),
        ("dimacs", b"c true means trap", "board.cnf"),
        ("svg", b"<svg", "board.svg"),
        ("png", b"\x89PNG", "board.png"),
        ("heat-svg", b"<svg", "board-risks.svg"),
    ],
)
def test_a_board_is_exported_as_a_file(server: WebServer, kind: str, beginning: bytes, name: str) -> None:
    answer = server.post("export", {"grid": BOARD, "to": kind})
    assert answer.content.startswith(beginning)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'


def test_a_file_is_not_streamed(server: WebServer) -> None:
    url, stream = f"{server.address}api/v1/export", {"accept": "text/event-stream"}
    answer = httpx.post(url, json={"grid": BOARD, "to": "png"}, headers=stream)
    assert (answer.status_code, answer.content[:4]) == (200, b"\x89PNG")


def test_risks_in_answers_and_pictures_follow_the_density(server: WebServer) -> None:
    row = ["_1__"]
    offered = httpx.get(f"{server.address}api/v1/about", timeout=60).json()
    same, assumed = {"grid": row}, {"grid": row, "density": offered["usual_density"]}
    assert server.ask("analyse", **same)["probability"][0][3] == pytest.approx(0.5)
    assert server.ask("analyse", **assumed)["probability"][0][3] == pytest.approx(0.2)
    assert server.ask("advise", **assumed) == server.ask("advise", **same)
    pictures = [server.post("export", {**body, "to": "heat-svg"}).text for body in (same, assumed)]
    assert pictures[0] != pictures[1]


def test_the_clauses_of_a_clue_are_its_combinations(server: WebServer) -> None:
    found = server.ask("clauses", grid=["_1_"], cell="r1c2")
    assert (found["n"], found["k"]) == (2, 1)
    assert (found["upper"], found["lower"]) == ([["r1c1=G", "r1c3=G"]], [["r1c1=T", "r1c3=T"]])


def test_the_graph_of_a_conflict_is_a_picture(server: WebServer) -> None:
    board = server.ask("read", sample="sample:backjump")["grid"]
    assert server.post("trace-graph", {"grid": board}).text.startswith("<svg")
    missing = server.post("trace-graph", {"grid": board, "conflict": 1000})
    assert "there is no conflict 1000 to draw" in error_of(missing)["message"]


def test_a_game_is_its_id_and_its_moves(server: WebServer) -> None:
    assert server.ask("play/id", level="beginner", seed=42, first_click="opening") == {"id": GAME}
    fresh, begun = server.ask("play", id=GAME), server.ask("play", id=GAME, moves=FIRST)
    assert (fresh["status"], fresh["moves"], fresh["truth"]) == ("playing", 0, None)
    assert begun["grid"][4].split(", ")[4] == "0"
    twice = server.ask("play", id=GAME, moves=FIRST * 2)
    assert twice["rejected"] == "move 2, reveal r5c5, changes nothing"
    assert twice["grid"] == begun["grid"]


def test_agents_hints_and_risks_are_about_what_the_player_sees(server: WebServer) -> None:
    assert server.ask("play/hint", id=GAME, moves=FIRST, rung=4)["kind"] == "deduction"
    turn = server.ask("play/turn", id=GAME, moves=FIRST, agent="logic")
    assert turn["risk"] == 0.0
    assert turn["revealed"] == [move.removeprefix("reveal ") for move in turn["moves"] if "reveal" in move]
    assert server.ask("play", id=GAME, moves=[*FIRST, *turn["moves"]])["rejected"] is None
    risks = server.ask("play/risks", id=GAME, moves=FIRST)
    assert {risk for row in risks["risk"] for risk in row} >= {None, 0.0, 1.0}


def test_a_game_is_watched_and_reviewed_to_its_end(server: WebServer) -> None:
    watched = server.ask("play/watch", id="5x6n5#3", agent="fast")
    moves = [move for turn in watched["moves"] for move in turn]
    revealed = [cell for turn in watched["revealed"] for cell in turn]
    assert [f"reveal {cell}" for cell in revealed] == [move for move in moves if move.startswith("reveal")]
    end = server.ask("play", id="5x6n5#3", moves=moves)
    assert end == {**watched["end"], "rejected": None}
    assert sum(row.count("*") for row in end["truth"]) == 5
    *news, (kind, result) = server.events("play/review", id="5x6n5#3", moves=moves)
    items = [value for name, value in news if name == "item"]
    judged = [item for item in items if "verdict" in item]
    assert (kind, result["reviewed"], result["status"]) == ("result", len(judged), end["status"])
    risky = [item["number"] for item in judged if item["risk"]]
    assert [item["number"] for item in items if "win_chance" in item] == risky
    guesses = [item["number"] for item in judged if item["verdict"] == "guess"]
    assert [item["number"] for item in items if item.get("compared")] == guesses


def test_a_guess_is_compared_with_others_if_there_is_time_to_think(server: WebServer) -> None:
    game = {"id": "8x8n12#5", "moves": ["reveal r1c1"]}
    quick, thought = server.ask("play/hint", **game), server.ask("play/hint", **game, think=0.01)
    assert (quick["kind"], quick["compared"]) == ("guess", None)
    assert thought["cell"] in (thought["compared"]["better"], thought["compared"]["other"])
    assert thought["compared"]["boards"] >= 50
    assert thought["sentence"].endswith(thought["compared"]["sentence"])


def test_puzzles_come_one_by_one(server: WebServer) -> None:
    events = server.events("generate/puzzles", rows=4, cols=4, count=3, seed=7)
    items = [value for name, value in events if name == "item"]
    assert [item["seed"] for item in items] == [7, 8, 9]
    assert events[-1] == ("result", {"made": 3})


def test_puzzles_are_printed_with_their_solutions_on_another_page(server: WebServer) -> None:
    puzzle = {"grid": BOARD, "solution": SOLVED, "label": "easy"}
    pages = server.ask("generate/sheet", puzzles=[puzzle, puzzle])["pages"]
    assert len(pages) == 2
    assert "2 · easy" in pages[0]
    pdf = server.ask("generate/sheet", puzzles=[puzzle], format="pdf")["pdf"]
    assert b64decode(pdf).startswith(b"%PDF-")


def test_engines_are_compared_run_by_run(server: WebServer) -> None:
    engines, boards = ["auto", "pysat"], [{"name": "small", "grid": BOARD}]
    events = server.events("compare", boards=boards, engines=engines, runs=1, seconds=2)
    items = [value for name, value in events if name == "item"]
    assert {(item["engine"], item["verdict"]) for item in items} == {("auto", "solved"), ("pysat", "solved")}
    notes = [value["note"] for name, value in events if name == "progress" and "note" in value]
    runs = [f"{engine} on small, run 1 of 1" for engine in engines]
    assert list(dict.fromkeys(note.partition(":")[0] for note in notes)) == ["starting engines", *runs]
    assert events[-1][1]["csv"].splitlines()[0] == "board,engine,run,verdict,reason,seconds,memory_bytes"


@pytest.mark.parametrize("path", ["compare", "report", "trace"])
def test_no_engine_starts_a_program_that_a_request_names(server: WebServer, path: str) -> None:
    for engine in ("cmd:ls", "grid:ls", "./mine.py", "mine.py:solve", f"{__file__}:solve"):
        boards: dict[str, Any] = {"boards": [{"name": "small", "grid": BOARD}], "engines": [engine]}
        body = {"grid": BOARD, "engine": engine} if path == "trace" else boards
        assert server.post(path, body).status_code == 422


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("analyse", {}, 422, "bad-request"),
        ("analyse", {"grid": BOARD, "gird": 1}, 422, "bad-request"),
        ("analyse", {"grid": ["12", "1"]}, 422, "bad-request"),
        ("analyse", {"grid": ["_" * 50_000] * 60}, 413, "too-large"),
        ("analyse", {"grid": BOARD, "traps": 10**12}, 422, "bad-request"),
        ("analyse", {"grid": BOARD, **{f"x{number}": 0 for number in range(1000)}}, 422, "bad-request"),
        ("explain-cell", {"grid": BOARD, "cell": "r9c9"}, 422, "bad-request"),
        ("clauses", {"grid": BOARD, "cell": "r1c99"}, 422, "bad-request"),
        ("generate/puzzles", {"rows": 500, "cols": 500}, 413, "too-large"),
        ("compare", {"boards": [{"name": "a\0", "grid": BOARD}], "engines": ["auto"]}, 422, "bad-request"),
        ("play", {"id": "100000x100000n5#1"}, 422, "bad-request"),
        ("play", {"id": "1000x1000n5#1"}, 413, "too-large"),
        ("play/review", {"id": GAME, "moves": ["reveal r99c1"]}, 422, "bad-request"),
        ("generate/puzzles", {"density": 1.0}, 422, "bad-request"),
        ("play/id", {"seed": False}, 422, "bad-request"),
        ("no-such-question", {}, 404, "not-found"),
    ],
)
def test_a_bad_request_is_an_error_in_one_shape(
    server: WebServer, path: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = server.post(path, body)
    assert answer.status_code == status
    assert error_of(answer)["code"] == code


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"solutions": "many", "difficulty": "easy"}, "solutions"),
        ({"difficulty": "eesy"}, "difficulty"),
        ({"symmetry": "left"}, "symmetry"),
        ({"rule": "total"}, "rule"),
        ({"density": 1.0}, "density"),
        ({"density": 0.5, "clues": 0.9}, "density"),
        ({"rows": 500, "cols": 500}, "rows"),
        ({"count": 0}, "count"),
        ({"colour": "red"}, None),
    ],
)
def test_an_error_about_an_order_of_puzzles_names_the_field_to_correct(
    server: WebServer, body: dict[str, Any], field: str | None
) -> None:
    assert error_of(server.post("generate/puzzles", body))["field"] == field


def test_a_place_in_text_that_is_not_json_is_no_field(server: WebServer) -> None:
    answer = httpx.post(f"{server.address}api/v1/analyse", content=b'{"grid"', timeout=60)
    assert error_of(answer)["field"] is None


@pytest.mark.parametrize(
    ("grid", "code"),
    [(CONFLICT, "conflict"), (["_1_"], "uncertain"), (["T1G"], "decided"), (BOARD, None)],
)
def test_why_there_is_no_hint_is_a_code(server: WebServer, grid: list[str], code: str | None) -> None:
    hint = server.ask("hint", grid=grid)
    assert hint["code"] == code
    assert (hint["reason"] is None) == (code is None)


def test_an_error_in_a_stream_is_an_event(server: WebServer) -> None:
    events = server.events("analyse", grid=["12", "1"])
    assert events[-1][0] == "error"
    assert events[-1][1]["error"]["code"] == "bad-request"


def test_a_counting_bomb_gives_up_and_says_so(server: WebServer) -> None:
    board = ["_" * 81, "_4" * 40 + "_"] * 40
    found = server.ask("analyse", grid=board, seconds=0.2)
    assert found["gave_up"]


def test_leaving_cancels_the_work(server: WebServer) -> None:
    # Of two workers, one address has one: unless the puzzles stop, no other question gets its turn.
    body = {"rows": 40, "cols": 40, "count": 200}
    url, stream = f"{server.address}api/v1/generate/puzzles", {"accept": "text/event-stream"}
    with httpx.stream("POST", url, json=body, headers=stream, timeout=60) as answer:
        assert next(answer.iter_lines()) == "event: progress"
    assert server.ask("clauses", grid=["_1_"], cell="r1c2")["n"] == 2


@needs_proc
@pytest.mark.parametrize(
    ("engine", "program"), [("brute-force:clauses", "bench.run_child"), ("pysat:kissat", "engines.pysat")]
)
def test_leaving_ends_the_run_that_is_being_measured(engine: str, program: str, server: WebServer) -> None:
    body = {"boards": [{"name": "slow", "grid": SLOW}], "engines": [engine], "seconds": 60}
    url, stream = f"{server.address}api/v1/compare", {"accept": "text/event-stream"}
    with httpx.stream("POST", url, json=body, headers=stream, timeout=60) as answer:
        lines = answer.iter_lines()  # kept, as the end of this iterator would end the connection
        assert next(lines) == "event: progress"
        assert wait_until(lambda: programs_below(server.pid, program))
        measured = programs_below(server.pid, program)
    assert measured
    assert end(*measured)


def test_a_request_that_is_too_large_is_refused_before_it_is_read(server: WebServer) -> None:
    body = b" " * (7 * 2**20)
    answer = httpx.post(f"{server.address}api/v1/analyse", content=body, timeout=60)
    assert answer.status_code == 413
    assert error_of(answer)["code"] == "too-large"


def test_what_the_server_offers_is_listed(server: WebServer) -> None:
    offered = httpx.get(f"{server.address}api/v1/about", timeout=60).json()
    assert offered["limits"]["seconds"] == 60.0
    names = {engine["name"] for engine in offered["engines"]}
    assert {"auto", "cdcl", "dpll"} <= names
    assert not any(name.startswith(("cmd", "grid")) for name in names)
