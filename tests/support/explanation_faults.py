"""What is wrong with an explanation, judged by the rules of the puzzle: an empty list if nothing is."""

from collections.abc import Collection, Iterator, Sequence

import oracles
from clue_judge import ClueJudge
from easy_deductions import EasyDeductions
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
from gemhunter.explanation.steps import ExplanationStep
from oracles import Place

Known = dict[Place, bool]

MOST_CLUES_IN_A_SUM = 4

MOST_CLUES_TRIED = 40
"""Of more clues that have hidden cells, not all sums are gone through: that takes seconds."""


def explanation_faults(found: Explanation) -> list[str]:
    """Every way in which an explanation does not do what it promises."""
    with ClueJudge(found.grid, found.total) as judge:
        if found.conflict is not None:
            return list(conflict_faults(judge, found.steps, found.conflict))
        faults = list(step_faults(judge, found.steps))
        faults += _coverage_faults(judge, found)
        if found.open and found.gave_up is None:
            faults += pair_faults(judge, found.examples)
        return faults


def _coverage_faults(judge: ClueJudge, found: Explanation) -> Iterator[str]:
    decided = {place for step in found.steps for place in step.decides}
    if list(found.open) != [place for place in judge.hidden if place not in decided]:
        yield "the open cells are not those that no step decides, in reading order"
    if found.gave_up is not None:
        return
    if not judge.can_hold(judge.clues, with_total=found.total is not None):
        yield "the clues conflict, which is not said"
    else:
        free = judge.undecided(found.open, with_total=found.total is not None)
        yield from (f"{place} is forced but open" for place in found.open if place not in free)


def step_faults(
    judge: ClueJudge,
    steps: Sequence[ExplanationStep],
    *,
    among: Collection[Place] | None = None,
    easiest: bool = True,
) -> Iterator[str]:
    """What is wrong with steps that may use all clues, or those `among`; each should be the easiest one."""
    known: Known = {}
    uses_total = judge.total is not None
    easy = EasyDeductions(judge, judge.clues if among is None else among, with_total=uses_total)
    for number, step in enumerate(steps, 1):
        yield from (f"step {number}, {step.rule.name}: {fault}" for fault in _faults_of(judge, step, known))
        if among is not None and not set(step.clues) <= set(among):
            yield f"step {number}: a clue is not of the set"
        if easiest and step.rule.level > 1 and easy.by_one():
            yield f"step {number}, {step.rule.name}: one clue decides something, {easy.by_one()}"
        if easiest and step.rule.level > 2 and easy.by_two():
            yield f"step {number}, {step.rule.name}: two clues decide something, {easy.by_two()}"
        if easiest and step.rule.level > 2 and len(easy.unfinished()) <= MOST_CLUES_TRIED:
            is_sum = step.rule.name == "several-clues"
            if found := easy.by_sum(len(step.clues) - 1 if is_sum else MOST_CLUES_IN_A_SUM):
                yield f"step {number}, {step.rule.name}: a shorter sum decides something, {found}"
        more = values_of(step)
        known |= more
        easy.decide(more)


def values_of(step: ExplanationStep) -> Known:
    """What a step decides."""
    return {**dict.fromkeys(step.traps, True), **dict.fromkeys(step.gems, False)}


def _faults_of(judge: ClueJudge, step: ExplanationStep, known: Known) -> Iterator[str]:
    decided = values_of(step)
    if not decided or not decided.keys() <= set(judge.hidden) - known.keys():
        yield "it decides nothing, or what is not hidden any more"
        return
    if list(step.clues) != sorted(set(step.clues)):
        yield "its clues are not in reading order"
    given = known if step.with_total else near(judge, step.clues, known)
    if not judge.force(step.clues, given, decided, with_total=step.with_total):
        yield "its clues do not force its cells"
    if step.rule.name == "clue-set":
        opposite = given | {place: not is_trap for place, is_trap in decided.items()}
        yield from _superfluous(judge, step.clues, opposite, with_total=step.with_total)


