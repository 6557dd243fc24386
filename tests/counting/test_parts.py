"""Taking a board apart decides all that pairs of clues decide and nothing else, and splits the rest."""

import subprocess
import sys
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings

import oracles
from compiled import needs_compiler, output_either_way
from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import Cell, Grid
from gemhunter.counting.parts import ConflictingClues, Parts, TakenApart, take_apart
from gemhunter.counting.propagate import CELLS_FOLLOWED, PAIRS_COMPARED
from gemhunter.files.text import parse_grid
from strategies import Planted, any_grids, grid_of, planted_boards, small_boards

Place = tuple[int, int]
Region = tuple[frozenset[Place], int]


def apart(grid: Grid) -> TakenApart:
    """A board whose clues do not conflict, taken apart."""
    found = take_apart(grid)
    assert isinstance(found, TakenApart)
    return found


def regions(marks: oracles.Marks) -> list[Region]:
    """The hidden cells next to each clue, and how many of them are traps."""
    return [
        (
            frozenset(near for near in oracles.neighbours(marks, place) if marks[near[0]][near[1]] == "_"),
            int(marks[place[0]][place[1]]) - oracles.traps_around(marks, place),
        )
        for place in oracles.places(marks)
        if marks[place[0]][place[1]].isdigit()
    ]


def propagated(marks: oracles.Marks) -> oracles.Marks | None:
    """Fill in what one or two clues decide, by trying all numbers of traps; None at a conflict."""
    while True:
        found: dict[Place, str] = {}
        for (one, needed), (other, wanted) in product(regions(marks), repeat=2):
            parts = [one & other, one - other, other - one]
            sums = [
                counts
                for counts in product(*(range(len(part) + 1) for part in parts))
                if (counts[0] + counts[1], counts[0] + counts[2]) == (needed, wanted)
            ]
            if not sums:
                return None
            for index, part in enumerate(parts):
                traps = {counts[index] for counts in sums}
                if traps in ({0}, {len(part)}):
                    found |= dict.fromkeys(part, "G" if traps == {0} else "T")
        if not found:
            return marks
        marks = [list(row) for row in marks]
        for (row, col), mark in found.items():
            marks[row][col] = mark


def opened(found: TakenApart) -> oracles.Marks:
    """The marks of a board taken apart, with its original clues."""
    marks, given = oracles.marks_of(Grid(found.codes)), oracles.marks_of(found.grid)
    return [
        [old if old.isdigit() else new for old, new in zip(*rows, strict=True)]
        for rows in zip(given, marks, strict=True)
    ]


@given(any_grids(rows=5, cols=6))
def test_all_that_pairs_of_clues_decide_is_decided_and_nothing_else(grid: Grid) -> None:
    found, expected = take_apart(grid), propagated(oracles.marks_of(grid))
    if isinstance(found, ConflictingClues):
        assert expected is None
    else:
        assert opened(found) == expected


@settings(max_examples=40)
@given(planted_boards(rows=7, cols=9))
def test_planted_boards_are_propagated_as_plain_loops_do(planted: Planted) -> None:
    found = apart(planted.grid)
    assert opened(found) == propagated(oracles.marks_of(planted.grid))


@given(small_boards(rows=4, cols=6, most_hidden=10))
def test_a_cell_is_decided_only_if_all_solutions_agree(planted: Planted) -> None:
    found, solutions = take_apart(planted.grid), oracles.all_solutions(planted.grid)
    if isinstance(found, ConflictingClues):
        assert not solutions
        return
    codes = found.codes[planted.grid.cells == -1]
    for index, code in enumerate(codes.tolist()):
        assert code == -1 or {assignment[index] for assignment in solutions} <= {code == -2}


@given(any_grids(rows=6, cols=5))
def test_conflicting_clues_have_no_solution(grid: Grid) -> None:
    found = take_apart(grid)
    if isinstance(found, ConflictingClues):
        marks = oracles.marks_of(grid)
        for row, col in oracles.places(marks):
            if marks[row][col].isdigit() and (row, col) not in found.clues:
                marks[row][col] = "G"
        clauses = oracles.binomial_clauses(grid_of(marks), "hidden")
        assert not oracles.projected_models(clauses, [])


def as_lists(parts: Parts) -> list[tuple[list[list[int]], list[tuple[int, list[int], int]]]]:
    """The groups of cells of each part, and its clues: index, groups counted from 0, and need."""
    found = []
    for p in range(parts.part_groups.size - 1):
        first = int(parts.part_groups[p])
        groups = [
            parts.group_cells[parts.group_starts[g] : parts.group_starts[g + 1]].tolist()
            for g in range(first, parts.part_groups[p + 1])
        ]
        clues = [
            (
                int(parts.clue_indices[c]),
                (parts.clue_groups[parts.clue_starts[c] : parts.clue_starts[c + 1]] - first).tolist(),
                int(parts.need[c]),
            )
            for c in range(parts.part_clues[p], parts.part_clues[p + 1])
        ]
        found.append((groups, clues))
    return found


