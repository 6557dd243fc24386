"""Explanations in words: numbers, cells and clues, lines of thought, and a sentence for each kind of step."""

from collections.abc import Callable, Collection, Iterable, Iterator

from gemhunter.explanation import rules
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.explanation.rules import THE_TOTAL, Deduction, Line, Rule, coefficients
from gemhunter.explanation.steps import ExplanationStep, Thought
from gemhunter.wording import are, capital, joined, number_word, traps_text

# Numbers, lists, cells and clues in words, for sentences about deductions.


def cells_text(known: Knowledge, cells: Iterable[int]) -> str:
    """`r1c1, r1c2 and r2c1`."""
    return joined([str(name) for name in known.names(cells)], "other cells")


def clue_text(known: Knowledge, region: int) -> str:
    """`the 2 at r3c4`, or `the total`."""
    if region == THE_TOTAL:
        return "the total"
    return f"the {known.clue_number(region)} at {known.clue(region)}"


def needs_text(known: Knowledge, region: int) -> str:
    """`the 2 at r3c4 still needs one trap`."""
    needed = known.traps[region]
    still = "still " if needed < known.clue_number(region) else ""
    return f"{clue_text(known, region)} {still}needs {traps_text(needed)}"


def clues_text(known: Knowledge, regions: Iterable[int]) -> str:
    """`the 2 at r3c4 and the 1 at r3c5`."""
    return joined([clue_text(known, region) for region in regions], "other clues")


def conclusion(known: Knowledge, traps: Collection[int], gems: Collection[int]) -> str:
    """`r1c1 is a trap, and r2c2 and r2c3 are gems`."""
    parts = [
        f"{cells_text(known, cells)} {are(cells, kind)}"
        for cells, kind in ((traps, "trap"), (gems, "gem"))
        if cells
    ]
    return ", and ".join(parts)


# Lines of thought in sentences: what is supposed, what follows, and which clue cannot hold in the end.


def thoughts(known: Knowledge, deduction: Deduction) -> tuple[Thought, ...]:
    """The lines of a deduction in sentences, without repetitions.

    A line that merely supposes the conclusion is left out.
    """
    different = [each for each in dict.fromkeys(deduction.lines) if each.follows or each.is_refuted]
    return tuple(thought for line in different for thought in _thoughts(known, line, 0, {}))


def _thoughts(known: Knowledge, line: Line, depth: int, outer: dict[int, int]) -> Iterator[Thought]:
    value = outer | dict.fromkeys(line.traps, IS_TRAP) | dict.fromkeys(line.gems, IS_GEM)
    yield Thought(depth, f"Suppose that {conclusion(known, line.traps, line.gems)}.")
    for consequence in line.follows:
        result = conclusion(known, consequence.traps, consequence.gems)
        yield Thought(depth + 1, f"By {clue_text(known, consequence.region)}, {result}.")
        value |= dict.fromkeys(consequence.traps, IS_TRAP) | dict.fromkeys(consequence.gems, IS_GEM)
    if line.broken is not None:
        yield Thought(depth + 1, capital(broken_text(known, line.broken, value)))
    for case in line.cases:
        yield from _thoughts(known, case, depth + 1, value)


def broken_text(known: Knowledge, region: int, value: dict[int, int]) -> str:
    """Why a region cannot hold once these cells have these values."""
    if region == THE_TOTAL:
        needed, cells = known.traps_left or 0, set(known.undecided_cells())
        subject, place = f"the total of {known.puzzle.total}", "on the board"
    else:
        needed, cells = known.traps[region], known.cells[region]
        subject, place = clue_text(known, region), "around it"
    needed -= sum(value[cell] for cell in cells if cell in value)
    left = sum(cell not in value for cell in cells)
    if needed < 0:
        return f"{subject} cannot hold: {traps_text(-needed)} too many {place}."
    cells_left = f"{'only ' if left else ''}{number_word(left)} hidden cell{' is' if left < 2 else 's are'}"
    return f"{subject} cannot hold: it still needs {traps_text(needed)}, and {cells_left} left {place}."


# Sentences for the steps of an explanation, with one function for each kind of rule.


