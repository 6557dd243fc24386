"""Sentences: one small board for each rule, and on random boards every name that a sentence should have."""

import pytest

from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.explain import explain
from gemhunter.explanation.knowledge import Knowledge
from gemhunter.explanation.rules import RULES, sum_rule
from gemhunter.explanation.sentences import sentence
from gemhunter.files.text import parse_grid
from gemhunter.wording import joined
from random_grids import random_grids
from sentence_faults import sentence_faults, text_faults

SENTENCES = {
    ("one-clue", None, "_, 0"): "The 0 at r1c2 has no trap around it, so r1c1 is a gem.",
    ("one-clue", None, "T, 2, _"): (
        "The 2 at r1c2 still needs one trap, and r1c3 is its only hidden neighbour, so r1c3 is a trap."
    ),
    ("one-clue", None, "_, 2, _"): (
        "The 2 at r1c2 needs two traps, and r1c1 and r1c3 are its only hidden neighbours, so both are traps."
    ),
    ("one-clue", None, "T, 1, _"): "The 1 at r1c2 already has its trap, so r1c3 is a gem.",
    ("total-reached", 0, "_"): "The board has no traps, so r1c1 is a gem.",
    ("total-reached", 1, "_, T"): "The only trap on the board is known, so r1c1 is a gem.",
    ("total-reached", 2, "T, _, _, T"): "Both traps on the board are known, so r1c2 and r1c3 are gems.",
    ("total-reached", 2, "_, G, _"): (
        "Only two hidden cells are left for the last two traps, so r1c1 and r1c3 are traps."
    ),
    ("1-1", None, "G, _, _\n_, 1, 1"): (
        "Every hidden neighbour of the 1 at r2c3 is also next to the 1 at r2c2. Both need one trap, so "
        "r2c1, the other hidden neighbour of the second, is a gem."
    ),
    ("1-2", None, "1, 2, _\n_, _, G"): (
        "Every hidden neighbour of the 1 at r1c1 is also next to the 2 at r1c2. The first needs one trap "
        "and the second two, so r1c3, the other hidden neighbour of the second, is a trap."
    ),
    ("1-2-1", None, "_, 1\n_, 2\n_, 1"): (
        "The clues at r1c2, r2c2 and r3c2 stand side by side and need 1, 2 and 1 traps: the pattern "
        "1-2-1. So r1c1 and r3c1 are traps, and r2c1 is a gem."
    ),
    ("1-2-2-1", None, "1, _\n2, _\n2, _\n1, _"): (
        "The clues at r1c1, r2c1, r3c1 and r4c1 stand side by side and need 1, 2, 2 and 1 traps: the "
        "pattern 1-2-2-1. So r2c2 and r3c2 are traps, and r1c2 and r4c2 are gems."
    ),
    ("subset", None, "1, _, 1\nG, _, _"): (
        "Every hidden neighbour of the 1 at r1c1 is also next to the 1 at r1c3. Both need one trap, so "
        "r2c3, the other hidden neighbour of the second, is a gem."
    ),
    ("overlap", None, "_, 2\n_, _\n_, 1"): (
        "The 2 at r1c2 needs two traps, and it shares r2c1 and r2c2 with the 1 at r3c2, which needs only "
        "one. So r1c1 is a trap, and r3c1, the other hidden neighbour of the 1 at r3c2, is a gem."
    ),
    ("several-clues", None, "1, _, _, 1\n_, 2, _, _"): (
        "Subtract the traps that the 2 at r2c2 still needs from those of the 1 at r1c4 and the 1 at r1c1: "
        "no trap is left for r2c4, so r2c4 is a gem."
    ),
    ("total", 2, "G, _, _\n_, G, 1"): (
        "The 1 at r2c3 needs one of the two traps that are left. The other one must be in the only other "
        "hidden cell, so r2c1 is a trap."
    ),
    ("total", 2, "1, _, _, _, 1\nG, _, _, _, G"): (
        "The 1 at r1c1 and the 1 at r1c5 share no hidden cell and need both traps that are left, so r1c3 "
        "and r2c3 are gems."
    ),
    ("what-if", None, "G, 1, _\n_, G, 1\n_, 1, _"): (
        "If r1c3 were a gem, the 1 at r3c2 could not hold, so r1c3 is a trap."
    ),
    ("case-split", 3, "_, _, G, G\n1, G, 2, _\n_, G, _, _"): (
        "The 2 at r2c3 needs two traps, so there are six ways to fill r1c2, r2c4, r3c3 and r3c4. "
        "Whichever is right, r1c2 is a gem."
    ),
    ("clue-set", 3, "G, _, 2, G\n2, _, _, _\n_, 2, _, _"): (
        "If r3c4 were a trap, the 2 at r1c3, the 2 at r2c1, the 2 at r3c2 and the total of 3 could not "
        "all hold, so r3c4 is a gem."
    ),
}
"""The sentence of the first step by its rule, total and board."""