def expected_parts(found: TakenApart) -> list[tuple[list[list[int]], list[tuple[int, list[int], int]]]]:
    """What `as_lists` must return, computed by plain loops from the cells that are still hidden."""
    marks, cols = oracles.marks_of(Grid(found.codes)), found.grid.cols
    clues: dict[frozenset[int], tuple[int, int]] = {}
    for place in oracles.places(marks):
        if marks[place[0]][place[1]].isdigit():
            near = oracles.neighbours(marks, place)
            cells = frozenset(r * cols + c for r, c in near if marks[r][c] == "_")
            need = int(marks[place[0]][place[1]]) - oracles.traps_around(marks, place)
            clues.setdefault(cells, (place[0] * cols + place[1], need))
    components = [set(cells) for cells in clues]
    while pair := next(((a, b) for a, b in combinations(components, 2) if a & b), None):
        components.remove(pair[1])
        pair[0].update(pair[1])
    answer = []
    for component in sorted(components, key=min):
        mine = {cells: clue for cells, clue in clues.items() if cells <= component}
        touching = {cell: frozenset(cells for cells in mine if cell in cells) for cell in sorted(component)}
        kinds = list(dict.fromkeys(touching.values()))
        groups = [[cell for cell in touching if touching[cell] == kind] for kind in kinds]
        rows = [
            (place, [g for g, group in enumerate(groups) if group[0] in cells], need)
            for cells, (place, need) in sorted(mine.items(), key=lambda item: item[1])
        ]
        answer.append((groups, rows))
    return answer


@given(planted_boards(rows=9, cols=12))
def test_parts_are_laid_out_as_promised(planted: Planted) -> None:
    found = apart(planted.grid)
    assert as_lists(found.parts) == expected_parts(found)


def test_a_clue_with_the_cells_of_another_is_left_out() -> None:
    found = apart(parse_grid("G, 1, _, G\nG, 1, _, G"))
    assert found.parts.clue_indices.tolist() == [1]


def test_two_clues_with_the_same_cells_and_other_needs_conflict() -> None:
    assert take_apart(parse_grid("G, _, G\n1, _, 2\nG, _, G")) == ConflictingClues((Cell(1, 0), Cell(1, 2)))


def test_a_conflict_names_the_clues_on_its_chain_of_reasons_and_no_others() -> None:
    found = take_apart(parse_grid("0, _, 1, _, 1, _, 1, G, _, 1"))
    assert found == ConflictingClues(tuple(Cell(0, col) for col in (0, 2, 4, 6)))


def test_the_clues_behind_a_cell_include_the_one_that_decided_it() -> None:
    found = apart(parse_grid("1, _, 2, _, _, G\nG, G, G, G, 2, _"))
    assert set(found.behind(np.array([2])).tolist()) >= {0, 2}


@pytest.mark.parametrize(("density", "shown"), [(0.2, 0.5), (0.4, 0.4)])
def test_steps_grow_in_proportion_to_the_board(density: float, shown: float) -> None:
    random = np.random.default_rng(5)
    steps = []
    for side in (60, 240):
        traps = random.random((side, side + 7)) < density
        numbers = apart(grid_from_traps(traps, random.random(traps.shape) < shown)).board.numbers
        steps.append(int(numbers[CELLS_FOLLOWED] + numbers[PAIRS_COMPARED]) / traps.size)
    assert 0.8 < steps[1] / steps[0] < 1.25


PROGRAM = """
import numpy as np
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.board import grid_from_traps
from gemhunter.counting.parts import ConflictingClues, take_apart
random = np.random.default_rng(3)
for number in range(20):
    traps = random.random((6, 9)) < 0.3
    grid = grid_from_traps(traps, random.random(traps.shape) < 0.5)
    codes = grid.cells.copy()
    if number % 3 == 0:
        codes.ravel()[np.flatnonzero(codes >= 0)[number % 5]] = 3
    found = take_apart(Grid(codes))
    if isinstance(found, ConflictingClues):
        print(found)
    else:
        print(found.codes.tolist(), [array.tolist() for array in found.parts])
        print(found.behind(found.parts.clue_indices).tolist())
"""


def test_kernels_do_the_same_compiled_and_uncompiled() -> None:
    assert "ConflictingClues" in output_either_way(PROGRAM)


INTERRUPTED = """
import signal, time
import numpy as np
from gemhunter.board.board import grid_from_traps
from gemhunter.counting.plan import plan_board
from gemhunter.counting.parts import take_apart
random = np.random.default_rng(1)
signal.signal(signal.SIGALRM, signal.default_int_handler)

def interrupt(call, *arguments):
    call(*arguments)
    began = time.perf_counter()
    call(*arguments)
    seconds = time.perf_counter() - began
    for share in (0.2, 0.4, 0.6, 0.8):
        try:
            # It is sent again, because a KeyboardInterrupt within a destructor is lost.
            signal.setitimer(signal.ITIMER_REAL, share * seconds, 1.0 + seconds)
            call(*arguments)
            signal.pause()
        except KeyboardInterrupt:
            print("interrupted")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

traps = random.random((500, 700)) < 0.2
grid = grid_from_traps(traps, random.random(traps.shape) < 0.5)
interrupt(take_apart, grid)
interrupt(plan_board, grid)
"""


@needs_compiler
def test_ctrl_c_while_a_board_is_taken_apart_does_no_harm() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=60
    )
    assert (finished.returncode, finished.stdout.split()) == (0, ["interrupted"] * 8)