def explained_step(known: Knowledge, deduction: Deduction, choices: int) -> ExplanationStep:
    """A deduction in words, while `known` is as the rule saw it."""
    return ExplanationStep(
        deduction.rule,
        tuple(sorted(map(known.clue, deduction.clues))),
        deduction.with_total,
        known.names(deduction.traps),
        known.names(deduction.gems),
        sentence(known, deduction),
        thoughts(known, deduction),
        choices,
    )


def sentence(known: Knowledge, deduction: Deduction) -> str:
    """Why the cells of a deduction are what they are, while `known` is as the rule saw it."""
    return capital(_SENTENCES[deduction.rule](known, deduction))


def _result(known: Knowledge, deduction: Deduction) -> str:
    return conclusion(known, deduction.traps, deduction.gems)


def _one_clue(known: Knowledge, deduction: Deduction) -> str:
    (region,) = deduction.regions
    clue, number, needed = clue_text(known, region), known.clue_number(region), known.traps[region]
    cells, result = known.cells[region], _result(known, deduction)
    if number == 0:
        return f"{clue} has no trap around it, so {result}."
    if needed == 0:
        its = "its trap" if number == 1 else f"its {traps_text(number)}"
        return f"{clue} already has {its}, so {result}."
    needs = needs_text(known, region)
    if len(cells) == 1:
        return f"{needs}, and {cells_text(known, cells)} is its only hidden neighbour, so {result}."
    every = "both" if len(cells) == 2 else f"all {number_word(len(cells))}"
    return f"{needs}, and {cells_text(known, cells)} are its only hidden neighbours, so {every} are traps."


def _total_reached(known: Knowledge, deduction: Deduction) -> str:
    total, last = known.puzzle.total or 0, len(deduction.traps)
    if last == 1:
        why = "only one hidden cell is left for the last trap"
    elif last:
        why = f"only {number_word(last)} hidden cells are left for the last {traps_text(last)}"
    elif total < 2:
        why = "the only trap on the board is known" if total else "the board has no traps"
    else:
        why = f"{'both' if total == 2 else f'all {number_word(total)}'} traps on the board are known"
    return f"{why}, so {_result(known, deduction)}."


def _two_clues(known: Knowledge, deduction: Deduction) -> str:
    (larger,), (smaller,) = deduction.regions, deduction.subtracted
    if deduction.traps and deduction.gems:
        shared, clue = known.cells[larger] & known.cells[smaller], clue_text(known, smaller)
        return (
            f"{needs_text(known, larger)}, and it shares {cells_text(known, shared)} with {clue}, which "
            f"needs only {number_word(known.traps[smaller])}. So {conclusion(known, deduction.traps, ())}, "
            f"and {_other_neighbours(known, deduction.gems, clue)}, {are(deduction.gems, 'gem')}."
        )
    # All cells of the first clue are also cells of the second.
    if deduction.traps:
        first, second, cells, kind = smaller, larger, deduction.traps, "trap"
    else:
        first, second, cells, kind = larger, smaller, deduction.gems, "gem"
    one, other, needed = clue_text(known, first), clue_text(known, second), traps_text(known.traps[first])
    more = number_word(known.traps[second])
    needs = f"The first needs {needed} and the second {more}" if deduction.traps else f"Both need {needed}"
    others = f"{_other_neighbours(known, cells, 'the second')}, {are(cells, kind)}"
    return f"every hidden neighbour of {one} is also next to {other}. {needs}, so {others}."


def _other_neighbours(known: Knowledge, cells: Collection[int], clue: str) -> str:
    """`r1c3, the other hidden neighbour of the second`."""
    neighbours = "neighbour" if len(cells) == 1 else "neighbours"
    return f"{cells_text(known, cells)}, the other hidden {neighbours} of {clue}"


def _pattern(known: Knowledge, deduction: Deduction) -> str:
    clues = joined([str(known.clue(region)) for region in deduction.regions])
    needs = joined([str(known.traps[region]) for region in deduction.regions])
    return (
        f"the clues at {clues} stand side by side and need {needs} traps: the pattern {deduction.rule.name}. "
        f"So {_result(known, deduction)}."
    )


