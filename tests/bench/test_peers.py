"""`benchmarks/peers.py`: plain programs with other libraries answer as we do; wrong answers are noticed."""

from importlib.util import find_spec

import pytest

from gemhunter.bench.suites import BenchBoard
from gemhunter.files.text import parse_grid
from peers import PEERS, can_answer, objection

BOARDS = [
    BenchBoard("one", parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")),
    BenchBoard("with a total", parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), 4),
    BenchBoard("with known cells", parse_grid("3, T, 2, _\n_, _, 2, G\n_, 3, 1, _"), 4),
    BenchBoard("without clues", parse_grid("_, _, _"), 2),
    BenchBoard(
        "refuted", parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
    ),
    BenchBoard("impossible", parse_grid("_, 3, _\n0, _, _")),
]


@pytest.mark.parametrize("name", [name for name, peer in PEERS.items() if find_spec(peer.package)])
def test_every_peer_answers_as_we_do(name: str) -> None:
    for board in BOARDS:
        if can_answer(name, board):
            answer = PEERS[name].prepare(board.grid, board.total, 5.0)()
            assert objection(PEERS[name].question, answer, board, 5.0) == ""


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ("solution", [["T", "1", "T"]], "r1c2 says 1, but touches 2 traps"),
        ("solution", None, "says that there is no solution"),
        ("count", 3, "counts 3; count says 2"),
        ("probabilities", [[0.5, 0.0, 0.6]], "differs from probabilities by up to 0.1"),
        ("certain", ({(0, 0)}, set()), "forced finds other certain cells"),
    ],
)
def test_a_wrong_answer_is_noticed(question: str, answer: object, words: str) -> None:
    assert objection(question, answer, BenchBoard("small", parse_grid("_, 1, _")), 5.0) == words
