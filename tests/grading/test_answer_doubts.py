"""Answer files in doubt: who an answer is by, what is a claim, and what is left to a person."""

import json
import unicodedata
from typing import Literal

import pytest

from answer_texts import BOARD, FILLED, GRID, LIMIT, NO, answers, labels, read
from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError, InputError
from gemhunter.files.text import parse_grid
from gemhunter.grading.lines import Claim
from gemhunter.grading.sections import AnswerSection, read_sections


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Algorithm: pysat", "pysat"),
        ("Algorithm: pysat:glucose4", "pysat:glucose4"),
        ("*** Solver: Brute Force ***", "Brute Force"),
        ("Method 2: DPLL (time: 0.1 s)", "DPLL"),
        ("Using = CDCL", "CDCL"),
        ("PySAT: solved", "PySAT"),
    ],
)
def test_after_a_word_for_solvers_the_name_follows_the_colon(heading: str, label: str) -> None:
    assert labels(f"{heading}\n{GRID}\n") == [label]
    assert labels(f"{heading}\nNo solution\n") == [label]


@pytest.mark.parametrize(
    "words",
    [
        "Solution not found within 60 seconds",
        "No solution within the given time",
        "no solution found in time",
        "No solution found yet",
        "Could not find a solution before the deadline",
        "Limit reached, no solution found",
        "Hết thời gian",
        "Quá thời gian, không tìm thấy lời giải",
        "Không tìm thấy lời giải trong thời gian cho phép",
        "Chưa tìm thấy lời giải",
        "超時",
        "时间到，无解",
        "在时间内没有解",
        "尚未找到解",
    ],
)
def test_no_solution_within_a_time_is_a_time_out(words: str) -> None:
    assert answers(f"DPLL\n{words}\n") == [LIMIT]


@pytest.mark.parametrize("words", ["No solution found in 0.35 seconds", "no solution, in 0.000214 s: r1c1"])
def test_a_measured_time_leaves_no_solution_a_claim(words: str) -> None:
    assert answers(f"DPLL\n{words}\n") == [NO]


@pytest.mark.parametrize(
    "line",
    [
        *("unsat clauses: 0", "UNSAT: False", "no solution = 0", "Time limit: 60 s"),
        *("Giới hạn thời gian: 60 giây", "無解釋", "Có lời giải", "有解", "唯一解"),
    ],
)
def test_statistics_settings_and_other_words_claim_nothing(line: str) -> None:
    assert answers(f"DPLL\n{line}\n\n{GRID}\n") == [FILLED]


NO_SOLUTION_WORDS = (
    "Không có lời giải",
    "Vô nghiệm",
    "Bài toán vô nghiệm.",
    "Không tìm thấy lời giải nào!",
    "Không tồn tại nghiệm",
    "Ko có lời giải hợp lệ",
    "無解",
    "无解",
    "此題無解。",
    "沒有解",
    "没有可行解",
    "无法求解",
    "不可满足",
)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("words", NO_SOLUTION_WORDS)
def test_no_solution_is_understood_in_vietnamese_and_chinese(words: str, form: Literal["NFC", "NFD"]) -> None:
    bare = "".join(sign for sign in unicodedata.normalize("NFD", words) if not unicodedata.combining(sign))
    for written in (words, words.upper(), words.lower(), bare, bare.upper()):
        text = unicodedata.normalize(form, written)
        for line in (f"DPLL\n{text}\n", f"=== DPLL：{text}"):
            assert read(line) == [AnswerSection("DPLL", NO)], text


@pytest.mark.parametrize(
    "words",
    [
        "No solution found after 60 seconds",  # a round time can be a limit
        "Unsatisfiable in 120 s",
        "Không phải vô nghiệm",
        "Bài này có vô nghiệm hay không",
        "Nếu vô nghiệm thì dừng",
        "Không tìm thấy lời giải sau 60 giây",
        "並非無解",
        "是否无解",
        "无解吗？",
        "60秒内无解",
    ],
)
def test_a_doubtful_claim_is_unreadable(words: str) -> None:
    (answer,) = answers(f"DPLL\n{words}\n")
    assert isinstance(answer, BoardError)


