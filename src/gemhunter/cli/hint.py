"""`gemhunter hint`: what to do next, by deduction or, where nothing can be deduced, by the best guess."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import click

from gemhunter.board.grid import CELL_MARKS, HIDDEN, Cell, Grid
from gemhunter.board.position import Position, Status
from gemhunter.cli.declare import argument, command, option
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED, note
from gemhunter.cli.options import (
    TRAPS_OPTION,
    ZERO_OPTION,
    RealNumber,
    assumption_line,
    board_warnings,
    complete_game,
    density_option,
    require_one_prior,
    seconds_option,
    total_warnings,
)
from gemhunter.cli.output import (
    MAPPED_CELLS,
    Outputs,
    first_names,
    format_option,
    json_document,
    output_option,
    wrap,
)
from gemhunter.cli.progress import ask_with_progress
from gemhunter.cli.step_lines import GAP, map_of, paragraph, surroundings, thought_lines
from gemhunter.draw.palette import Look
from gemhunter.draw.text_maps import StyledLine, StyledText, map_lines, sign_pieces
from gemhunter.errors import InputError
from gemhunter.explanation.hint import CONCLUSION_RUNG, RUNGS, HintLadder, NothingToDeduce
from gemhunter.explanation.hint import hint as hint_about
from gemhunter.files.dialects import Zero, read_moves
from gemhunter.files.text_tables import aligned
from gemhunter.play.advice import USUAL_DENSITY, Advice, compared_advice, compared_words
from gemhunter.play.advice import advise as advise_on
from gemhunter.play.game import Game, before_last_move, play_moves
from gemhunter.play.game_names import open_game, open_situation
from gemhunter.play.guessing.candidates import Candidate
from gemhunter.play.risks import USUAL_LIMITS, percent
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.solve import solve
from gemhunter.records.boards import hint_record
from gemhunter.records.games import advice_record
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted
from gemhunter.solving.run import Run
from gemhunter.wording import capital


@command()
def hint(
    board: str = argument(shell_complete=complete_game),
    moves: tuple[str, ...] = argument(nargs=-1, metavar="[MOVES]..."),
    *,
    rung: int = option(
        "--rung N",
        f"How much to reveal about a deduction, from 1 (the default) to {RUNGS}.",
        type=click.IntRange(1, RUNGS),
        default=1,
        show_default=False,
    ),
    total: int | None = TRAPS_OPTION,
    density: float | None = density_option(default=USUAL_DENSITY),
    think: float | None = option(
        "--think SECONDS",
        "Compare the best guesses by simulated games from this position, for this long.",
        type=RealNumber(0, 86_400, min_open=True),
    ),
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option("txt json", "the hint"),
    time_limit: float | None = seconds_option("Give up on a deduction after this many seconds.", rare=True),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Say what to do next: a deduction, as much of it as you ask for, or the best guess.

    \b
    Examples:
      gemhunter hint board.txt
      gemhunter hint board.txt --rung 4
      gemhunter hint position.txt --traps 99
      gemhunter hint expert#42 r1c1 r8c15 --think 10

    BOARD is a board or a position, which may show flags (F) and give its number of traps (`# traps: 40`), a
    replay, - for standard input, or a game such as expert#42. MOVES continue a game: r1c1 or reveal r1c1,
    flag r1c2, chord r1c1.

    The first rung names the kind of deduction; the next ones say where to look, at which clues, what follows,
    and what the board looks like then. Flags count as traps that you know, so hints do not repeat them; flags
    on cells that must be gems are named. If nothing can be deduced, the hint is the best guess: the cell that
    wins most often, if the rest of the game can be searched in about a second, and otherwise the one that the
    agent `expert` would open.

    Returns 0 with a hint, or if nothing is left to do; 1 if the clues conflict, 2 for bad input, 3 if a limit
    was reached first.
    """
    require_one_prior(total, density)
    situation = _open(board, moves, zero)
    shown = situation if isinstance(situation, Position) else situation.position
    for warning in [*total_warnings(shown.total, total), *board_warnings(shown.grid, zero)]:
        note(f"warning: {board}: {warning}")
    if density is not None:  # it replaces the total of the position
        situation = shown = replace(shown, total=None)
    flags = [shown.grid.cell(index) for index in shown.flags.ravel().nonzero()[0].tolist()]
    known_total = shown.total if total is None else total

    def ask(run: Run) -> tuple[HintLadder | NothingToDeduce, list[Cell]]:
        found = hint_about(shown.grid, total=known_total, marked=flags, run=run)
        if isinstance(found, NothingToDeduce) and not found.has_conflict:
            return found, []
        # A board that allows easy deductions can still have no solution, and a flag can stand on a gem. The
        # check has at most a second; on a large board, finding all forced cells would take too long.
        briefly = run.within(seconds=1.0)
        outcome: Outcome | Forced
        if flags and shown.grid.cells.size <= 10_000:
            outcome = forced(shown.grid, total=known_total, run=briefly)
        else:
            outcome = solve(shown.grid, total=known_total, run=briefly).outcome
        if isinstance(outcome, Refuted):
            return NothingToDeduce(outcome.reason, has_conflict=True), []
        gems = set(outcome.gems) if isinstance(outcome, Forced) else set()
        return found, [flag for flag in flags if flag in gems]

    found, wrong_flags = ask_with_progress(board, time_limit, ask)
    guess: Advice | Refuted | GaveUp | None = None
    if isinstance(found, NothingToDeduce) and found.may_be_further_away and HIDDEN in shown.grid.cells:
        ask_expert = partial(advise_on, situation, total=total, density=density, think=think)
        guess = ask_with_progress(board, USUAL_LIMITS.seconds, lambda run: ask_expert(run=run))
    if think is not None and (why := _why_not_thought_over(guess)):
        note(f"note: {why}, so --think has no effect")

    def lines(columns: int | None) -> Iterator[StyledLine]:
        # The first move of a game is safe by its rules, not by a clue.
        if not (isinstance(guess, Advice) and guess.risk == 0):
            yield from _hint_lines(shown.grid, found, rung, columns)
        if wrong_flags:
            yield from paragraph(f"{capital(_wrong_flags_words(wrong_flags))}.", columns)
        if guess is not None:
            yield from _advice_lines(shown, guess, density, columns)

    advised = None if guess is None else advice_record(board, guess)
    record = {
        **hint_record(board, found, rung),
        "wrong_flags": [*map(str, guess.wrong_flags if isinstance(guess, Advice) else wrong_flags)],
        "guess": advised,
    }
    outputs.give_lines(form, lambda: json_document(record), lines, "the hint")
    if isinstance(found, HintLadder):
        if rung < RUNGS:
            more = f"`--rung {rung + 1}` says more, " if rung + 1 < RUNGS else ""
            note(f"{more}`--rung {RUNGS}` {'' if more else 'says '}everything")
        return SOLVED
    if found.has_conflict or isinstance(guess, Refuted):
        return NO_SOLUTION
    return GAVE_UP if isinstance(guess, GaveUp) or (guess is None and found.gave_up is not None) else SOLVED


