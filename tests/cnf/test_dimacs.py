"""DIMACS out, and what solvers print back in."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from pysat.formula import CNF

import oracles
from gemhunter.cnf import dimacs
from gemhunter.cnf.dimacs import SolverOutput, decode_model, parse_output, write_dimacs
from gemhunter.cnf.encode import Numbering, encode
from gemhunter.errors import ModelError
from gemhunter.files.text import parse_grid
from strategies import Planted, small_boards

BOARD = parse_grid("_, 1, _\n2, T, _")


def seen(output: SolverOutput) -> tuple[str | None, list[int]]:
    """Status and literals."""
    return output.status, output.model.tolist()


def test_a_formula_is_written_with_its_cells_its_size_and_its_clauses() -> None:
    assert write_dimacs(encode(BOARD)) == "\n".join(
        ["c 1 r1c1", "c 2 r1c3", "c 3 r2c3", "p cnf 3 4", "-1 0", "-2 0", "-3 0", "1 0", ""]
    )


@given(small_boards())
@settings(max_examples=50)
def test_blocks_put_together_are_the_whole_formula(planted: Planted) -> None:
    cnf = encode(planted.grid)
    lines = [" ".join(map(str, [*clause, 0])) for clause in cnf.clauses()]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dimacs, "BLOCK_CLAUSES", 3)
        blocks = list(dimacs.dimacs_blocks(cnf))
    assert len(blocks) == 3 + -(-cnf.size // 3)
    text = b"".join(blocks).decode()
    assert text.partition("p cnf")[2].splitlines()[1:] == lines
    assert text == write_dimacs(cnf)


def test_a_formula_of_nothing_is_written() -> None:
    assert write_dimacs(encode(parse_grid("1"))) == "p cnf 0 1\n0\n"


def test_comments_come_first() -> None:
    assert write_dimacs(encode(parse_grid("_")), ("a board", "of one cell")).split("\n") == [
        "c a board",
        "c of one cell",
        "c 1 r1c1",
        "p cnf 1 0",
        "",
    ]


def test_the_empty_clause_is_a_line_of_its_own() -> None:
    assert write_dimacs(encode(parse_grid("2, _"))).split("\n")[-3:] == ["p cnf 1 1", "0", ""]


def test_with_all_cells_numbered_every_cell_is_named() -> None:
    text = write_dimacs(encode(BOARD, variables="all"))
    cells = ["c 1 r1c1", "c 2 r1c2", "c 3 r1c3", "c 4 r2c1", "c 5 r2c2", "c 6 r2c3"]
    assert text.split("\n")[:7] == [*cells, "p cnf 6 7"]


def test_auxiliary_variables_are_counted_but_not_named() -> None:
    cnf = encode(parse_grid("_, 1, _\n_, _, _"), "seqcounter")
    lines = write_dimacs(cnf).split("\n")
    assert sum(line.startswith("c ") for line in lines) == 5
    assert f"p cnf {cnf.variables} {cnf.size}" in lines


@pytest.mark.parametrize("encoding", ["binomial", "totalizer"])
@given(planted=small_boards())
def test_pysat_reads_the_same_clauses_back(encoding: str, planted: Planted) -> None:
    cnf = encode(planted.grid, encoding, total=planted.traps)
    assert CNF(from_string=write_dimacs(cnf)).clauses == cnf.clauses()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("s SATISFIABLE\nv 1 -2 3 0\n", id="one v line"),
        pytest.param("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\nc bye\n", id="several v lines"),
        pytest.param("v 1 -2 3 0\ns SATISFIABLE\n", id="model first"),
        pytest.param("c 12 4\n\n s SATISFIABLE \n v 1 -2 3 0 \r\n", id="blanks"),
        pytest.param("SAT\n1 -2 3 0\n", id="MiniSat's result file"),
        pytest.param("SATISFIABLE\nv 1 -2 3\nv 0\n", id="status without s"),
    ],
)
def test_a_model_is_found_however_it_is_printed(text: str) -> None:
    assert seen(parse_output(text)) == ("satisfiable", [1, -2, 3])


def test_bare_literals_are_a_model_without_a_status() -> None:
    assert seen(parse_output("1 -2\n+3 0\n")) == (None, [1, -2, 3])


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("s UNSATISFIABLE\n", "unsatisfiable"),
        ("UNSAT\n", "unsatisfiable"),
        ("s UNKNOWN\n", "unknown"),
        ("INDETERMINATE\n", "unknown"),
        ("c nothing\n", None),
        ("", None),
        ("Segmentation fault (core dumped)\n", None),
        ("restarts : 12\nCPU time : 0.1 s\n", None),
    ],
)
def test_the_status_is_what_the_solver_said(text: str, status: str | None) -> None:
    assert seen(parse_output(text)) == (status, [])


@pytest.mark.parametrize("text", ["s SATISFIABLE\nv 1 x 0\n", "v 1 2.5 0\n", "v 99999999999999999999 0\n"])
def test_a_model_of_something_else_than_literals_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="`v` line"):
        parse_output(text)


def test_a_long_line_that_is_almost_a_number_does_not_take_forever() -> None:
    code = "from gemhunter.cnf.dimacs import parse_output; parse_output('1' * 60 + 'x')"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=10)


@pytest.mark.parametrize(
    ("variables", "model", "filled"),
    [
        ("hidden", [1, -2, 3], "T, 1, G\n2, T, T"),
        ("all", [1, -2, -3, -4, 5, 6], "T, 1, G\n2, T, T"),
        ("hidden", [3], "G, 1, G\n2, T, T"),
        ("hidden", [1, -2, 3, 4, -5, 900], "T, 1, G\n2, T, T"),
    ],
    ids=["hidden", "all", "cells left out", "auxiliary variables"],
)
def test_a_model_becomes_a_filled_grid(variables: Numbering, model: list[int], filled: str) -> None:
    assert str(decode_model(BOARD, np.array(model), variables).fill(BOARD)) == filled


@pytest.mark.parametrize("variables", ["hidden", "all"])
@settings(max_examples=30)
@given(planted=small_boards())
def test_every_model_decodes_to_a_solution(variables: Numbering, planted: Planted) -> None:
    cnf = encode(planted.grid, variables=variables, total=planted.traps)
    cells = range(1, int(np.count_nonzero(cnf.cell_indexes >= 0)) + 1)
    for model in oracles.projected_models(cnf.clauses(), cells):
        literals = np.array([cell if true else -cell for cell, true in enumerate(model, 1)], np.int64)
        assignment = tuple(decode_model(planted.grid, literals, variables).traps.tolist())
        assert oracles.is_solution(oracles.marks_of(planted.grid), assignment, planted.traps)