def test_an_unfinished_grid_after_no_solution_is_not_an_answer() -> None:
    tried = GRID.replace("G", "T", 1)
    assert answers(f"DPLL: no solution\n{tried}\n") == [NO]


@pytest.mark.parametrize(
    "text",
    [
        "G, T, G, G\nT, T, G, G\nT, G, G, G",  # gems where the clues are
        "0 1 0 0\n1 1 0 0\n1 0 0 0",  # a matrix of truth values
        "., T, 2, G\nT, T, ., G\nT, ., 1, G",  # some clues left out
        "3 T 2 G T\nT T 2 G T\nT 3 1 G T",  # a column too many
        "3 T 2 G\nT T 2 G\nT 3 1 G <- last row, G is a gem",
        "3 T 2\nG T T\n2 G T\n3 1 G",  # another shape of as many cells
    ],
)
def test_a_grid_that_may_be_misread_is_unreadable(text: str) -> None:
    try:
        found = answers(text)
    except BoardError:
        return
    assert all(isinstance(answer, BoardError) for answer in found)


@pytest.mark.parametrize(
    "note", ["3 4", "Size 3 4", "[(0, 1), (1, 0)]", "1 2 3", "0.5", "traps at (0, 1), (1, 0)"]
)
def test_numbers_beside_a_grid_are_remarks(note: str) -> None:
    assert answers(f"{note}\n{GRID}\n{note}\n") == [FILLED]


def test_a_line_that_could_be_a_row_does_not_shift_the_rows_of_a_right_answer() -> None:
    board, filled = parse_grid("_, _\n_, 1"), parse_grid("G, G\nT, 1")
    assert read_sections("T G\nG G\nT 1\n", board) == [AnswerSection("", filled)]


def test_quoted_words_keep_their_case() -> None:
    (answer,) = answers("3, T, 2, G\nT, Trap, 2, G\nT, 3, 1, G\n")
    assert "found 'Trap'" in str(answer)
    with pytest.raises(BoardError, match="found 'Mine'"):
        parse_grid("1, _\n_, Mine\n")


@pytest.mark.parametrize("heading", ["", "Step 1:", "After propagation", "=== Iteration 7 ==="])
def test_an_unfinished_grid_before_the_answer_is_not_an_answer(heading: str) -> None:
    states = "".join(f"{heading}\n{GRID.replace('T', '_', times)}\n\n" for times in (3, 2, 1))
    assert answers(f"{states}Result:\n{GRID}\n") == [FILLED]
    assert answers(f"{states}DPLL: no solution\n") == [NO]


def test_an_incomplete_answer_of_a_named_solver_stays_one() -> None:
    partial = GRID.replace("T", "_", 1)
    assert labels(f"Brute force:\n{partial}\n\nPySAT:\n{GRID}\n") == ["Brute force", "PySAT"]
    assert answers(partial) == [parse_grid(partial)]


@pytest.mark.parametrize(
    "line",
    [
        "not unsatisfiable",
        "The formula is satisfiable, not unsatisfiable",
        "Is there no solution?",
        "I did not find that there is no solution",
        "TODO: handle no solution case",
        "no solutions.txt found",
        "error: no solution method named foo",
    ],
)
def test_words_of_a_claim_that_claim_nothing_are_unreadable(line: str) -> None:
    try:
        said = answers(line)
    except InputError:
        return
    assert all(isinstance(answer, BoardError) for answer in said)


@pytest.mark.parametrize("mine", ["*", "T", "💣", "🚩"])
@pytest.mark.parametrize("other", [".", "_", "?"])
def test_an_answer_with_one_kind_of_marks_is_left_to_a_person(mine: str, other: str) -> None:
    (answer,) = answers(GRID.replace("T", mine).replace("G", other))
    assert "write T and G" in str(answer)
    (wrong,) = answers(GRID.replace("G", other).replace("T", other, 1).replace("T", mine))
    assert isinstance(wrong, Grid) == (mine in "T💣" and other != ".")


