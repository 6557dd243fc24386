"""Explanations in words: numbers, cells and clues, lines of thought, and a sentence for each kind of step."""

from collections.abc import Callable, Collection, Iterable, Iterator

from gemhunter.explanation import rules
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.explanation.rules import THE_TOTAL, Consequence, Deduction, Line, Rule, coefficients
from gemhunter.explanation.steps import ExplanationStep, Thought
from gemhunter.printable import are, capital, joined, number_word, traps_text

# Numbers, lists, cells and clues in words, for sentences about deductions.


def cells_text(known: Knowledge, cells: Iterable[int]) -> str:
    """`r1c1, r1c2 and r2c1`."""
    return joined([str(name) for name in known.names(cells)], "other cells")


def clue_text(known: Knowledge, region: int) -> str:
    """`the 2 at r3c4`."""
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


def supposed(known: Knowledge, traps: Collection[int], gems: Collection[int]) -> str:
    """`r1c1 were a trap`."""
    parts = [
        f"{cells_text(known, cells)} {f'were a {kind}' if len(cells) == 1 else f'were {kind}s'}"
        for cells, kind in ((traps, "trap"), (gems, "gem"))
        if cells
    ]
    return " and ".join(parts)


# Lines of thought in sentences: what is supposed, what follows, and which clue cannot hold in the end.


def thoughts(known: Knowledge, deduction: Deduction) -> tuple[Thought, ...]:
    """The lines of a deduction, in sentences; lines that need the same suppositions are one.

    A line that supposes the conclusion itself has nothing to show, and is left out.
    """
    different = [each for each in dict.fromkeys(deduction.lines) if each.follows or each.is_refuted]
    return tuple(thought for line in different for thought in _thoughts(known, line, 0, {}))


def _thoughts(known: Knowledge, line: Line, depth: int, outer: dict[int, int]) -> Iterator[Thought]:
    value = outer | dict.fromkeys(line.traps, IS_TRAP) | dict.fromkeys(line.gems, IS_GEM)
    yield Thought(depth, f"Suppose that {conclusion(known, line.traps, line.gems)}.")
    for consequence in line.follows:
        yield Thought(depth + 1, capital(_follows(known, consequence)))
        value |= dict.fromkeys(consequence.traps, IS_TRAP) | dict.fromkeys(consequence.gems, IS_GEM)
    if line.broken is not None:
        yield Thought(depth + 1, capital(broken_text(known, line.broken, value)))
    for case in line.cases:
        yield from _thoughts(known, case, depth + 1, value)


def _follows(known: Knowledge, consequence: Consequence) -> str:
    result = conclusion(known, consequence.traps, consequence.gems)
    clue = "the total" if consequence.region == THE_TOTAL else clue_text(known, consequence.region)
    return f"by {clue}, {result}."


def broken_text(known: Knowledge, region: int, value: dict[int, int]) -> str:
    """Why a region cannot hold once more cells have these values."""
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


# Sentences for the steps of an explanation, one function for each kind of rule.


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
    if deduction.gems:
        return f"{_all_traps(known.puzzle.total or 0)}, so {_result(known, deduction)}."
    count = len(deduction.traps)
    if count == 1:
        return f"only one hidden cell is left for the last trap, so {_result(known, deduction)}."
    cells = f"{number_word(count)} hidden cells are"
    return f"only {cells} left for the last {traps_text(count)}, so {_result(known, deduction)}."


def _all_traps(total: int) -> str:
    if total == 0:
        return "the board has no traps"
    if total == 1:
        return "the only trap of the board is known"
    return f"{'both' if total == 2 else f'all {number_word(total)}'} traps of the board are known"


def _two_clues(known: Knowledge, deduction: Deduction) -> str:
    (larger,), (smaller,) = deduction.regions, deduction.subtracted
    if known.cells[larger] <= known.cells[smaller]:
        return _no_more_outside(known, deduction, inner=larger, outer=smaller)
    if known.cells[smaller] <= known.cells[larger]:
        return _full_outside(known, deduction, inner=smaller, outer=larger)
    shared = known.cells[larger] & known.cells[smaller]
    most = known.traps[smaller]
    text = (
        f"{needs_text(known, larger)}, and it shares "
        f"{cells_text(known, shared)} with {clue_text(known, smaller)}, which needs only "
        f"{number_word(most)}. So {conclusion(known, deduction.traps, ())}"
    )
    if not deduction.gems:
        return f"{text}."
    alone = f"which {'is' if len(deduction.gems) == 1 else 'are'} next to {clue_text(known, smaller)} alone"
    return f"{text}, and {cells_text(known, deduction.gems)}, {alone}, {are(deduction.gems, 'gem')}."


def _no_more_outside(known: Knowledge, deduction: Deduction, *, inner: int, outer: int) -> str:
    needs = f"Both need {traps_text(known.traps[inner])}"
    alone = f"{cells_text(known, deduction.gems)}, next to the second alone, {are(deduction.gems, 'gem')}"
    return f"{_covered(known, inner, outer)}. {needs}, so {alone}."


def _full_outside(known: Knowledge, deduction: Deduction, *, inner: int, outer: int) -> str:
    first, second = traps_text(known.traps[inner]), number_word(known.traps[outer])
    alone = f"{cells_text(known, deduction.traps)}, next to the second alone, {are(deduction.traps, 'trap')}"
    return f"{_covered(known, inner, outer)}. The first needs {first} and the second {second}, so {alone}."


def _covered(known: Knowledge, inner: int, outer: int) -> str:
    return f"every hidden neighbour of {clue_text(known, inner)} is also next to {clue_text(known, outer)}"


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
        f"It cannot be more, so {_result(known, deduction)}."
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
    return (
        f"{need} {number_word(held)} of the {traps_text(left)} that are left. The other "
        f"{number_word(left - held)} must be in the {number_word(others)} other hidden "
        f"{'cell' if others == 1 else 'cells'}, so {_result(known, deduction)}."
    )


def _what_if(known: Knowledge, deduction: Deduction) -> str:
    broken = deduction.lines[0].broken
    clue = "the total" if broken in (None, THE_TOTAL) else clue_text(known, broken)
    opposite = supposed(known, deduction.gems, deduction.traps)
    return f"if {opposite}, {clue} could not hold, so {_result(known, deduction)}."


def _case_split(known: Knowledge, deduction: Deduction) -> str:
    split, *_ = deduction.regions
    cells, ways = cells_text(known, known.cells[split]), number_word(len(deduction.lines))
    how = f"which can be in {cells} in {ways} ways"
    return f"{needs_text(known, split)}, {how}. In every possible one, {_result(known, deduction)}."


def _clue_set(known: Knowledge, deduction: Deduction) -> str:
    names = [clue_text(known, region) for region in deduction.regions]
    if deduction.with_total:
        names.append(f"the total of {known.puzzle.total}")
    hold = "could not hold" if len(names) == 1 else "could not all hold"
    opposite = supposed(known, deduction.gems, deduction.traps)
    return f"if {opposite}, {joined(names, 'others')} {hold}, so {_result(known, deduction)}."


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
