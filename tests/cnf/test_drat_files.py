"""Proofs as files: text and binary, ordinary and odd, and faults with their places."""

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drat_oracle import Step
from gemhunter.cnf import drat
from gemhunter.cnf.drat import place_of_step, read_drat, write_drat
from gemhunter.errors import ProofError
from proof_steps import proof_of, steps_of

LITERALS = st.integers(1, 2**31 - 1).flatmap(lambda variable: st.sampled_from([variable, -variable]))
STEPS = st.lists(st.tuples(st.booleans(), st.lists(LITERALS | st.integers(1, 9), max_size=5)), max_size=8)


def binary(steps: Sequence[Step]) -> bytes:
    """The steps in the binary format, written byte by byte."""
    content = bytearray()
    for deletes, clause in steps:
        content += b"d" if deletes else b"a"
        for literal in clause:
            number = 2 * abs(literal) + (literal < 0)
            while number > 127:
                content.append(number % 128 + 128)
                number //= 128
            content.append(number)
        content.append(0)
    return bytes(content)


@given(STEPS)
def test_what_is_written_is_read_back(steps: list[Step]) -> None:
    text = write_drat(proof_of(steps))
    assert text.count("\n") == len(steps)
    assert steps_of(read_drat(text.encode())) == steps
    assert drat._read_by_arrays(text.encode()) is not None or not steps


@given(STEPS)
def test_binary_files_are_read(steps: list[Step]) -> None:
    assert steps_of(read_drat(binary(steps))) == steps


@given(STEPS, st.integers(0, 100), st.sampled_from([b"", b"d", b" ", b"-", b"0", b"\n", b"1", b"x", b"d "]))
def test_the_two_readers_of_text_agree(steps: list[Step], place: int, inserted: bytes) -> None:
    text = write_drat(proof_of(steps)).encode()
    text = text[:place] + inserted + text[place:]
    if drat.is_binary(text):
        return
    quick = drat._read_by_arrays(text)
    try:
        careful = steps_of(drat._read_by_words(text, "proof"))
    except ProofError:
        assert quick is None
    else:
        assert quick is None or steps_of(quick) == careful


def test_text_is_written_one_step_per_line() -> None:
    assert write_drat(proof_of([(False, [10, -2]), (True, [30]), (False, [])])) == "10 -2 0\nd 30 0\n0\n"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"c only a comment\n", []),
        (b"0", [(False, [])]),
        (b"c comment\n1 0\nc d 2 0\n  d 2 0\n", [(False, [1]), (True, [2])]),
        (b"1\n2 0 d 3\n 0\r\n", [(False, [1, 2]), (True, [3])]),
        (b"\t1 \t-2  0 \r\n", [(False, [1, -2])]),
        (b"d 0\n", [(True, [])]),
    ],
)
def test_unusual_text_is_read(text: bytes, steps: list[Step]) -> None:
    assert steps_of(read_drat(text)) == steps


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"1 0\n2 x 0\n", "line 2: expected a literal or 0, found 'x'"),
        (b"1 0\n\nx 0\n", "line 3: expected `d`, a literal or 0, found 'x'"),
        (b"1 0\n2 3\n", "line 2: the last step is cut off; expected a 0 at its end"),
        (b"1 0\nd\n", "line 2: the last step is cut off"),
        (b"1 d 2 0\n", "line 1: expected a literal or 0, found 'd'"),
        (b"d d 2 0\n", "line 1: expected a literal or 0, found 'd'"),
        (b"1 2147483648 0\n", "line 1: expected a literal or 0, found '2147483648'"),
        (b"1 99999999999999999999 0\n", "line 1: expected a literal or 0, found '99999999999999999999'"),
        (b"1 - 0\n", "found '-'"),
        (b"1-2 0\n", "found '1-2'"),
        (b"1 +2 0\n", "found '[+]2'"),
        (b"p cnf 3 2\n1 0\n", "line 1: .*found 'p'"),
        ("１ 0\n".encode(), "line 1"),
        (b"a\x02\x00b\x02\x00", "offset 3: expected `a` or `d`, found the byte 0x62"),
        (b"a\x02\x00a\x02", "offset 5: the last step is cut off; expected a zero byte"),
        (b"a", "offset 1: the last step is cut off"),
        (b"d\x02\x04", "offset 3: the last step is cut off"),
        (b"a\x82\x00", "offset 1: a number is cut off"),
        (b"a\x02\x01\x00", "offset 2: a number that is not a literal; expected 2 or more"),
        (b"a\xff\xff\xff\xff\x7f\x00", "offset 1: a number that is not a literal"),
        (b"a\x82\x82\x82\x82\x82\x82\x01\x00", "offset 1: a number that is not a literal"),
    ],
)
def test_a_fault_is_named_with_its_place(text: bytes, message: str) -> None:
    with pytest.raises(ProofError, match=f"^steps[.]drat: .*{message}"):
        read_drat(text, "steps.drat")


def test_an_error_survives_a_change_of_process() -> None:
    with pytest.raises(ProofError) as caught:
        read_drat(b"x")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("text", "step", "place"),
    [
        (b"1 0\n2 0\n", 2, "line 2"),
        (b"c first\n1\n0 2\n3 0\nd 4 0", 2, "line 3"),
        (b"c first\n1\n0 2\n3 0\nd 4 0", 3, "line 5"),
        (b"a\x02\x00a\x02\x00d\x02\x00", 1, "offset 0"),
        (b"a\x02\x00a\x02\x00d\x02\x00", 3, "offset 6"),
    ],
)
def test_a_step_is_found_in_its_file(text: bytes, step: int, place: str) -> None:
    assert place_of_step(text, step) == place