def near(judge: ClueJudge, clues: Collection[Place], known: Known) -> Known:
    """What is known of the cells around these clues; the rest cannot matter to them."""
    return {place: known[place] for clue in clues for place in judge.region[clue] if place in known}


def _superfluous(
    judge: ClueJudge, clues: Collection[Place], given: Known, *, with_total: bool
) -> Iterator[str]:
    """The clues of a conflict set, or the total, without which the rest cannot hold either."""
    for clue in clues:
        if not judge.can_hold([each for each in clues if each != clue], given, with_total=with_total):
            yield f"the clue at {clue} can be left out"
    if with_total and not judge.can_hold(clues, given, with_total=False):
        yield "the total can be left out"


def conflict_faults(
    judge: ClueJudge, steps: Sequence[ExplanationStep], conflict: ExplainedConflict
) -> Iterator[str]:
    """What is wrong with a conflict and the steps that lead to the clue that cannot hold."""
    if judge.can_hold(conflict.clues, with_total=conflict.with_total):
        yield "the clues of the conflict can hold"
    if not conflict.is_minimal:
        yield "the conflict set is not minimal"
    yield from _superfluous(judge, conflict.clues, {}, with_total=conflict.with_total)
    yield from step_faults(judge, steps, among=conflict.clues, easiest=False)
    if any(step.with_total for step in steps) and not conflict.with_total:
        yield "a step uses the total, which is not of the set"
    if conflict.broken is not None and conflict.broken not in conflict.clues:
        yield "the clue that cannot hold is not of the set"
    known = {place: is_trap for step in steps for place, is_trap in values_of(step).items()}
    if conflict.broken is None:
        cells, needed = judge.hidden, judge.hidden_traps if conflict.with_total else 0
    else:
        cells, needed = judge.region[conflict.broken], judge.needed[conflict.broken]
    traps, left = sum(known.get(place, False) for place in cells), sum(place not in known for place in cells)
    if 0 <= needed - traps <= left:
        yield "the clue that is said to break can still hold"


def pair_faults(judge: ClueJudge, examples: Sequence[Grid], cell: Place | None = None) -> Iterator[str]:
    """What is wrong with two examples: both are solutions, and they differ, in `cell` if it is given."""
    if len(examples) != 2:
        yield f"there are {len(examples)} examples"
        return
    for example in examples:
        filled = oracles.marks_of(example)
        assignment = tuple(filled[row][col] == "T" for row, col in judge.hidden)
        as_filled = oracles.filled_with(judge.marks, assignment)
        if filled != as_filled or not oracles.is_solution(judge.marks, assignment, judge.total):
            yield "an example is not a solution"
    if (examples[0].cells == examples[1].cells).all():
        yield "the examples are the same"
    if cell is not None and (examples[0][cell], examples[1][cell]) != (TRAP, GEM):
        yield "the examples are not one with a trap and one with a gem"


def cell_faults(found: CellExplanation) -> list[str]:
    """Every way in which the explanation of one cell does not do what it promises."""
    with ClueJudge(found.grid, found.total) as judge:
        if found.conflict is not None:
            return list(conflict_faults(judge, found.steps, found.conflict))
        if found.value == HIDDEN:
            return list(pair_faults(judge, found.examples, found.cell))
        faults = list(step_faults(judge, found.steps, easiest=False))
        last = found.steps[-1]
        if found.cell not in (last.traps if found.value == TRAP else last.gems):
            faults.append("the last step does not decide the cell")
        return faults


def opposite_faults(found: CellExplanation) -> list[str]:
    """What is wrong with what goes wrong if a forced cell has the other value."""
    codes = found.grid.cells.copy()
    codes[found.cell] = GEM if found.value == TRAP else TRAP
    if found.conflict is None:
        return ["no conflict"]
    with ClueJudge(Grid(codes), found.total) as judge:
        return list(conflict_faults(judge, found.steps, found.conflict))
