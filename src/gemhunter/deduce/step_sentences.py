"""Sentences for the steps of an explanation, one function for each kind of rule."""

from collections.abc import Callable, Iterable

from gemhunter.deduce import rules
from gemhunter.deduce.combine import coefficients
from gemhunter.deduce.knowledge import Knowledge
from gemhunter.deduce.lines import THE_TOTAL
from gemhunter.deduce.rules import Deduction, Rule
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.deduce.thoughts import thoughts
from gemhunter.deduce.wording import (
    are,
    capital,
    cells_text,
    clue_text,
    clues_text,
    conclusion,
    joined,
    needs_text,
    number_word,
    supposed,
    traps_text,
)


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