def _open(name: str, words: tuple[str, ...], zero: Zero) -> Game | Position:
    """The game or position that the arguments name; for a lost game, the position before its last move."""
    if moves := read_moves(words):
        found: Game | Position = play_moves(open_game(name), moves)
    else:
        found = open_situation(name, zero)
    if isinstance(found, Game) and found.status is Status.WON:
        raise InputError(f"{name}: the game is won; there is nothing left to play")
    if isinstance(found, Game) and found.status is Status.LOST:
        note(f"{name}: {found.moves[-1]} lost the game; this is the position before that move")
        return before_last_move(found)
    return found


def _hint_lines(
    grid: Grid, found: HintLadder | NothingToDeduce, rung: int, columns: int | None
) -> Iterator[StyledLine]:
    """The rung; from the conclusion on, also the lines of thought, and on the last rung the board."""
    if isinstance(found, NothingToDeduce):
        yield from paragraph(f"{capital(found.reason)}.", columns)
        return
    yield from paragraph(f"{rung} of {RUNGS}: {found.rungs[rung - 1]}", columns)
    step = found.step
    if rung >= CONCLUSION_RUNG:
        yield from thought_lines(step.thoughts, columns, GAP)
    if rung > CONCLUSION_RUNG:
        area = surroundings(grid, step.decides[0], (*step.clues, *step.decides), columns)
        yield from map_of(found.filled, area, columns)


def _why_not_thought_over(advised: Advice | Refuted | GaveUp | None) -> str:
    """Why no games were simulated, if none were."""
    if isinstance(advised, Refuted | GaveUp) or (advised is not None and advised.rollouts is not None):
        return ""
    if advised is None or advised.gems or not advised.candidates:
        return "nothing has to be guessed"
    if advised.total is None:
        return "the number of traps is not known"
    if advised.win_chance is not None:
        return "the best guess is known exactly"
    if len(advised.guesses) > 1:
        return "the board is too large, or shows cells that are marked already"
    return "there are no guesses to compare"


# The best guess: the advice, the cells that were compared, and a map.


