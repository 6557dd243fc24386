"""Answers of one student to several boards, in one file or in many: none is lost or marked falsely."""

import random
from dataclasses import dataclass

import pytest

import oracles
from campaigns import first_of
from gemhunter.board.grid import Grid
from gemhunter.grading.cases import Case, CaseAnswer, answers_by_case
from gemhunter.grading.verdicts import Grade, Grader
from strategies import grid_of
from student_styles import STYLES, Marks, joined

NO_SOLUTION = ("No solution", "UNSAT", "Không có lời giải", "vo nghiem", "無解")
GAVE_UP = ("Timeout", "Limit reached", "Hết thời gian")


@dataclass(frozen=True)
class Handed:
    """A board, what was handed in for it, and whether that is right; None if it gives up."""

    board: Marks
    text: str
    is_right: bool | None


def random_board(rng: random.Random) -> tuple[Marks, Marks | None]:
    """A board with clues and hidden cells, and its solution, unless a clue was made impossible."""
    while True:
        rows, cols = rng.randint(1, 5), rng.randint(2, 6)
        answer = [["T" if rng.random() < 0.3 else "G" for _ in range(cols)] for _ in range(rows)]
        board = [["_"] * cols for _ in range(rows)]
        clues = [cell for cell in oracles.places(answer) if answer[cell[0]][cell[1]] == "G"]
        clues = [cell for cell in clues if rng.random() < 0.6]
        for row, col in clues:
            board[row][col] = str(oracles.traps_around(answer, (row, col)))
        for row, col in clues:
            answer[row][col] = board[row][col]
        if not clues or len(clues) == rows * cols:
            continue
        row, col = rng.choice(clues)
        if rng.random() < 0.3 and (row in (0, rows - 1) or col in (0, cols - 1)):
            board[row][col] = "8"
            return board, None
        return board, answer


def hand_in(rng: random.Random, style: str) -> Handed:
    """A solution, a solution with one cell changed, a claim, or nothing."""
    board, answer = random_board(rng)
    luck = rng.random()
    if luck < 0.1:
        return Handed(board, rng.choice(GAVE_UP), None)
    if answer is None or luck < 0.2:
        return Handed(board, rng.choice(NO_SOLUTION), answer is None)
    hidden = oracles.hidden_places(board)
    if luck < 0.4:
        row, col = rng.choice(hidden)
        answer[row][col] = "G" if answer[row][col] == "T" else "T"
    is_right = oracles.is_solution(board, tuple(answer[row][col] == "T" for row, col in hidden))
    return Handed(board, STYLES[style](answer), is_right)


def cases_of(handed: list[Handed]) -> list[Case]:
    return [
        Case(f"testcase_{number}", number, frozenset({f"testcase{number}"}), grid_of(each.board))
        for number, each in enumerate(handed, 1)
    ]


def written(rng: random.Random, layout: str, handed: list[Handed], order: list[int]) -> dict[int | None, str]:
    """The text of each file, by the test case that it is named after."""
    if layout == "files":
        return {number: handed[number].text for number in order}
    headings = ["" for _ in handed]
    if layout == "headings":
        headings = [f"=== Testcase {number} ===\n" for number, _ in enumerate(handed, 1)]
    if layout == "boards":
        gap = rng.choice(["\n", "\n\n", "\nResult:\n"])
        headings = [joined(", ")(each.board) + gap for each in handed]
    between = rng.choice(["\n", "\n\n", "\n-----\n"])
    return {None: between.join(headings[number] + handed[number].text for number in order)}


@pytest.mark.parametrize("layout", ["nothing", "headings", "boards", "files"])
@pytest.mark.parametrize("seed", first_of(range(4)))
def test_no_answer_is_lost_or_marked_falsely(layout: str, seed: int) -> None:
    rng = random.Random(f"{layout} {seed}")
    for _ in range(25):
        style = rng.choice(sorted(STYLES))
        handed = [hand_in(rng, style) for _ in range(rng.randint(2, 6))]
        order = [number for number in range(len(handed)) if rng.random() < 0.9]
        if rng.random() < 0.3:
            rng.shuffle(order)
        cases, files = cases_of(handed), written(rng, layout, handed, order)
        found: list[CaseAnswer] = []
        for named, text in files.items():
            found += answers_by_case(text, cases, named, source="file")
        has_loose = any(each.case is None for each in found)
        whole = "\n".join(files.values())
        for number, each in enumerate(handed):
            own = [answer.section.answer for answer in found if answer.case == number]
            got = {Grader(cases[number].grid).grade(answer).mark for answer in own}
            is_right = each.is_right if number in order else None
            assert Grade.WRONG not in got or is_right is False, (whole, number)
            assert Grade.RIGHT not in got or is_right is True, (whole, number)
            assert got or has_loose or is_right is None, (whole, number)


@pytest.mark.parametrize("seed", range(4))
def test_solutions_in_files_of_other_names_are_graded_with_a_note(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        handed = [
            each for _ in range(6) if (each := hand_in(rng, "commas")).text not in (*GAVE_UP, *NO_SOLUTION)
        ]
        cases = cases_of(handed)
        for number, each in enumerate(handed):
            other = (number + 1) % len(handed)
            fitting = [n for n, case in enumerate(cases) if shows(each.text, case.grid)]
            if other in fitting or len(fitting) > 1:
                continue  # boards so small that one answer fits several
            (answer,) = answers_by_case(each.text, cases, other, source="file")
            assert answer.case == number
            assert f"though its file is named after testcase_{other + 1}" in answer.note
            mark = Grader(cases[number].grid).grade(answer.section.answer).mark
            assert mark == (Grade.RIGHT if each.is_right else Grade.WRONG)


def shows(text: str, grid: Grid) -> bool:
    """Whether a solution with commas shows all clues of a board."""
    rows = [line.split(", ") for line in text.splitlines()]
    given = [line.split(", ") for line in str(grid).splitlines()]
    is_size = [len(row) for row in rows] == [len(row) for row in given]
    return is_size and all(
        (clue == "_") == (mark in "TG") and clue in ("_", mark)
        for row, own in zip(rows, given, strict=True)
        for mark, clue in zip(row, own, strict=True)
    )