@pytest.mark.parametrize(("rule", "total", "text"), SENTENCES)
def test_the_sentence_of_a_rule(rule: str, total: int | None, text: str) -> None:
    step = explain(parse_grid(text), total=total).steps[0]
    assert (step.rule.name, step.sentence) == (rule, SENTENCES[rule, total, text])


def test_a_sum_says_which_cells_count_twice() -> None:
    known = Knowledge(read_puzzle(parse_grid("_, 2, _, 2, _")))
    found = sum_rule(known, (0, 1), ())
    assert found is not None
    assert sentence(known, found) == (
        "Add up the traps that the 2 at r1c2 and the 2 at r1c4 still need: the number of traps in r1c1, r1c3 "
        "(counted twice) and r1c5 is 4. That is the most it can be, so r1c1, r1c3 and r1c5 are traps."
    )


def test_every_rule_has_a_board() -> None:
    assert {rule for rule, *_ in SENTENCES} == RULES.keys()


def test_a_supposition_is_played_out_clue_by_clue() -> None:
    step = explain(parse_grid("G, 1, _\n_, G, 1\n_, 1, _")).steps[0]
    assert [(thought.depth, thought.sentence) for thought in step.thoughts] == [
        (0, "Suppose that r1c3 is a gem."),
        (1, "By the 1 at r1c2, r2c1 is a trap."),
        (1, "By the 1 at r2c3, r3c3 is a trap."),
        (1, "The 1 at r3c2 cannot hold: one trap too many around it."),
    ]


def test_sentences_name_the_clues_and_cells_of_their_steps() -> None:
    for grid, total in random_grids(5, 150, rows=9, cols=12):
        found = explain(grid, total=total)
        for step in found.steps:
            assert list(sentence_faults(grid, step)) == [], step.sentence
        if found.conflict is not None:
            assert list(text_faults(found.conflict.sentence)) == []


def test_of_many_cells_a_sentence_names_some_and_counts_the_others() -> None:
    row = ", ".join("_" * 20)
    (step,) = explain(parse_grid(row), total=0).steps
    assert step.sentence.endswith("r1c10, r1c11 and 9 other cells are gems.")


def test_a_conflict_ends_with_the_clue_that_cannot_hold() -> None:
    conflict = explain(parse_grid("1, _, 2")).conflict
    assert conflict is not None
    assert conflict.sentence == (
        "The 2 at r1c3 cannot hold: it still needs two traps, and only one hidden cell is left around it."
    )


PAIR = "1, _, _, _, 1\n_, _, _, _, _"
SHARE = "The 1 at r1c1 and the 1 at r1c5 share no hidden cell and need"
REST = "The other two must be in the two other hidden cells"


@pytest.mark.parametrize(
    ("board", "total", "sentence"),
    [
        ("_, 1, _, _", 1, "The 1 at r1c2 needs the only trap that is left, so r1c4 is a gem."),
        ("2, _, _\n_, _, _", 2, "The 2 at r1c1 needs both traps that are left, so r1c3 and r2c3 are gems."),
        (PAIR, 2, f"{SHARE} both traps that are left, so r1c3 and r2c3 are gems."),
        (PAIR, 4, f"{SHARE} two of the four traps that are left. {REST}, so r1c3 and r2c3 are traps."),
    ],
)
def test_the_total_and_clues_in_words(board: str, total: int, sentence: str) -> None:
    step = explain(parse_grid(board), total=total).steps[0]
    assert (step.rule.name, step.sentence) == ("total", sentence)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b", "c"], "a, b and c"),
        (["a"] * 12, ", ".join(["a"] * 11) + " and a"),
        (["a"] * 13, ", ".join(["a"] * 11) + " and 2 others"),
    ],
)
def test_many_names_are_counted_and_none_are_an_empty_text(names: list[str], text: str) -> None:
    assert joined(names) == text