def _several_clues(known: Knowledge, deduction: Deduction) -> str:
    added, subtracted = clues_text(known, deduction.regions), clues_text(known, deduction.subtracted)
    needs = "still needs" if len(deduction.regions) == 1 else "still need"
    if not deduction.traps:
        how = f"subtract the traps that {added} {needs} from those of {subtracted}"
        left = f"no trap is left for {cells_text(known, deduction.gems)}"
        return f"{how}: {left}, so {_result(known, deduction)}."
    how = f"{'take' if len(deduction.regions) == 1 else 'add up'} the traps that {added} {needs}"
    how += f", and subtract those of {subtracted}" if deduction.subtracted else ""
    counts = coefficients(known, deduction.regions, deduction.subtracted)
    plus, most = _counted_cells(known, deduction.traps, counts), sum(counts[cell] for cell in deduction.traps)
    if most == len(counts):
        return f"{how}: {traps_text(most)} must be in {plus}, so {_result(known, deduction)}."
    minus = f", less that in {_counted_cells(known, deduction.gems, counts)}," if deduction.gems else ""
    return (
        f"{how}: the number of traps in {plus}{minus} is {most}. "
        f"That is the most it can be, so {_result(known, deduction)}."
    )


def _counted_cells(known: Knowledge, cells: Iterable[int], counts: dict[int, int]) -> str:
    """`r1c1 (counted twice), r1c2 and r2c1`."""
    often = {2: " (counted twice)", 3: " (counted three times)"}
    names = [f"{known.name(cell)}{often.get(abs(counts[cell]), '')}" for cell in sorted(cells)]
    return joined(names, "other cells")


def _total(known: Knowledge, deduction: Deduction) -> str:
    left, held = known.traps_left or 0, sum(known.traps[region] for region in deduction.regions)
    clues = clues_text(known, deduction.regions)
    need = f"{clues} needs" if len(deduction.regions) == 1 else f"{clues} share no hidden cell and need"
    if deduction.gems:
        everything = "both traps" if left == 2 else f"all {traps_text(left)}"
        all_left = "the only trap that is left" if left == 1 else f"{everything} that are left"
        return f"{need} {all_left}, so {_result(known, deduction)}."
    others = len(deduction.traps)
    cells = "only other hidden cell" if others == 1 else f"{number_word(others)} other hidden cells"
    return (
        f"{need} {number_word(held)} of the {traps_text(left)} that are left. The other "
        f"{number_word(left - held)} must be in the {cells}, so {_result(known, deduction)}."
    )


def _what_if(known: Knowledge, deduction: Deduction) -> str:
    broken = deduction.lines[0].broken
    clue = clue_text(known, THE_TOTAL if broken is None else broken)
    return f"if {_opposite(known, deduction)}, {clue} could not hold, so {_result(known, deduction)}."


def _case_split(known: Knowledge, deduction: Deduction) -> str:
    split, *_ = deduction.regions
    ways = f"{number_word(len(deduction.lines))} ways to fill {cells_text(known, known.cells[split])}"
    result = _result(known, deduction)
    return f"{needs_text(known, split)}, so there are {ways}. Whichever is right, {result}."


def _clue_set(known: Knowledge, deduction: Deduction) -> str:
    names = [clue_text(known, region) for region in deduction.regions]
    if deduction.with_total:
        names.append(f"the total of {known.puzzle.total}")
    hold = "could not hold" if len(names) == 1 else "could not all hold"
    clues = joined(names, "others")
    return f"if {_opposite(known, deduction)}, {clues} {hold}, so {_result(known, deduction)}."


def _opposite(known: Knowledge, deduction: Deduction) -> str:
    """`r1c1 were a trap`: the opposite of a conclusion about one cell."""
    (cell,) = deduction.traps or deduction.gems
    return f"{known.name(cell)} were a {'gem' if deduction.traps else 'trap'}"


_SENTENCES: dict[Rule, Callable[[Knowledge, Deduction], str]] = {
    rules.ONE_CLUE: _one_clue,
    rules.TOTAL_REACHED: _total_reached,
    rules.SUBSET: _two_clues,
    rules.OVERLAP: _two_clues,
    rules.ONE_ONE: _two_clues,
    rules.ONE_TWO: _two_clues,
    rules.ONE_TWO_ONE: _pattern,
    rules.ONE_TWO_TWO_ONE: _pattern,
    rules.SEVERAL_CLUES: _several_clues,
    rules.TOTAL: _total,
    rules.WHAT_IF: _what_if,
    rules.CASE_SPLIT: _case_split,
    rules.CLUE_SET: _clue_set,
}