MINE_MAPS = (
    GRID.replace("T", "*").replace("G", "."),
    GRID.replace("T", "*", 2).replace("G", ".").replace("T", "."),
    GRID.replace("T", ".").replace("G", "*"),
    GRID.replace("T", "*").replace("G", "T", 1),
    GRID.replace("G", ".", 1),
    GRID.replace("1", ".").replace("T", "*").replace("G", "."),
    "., *, ., .\n*, *, ., .\n*, ., ., .",
    "* * * *\n. . . .\n* * * *",
)


@pytest.mark.parametrize("text", MINE_MAPS)
def test_an_answer_in_the_marks_of_a_mine_map_is_unreadable_with_a_reason(text: str) -> None:
    for written in (text, text.replace(", ", ""), text.replace(", ", " ")):
        (answer,) = answers(written)
        assert isinstance(answer, BoardError), answer


def test_stars_for_traps_are_right_beside_letters_for_gems() -> None:
    assert answers(GRID.replace("T", "*")) == [FILLED]


def test_clues_on_all_cells_without_a_trap_are_left_to_a_person() -> None:
    (answer,) = answers("3, T, 2, 0\nT, T, 2, 0\nT, 3, 1, 0")
    assert "write T and G" in str(answer)


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff\r\n"])
def test_an_empty_file_is_not_an_answer(text: str) -> None:
    assert answers(text) == [Claim.EMPTY]


COPY = str(BOARD)


@pytest.mark.parametrize(
    "text",
    [
        COPY,
        COPY.replace("_", "?"),
        f"{COPY}\n\n{COPY}\n",
        f"3 4\n{COPY}\n-----\n",
        f"Input:\n{COPY}\nSolving ...\nTime: 0.01 s\n",
        f"{json.dumps({'grid': COPY.splitlines()})}",
    ],
)
def test_a_copy_of_the_board_is_not_an_answer(text: str) -> None:
    assert answers(text) == [Claim.UNFILLED]


@pytest.mark.parametrize("other", ["0 1 0 0\n1 1 0 0\n1 0 0 0", "🔥 🧊 🔥 🧊", "..#.\n.##.\n#..."])
def test_a_copy_of_the_board_beside_another_notation_is_unreadable(other: str) -> None:
    try:
        found = answers(f"{COPY}\n\n{other}\n")
    except BoardError:
        return
    assert all(isinstance(answer, BoardError) for answer in found)


@pytest.mark.parametrize(
    "text", [f"{GRID}\nT, T, T, T", f"3, G, 2, T\n{GRID}", f"{GRID}\nG, G, G, G\n", f"{GRID}\nT, 3, 1, T"]
)
def test_a_right_grid_with_a_further_row_is_left_to_a_person(text: str) -> None:
    assert all("there are more rows here" in str(answer) for answer in answers(text))


@pytest.mark.parametrize(
    "text", [f"{GRID}\n0.01", f"T G\n{GRID}", f"1, 2, 3, 4\n{GRID}", f"{GRID}\n\n{GRID}"]
)
def test_other_lines_beside_a_right_grid_are_not_its_rows(text: str) -> None:
    assert set(map(str, answers(text))) == {GRID}


@pytest.mark.parametrize(
    "claim", ["No solution", "[pysat] no solution", "DPLL: unsatisfiable", "* No solution."]
)
def test_a_claim_right_above_a_solution_is_left_to_a_person(claim: str) -> None:
    (answer,) = answers(f"{claim}\n{GRID}")
    assert "appear together" in str(answer)


def test_a_heading_with_such_words_is_not_a_claim() -> None:
    assert [str(answer) for answer in answers(f"Is there no solution? See below\n{GRID}")] == [GRID]
