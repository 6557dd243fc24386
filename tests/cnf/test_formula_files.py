"""DIMACS in: what is a formula, which clauses it has, and where it is wrong."""

import bz2
import gzip
import io
import lzma
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF

from gemhunter import Cnf, FormulaError, InputError, parse_formula, read_formula, write_dimacs
from gemhunter.cnf import dimacs as formula_files
from gemhunter.cnf.dimacs import is_formula
from strategies import formulas

TEXT = "p cnf 3 2\n1 -2 0\n3 0\n"
CLAUSES = [[1, -2], [3]]


@given(formulas())
def test_what_is_written_reads_back(cnf: Cnf) -> None:
    read = parse_formula(write_dimacs(cnf))
    assert (read.variables, read.clauses()) == (cnf.variables, cnf.clauses())


@given(formulas(), st.data())
def test_layout_comments_and_line_ends_do_not_matter(cnf: Cnf, data: st.DataObject) -> None:
    words = " ".join(word for clause in cnf.clauses() for word in (*map(str, clause), "0")).split()
    gaps = st.sampled_from([" ", "\n", "\r\n", "\t", "  \n\n", "\nc -1 0 comment\n", "\n  c\n", "\f", "\v"])
    body = "".join(word + data.draw(gaps) for word in words)
    head = data.draw(st.sampled_from(["", "c first\n", "\n \n", "c\r\nc p cnf 9 9\r\n"]))
    end = data.draw(st.sampled_from(["", "\n%\n0\n", "\n % anything at all\n1 2"]))
    text = f"{head}p  cnf\t{cnf.variables} {cnf.size} \r\n{body}{end}"
    assert parse_formula(text).clauses() == cnf.clauses()


@given(formulas())
def test_pysat_reads_the_same_clauses(cnf: Cnf) -> None:
    text = write_dimacs(cnf)
    assert parse_formula(text).clauses() == CNF(from_string=text).clauses


