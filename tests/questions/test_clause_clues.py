"""Clauses are followed back to their clues: in traces, and in the comments of a formula."""

import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from pysat.formula import CNF

from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.accounts import clause_comments, with_comments
from gemhunter.cnf.dimacs import parse_formula, write_dimacs
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.files.text import parse_grid
from gemhunter.questions.trace import CellNames, trace
from strategies import CODES, Planted, planted_boards

POSITION = parse_grid("_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0")
SAMPLE = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")


def clauses_by_clue(grid: Grid) -> dict[str, set[frozenset[str]]]:
    """What each clue says, from the definition: of any k+1 cells one is a gem, of any n-k+1 one is a trap."""
    said = {}
    for row in range(grid.rows):
        for col in range(grid.cols):
            clue = grid[row, col]
            if clue < 0:
                continue
            around = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
            near = [place for place in around if 0 <= place[0] < grid.rows and 0 <= place[1] < grid.cols]
            codes = {place: grid[place] for place in near}
            hidden = [f"r{r + 1}c{c + 1}" for (r, c), code in codes.items() if code == CODES["_"]]
            k = clue - sum(code == CODES["T"] for code in codes.values())
            upper = combinations([f"{cell}=G" for cell in hidden], k + 1)
            lower = combinations([f"{cell}=T" for cell in hidden], len(hidden) - k + 1)
            said[f"clue {clue} at r{row + 1}c{col + 1}"] = {*map(frozenset, [*upper, *lower])}
    return said


@given(planted_boards(rows=4, cols=5))
def test_every_clause_of_a_board_is_followed_to_the_first_clue_that_says_it(planted: Planted) -> None:
    grid = planted.grid
    puzzle, said = read_puzzle(grid), clauses_by_clue(grid)
    names = CellNames(grid, puzzle)
    for clause in encode(grid).clauses():
        named = frozenset(map(names.literal, clause))
        assert names.origin(tuple(clause)) == next(clue for clue, clauses in said.items() if named in clauses)


@pytest.mark.parametrize("clause", [(1, -2), (), (1, 2, 3, 4, 5, 6, 7)])
def test_a_clause_that_no_clue_says_has_no_clue(clause: tuple[int, ...]) -> None:
    assert CellNames(SAMPLE, read_puzzle(SAMPLE)).region_of(clause) is None


def test_clauses_of_a_total_come_from_the_total() -> None:
    puzzle = read_puzzle(parse_grid("_, _, _"), 1)
    names = CellNames(puzzle.grid, puzzle)
    assert (names.origin((1, 2, 3)), names.origin((9, 2))) == ("total", "total")


def test_a_shown_cell_is_the_origin_of_its_unit_clause() -> None:
    steps = trace(parse_grid("1, _"), "backtracking:clauses")
    assert next(step.sentence for step in steps if "shown" in step.sentence) == (
        "conflict: r1c1=G (cell r1c1, which is shown) is false"
    )


def test_a_learned_clause_has_no_clue() -> None:
    steps = list(trace(POSITION, "cdcl", total=3))
    learned = next(step.record["clause"] for step in steps if step.record["event"] == "learn")
    implied = next(step for step in steps if step.record.get("clause") == learned and "clue" in step.record)
    assert implied.record["clue"] is None
    assert "(" not in implied.sentence


@pytest.mark.parametrize("variables", ["hidden", "all"])
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_comments_change_no_clause(variables: str, keep: bool, encoding: str) -> None:
    how: dict[str, Any] = {"encoding": encoding, "variables": variables, "keep_duplicates": keep, "total": 3}
    formula = encode(POSITION, **how)
    text = with_comments(write_dimacs(formula), clause_comments(POSITION, **how))
    assert parse_formula(text.encode()).clauses() == formula.clauses()
    assert CNF(from_string=text).clauses == formula.clauses()
    assert re.findall(r"^c clue \d at (\S+):", text, re.M) == ["r1c2", "r2c2", "r2c4", "r4c3", "r4c4"]


@given(planted_boards(rows=4, cols=5))
def test_every_clause_stands_below_a_clue_that_says_it(planted: Planted) -> None:
    grid = planted.grid
    formula, said = encode(grid), clauses_by_clue(grid)
    names = CellNames(grid, read_puzzle(grid))
    clue = ""
    for line in (
        with_comments(write_dimacs(formula), clause_comments(grid)).partition("\np cnf")[2].splitlines()[1:]
    ):
        if line.startswith("c "):
            clue = line[2:].partition(":")[0]
        else:
            assert frozenset(names.literal(int(word)) for word in line.split()[:-1]) in said[clue]


def test_a_clue_whose_clauses_have_all_occurred_says_so() -> None:
    grid = parse_grid("_, _\n1, 1")
    assert clause_comments(grid) == {
        0: ["clue 1 at r2c1: 1 of 2 unknown cells is a trap: r1c1 r1c2"],
        2: [
            "clue 1 at r2c2: 1 of 2 unknown cells is a trap: r1c1 r1c2; all its clauses already appear above"
        ],
    }


def test_comments_tell_shown_and_untouched_cells_apart() -> None:
    grid = parse_grid("1, _, _, _")
    assert clause_comments(grid, variables="all", untouched="units") == {
        0: ["cells that are shown: a trap is true, all others are false"],
        1: ["clue 1 at r1c1: 1 of 1 unknown cell is a trap: r1c2"],
        2: ["unknown cells that no clue touches: they are gems"],
    }