def _advice_lines(
    position: Position, advised: Advice | Refuted | GaveUp, density: float | None, columns: int | None
) -> Iterator[StyledLine]:
    """The advice in lines of `columns` characters, with a table and a map."""
    if isinstance(advised, Refuted):
        yield [StyledText(f"no solution: {advised.reason}")]
        return
    if isinstance(advised, GaveUp):
        yield [StyledText(f"no cell is certain, and the risks could not be computed: {advised.reason}")]
        return
    for text in [*_answer(advised, position), *_assumption(advised, is_chosen=density is not None)]:
        yield from ([StyledText(line)] for line in wrap(text, columns))
    yield from ([StyledText(line)] for line in [*_comparison(advised), *_played_on(advised)])
    if max(position.grid.cells.shape) <= MAPPED_CELLS:
        pieces = _map(position, advised)
        yield from map_lines(pieces, columns)
        signs = {piece.text for row in pieces for piece in row}
        legend = ", ".join(f"{sign} {meaning}" for sign, meaning in SIGN_MEANINGS.items() if sign in signs)
        yield from ([StyledText(line)] for line in wrap(legend, columns))


def _answer(advised: Advice, position: Position) -> Iterator[str]:
    if advised.best is None or advised.risk is None:
        yield f"nothing to open: {advised.why}"
    else:
        yield f"open {advised.best}: {advised.why}, risk {percent(advised.risk)}"
    if advised.win_chance is not None:
        yield f"chance of winning: {percent(advised.win_chance)}"
    yield f"forced gems: {first_names(advised.gems)}"
    unmarked = [cell for cell in advised.traps if not position.flags[cell]]
    flagged = " (all of them have a flag)" if advised.traps and not unmarked else ""
    yield f"forced traps: {first_names(advised.traps)}{flagged}"
    if advised.gap:
        yield f"further cells may be certain: {advised.gap}"
    if advised.wrong_flags:
        yield _wrong_flags_words(advised.wrong_flags)


def _wrong_flags_words(flags: Sequence[Cell]) -> str:
    return f"wrong flags, on gems: {first_names(flags)}"


def _assumption(advised: Advice, *, is_chosen: bool) -> Iterator[str]:
    """What the risks assume, and the best cell at other densities."""
    yield assumption_line(advised.total, advised.density, is_chosen=is_chosen)
    for density, cell in advised.at_other_densities:
        best = "the same cell" if cell == advised.best else str(cell)
        yield f"at a density of {100 * density:g} %, {best} is best"


def _comparison(advised: Advice) -> list[str]:
    """A table that compares the best cell with the runners-up."""
    if not advised.runners_up:
        return []
    first = advised.candidates[0]
    headings = ["cell", "risk"]
    headings += ["chance of winning"] * (first.win_chance is not None)
    headings += ["this and the next safe", "worth"] * (first.worth is not None)
    return aligned([headings, *(_row(each)[: len(headings)] for each in advised.candidates)])


def _row(candidate: Candidate) -> list[str]:
    row = [str(candidate.cell), percent(candidate.risk)]
    if candidate.worth is not None and candidate.safe_twice is not None:
        worth = "dead" if candidate.worth < 0 else f"{candidate.worth:.3f}"
        return [*row, percent(candidate.safe_twice), worth]
    return [*row, "?" if candidate.win_chance is None else percent(candidate.win_chance)]


def _played_on(advised: Advice) -> Iterator[str]:
    """What simulated games say about the best guesses."""
    found, compared = advised.rollouts, compared_advice(advised)
    if found is None or compared is None:
        return
    pairs = zip(found.cells, found.win_rates, strict=True)
    rates = (f"{cell} {rate.text(1, percent=True)}" for cell, rate in pairs)
    yield f"win rates on {found.games:,} boards drawn at random, without luck: {', '.join(rates)}"
    yield compared_words(compared)


SIGN_MEANINGS = {
    "@": "is the cell to open",
    "+": "another certain gem",
    "!": "a certain trap",
    "F": "a flag on another cell",
}
"""The signs on the map of a guess."""


def _map(position: Position, advised: Advice) -> list[StyledLine]:
    """The board with the best cell, all that is certain, and the flags on other cells."""
    signs = [[CELL_MARKS[code] for code in codes] for codes in position.grid.cells.tolist()]
    for row, col in zip(*position.flags.nonzero(), strict=True):
        signs[row][col] = "F"
    for cells, sign in ((advised.gems, "+"), (advised.traps, "!")):
        for cell in cells:
            signs[cell.row][cell.col] = sign
    pieces = sign_pieces(signs)
    if advised.best is not None:
        pieces[advised.best.row][advised.best.col] = StyledText("@", Look("black", "green", bold=True))
    return pieces