@given(st.text("pcnf 012-\n\t\r%x+", max_size=40))
def test_any_text_is_read_as_a_plain_reader_reads_it_or_refused(text: str) -> None:
    try:
        read = parse_formula(f"p cnf 2 2\n{text}")
    except FormulaError as error:
        assert error.fault.message.startswith(("expected", "the last clause is cut off"))
    else:
        kept = [line for line in text.split("\n") if not line.lstrip(" \t\r").startswith("c")]
        end = next((at for at, line in enumerate(kept) if line.lstrip(" \t\r").startswith("%")), len(kept))
        numbers = [int(word) for word in " ".join(kept[:end]).split()]
        assert [literal for clause in read.clauses() for literal in (*clause, 0)] == numbers


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 0, 0, "empty; expected the header `p cnf VARIABLES CLAUSES` and clauses that end in 0"),
        ("c only\n\n", 0, 0, "empty; expected the header"),
        ("c\n  p cnf 3\n", 2, 3, "expected the header `p cnf VARIABLES CLAUSES`, found 'p cnf 3'"),
        ("p wcnf 2 1\n1 0\n", 1, 1, "found 'p wcnf 2 1'"),
        ("cnf 3 1\n", 1, 1, "expected the header `p cnf VARIABLES CLAUSES`, found 'cnf 3 1'"),
        ("c\n cnf 3 1\n1 2 0\n", 2, 2, "expected the header `p cnf VARIABLES CLAUSES`, found 'cnf 3 1'"),
        ("cnf of a board\n", 0, 0, "empty; expected the header"),
        ("1 2 0\n", 1, 1, "expected the header `p cnf VARIABLES CLAUSES`, found '1 2 0'"),
        ("p cnf -1 0\n", 1, 1, "expected the header"),
        ("p cnf 3 1\n1 4 0\n", 2, 3, "expected a literal from -3 to 3, as the header says, found '4'"),
        ("p cnf 3 1\n\n 1 -4 0\n", 3, 4, "found '-4'"),
        ("p cnf 3 1\n1 99999999999999999999999 0\n", 2, 3, "found '99999999999999999999…'"),
        ("p cnf 3 1\n1 -99999999999999999999999 0\n", 2, 3, "found '-9999999999999999999…'"),
        ("p cnf 3 1\n1 a 0\n", 2, 3, "expected a literal or 0, found 'a'"),
        ("p cnf 3 1\n1 2.5 0\n", 2, 3, "expected a literal or 0, found '2.5'"),
        ("p cnf 3 1\n1 +2 0\n", 2, 3, "expected a literal or 0, found '+2'"),
        ("p cnf 3 1\n1-2 0\n", 2, 1, "expected a literal or 0, found '1-2'"),
        ("p cnf 3 1\n1 - 0\n", 2, 3, "expected a literal or 0, found '-'"),
        ("p cnf 3 1\n1 --2 0\n", 2, 3, "expected a literal or 0, found '--2'"),
        ("p cnf 3 1\n1 0 -", 2, 5, "expected a literal or 0, found '-'"),
        ("p cnf 3 1\np cnf 3 1\n1 0\n", 2, 1, "expected a literal or 0, found 'p'"),
        ("p cnf 3 2\n1 0\n2 3\n", 3, 3, "the last clause is cut off; expected a 0 at its end"),
        ("p cnf 3 2\n1 0\n", 1, 9, "expected 2 clauses, as the header says, found 1"),
        ("p cnf 3 1\n1 0 2 0\n", 1, 9, "expected 1 clause, as the header says, found 2"),
        ("p cnf 99999999999 0\n", 1, 7, "at most 100,000,000 variables are read, found 99,999,999,999"),
    ],
)
def test_a_fault_is_named_with_its_line_its_column_and_what_was_expected(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(FormulaError) as raised:
        parse_formula(text, source="f.cnf")
    fault = raised.value.fault
    assert (fault.line, fault.column) == (line, column)
    assert message in fault.message
    assert str(raised.value).startswith("f.cnf:")


def test_an_error_survives_another_process() -> None:
    with pytest.raises(FormulaError) as raised:
        parse_formula("x")
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (str(copied), copied.fault) == (str(raised.value), raised.value.fault)


def test_no_variable_of_a_formula_is_a_cell() -> None:
    read = parse_formula(TEXT)
    assert [read.cell(variable) for variable in (1, 2, 3)] == [None, None, None]


@pytest.mark.parametrize(
    "content",
    [TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.encode("utf-16"), b"c caf\xe9\n" + TEXT.encode()],
    ids=["ASCII", "UTF-8 with a mark", "UTF-16, as PowerShell redirects", "a comment in Latin-1"],
)
def test_bytes_are_read_in_every_usual_encoding(content: bytes) -> None:
    assert parse_formula(content).clauses() == CLAUSES


@pytest.mark.parametrize(
    ("suffix", "packed"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_unpacked(tmp_path: Path, suffix: str, packed: Any) -> None:
    path = tmp_path / f"f.cnf{suffix}"
    path.write_bytes(packed(TEXT.encode()))
    assert is_formula(path)
    assert read_formula(path).clauses() == CLAUSES
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormulaError, match=f"cannot be unpacked as a {suffix} file"):
        read_formula(path)
    path.write_bytes(TEXT.encode())
    with pytest.raises(FormulaError, match=f"cannot be unpacked as a {suffix} file"):
        read_formula(path)


def test_more_than_a_formula_may_have_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f.cnf.gz"
    path.write_bytes(gzip.compress(b"c" * 5000))
    monkeypatch.setattr(formula_files, "FORMULA_BYTES_LIMIT", 1000)
    with pytest.raises(FormulaError, match="too large to be a formula"):
        read_formula(path)


@pytest.mark.parametrize(
    ("name", "content", "is_one"),
    [
        ("a.cnf", "", True),
        ("A.CNF", "_, 1, _", True),
        ("a.dimacs", "", True),
        ("a.cnf.gz", "", True),
        ("a.txt", TEXT, True),
        ("a.txt", "\ufeff c a comment\n", True),
        ("a", "\n\nc\np cnf 1 0\n", True),
        ("a.txt", "cnf 3 1\n1 2 0\n", True),
        ("a.txt", "_, 1, _\n", False),
        ("a.txt", "", False),
        ("a.gz", "", False),
        ("cnf", "3_\n__\n", False),
    ],
)
def test_a_formula_is_known_by_its_name_or_its_first_line(
    tmp_path: Path, name: str, content: str, is_one: bool
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert is_formula(tmp_path / name) is is_one


@pytest.mark.parametrize(("text", "is_one"), [(TEXT, True), ("c\n" + TEXT, True), ("_, 1\n", False)])
def test_looking_at_standard_input_takes_nothing_from_it(
    monkeypatch: pytest.MonkeyPatch, text: str, is_one: bool
) -> None:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdin", stream)
    assert is_formula("-") is is_one
    assert sys.stdin.read() == text


def test_what_cannot_be_opened_is_refused_when_it_is_read(tmp_path: Path) -> None:
    assert not is_formula(tmp_path / "missing")
    with pytest.raises(InputError, match="no such file"):
        read_formula(tmp_path / "missing.cnf")
    with pytest.raises(InputError, match=r"(a folder|permission denied)"):
        read_formula(tmp_path)


def test_a_header_with_many_variables_takes_no_memory_for_each() -> None:
    read = parse_formula("p cnf 100000000 1\n1 0\n")
    assert (read.variables, read.cell_indexes.strides) == (100_000_000, (0,))


def test_a_clause_may_repeat_a_literal_or_hold_its_opposite() -> None:
    assert parse_formula("p cnf 2 3\n1 1 0 2 -2 0 0").clauses() == [[1, 1], [2, -2], []]
